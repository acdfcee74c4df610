//===- EquivalencePairsTest.cpp - pairs of programs that differ in one way ===//
//
// Each row is two programs in one text: what stands in ~old~new~ is `old` in
// the first and `new` in the second. The rows of the first two tables mean
// something else, and the check must refuse them; the rows of the last differ
// in what Pebble may change.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "pebble/Planning/Equivalence.h"

using namespace mlir;
using namespace pebble;
using namespace pebble::test;

namespace {

struct Pair {
  const char *name;
  /// The types of what @main returns.
  const char *results;
  /// The body of @main. Each line of it may name the arguments in kHead.
  const char *body;
  /// What stands in the module besides @main.
  const char *outside = "";
};

/// %m and %n may be one buffer; %p is nobody else's.
const char *kHead = R"mlir(
func.func @main(%x: f32, %y: f32, %a: i32, %b: i32, %c: i1, %d: i1, %i: index, %j: index,
                %t: tensor<4xf32>, %u: tensor<4xf32>, %m: memref<8xf32>, %n: memref<8xf32>,
                %p: memref<8xf32> {llvm.noalias}, %v: vector<4xf32>, %w: vector<4xf32>) -> ()mlir";

const char *kConstants = R"mlir() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
)mlir";

/// What the check says of the two programs of a row; empty if they are equal.
std::string compare(const Pair &pair) {
  std::string text = std::string(pair.outside) + kHead + pair.results +
                     kConstants + pair.body + "}\n";
  Program after(getSide(text, true));
  OwningOpRef<ModuleOp> before =
      parseSourceString<ModuleOp>(getSide(text, false), &after.mlirContext);
  if (!before || !after.module)
    return "does not parse";
  AnalysisOptions options;
  options.pure.insert("x");
  ProgramContext context(options);
  bool same = succeeded(checkEquivalence(before->lookupSymbol("main"),
                                         after.getFunction(), context));
  EXPECT_EQ(same, after.diagnostics.empty()) << after.diagnostics;
  return after.diagnostics;
}

/// A row must be refused, and with each side twice it must be accepted.
void expectDifferent(ArrayRef<Pair> pairs) {
  for (const Pair &pair : pairs) {
    EXPECT_NE(compare(pair), "") << pair.name;
    for (bool isAfter : {false, true}) {
      std::string body = getSide(pair.body, isAfter);
      std::string outside = getSide(pair.outside, isAfter);
      std::string results = getSide(pair.results, isAfter);
      EXPECT_EQ(
          compare({pair.name, results.c_str(), body.c_str(), outside.c_str()}),
          "")
          << pair.name;
    }
  }
}

const Pair kOtherValues[] = {
    {"operands of a subtraction", "f32", R"mlir(
  %r = arith.subf ~%x, %y~%y, %x~ : f32
  return %r : f32)mlir"},
    {"predicate", "i1", R"mlir(
  %r = arith.cmpi ~slt~ult~, %a, %b : i32
  return %r : i1)mlir"},
    {"signedness of a division", "i32", R"mlir(
  %r = arith.~divsi~divui~ %a, %b : i32
  return %r : i32)mlir"},
    {"signedness of a conversion", "f32", R"mlir(
  %r = arith.~sitofp~uitofp~ %a : i32 to f32
  return %r : f32)mlir"},
    {"fastmath flags", "f32", R"mlir(
  %r = arith.addf %x, %y fastmath<~none~nnan~> : f32
  return %r : f32)mlir"},
    {"overflow flags", "i32", R"mlir(
  %r = arith.addi %a, %b overflow<~none~nsw~> : i32
  return %r : i32)mlir"},
    {"rounding", "f16", R"mlir(
  %r = arith.truncf %x ~to_nearest_even~downward~ : f32 to f16
  return %r : f16)mlir"},
    {"sign of zero", "f32", R"mlir(
  %k = arith.constant ~0.0~-0.0~ : f32
  %r = arith.mulf %x, %k : f32
  return %r : f32)mlir"},
    {"element of a constant", "tensor<4xf32>", R"mlir(
  %k = arith.constant dense<[1.0, 2.0, 3.0, ~4.0~5.0~]> : tensor<4xf32>
  %r = arith.addf %t, %k : tensor<4xf32>
  return %r : tensor<4xf32>)mlir"},
    {"operands of a select", "f32", R"mlir(
  %r = arith.select %c, ~%x, %y~%y, %x~ : f32
  return %r : f32)mlir"},
    {"order of results", "f32, f32", R"mlir(
  return ~%x, %y~%y, %x~ : f32, f32)mlir"},
    {"map of an input", "tensor<4x4xf32>", R"mlir(
  %s = tensor.generate {
  ^bb0(%k: index, %l: index):
    %e = tensor.extract %t[%k] : tensor<4xf32>
    tensor.yield %e : f32
  } : tensor<4x4xf32>
  %o = tensor.empty() : tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(k, l) -> (~k, l~l, k~)>, affine_map<(k, l) -> (k, l)>],
      iterator_types = ["parallel", "parallel"]} ins(%s : tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%e: f32, %f: f32):
    linalg.yield %e : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>)mlir"},
    {"payload", "tensor<4xf32>", R"mlir(
  %r = linalg.map ins(%t, %u : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>)
    (%e: f32, %f: f32, %g: f32) {
      %h = arith.subf ~%e, %f~%f, %e~ : f32
      linalg.yield %h : f32
    }
  return %r : tensor<4xf32>)mlir"},
    {"iterator", "tensor<4xf32>", R"mlir(
  %r = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>],
      iterator_types = ["~parallel~reduction~"]} ins(%t : tensor<4xf32>) outs(%u : tensor<4xf32>) {
  ^bb0(%e: f32, %f: f32):
    %g = arith.addf %e, %f : f32
    linalg.yield %g : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>)mlir"},
    {"offset of a slice", "tensor<2xf32>", R"mlir(
  %r = tensor.extract_slice %t[~0~1~] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %r : tensor<2xf32>)mlir"},
    {"stride of a slice", "tensor<2xf32>", R"mlir(
  %r = tensor.extract_slice %t[0] [2] [~1~2~] : tensor<4xf32> to tensor<2xf32>
  return %r : tensor<2xf32>)mlir"},
    {"size of a slice of unknown size", "tensor<?xf32>", R"mlir(
  %r = tensor.extract_slice %t[0] [~%i~%j~] [1] : tensor<4xf32> to tensor<?xf32>
  return %r : tensor<?xf32>)mlir"},
    {"value of padding", "tensor<6xf32>", R"mlir(
  %r = tensor.pad %t low[1] high[1] {
  ^bb0(%k: index):
    tensor.yield ~%x~%y~ : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %r : tensor<6xf32>)mlir"},
    {"place of padding", "tensor<6xf32>", R"mlir(
  %r = tensor.pad %t low[~1~2~] high[~1~0~] {
  ^bb0(%k: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %r : tensor<6xf32>)mlir"},
    {"dimension that is asked for", "index", R"mlir(
  %e = tensor.empty(%i, %j) : tensor<?x?xf32>
  %r = tensor.dim %e, ~%c0~%c1~ : tensor<?x?xf32>
  return %r : index)mlir"},
    {"size of what is made", "tensor<?xf32>", R"mlir(
  %e = tensor.empty(~%i~%j~) : tensor<?xf32>
  %r = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>)mlir"},
    {"mask of a shuffle", "vector<4xf32>", R"mlir(
  %r = vector.shuffle %v, %w [0, ~5~1~, 2, 7] : vector<4xf32>, vector<4xf32>
  return %r : vector<4xf32>)mlir"},
    {"kind of a reduction", "f32", R"mlir(
  %r = vector.reduction <~add~mul~>, %v : vector<4xf32> into f32
  return %r : f32)mlir"},
    {"attribute of an op that is not registered", "tensor<4xf32>", R"mlir(
  %r = "y.op"(%t) {axis = ~0~1~ : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>)mlir"},
    {"attribute of an op that is declared pure", "tensor<4xf32>", R"mlir(
  %r = "x.op"(%t) {axis = ~0~1~ : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>)mlir"},
    {"cases of a switch", "f32", R"mlir(
  %r = scf.index_switch %i -> f32
  case ~0~1~ {
    scf.yield %x : f32
  }
  default {
    scf.yield %y : f32
  }
  return %r : f32)mlir"},
    {"branches", "f32", R"mlir(
  %r = scf.if %c -> (f32) {
    scf.yield ~%x~%y~ : f32
  } else {
    scf.yield ~%y~%x~ : f32
  }
  return %r : f32)mlir"},
    {"condition", "f32", R"mlir(
  %r = scf.if ~%c~%d~ -> (f32) {
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  }
  return %r : f32)mlir"},
    {"upper bound", "f32", R"mlir(
  %r = scf.for %k = %c0 to ~%i~%j~ step %c1 iter_args(%s = %x) -> (f32) {
    %e = arith.addf %s, %y : f32
    scf.yield %e : f32
  }
  return %r : f32)mlir"},
    {"step", "f32", R"mlir(
  %r = scf.for %k = %c0 to %i step ~%c1~%c2~ iter_args(%s = %x) -> (f32) {
    %e = arith.addf %s, %y : f32
    scf.yield %e : f32
  }
  return %r : f32)mlir"},
    {"what a loop begins with", "f32, f32", R"mlir(
  %r:2 = scf.for %k = %c0 to %i step %c1 iter_args(%s = ~%x~%y~, %q = ~%y~%x~) -> (f32, f32) {
    scf.yield %q, %s : f32, f32
  }
  return %r#0, %r#1 : f32, f32)mlir"},
    {"what a loop yields", "f32, f32", R"mlir(
  %r:2 = scf.for %k = %c0 to %i step %c1 iter_args(%s = %x, %q = %y) -> (f32, f32) {
    scf.yield ~%q, %s~%s, %q~ : f32, f32
  }
  return %r#0, %r#1 : f32, f32)mlir"},
    {"what a while loop hands on", "f32, f32", R"mlir(
  %r:2 = scf.while (%s = %x, %q = %y) : (f32, f32) -> (f32, f32) {
    %e = arith.cmpf olt, %s, %q : f32
    scf.condition(%e) ~%s, %q~%q, %s~ : f32, f32
  } do {
  ^bb0(%s: f32, %q: f32):
    %e = arith.addf %s, %q : f32
    scf.yield %e, %q : f32, f32
  }
  return %r#0, %r#1 : f32, f32)mlir"},
    {"where threads insert", "tensor<4xf32>", R"mlir(
  %s = tensor.extract_slice %u[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %r = scf.forall (%k) in (2) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %l = arith.addi %k, %c2 : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[~%k~%l~] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>)mlir"},
    {"mapping of threads", "tensor<4xf32>", R"mlir(
  %s = tensor.extract_slice %u[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %r = scf.forall (%k) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%k] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  } {mapping = [#gpu.thread<~x~y~>]}
  return %r : tensor<4xf32>)mlir"},
    {"step of a loop that nobody asks", "f32", R"mlir(
  %r = scf.for %k = %c0 to %c2 step ~%c1~%c0~ iter_args(%s = %x) -> (f32) {
    %e = arith.addf %s, %y : f32
    scf.yield %e : f32
  }
  return %x : f32)mlir"},
    {"callee", "f32", R"mlir(
  %r = func.call @~f~g~(%x, %y) : (f32, f32) -> f32
  return %r : f32)mlir",
     R"mlir(
func.func private @f(%x: f32, %y: f32) -> f32 {
  return %x : f32
}
func.func private @g(%x: f32, %y: f32) -> f32 {
  return %y : f32
})mlir"},
    {"body of a callee's callee", "f32", R"mlir(
  %r = func.call @f(%x, %y) : (f32, f32) -> f32
  return %r : f32)mlir",
     R"mlir(
func.func private @f(%x: f32, %y: f32) -> f32 {
  %r = func.call @g(%x, %y) : (f32, f32) -> f32
  return %r : f32
}
func.func private @g(%x: f32, %y: f32) -> f32 {
  return ~%x~%y~ : f32
})mlir"},
};

TEST(EquivalencePairs, OtherValues) { expectDifferent(kOtherValues); }

const Pair kOtherMemory[] = {
    {"dropped store", "", R"mlir(
  ~memref.store %x, %m[%c0] : memref<8xf32>~~
  return)mlir"},
    {"stores through names that may be one", "", R"mlir(
  memref.store ~%x, %m~%y, %n~[%c0] : memref<8xf32>
  memref.store ~%y, %n~%x, %m~[%c0] : memref<8xf32>
  return)mlir"},
    {"stores at indices that may be one", "", R"mlir(
  memref.store ~%x, %p[%i]~%y, %p[%j]~ : memref<8xf32>
  memref.store ~%y, %p[%j]~%x, %p[%i]~ : memref<8xf32>
  return)mlir"},
    {"store through a view of what is read", "f32", R"mlir(
  %s = memref.subview %p[%i] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  ~memref.store %x, %s[%c0] : memref<4xf32, strided<[1], offset: ?>>~~
  %r = memref.load %p[%c2] : memref<8xf32>
  ~~memref.store %x, %s[%c0] : memref<4xf32, strided<[1], offset: ?>>~
  return %r : f32)mlir"},
    {"place of a store", "", R"mlir(
  memref.store %x, %p[~%c0~%c1~] : memref<8xf32>
  return)mlir"},
    {"offset of a view", "", R"mlir(
  %s = memref.subview %p[~%i~%j~] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
  memref.store %x, %s[%c0] : memref<2xf32, strided<[1], offset: ?>>
  return)mlir"},
    {"size of a view", "", R"mlir(
  %s = memref.subview %p[0] [~%i~%j~] [1] : memref<8xf32> to memref<?xf32, strided<[1]>>
  linalg.fill ins(%x : f32) outs(%s : memref<?xf32, strided<[1]>>)
  return)mlir"},
    {"extent of a buffer of which nobody asks", "", R"mlir(
  %s = memref.alloc(~%i~%j~) : memref<?xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
                                   affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]}
      ins(%m : memref<8xf32>) outs(%s : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return)mlir"},
    {"place of a load of which nobody asks", "", R"mlir(
  %l = memref.load %p[~%i~%j~] : memref<8xf32>
  return)mlir"},
    {"direction of a copy", "", R"mlir(
  memref.copy ~%m, %p~%p, %m~ : memref<8xf32> to memref<8xf32>
  return)mlir"},
    {"kind of an atomic update", "f32", R"mlir(
  %r = memref.atomic_rmw ~addf~mulf~ %x, %p[%c0] : (f32, memref<8xf32>) -> f32
  return %r : f32)mlir"},
    {"global", "f32", R"mlir(
  %g = memref.get_global @~one~two~ : memref<8xf32>
  %r = memref.load %g[%c0] : memref<8xf32>
  return %r : f32)mlir",
     R"mlir(
memref.global "private" @one : memref<8xf32> = dense<1.0>
memref.global "private" @two : memref<8xf32> = dense<1.0>)mlir"},
    {"content of a global", "f32", R"mlir(
  %g = memref.get_global @one : memref<8xf32>
  %r = memref.load %g[%c0] : memref<8xf32>
  return %r : f32)mlir",
     R"mlir(
memref.global "private" @one : memref<8xf32> = dense<~1.0~2.0~>)mlir"},
    {"mask of a write", "", R"mlir(
  %k = vector.create_mask ~%i~%j~ : vector<4xi1>
  vector.maskedstore %p[%c0], %k, %v : memref<8xf32>, vector<4xi1>, vector<4xf32>
  return)mlir"},
    {"what is read past the end", "vector<4xf32>", R"mlir(
  %r = vector.transfer_read %p[%i], ~%x~%y~ : memref<8xf32>, vector<4xf32>
  return %r : vector<4xf32>)mlir"},
    {"permutation of a transfer", "vector<4x4xf32>", R"mlir(
  %s = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<4x4xf32>)
  memref.store %y, %s[%c0, %c1] : memref<4x4xf32>
  %r = vector.transfer_read %s[%c0, %c0], %x {permutation_map = affine_map<(k, l) -> (~k, l~l, k~)>}
      : memref<4x4xf32>, vector<4x4xf32>
  return %r : vector<4x4xf32>)mlir"},
    {"dropped copy before a write", "tensor<4xf32>, tensor<4xf32>", R"mlir(
  %s = bufferization.alloc_tensor() ~copy(%t) ~~: tensor<4xf32>
  %r = linalg.add ins(%t, %u : tensor<4xf32>, tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>], iterator_types = ["parallel"]}
      outs(%s : tensor<4xf32>) {
  ^bb0(%e: f32):
    %f = arith.negf %e : f32
    linalg.yield %f : f32
  } -> tensor<4xf32>
  return %r, %q : tensor<4xf32>, tensor<4xf32>)mlir"},
    {"division that nobody asks", "i32", R"mlir(
  ~~%r = arith.divsi %a, %b : i32~
  return %a : i32)mlir"},
    {"access that nobody asks", "f32", R"mlir(
  ~~%r = memref.load %p[%i] : memref<8xf32>~
  return %x : f32)mlir"},
    {"writes through views that may overlap", "", R"mlir(
  %k = memref.subview %p[%i] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
  %l = memref.subview %p[%j] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
  linalg.fill ins(~%x~%y~ : f32) outs(~%k~%l~ : memref<2xf32, strided<[1], offset: ?>>)
  linalg.fill ins(~%y~%x~ : f32) outs(~%l~%k~ : memref<2xf32, strided<[1], offset: ?>>)
  return)mlir"},
    {"order of atomic updates", "", R"mlir(
  %r = memref.atomic_rmw assign ~%x~%y~, %p[%c0] : (f32, memref<8xf32>) -> f32
  %s = memref.atomic_rmw assign ~%y~%x~, %p[%c0] : (f32, memref<8xf32>) -> f32
  return)mlir"},
    {"order of prints", "", R"mlir(
  vector.print ~%x~%y~ : f32
  vector.print ~%y~%x~ : f32
  return)mlir"},
    {"order of assertions", "", R"mlir(
  cf.assert ~%c, "one"~%d, "two"~
  cf.assert ~%d, "two"~%c, "one"~
  return)mlir"},
    {"message of an assertion", "", R"mlir(
  cf.assert %c, "~one~two~"
  return)mlir"},
    {"store before an assertion", "", R"mlir(
  ~memref.store %x, %m[%c0] : memref<8xf32>~~
  cf.assert %c, "one"
  ~~memref.store %x, %m[%c0] : memref<8xf32>~
  return)mlir"},
    {"read behind an unknown call", "f32", R"mlir(
  ~%r = memref.load %m[%c0] : memref<8xf32>~~
  func.call @any() : () -> ()
  ~~%r = memref.load %m[%c0] : memref<8xf32>~
  return %r : f32)mlir",
     "func.func private @any()"},
    {"of two buffers, which is handed out", "memref<8xf32>, memref<8xf32>",
     R"mlir(
  %k = memref.alloc() : memref<8xf32>
  %l = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%k : memref<8xf32>)
  linalg.fill ins(%x : f32) outs(%l : memref<8xf32>)
  return %k, ~%l~%k~ : memref<8xf32>, memref<8xf32>)mlir"},
    {"buffer that a branch picks", "", R"mlir(
  %s = scf.if %c -> (memref<8xf32>) {
    scf.yield ~%m~%p~ : memref<8xf32>
  } else {
    scf.yield ~%p~%m~ : memref<8xf32>
  }
  memref.store %x, %s[%c0] : memref<8xf32>
  return)mlir"},
    {"content of a buffer that a branch may pick", "f32", R"mlir(
  %k = memref.alloc() : memref<8xf32>
  linalg.fill ins(~%x~%y~ : f32) outs(%k : memref<8xf32>)
  %s = scf.if %c -> (memref<8xf32>) {
    scf.yield %k : memref<8xf32>
  } else {
    %l = memref.alloc() : memref<8xf32>
    linalg.fill ins(%x : f32) outs(%l : memref<8xf32>)
    scf.yield %l : memref<8xf32>
  }
  %r = memref.load %k[%c0] : memref<8xf32>
  return %r : f32)mlir"},
    {"buffers that change places", "", R"mlir(
  %s:2 = scf.for %k = %c0 to %i step %c1 iter_args(%e = %m, %f = %p) -> (memref<8xf32>, memref<8xf32>) {
    memref.store %x, %e[%k] : memref<8xf32>
    scf.yield ~%f, %e~%e, %f~ : memref<8xf32>, memref<8xf32>
  }
  return)mlir"},
    {"free before a use", "f32", R"mlir(
  %k = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%k : memref<8xf32>)
  %s = memref.cast %k : memref<8xf32> to memref<?xf32>
  ~%r = memref.load %s[%c0] : memref<?xf32>~memref.dealloc %k : memref<8xf32>~
  ~memref.dealloc %k : memref<8xf32>~%r = memref.load %s[%c0] : memref<?xf32>~
  return %r : f32)mlir"},
};

TEST(EquivalencePairs, OtherMemory) {
  // The side that reads what was freed is no program at all.
  ArrayRef<Pair> pairs(kOtherMemory);
  expectDifferent(pairs.drop_back());
  EXPECT_NE(compare(pairs.back()), "") << pairs.back().name;
}

const char *kOwned = R"mlir(
func.func private @g(%t: tensor<4xf32>~ ~ {pebble.donated}~) -> tensor<4xf32> {
  return %t : tensor<4xf32>
})mlir";

TEST(EquivalencePairs, ArgumentsThatAreOwned) {
  Pair pair = {"donated", "tensor<4xf32>", R"mlir(
  %r = func.call @g(%t) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>)mlir",
               kOwned};
  EXPECT_NE(compare(pair), "");
}

const Pair kSame[] = {
    {"ops that know nothing of each other", "f32, f32", R"mlir(
  ~%r = arith.addf %x, %y : f32~%s = arith.mulf %x, %y : f32~
  ~%s = arith.mulf %x, %y : f32~%r = arith.addf %x, %y : f32~
  return %r, %s : f32, f32)mlir"},
    {"dead op", "f32", R"mlir(
  ~%r = arith.addf %x, %y : f32~~
  return %x : f32)mlir"},
    {"op that is computed again", "f32", R"mlir(
  %r = arith.addf %x, %y : f32
  ~~%s = arith.addf %x, %y : f32~
  %q = arith.mulf %r, ~%r~%s~ : f32
  return %q : f32)mlir"},
    {"computed again behind an opaque identity", "tensor<4xf32>", R"mlir(
  %r = arith.addf %t, %u : tensor<4xf32>
  ~~%k = pebble.opaque %t : tensor<4xf32>
  %s = arith.addf %k, %u : tensor<4xf32>~
  %q = arith.mulf %r, ~%r~%s~ : tensor<4xf32>
  return %q : tensor<4xf32>)mlir"},
    {"opaque identity of a number", "f32", R"mlir(
  ~~%k = pebble.opaque %x : f32~
  %r = arith.addf ~%x~%k~, %y : f32
  return %r : f32)mlir"},
    {"copy of a tensor", "tensor<4xf32>", R"mlir(
  ~~%k = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>~
  %r = arith.addf ~%t~%k~, %u : tensor<4xf32>
  return %r : tensor<4xf32>)mlir"},
    {"copy of a buffer", "f32", R"mlir(
  %l = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%l : memref<8xf32>)
  ~~%k = memref.alloc() : memref<8xf32>
  memref.copy %l, %k : memref<8xf32> to memref<8xf32>~
  %r = memref.load ~%l~%k~[%i] : memref<8xf32>
  return %r : f32)mlir"},
    {"destination that is overwritten", "tensor<4xf32>", R"mlir(
  ~%e = tensor.empty() : tensor<4xf32>~%e = bufferization.alloc_tensor() : tensor<4xf32>~
  %r = linalg.exp ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>)mlir"},
    {"loads that change places", "f32, f32", R"mlir(
  ~%r = memref.load %m[%i] : memref<8xf32>~%s = memref.load %n[%j] : memref<8xf32>~
  ~%s = memref.load %n[%j] : memref<8xf32>~%r = memref.load %m[%i] : memref<8xf32>~
  return %r, %s : f32, f32)mlir"},
    {"stores that surely lie apart", "", R"mlir(
  memref.store ~%x, %m~%y, %p~[%c0] : memref<8xf32>
  memref.store ~%y, %p~%x, %m~[%c0] : memref<8xf32>
  return)mlir"},
    {"store before a pure op", "f32", R"mlir(
  ~memref.store %x, %m[%c0] : memref<8xf32>~%r = arith.addf %x, %y : f32~
  ~%r = arith.addf %x, %y : f32~memref.store %x, %m[%c0] : memref<8xf32>~
  return %r : f32)mlir"},
    {"buffer that is freed, or not", "", R"mlir(
  %k = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%k : memref<8xf32>)
  memref.copy %k, %p : memref<8xf32> to memref<8xf32>
  ~~memref.dealloc %k : memref<8xf32>~
  return)mlir"},
    {"op that is declared pure, twice", "tensor<4xf32>", R"mlir(
  %r = "x.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  ~~%s = "x.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>~
  %q = arith.mulf %r, ~%r~%s~ : tensor<4xf32>
  return %q : tensor<4xf32>)mlir"},
    {"branch that is computed again", "f32", R"mlir(
  %r = scf.if %c -> (f32) {
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  }
  ~~%s = scf.if %c -> (f32) {
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  }~
  %q = arith.mulf %r, ~%r~%s~ : f32
  return %q : f32)mlir"},
    {"loop before what it does not touch", "f32, f32", R"mlir(
  ~~%s = memref.load %p[%i] : memref<8xf32>~
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%e = %x) -> (f32) {
    memref.store %e, %m[%c0] : memref<8xf32>
    %f = arith.addf %e, %y : f32
    scf.yield %f : f32
  }
  ~%s = memref.load %p[%i] : memref<8xf32>~~
  return %r, %s : f32, f32)mlir"},
    {"marks that Pebble makes", "f32", R"mlir(
  %r = arith.addf %x, %y ~~{pebble.name = "sum"} ~: f32
  return %r : f32)mlir"},
    {"size that only the block of the buffer knows", "f32", R"mlir(
  %s = arith.addi %i, %c2 : index
  %q = memref.alloc(%s) : memref<?xf32>
  cf.br ^bb1
^bb1:
  memref.store %x, %q[%c1] : memref<?xf32>
  %r = memref.load %q[%c1] : memref<?xf32>
  return %r : f32)mlir"},
    {"buffer that a loop alone writes", "", R"mlir(
  %s = scf.for %k = %c0 to %i step %c1 iter_args(%e = %p) -> (memref<8xf32>) {
    memref.store %x, %e[%k] : memref<8xf32>
    scf.yield %e : memref<8xf32>
  }
  return)mlir"},
};

TEST(EquivalencePairs, TheSame) {
  for (const Pair &pair : kSame)
    EXPECT_EQ(compare(pair), "") << pair.name;
}

} // namespace

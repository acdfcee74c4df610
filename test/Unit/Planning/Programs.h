//===- Programs.h - small programs with hazards, for tests ----------------===//

#ifndef PEBBLE_TEST_UNIT_PLANNING_PROGRAMS_H
#define PEBBLE_TEST_UNIT_PLANNING_PROGRAMS_H

#include "pebble/Analysis/DependenceGraph.h"
#include "pebble/Dialect/PebbleDialect.h"
#include "pebble/InitAll.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

namespace pebble::test {

struct NamedProgram {
  const char *name;
  const char *text;
};

/// Between them: views, updates in place, donated and kept arguments, memrefs
/// that may be one, globals, calls, loops with state, branches, barriers,
/// scalars, deallocations, destinations that nobody wrote.
inline const NamedProgram kPrograms[] = {
    {"branches", R"mlir(
func.func @main(%x: tensor<64xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %f = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %b = linalg.abs ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %as = tensor.extract_slice %a[0] [16] [1] : tensor<64xf32> to tensor<16xf32>
  %bs = tensor.extract_slice %b[0] [16] [1] : tensor<64xf32> to tensor<16xf32>
  %p = linalg.exp ins(%as : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %q = linalg.exp ins(%bs : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.add ins(%p, %q : tensor<16xf32>, tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
})mlir"},
    {"update-in-place", R"mlir(
func.func @main(%w: tensor<100xf32> {pebble.donated, pebble.name = "w"}, %x: tensor<100xf32>)
    -> (tensor<100xf32>, tensor<100xf32>) {
  %e = tensor.empty() : tensor<100xf32>
  %g = linalg.exp ins(%x : tensor<100xf32>) outs(%e : tensor<100xf32>) -> tensor<100xf32>
  %h = linalg.mul ins(%w, %x : tensor<100xf32>, tensor<100xf32>) outs(%e : tensor<100xf32>) -> tensor<100xf32>
  %new = linalg.sub ins(%w, %g : tensor<100xf32>, tensor<100xf32>) outs(%w : tensor<100xf32>) -> tensor<100xf32>
  return %h, %new : tensor<100xf32>, tensor<100xf32>
})mlir"},
    {"memrefs", R"mlir(
func.func @main(%a: memref<32xf32>, %b: memref<32xf32>, %c: memref<32xf32> {llvm.noalias}) {
  %m = memref.alloc() : memref<32xf32>
  %n = memref.alloc() : memref<32xf32>
  linalg.exp ins(%a : memref<32xf32>) outs(%m : memref<32xf32>)
  linalg.exp ins(%c : memref<32xf32>) outs(%n : memref<32xf32>)
  linalg.add ins(%m, %n : memref<32xf32>, memref<32xf32>) outs(%b : memref<32xf32>)
  linalg.abs ins(%m : memref<32xf32>) outs(%c : memref<32xf32>)
  memref.dealloc %n : memref<32xf32>
  %s = memref.subview %c[8] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1], offset: 8>>
  %t = memref.subview %a[0] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1]>>
  memref.copy %t, %s : memref<8xf32, strided<[1]>> to memref<8xf32, strided<[1], offset: 8>>
  memref.dealloc %m : memref<32xf32>
  return
})mlir"},
    {"calls", R"mlir(
memref.global "private" @state : memref<16xf32> = uninitialized
func.func private @unknown(memref<16xf32>)
func.func private @inside(%x: tensor<1024xf32> {pebble.donated}) -> tensor<1024xf32> {
  %zero = arith.constant 0 : index
  %s = tensor.extract %x[%zero] : tensor<1024xf32>
  %e = tensor.empty() : tensor<1024xf32>
  %b = linalg.fill ins(%s : f32) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  return %b : tensor<1024xf32>
}
func.func @main(%x: tensor<1024xf32>) -> (tensor<1024xf32>, f32) {
  %e = tensor.empty() : tensor<1024xf32>
  %zero = arith.constant 0 : index
  %g = memref.get_global @state : memref<16xf32>
  %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %v = memref.load %g[%zero] : memref<16xf32>
  %b = func.call @inside(%a) : (tensor<1024xf32>) -> tensor<1024xf32>
  func.call @unknown(%g) : (memref<16xf32>) -> ()
  %k = memref.get_global @state : memref<16xf32>
  %w = memref.load %k[%zero] : memref<16xf32>
  %u = arith.addf %v, %w : f32
  %c = linalg.abs ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %d = linalg.add ins(%b, %c : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  return %d, %u : tensor<1024xf32>, f32
})mlir"},
    {"loop", R"mlir(
func.func @main(%x: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<64xf32>
  %start = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %side = linalg.abs ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %start) -> tensor<64xf32> {
    %t = linalg.exp ins(%s : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %u = linalg.add ins(%t, %side : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %u : tensor<64xf32>
  }
  %z = linalg.add ins(%r, %side : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %z : tensor<64xf32>
})mlir"},
    {"unregistered", R"mlir(
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = "some.op"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %b = "some.op"(%a) : (tensor<16xf32>) -> tensor<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %c = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %d = linalg.add ins(%b, %c : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %d : tensor<16xf32>
})mlir"},
    {"slices", R"mlir(
func.func @main(%x: tensor<16xf32>, %y: tensor<8xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %e = bufferization.alloc_tensor() : tensor<16xf32>
  %a = tensor.insert_slice %y into %e[0] [8] [1] : tensor<8xf32> into tensor<16xf32>
  %b = tensor.insert_slice %y into %a[8] [8] [1] : tensor<8xf32> into tensor<16xf32>
  %f = tensor.empty() : tensor<16xf32>
  %c = linalg.exp ins(%b : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %d = bufferization.alloc_tensor() copy(%b) : tensor<16xf32>
  %g = linalg.exp ins(%c : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  return %g, %b : tensor<16xf32>, tensor<16xf32>
})mlir"},
    {"scalars", R"mlir(
func.func @main(%x: tensor<8xf32>, %i: index) -> (f32, tensor<8xf32>) {
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  %a = tensor.extract %x[%i] : tensor<8xf32>
  %b = tensor.extract %x[%j] : tensor<8xf32>
  %s = arith.mulf %a, %b : f32
  %t = tensor.splat %s : tensor<8xf32>
  %u = arith.addf %s, %a : f32
  return %u, %t : f32, tensor<8xf32>
})mlir"},
    {"selected-buffers", R"mlir(
func.func @main(%c: i1, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<8xf32>
  %n = memref.alloc() : memref<80xf32>
  %p = memref.subview %n[0] [8] [1] : memref<80xf32> to memref<8xf32, strided<[1]>>
  %q = memref.cast %m : memref<8xf32> to memref<8xf32, strided<[1]>>
  memref.store %x, %n[%c0] : memref<80xf32>
  %s = arith.select %c, %p, %q : memref<8xf32, strided<[1]>>
  memref.store %x, %s[%c0] : memref<8xf32, strided<[1]>>
  %v = memref.load %m[%c0] : memref<8xf32>
  %w = memref.load %n[%c0] : memref<80xf32>
  %u = arith.addf %v, %w : f32
  return %u : f32
})mlir"},
    {"returned-as-it-came", R"mlir(
func.func @main(%x: tensor<8xf32>, %y: tensor<24xf32> {pebble.donated}) -> (tensor<8xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  return %a, %e : tensor<8xf32>, tensor<4xf32>
})mlir"},
};

/// A parsed program and what was said about it.
class Program {
public:
  explicit Program(llvm::StringRef text) {
    mlir::DialectRegistry registry;
    registerUpstream(registry);
    registerAllDialects(registry);
    mlirContext.appendDialectRegistry(registry);
    mlirContext.allowUnregisteredDialects();
    // What materialising storages and applying schedules makes.
    mlirContext.loadDialect<
        PebbleDialect, mlir::bufferization::BufferizationDialect,
        mlir::linalg::LinalgDialect, mlir::tensor::TensorDialect>();
    mlirContext.getDiagEngine().registerHandler([this](mlir::Diagnostic &diag) {
      diagnostics += diag.str() + "\n";
      for (mlir::Diagnostic &note : diag.getNotes())
        diagnostics += "note: " + note.str() + "\n";
      return mlir::success();
    });
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &mlirContext);
    EXPECT_TRUE(module) << diagnostics;
  }

  mlir::FunctionOpInterface getFunction(llvm::StringRef name = "main") {
    return mlir::cast<mlir::FunctionOpInterface>(module->lookupSymbol(name));
  }
  mlir::Block &getBlock(llvm::StringRef name = "main") {
    return getFunction(name).getFunctionBody().front();
  }
  /// The op of the block whose location is `name`.
  mlir::Operation *getOp(llvm::StringRef name) {
    for (mlir::Operation &op : getBlock())
      if (auto loc = mlir::dyn_cast<mlir::NameLoc>(op.getLoc()))
        if (loc.getName() == name)
          return &op;
    ADD_FAILURE() << "no op is called " << name.str();
    return nullptr;
  }
  std::string print() {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    return text;
  }

  mlir::MLIRContext mlirContext;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string diagnostics;
};

/// A random order of the steps that keeps every dependence.
inline std::vector<unsigned> drawOrder(const DependenceGraph &graph,
                                       std::mt19937 &random) {
  size_t count = graph.getStorage().getSteps().size();
  std::vector<unsigned> waiting(count, 0), ready, order;
  std::vector<std::vector<unsigned>> after(count);
  for (const Dependence &edge : graph.getDependences()) {
    after[edge.before].push_back(edge.after);
    ++waiting[edge.after];
  }
  for (unsigned step = 0; step < count; ++step)
    if (waiting[step] == 0)
      ready.push_back(step);
  while (!ready.empty()) {
    size_t pick = random() % ready.size();
    unsigned step = ready[pick];
    ready.erase(ready.begin() + pick);
    order.push_back(step);
    for (unsigned next : after[step])
      if (--waiting[next] == 0)
        ready.push_back(next);
  }
  EXPECT_EQ(order.size(), count);
  return order;
}

/// One side of `text`: what stands between tildes is old, new, old, new.
inline std::string getSide(llvm::StringRef text, bool isAfter) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, '~');
  EXPECT_EQ(parts.size() % 3, 1u) << text.str();
  std::string side;
  for (size_t i = 0; i < parts.size(); ++i)
    if (i % 3 == 0 || (i % 3 == 2) == isAfter)
      side += parts[i].str();
  return side;
}

} // namespace pebble::test

#endif // PEBBLE_TEST_UNIT_PLANNING_PROGRAMS_H

//===- CallEquivalenceTest.cpp - the same program, calls and all ----------===//
//
// A program as it came, one that a pass may make of it, and faults that look
// like it: each must be refused.
//
//===----------------------------------------------------------------------===//

#include "pebble/Planning/CallEquivalence.h"
#include "pebble/InitAll.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace pebble;

namespace {

/// Compares the two @main; returns what is said against `after`.
std::string compare(StringRef before, StringRef after) {
  DialectRegistry registry;
  registerUpstream(registry);
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      said += diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> one = parseSourceString<ModuleOp>(before, &context);
  OwningOpRef<ModuleOp> other = parseSourceString<ModuleOp>(after, &context);
  if (!one || !other)
    return "does not parse: " + said;
  bool isSame = succeeded(checkCallEquivalence(
      one->lookupSymbol<func::FuncOp>("main"),
      other->lookupSymbol<func::FuncOp>("main"), AnalysisOptions()));
  EXPECT_EQ(isSame, said.empty());
  return said;
}

constexpr char kSplit[] = R"mlir(
func.func private @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = math.sin %x : tensor<4xf32>
  %c = math.cos %x : tensor<4xf32>
  return %y, %c : tensor<4xf32>, tensor<4xf32>
}
func.func private @back(%c: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %g = arith.mulf %c, %d : tensor<4xf32>
  return %g : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %c = call @f(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %e = arith.negf %d : tensor<4xf32>
  %g = call @back(%c, %e) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y, %g : tensor<4xf32>, tensor<4xf32>
}
)mlir";

constexpr char kJoint[] = R"mlir(
func.func private @plain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.sin %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @whole(%x: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %c = math.cos %x : tensor<4xf32>
  %g = arith.mulf %c, %d : tensor<4xf32>
  return %g : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = call @plain(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %e = arith.negf %d : tensor<4xf32>
  %g = call @whole(%x, %e) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y, %g : tensor<4xf32>, tensor<4xf32>
}
)mlir";

/// `text` with `from` replaced by `to` at one place.
std::string change(StringRef text, StringRef from, StringRef to) {
  size_t at = text.find(from);
  EXPECT_NE(at, StringRef::npos) << from.str();
  return (text.take_front(at) + to + text.drop_front(at + from.size())).str();
}

TEST(CallEquivalence, AJointCallIsTheSplitOne) {
  EXPECT_EQ(compare(kSplit, kJoint), "");
  EXPECT_EQ(compare(kJoint, kSplit), "");
}

TEST(CallEquivalence, WrongSnapshotsAreRefused) {
  // Another value restored, restored too late, none of it, the wrong gradient.
  std::pair<const char *, const char *> faults[] = {
      {"call @whole(%x, %e)", "call @whole(%y, %e)"},
      {"call @whole(%x, %e)", "call @whole(%d, %e)"},
      {"call @whole(%x, %e)", "call @whole(%x, %d)"},
      {"call @whole(%x, %e)", "call @whole(%e, %x)"},
      {"return %y, %g", "return %g, %y"},
      {"math.cos %x", "math.cos %d"},
      {"math.cos", "math.sin"},
      {"arith.mulf %c, %d", "arith.mulf %c, %x"},
      {"arith.mulf %c, %d", "arith.addf %c, %d"},
      {"%y = math.sin %x", "%z = math.sin %x : tensor<4xf32>\n"
                           "  %y = math.sin %z"},
  };
  for (auto [from, to] : faults)
    EXPECT_NE(compare(kSplit, change(kJoint, from, to))
                  .find("is not proven to be what it was"),
              std::string::npos)
        << from << " -> " << to;
}

/// A function that prints, called twice.
constexpr char kEffects[] = R"mlir(
func.func private @print(tensor<4xf32>)
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  call @print(%x) : (tensor<4xf32>) -> ()
  %y = math.sin %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %z = call @f(%y) : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
)mlir";

TEST(CallEquivalence, EffectsHappenAsOftenAsTheyDid) {
  EXPECT_EQ(compare(kEffects, kEffects), "");
  std::string again = change(kEffects, "  return %z",
                             "  %w = call @f(%y) : (tensor<4xf32>) -> "
                             "tensor<4xf32>\n  return %z");
  EXPECT_NE(compare(kEffects, again).find("was not there before"),
            std::string::npos);
  std::string less =
      change(kEffects, "  call @print(%x) : (tensor<4xf32>) -> ()\n", "");
  EXPECT_NE(compare(kEffects, less).find("effect 0"), std::string::npos);
}

TEST(CallEquivalence, RandomNumbersAreNotDrawnAnew) {
  constexpr char once[] = R"mlir(
func.func private @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = "any.rng"() : () -> tensor<4xf32>
  %y = arith.mulf %x, %r : tensor<4xf32>
  return %y, %r : tensor<4xf32>, tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %r = call @f(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %y, %r : tensor<4xf32>, tensor<4xf32>
}
)mlir";
  std::string anew = change(
      once,
      "func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, "
      "tensor<4xf32>) {\n",
      "func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) "
      "{\n  %a, %b = call @f(%x) : (tensor<4xf32>) -> (tensor<4xf32>, "
      "tensor<4xf32>)\n");
  EXPECT_EQ(compare(once, once), "");
  EXPECT_NE(compare(once, anew), "");
}

TEST(CallEquivalence, FunctionsThatCallThemselvesAreNotCompared) {
  constexpr char endless[] = R"mlir(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
)mlir";
  EXPECT_NE(compare(endless, endless).find("calls itself"), std::string::npos);
}

/// `text` with the body of @main in a loop.
std::string inLoop(StringRef text) {
  std::string whole = change(
      text,
      "func.func @main(%x: tensor<4xf32>, %d: tensor<4xf32>) -> "
      "(tensor<4xf32>, tensor<4xf32>) {",
      "func.func @main(%x: tensor<4xf32>, %d: tensor<4xf32>, %n: index, %one: "
      "index) -> (tensor<4xf32>, tensor<4xf32>) {\n"
      "%l:2 = scf.for %i = %one to %n step %one iter_args(%p = %x, %q = %d) -> "
      "(tensor<4xf32>, tensor<4xf32>) {");
  size_t end = whole.rfind("return");
  return whole.substr(0, end) +
         "scf.yield %y, %g : tensor<4xf32>, tensor<4xf32> }\n"
         "  return %l#0, %l#1 : tensor<4xf32>, tensor<4xf32>\n}\n";
}

/// The same, where the calls read what the loop carries.
std::string carried(std::string text) {
  size_t body = text.find("scf.for");
  for (StringRef call : {"call @f(", "call @plain(", "call @whole("})
    for (size_t at = text.find(call, body); at != std::string::npos;
         at = text.find(call, at + 1)) {
      text.replace(at, 0, "func.");
      at += 5;
      text.replace(at + call.size(), 2, "%p");
    }
  for (size_t at = text.find(" call @back(", body); at != std::string::npos;
       at = text.find(" call @back(", at + 1))
    text.replace(at + 1, 0, "func.");
  return text;
}

TEST(CallEquivalence, AllBlocksAreCompared) {
  auto program = [](StringRef inSecond, StringRef inThird) {
    return ("func.func @main(%x: tensor<4xf32>, %b: i1) -> tensor<4xf32> {\n"
            "  cf.cond_br %b, ^a, ^c\n"
            "^a:\n  %y = math." +
            inSecond +
            " %x : tensor<4xf32>\n  cf.br ^e(%y : tensor<4xf32>)\n"
            "^c:\n  %z = math." +
            inThird +
            " %x : tensor<4xf32>\n  cf.br ^e(%z : tensor<4xf32>)\n"
            "^e(%r: tensor<4xf32>):\n  return %r : tensor<4xf32>\n}\n")
        .str();
  };
  EXPECT_EQ(compare(program("sin", "cos"), program("sin", "cos")), "");
  EXPECT_NE(compare(program("sin", "cos"), program("cos", "cos")), "");
  EXPECT_NE(compare(program("sin", "cos"), program("cos", "sin")), "");
}

TEST(CallEquivalence, AReadInALoopIsNotOneBeforeAWrite) {
  auto program = [](StringRef used) {
    return (R"mlir(
func.func @main(%m: memref<4xf32>, %v: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %m[%c0] : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> (f32) {
    %b = memref.load %m[%c0] : memref<4xf32>
    %t = arith.addf %s, )mlir" +
            used + R"mlir( : f32
    scf.yield %t : f32
  }
  return %r : f32
}
)mlir")
        .str();
  };
  EXPECT_EQ(compare(program("%b"), program("%b")), "");
  EXPECT_NE(compare(program("%b"), program("%a")), "");
}

TEST(CallEquivalence, CallsInLoopsAreLookedInto) {
  std::string split = carried(inLoop(kSplit)), joint = carried(inLoop(kJoint));
  EXPECT_EQ(compare(split, split), "");
  EXPECT_EQ(compare(split, joint), "");
  EXPECT_NE(compare(split, change(joint, "@whole(%p, %e)", "@whole(%q, %e)")),
            "");
  EXPECT_NE(compare(split, change(joint, "@whole(%p, %e)", "@whole(%x, %e)")),
            "");
  EXPECT_NE(
      compare(split, change(joint, "scf.yield %y, %g", "scf.yield %g, %y")),
      "");
}

} // namespace

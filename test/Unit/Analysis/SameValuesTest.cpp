//===- SameValuesTest.cpp - do two functions of tensors agree? ------------===//

#include "Program.h"

#include "pebble/Analysis/SameValues.h"

#include <gtest/gtest.h>

using namespace pebble;

namespace {
/// Whether the functions f and g, with what they call, are proven equal.
bool agree(const std::string &text) {
  test::Program program(text);
  EXPECT_TRUE(program) << text;
  if (!program)
    return false;
  mlir::ScopedDiagnosticHandler quiet(program.getContext(),
                                      [](mlir::Diagnostic &) {});
  ProgramContext context;
  auto find = [&](llvm::StringRef name) {
    return program.getBody(name).getParentOp();
  };
  return succeeded(checkSameValues(find("f"), find("g"), context));
}

std::string pair(const std::string &f, const std::string &g) {
  const std::string head = "(%x: tensor<8xf32>, %y: tensor<8xf32>) -> "
                           "tensor<8xf32> {\n";
  return "func.func @f" + head + f + "\n}\nfunc.func @g" + head + g + "\n}\n";
}

const char *kPlain = R"(
  %0 = "stablehlo.exponential"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.add"(%0, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>)";
} // namespace

TEST(SameValues, StepsBarriersAndIdentitiesAreSeenThrough) {
  EXPECT_TRUE(agree(pair(kPlain, R"(
    %b:2 = "stablehlo.optimization_barrier"(%y, %x) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    %o = pebble.opaque %b#1 : tensor<8xf32>
    %0 = pebble.step %o, %b#0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%a: tensor<8xf32>, %c: tensor<8xf32>):
      %e = "stablehlo.exponential"(%a) : (tensor<8xf32>) -> tensor<8xf32>
      %s = "stablehlo.add"(%e, %c) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      pebble.yield %s : tensor<8xf32>
    }
    return %0 : tensor<8xf32>)")));
}

TEST(SameValues, CallsAreSeenThrough) {
  EXPECT_TRUE(agree(pair(kPlain, R"(
    %0 = call @h(%x) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.add"(%0, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>)") +
                    R"(
    func.func private @h(%a: tensor<8xf32>) -> tensor<8xf32> {
      %0 = "stablehlo.exponential"(%a) : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    })"));
}

TEST(SameValues, OtherOperandsAreAnotherValue) {
  EXPECT_FALSE(agree(pair(kPlain, R"(
    %0 = "stablehlo.exponential"(%y) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.add"(%0, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>)")));
  EXPECT_FALSE(agree(pair(kPlain, R"(
    %0 = "stablehlo.exponential"(%x) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.add"(%y, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>)")));
}

TEST(SameValues, AnotherAttributeIsAnotherValue) {
  const std::string body = R"(
    %0 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>)";
  std::string other = body;
  other.replace(other.find("i64: 0"), 6, "i64");
  EXPECT_TRUE(agree(pair(body, body)));
  EXPECT_FALSE(agree(pair(body, other)));
}

TEST(SameValues, BarriersThatSwapAreAnotherValue) {
  EXPECT_FALSE(agree(pair(kPlain, R"(
    %b:2 = "stablehlo.optimization_barrier"(%y, %x) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    %0 = "stablehlo.exponential"(%b#0) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.add"(%0, %b#1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>)")));
}

namespace {
std::string loop(const std::string &body) {
  return R"(
    %0 = "stablehlo.while"(%x) ({
    ^bb0(%a: tensor<8xf32>):
      %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a: tensor<8xf32>):
      )" +
         body + R"(
      "stablehlo.return"(%b) : (tensor<8xf32>) -> ()
    }) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>)";
}
} // namespace

TEST(SameValues, LoopsAreComparedByWhatTheyDo) {
  const std::string once =
      R"(%b = "stablehlo.add"(%a, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>)";
  const std::string fenced =
      R"(%p = "stablehlo.optimization_barrier"(%y) : (tensor<8xf32>) -> tensor<8xf32>
      %b = "stablehlo.add"(%a, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>)";
  const std::string other =
      R"(%b = "stablehlo.add"(%y, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>)";
  EXPECT_TRUE(agree(pair(loop(once), loop(fenced))));
  EXPECT_FALSE(agree(pair(loop(once), loop(other))));
}

TEST(SameValues, EffectsKeepTheirOrderAndNumber) {
  const std::string draw =
      R"( = "stablehlo.rng"(%x, %x, %y) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
)";
  const std::string sub =
      R"(%r = "stablehlo.subtract"(%0, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      return %r : tensor<8xf32>)";
  EXPECT_TRUE(agree(
      pair("%0" + draw + "%1" + draw + sub, "%0" + draw + "%1" + draw + sub)));
  // Two draws are two numbers.
  EXPECT_FALSE(agree(
      pair("%0" + draw + "%1" + draw + sub, "%1" + draw + "%0" + draw + sub)));
  EXPECT_FALSE(agree(pair("%0" + draw + "%1" + draw + sub,
                          "%0" + draw + "%1" + draw + "%2" + draw + sub)));
}

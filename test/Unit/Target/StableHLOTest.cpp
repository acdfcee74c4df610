//===- StableHLOTest.cpp - the table of StableHLO's ops -------------------===//

#include "ParsedModule.h"

#include "pebble/Target/StableHLO.h"

using namespace pebble;

namespace {
/// The cost of the op marked `test`.
OpCost costIn(const std::string &text) {
  ParsedModule parsed(text);
  mlir::Operation *op = parsed.find();
  return op ? estimateOpCost(op) : OpCost();
}

void expectFlops(const std::string &body, int64_t flops) {
  OpCost cost = costIn("func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>,"
                       " %i: tensor<2x3x8x4xf32>, %k: tensor<3x3x4x16xf32>,"
                       " %n: tensor<16x16xf32>) {\n" +
                       body + "\nreturn }");
  EXPECT_EQ(cost.flops, flops) << body;
  EXPECT_EQ(cost.doubt, "") << body;
}
} // namespace

TEST(StableHLO, NamesAreInTheTableOnce) {
  llvm::StringMap<int> seen;
  for (const hlo::Op &row : hlo::getTable())
    EXPECT_EQ(++seen[row.name], 1) << row.name.str();
}

TEST(StableHLO, TheDialectsShareTheTable) {
  mlir::MLIRContext context;
  auto find = [&](llvm::StringRef name) {
    return hlo::lookup(mlir::OperationName(name, &context));
  };
  ASSERT_TRUE(find("stablehlo.add"));
  EXPECT_EQ(find("stablehlo.add"), find("mhlo.add"));
  EXPECT_EQ(find("chlo.broadcast_add"), find("stablehlo.add"));
  EXPECT_EQ(find("other.add"), nullptr);
  EXPECT_EQ(find("stablehlo.unheard_of"), nullptr);
}

TEST(StableHLO, FunctionsOfASeriesAreDearer) {
  expectFlops(
      R"(%0 = "stablehlo.add"(%x, %x) {test} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>)",
      32);
  expectFlops(
      R"(%0 = "stablehlo.tanh"(%x) {test} : (tensor<8x4xf32>) -> tensor<8x4xf32>)",
      320);
  expectFlops(
      R"(%0 = "stablehlo.convert"(%x) {test} : (tensor<8x4xf32>) -> tensor<8x4xf64>)",
      0);
}

TEST(StableHLO, AProductCountsItsContractions) {
  expectFlops(
      R"(%0 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> {test} : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>)",
      2 * 8 * 16 * 4);
  // A batch is no contraction.
  expectFlops(
      R"(%0 = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> {test} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8xf32>)",
      2 * 8 * 4);
  // An outer product has none.
  expectFlops(
      R"(%0 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<>}> {test} : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x4x4x16xf32>)",
      2 * 8 * 4 * 4 * 16);
}

TEST(StableHLO, AProductWithoutDimensionsIsDoubtful) {
  OpCost cost = costIn(R"(func.func @f(%x: tensor<8x4xf32>) {
    %0 = "stablehlo.dot_general"(%x, %x) {test} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8xf32>
    return })");
  EXPECT_EQ(cost.doubt, "a product without dimension numbers");
}

TEST(StableHLO, AConvolutionSumsItsKernel) {
  expectFlops(
      R"(%0 = "stablehlo.convolution"(%i, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> {test} : (tensor<2x3x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<2x3x8x16xf32>)",
      2 * (2 * 3 * 8 * 16) * (3 * 3 * 4));
  // Of a dilated input every second element is a zero, in both dimensions.
  expectFlops(
      R"(%0 = "stablehlo.convolution"(%i, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>}> {test} : (tensor<2x3x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<2x6x16x16xf32>)",
      2 * (2 * 6 * 16 * 16) * (3 * 3 * 4) / 4);
}

TEST(StableHLO, ReductionsAndWindowsCountTheirBody) {
  const std::string sum = R"(({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }))";
  const std::string zero =
      R"(%z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
)";
  expectFlops(
      zero +
          R"(%0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> )" +
          sum + " {test} : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>",
      32);
  expectFlops(
      zero +
          R"(%0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 2>}> )" +
          sum + " {test} : (tensor<8x4xf32>, tensor<f32>) -> tensor<7x3xf32>",
      7 * 3 * 4);
}

TEST(StableHLO, AlgorithmsAreCountedByTheirSize) {
  expectFlops(
      R"(%0 = "stablehlo.cholesky"(%n) <{lower = true}> {test} : (tensor<16x16xf32>) -> tensor<16x16xf32>)",
      16 * 16 * 16 / 3);
  expectFlops(
      R"(%0 = "stablehlo.triangular_solve"(%n, %n) {test} : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>)",
      16 * 16 * 16);
  expectFlops(
      R"(%0 = "stablehlo.fft"(%n) <{fft_length = array<i64: 16>}> {test} : (tensor<16x16xf32>) -> tensor<16x9xcomplex<f32>>)",
      5 * 16 * 16 * 4);
}

namespace {
std::string makeLoop(const std::string &start, const std::string &bound,
                     const std::string &direction, const std::string &step) {
  auto constant = [](const std::string &name, const std::string &value) {
    return "%" + name + R"( = "stablehlo.constant"() <{value = dense<)" +
           value + "> : tensor<i32>}> : () -> tensor<i32>\n";
  };
  return "func.func @f(%x: tensor<8xf32>, %given: tensor<i32>) {\n" +
         constant("start", start) +
         R"(%0:2 = "stablehlo.while"(%start, %x) ({
    ^bb0(%i: tensor<i32>, %a: tensor<8xf32>):
    )" + (bound.empty() ? "" : constant("end", bound)) +
         R"(%c = "stablehlo.compare"(%i, %)" +
         (bound.empty() ? "given" : "end") +
         ") <{comparison_direction = #stablehlo<comparison_direction " +
         direction + R"(>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<i32>, %a: tensor<8xf32>):
    )" + constant("step", step) +
         R"(%n = "stablehlo.add"(%i, %step) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %b = "stablehlo.negate"(%a) : (tensor<8xf32>) -> tensor<8xf32>
      "stablehlo.return"(%n, %b) : (tensor<i32>, tensor<8xf32>) -> ()
    }) {test} : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>)
    return })";
}

std::optional<int64_t> tripsOf(const std::string &text) {
  ParsedModule parsed(text);
  mlir::Operation *op = parsed.find();
  return op ? hlo::getTrips(op) : std::nullopt;
}
} // namespace

TEST(StableHLO, LoopsThatCountAreKnown) {
  EXPECT_EQ(tripsOf(makeLoop("0", "10", "LT", "1")), 10);
  EXPECT_EQ(tripsOf(makeLoop("1", "10", "LE", "1")), 10);
  EXPECT_EQ(tripsOf(makeLoop("0", "10", "LT", "3")), 4);
  EXPECT_EQ(tripsOf(makeLoop("10", "5", "LT", "1")), 0);
  EXPECT_EQ(tripsOf(makeLoop("0", "10", "LT", "-1")), std::nullopt);
  EXPECT_EQ(tripsOf(makeLoop("0", "10", "NE", "1")), std::nullopt);
  EXPECT_EQ(tripsOf(makeLoop("0", "", "LT", "1")), std::nullopt);
}

TEST(StableHLO, ALoopCostsItsTrips) {
  // The comparison, the counter and eight elements.
  EXPECT_EQ(costIn(makeLoop("0", "10", "LT", "1")).flops, 10 * (1 + 1 + 8));
  EXPECT_EQ(costIn(makeLoop("0", "10", "LT", "1")).doubt, "");
  EXPECT_EQ(costIn(makeLoop("0", "", "LT", "1")).doubt,
            "a loop whose trip count is not known, counted once");
}

TEST(StableHLO, WhatTheTableLacksIsDoubtful) {
  EXPECT_EQ(costIn(R"(func.func @f(%x: tensor<8xf32>) {
    %0 = "stablehlo.unheard_of"(%x) {test} : (tensor<8xf32>) -> tensor<8xf32>
    return })")
                .doubt,
            "no cost model for 'stablehlo.unheard_of'");
  EXPECT_EQ(costIn(R"(func.func @f(%x: tensor<8xf32>) {
    %0 = "stablehlo.custom_call"(%x) <{call_target_name = "mine"}> {test} : (tensor<8xf32>) -> tensor<8xf32>
    return })")
                .doubt,
            "no cost model for custom call 'mine'");
}

//===- OpCostTest.cpp - counts of operations and bytes --------------------===//

#include "ParsedModule.h"

#include "pebble/Target/OpCost.h"

using namespace pebble;

namespace {
/// The cost of the op marked `test` in a function with this body.
OpCost costIn(const std::string &text, DimBounds bounds = {}) {
  ParsedModule parsed(text);
  mlir::Operation *op = parsed.find();
  return op ? estimateOpCost(op, bounds) : OpCost();
}

void expectCost(const OpCost &cost, int64_t flops, int64_t read,
                int64_t written) {
  EXPECT_EQ(cost.flops, flops);
  EXPECT_EQ(cost.bytesRead, read);
  EXPECT_EQ(cost.bytesWritten, written);
  EXPECT_EQ(cost.doubt, "");
}
} // namespace

TEST(OpCost, AMatmulIsTwoOperationsPerIteration) {
  // It adds to what its destination holds, so it reads it as well.
  expectCost(costIn(R"mlir(
    func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
      %0 = linalg.matmul {test} ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
      return
    })mlir"),
             2 * 4 * 8 * 16, 4 * (32 + 128 + 64), 4 * 64);
}

TEST(OpCost, AGenericCountsItsBody) {
  expectCost(costIn(R"mlir(
    #id = affine_map<(d0) -> (d0)>
    func.func @f(%a: tensor<8xf64>, %d: tensor<8xf64>) {
      %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%a : tensor<8xf64>) outs(%d : tensor<8xf64>) attrs = {test} {
      ^bb0(%x: f64, %out: f64):
        %i = linalg.index 0 : index
        %c = arith.constant 2.0 : f64
        %1 = arith.mulf %x, %c : f64
        %2 = math.exp %1 : f64
        %3 = arith.truncf %2 : f64 to f32
        %4 = arith.extf %3 : f32 to f64
        linalg.yield %4 : f64
      } -> tensor<8xf64>
      return
    })mlir"),
             8 * (1 + 10), 64, 64);
}

TEST(OpCost, AFillWritesOnly) {
  expectCost(costIn(R"mlir(
    func.func @f(%s: f32, %d: tensor<8xf32>) {
      %0 = linalg.fill {test} ins(%s : f32) outs(%d : tensor<8xf32>) -> tensor<8xf32>
      return
    })mlir"),
             0, 0, 32);
}

TEST(OpCost, ElementwiseOpsCountElements) {
  expectCost(costIn(R"mlir(
    func.func @f(%a: tensor<8xf32>) {
      %0 = arith.addf %a, %a {test} : tensor<8xf32>
      return
    })mlir"),
             8, 64, 32);
  expectCost(costIn(R"mlir(
    func.func @f(%a: tensor<8xf32>) {
      %0 = math.tanh %a {test} : tensor<8xf32>
      return
    })mlir"),
             80, 32, 32);
}

TEST(OpCost, ViewsAreFreeAndCopiesAreNot) {
  expectCost(costIn(R"mlir(
    func.func @f(%a: tensor<8xf32>) {
      %0 = tensor.extract_slice %a[0] [4] [1] {test} : tensor<8xf32> to tensor<4xf32>
      return
    })mlir"),
             0, 0, 0);
  expectCost(costIn(R"mlir(
    func.func @f(%a: tensor<4xf32>, %b: tensor<8xf32>) {
      %0 = tensor.insert_slice %a into %b[0] [4] [1] {test} : tensor<4xf32> into tensor<8xf32>
      return
    })mlir"),
             0, 16, 16);
}

TEST(OpCost, TosaConvolutionsAndReductions) {
  expectCost(costIn(R"mlir(
    func.func @f(%x: tensor<1x4x4x3xf32>, %w: tensor<5x3x3x3xf32>, %b: tensor<5xf32>, %z: tensor<1xf32>) {
      %0 = tosa.conv2d %x, %w, %b, %z, %z {test, acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
        : (tensor<1x4x4x3xf32>, tensor<5x3x3x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x5xf32>
      return
    })mlir"),
             2 * (16 * 5) * 27, 4 * (48 + 135 + 5 + 1 + 1), 4 * 80);
  expectCost(costIn(R"mlir(
    func.func @f(%x: tensor<4x8xf32>) {
      %0 = tosa.reduce_sum %x {test, axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
      return
    })mlir"),
             32, 128, 16);
}

TEST(OpCost, ALoopIsItsBodyTimesItsTrips) {
  const char *loop = R"mlir(
    func.func @f(%a: tensor<8xf32>, %n: index) {
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %c10 = arith.constant 10 : index
      %0 = scf.for %i = %c0 to $ step %c3 iter_args(%x = %a) -> tensor<8xf32> {
        %1 = arith.addf %x, %x : tensor<8xf32>
        scf.yield %1 : tensor<8xf32>
      } {test}
      return
    })mlir";
  std::string known(loop), unknown(loop);
  known.replace(known.find('$'), 1, "%c10");
  unknown.replace(unknown.find('$'), 1, "%n");
  expectCost(costIn(known), 4 * 8, 4 * 64, 4 * 32);
  OpCost cost = costIn(unknown);
  EXPECT_EQ(cost.flops, 8);
  EXPECT_FALSE(cost.isKnown());
  EXPECT_NE(cost.doubt.find("trip count"), std::string::npos);
}

TEST(OpCost, ABranchIsItsDearerSide) {
  expectCost(costIn(R"mlir(
    func.func @f(%a: tensor<8xf32>, %c: i1) {
      %0 = scf.if %c -> tensor<8xf32> {
        %1 = math.exp %a : tensor<8xf32>
        scf.yield %1 : tensor<8xf32>
      } else {
        scf.yield %a : tensor<8xf32>
      } {test}
      return
    })mlir"),
             80, 32, 32);
}

TEST(OpCost, AParallelLoopIsTheProductOfItsTrips) {
  expectCost(costIn(R"mlir(
    func.func @f(%m: memref<8xf32>) {
      scf.forall (%i, %j) in (3, 5) {
        %0 = memref.load %m[%i] : memref<8xf32>
      } {test}
      return
    })mlir"),
             0, 15 * 4, 0);
}

TEST(OpCost, ACallIsItsCalleeAndAccessesItsOwnOperands) {
  expectCost(costIn(R"mlir(
    func.func private @g(%a: tensor<8xf32>) -> tensor<8xf32> {
      %0 = arith.addf %a, %a : tensor<8xf32>
      %1 = arith.mulf %0, %0 : tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    func.func @f(%a: tensor<8xf32>) {
      %0 = func.call @g(%a) {test} : (tensor<8xf32>) -> tensor<8xf32>
      return
    })mlir"),
             16, 32, 32);
}

TEST(OpCost, ARecursiveCallIsInDoubt) {
  OpCost cost = costIn(R"mlir(
    func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
      %0 = arith.addf %a, %a : tensor<8xf32>
      %1 = func.call @f(%0) {test} : (tensor<8xf32>) -> tensor<8xf32>
      return %1 : tensor<8xf32>
    })mlir");
  EXPECT_EQ(cost.doubt, "a recursive call");
}

TEST(OpCost, AnUnknownOpCostsItsBytesAndSaysSo) {
  OpCost cost = costIn(R"mlir(
    func.func @f(%a: tensor<8xf32>) {
      %0 = "any.op"(%a) {test} : (tensor<8xf32>) -> tensor<4xf64>
      return
    })mlir");
  EXPECT_EQ(cost.flops, 0);
  EXPECT_EQ(cost.getWork(), 64);
  EXPECT_FALSE(cost.isKnown());
  EXPECT_EQ(cost.doubt, "no cost model for 'any.op'");
}

TEST(OpCost, TheUsersWordComesFirst) {
  OpCost cost = costIn(R"mlir(
    func.func @f(%a: tensor<8xf32>) {
      %0 = "any.op"(%a) {test, pebble.cost = 77 : i64} : (tensor<8xf32>) -> tensor<8xf32>
      return
    })mlir");
  EXPECT_TRUE(cost.isKnown());
  EXPECT_EQ(cost.getWork(), 77);
}

TEST(OpCost, ADynamicDimensionNeedsABound) {
  const char *text = R"mlir(
    func.func @f(%a: tensor<?x4xf32>) {
      %0 = arith.addf %a, %a {test} : tensor<?x4xf32>
      return
    })mlir";
  EXPECT_FALSE(costIn(text).isKnown());
  expectCost(costIn(text, DimBounds{10}), 40, 320, 160);
}

TEST(OpCost, SizesAreBytesOfPackedElements) {
  mlir::MLIRContext context;
  mlir::Builder b(&context);
  EXPECT_EQ(getStaticBytes(mlir::RankedTensorType::get({3}, b.getI1Type())), 3);
  EXPECT_EQ(getStaticBytes(mlir::RankedTensorType::get({3}, b.getIndexType())),
            24);
  EXPECT_EQ(getStaticBytes(mlir::RankedTensorType::get({}, b.getF64Type())), 8);
  EXPECT_EQ(getStaticBytes(mlir::RankedTensorType::get(
                {2}, mlir::ComplexType::get(b.getF32Type()))),
            16);
  EXPECT_EQ(getStaticBytes(b.getF32Type()), std::nullopt);
  auto dynamic = mlir::RankedTensorType::get({mlir::ShapedType::kDynamic, 2},
                                             b.getF32Type());
  EXPECT_EQ(getStaticBytes(dynamic), std::nullopt);
  EXPECT_EQ(getStaticBytes(dynamic, DimBounds{5}), 40);
  auto huge =
      mlir::RankedTensorType::get({1LL << 40, 1LL << 40}, b.getF32Type());
  EXPECT_EQ(getStaticBytes(huge), INT64_MAX);
}

TEST(OpCost, EnergyIsOperationsTimesThePriceOfOne) {
  mlir::MLIRContext context;
  context.loadDialect<PebbleDialect>();
  auto tier = TierAttr::get(&context, "a", TierKind::Explicit,
                            kUnboundedCapacity, 0, 0, 0, 0);
  auto hierarchy = HierarchyAttr::get(&context, tier, Inclusion::Exclusive, 5,
                                      0, "", TopologyAttr());
  OpCost cost;
  cost.flops = 7;
  EXPECT_EQ(getComputeEnergy(cost, hierarchy), 35);
  cost.given = 3;
  EXPECT_EQ(getComputeEnergy(cost, hierarchy), 3);
}

//===- PlacementTest.cpp - which tier a value lives in --------------------===//

#include "pebble/Dialect/Placement.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace pebble;

namespace {
class Placement : public testing::Test {
protected:
  Placement() {
    mlir::DialectRegistry registry;
    registerUpstream(registry);
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<PebbleDialect>();
    context.allowUnregisteredDialects();
  }
  mlir::MLIRContext context;
};
} // namespace

TEST_F(Placement, GoesOntoATypeAndOffAgain) {
  auto at = AtAttr::get(&context, "host");
  mlir::Type f32 = mlir::Float32Type::get(&context);
  mlir::Type plain = mlir::RankedTensorType::get({4}, f32);
  mlir::Type placed = withPlacement(plain, at);
  EXPECT_EQ(getPlacement(placed), at);
  EXPECT_FALSE(getPlacement(plain));
  EXPECT_EQ(withPlacement(placed, {}), plain);
  mlir::Type memref = withPlacement(mlir::MemRefType::get({4}, f32), at);
  EXPECT_EQ(getPlacement(memref), at);
  EXPECT_EQ(withPlacement(memref, {}), mlir::MemRefType::get({4}, f32));
  // Neither a taken encoding nor a scalar has room for one.
  auto taken = mlir::RankedTensorType::get(
      {4}, f32, mlir::StringAttr::get(&context, "taken"));
  EXPECT_FALSE(withPlacement(taken, at));
  EXPECT_FALSE(withPlacement(f32, at));
}

TEST_F(Placement, IsReadThroughWaitsAndIdentities) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
    func.func @f(%x: tensor<4xf32, "taken">, %p: tensor<4xf32, "taken"> {pebble.tier = "disk"}) -> tensor<4xf32, "taken"> {
      %c, %t = pebble.store %x {pebble.tier = "host"} : tensor<4xf32, "taken"> -> tensor<4xf32, "taken">
      %away = pebble.wait %t for %c : tensor<4xf32, "taken">
      %same = pebble.opaque %away : tensor<4xf32, "taken">
      return %same : tensor<4xf32, "taken">
    })mlir",
                                                        &context);
  ASSERT_TRUE(module);
  auto func = *module->getOps<mlir::func::FuncOp>().begin();
  EXPECT_EQ(getTierName(func.getArgument(0)), "");
  EXPECT_EQ(getTierName(func.getArgument(1)), "disk");
  mlir::Operation *end = func.getBody().front().getTerminator();
  EXPECT_EQ(getTierName(end->getOperand(0)), "host");
}

TEST_F(Placement, ATransferKnowsItsWaitAndBack) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
    func.func @f(%x: memref<4xf32>, %d: memref<4xf32, #pebble.at<"host">>) {
      %t = pebble.store %x into %d : memref<4xf32> -> memref<4xf32, #pebble.at<"host">>
      pebble.wait %t
      return
    })mlir",
                                                        &context);
  ASSERT_TRUE(module);
  module->walk([](StoreOp store) {
    WaitOp wait = getWait(store);
    ASSERT_TRUE(wait);
    EXPECT_EQ(getTransfer(wait.getToken()), store.getOperation());
  });
}

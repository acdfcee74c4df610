//===- FoldIdentityTest.cpp - the identity goes after bufferization -------===//

#include "pebble/Dialect/PebbleOps.h"
#include "pebble/InitAll.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <gtest/gtest.h>

namespace {
/// How many identities are left after folding.
int countAfterFolding(llvm::StringRef text) {
  mlir::DialectRegistry registry;
  pebble::registerUpstream(registry);
  pebble::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.allowUnregisteredDialects();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return -1;
  mlir::RewritePatternSet patterns(&context);
  pebble::populateFoldIdentityPatterns(patterns);
  if (failed(mlir::applyPatternsGreedily(*module, std::move(patterns))))
    return -1;
  int left = 0;
  module->walk([&](pebble::OpaqueOp) { ++left; });
  return left;
}
} // namespace

TEST(FoldIdentity, MemrefsAndScalarsFold) {
  EXPECT_EQ(countAfterFolding(R"mlir(
    func.func @f(%m: memref<8xf32>, %s: f32, %i: index) {
      %0 = pebble.opaque %m : memref<8xf32>
      %1 = pebble.opaque %s : f32
      %2 = pebble.opaque %i : index
      memref.store %1, %0[%2] : memref<8xf32>
      return
    })mlir"),
            0);
}

TEST(FoldIdentity, TensorsDoNot) {
  EXPECT_EQ(countAfterFolding(R"mlir(
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = pebble.opaque %x : tensor<8xf32>
      return %0 : tensor<8xf32>
    })mlir"),
            1);
}

TEST(FoldIdentity, ScalarsThatATensorOpUsesDoNot) {
  EXPECT_EQ(countAfterFolding(R"mlir(
    func.func @f(%s: f32) -> tensor<8xf32> {
      %0 = pebble.opaque %s : f32
      %1 = tensor.splat %0 : tensor<8xf32>
      return %1 : tensor<8xf32>
    })mlir"),
            1);
}

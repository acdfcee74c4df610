//===- OwnDialectTest.cpp - what a dialect of one's own says --------------===//
//
// The example of docs/Recipes.md.
//
//===----------------------------------------------------------------------===//

#include "pebble/InitAll.h"
#include "pebble/Target/OpCost.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

struct ExpandOp : Op<ExpandOp, OpTrait::OneOperand, OpTrait::OneResult> {
  using Op::Op;
  static StringRef getOperationName() { return "mine.expand"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
};

struct MineDialect : Dialect {
  explicit MineDialect(MLIRContext *context)
      : Dialect("mine", context, TypeID::get<MineDialect>()) {
    addOperations<ExpandOp>();
  }
  static StringRef getDialectNamespace() { return "mine"; }
};

/// It reads no memory and writes none: it may move, and run again.
struct ExpandEffects
    : MemoryEffectOpInterface::ExternalModel<ExpandEffects, ExpandOp> {
  void
  getEffects(Operation *,
             SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
                 &) const {}
};

/// Two operations for each element that it makes.
struct ExpandCost
    : pebble::CostOpInterface::ExternalModel<ExpandCost, ExpandOp> {
  pebble::OpCost getOpCost(Operation *op, pebble::OpCostModel &) const {
    auto from = cast<RankedTensorType>(op->getOperand(0).getType());
    auto to = cast<RankedTensorType>(op->getResult(0).getType());
    pebble::OpCost cost;
    cost.flops = 2 * to.getNumElements();
    cost.bytesRead = 4 * from.getNumElements();
    cost.bytesWritten = 4 * to.getNumElements();
    return cost;
  }
};

void registerMine(DialectRegistry &registry) {
  registry.insert<MineDialect>();
  registry.addExtension(+[](MLIRContext *context, MineDialect *) {
    ExpandOp::attachInterface<ExpandEffects, ExpandCost>(*context);
  });
}

} // namespace

TEST(OwnDialect, IsAskedByInterfaces) {
  DialectRegistry registry;
  pebble::registerUpstream(registry);
  pebble::registerAllDialects(registry);
  registerMine(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"mlir(
    func.func @f(%x: tensor<4xf32>) -> tensor<8x4xf32> {
      %y = "mine.expand"(%x) : (tensor<4xf32>) -> tensor<8x4xf32>
      return %y : tensor<8x4xf32>
    })mlir",
                                                             &context);
  ASSERT_TRUE(module);
  Operation *op = nullptr;
  module->walk([&](ExpandOp expand) { op = expand; });
  ASSERT_TRUE(op);
  EXPECT_TRUE(isMemoryEffectFree(op));
  pebble::OpCost cost = pebble::estimateOpCost(op);
  EXPECT_EQ(cost.flops, 64);
  EXPECT_EQ(cost.bytesRead, 16);
  EXPECT_EQ(cost.bytesWritten, 128);
  EXPECT_EQ(cost.doubt, "");
}

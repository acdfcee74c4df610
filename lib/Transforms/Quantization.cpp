//===- Quantization.cpp - quantised values as integers --------------------===//

#include "Quantization.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Quant/Transforms/Passes.h"

using namespace mlir;

static bool isQuant(Operation *op) {
  return isa_and_present<quant::QuantDialect>(op->getDialect());
}

static bool hasQuant(Operation *root) {
  return root
      ->walk([](Operation *op) {
        return isQuant(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A value that is taken for quantised, and then for the integer that it was.
static void foldCasts(ModuleOp module, RewriterBase &rewriter) {
  SmallVector<quant::StorageCastOp> casts;
  module.walk([&](quant::StorageCastOp cast) { casts.push_back(cast); });
  for (quant::StorageCastOp cast : casts) {
    auto before = cast.getInput().getDefiningOp<quant::StorageCastOp>();
    if (before && before.getInput().getType() == cast.getType())
      rewriter.replaceAllUsesWith(cast.getResult(), before.getInput());
  }
  for (quant::StorageCastOp cast : llvm::reverse(casts))
    if (cast->use_empty())
      rewriter.eraseOp(cast);
}

LogicalResult pebble::lowerQuantization(
    ModuleOp module, RewriterBase &rewriter,
    llvm::function_ref<LogicalResult(OpPassManager &, Operation *)> run) {
  if (!hasQuant(module))
    return success();
  OpPassManager compute(func::FuncOp::getOperationName());
  compute.addPass(quant::createLowerQuantOps());
  SmallVector<func::FuncOp> functions;
  module.walk([&](func::FuncOp function) { functions.push_back(function); });
  for (func::FuncOp function : functions)
    if (hasQuant(function) && failed(run(compute, function)))
      return failure();
  OpPassManager strip(ModuleOp::getOperationName());
  strip.addPass(quant::createStripFuncQuantTypes());
  if (failed(run(strip, module)))
    return failure();
  foldCasts(module, rewriter);
  return success();
}

//===- Shapes.cpp - computations on shapes as those on numbers ------------===//

#include "Shapes.h"

#include "mlir/Conversion/ShapeToStandard/ShapeToStandard.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Shape/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

static bool isOfShapes(Operation *op) {
  return isa_and_present<shape::ShapeDialect>(op->getDialect());
}

static bool hasShapes(Operation *root) {
  return root
      ->walk([](Operation *op) {
        return isOfShapes(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `witness` bears witness to nothing that is still to be checked.
static bool isSure(Value witness) {
  Operation *op = witness.getDefiningOp();
  if (auto constant = dyn_cast_if_present<shape::ConstWitnessOp>(op))
    return constant.getPassing();
  return isa_and_present<shape::AssumingAllOp>(op) &&
         llvm::all_of(op->getOperands(), isSure);
}

/// What is assumed has been asserted: puts what rests on it where it stands.
static void inlineAssumptions(Operation *root, RewriterBase &rewriter) {
  SmallVector<shape::AssumingOp> assuming;
  root->walk([&](shape::AssumingOp op) { assuming.push_back(op); });
  for (shape::AssumingOp op : assuming) {
    if (!isSure(op.getWitness()))
      continue;
    Block *body = op.getBody();
    Operation *yield = body->getTerminator();
    SmallVector<Value> results(yield->getOperands());
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(body, op, {});
    rewriter.replaceOp(op, results);
  }
  SmallVector<Operation *> witnesses;
  root->walk([&](Operation *op) {
    if (isa<shape::ConstWitnessOp, shape::AssumingAllOp>(op))
      witnesses.push_back(op);
  });
  for (Operation *op : llvm::reverse(witnesses))
    if (op->use_empty())
      rewriter.eraseOp(op);
}

/// The quotient, rounded down. A divisor of zero ends the program with a
/// message.
static void lowerDivision(shape::DivOp div, RewriterBase &rewriter) {
  Location loc = div.getLoc();
  if (!matchPattern(div.getRhs(), m_Constant()) && !div->use_empty()) {
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value divides = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ne, div.getRhs(), zero);
    cf::AssertOp::create(rewriter, loc, divides, "shape.div divides by zero");
  }
  rewriter.replaceOpWithNewOp<arith::FloorDivSIOp>(div, div.getLhs(),
                                                   div.getRhs());
}

/// Extents of shapes whose number is known. Upstream computes how many extents
/// a broadcast has, and makes a tensor of unknown size.
static void fixSizes(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<tensor::GenerateOp, tensor::DimOp, tensor::CastOp, tensor::RankOp,
            arith::MaxUIOp>(op))
      ops.push_back(op);
  });
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  tensor::GenerateOp::getCanonicalizationPatterns(patterns, context);
  tensor::CastOp::getCanonicalizationPatterns(patterns, context);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
}

/// What upstream does not lower, on extents that are numbers.
static void lowerRest(Operation *root, RewriterBase &rewriter) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<shape::DivOp, shape::ConcatOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    if (auto div = dyn_cast<shape::DivOp>(op);
        div && llvm::all_of(div->getOperandTypes(), llvm::IsaPred<IndexType>) &&
        isa<IndexType>(div.getType())) {
      lowerDivision(div, rewriter);
      continue;
    }
    auto concat = dyn_cast<shape::ConcatOp>(op);
    if (!concat || !isa<RankedTensorType>(concat.getType()) ||
        !llvm::all_of(concat->getOperandTypes(),
                      llvm::IsaPred<RankedTensorType>))
      continue;
    Value whole = tensor::ConcatOp::create(rewriter, concat.getLoc(),
                                           /*dim=*/0, concat->getOperands());
    if (whole.getType() != concat.getType())
      whole = tensor::CastOp::create(rewriter, concat.getLoc(),
                                     concat.getType(), whole);
    rewriter.replaceOp(concat, whole);
  }
}

LogicalResult pebble::lowerShapes(
    ModuleOp module, RewriterBase &rewriter,
    llvm::function_ref<LogicalResult(OpPassManager &, Operation *)> run) {
  if (!hasShapes(module))
    return success();
  // Before others: upstream folds a shape.concat to a constant of another type.
  lowerRest(module, rewriter);
  OpPassManager simplify(func::FuncOp::getOperationName());
  simplify.addPass(createShapeToShapeLoweringPass());
  simplify.addPass(createConvertShapeConstraintsPass());
  SmallVector<func::FuncOp> functions;
  module.walk([&](func::FuncOp function) {
    if (hasShapes(function))
      functions.push_back(function);
  });
  for (func::FuncOp function : functions) {
    if (failed(run(simplify, function)))
      return failure();
    inlineAssumptions(function, rewriter);
  }
  OpPassManager lower(ModuleOp::getOperationName());
  lower.addPass(createConvertShapeToStandardPass());
  if (failed(run(lower, module)))
    return failure();
  for (func::FuncOp function : functions)
    fixSizes(function);
  return success();
}

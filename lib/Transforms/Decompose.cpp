//===- Decompose.cpp - every operation gets a destination -----------------===//
//
// Some tensor operations have no destination, and would get a buffer that no
// schedule has seen when they are lowered. Here they become operations that
// have one. Looks at each operation once; a second run finds nothing to do.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "AsyncBodies.h"
#include "BufferLayouts.h"
#include "Dma.h"
#include "FreshBuffers.h"
#include "GatherScatter.h"
#include "Quantization.h"
#include "Relayouts.h"
#include "Shapes.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace pebble {
#define GEN_PASS_DEF_DECOMPOSEPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;

namespace {

struct DecomposePass : pebble::impl::DecomposePassBase<DecomposePass> {
  void runOnOperation() override;
  void getDependentDialects(DialectRegistry &registry) const override {
    DecomposePassBase::getDependentDialects(registry);
    // What quantised values of unknown sizes are computed with.
    registry.insert<shape::ShapeDialect>();
  }
};

/// The memref types that tensors will have, as far as their layout is not the
/// identity: slices, and what is written into them.
class Layouts {
public:
  /// Null if a layout cannot be told.
  MemRefType get(Value tensor);

private:
  MemRefType compute(Value tensor);
  DenseMap<Value, MemRefType> known;
};

} // namespace

static MemRefType identityLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? MemRefType::get(tensor.getShape(), tensor.getElementType())
                : MemRefType();
}

MemRefType Layouts::get(Value tensor) {
  auto it = known.find(tensor);
  if (it != known.end())
    return it->second;
  MemRefType type = compute(tensor);
  known[tensor] = type;
  return type;
}

MemRefType Layouts::compute(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op)) {
    MemRefType source = get(slice.getSource());
    return source ? memref::SubViewOp::inferRankReducedResultType(
                        slice.getType().getShape(), source,
                        slice.getMixedOffsets(), slice.getMixedSizes(),
                        slice.getMixedStrides())
                  : MemRefType();
  }
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op)) {
    MemRefType source = get(expand.getSrc());
    if (!source)
      return {};
    FailureOr<MemRefType> type = memref::ExpandShapeOp::computeExpandedType(
        source, expand.getResultType().getShape(),
        expand.getReassociationIndices());
    return failed(type) ? MemRefType() : *type;
  }
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op)) {
    MemRefType source = get(collapse.getSrc());
    return source && !source.getLayout().isIdentity()
               ? memref::CollapseShapeOp::computeCollapsedType(
                     source, collapse.getReassociationIndices())
               : identityLayout(tensor.getType());
  }
  if (auto cast = dyn_cast_or_null<tensor::CastOp>(op)) {
    MemRefType source = get(cast.getSource());
    return source && source.getLayout().isIdentity()
               ? identityLayout(tensor.getType())
               : MemRefType();
  }
  // What is written in place has the layout of what it overwrites.
  if (auto styled = dyn_cast_or_null<DestinationStyleOpInterface>(op))
    if (OpOperand *init = styled.getTiedOpOperand(cast<OpResult>(tensor)))
      return get(init->get());
  if (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(op))
    return get(insert.getDest());
  return identityLayout(tensor.getType());
}

/// A copy of `source` that is contiguous.
static Value copyOf(Value source, RewriterBase &rewriter, Location loc) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, source);
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, sizes, type.getElementType(), type.getEncoding());
  return linalg::CopyOp::create(rewriter, loc, source, empty).getResult(0);
}

/// Whether a view that reorders dimensions would need a copy of its source.
static bool needsContiguousSource(Operation *op, Layouts &layouts) {
  MemRefType source = layouts.get(op->getOperand(0));
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return !source || !memref::CollapseShapeOp::isGuaranteedCollapsible(
                          source, collapse.getReassociationIndices());
  if (isa<tensor::ReshapeOp>(op))
    return !source || !source.getLayout().isIdentity();
  return false;
}

/// What is cast to a tensor of no rank and back has the layout that it had. A
/// buffer of no rank does not say it.
static void castAtOnce(ModuleOp module) {
  module.walk([](tensor::CastOp cast) {
    auto from = cast.getSource().getDefiningOp<tensor::CastOp>();
    while (from && !isa<RankedTensorType>(from.getType()) &&
           tensor::CastOp::areCastCompatible(from.getSource().getType(),
                                             cast.getType())) {
      cast.getSourceMutable().assign(from.getSource());
      from = cast.getSource().getDefiningOp<tensor::CastOp>();
    }
  });
}

/// Fails with an error.
static LogicalResult makeSourceContiguous(Operation *view,
                                          RewriterBase &rewriter,
                                          Layouts &layouts) {
  // A cast is a tensor of the same elements.
  OpOperand &source = view->getOpOperand(0);
  while (auto cast = source.get().getDefiningOp<tensor::CastOp>()) {
    if (isa<RankedTensorType>(source.get().getType()))
      break;
    rewriter.modifyOpInPlace(view, [&] { source.set(cast.getSource()); });
  }
  if (!needsContiguousSource(view, layouts))
    return success();
  if (!isa<RankedTensorType>(source.get().getType()))
    return view->emitError("cannot reshape a tensor whose rank is not known");
  Value copy = copyOf(source.get(), rewriter, view->getLoc());
  rewriter.modifyOpInPlace(view, [&] { source.set(copy); });
  return success();
}

/// Upstream writes these as operations that have destinations.
static LogicalResult decomposeAsUpstream(Operation *op, IRRewriter &rewriter) {
  auto replace = [&](auto decomposable) -> LogicalResult {
    FailureOr<SmallVector<Value>> results =
        decomposable.decomposeOperation(rewriter);
    if (succeeded(results))
      rewriter.replaceOp(op, *results);
    return success(succeeded(results));
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tensor::PadOp, tensor::GenerateOp, tensor::FromElementsOp>(
          [&](auto o) {
            return linalg::rewriteInDestinationPassingStyle(rewriter, o);
          })
      .Case<tensor::ConcatOp, linalg::SoftmaxOp>(replace)
      .Case([&](linalg::WinogradFilterTransformOp o) {
        return linalg::decomposeWinogradFilterTransformOp(rewriter, o);
      })
      .Case([&](linalg::WinogradInputTransformOp o) {
        return linalg::decomposeWinogradInputTransformOp(rewriter, o);
      })
      .Case([&](linalg::WinogradOutputTransformOp o) {
        return linalg::decomposeWinogradOutputTransformOp(rewriter, o);
      })
      .Default(failure());
}

/// A tensor with any content. What has sizes that the type does not say stays.
static void lowerPoison(ub::PoisonOp poison, RewriterBase &rewriter) {
  auto type = dyn_cast<RankedTensorType>(poison.getType());
  if (type && type.hasStaticShape())
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(
        poison, type.getShape(), type.getElementType(), type.getEncoding());
}

/// What is loaded from a global that nobody may write is a constant. A tensor
/// stays a buffer where the program loads it as one.
static void lowerConstantLoad(Operation *load, SymbolRefAttr symbol,
                              RewriterBase &rewriter) {
  auto global =
      SymbolTable::lookupNearestSymbolFrom<ml_program::GlobalOp>(load, symbol);
  Type type = load->getResult(0).getType();
  auto value = global && !global.getIsMutable()
                   ? dyn_cast_if_present<TypedAttr>(global.getValueAttr())
                   : TypedAttr();
  if (value && value.getType() == type &&
      (isa<ml_program::GlobalLoadConstOp>(load) || !isa<ShapedType>(type)) &&
      arith::ConstantOp::isBuildableWith(value, type))
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(load, value);
}

/// A global number becomes a tensor of one element.
static void boxGlobal(ml_program::GlobalOp global, ModuleOp module,
                      RewriterBase &rewriter) {
  auto number = dyn_cast_if_present<TypedAttr>(global.getValueAttr());
  auto uses = SymbolTable::getSymbolUses(global, module);
  if (!number || number.getType() != global.getType() ||
      !isa<IntegerAttr, FloatAttr>(number) || !uses ||
      llvm::any_of(*uses, [](const SymbolTable::SymbolUse &use) {
        return !isa<ml_program::GlobalLoadOp, ml_program::GlobalStoreOp>(
            use.getUser());
      }))
    return;
  auto type = RankedTensorType::get({}, number.getType());
  rewriter.modifyOpInPlace(global, [&] {
    global.setType(type);
    global.setValueAttr(DenseElementsAttr::get(type, Attribute(number)));
  });
  for (const SymbolTable::SymbolUse &use : *uses) {
    Operation *user = use.getUser();
    Location loc = user->getLoc();
    rewriter.setInsertionPoint(user);
    if (auto load = dyn_cast<ml_program::GlobalLoadOp>(user)) {
      Value boxed = ml_program::GlobalLoadOp::create(rewriter, loc, type,
                                                     load.getGlobalAttr());
      rewriter.replaceOpWithNewOp<tensor::ExtractOp>(load, boxed, ValueRange());
      continue;
    }
    auto store = cast<ml_program::GlobalStoreOp>(user);
    Value boxed = tensor::FromElementsOp::create(rewriter, loc, type,
                                                 ValueRange(store.getValue()));
    rewriter.modifyOpInPlace(store,
                             [&] { store.getValueMutable().assign(boxed); });
  }
}

static void lowerGlobals(ModuleOp module, RewriterBase &rewriter) {
  SmallVector<ml_program::GlobalOp> globals;
  module.walk([&](Operation *op) {
    rewriter.setInsertionPoint(op);
    if (auto load = dyn_cast<ml_program::GlobalLoadOp>(op))
      lowerConstantLoad(load, load.getGlobalAttr(), rewriter);
    else if (auto load = dyn_cast<ml_program::GlobalLoadConstOp>(op))
      lowerConstantLoad(load, load.getGlobalAttr(), rewriter);
    else if (auto global = dyn_cast<ml_program::GlobalOp>(op))
      globals.push_back(global);
  });
  for (ml_program::GlobalOp global : globals)
    boxGlobal(global, module, rewriter);
}

/// Fails with an error.
static LogicalResult decompose(Operation *op, IRRewriter &rewriter,
                               Layouts &layouts) {
  rewriter.setInsertionPoint(op);
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tensor::GatherOp gather) {
        tensor::GenerateOp generate = pebble::lowerGather(gather, rewriter);
        rewriter.setInsertionPoint(generate);
        return decomposeAsUpstream(generate, rewriter);
      })
      .Case([&](tensor::ScatterOp scatter) {
        pebble::lowerScatter(scatter, rewriter);
        return success();
      })
      .Case([&](linalg::PackOp pack) {
        pebble::lowerPack(pack, rewriter);
        return success();
      })
      .Case([&](linalg::UnPackOp unpack) {
        pebble::lowerUnpack(unpack, rewriter);
        return success();
      })
      .Case([&](memref::ReallocOp realloc) {
        pebble::lowerRealloc(realloc, rewriter);
        return success();
      })
      .Case([&](bufferization::DeallocOp dealloc) {
        pebble::lowerDealloc(dealloc, rewriter);
        return success();
      })
      .Case([&](bufferization::CloneOp clone) {
        return pebble::lowerClone(clone, rewriter);
      })
      .Case([&](ub::PoisonOp poison) {
        lowerPoison(poison, rewriter);
        return success();
      })
      .Case<tensor::CollapseShapeOp, tensor::ReshapeOp>([&](Operation *view) {
        return makeSourceContiguous(view, rewriter, layouts);
      })
      .Default([&](Operation *other) -> LogicalResult {
        if (succeeded(decomposeAsUpstream(other, rewriter)))
          return success();
        return other->emitError("cannot give this operation a destination");
      });
}

/// A write under a `vector.mask` becomes one that has the mask as an operand.
/// Nothing else may stand in such a region, not even a copy of what is written.
static void takeMasks(ModuleOp module) {
  SmallVector<Operation *> masks;
  module.walk([&](vector::MaskOp op) { masks.push_back(op); });
  RewritePatternSet patterns(module.getContext());
  vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps)
      .enableFolding(false);
  if (!masks.empty())
    (void)applyOpPatternsGreedily(masks, std::move(patterns), config);
  // Upstream folds a write of what was read to what it was read from, whatever
  // the masks hide.
  module.walk([](vector::TransferWriteOp write) {
    Value vector = write.getValueToStore();
    if (!write.getMask() || !isa<TensorType>(write.getBase().getType()) ||
        !vector.getDefiningOp<vector::TransferReadOp>())
      return;
    OpBuilder builder(write);
    write.getValueToStoreMutable().assign(
        pebble::OpaqueOp::create(builder, write.getLoc(), vector));
  });
}

/// Loops and branches of affine that yield tensors as those of scf: upstream
/// gives tensors of the former no buffers. The bounds of a loop of scf are no
/// affine dimensions, so nothing else of affine may stay beside them.
static LogicalResult lowerAffineOnTensors(
    ModuleOp module,
    llvm::function_ref<LogicalResult(OpPassManager &, Operation *)> run) {
  auto yieldsTensor = [](Operation *op) {
    return isa<affine::AffineForOp, affine::AffineIfOp>(op) &&
                   llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  SmallVector<func::FuncOp> functions;
  module.walk([&](func::FuncOp function) {
    if (function->walk(yieldsTensor).wasInterrupted())
      functions.push_back(function);
  });
  OpPassManager lower(func::FuncOp::getOperationName());
  lower.addPass(createLowerAffinePass());
  for (func::FuncOp function : functions)
    if (failed(run(lower, function)))
      return failure();
  return success();
}

void DecomposePass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  takeMasks(getOperation());
  // Inlined it would cut the block around it in two, and with it transfers that
  // are waited for behind it.
  getOperation()->walk([](scf::ExecuteRegionOp op) {
    if (!op.getRegion().hasOneBlock())
      op.setNoInline(true);
  });
  pebble::runAsyncBodiesAtOnce(getOperation(), rewriter);
  pebble::makeTransfersAtOnce(getOperation(), rewriter);
  auto run = [&](OpPassManager &pipeline, Operation *op) {
    return runPipeline(pipeline, op);
  };
  if (failed(pebble::lowerLayouts(getOperation(), rewriter, run)) ||
      failed(pebble::lowerShapes(getOperation(), rewriter, run)) ||
      failed(pebble::lowerQuantization(getOperation(), rewriter, run)) ||
      failed(lowerAffineOnTensors(getOperation(), run)))
    return signalPassFailure();
  lowerGlobals(getOperation(), rewriter);
  castAtOnce(getOperation());
  SmallVector<Operation *> ops;
  getOperation()->walk([&](Operation *op) {
    if (isa<tensor::PadOp, tensor::GenerateOp, tensor::FromElementsOp,
            tensor::ConcatOp, tensor::CollapseShapeOp, tensor::ReshapeOp,
            tensor::GatherOp, tensor::ScatterOp, linalg::SoftmaxOp,
            linalg::PackOp, linalg::UnPackOp, linalg::WinogradFilterTransformOp,
            linalg::WinogradInputTransformOp, linalg::WinogradOutputTransformOp,
            memref::ReallocOp, bufferization::CloneOp, bufferization::DeallocOp,
            ub::PoisonOp>(op))
      ops.push_back(op);
  });
  Layouts layouts;
  for (Operation *op : ops)
    if (failed(decompose(op, rewriter, layouts)))
      return signalPassFailure();
}

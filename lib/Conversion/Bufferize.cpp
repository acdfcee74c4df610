//===- Bufferize.cpp - tensors to memrefs, as the program says ------------===//
//
// All storage decisions were made and written down before; this pass only
// carries them out, and proves that nothing was added. It runs no conflict
// analysis: that one is quadratic on slice chains, and has nothing to decide.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "CannotRun.h"
#include "Ownership.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace pebble {
#define GEN_PASS_DEF_BUFFERIZEPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;

namespace {

/// An allocation's location while its tensor becomes a buffer: nothing else of
/// it is handed to what allocates. Holds the attribute that it has to keep.
class KeptOffset {
public:
  static void hide(Operation *op) {
    auto offset = op->getAttrOfType<IntegerAttr>(pebble::attr::kOffset);
    if (offset)
      op->setLoc(FusedLoc::get(op->getContext(), {op->getLoc()}, offset));
  }
  /// The location as it was, and the attribute where a buffer is allocated.
  static void restore(Operation *op) {
    auto fused = dyn_cast<FusedLoc>(op->getLoc());
    auto offset = fused ? dyn_cast_or_null<IntegerAttr>(fused.getMetadata())
                        : IntegerAttr();
    if (!offset || fused.getLocations().size() != 1)
      return;
    op->setLoc(fused.getLocations().front());
    if (isa<memref::AllocOp>(op))
      op->setAttr(pebble::attr::kOffset, offset);
  }
};

/// What of an op with regions was a tensor, and so may be copied where it
/// cannot be handed over, kept in its location as well: the op is made anew.
class KeptValues {
public:
  static void hide(RegionBranchOpInterface op) {
    SmallVector<int64_t> values;
    for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
      if (isa<TensorType>(type))
        values.push_back(static_cast<int64_t>(i));
    for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
      if (isa<TensorType>(type))
        values.push_back(static_cast<int64_t>(op->getNumResults() + i));
    if (!values.empty())
      op->setLoc(
          FusedLoc::get(op->getContext(), {op->getLoc()},
                        DenseI64ArrayAttr::get(op->getContext(), values)));
  }
  static void restore(Operation *op) {
    auto fused = dyn_cast<FusedLoc>(op->getLoc());
    auto values = fused
                      ? dyn_cast_or_null<DenseI64ArrayAttr>(fused.getMetadata())
                      : DenseI64ArrayAttr();
    if (!values || fused.getLocations().size() != 1)
      return;
    op->setLoc(fused.getLocations().front());
    if (isa<RegionBranchOpInterface>(op))
      op->setAttr(pebble::kByValueAttr, values);
  }
  /// Results of functions: those are changed in place.
  static void mark(func::FuncOp func) {
    SmallVector<int64_t> values;
    for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
      if (isa<TensorType>(type))
        values.push_back(static_cast<int64_t>(i));
    if (!values.empty())
      func->setAttr(pebble::kByValueAttr,
                    DenseI64ArrayAttr::get(func.getContext(), values));
  }
};

/// How many allocations and copies stand at each place of the source.
struct Census {
  DenseMap<Location, int64_t> allocations;
  DenseMap<Location, int64_t> copies;
};

struct BufferizePass : pebble::impl::BufferizePassBase<BufferizePass> {
  void runOnOperation() override;
};

} // namespace

static bool isTensor(Type type) { return isa<TensorType>(type); }

/// What is loaded from a global that may change is a value of its own; as a
/// buffer it would be the global.
static void copyLoadedGlobals(ModuleOp module) {
  module.walk([](ml_program::GlobalLoadOp op) {
    if (!isTensor(op.getType()))
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    auto copy = bufferization::AllocTensorOp::create(
        builder, op.getLoc(), cast<RankedTensorType>(op.getType()),
        ValueRange(), op.getResult());
    op.getResult().replaceAllUsesExcept(copy.getResult(), copy);
  });
}

/// Upstream converts what a branch hands to a block once for each block, so an
/// op that names one twice gets a block of its own on each further way there.
static void splitRepeatedEdges(ModuleOp module) {
  SmallVector<BranchOpInterface> branches;
  module.walk([&](BranchOpInterface op) { branches.push_back(op); });
  for (BranchOpInterface op : branches) {
    llvm::SmallPtrSet<Block *, 4> seen;
    for (unsigned i = 0, e = op->getNumSuccessors(); i != e; ++i) {
      Block *target = op->getSuccessor(i);
      if (seen.insert(target).second ||
          llvm::none_of(target->getArgumentTypes(), isTensor))
        continue;
      SuccessorOperands operands = op.getSuccessorOperands(i);
      if (operands.getProducedOperandCount())
        continue;
      OpBuilder builder(op->getContext());
      Block *between = builder.createBlock(target);
      cf::BranchOp::create(builder, op.getLoc(), target,
                           SmallVector<Value>(operands.getForwardedOperands()));
      operands.getMutableForwardedOperands().clear();
      op->setSuccessor(between, i);
    }
  }
}

/// Upstream takes a region that is executed in place with one yield alone;
/// others become jumps to a block that has it.
static LogicalResult uniteYields(ModuleOp module) {
  SmallVector<scf::ExecuteRegionOp> ops;
  module.walk([&](scf::ExecuteRegionOp op) {
    if (llvm::any_of(op.getResultTypes(), isTensor))
      ops.push_back(op);
  });
  for (scf::ExecuteRegionOp op : ops) {
    SmallVector<scf::YieldOp> yields(op.getRegion().getOps<scf::YieldOp>());
    if (yields.empty())
      return op->emitError("a region that never ends has no results to put "
                           "into buffers");
    if (yields.size() == 1)
      continue;
    OpBuilder builder(op->getContext());
    SmallVector<Location> locs(op->getNumResults(), op.getLoc());
    Block *end = builder.createBlock(&op.getRegion(), op.getRegion().end(),
                                     op.getResultTypes(), locs);
    scf::YieldOp::create(builder, op.getLoc(), end->getArguments());
    for (scf::YieldOp yield : yields) {
      builder.setInsertionPoint(yield);
      cf::BranchOp::create(builder, yield.getLoc(), end, yield.getOperands());
      yield->erase();
    }
  }
  return success();
}

/// Counts what the program asks for, before (tensors) and after (memrefs).
static Census count(ModuleOp module) {
  Census census;
  module.walk([&](Operation *op) {
    if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op)) {
      ++census.allocations[op->getLoc()];
      if (alloc.getCopy())
        ++census.copies[op->getLoc()];
    } else if (isa<tensor::EmptyOp, memref::AllocOp, memref::AllocaOp>(op)) {
      ++census.allocations[op->getLoc()];
    } else if (isa<pebble::StoreOp, pebble::LoadOp>(op) &&
               op->getNumOperands() == 1) {
      ++census.allocations[op->getLoc()]; // the storage of the copy
    } else if (isa<tensor::InsertSliceOp, tensor::ParallelInsertSliceOp,
                   bufferization::MaterializeInDestinationOp, memref::CopyOp,
                   pebble::SaveOp, pebble::RestoreOp,
                   ml_program::GlobalStoreOp>(op)) {
      ++census.copies[op->getLoc()];
    }
  });
  return census;
}

/// The argument's donation under the one name that survives bufferization, and
/// that alone.
static void normalizeDonations(func::FuncOp func) {
  for (unsigned i = 0, e = func.getNumArguments(); i != e; ++i) {
    if (!isTensor(func.getArgumentTypes()[i]))
      continue;
    bool donated = pebble::isDonatedArgument(func, i);
    for (StringRef name :
         {pebble::attr::kWritable, pebble::attr::kAliasingOutput,
          pebble::attr::kBufferDonor})
      func.removeArgAttr(i, name);
    if (donated)
      func.setArgAttr(i, pebble::attr::kDonated,
                      UnitAttr::get(func.getContext()));
  }
}

/// A function without a body is its signature, which upstream does not convert.
static void bufferizeDeclaration(func::FuncOp func) {
  auto convert = [](Type type) -> Type {
    auto tensor = dyn_cast<TensorType>(type);
    if (!tensor)
      return type;
    return bufferization::getMemRefTypeWithStaticIdentityLayout(
        tensor, pebble::getPlacement(type));
  };
  auto type = FunctionType::get(
      func.getContext(), llvm::map_to_vector(func.getArgumentTypes(), convert),
      llvm::map_to_vector(func.getResultTypes(), convert));
  func.setType(type);
}

/// Emits an error at the first op that is one more than the source had at its
/// place.
static LogicalResult checkNothingAdded(ModuleOp module, Census allowed) {
  WalkResult result = module.walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp>(op) &&
        --allowed.allocations[op->getLoc()] < 0) {
      op->emitError("lowering this operation to buffers needs an allocation "
                    "that the program does not show");
      return WalkResult::interrupt();
    }
    if (isa<memref::CopyOp>(op) && --allowed.copies[op->getLoc()] < 0) {
      op->emitError("lowering this operation to buffers needs a copy that the "
                    "program does not show");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static bool hasTensors(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        if (llvm::any_of(op->getOperandTypes(), isTensor) ||
            llvm::any_of(op->getResultTypes(), isTensor))
          return WalkResult::interrupt();
        // One that nobody uses any more is lowered all the same.
        if (auto global = dyn_cast<ml_program::GlobalOp>(op);
            global && isTensor(global.getType()))
          return WalkResult::interrupt();
        if (auto func = dyn_cast<FunctionOpInterface>(op))
          if (llvm::any_of(func.getArgumentTypes(), isTensor) ||
              llvm::any_of(func.getResultTypes(), isTensor))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// What was said to a planner has been heeded, or never will be; a buffer's op
/// has no result that it could be about.
static void eraseWishes(ModuleOp module) {
  module.walk([](Operation *op) {
    for (StringRef name : {pebble::attr::kKeep, pebble::attr::kRecompute,
                           pebble::attr::kOffload})
      op->removeDiscardableAttr(name);
    if (op->getNumResults() &&
        isa_and_present<ArrayAttr>(op->getDiscardableAttr(pebble::attr::kName)))
      op->removeDiscardableAttr(pebble::attr::kName);
  });
}

/// Programs of StableHLO are planned here and run elsewhere: says by whom.
static LogicalResult checkIsNotStableHLO(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (!pebble::hlo::isOfTable(op))
      return WalkResult::advance();
    InFlightDiagnostic error = op->emitError("XLA runs operations of '");
    error << op->getName().getDialectNamespace() << "', and no tool of Pebble";
    error.attachNote()
        << "--pebble-group-steps, --pebble-schedule and --pebble-to-stablehlo "
           "plan it for XLA";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Upstream takes every global of `ml_program` for a tensor with a content.
static LogicalResult checkGlobals(ModuleOp module) {
  return failure(module
                     .walk([](ml_program::GlobalOp global) {
                       auto type = dyn_cast<RankedTensorType>(global.getType());
                       if (type && type.hasStaticShape() &&
                           isa_and_present<ElementsAttr>(global.getValueAttr()))
                         return WalkResult::advance();
                       global.emitError(
                           "the content of this global is neither a number nor "
                           "a tensor of numbers, or another module gives it: "
                           "it can be analysed but not run");
                       return WalkResult::interrupt();
                     })
                     .wasInterrupted());
}

void BufferizePass::runOnOperation() {
  ModuleOp module = getOperation();
  if (failed(checkIsNotStableHLO(module)) || failed(checkGlobals(module)))
    return signalPassFailure();
  eraseWishes(module);
  if (!hasTensors(module))
    return;
  module.walk([](func::FuncOp func) {
    normalizeDonations(func);
    KeptValues::mark(func);
  });
  copyLoadedGlobals(module);
  if (failed(uniteYields(module)))
    return signalPassFailure();
  splitRepeatedEdges(module);
  module.walk([](bufferization::AllocTensorOp op) { KeptOffset::hide(op); });
  module.walk([](RegionBranchOpInterface op) { KeptValues::hide(op); });
  Census allowed = count(module);
  module.walk([](func::FuncOp func) {
    if (func.isExternal())
      bufferizeDeclaration(func);
  });

  bufferization::BufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.setFunctionBoundaryTypeConversion(
      bufferization::LayoutMapOption::IdentityLayoutMap);
  options.unknownTypeConverterFn =
      [](TensorType type, Attribute memorySpace,
         const bufferization::BufferizationOptions &) {
        return bufferization::getMemRefTypeWithStaticIdentityLayout(
            type, memorySpace);
      };
  // A value without a placement lives in the compute tier, which is memory
  // space 0; a placed one takes its encoding with it.
  options.defaultMemorySpaceFn =
      [](TensorType type) -> std::optional<Attribute> {
    if (auto at = pebble::getPlacement(type))
      return at;
    return Attribute();
  };
  options.bufferAlignment = 0;
  pebble::CannotRunNotes notes(&getContext());
  bufferization::BufferizationState state;
  if (failed(bufferization::bufferizeOp(module, options, state)))
    return signalPassFailure();
  bufferization::removeBufferizationAttributesInModule(module);
  if (failed(checkNothingAdded(module, std::move(allowed))))
    return signalPassFailure();
  module.walk([](Operation *op) { KeptOffset::restore(op); });
  module.walk([](Operation *op) { KeptValues::restore(op); });
}

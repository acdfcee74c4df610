//===- ReuseOperands.cpp - the pass pebble-reuse-operands ------------------===//
//
// An elementwise operation need not stand beside its operand: where nobody else
// reads the operand, the result can take its buffer. That is a decision about
// storage and not about order, so it is made, like all of them, before anything
// is planned, and by a rule that costs a planner nothing: see mayReuse().
//
//===----------------------------------------------------------------------===//

#include "pebble/Analysis/BufferTables.h"
#include "pebble/Transforms/Passes.h"

#include "BindExtent.h"
#include "Refusals.h"
#include "ReuseOperands.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/Remarks.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/Equivalence.h"
#include "pebble/Planning/PlanAddresses.h"
#include "pebble/Transforms/MaterializeStorage.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"

namespace pebble {
#define GEN_PASS_DEF_REUSEOPERANDSPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

/// What the user said of a value is said of its storage; it is left alone.
static bool hasWish(Operation *op) {
  return op->hasAttr(attr::kKeep) || op->hasAttr(attr::kRecompute) ||
         op->hasAttr(attr::kOffload);
}

/// True if the op computes each element of its one result from the elements at
/// the same place, into a destination whose content it does not read.
static bool isElementwise(linalg::LinalgOp op) {
  if (op->getNumResults() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() || hasWish(op))
    return false;
  OpOperand *init = op.getDpsInitOperand(0);
  return isa<RankedTensorType>(init->get().getType()) &&
         op.getMatchingIndexingMap(init).isIdentity() &&
         !op.payloadUsesValueFromOperand(init);
}

namespace {
/// Visits one block and then what is nested in it.
class Reuse {
public:
  explicit Reuse(ProgramContext &context) : context(context) {}

  LogicalResult visitBlock(Block &block, std::optional<Refusal> &refusal) {
    StorageAnalysis storage(block, context);
    if (failed(storage.verify()))
      return failure();
    EquivalenceChecker checker(storage);
    for (auto [index, step] : llvm::enumerate(storage.getSteps()))
      if (auto op = dyn_cast<linalg::LinalgOp>(step.op))
        visitStep(op, index, storage);
    if (failed(runOrRefuse(block.getParentOp()->getContext(), refusal,
                           [&] { return checker.verify(); })))
      return failure();
    for (const Step &step : storage.getSteps())
      if (step.op->isRegistered() && !isa<linalg::LinalgOp>(step.op))
        for (Region &region : step.op->getRegions())
          for (Block &nested : region)
            if (failed(visitBlock(nested, refusal)))
              return failure();
    return success();
  }

  unsigned getCount() const { return reused; }
  void setCount(unsigned count) { reused = count; }

private:
  void visitStep(linalg::LinalgOp op, unsigned index,
                 const StorageAnalysis &storage) {
    if (!isElementwise(op) ||
        storage.getDestination(op->getResult(0)).overwrites)
      return;
    OpOperand *init = op.getDpsInitOperand(0);
    for (OpOperand *input : op.getDpsInputOperands())
      if (mayReuse(op, *input, index, storage)) {
        Operation *old = init->get().getDefiningOp();
        init->set(input->get());
        if (isa_and_present<bufferization::AllocTensorOp>(old) &&
            old->use_empty())
          old->erase();
        ++reused;
        return;
      }
  }

  /// The operand has the type and the map of the result, nobody else reads it,
  /// and it is either a donated argument or was made by the step right before.
  /// To keep it and make the result again is then never better than to keep the
  /// result, which takes as many bytes; and as nothing stands between the two
  /// steps, a planner that draws them together into one loses no order.
  static bool mayReuse(linalg::LinalgOp op, OpOperand &input, unsigned index,
                       const StorageAnalysis &storage) {
    Value value = input.get();
    if (value.getType() != op->getResult(0).getType() || !value.hasOneUse() ||
        !op.getMatchingIndexingMap(&input).isIdentity())
      return false;
    // A buffer that others get to see stays the one that it is.
    for (StorageId id : storage.lookup(op->getResult(0)))
      if (storage.getStorage(id).isMemory && storage.getStorage(id).outlives)
        return false;
    ArrayRef<StorageId> ids = storage.lookup(value);
    if (ids.size() != 1)
      return false;
    StorageKind kind = storage.getStorage(ids[0]).kind;
    if (isa<BlockArgument>(value))
      return kind == StorageKind::Donated;
    // A view of something, or what stands farther away, is left alone.
    Operation *maker = value.getDefiningOp();
    return kind == StorageKind::Local && index > 0 &&
           storage.getSteps()[index - 1].op == maker && !hasWish(maker) &&
           !StorageAnalysis::getViewSource(maker);
  }

  ProgramContext &context;
  /// Results that take the buffer of an operand.
  unsigned reused = 0;
};

struct ReuseOperandsPass
    : pebble::impl::ReuseOperandsPassBase<ReuseOperandsPass> {
  void runOnOperation() override {
    AnalysisOptions options = AnalysisOptions::getDefault();
    eraseAllAddresses(getOperation());
    OpPassManager decompose(getOperation()->getName());
    decompose.addPass(createDecomposePass());
    if (failed(runPipeline(decompose, getOperation())) ||
        failed(materializeStorage(getOperation(), options)))
      return signalPassFailure();
    ProgramContext context(options);
    FailureOr<unsigned> reused = reuseOperands(getOperation(), context);
    if (failed(reused))
      return signalPassFailure();
    if (*reused == 0)
      remarkOnNothing(getOperation(), getArgument(),
                      "there is no elementwise operation right behind the one "
                      "that makes its operand, or of a donated argument, where "
                      "nobody else reads the operand");
  }
};
} // namespace

FailureOr<unsigned> pebble::reuseOperands(ModuleOp module,
                                          ProgramContext &context) {
  Reuse reuse(context);
  llvm::SetVector<Operation *> functions = getCalleesFirst(module);
  leaveBufferTables(functions, "pebble-reuse-operands");
  for (Operation *op : functions) {
    auto function = cast<FunctionOpInterface>(op);
    OwningOpRef<Operation *> original = function->clone();
    std::optional<Refusal> refusal;
    const unsigned before = reuse.getCount();
    bool isProven = llvm::all_of(function.getFunctionBody(), [&](Block &block) {
      return succeeded(reuse.visitBlock(block, refusal));
    });
    if (isProven)
      continue;
    if (!refusal)
      return failure();
    putBack(function, *original);
    reuse.setCount(before);
    remarkOnRefusal(function, *refusal, "pebble-reuse-operands",
                    "stays as it is");
  }
  return reuse.getCount();
}

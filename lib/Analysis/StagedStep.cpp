//===- StagedStep.cpp - a training step that is cut into stages -----------===//

#include "pebble/Analysis/StagedStep.h"

#include "pebble/Analysis/RunAgain.h"
#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace pebble {

SmallVector<Value> getAllOperands(Operation *op) {
  SmallVector<Value> operands(op->getOperands());
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  operands.append(captured.begin(), captured.end());
  return operands;
}

/// The stage that `pair` asks to be; none: it is no stage.
static std::optional<int64_t> getStage(CallPair &pair) {
  auto stage = pair.forward->getAttrOfType<IntegerAttr>(attr::kStage);
  if (!stage) {
    Operation *callee = SymbolTable::lookupNearestSymbolFrom(
        pair.forward, pair.forward.getCalleeAttr());
    stage = callee->getAttrOfType<IntegerAttr>(attr::kStage);
  }
  if (!stage)
    return std::nullopt;
  return stage.getInt();
}

FailureOr<StagedStep> StagedStep::find(ModuleOp module, AdjointCalls &calls,
                                       ProgramContext &context) {
  StagedStep step;
  CallRoot *found = nullptr;
  for (CallRoot &root : calls.roots) {
    if (llvm::none_of(root.pairs, [](CallPair &pair) {
          return getStage(pair).has_value();
        }))
      continue;
    if (found)
      return root.function.emitError("a second block with stages; the first "
                                     "is in '@")
             << found->function.getName() << "'";
    found = &root;
  }
  for (LooseCall &loose : calls.loose)
    if (loose.call->hasAttr(attr::kStage))
      return loose.call.emitError("a stage needs the call of its adjoint: ")
             << loose.reason;
  if (!found)
    return emitError(
        module.getLoc(),
        "no call has a 'pebble.stage', or none of them has its adjoint");
  step.function = found->function;
  if (!step.function.getBody().hasOneBlock() ||
      found->block != &step.function.getBody().front())
    return step.function.emitError(
        "stages stand in the one block of a function");
  step.stages.resize(found->pairs.size());
  step.numResults.resize(found->pairs.size());
  for (CallPair &pair : found->pairs) {
    const std::optional<int64_t> stage = getStage(pair);
    if (!stage)
      return pair.forward.emitError("this call has an adjoint, and is no "
                                    "'pebble.stage' as others are");
    if (*stage >= static_cast<int64_t>(step.stages.size()))
      return pair.forward.emitError("stage ")
             << *stage << " of " << step.stages.size()
             << ": stages are numbered from 0 without a gap";
    if (step.stages[*stage].forward)
      return pair.forward.emitError("a second call is stage ") << *stage;
    if (!pair.snapshots.empty())
      return pair.forward.emitError("somebody overwrites what this stage is "
                                    "given before its adjoint has run");
    Operation *callee = SymbolTable::lookupNearestSymbolFrom(
        pair.forward, pair.forward.getCalleeAttr());
    step.numResults[*stage] = calls.halves.find(callee)->second.numResults;
    step.stages[*stage] = pair;
  }
  if (failed(step.placeOps(context)) || failed(step.checkInterface()) ||
      failed(step.checkStacksAndSums()))
    return failure();
  return step;
}

LogicalResult StagedStep::placeOps(ProgramContext &context) {
  for (auto [index, pair] : llvm::enumerate(stages)) {
    tasks[pair.forward] = {unsigned(index), false};
    tasks[pair.backward] = {unsigned(index), true};
    for (func::CallOp call : {pair.forward, pair.backward}) {
      auto callee = cast<func::FuncOp>(
          SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr()));
      if (callee.isExternal())
        return call.emitError("the stage has no body");
      if (RunOnceReason reason =
              getRunOnceReason(callee.getBody(), OuterMemory::Changes, context))
        return call.emitError("no stage of a pipeline: ") << reason.text;
    }
  }
  for (BlockArgument argument : getBody().getArguments())
    if (isOfMicroBatch(argument))
      differing.insert(argument);
  for (Operation &op : getBody().without_terminator()) {
    std::optional<StageTask> latest;
    bool isShared = true;
    for (Value operand : getAllOperands(&op)) {
      isShared &= !differs(operand);
      Operation *maker = operand.getDefiningOp();
      auto task = maker ? tasks.find(maker) : tasks.end();
      if (task != tasks.end() &&
          (!latest || getOrder(*latest) < getOrder(task->second)))
        latest = task->second;
    }
    auto own = tasks.find(&op);
    if (!isShared || own != tasks.end())
      differing.insert(op.result_begin(), op.result_end());
    if (own != tasks.end()) {
      if (latest && getOrder(*latest) >= getOrder(own->second))
        return op.emitError("stage ")
               << own->second.stage << " needs what only stage "
               << latest->stage << " has made, which runs no earlier";
      continue;
    }
    if (!isMemoryEffectFree(&op))
      return op.emitError("'")
             << op.getName() << "' has effects, and stands in no stage";
    if (latest)
      tasks[&op] = *latest;
  }
  return success();
}

/// Numbers, or tensors of them, of known sizes.
static bool isNumeric(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.hasStaticShape() && tensor.getElementType().isIntOrFloat();
  return type.isIntOrFloat();
}

/// Slices of nothing, and sums of integers with a sign, are no operations.
LogicalResult StagedStep::checkStacksAndSums() const {
  func::FuncOp function = this->function;
  auto isEmpty = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getNumElements() == 0;
  };
  for (BlockArgument argument : function.getArguments())
    if (isOfMicroBatch(argument) && isEmpty(argument.getType()))
      return function.emitError("argument ")
             << argument.getArgNumber()
             << " of each micro-batch has no elements";
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    Type element = getElementTypeOrSelf(type);
    if (isResultOfMicroBatch(index) && isEmpty(type))
      return function.emitError("result ")
             << index << " of each micro-batch has no elements";
    if (!isResultOfMicroBatch(index) && element.isInteger() &&
        !element.isSignlessInteger())
      return function.emitError("result ")
             << index << " is added up, and no operation adds " << element;
  }
  return success();
}

LogicalResult StagedStep::checkInterface() const {
  func::FuncOp function = this->function;
  for (BlockArgument argument : function.getArguments())
    if (isOfMicroBatch(argument) && !isNumeric(argument.getType()))
      return function.emitError("argument ")
             << argument.getArgNumber()
             << " of each micro-batch is neither a number nor a tensor of "
                "numbers of known size, but "
             << argument.getType();
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (!isNumeric(type))
      return function.emitError("result ")
             << index
             << " is neither a number nor a tensor of numbers of known size, "
                "but "
             << type;
  for (Operation &op : getBody()) {
    auto task = tasks.find(&op);
    if (task == tasks.end())
      continue;
    for (Value result : op.getResults())
      for (Operation *user : result.getUsers()) {
        auto other = tasks.find(getBody().findAncestorOpInBlock(*user));
        if (other != tasks.end() && other->second.stage != task->second.stage &&
            !isNumeric(result.getType()))
          return op.emitError("a value of type ")
                 << result.getType()
                 << " goes to another stage; messages are numbers, or tensors "
                    "of them of known size";
      }
  }
  return success();
}

bool StagedStep::isOfMicroBatch(BlockArgument argument) const {
  func::FuncOp function = this->function;
  return function.getArgAttr(argument.getArgNumber(), attr::kMicroBatch) !=
         nullptr;
}

bool StagedStep::isResultOfMicroBatch(unsigned result) const {
  func::FuncOp function = this->function;
  return function.getResultAttr(result, attr::kMicroBatch) != nullptr;
}

} // namespace pebble

//===- CallExecution.cpp - operations of a program that runs --------------===//

#include "CallExecution.h"

#include "DeadResults.h"

#include "pebble/Analysis/Destinations.h"
#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/HiddenEffects.h"
#include "pebble/Analysis/RunAgain.h"
#include "pebble/Analysis/Storage.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace pebble {

void CallExecution::runOp(Operation &op, Values &values) {
  if (auto call = dyn_cast<func::CallOp>(op))
    if (auto callee =
            dyn_cast_if_present<func::FuncOp>(context.resolveCallee(call)))
      if (!callee.isExternal() && callee.getBody().hasOneBlock())
        return runCall(call, callee, values);
  collectSymbols(&op, symbols);
  memory.running = &op;
  origins.visit(op);
  guardSizes(op, values);
  if (runTransparent(op, values) || runView(op, values))
    return;
  if (auto region = dyn_cast<scf::ExecuteRegionOp>(op);
      region && region.getRegion().hasOneBlock())
    return runInPlace(region, values);
  if (op.getNumResults() && isDivisible(&op, context))
    return runDivided(op, values);
  runAny(op, values);
}

/// Each result of `op`, a branch or a loop without effects, is what is left of
/// it for that result alone: whoever drops the others leaves it the same.
void CallExecution::runDivided(Operation &op, Values &values) {
  for (OpResult result : op.getResults()) {
    Operation *whole = OpBuilder(&op).clone(op);
    OpResult part = keepResult(whole, result.getResultNumber(), context);
    runAny(*part.getOwner(), values);
    values[result] = values.lookup(part);
    part.getOwner()->remove();
    parts.emplace_back(part.getOwner());
  }
}

CallDoing CallExecution::getDoing(Operation &op) {
  CallDoing doing;
  doing.effects = collectEffects(&op, context);
  doing.isRecursive = op.hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  doing.isAssertion =
      !doing.effects.barrier.empty() && hasOnlyAssertions(&op, context);
  const HiddenEffects hidden = collectHiddenEffects(&op, context);
  doing.isBarrier =
      (!doing.effects.barrier.empty() && !doing.isAssertion) || hidden.runsOnce;
  doing.mayFail = hidden.mayFail;
  doing.mayNotEnd = hidden.mayNotEnd;
  for (const MemoryAccess &access : doing.effects.accesses) {
    doing.isBarrier |= access.value ? !isShaped(access.value) : !access.symbol;
    doing.isWriter |= access.isWrite;
  }
  doing.isWriter |= doing.isBarrier;
  doing.isTask = isa<async::ExecuteOp, async::AwaitOp>(op);
  return doing;
}

/// Adds what an operand is: to an op that writes memory it also matters which
/// of its buffers are one, and where in it they lie.
void CallExecution::addOperand(OpOperand &operand, CallDoing &doing,
                               Values &values, Words &words) {
  Value value = operand.get();
  if (isa<TensorType>(value.getType()) && !readsContent(operand)) {
    // A destination that is overwritten matters by its extents.
    SmallVector<uint64_t> sizes = {toWord(value.getType())};
    if (!isSizedByInputs(operand))
      addExtents(value, values, sizes);
    words.push_back(table.get(ExpressionTable::Undefined, sizes));
    return;
  }
  if (!isa<BaseMemRefType>(value.getType())) {
    words.push_back(getContent(value, values));
    if (doing.isWriter && isa<TensorType>(value.getType()))
      addShowing(value, doing, words);
    return;
  }
  Place place = getPlace(value, values);
  words.push_back(
      doing.which.try_emplace(place.buffer, doing.which.size()).first->second);
  words.push_back(toWord(value.getType()));
  const bool reads = doing.reads(value), writes = doing.writes(value);
  if (!reads && !writes)
    words.push_back(memory.getBirth(place.buffer));
  else if (!reads && !isSizedByInputs(operand))
    addExtents(value, values, words);
  // A result may be this very buffer, seen in this very way.
  auto identity = doing.identities.find(operand.getOperandNumber());
  if (identity != doing.identities.end()) {
    memory.identify(place.buffer);
    words.push_back(identity->second);
  }
  if (identity != doing.identities.end() ||
      (doing.isWriter && doing.timesNamed.lookup(place.buffer) > 1))
    words.push_back(place.path);
  // Two that others name may be one in part.
  if (doing.isWriter && doing.named.size() > 1)
    words.push_back(memory.getName(place.buffer).value_or(0));
  if (reads)
    words.push_back(memory.read(place));
}

/// An op that looks at a tensor may have written a buffer that shows it by
/// then: one that it was given, or that others know.
void CallExecution::addShowing(Value tensor, const CallDoing &doing,
                               Words &words) {
  for (unsigned buffer : memory.getShowing(origins.get(tensor)))
    if (doing.timesNamed.contains(buffer) ||
        (doing.isBarrier && !readOnly.contains(buffer))) {
      memory.identify(buffer);
      words.push_back(memory.getName(buffer).value_or(0));
    }
}

void CallExecution::runAny(Operation &op, Values &values) {
  CallDoing doing = getDoing(op);
  SmallVector<uint64_t> words;
  addIdentity(&op, words);
  if (doing.handsOn(op))
    escapeOperands(op, values);
  for (OpOperand &operand : op.getOpOperands())
    if (isa<BaseMemRefType>(operand.get().getType())) {
      unsigned buffer = getPlace(operand.get(), values).buffer;
      ++doing.timesNamed[buffer];
      if (memory.getName(buffer))
        doing.named.insert(buffer);
      // Their new names: two that are made alike are two.
      if (doing.handsOn(op))
        doing.identities[operand.getOperandNumber()] =
            memory.getIdentity(buffer);
    }
  for (OpOperand &operand : op.getOpOperands())
    addOperand(operand, doing, values, words);
  if (doing.isTask)
    doing.isBarrier = llvm::any_of(op.getOperands(), [&](Value operand) {
      return isTokenType(operand.getType()) &&
             !quiet.contains(values.lookup(operand));
    });
  for (const MemoryAccess &access : doing.effects.accesses)
    if (!access.value && access.symbol && !access.isWrite && !doing.isRecursive)
      words.push_back(memory.read(*memory.find(getGlobal(&op, access.symbol))));
  for (Type type : op.getResultTypes())
    words.push_back(toWord(type));
  runRegions(op, doing, values, words);
  memory.running = &op;
  addTouched(doing.frame, words);
  // Who goes on beside the rest has the buffers themselves.
  if (doing.isTask)
    for (unsigned buffer : doing.frame.touched)
      words.push_back(memory.getIdentity(buffer));
  if (doing.isBarrier) {
    words.push_back(epoch);
    words.push_back(effects.size());
    words.push_back(memory.getOutside());
  }
  Id id = table.get(ExpressionTable::Operation, words);
  guardOp(op, doing, id);
  // Of what held once nobody notices that it is asked again.
  const bool isNew = doing.isAssertion && (depth || asserted.insert(id).second);
  // What a thread hands out has neither results nor effects.
  if (doing.isBarrier || isNew ||
      op.getParentOp()->hasTrait<OpTrait::IsTerminator>())
    effects.push_back({id, &op});
  hasInnerEffects |= doing.isBarrier;
  hasInnerAssertions |= isNew;
  writeMemory(op, doing, id, values);
  makeResults(op, doing, id, values);
}

void CallExecution::guardOp(Operation &op, const CallDoing &doing, Id id) {
  if (doing.mayFail)
    guard(op, id);
  if (doing.mayNotEnd)
    guard(op, id, RiskKind::NoEnd);
  if (isa<memref::DistinctObjectsOp>(op))
    guard(op, id, RiskKind::Promise);
}

void CallExecution::escapeOperands(Operation &op, Values &values) {
  for (Value operand : op.getOperands())
    if (isa<BaseMemRefType>(operand.getType())) {
      unsigned buffer = getPlace(operand, values).buffer;
      memory.escape(buffer, memory.getIdentity(buffer));
    }
}

/// Whether the op may put its result where a tensor operand is.
static bool mayBeWrittenInPlace(OpOperand &operand) {
  auto op =
      dyn_cast<bufferization::BufferizableOpInterface>(operand.getOwner());
  bufferization::BufferizationOptions options;
  bufferization::AnalysisState state(options);
  return op && isa<TensorType>(operand.get().getType()) &&
         isa<DestinationStyleOpInterface, LoopLikeOpInterface>(
             operand.getOwner()) &&
         op.bufferizesToMemoryWrite(operand, state);
}

/// What `op`, the expression `id`, leaves in buffers.
void CallExecution::writeMemory(Operation &op, CallDoing &doing, Id id,
                                Values &values) {
  unsigned ordinal = 0;
  auto write = [&](const Place &place, bool isFull) {
    SmallVector<uint64_t> words = {id, ordinal++};
    if (!isFull)
      words.push_back(memory.read(place));
    memory.write(place, table.get(ExpressionTable::Written, words));
  };
  for (unsigned buffer : doing.frame.touched) {
    ++ordinal;
    if (doing.frame.changed.contains(buffer))
      memory.setContent(buffer,
                        table.get(ExpressionTable::Written, {id, ordinal}));
  }
  for (OpOperand &operand : op.getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    if (doing.writes(operand.get()))
      write(getPlace(operand.get(), values),
            !doing.reads(operand.get()) && overwritesInFull(operand));
  }
  for (OpOperand &operand : op.getOpOperands())
    if (mayBeWrittenInPlace(operand))
      for (unsigned buffer : memory.getShowing(origins.get(operand.get())))
        memory.writeWhole(buffer,
                          table.get(ExpressionTable::Written, {id, ordinal++}));
  for (const MemoryAccess &access : doing.effects.accesses)
    if (!access.value && access.symbol && access.isWrite && !doing.isRecursive)
      write(*memory.find(getGlobal(&op, access.symbol)), /*isFull=*/false);
  // What is kept is nobody's own any more.
  if (doing.isBarrier)
    escapeOperands(op, values);
  // What a task touches may change until somebody has waited for it.
  if (doing.isTask)
    for (unsigned buffer : doing.frame.touched)
      if (!memory.isConstant(buffer))
        memory.escape(buffer, memory.getIdentity(buffer));
  if (doing.isBarrier)
    memory.setOutside(table.get(ExpressionTable::Written,
                                {id, ordinal++, memory.getOutside()}));
}

void CallExecution::makeResults(Operation &op, const CallDoing &doing, Id id,
                                Values &values) {
  for (OpResult result : op.getResults()) {
    Id made = table.get(ExpressionTable::Result,
                        {id, uint64_t(result.getResultNumber())});
    values[result] = made;
    noteExtents(result, made, values);
    // What a buffer shows, it may go on showing.
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    OpOperand *tied = dps ? dps.getTiedOpOperand(result) : nullptr;
    if (tied && !memory.getShowing(origins.get(tied->get())).empty())
      origins.set(result, tied->get());
    if (isa<BaseMemRefType>(result.getType())) {
      uint64_t origin = getBufferOrigin(op);
      values[result] = memory.addNamed(getBufferName(made, origin));
      memory.addOrigin(values[result], origin);
      auto shown = dyn_cast<bufferization::ToBufferOp>(op);
      if (shown && shown.getReadOnly())
        readOnly.insert(memory.find(values[result])->buffer);
    }
    if (doing.isTask && !doing.isBarrier)
      quiet.insert(made);
  }
}

/// Whose buffers `op` hands out: those of the tensor that it shows, those
/// that it was given, or its own.
uint64_t CallExecution::getBufferOrigin(Operation &op) {
  if (isa<bufferization::ToBufferOp>(op))
    return origins.get(op.getOperand(0));
  bool isMade = !isMemoryEffectFree(&op) ||
                llvm::any_of(op.getOperandTypes(), llvm::IsaPred<TensorType>);
  return isMade ? origins.makeNew() : 0;
}

CallExecution::Id CallExecution::getBufferName(Id made, uint64_t origin) {
  if (!tellsApart)
    return made;
  SmallVector<uint64_t, 1> &known = alike[made];
  auto found = llvm::find(known, origin);
  const uint64_t number = found - known.begin();
  if (found == known.end())
    known.push_back(origin);
  return table.get(ExpressionTable::Crossing, {made, number});
}

} // namespace pebble

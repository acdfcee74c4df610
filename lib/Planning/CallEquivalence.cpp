//===- CallEquivalence.cpp - the same program, calls and all --------------===//

#include "pebble/Planning/CallEquivalence.h"

#include "CallExecution.h"

#include "pebble/Dialect/Placement.h"
#include "pebble/Planning/Equivalence.h"

using namespace mlir;

namespace pebble {

/// Compares what both runs leave in the arguments of a function, in globals,
/// and in all that others know.
static LogicalResult compareMemory(func::FuncOp after, CallExecution &first,
                                   CallExecution &second,
                                   ArrayRef<ExpressionTable::Id> before,
                                   ArrayRef<ExpressionTable::Id> behind) {
  Operation *end = after.getBody().front().getTerminator();
  for (unsigned i = 0, e = before.size(); i != e; ++i) {
    auto one = first.memory.find(before[i]),
         other = second.memory.find(behind[i]);
    // What was given away is nobody else's.
    if (!one || isDonatedArgument(after, i))
      continue;
    if (first.memory.isFreed(one->buffer) !=
        second.memory.isFreed(other->buffer))
      return end->emitError("the buffer of argument ")
             << i << " of this function is freed in one of both alone";
    if (first.memory.read(*one) != second.memory.read(*other))
      return end->emitError("the buffer of argument ")
             << i << " of this function is not proven to hold what it held";
  }
  if (first.memory.getOutside() != second.memory.getOutside())
    return end->emitError("memory that others see is not proven to hold what "
                          "it held");
  return success();
}

static LogicalResult emitRisk(const CallValues::Risk &risk) {
  switch (risk.kind) {
  case CallValues::RiskKind::NoEnd:
    return risk.op->emitError("this may not end, and did not run before");
  case CallValues::RiskKind::Promise:
    return risk.op->emitError("this promises more than the program did");
  case CallValues::RiskKind::Fails:
    break;
  }
  if (risk.isNew)
    return risk.op->emitError("this may fail, and did not run before");
  return risk.op->emitError("this may fail, and runs before an effect that "
                            "came first");
}

/// Compares results, effects and memory. `isMixedUp` is set, and nothing
/// compared, where it matters which of several buffers with one content is
/// which.
static LogicalResult compareRuns(func::FuncOp before, func::FuncOp after,
                                 const AnalysisOptions &options,
                                 bool tellsApart, bool &isMixedUp) {
  ExpressionTable table;
  CallExecution first(table, options, tellsApart),
      second(table, options, tellsApart);
  std::vector<ExpressionTable::Id> given, taken;
  for (unsigned i = 0, e = before.getNumArguments(); i != e; ++i) {
    given.push_back(first.getArgument(before, i));
    taken.push_back(second.getArgument(after, i));
  }
  auto expected = first.run(before, given);
  auto found = second.run(after, taken);
  if (first.endless || second.endless)
    return after.emitError("this function cannot be compared with what it was: "
                           "it calls a function that calls itself");
  if (second.memory.spoiler)
    return second.memory.spoiler->emitError("this writes a constant");
  if (second.memory.fault)
    return second.memory.fault->emitError(
        "this uses memory that was freed before");
  for (auto [one, other] : llvm::zip(expected, found)) {
    one = first.describe(one);
    other = second.describe(other);
  }
  // To hand a tensor out is to look at its buffer.
  if (second.memory.fault && !first.memory.fault)
    return second.memory.fault->emitError(
        "this hands out memory that was freed before");
  isMixedUp = first.memory.isMixedUp() || second.memory.isMixedUp();
  if (isMixedUp && !tellsApart)
    return success();
  if (second.memory.late)
    return second.memory.late->emitError(
        "this writes a buffer that shows a tensor which is looked at the next "
        "time round");
  Operation *end = after.getBody().front().getTerminator();
  for (auto [i, one, other] : llvm::enumerate(expected, found))
    if (one != other)
      return end->emitError("result ")
             << i << " of this function is not proven to be what it was";
  for (size_t i = 0, e = first.effects.size(); i != e; ++i)
    if (i >= second.effects.size() ||
        first.effects[i].first != second.effects[i].first)
      return (i < second.effects.size() ? second.effects[i].second : end)
                 ->emitError("effect ")
             << i << " of this function is not proven to be what it was";
  if (second.effects.size() > first.effects.size())
    return second.effects[first.effects.size()].second->emitError(
        "this effect was not there before");
  if (auto risk = second.findRisk(first))
    return emitRisk(*risk);
  if (Operation *call = second.promises.findNew(first.promises))
    return call->emitError("what is called promises more than the program did");
  if (failed(compareMemory(after, first, second, given, taken)))
    return failure();
  ProgramContext context(options);
  return checkSymbols(before, after, second.symbols.getArrayRef(), context);
}

LogicalResult checkCallEquivalence(func::FuncOp before, func::FuncOp after,
                                   const AnalysisOptions &options) {
  if (before.getFunctionType() != after.getFunctionType())
    return after.emitError("this function had another type before");
  for (unsigned i = 0, e = before.getNumArguments(); i != e; ++i)
    if (CallExecution::isAlone(before, i) != CallExecution::isAlone(after, i))
      return after.emitError("the rewrite changed who owns argument ") << i;
  if (failed(comparePromises(before, after)))
    return failure();
  // A second run of what only reads such a buffer reads the same.
  bool isMixedUp = false;
  if (failed(
          compareRuns(before, after, options, /*tellsApart=*/false, isMixedUp)))
    return failure();
  return isMixedUp ? compareRuns(before, after, options, /*tellsApart=*/true,
                                 isMixedUp)
                   : success();
}

} // namespace pebble

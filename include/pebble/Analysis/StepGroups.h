//===- StepGroups.h - which operations a backend runs as one ----*- C++ -*-===//
//
// Says how the operations of a block fall into steps: one for each operation
// whose result the backend materialises, together with the cheap operations
// that are computed on the way to it. An operation that several steps need is
// in each of them. Looks, and changes nothing.
//
// Kept are: what the backend's rules keep; what the block returns; what is read
// by operations that read memory, seen through views and layouts; dear values
// that several steps read; and sums that would wait for many arrays. A step
// whose result has the type of what it alone reads, element by element, works
// in place: the two are one step.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_STEPGROUPS_H
#define PEBBLE_ANALYSIS_STEPGROUPS_H

#include "pebble/Analysis/ProgramContext.h"
#include "pebble/Target/Backends.h"

namespace pebble {
class StepOp;

/// One step.
struct StepGroup {
  /// The operation whose results it yields, last of `ops`.
  mlir::Operation *root;
  /// In block order.
  llvm::SmallVector<mlir::Operation *> ops;
  /// What it takes from arguments and from other steps, by first use.
  llvm::SmallVector<mlir::Value> inputs;
  /// Those results of `root` that somebody reads.
  llvm::SmallVector<mlir::Value> results;
  /// For each result, the input whose buffer it may take, or -1.
  llvm::SmallVector<int64_t> overwrites;
};

/// The steps of `block`, whose terminator is none, in an order in which they
/// can run. Operations that have no effect and that nobody needs are in none.
/// Time linear in operations, operands, and the operations of all steps.
llvm::SmallVector<StepGroup, 0>
groupSteps(mlir::Block &block, const Backend &backend, ProgramContext &context);

/// Whether `op` is a loop or a branch, and keeps values in blocks inside of it.
bool hasInnerBlocks(mlir::Operation *op);

/// Whether `result` of `step` lies where nothing was before: it overwrites an
/// input that the step does not read, a `pebble.result_place` say.
bool hasPlace(StepOp step, mlir::OpResult result);

/// The results of a step with a loop or a branch that have no place, none of
/// other steps. A backend allocates what a loop carries as one buffer for as
/// long as the loop runs; only in a result of a function it has room for more.
llvm::SmallVector<mlir::OpResult> getInnerResults(StepOp step);

/// What tells a step of this kind and these shapes from others: equal for steps
/// that compute the same of inputs of the same types, to inner results alike.
/// Sixteen digits.
std::string getStepDigest(StepOp step);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_STEPGROUPS_H

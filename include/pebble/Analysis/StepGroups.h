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

/// What tells a step of this kind and these shapes from others: equal for steps
/// that compute the same of inputs of the same types. Sixteen digits.
std::string getStepDigest(mlir::Operation *step);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_STEPGROUPS_H

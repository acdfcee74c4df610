//===- TapeGraph.h - what steps of loops leave on their tapes ---*- C++ -*-===//
//
// Builds the problem of which values the steps of loops leave for the loops
// that are their adjoints (Solver/Remat/ResidualChoice.h): the values of a
// forward loop's body, times its trips. What the adjoint's loop can reach
// without a tape is free: constants, counters, what the loop is given and
// somebody needs until then anyway. It never changes anything.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_TAPEGRAPH_H
#define PEBBLE_PLANNING_TAPEGRAPH_H

#include "pebble/Analysis/LoopPairs.h"
#include "pebble/Solver/Remat/ResidualChoice.h"
#include "pebble/Target/OpCost.h"

namespace pebble {

/// What `op` reads from outside of itself, what its regions capture included.
llvm::SetVector<mlir::Value> getValuesRead(mlir::Operation *op);

/// A counter of `loop` that begins with a known number and goes up or down by
/// one; null if there is none.
const CarriedValue *findClock(const Recurrence &loop,
                              RecurrenceAnalysis &analysis);

/// The graph of pairs of loops, each loop in one pair at most.
class TapeGraph {
public:
  TapeGraph(RecurrenceAnalysis &analysis, ProgramContext &context)
      : analysis(analysis), context(context) {}

  /// Of loops that run a known number of times, with clocks.
  void add(const LoopPair &pair);

  const graph::ResidualProblem &getProblem() const { return problem; }
  /// Bytes of the tapes as they are.
  int64_t getTapeBytes() const { return tapeBytes; }
  /// Sums are small enough to be reckoned with.
  bool isBounded() const;
  bool isKept(mlir::Value value, const graph::ResidualChoice &choice) const;

private:
  uint32_t getId(mlir::Value value);
  graph::ResidualProblem::Value describe(mlir::Value value);
  uint32_t getStep(mlir::Operation *op);
  std::optional<int64_t> getBytesOfAll(mlir::Value value) const;
  bool isThereAnyway(mlir::Value outer) const;

  RecurrenceAnalysis &analysis;
  ProgramContext &context;
  OpCostModel costs;
  graph::ResidualProblem problem;
  int64_t tapeBytes = 0;
  llvm::DenseMap<mlir::Value, uint32_t> ids;
  llvm::DenseMap<mlir::Operation *, uint32_t> steps;
  llvm::SmallVector<mlir::Operation *> unread;
  /// The pair that is being added.
  const LoopPair *pair = nullptr;
};

} // namespace pebble

#endif // PEBBLE_PLANNING_TAPEGRAPH_H

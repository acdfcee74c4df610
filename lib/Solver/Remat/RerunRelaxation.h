//===- RerunRelaxation.h - orders when only some steps run again -*- C++ -*-===//
//
// Which steps may run again, and how often, leaves a question about orders: is
// there one within the budget? Here a step either runs again a given number of
// times (`counts`), or as often as anybody likes (`free`), or not at all.
//
// A step that runs again has copies, one behind the other. Each of its readers
// reads the copy before it. Which one that is, is part of the order, and hence
// decided read by read (`ReadChoice`). A read that is not decided yet finds the
// value there and frees it again at once; once another read of the step's
// results is decided, it takes no room at all, as a copy may be waiting; nor
// does it if the value is required, as the last copy waits for the end. A read
// of a free step's result frees it at once too, and the step's further runs are
// left out. All that can only make more orders fit:
// where the order of least peak (PeakOrder.h) does not fit, no schedule does.
// Where all reads are decided and no step is free, an order is a schedule.
//
// One more copy than a schedule needs takes no more room: it runs right behind
// the one before, which nobody reads then. So `counts` may be taken for at most
// as many.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_REMAT_RERUNRELAXATION_H
#define PEBBLE_LIB_SOLVER_REMAT_RERUNRELAXATION_H

#include "pebble/Solver/Game/Problem.h"

#include <map>
#include <string>
#include <vector>

namespace pebble::graph {

/// Which steps may run again.
struct Reruns {
  /// By step: further runs at most.
  std::vector<unsigned> counts;
  /// By step: as often as anybody likes.
  std::vector<bool> free;

  explicit Reruns(size_t steps) : counts(steps, 0), free(steps, false) {}
};

/// One run: the `copy`-th of a step.
struct StepRun {
  game::Id step = game::kNone;
  unsigned copy = 0;
  bool operator<(const StepRun &other) const {
    return std::make_pair(step, copy) < std::make_pair(other.step, other.copy);
  }
};

/// Which copy of a producer a run reads.
struct ReadKey {
  StepRun reader;
  game::Id producer = game::kNone;
  bool operator<(const ReadKey &other) const {
    if (producer != other.producer)
      return producer < other.producer;
    return reader < other.reader;
  }
};
using ReadChoice = std::map<ReadKey, unsigned>;

class RerunRelaxation {
public:
  using Id = game::Id;

  /// Why a problem is more than this knows; empty if it is not: updates in
  /// place, wishes, results that are there from the start.
  static std::string refusal(const game::Problem &problem);

  /// `problem` is checked, not refused, and stays.
  explicit RerunRelaxation(const game::Problem &problem);

  /// What is left of `reruns` when steps that are free for nothing are taken
  /// out: each run needs a use of its own. Counts stay.
  Reruns useful(Reruns reruns) const;

  /// Reads of steps with copies that `choice` does not decide, those of one
  /// producer in a row.
  std::vector<ReadKey> undecided(const Reruns &reruns,
                                 const ReadChoice &choice) const;

  /// The problem of orders, its steps in an order that is valid. `runs` gets
  /// the run that each step stands for. False if no order exists.
  bool build(const Reruns &reruns, const ReadChoice &choice,
             game::Problem &result, std::vector<StepRun> &runs) const;

private:
  class Builder;

  /// Uses that each may have a run of `step` to itself: runs that read its
  /// results, the end, and steps that wait for its first run.
  size_t usesOf(Id step, const Reruns &reruns) const;

  const game::Problem &p;
  /// Steps that read results of a step, each once.
  std::vector<std::vector<Id>> readers;
  /// Whether a result is required in the end.
  std::vector<bool> required;
  /// Whether a precedence holds another step back until this one has run.
  std::vector<bool> awaited;
};

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_REMAT_RERUNRELAXATION_H

//===- MomentCut.h - what waits at one moment is kept or lost ---*- C++ -*-===//
//
// A list of runs at the moment when one of them runs. Values that wait there
// take room; those that are lost are made again right before their next reader.
// The cheapest choice for a price per byte is a minimum cut:
//
//   value   wanted after the moment: kept, which costs its bytes times the
//           price, or its maker runs again
//   step    runs again: costs what it costs, and wants its inputs
//
// The price goes up until what is kept fits. At that price whole layers may
// tip over at once; so the difference to the choice at a lower price, which
// does not fit, is split into parts that share no value, and only as many of
// them as it takes are lost.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_REMAT_MOMENTCUT_H
#define PEBBLE_LIB_SOLVER_REMAT_MOMENTCUT_H

#include "Solver/Graph/MaxFlow.h"
#include "pebble/Solver/Game/Problem.h"
#include "pebble/Solver/Graph/Limits.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace pebble::graph {

class MomentCut {
public:
  using Id = game::Id;
  using Runs = std::vector<Id>;

  MomentCut(const game::Problem &problem, int64_t budget);

  /// Bytes live while each of `runs` runs; values are dropped right after their
  /// last use before they are made again.
  std::vector<int64_t> profile(const Runs &runs) const;

  /// `runs`, with what is lost at `moment` and made again later, so that what
  /// is live at the moment fits the budget. Empty if nothing fits there, or
  /// what has to be made again cannot be. `weights`: by value, factors of the
  /// price; empty: 1.
  Runs mend(const Runs &runs, size_t moment, const std::vector<double> &weights,
            const StopSign *stop);

  /// Edges of networks that were looked at so far (MaxFlow::work()).
  uint64_t work() const { return looked; }

private:
  /// By step: whether it runs again after the moment.
  using Choice = std::vector<bool>;
  /// Steps whose results are lost together, what they cost, the bytes that come
  /// free for that, how much that is worth (worthOf()), and the first run after
  /// the moment that reads one.
  struct Part {
    std::vector<Id> steps;
    int64_t cost = 0, bytes = 0, worth = 0;
    size_t need = SIZE_MAX;
  };

  bool runsAgain(Id step) const;
  int64_t footprint(Id value) const {
    return p.storages[p.values[value].storage].footprint;
  }
  void enter(const Runs &runs, size_t moment);
  void noteCopies(const Runs &runs, size_t moment);
  void touchStorages(Id step);
  void findNodes();
  /// Whether a rerun of `step` needs `value` to be kept or made again.
  bool wants(Id step, Id value) const {
    return nodeOfValue[value] != game::kNone && nextMade[value] >= needOf[step];
  }
  /// Whether `chosen` lets `step` run again.
  bool isAgain(Id step) const {
    return step != game::kNone && nodeOfStep[step] != game::kNone &&
           chosen[step];
  }
  /// Sets `chosen`; toggle() changes it for one step. Both keep `kept` up to
  /// date.
  void setChoice(const Choice &choice);
  void toggle(Id step);
  void toggleAll(const Part &part) {
    for (Id step : part.steps)
      toggle(step);
  }
  void want(Id value, bool more);
  Choice cutAt(double price, const std::vector<double> &weights);
  bool choose(const std::vector<double> &weights, const StopSign *stop);
  std::vector<Part> splitDifference(const Choice &low, const Choice &high);
  static std::pair<size_t, const Part *>
  bestCover(const std::vector<const Part *> &order, int64_t lack);
  void takeParts(const std::vector<Part> &parts, const Choice &high);
  Runs apply(const Runs &runs, size_t moment);

  const game::Problem &p;
  const int64_t budget;
  /// By step: values read, those that it overwrites among them, and written.
  std::vector<std::vector<Id>> reads, writes;
  /// By storage: whether it has one content only.
  std::vector<bool> isSimple;
  /// Units of capacity for a unit of cost.
  double unitsPerCost = 1;
  /// Where the search for a price begins.
  double lastPrice = 1;

  // Of the moment.
  int64_t room = 0;
  /// Steps whose inputs were overwritten before they could run again.
  std::vector<bool> barred;
  /// By value: made before the moment and still there or remembered; touched by
  /// the run of the moment; the next run that reads this copy, and that makes
  /// another one (SIZE_MAX: none; the number of runs: the end).
  std::vector<bool> isMade, isTouched;
  std::vector<size_t> nextRead, nextMade;
  /// By step: the earliest run that may need it again.
  std::vector<size_t> needOf;
  /// The same by value.
  std::vector<size_t> needOfValue;
  /// What the rest of the runs reads of what waits; all values and steps that a
  /// cut decides on, and their nodes (kNone: none).
  std::vector<Id> wanted, values, steps;
  std::vector<uint32_t> nodeOfValue, nodeOfStep;
  Choice chosen;
  /// By value: how many want it, of the rest of the runs and of the steps that
  /// run again.
  std::vector<uint32_t> wanters;
  /// Bytes that wait at the moment with what is chosen.
  int64_t kept = 0;
  MaxFlow flow;
  uint64_t looked = 0;
};

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_REMAT_MOMENTCUT_H

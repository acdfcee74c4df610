//===- MendedRuns.cpp - runs of another plan as a list of runs ------------===//

#include "pebble/Solver/Portfolio/MendedRuns.h"

using namespace pebble;
using namespace pebble::portfolio;
using game::Id;
using game::kNone;

namespace {

/// Makes a list of runs of it, in which everything is there when it is read.
class Repair {
public:
  explicit Repair(const game::Problem &problem)
      : p(problem), ran(problem.steps.size(), false), early(ran),
        gone(problem.values.size(), false), before(problem.steps.size()) {
    for (const game::Precedence &edge : game::allPrecedences(p))
      before[edge.after].push_back(edge.before);
  }

  /// Runs `step` if it has not run yet.
  void require(Id step) {
    if (!ran[step])
      addFirst(step);
  }

  void add(Id step) {
    if (!ran[step]) {
      addFirst(step);
      return;
    }
    // Its turn has come, but another step needed it before.
    if (early[step]) {
      early[step] = false;
      return;
    }
    // A second run makes fresh contents of what is still there.
    if (!p.steps[step].recomputable)
      return;
    for (const game::Access &read : p.steps[step].reads)
      if (gone[read.value])
        return;
    for (const game::Access &write : p.steps[step].writes)
      if (gone[write.value])
        return;
    runs.push_back(step);
  }

  std::vector<Id> runs;

private:
  void addFirst(Id step) {
    std::vector<std::pair<Id, bool>> work = {{step, false}};
    while (!work.empty()) {
      const auto [current, ready] = work.back();
      work.pop_back();
      if (ran[current])
        continue;
      if (!ready) {
        work.push_back({current, true});
        for (Id other : before[current])
          if (!ran[other])
            work.push_back({other, false});
        continue;
      }
      ran[current] = true;
      early[current] = current != step;
      runs.push_back(current);
      for (const game::Access &write : p.steps[current].writes)
        if (Id old = p.values[write.value].overwrites; old != kNone)
          gone[old] = true;
    }
  }

  const game::Problem &p;
  /// Has run; has run before its turn. By value: was overwritten.
  std::vector<bool> ran, early, gone;
  std::vector<std::vector<Id>> before;
};

} // namespace

std::vector<Id> portfolio::mendRuns(const UnitProblem &units,
                                    const std::vector<Id> &steps) {
  // A unit runs where its last step does.
  size_t count = 0;
  for (const StepUnit &unit : units.units)
    count += unit.steps.size();
  std::vector<Id> lastOf(count, kNone);
  for (Id unit = 0; unit < units.units.size(); ++unit)
    lastOf[units.units[unit].steps.back()] = unit;
  Repair repair(units.problem);
  for (Id step : steps)
    if (lastOf[step] != kNone)
      repair.add(lastOf[step]);
  for (Id unit = 0; unit < units.units.size(); ++unit)
    repair.require(unit);
  return repair.runs;
}

//===- DivideBudget.cpp - how much memory each callee gets ----------------===//

#include "pebble/Solver/Calls/DivideBudget.h"

#include <algorithm>
#include <set>

namespace pebble::calls {

namespace {
class Search {
public:
  explicit Search(const DivisionTask &task) : task(task) {}

  std::optional<Division> run() {
    tryOne(Versions(task.counts.size(), 0));
    bool isAll = false;
    if (countAll() <= task.mostTrials) {
      isAll = tryAll();
    } else {
      tryAlike();
      climb();
    }
    if (best)
      best->isExact = isAll || best->cost <= task.bound;
    if (best)
      best->trials = tried.size();
    return best;
  }

private:
  bool isOver() const {
    return tried.size() >= task.mostTrials ||
           (best && best->cost <= task.bound);
  }

  /// At most one more than may be tried.
  size_t countAll() const {
    size_t all = 1;
    for (unsigned count : task.counts) {
      all *= count;
      if (all > task.mostTrials)
        break;
    }
    return all;
  }

  /// Whether `versions` is better than all before.
  bool tryOne(const Versions &versions) {
    if (isOver() || !tried.insert(versions).second)
      return false;
    std::optional<int64_t> cost = task.price(versions);
    if (!cost || (best && best->cost <= *cost))
      return false;
    best = Division{versions, *cost, 0, false};
    return true;
  }

  /// True if there was time for all of them.
  bool tryAll() {
    Versions versions(task.counts.size(), 0);
    while (true) {
      tryOne(versions);
      size_t at = 0;
      while (at < versions.size() && ++versions[at] == task.counts[at])
        versions[at++] = 0;
      if (at == versions.size())
        return true;
    }
  }

  /// All calls of one function alike: of each by itself, and of all together.
  void tryAlike() {
    const unsigned most =
        *std::max_element(task.counts.begin(), task.counts.end());
    const std::set<unsigned> callees(task.callees.begin(), task.callees.end());
    for (unsigned version = 1; version < most; ++version) {
      Versions all;
      for (unsigned count : task.counts)
        all.push_back(std::min(version, count - 1));
      tryOne(all);
      if (callees.size() < 2)
        continue;
      for (unsigned callee : callees) {
        Versions some(task.counts.size(), 0);
        for (size_t i = 0; i < some.size(); ++i)
          if (task.callees[i] == callee)
            some[i] = all[i];
        tryOne(some);
      }
    }
  }

  /// From the best one on, with another version of one call each time, as long
  /// as that helps.
  void climb() {
    while (best && !isOver()) {
      const Versions from = best->versions;
      bool isBetter = false;
      for (size_t i = 0; i < from.size() && !isBetter; ++i)
        for (unsigned version = 0; version < task.counts[i] && !isBetter;
             ++version) {
          Versions next = from;
          next[i] = version;
          isBetter = tryOne(next);
        }
      if (!isBetter)
        return;
    }
  }

  const DivisionTask &task;
  std::set<Versions> tried;
  std::optional<Division> best;
};
} // namespace

std::optional<Division> divideBudget(const DivisionTask &task) {
  return Search(task).run();
}

} // namespace pebble::calls

//===- SlowAccesses.cpp - how often slow slots of a loop are used ---------===//

#include "pebble/Solver/Chain/SlowAccesses.h"

#include "pebble/Solver/Chain/Binomial.h"

#include <algorithm>
#include <map>

using namespace pebble;

namespace {
/// Follows the recursion that the driver unrolls: a part of the loop begins
/// with its state in the slot at some depth, keeps a state further on, reverses
/// what lies behind that one, restores its own, and so on with what is left.
class SlowCounter {
public:
  SlowCounter(int64_t slots, int64_t slow) : slots(slots), slow(slow) {}

  struct Count {
    int64_t saved = 0, restored = 0;
    void operator+=(const Count &other) {
      saved += other.saved;
      restored += other.restored;
    }
  };

  Count count(int64_t length, int64_t depth) {
    if (depth > slow || length <= 1)
      return {};
    int64_t free = slots - depth;
    int64_t isSlow = depth >= 1;
    if (free == 1)
      return {0, isSlow * (length - 1)};
    auto [known, isNew] = counts.try_emplace({length, depth});
    if (!isNew)
      return known->second;
    Count sum;
    for (int64_t left = length; left > 1;) {
      if (left != length)
        if (auto found = counts.find({left, depth}); found != counts.end()) {
          sum += found->second;
          break;
        }
      int64_t kept = getDistance(left, free);
      if (left - kept >= 2) {
        sum.saved += depth + 1 <= slow;
        sum += count(left - kept, depth + 1);
      }
      sum.restored += isSlow;
      left = kept;
    }
    return counts[{length, depth}] = sum;
  }

  /// Of slow slots, how many the first sweep fills.
  int64_t countFirstSweep(int64_t length) const {
    return std::max<int64_t>(0, std::min({slow, slots - 1, length - 2}));
  }

private:
  /// The least optimal distance, as the driver takes it.
  static int64_t getDistance(int64_t length, int64_t free) {
    int64_t r = chain::binomialRepetitions(length, free);
    return std::max({int64_t(1), chain::binomialReach(free, r - 2),
                     length - chain::binomialReach(free - 1, r)});
  }

  int64_t slots, slow;
  std::map<std::pair<int64_t, int64_t>, Count> counts;
};
} // namespace

chain::SlowAccesses chain::countSlowAccesses(int64_t steps, int64_t slots,
                                             int64_t slow) {
  SlowCounter counter(slots, slow);
  SlowCounter::Count all = counter.count(steps, 0);
  return {counter.countFirstSweep(steps), all.saved, all.restored};
}

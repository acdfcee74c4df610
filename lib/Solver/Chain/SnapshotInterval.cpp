//===- SnapshotInterval.cpp - how often to take a snapshot ----------------===//

#include "pebble/Solver/Chain/SnapshotInterval.h"

#include <algorithm>
#include <cmath>

namespace pebble::chain {

double youngInterval(const SnapshotCosts &costs) {
  return std::sqrt(2 * costs.snapshot * costs.failures);
}

double dalyInterval(const SnapshotCosts &costs) {
  const double ratio = costs.snapshot / (2 * costs.failures);
  if (ratio >= 1)
    return costs.failures;
  return youngInterval(costs) * (1 + std::sqrt(ratio) / 3 + ratio / 9) -
         costs.snapshot;
}

/// How long one iteration takes on average, but for a factor that does not
/// depend on `every`.
static double perIteration(const SnapshotCosts &costs, int64_t every) {
  const double work = costs.iteration * static_cast<double>(every);
  return std::expm1((work + costs.snapshot) / costs.failures) /
         static_cast<double>(every);
}

double expectedTime(const SnapshotCosts &costs, int64_t iterations,
                    int64_t every) {
  return costs.failures * std::exp(costs.restart / costs.failures) *
         static_cast<double>(iterations) * perIteration(costs, every);
}

// (exp((x t + c) / m) - 1) / x falls and then rises in x, so that the least x
// from which on it no longer falls is found by halving.
int64_t bestEvery(const SnapshotCosts &costs, int64_t most) {
  int64_t low = 1, high = std::max<int64_t>(most, 1);
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (perIteration(costs, middle) <= perIteration(costs, middle + 1))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

} // namespace pebble::chain

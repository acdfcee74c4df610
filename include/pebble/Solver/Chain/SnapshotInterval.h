//===- SnapshotInterval.h - how often to take a snapshot --------*- C++ -*-===//
//
// A program that fails at random loses the work since its last snapshot, and
// one that takes many loses time to them. Failures come as a Poisson process of
// a known mean time between them; they may hit a snapshot and a restart too.
//
// J. W. Young, "A first order approximation to the optimum checkpoint
// interval", CACM 17 (1974). J. T. Daly, "A higher order estimate of the
// optimum checkpoint interval for restart dumps", FGCS 22 (2006), whose exact
// model is expectedTime().
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CHAIN_SNAPSHOTINTERVAL_H
#define PEBBLE_SOLVER_CHAIN_SNAPSHOTINTERVAL_H

#include <cstdint>

namespace pebble::chain {

/// All in one unit of time. Each is positive; `restart` may be 0.
struct SnapshotCosts {
  double iteration = 0; ///< of the loop
  double snapshot = 0;  ///< one snapshot
  double restart = 0;   ///< from a failure until the loop goes on
  double failures = 0;  ///< mean time from one to the next
};

/// Time of work between two snapshots: the square root of
/// 2 * snapshot * failures.
double youngInterval(const SnapshotCosts &costs);

/// Daly's estimate, which is good where snapshots take long as well.
double dalyInterval(const SnapshotCosts &costs);

/// How long `iterations` take on average with a snapshot every `every`
/// iterations. Infinite where that is beyond a double.
double expectedTime(const SnapshotCosts &costs, int64_t iterations,
                    int64_t every);

/// The least number of iterations from one snapshot to the next, at most
/// `most`, at which an iteration takes the least time on average: the optimum
/// of the model.
int64_t bestEvery(const SnapshotCosts &costs, int64_t most);

} // namespace pebble::chain

#endif // PEBBLE_SOLVER_CHAIN_SNAPSHOTINTERVAL_H

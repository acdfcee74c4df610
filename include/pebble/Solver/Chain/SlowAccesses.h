//===- SlowAccesses.h - how often slow slots of a loop are used -*- C++ -*-===//
//
// Counts what the binomial schedule of a loop moves to and from the slots at
// the bottom of its stack, without playing it step by step.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CHAIN_SLOWACCESSES_H
#define PEBBLE_SOLVER_CHAIN_SLOWACCESSES_H

#include <cstdint>

namespace pebble::chain {

/// How often the slots of a slower tier are written and read while a loop is
/// reversed.
struct SlowAccesses {
  int64_t savedFirst = 0; ///< in the first sweep
  int64_t saved = 0;      ///< in all sweeps
  int64_t restored = 0;
};

/// The same for `steps` steps, and `slots` slots of which the first `slow`
/// above slot 0 are slow. Takes time and memory in the number of different
/// lengths that the schedule cuts the loop into, which is hundreds for a
/// billion steps.
SlowAccesses countSlowAccesses(int64_t steps, int64_t slots, int64_t slow);

} // namespace pebble::chain

#endif // PEBBLE_SOLVER_CHAIN_SLOWACCESSES_H

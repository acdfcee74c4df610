//===- TimeShares.h - one time limit for many jobs --------------*- C++ -*-===//
//
// Divides the time that is left among jobs by their weight, one after the
// other: what one leaves is there for those that follow.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_TIMESHARES_H
#define PEBBLE_LIB_TRANSFORMS_TIMESHARES_H

#include "pebble/Solver/Graph/Limits.h"

#include "mlir/IR/Block.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {

/// `limits`; or, where somebody interrupted the search, a moment that the
/// interrupt does not end: what is still to be planned gets a plan, too.
inline graph::Limits afterInterrupt(const graph::Limits &limits) {
  constexpr int64_t kMoment = 1000;
  return limits.isInterrupted() ? limits.within(kMoment).interruptedBy(nullptr)
                                : limits;
}

class TimeShares {
public:
  TimeShares() = default;
  /// For jobs that weigh `weight` together.
  TimeShares(const graph::Limits &all, int64_t weight)
      : all(all), left(weight) {}

  /// What the next job may take; all that is left, if it is the last one.
  graph::Limits next(int64_t weight) {
    const int64_t before = std::max(left, weight);
    left = std::max<int64_t>(0, left - weight);
    return all.share(std::max<int64_t>(1, weight),
                     std::max<int64_t>(1, before));
  }

private:
  graph::Limits all;
  int64_t left = 0;
};

/// What planning a block weighs: the ops that it holds, and those of the blocks
/// inside that are planned by themselves.
int64_t getPlanningWeight(mlir::Block &block);
/// The same of all blocks of a function.
int64_t getPlanningWeight(mlir::FunctionOpInterface function);
/// The same of all functions inside of `op`.
int64_t getPlanningWeight(mlir::Operation *op);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_TIMESHARES_H

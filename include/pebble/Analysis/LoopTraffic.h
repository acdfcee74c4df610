//===- LoopTraffic.h - a block called again and again -----------*- C++ -*-===//
//
// Predicts what caches of lines serve when a block is called in a loop, as the
// runtime runs it: the account that a simulator of caches can be held against.
// TrafficAnalysis prices one run by the definitions of the cache models; this
// differs from its `lru` where a machine does:
//
//   - caches hold addresses, not storages: what a storage leaves behind stays
//     cached until it is pushed out, and a fresh storage of the same size takes
//     over the address that was given back last;
//   - a call finds the caches as the call before left them;
//   - sizes are rounded up to whole lines;
//   - a step that overwrites what it reads does so line by line, so that the
//     write is served by the fastest tier.
//
// An address that no storage had before is served by the compute tier. What
// exists before the first call lies in the caches as `lru` has it.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_LOOPTRAFFIC_H
#define PEBBLE_ANALYSIS_LOOPTRAFFIC_H

#include "pebble/Analysis/Traffic.h"

namespace pebble {

/// Bytes served by each tier, and their energy in femtojoules.
struct ServedBytes {
  llvm::SmallVector<int64_t> perTier;
  int64_t energy = 0;
};

class LoopTrafficAnalysis {
public:
  static constexpr int64_t kLineBytes = 64;

  /// `calls` calls, at least one, with the steps in the order of `lifetime`.
  /// Near-linear in calls times accesses. Moves are left out.
  LoopTrafficAnalysis(const LifetimeAnalysis &lifetime,
                      const HierarchyCosts &hierarchy, int64_t calls);

  int64_t getCalls() const { return calls; }
  const ServedBytes &getFirstCall() const { return firstCall; }
  const ServedBytes &getAllCalls() const { return allCalls; }

private:
  int64_t calls;
  ServedBytes firstCall, allCalls;
};

} // namespace pebble

#endif // PEBBLE_ANALYSIS_LOOPTRAFFIC_H

//===- Meter.h - counts what is live and what was moved ---------*- C++ -*-===//
//
// Pure bookkeeping: no memory is allocated or copied here, and nothing locks.
// Runtime.cpp calls it under its lock.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_RUNTIME_METER_H
#define PEBBLE_LIB_RUNTIME_METER_H

#include "pebble/Runtime/Runtime.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pebble::runtime {

/// One tier and what is in it.
struct Tier {
  std::string name;
  int64_t capacity = PEBBLE_RT_UNBOUNDED;
  pebble_rt_backing backing = PEBBLE_RT_MEMORY;
  /// Of pebble_rt_set_pace; 0 is as fast as it goes.
  int64_t bandwidth = 0;
  int64_t latency = 0;
  int64_t live = 0;
  int64_t peak = 0;
  /// The highest end of a placement.
  int64_t extent = 0;
};

/// When the bytes of a transfer moved.
struct Interval {
  std::chrono::steady_clock::time_point begin, end;
  /// It was made beside the program.
  bool isQueued = false;
};

class Meter {
public:
  /// What a buffer of `bytes` bytes counts as; saturates at INT64_MAX.
  static int64_t counted(int64_t bytes);

  /// A tier by id; ids nobody added come into being (Runtime.h). `id` is not
  /// negative.
  Tier &tier(int32_t id);
  int32_t addTier(std::string name, int64_t capacity,
                  pebble_rt_backing backing);
  int32_t tierCount() const { return static_cast<int32_t>(tiers.size()); }

  /// Counts a new buffer, or returns false and the reason in `error`.
  bool add(int32_t tier, int64_t bytes, std::string &error);
  /// Counts a placement that ends at `end` in its tier.
  void reach(int32_t tier, int64_t end);
  /// Takes a buffer out again.
  void remove(int32_t tier, int64_t bytes);
  /// Counts a transfer; within one tier it is none.
  void move(int32_t from, int32_t to, int64_t bytes);
  int64_t moved(int32_t from, int32_t to) const;

  /// Transfers of compressed values, which `move` counts as well.
  pebble_rt_compression compression = {};

  /// Counts the time of a transfer between tiers, and of the stall for it.
  void time(int64_t transfer, int64_t stall) {
    transferNs += transfer;
    stallNs += stall;
  }
  int64_t transferTime() const { return transferNs; }
  int64_t stallTime() const { return stallNs; }

  /// The timeline. `note` stamps the time and the tier's live bytes.
  void record(bool on, int64_t limit);
  void note(pebble_rt_event_kind kind, int32_t tier, int32_t from,
            int64_t buffer, int64_t bytes, Interval moved = {},
            int64_t stall = 0);
  const std::vector<pebble_rt_event> &events() const { return timeline; }
  /// Events that came after the limit.
  int64_t droppedEvents() const { return dropped; }

  /// Peaks start again from what is live; all else is forgotten, extents too.
  void reset();

private:
  /// A deque, so that names stay where they are when tiers are added.
  std::deque<Tier> tiers;
  std::map<std::pair<int32_t, int32_t>, int64_t> moves;
  std::vector<pebble_rt_event> timeline;
  int64_t transferNs = 0;
  int64_t stallNs = 0;
  bool recording = false;
  int64_t limit = 0;
  int64_t dropped = 0;
  std::chrono::steady_clock::time_point start;
};

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_METER_H

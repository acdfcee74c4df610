//===- Transfers.h - copies that run beside the program ---------*- C++ -*-===//
//
// One thread copies in the order in which copies were started. Knows neither
// tiers nor the meter.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_RUNTIME_TRANSFERS_H
#define PEBBLE_LIB_RUNTIME_TRANSFERS_H

#include "Backing.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace pebble::runtime {

using Clock = std::chrono::steady_clock;

/// A copy to make.
struct Transfer {
  Place destination;
  Place source;
  size_t bytes = 0;
  /// Bytes that are moved: fewer, to and from a compressed value.
  int64_t moved = 0;
  /// The source in memory, where a compressed destination has to look at it and
  /// it is not.
  std::shared_ptr<std::vector<char>> staged;
  /// It takes at least this long: a tier may be slower than what stands for it.
  std::chrono::nanoseconds least{0};
};

/// What became of it.
struct Outcome {
  Clock::time_point begin, end;
  /// Of a copy that was queued: how long the thread had copied when it was
  /// made, this copy included.
  std::chrono::nanoseconds busy{0};
  std::string error; ///< empty if every byte arrived

  int64_t nanoseconds() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin)
        .count();
  }
};

/// Makes the copy here and now.
Outcome perform(const Transfer &transfer);

class Transfers {
public:
  ~Transfers() { stop(); }

  /// Queues a copy; starts the thread when the first one comes. Returns its
  /// number, counted from 1.
  int64_t start(const Transfer &transfer);

  /// Blocks until copy number `ticket` is made; to be asked once of each.
  /// `stall`: for how long a copy was made meanwhile, this one or one before
  /// it. What waking up takes is no part of it.
  Outcome wait(int64_t ticket, std::chrono::nanoseconds &stall);

  /// Ends the thread when all copies are made.
  void stop();

private:
  void work();
  /// How long the thread has copied until `now`. Under the lock.
  std::chrono::nanoseconds getBusy(Clock::time_point now) const;

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Transfer> queue;
  std::map<int64_t, Outcome> outcomes; ///< made and not asked for
  /// Of all copies that are made; and since when the next one is under way, if
  /// one is.
  std::chrono::nanoseconds busy{0};
  std::optional<Clock::time_point> underWay;
  /// Changed under the lock, but also looked at without it.
  std::atomic<int64_t> started{0};
  std::atomic<int64_t> done{0};
  std::atomic<bool> stopping{false};
  std::thread worker;
};

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_TRANSFERS_H

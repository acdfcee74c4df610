//===- Limits.h - when a search has to give up ------------------*- C++ -*-===//
//
// A deadline, and the bytes that the tables of a search may take. Whoever asks
// a solver hands it Limits; a portfolio hands parts of what is left of them to
// each of its searches; a search looks at them now and then, through a stop
// sign. Reaching one ends a search with what is known by then, which is said
// (`limited`), and proves nothing.
//
// Answers that the clock cut off depend on the machine. Those that memory cut
// off do not: each search counts its own tables, and searches that run at once
// get a share each.
//
// A deadline that somebody asked for is used up: searches that could go on for
// ever go on until it is over. The default one only guards against searches
// that do not end. It cuts off nothing in its first third, and up to there an
// answer is the one that no deadline at all gives.
//
// Whoever waits may look on (`Observer`), and may end the search by a flag.
// Both are theirs, and the solvers know them only through Limits.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_GRAPH_LIMITS_H
#define PEBBLE_SOLVER_GRAPH_LIMITS_H

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace pebble::graph {

/// Looks on while a search goes on. Several threads may call at once, and wait
/// for the answer.
class Observer {
public:
  virtual ~Observer() = default;
  /// The best schedule so far costs `cost` (none: there is none yet), and no
  /// schedule costs less than `bound`.
  virtual void onProgress(std::optional<int64_t> cost, int64_t bound) = 0;
};

class Limits {
public:
  using Clock = std::chrono::steady_clock;

  /// Bytes of tables where nobody says.
  static constexpr uint64_t kTableBytes = uint64_t(4) * 1000 * 1000 * 1000;

  /// No deadline.
  Limits() = default;
  /// `milliseconds` from now on; 0: no deadline. 0 bytes: kTableBytes.
  explicit Limits(int64_t milliseconds, uint64_t tableBytes = 0)
      : bytes(tableBytes ? tableBytes : kTableBytes) {
    if (milliseconds > 0)
      end = Clock::now() + toDuration(milliseconds);
  }

  /// The default deadline from now on.
  static Limits byDefault(uint64_t tableBytes = 0) {
    Limits result(kDefaultMs, tableBytes);
    result.uncut = Clock::now() + toDuration(kUncutMs);
    return result;
  }
  static constexpr int64_t kDefaultMs = 60000, kUncutMs = 20000;

  /// Somebody asked for the time until the deadline, so it is to be used.
  bool isTimed() const { return end && !uncut; }
  bool isOver() const {
    return isInterrupted() || (end && Clock::now() >= *end);
  }
  const std::optional<Clock::time_point> &deadline() const { return end; }

  /// Milliseconds that are left, at least 1; 0 where there is no deadline.
  int64_t left() const {
    if (isInterrupted())
      return 1;
    if (!end)
      return 0;
    return std::max<int64_t>(
        1, std::chrono::duration_cast<std::chrono::milliseconds>(*end -
                                                                 Clock::now())
               .count());
  }

  /// One of `parts` equal parts of the time that is left, from now on, less
  /// `reserved` milliseconds. The tables of one are gone before the next.
  Limits part(int64_t parts, int64_t reserved = 0) const {
    return share(1, parts, reserved);
  }

  /// `weight` parts of `all` of the time that is left, from now on, less
  /// `reserved` milliseconds.
  Limits share(int64_t weight, int64_t all, int64_t reserved = 0) const {
    Limits result = *this;
    if (!end)
      return result;
    const auto now = Clock::now();
    const std::chrono::duration<double, Clock::period> left =
        *end - now - std::chrono::milliseconds(reserved);
    result.end = now + std::chrono::duration_cast<Clock::duration>(
                           left * static_cast<double>(weight) /
                           static_cast<double>(std::max(all, weight)));
    if (uncut)
      result.end = std::min(*end, std::max(*result.end, *uncut));
    return result;
  }

  /// No later than `milliseconds` from now on.
  Limits within(int64_t milliseconds) const {
    Limits result = *this;
    const auto other = Clock::now() + toDuration(milliseconds);
    result.end = end ? std::min(*end, other) : other;
    result.uncut.reset();
    return result;
  }

  /// Over as soon as `flag` is set, which outlives the search.
  Limits interruptedBy(const std::atomic<bool> *flag) const {
    Limits result = *this;
    result.interrupt = flag;
    return result;
  }
  bool isInterrupted() const {
    return interrupt && interrupt->load(std::memory_order_relaxed);
  }

  /// `who`, who outlives the search, hears of it; null: nobody does.
  Limits observedBy(Observer *who) const {
    Limits result = *this;
    result.observer = who;
    return result;
  }
  Observer *getObserver() const { return observer; }
  void report(std::optional<int64_t> cost, int64_t bound) const {
    if (observer)
      observer->onProgress(cost, bound);
  }

  uint64_t tableBytes() const { return bytes; }

private:
  /// At most some 30 years: clocks count nanoseconds in 63 bits.
  static std::chrono::milliseconds toDuration(int64_t milliseconds) {
    constexpr int64_t kLongest = 1000000000000;
    return std::chrono::milliseconds(std::min(milliseconds, kLongest));
  }

  std::optional<Clock::time_point> end;
  /// Nothing ends before; set for the default deadline alone.
  std::optional<Clock::time_point> uncut;
  const std::atomic<bool> *interrupt = nullptr;
  Observer *observer = nullptr;
  uint64_t bytes = kTableBytes;
};

/// What a search looks at. Goes up at the deadline, or when somebody raises it.
class StopSign {
public:
  /// Never goes up by itself.
  StopSign() = default;
  explicit StopSign(const Limits &limits) : limits(limits) {}

  void raise() { raised.store(true, std::memory_order_relaxed); }
  bool isUp() const {
    return raised.load(std::memory_order_relaxed) || limits.isOver();
  }
  const Limits &getLimits() const { return limits; }

private:
  std::atomic<bool> raised{false};
  Limits limits;
};

/// `4GB`, `512MiB`, `1000`: a number of bytes, if it is one of less than 2^63.
std::optional<uint64_t> parseBytes(const std::string &text);

/// The bytes that tables may take under a stop sign, which may be null.
inline uint64_t tableBytesOf(const StopSign *stop) {
  return stop ? stop->getLimits().tableBytes() : Limits::kTableBytes;
}

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_GRAPH_LIMITS_H

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

  bool isTimed() const { return end.has_value(); }
  bool isOver() const { return end && Clock::now() >= *end; }
  const std::optional<Clock::time_point> &deadline() const { return end; }

  /// Milliseconds that are left, at least 1; 0 where there is no deadline.
  int64_t left() const {
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
    Limits result = *this;
    if (end)
      result.end =
          Clock::now() +
          (*end - Clock::now() - std::chrono::milliseconds(reserved)) / parts;
    return result;
  }

  /// No later than `milliseconds` from now on.
  Limits within(int64_t milliseconds) const {
    Limits result = *this;
    const auto other = Clock::now() + toDuration(milliseconds);
    result.end = end ? std::min(*end, other) : other;
    return result;
  }

  uint64_t tableBytes() const { return bytes; }

private:
  /// At most some 30 years: clocks count nanoseconds in 63 bits.
  static std::chrono::milliseconds toDuration(int64_t milliseconds) {
    constexpr int64_t kLongest = 1000000000000;
    return std::chrono::milliseconds(std::min(milliseconds, kLongest));
  }

  std::optional<Clock::time_point> end;
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

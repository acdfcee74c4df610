//===- StopSign.h - when a search has to give up ----------------*- C++ -*-===//
//
// A deadline that searches look at now and then. Answers that depend on it
// depend on the machine, so whoever uses one says `limited` in the answer.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_GRAPH_STOPSIGN_H
#define PEBBLE_SOLVER_GRAPH_STOPSIGN_H

#include <atomic>
#include <chrono>
#include <cstdint>

namespace pebble::graph {

class StopSign {
public:
  /// Never goes up by itself.
  StopSign() = default;
  /// Goes up after `milliseconds`; 0 means never.
  explicit StopSign(int64_t milliseconds)
      : timed(milliseconds > 0),
        deadline(std::chrono::steady_clock::now() +
                 std::chrono::milliseconds(milliseconds)) {}

  void raise() { raised.store(true, std::memory_order_relaxed); }
  bool isUp() const {
    return raised.load(std::memory_order_relaxed) ||
           (timed && std::chrono::steady_clock::now() >= deadline);
  }

private:
  std::atomic<bool> raised{false};
  bool timed = false;
  std::chrono::steady_clock::time_point deadline;
};

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_GRAPH_STOPSIGN_H

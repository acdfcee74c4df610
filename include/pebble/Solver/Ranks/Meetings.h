//===- Meetings.h - whether all ranks come to their end ---------*- C++ -*-===//
//
// Plays what all ranks send, receive and do together, each in its own order,
// and finds where they cannot go on. A send is taken to wait for its receive: a
// program that needs a library to keep messages for it may hang on another one.
// Without receives from anybody it does not matter who goes first, so one play
// decides it. What members of a group do together meets in the order in which
// each of them comes to it, or starts it. Linear in the number of events.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_RANKS_MEETINGS_H
#define PEBBLE_SOLVER_RANKS_MEETINGS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pebble::ranks {

struct Event {
  enum What : uint8_t {
    Send,         ///< until it is received
    Receive,      ///< until it has come
    StartSend,    ///< goes on at once
    StartReceive, ///< goes on at once
    Wait,         ///< for the event number `started` of the same rank
    Together,     ///< until all members are there
    StartTogether ///< goes on at once; meets others like it, and Together
  };
  What what = Send;
  /// The other rank, of sends and receives.
  int64_t peer = 0;
  int64_t tag = 0;
  int64_t bytes = 0;
  /// Which group of ranks talks (a communicator); the same number on all its
  /// ranks.
  int64_t comm = 0;
  size_t started = 0;
  /// Of Together and StartTogether: who takes part, and what it is, so that two
  /// that differ do not meet.
  std::vector<int64_t> members;
  std::string kind;
};

/// Where a rank stands.
struct Stand {
  int64_t rank = 0;
  size_t event = 0;
};

struct Trouble {
  enum Why : uint8_t {
    /// `at` waits for what never comes; `others` wait in a circle with it, or
    /// are empty where the one it waits for has ended.
    Stuck,
    /// Members meet at different operations: `at`, and the first of `others`.
    Differ,
    /// A message of `at` has other bytes than the receive in `others` takes.
    Bytes,
    /// `at` started what nobody waits for or answers.
    Open,
    /// `at` names a rank that there is not.
    NoRank
  };
  Why why = Stuck;
  Stand at;
  std::vector<Stand> others;
};

/// The first trouble, if there is one; `events[r]` is what rank r does.
std::optional<Trouble>
findTrouble(const std::vector<std::vector<Event>> &events);

} // namespace pebble::ranks

#endif // PEBBLE_SOLVER_RANKS_MEETINGS_H

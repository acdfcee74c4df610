//===- Collectives.h - hide collectives behind computation ------*- C++ -*-===//
//
// Takes an order of steps and lets what ranks do together run beside them: a
// collective starts early enough to have ended when its result is read, and is
// waited for as late as that, as far as the budget leaves room. The order of
// all other steps stays; postponeReaders() has another one. It is done as for
// transfers between tiers (Overlap.h): backwards, against a deadline, with a
// table of the room that is left.
//
// One worker runs the steps. Each kind of link has one that sends, one
// collective after the other in the order in which they were started.
//
// Not optimal: windows are granted one after another. Never slower than waiting
// for each collective where it starts: every candidate goes through
// replayCollectives(), and that one is the first.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_TIMELINE_COLLECTIVES_H
#define PEBBLE_SOLVER_TIMELINE_COLLECTIVES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pebble::timeline {

/// Steps by their places in the order. Gap g is before the step at place g.
struct CollectiveOrder {
  /// Nanoseconds of each step on this rank; of a collective what it takes
  /// besides sending.
  std::vector<int64_t> steps;
  /// Bytes that each step leaves of the budget.
  std::vector<int64_t> room;
  /// Pairs of places: the second step must come after the first.
  std::vector<std::pair<size_t, size_t>> dependences;

  struct Collective {
    /// Its place in the order.
    size_t place = 0;
    /// Nanoseconds of sending.
    int64_t duration = 0;
    /// Its input is live up to this place, whatever it does.
    size_t sourceEnd = 0;
    /// Footprints of its input and its result.
    int64_t sourceBytes = 0, resultBytes = 0;
    /// The kind of link that it goes over.
    size_t link = 0;
  };
  std::vector<Collective> collectives;

  /// Between tiers, from one step to a later one, which waits for it. Both stay
  /// where they are. Transfers are made one after the other.
  struct Transfer {
    size_t start = 0, wait = 0;
    int64_t duration = 0;
  };
  std::vector<Transfer> transfers;
};

/// By collective: the gaps in which it starts and is waited for. start <= place
/// and place < wait.
struct CollectiveWindow {
  size_t start = 0, wait = 0;
};

/// One thing that happens: a step runs, or a collective starts or is waited
/// for.
struct CollectiveAction {
  enum Kind { Run, Start, Wait } kind = Run;
  /// The place of the step, or the number of the collective.
  size_t subject = 0;
};

struct CollectiveClock {
  /// Why the windows are refused; empty if they are not.
  std::string refusal;
  int64_t makespan = 0, computing = 0, sending = 0, stalled = 0;
  /// For transfers.
  int64_t waited = 0;
  /// The program.
  std::vector<CollectiveAction> actions;
  /// By place, and at the end: when it is reached.
  std::vector<int64_t> times;

  /// Nanoseconds of sending that nobody waits for.
  int64_t getHidden() const { return sending - stalled; }
};

/// Plays the steps with the collectives in `windows`, and reads the clock.
/// Refuses windows that break a dependence, or that take more room than there
/// is: between its start and its place the result of a collective is live, and
/// between its place and its wait the input. Knows nobody who places. Time
/// linear in steps, dependences and the lengths of windows.
CollectiveClock replayCollectives(const CollectiveOrder &order,
                                  const std::vector<CollectiveWindow> &windows);

/// The windows in which each collective is waited for where it stands.
std::vector<CollectiveWindow> waitAtOnce(const CollectiveOrder &order);

/// The fastest windows found. No program that runs these steps ends before it
/// has computed, nor before one of the links has sent all that goes over it.
/// Time O(dependences + c w) for c collectives and windows of w steps.
std::vector<CollectiveWindow> overlapCollectives(const CollectiveOrder &order);

/// Another order of the steps, by their places in this one, in which what reads
/// the result of a collective that is under way gives way to what can run now,
/// and how long that would take if each collective started where it stands. At
/// most `lookahead` steps are looked at for one that can run: with fewer of
/// them, less is live. Keeps all dependences, and does not look at room. List
/// scheduling (R. L. Graham, Bounds on multiprocessing timing anomalies, 1969).
/// Time O(dependences + n lookahead) for n steps.
struct PostponedOrder {
  std::vector<size_t> places;
  int64_t makespan = 0;
};
PostponedOrder postponeReaders(const CollectiveOrder &order, size_t lookahead);

} // namespace pebble::timeline

#endif // PEBBLE_SOLVER_TIMELINE_COLLECTIVES_H

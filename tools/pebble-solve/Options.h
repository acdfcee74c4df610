//===- Options.h - the command line of pebble-solve -------------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_SOLVE_OPTIONS_H
#define PEBBLE_TOOLS_PEBBLE_SOLVE_OPTIONS_H

#include "SearchWatch.h"

#include "pebble/Solver/Game/Means.h"
#include "pebble/Solver/Graph/Budget.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Target/PresetTables.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pebble::solve_tool {

enum class Objective { Cost, Peak, Energy, Time };
using game::Means;

/// A game on a chain, as --chain asks for it.
struct GameOptions {
  std::optional<int64_t> steps, fastSlots;
  std::string rules;
  int64_t forwardCost = 1, backwardCost = 1, seedCost = 0;
  /// One entry for each slower tier.
  std::vector<int64_t> storeCosts, loadCosts, slowSlots;
  bool readOnce = false;
  std::optional<int64_t> period;
  /// Of rules `mixed`; --budget is its memory.
  int64_t snapshotSize = 1, tapeSize = 1;
  std::optional<int64_t> tapingCost;
  /// The first option of this kind that was given.
  std::string first;
};

struct Options {
  std::string file;
  bool json = false, printSchedule = false, help = false, chain = false;
  bool version = false, listTargets = false;
  bool countOrders = false, progress = false;
  /// "json" or "text": print the problem and stop.
  std::string printProblem;
  /// A file with a schedule to judge.
  std::string verify;
  /// A file with a schedule to start from.
  std::string start;
  /// Points of a sweep; none: there is none.
  std::optional<int64_t> sweep;
  /// A file for the picture of a sweep.
  std::string picture;
  /// A file for the MILP that the solver builds.
  std::string mps;
  /// The one that counts, and --budget-percent while options are read.
  std::optional<graph::Budget> budget, percent;
  Objective objective = Objective::Cost;
  bool fixedOrder = false;
  std::optional<Means> means;
  /// Thousandths of the cost of a store or load per unit of size.
  std::optional<int64_t> offloadRateMilli;
  /// Set where the file says what its tiers take.
  bool ownHierarchy = false;
  /// Of offsets, where buffers are placed.
  int64_t alignment = 1;
  std::string solver, target, cacheModel = "lru";
  /// What --target names.
  std::optional<Preset> machine;
  /// Attempts of the least cost that are left out.
  std::vector<std::string> without;
  /// 0: none; not given: Limits::byDefault().
  std::optional<int64_t> timeLimitMs;
  uint64_t tableBytes = graph::Limits::kTableBytes;
  uint64_t seed = 0, effort = 0;
  GameOptions chainGame;

  /// For all that is searched from now on.
  void startClock() {
    clock = timeLimitMs ? graph::Limits(*timeLimitMs, tableBytes)
                        : graph::Limits::byDefault(tableBytes);
  }
  const graph::Limits &limits() const { return clock; }
  /// Whoever waits looks on, and may end the search by `interrupt`.
  void watchedBy(tool::SearchWatch &who) {
    watch = &who;
    clock = clock.observedBy(watch).interruptedBy(who.getInterrupt());
  }
  tool::SearchWatch *watch = nullptr;

private:
  graph::Limits clock;
};

/// Reads the command line. The error, or an empty string.
std::string parseOptions(int argc, char **argv, Options &options);

/// What --help prints: the options, and the solvers by name.
std::string usage();

} // namespace pebble::solve_tool

#endif // PEBBLE_TOOLS_PEBBLE_SOLVE_OPTIONS_H

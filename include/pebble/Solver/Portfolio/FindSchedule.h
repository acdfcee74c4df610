//===- FindSchedule.h - one request, one answer -----------------*- C++ -*-===//
//
// The planner. A request says what is wanted of a problem: the objective, what
// may be done, prices, a budget, what users wish, what is known already, and
// when to stop. Named attempts work on it one after another and share one
// incumbent. `pebble-solve` and `--pebble-schedule` both ask here, so that one
// problem has one answer.
//
// Chains of updates in place are first drawn together into units that may run
// again (StepUnits.h). Without transfers the attempts are those of LeastCost.h;
// with transfers they are those of FindMoves.cpp, which know the clock too.
// Passes have such units, and files whose updates may be out of place; others
// name no chains of updates (rule G9).
//
// Updates in place that stand in the way of such a unit may be made out of
// place where the request allows it (OutOfPlace.h). The problem as it is comes
// first; if its answer costs more than every step once, those in which updates
// write storages of their own are tried as well, and the cheapest answer is
// taken.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_PORTFOLIO_FINDSCHEDULE_H
#define PEBBLE_SOLVER_PORTFOLIO_FINDSCHEDULE_H

#include "pebble/Solver/Energy/EnergyModel.h"
#include "pebble/Solver/Portfolio/LeastCost.h"
#include "pebble/Solver/Portfolio/OutOfPlace.h"
#include "pebble/Solver/Portfolio/StepUnits.h"
#include "pebble/Solver/Timeline/Overlap.h"

#include <optional>
#include <string>
#include <vector>

namespace pebble::portfolio {

/// What a cost is made of.
enum class Objective {
  /// The runs. Transfers cost nothing; of two schedules that run the same work
  /// the one that moves fewer bytes is better.
  Work,
  /// The runs, and the prices of all transfers.
  Cost,
  /// Until the last step and transfer has ended, where transfers run beside
  /// steps.
  Time
};

struct Request {
  /// Checked. Steps cost what one run costs in the unit of the objective;
  /// all costs together stay below 2^50.
  game::Problem problem;
  /// By step: why it cannot run a second time, empty if it can. A unit of
  /// steps may do what its members may not, so that updates in place are no
  /// reason. Empty: steps run again where the problem says so.
  std::vector<std::string> runOnce;
  Objective objective = Objective::Cost;
  /// Means, prices of transfers, budget, solver, seed, effort, limits: as
  /// LeastCost.h has them. Without `transfers` the means say what a byte costs.
  graph::LeastCostOptions search;
  /// Ask for the least peak that can be found, whatever it costs; the budget is
  /// then no more than a limit.
  bool leanest = false;
  /// Name the leanest schedule that is known where none fits, which may take as
  /// long as the search did.
  bool namesLeast = false;
  /// How caches price accesses, where the hierarchy has some: the orders of one
  /// set of steps then differ in cost.
  std::optional<graph::CacheModel> caches;
  /// The problem allows less than what it stands for: its bounds prove nothing,
  /// and it counts `untouched` bytes throughout that need not be there.
  bool isRestricted = false;
  int64_t untouched = 0;
  /// By value: the tier in which a user wants it between its uses, 0 for none.
  /// Empty: there are no such wishes.
  std::vector<game::Id> wantedTiers;
  /// Runs of an old plan, perhaps of another program, to start from. They need
  /// not make a schedule. Without transfers the answer costs no more than what
  /// they are mended to, where that fits.
  std::vector<game::Id> oldRuns;
  /// Updates that need not be in place.
  std::vector<Update> updates;
};

/// The leanest schedule that is known.
struct Leanest {
  /// Live bytes that it needs, as the problem counts.
  int64_t bytes = 0;
  /// Empty if none is known at all.
  std::vector<game::Move> moves;
  std::string solver;
  /// No schedule with the means that are allowed needs less.
  bool isProven = false;
  /// The peak of the leanest order.
  int64_t orderPeak = 0;
};

struct Answer {
  /// Moves are of the problem, whatever was drawn together. Of Objective::Time
  /// the cost is the makespan, and the moves are those of `program` as they
  /// start.
  game::Schedule schedule;
  /// Why the solver that was asked for does not take the problem; empty if it
  /// does.
  std::string refusal;
  /// With transfers beside steps: when each of them starts and is waited for.
  std::optional<timeline::Overlapped> program;
  /// What is known to be leanest, where no schedule fits or the leanest was
  /// asked for.
  std::optional<Leanest> least;
  /// By step: the cost of all that runs again with it, and why it cannot run
  /// again in such company.
  std::vector<int64_t> unitCosts;
  std::vector<std::string> runOnce;
  /// Updates that are not in place in the schedule, or in the leanest one if
  /// there is no other: moves are of withFreshStorages() for these.
  std::vector<Update> outOfPlace;
};

/// The best schedule that the attempts find.
Answer findSchedule(const Request &request);

/// The names of all attempts, each once: those that mix means last.
std::vector<std::string> attemptNames();

/// The problem that answers are judged by: steps run again where a unit may.
game::Problem judgedProblem(const game::Problem &problem,
                            const std::vector<std::string> &runOnce);

} // namespace pebble::portfolio

#endif // PEBBLE_SOLVER_PORTFOLIO_FINDSCHEDULE_H

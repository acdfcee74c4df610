//===- MilpSolvers.cpp - least cost through a MILP ------------------------===//

#include "MilpSolvers.h"
#include "MilpBound.h"
#include "Solver/Graph/Random.h"
#include "Solver/Graph/RunIds.h"
#include "Solver/Remat/TransferBound.h"
#include "StageModel.h"
#include "pebble/Solver/Milp/Highs.h"
#include "pebble/Solver/Remat/RematBound.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace pebble;
using namespace pebble::milp;
using game::Access;
using game::Id;
using game::kNone;
using game::Problem;
using game::Schedule;
using game::Status;
using graph::LeastCostOptions;

namespace {

/// Models of more columns are not built: they take gigabytes, and HiGHS would
/// not come through their relaxation.
constexpr size_t kMostColumns = 2000000;

int64_t budgetOf(const Problem &p, const LeastCostOptions &o) {
  if (o.budget)
    return *o.budget;
  return verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
}

/// An answer without moves: what can be said before a model is solved.
Schedule unanswered(const Problem &p, int64_t budget, const char *solver,
                    const graph::StopSign &stop) {
  Schedule s;
  s.solver = solver;
  s.bound = graph::costOfOneRun(p);
  int64_t bound = graph::rematBound(p, budget, nullptr, nullptr, &stop);
  if (bound == INT64_MAX)
    s.status = Status::Infeasible;
  else
    s.bound = std::max(s.bound, bound);
  return s;
}

/// Takes the runs into `s` if they make a schedule within the budget that is
/// cheaper than what it has.
bool take(const Problem &p, const std::vector<Id> &runs, int64_t budget,
          Schedule &s) {
  std::vector<game::Move> moves = graph::scheduleOfRuns(p, runs);
  game::Replay r = verify(p, moves, budget);
  bool answered = isAnswered(s.status);
  if (!r.verdict.ok() || (answered && r.cost >= s.cost))
    return false;
  s.moves = std::move(moves);
  s.cost = r.cost;
  s.peak = r.peak[0];
  s.status = s.cost <= s.bound ? Status::Optimal : Status::Feasible;
  return true;
}

/// The bound that a float stands for: costs beyond every step once are whole
/// multiples of the unit. A millionth of them is taken off for what
/// floating-point numbers leave out.
int64_t wholeBound(double beyond, const StageModel &stages) {
  double safe = beyond - 1e-6 * std::max(1.0, std::fabs(beyond));
  return stages.firstRunsCost() +
         (safe <= 0
              ? 0
              : static_cast<int64_t>(std::ceil(safe)) * stages.costUnit());
}

/// Solves a staged model; `take` is given the runs that come out, and says
/// whether they make a schedule. With a cutoff that is the cost of `s`: where
/// nothing of the model is below it, `s` is what the model cannot better.
template <typename Take>
void solveStages(const StageModel &stages, const LeastCostOptions &o,
                 std::vector<double> start, Schedule &s, Take take,
                 int64_t cutoff = INT64_MAX) {
  HighsOptions h;
  h.limits = o.limits;
  h.nodeLimit = o.effort;
  h.seed = o.seed;
  h.absoluteGap = 1 - 1e-4;
  h.start = std::move(start);
  if (cutoff != INT64_MAX) {
    const int64_t units = (cutoff - stages.firstRunsCost()) / stages.costUnit();
    h.cutoff = static_cast<double>(units);
  }
  HighsAnswer a = solveWithHighs(stages.model(), h);
  s.modelStatus = Status::Unknown;
  // What holds for every schedule holds for those of the model.
  s.modelBound =
      std::min(std::max(wholeBound(a.boundBeyond, stages), s.bound), cutoff);
  const bool found = !a.values.empty() && take(stages.runsOf(a.values));
  if (a.outcome == Outcome::Infeasible && cutoff != INT64_MAX)
    s.modelBound = cutoff;
  if (a.outcome == Outcome::Infeasible)
    s.modelStatus = cutoff == INT64_MAX ? Status::Infeasible : Status::Optimal;
  else if (a.outcome == Outcome::Optimal && found)
    s.modelStatus = Status::Optimal;
  else if (found)
    s.modelStatus = Status::Feasible;
  s.limited |= a.outcome == Outcome::Limited && s.status != Status::Optimal;
}

/// The same without transfers, for the runs that are cheaper than what `s` has.
void solveRecomputation(const Problem &p, const StageModel &stages,
                        const LeastCostOptions &o, int64_t budget,
                        const std::vector<Id> *start, Schedule &s) {
  std::vector<double> values;
  if (start)
    values = stages.valuesOf(*start).value_or(std::vector<double>{});
  solveStages(
      stages, o, std::move(values), s, [&](const std::vector<Id> &runs) {
        take(p, runs, budget, s);
        return verify(p, graph::scheduleOfRuns(p, runs), budget).verdict.ok();
      });
}

} // namespace

/// What is the same with and without transfers.
static std::string stagesRefusal(const Problem &p, const LeastCostOptions &o) {
  if (std::string why = StageModel::refusal(p); !why.empty())
    return why;
  if (size_t columns = StageModel::sizeOf(p, 1); columns > kMostColumns)
    return "would need a model of " + std::to_string(columns) +
           " columns, more than " + std::to_string(kMostColumns);
  if (!o.onModel && !highsMissing().empty())
    return "needs HiGHS, the MILP solver: " + highsMissing();
  return "";
}

std::string pebble::milp::milpRefusal(const Problem &p,
                                      const LeastCostOptions &o) {
  if (!o.means.recompute || o.means.offload)
    return "is to be solved with other means than recomputation, which the "
           "formulation does not have";
  return stagesRefusal(p, o);
}

Schedule pebble::milp::checkmate(const Problem &p, const LeastCostOptions &o) {
  const graph::StopSign stop(o.limits);
  const int64_t budget = budgetOf(p, o);
  Schedule s = unanswered(p, budget, "checkmate", stop);
  if (s.status == Status::Infeasible && !o.onModel)
    return s;
  StageModelOptions m;
  m.order = givenOrder(p);
  m.budget = budget;
  m.stop = &stop;
  // Several required values are to the formulation one last step that reads
  // them.
  m.endStage = true;
  const StageModel stages(p, m);
  if (o.onModel)
    o.onModel(stages.model());
  if (!stages.complete() || o.limits.isOver()) {
    s.limited = s.status != Status::Infeasible;
    return s;
  }
  if (highsMissing().empty() && s.status != Status::Infeasible)
    solveRecomputation(p, stages, o, budget, nullptr, s);
  return s;
}

namespace {

/// First runs of a schedule, in order.
std::vector<Id> firstRuns(const std::vector<Id> &runs, size_t steps) {
  std::vector<bool> ran(steps, false);
  std::vector<Id> order;
  for (Id step : runs) {
    if (!ran[step])
      order.push_back(step);
    ran[step] = true;
  }
  return order;
}

std::vector<Id> runsOf(const std::vector<game::Move> &moves) {
  std::vector<Id> runs;
  for (const game::Move &m : moves)
    if (m.kind == game::MoveKind::Compute)
      runs.push_back(m.subject);
  return runs;
}

} // namespace

namespace {

/// Raises the bound of an answer as far as MilpBound.h does in part of the
/// time.
void raiseBound(const Problem &p, const LeastCostOptions &o, int64_t budget,
                Schedule &s) {
  MilpBoundOptions b;
  b.budget = budget;
  b.fixedOrder = o.means.fixedOrder;
  b.limits = o.limits.part(3);
  b.seed = o.seed;
  b.whole = true;
  s.bound = std::max(s.bound, milpBound(p, b));
  if (s.status == Status::Feasible && s.cost <= s.bound)
    s.status = Status::Optimal;
}

} // namespace

Schedule pebble::milp::retentionIntervals(const Problem &p,
                                          const LeastCostOptions &o,
                                          Schedule s) {
  const graph::StopSign stop(o.limits);
  const int64_t budget = budgetOf(p, o);
  const bool done =
      s.status == Status::Optimal || s.status == Status::Infeasible;
  s.limited = false;
  if (done && !o.onModel)
    return s;

  std::vector<Id> start = runsOf(s.moves);
  StageModelOptions m;
  m.order = start.empty() ? givenOrder(p) : firstRuns(start, p.steps.size());
  m.budget = budget;
  m.stop = &stop;
  m.endStage = true;
  m.passes = std::min<size_t>(
      3, std::max<size_t>(2, StageModel::passesFor(p, m.order, start)));
  while (m.passes > 1 && StageModel::sizeOf(p, m.passes) > kMostColumns)
    --m.passes;
  const StageModel stages(p, m);
  if (o.onModel)
    o.onModel(stages.model());
  if (done)
    return s;
  if (!stages.complete() || o.limits.isOver()) {
    s.limited = true;
    return s;
  }
  if (!highsMissing().empty())
    return s;
  const int64_t known = s.moves.empty() ? INT64_MAX : s.cost;
  raiseBound(p, o, budget, s);
  if (s.status != Status::Optimal && !o.limits.isOver())
    solveRecomputation(p, stages, o, budget, &start, s);
  if (!s.moves.empty() && s.cost < known)
    s.solver = "retention-intervals";
  return s;
}

namespace {

/// Two-phase rounding: the carries are given, and what has to run follows.
class Rounding {
public:
  Rounding(const Problem &p, const StageModel &stages,
           const std::vector<double> &relaxed)
      : p(p), stages(stages), relaxed(relaxed), carries(stages.carries()) {}

  /// Runs if each value is carried where `threshold()` is at most its share.
  template <typename Threshold>
  std::vector<Id> round(Threshold threshold) {
    const size_t passes = stages.passCount();
    // carried[q]: values there when pass q begins, as far as that is wanted.
    std::vector<std::vector<bool>> carried(
        passes + 1, std::vector<bool>(p.values.size(), false));
    for (const StageModel::Carry &c : carries)
      carried[c.pass][c.value] = relaxed[c.column] >= threshold();
    for (Id v = 0; v < p.values.size(); ++v)
      carried[passes][v] = p.values[v].required;
    // From the last pass to the first: what the next one is given and what
    // runs here need must be carried into this pass or made in it.
    std::vector<std::vector<Id>> runsOf(passes);
    for (size_t q = passes; q-- > 0;)
      runsOf[q] = runsIn(q, carried[q], carried[q + 1]);
    std::vector<Id> runs;
    for (const std::vector<Id> &pass : runsOf)
      runs.insert(runs.end(), pass.begin(), pass.end());
    return runs;
  }

private:
  /// One pass in the given order, which slot numbers are. What cannot be made
  /// here is carried into the pass.
  std::vector<Id> runsIn(size_t q, std::vector<bool> &in,
                         const std::vector<bool> &out) {
    std::vector<bool> wanted(p.steps.size(), false);
    if (Id first = stages.firstRunIn(q); first != kNone)
      wanted[first] = true;
    auto want = [&](Id v) {
      Id maker = p.values[v].producer;
      if (maker == kNone || in[v])
        return;
      if (stages.mayRun(q, maker))
        wanted[maker] = true;
      else
        in[v] = true;
    };
    for (Id v = 0; v < p.values.size(); ++v)
      if (out[v])
        want(v);
    for (Id s = p.steps.size(); s-- > 0;) {
      if (!wanted[s])
        continue;
      for (const Access &a : p.steps[s].reads)
        want(a.value);
      for (const Access &a : p.steps[s].writes)
        if (Id old = p.values[a.value].overwrites; old != kNone)
          want(old);
    }
    std::vector<Id> runs;
    for (Id s = 0; s < p.steps.size(); ++s)
      if (wanted[s])
        runs.push_back(s);
    return runs;
  }

  const Problem &p;
  const StageModel &stages;
  const std::vector<double> &relaxed;
  std::vector<StageModel::Carry> carries;
};

} // namespace

Schedule pebble::milp::lpRounding(const Problem &p, const LeastCostOptions &o) {
  const graph::StopSign stop(o.limits);
  const int64_t budget = budgetOf(p, o);
  Schedule s = unanswered(p, budget, "lp-rounding", stop);
  if (s.status == Status::Infeasible && !o.onModel)
    return s;
  graph::Random random(o.seed + 1);
  const uint64_t samples = o.effort ? o.effort : 100;
  // The relaxation for a little less than the budget leaves room for what
  // rounding adds; the first one, for the whole, is the bound.
  for (int64_t less : {0, 5, 10, 20, 30}) {
    StageModelOptions m;
    m.order = givenOrder(p);
    m.budget = budget - budget / 100 * less;
    m.endStage = true;
    m.stop = &stop;
    const StageModel stages(p, m);
    if (less == 0 && o.onModel)
      o.onModel(stages.model());
    if (!highsMissing().empty() || s.status == Status::Infeasible)
      return s;
    if (!stages.complete() || o.limits.isOver()) {
      s.limited |= stages.fits();
      break;
    }
    HighsOptions h;
    h.relax = true;
    h.limits = o.limits;
    h.seed = o.seed;
    HighsAnswer a = solveWithHighs(stages.model(), h);
    if (less == 0) {
      s.modelStatus = Status::Unknown;
      if (a.outcome == Outcome::Infeasible)
        s.modelStatus = Status::Infeasible;
      const double all = stages.model().constant(),
                   bound = stages.model().lagrangianBound(a.multipliers);
      s.modelBound = wholeBound(bound - all - 1e-15 * all, stages);
    }
    s.limited |= a.outcome == Outcome::Limited;
    if (a.values.empty())
      break;
    Rounding rounding(p, stages, a.values);
    take(p, rounding.round([] { return 0.5; }), budget, s);
    for (uint64_t i = 0; i < samples && !o.limits.isOver(); ++i)
      take(p, rounding.round([&] {
        return (static_cast<double>(random.below(1000000)) + 0.5) / 1000000;
      }),
           budget, s);
    if (s.status == Status::Optimal)
      break;
  }
  s.limited &= s.status != Status::Optimal;
  return s;
}

/// Takes the moves into `s` if it has none that are as cheap; false if they
/// make no schedule within the budget.
static bool takeTransfers(const Problem &p, std::vector<game::Move> moves,
                          const graph::MoveCosts &transfers, int64_t budget,
                          Schedule &s) {
  game::Replay r = verify(p, moves, budget);
  if (moves.empty() || !r.verdict.ok())
    return false;
  const int64_t cost = graph::costOfMoves(p, moves, transfers);
  if (!s.moves.empty() && s.cost <= cost)
    return true;
  s.cost = cost;
  s.moves = std::move(moves);
  s.peak = r.peak[0];
  s.status = s.cost <= s.bound ? Status::Optimal : Status::Feasible;
  return true;
}

std::string pebble::milp::poetRefusal(const Problem &p,
                                      const LeastCostOptions &o) {
  if (!o.means.offload)
    return "is to be solved without transfers, which the formulation is about";
  const size_t compute = p.hierarchy.computeTier();
  if (p.explicitTierCount() != 2 ||
      p.hierarchy.tiers[compute + 1].capacity != game::kUnbounded)
    return "has other slower tiers than one without a limit, which the "
           "formulation does not know";
  return stagesRefusal(p, o);
}

Schedule pebble::milp::poet(const Problem &problem, const LeastCostOptions &o) {
  const graph::StopSign stop(o.limits);
  const int64_t budget = budgetOf(problem, o);
  const graph::MoveCosts transfers =
      o.transfers ? *o.transfers
                  : graph::costsByRate(problem, o.means.offloadRate);
  Problem p = problem;
  for (game::Step &step : p.steps)
    step.recomputable &= o.means.recompute;
  Schedule s;
  s.solver = "poet";
  s.bound = graph::costOfOneRun(p);
  int64_t bound =
      graph::transferBound(p, budget, transfers, o.means.recompute, &stop);
  if (bound == INT64_MAX)
    s.status = Status::Infeasible;
  else
    s.bound = std::max(s.bound, bound);
  if (s.status == Status::Infeasible && !o.onModel)
    return s;
  StageModelOptions m;
  if (takeTransfers(p, o.start, transfers, budget, s))
    m.cutoff = s.cost;
  if (s.status == Status::Optimal && !o.onModel) {
    s.modelStatus = Status::Optimal;
    s.modelBound = s.cost;
    return s;
  }
  m.order = givenOrder(p);
  m.budget = budget;
  m.transfers = &transfers;
  m.endStage = true;
  m.stop = &stop;
  const StageModel stages(p, m);
  if (o.onModel)
    o.onModel(stages.model());
  if (!stages.complete() || o.limits.isOver()) {
    s.limited = s.status != Status::Infeasible;
    return s;
  }
  if (highsMissing().empty() && s.status != Status::Infeasible)
    solveStages(
        stages, o, {}, s,
        [&](const std::vector<Id> &runs) {
          return takeTransfers(p, graph::movesOfRuns(p, runs, transfers),
                               transfers, budget, s);
        },
        m.cutoff);
  return s;
}

//===- PipelineSolvers.cpp - published schedules, and the search ----------===//

#include "Modes.h"

#include "Solver/Graph/Random.h"

#include <algorithm>
#include <numeric>
#include <thread>

using namespace pebble;
using namespace pebble::pipeline;
using game::Status;

namespace {

/// Tasks that all schedules that are tried may have together.
constexpr uint64_t kPolicyWork = 30000000, kOrderWork = 30000000;
constexpr uint64_t kMostPolicies = 3000, kMostOrders = 20000;

class Planner {
public:
  Planner(const Pipeline &p, const Options &options)
      : p(p), options(options), random(options.seed) {
    answer.bound = boundOnMakespan(p, options);
    tasksOfAll = p.countTasks();
  }

  /// What others found with less than is allowed.
  void start(const Answer &other) {
    if (game::isAnswered(other.status))
      take(other.tasks, other.solver.c_str());
  }

  Answer run() {
    const bool isAll = options.solver.empty();
    auto asks = [&](const char *name) {
      return isAll || options.solver == name;
    };
    if (asks("gpipe"))
      tryTemplate(scheduleGPipe(p), "gpipe");
    if (asks("1f1b"))
      tryTemplate(schedule1F1B(p), "1f1b");
    if (asks("interleaved"))
      tryTemplate(scheduleInterleaved(p), "interleaved");
    if (asks("one-by-one"))
      tryTemplate(scheduleOneByOne(), "one-by-one");
    if (asks("list") && !isProven())
      searchPolicies();
    if ((isAll || asks("search")) && !isProven())
      searchOrders();
    if (asks("exact") && !isProven() && fitsExact(p, options))
      runExact();
    finish();
    return std::move(answer);
  }

  LeastBytes findLeast() {
    const Tasks tasks = scheduleOneByOne();
    Policy policy = makePolicy(getInFlight(tasks));
    LeastBytes least;
    least.bytes = play(p, tasks).getLargestPeak();
    for (Mode otherwise : getOtherwise()) {
      policy.otherwise.assign(p.stages.size(), otherwise);
      const std::vector<uint32_t> none(p.ranks);
      const Timing run = play(p, write(tasks, policy, none, 1));
      least.bytes = std::min(least.bytes, run.getLargestPeak());
    }
    int64_t floor = 0;
    for (uint32_t rank = 0; rank < p.ranks; ++rank)
      floor = std::max(floor, getFloor(rank));
    least.isProven = least.bytes == floor;
    return least;
  }

private:
  bool isProven() const { return best && answer.cost == answer.bound; }

  /// Takes `tasks` if they are allowed, and better than what is known.
  bool take(Tasks tasks, const char *name) {
    Timing run = play(p, tasks);
    if (!run.verdict.ok())
      return false;
    const auto key = std::pair(run.makespan, run.getLargestPeak());
    if (best && key >= std::pair(answer.cost, answer.peak))
      return false;
    best = true;
    answer.cost = key.first;
    answer.peak = key.second;
    answer.tasks = std::move(tasks);
    answer.solver = name;
    answer.run = std::move(run);
    options.limits.report(answer.cost, answer.bound);
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Schedules with a fixed order
  //===--------------------------------------------------------------------===//

  /// A micro-batch begins when the one before it has ended: the least memory.
  Tasks scheduleOneByOne() const {
    Tasks tasks(p.ranks);
    for (uint32_t batch = 0; batch < p.microBatches; ++batch) {
      for (uint32_t i = 0; i < p.stages.size(); ++i)
        tasks[p.stages[i].rank].push_back({TaskKind::Forward, i, batch});
      for (uint32_t i = p.stages.size(); i-- > 0;) {
        tasks[p.stages[i].rank].push_back({TaskKind::Backward, i, batch});
        if (p.stages[i].weight)
          tasks[p.stages[i].rank].push_back({TaskKind::Weight, i, batch});
      }
    }
    return tasks;
  }

  /// By stage: the most micro-batches between forward and backward task.
  std::vector<uint32_t> getInFlight(const Tasks &tasks) const {
    std::vector<uint32_t> now(p.stages.size()), most(p.stages.size(), 1);
    for (const std::vector<Task> &rank : tasks)
      for (const Task &task : rank) {
        if (task.kind == TaskKind::Forward)
          most[task.stage] = std::max(most[task.stage], ++now[task.stage]);
        else if (task.kind == TaskKind::Backward)
          --now[task.stage];
      }
    return most;
  }

  /// Has as many micro-batches keep their tape as each rank has room for.
  void tryTemplate(const std::optional<Tasks> &tasks, const char *name) {
    if (!tasks || take(*tasks, name) || p.budgets.empty())
      return;
    Policy policy = makePolicy(getInFlight(*tasks));
    for (Mode otherwise : getOtherwise()) {
      policy.otherwise.assign(p.stages.size(), otherwise);
      // Of `kept[rank]` parts of all, `kParts` are all of them.
      constexpr uint32_t kParts = 4096;
      std::vector<uint32_t> kept(p.ranks), step(p.ranks, kParts);
      for (uint32_t half = kParts; half > 0; half /= 2) {
        std::vector<uint32_t> next = kept;
        for (uint32_t &each : next)
          each += half;
        const Timing run = play(p, write(*tasks, policy, next, kParts));
        if (!run.verdict.ok() && run.verdict.rule != "P7")
          return;
        for (uint32_t rank = 0; rank < p.ranks; ++rank)
          if (run.peak[rank] <= p.budgets[rank] && next[rank] <= kParts)
            kept[rank] = next[rank];
      }
      take(write(*tasks, policy, kept, kParts), name);
    }
  }

  Tasks write(const Tasks &tasks, Policy &policy,
              const std::vector<uint32_t> &kept, uint32_t parts) const {
    std::vector<Mode> modes(p.getSize());
    for (uint32_t i = 0; i < p.stages.size(); ++i) {
      policy.kept[i] =
          uint64_t(kept[p.stages[i].rank]) * policy.inFlight[i] / parts;
      for (uint32_t batch = 0; batch < p.microBatches; ++batch)
        modes[size_t(i) * p.microBatches + batch] = policy.getMode(i, batch);
    }
    return withModes(p, tasks, modes);
  }

  std::vector<Mode> getOtherwise() const {
    std::vector<Mode> modes;
    if (options.mayRecompute)
      modes.push_back(Mode::Again);
    if (options.mayOffload)
      modes.push_back(Mode::Away);
    return modes;
  }

  //===--------------------------------------------------------------------===//
  // Search
  //===--------------------------------------------------------------------===//

  Policy makePolicy(std::vector<uint32_t> inFlight) const {
    Policy policy;
    policy.kept = inFlight;
    policy.inFlight = std::move(inFlight);
    const std::vector<Mode> modes = getOtherwise();
    policy.otherwise.assign(p.stages.size(),
                            modes.empty() ? Mode::Keep : modes.front());
    policy.eagerness.resize(p.stages.size());
    std::iota(policy.eagerness.begin(), policy.eagerness.end(), 0);
    return policy;
  }

  void searchPolicies() {
    const uint32_t stages = p.stages.size();
    std::optional<Policy> start;
    std::pair<int64_t, int64_t> key;
    auto attempt = [&](const Policy &policy) {
      std::optional<Tasks> tasks = scheduleByPolicy(p, policy);
      if (!tasks)
        return false;
      const Timing run = play(p, *tasks);
      if (!run.verdict.ok())
        return false;
      const std::pair now(
          run.makespan,
          std::accumulate(run.ends.begin(), run.ends.end(), int64_t(0)));
      if (start && now > key)
        return false;
      key = now;
      start = policy;
      take(std::move(*tasks), "list");
      return true;
    };
    for (uint32_t factor : {1u, 2u, p.microBatches})
      for (uint32_t share : {4u, 2u, 1u, 0u}) {
        std::vector<uint32_t> inFlight(stages);
        for (uint32_t i = 0; i < stages; ++i)
          inFlight[i] =
              std::min<uint64_t>(p.microBatches, uint64_t(stages - i) * factor);
        Policy policy = makePolicy(inFlight);
        if (share < 4)
          for (uint32_t i = 0; i < stages; ++i)
            policy.kept[i] = inFlight[i] * share / 4;
        if (share < 4 && getOtherwise().empty())
          continue;
        attempt(policy);
        if (isProven() || options.limits.isOver())
          return;
      }
    if (!start)
      return;
    const uint64_t tries =
        std::min(options.effort ? options.effort : kMostPolicies,
                 kPolicyWork / std::max<uint64_t>(1, tasksOfAll));
    for (uint64_t i = 0; i < tries && !isProven(); ++i) {
      if (options.limits.isOver())
        return;
      Policy policy = *start;
      for (uint64_t changes = 1 + random.below(3); changes-- > 0;)
        change(policy);
      attempt(policy);
    }
  }

  void change(Policy &policy) {
    const uint32_t stage = random.below(p.stages.size());
    uint32_t &inFlight = policy.inFlight[stage], &kept = policy.kept[stage];
    const std::vector<Mode> modes = getOtherwise();
    switch (random.below(4)) {
    case 0:
      inFlight += random.below(2) ? 1 : -1;
      break;
    case 1:
      kept += random.below(2) ? 1 : -1;
      break;
    case 2:
      policy.eagerness[stage] = random.below(p.stages.size());
      break;
    default:
      if (!modes.empty())
        policy.otherwise[stage] = modes[random.below(modes.size())];
    }
    // What was taken away from zero is very large.
    if (inFlight == 0 || inFlight > p.microBatches)
      inFlight = std::clamp<uint32_t>(inFlight, 1, p.microBatches);
    if (kept == ~0u || modes.empty())
      kept = modes.empty() ? inFlight : 0;
    kept = std::min(kept, inFlight);
  }

  void searchOrders() {
    if (!best && options.solver == "search") {
      tryTemplate(schedule1F1B(p), "search");
      tryTemplate(scheduleOneByOne(), "search");
    }
    if (!best)
      return;
    const uint64_t tries =
        std::min(options.effort ? options.effort : kMostOrders,
                 kOrderWork / std::max<uint64_t>(1, tasksOfAll));
    take(improveOrders(p, options, answer.tasks, tries), "search");
  }

  void runExact() {
    const ExactResult found = searchExact(
        p, options, best ? answer.cost : std::numeric_limits<int64_t>::max());
    if (found.tasks)
      take(*found.tasks, "exact");
    if (!found.isComplete)
      return;
    // Of other orders of micro-batches the search says something only where
    // all of them keep the same.
    if (!options.mayRecompute) {
      if (best)
        answer.bound = answer.cost;
      else
        answer.status = Status::Infeasible;
      return;
    }
    answer.modelStatus = best ? Status::Optimal : Status::Infeasible;
    if (best)
      answer.modelBound = answer.cost;
  }

  //===--------------------------------------------------------------------===//
  // What is known of the least bytes
  //===--------------------------------------------------------------------===//

  /// What `rank` takes in any schedule.
  int64_t getFloor(uint32_t rank) const {
    int64_t fixed = 0, most = 0, all = 0;
    for (const Stage &s : p.stages) {
      if (s.rank != rank)
        continue;
      fixed += s.fixed;
      most = std::max(most, s.tape + s.work);
      all += s.tape;
    }
    // A micro-batch that has come through all stages is in all of them.
    const bool keepsAll = !options.mayRecompute && !options.mayOffload;
    return fixed + (keepsAll ? std::max(all, most) : most);
  }

  void finish() {
    if (best) {
      answer.status =
          answer.cost <= answer.bound ? Status::Optimal : Status::Feasible;
      answer.limited = options.limits.isOver();
      return;
    }
    for (uint32_t rank = 0; rank < p.ranks && !p.budgets.empty(); ++rank)
      if (p.budgets[rank] < getFloor(rank))
        answer.status = Status::Infeasible;
    answer.solver = options.solver.empty() ? "list" : options.solver;
    answer.limited = options.limits.isOver();
  }

  const Pipeline &p;
  const Options &options;
  graph::Random random;
  uint64_t tasksOfAll = 0;
  bool best = false;
  Answer answer;
};

} // namespace

const std::vector<PipelineSolver> &pebble::pipeline::pipelineSolvers() {
  static const std::vector<PipelineSolver> solvers = {
      {"gpipe", "all forward tasks, then all backward tasks"},
      {"1f1b", "as many micro-batches ahead as there are stages behind"},
      {"interleaved", "1f1b with several stages on a rank"},
      {"one-by-one", "one micro-batch after the other"},
      {"list", "what can start first does, under limits that are searched"},
      {"search", "places of tasks are changed, from the best of those above"},
      {"exact", "all orders, for up to 64 tasks"}};
  return solvers;
}

std::string pebble::pipeline::refusal(const Pipeline &pipeline,
                                      const Options &options) {
  const std::string &name = options.solver;
  std::string all;
  bool isKnown = name.empty();
  for (const PipelineSolver &solver : pipelineSolvers()) {
    isKnown |= name == solver.name;
    all += (all.empty() ? "" : ", ") + std::string(solver.name);
  }
  if (!isKnown)
    return "there is no solver '" + name + "' for pipelines; there are " + all;
  if (name == "1f1b" && !schedule1F1B(pipeline))
    return "solver '1f1b' needs one stage on each rank";
  if (name == "interleaved" && !scheduleInterleaved(pipeline))
    return "solver 'interleaved' needs stages in two rounds over the ranks or "
           "more, and as many micro-batches as ranks or a multiple";
  if (name == "exact" && !fitsExact(pipeline, options))
    return "solver 'exact' takes pipelines of at most 64 tasks, without "
           "offload, and within budgets without messages that take bytes";
  return "";
}

LeastBytes pebble::pipeline::findLeastBytes(const Pipeline &pipeline,
                                            const Options &options) {
  return Planner(pipeline, options).findLeast();
}

namespace {

/// What each of the means finds alone, at the same time.
std::vector<Answer> solveApart(const Pipeline &pipeline,
                               const Options &options) {
  std::vector<Answer> answers(2);
  auto work = [&](bool again) {
    Options alone = options;
    alone.mayRecompute = again;
    alone.mayOffload = !again;
    alone.limits = options.limits.observedBy(nullptr);
    // With the time, all that it would do if it were asked alone.
    answers[again] = options.limits.isTimed() ? solve(pipeline, alone)
                                              : Planner(pipeline, alone).run();
  };
  std::thread other(work, false), third;
  // A search that uses all of its time leaves none to those after it. Where a
  // third one would slow the two down, it has to wait.
  Answer cold;
  if (options.limits.isTimed() && std::thread::hardware_concurrency() > 2)
    third = std::thread([&] { cold = Planner(pipeline, options).run(); });
  work(true);
  other.join();
  if (third.joinable()) {
    third.join();
    answers.push_back(std::move(cold));
  }
  return answers;
}

/// More means are no dearer: what is found with each of them alone is known to
/// the search with both.
Answer solveWithin(const Pipeline &pipeline, const Options &options) {
  Planner planner(pipeline, options);
  if (options.mayRecompute && options.mayOffload)
    for (const Answer &answer : solveApart(pipeline, options))
      planner.start(answer);
  return planner.run();
}

} // namespace

std::vector<int64_t> pebble::pipeline::findSmallerBudgets(const Pipeline &p,
                                                          int64_t most) {
  constexpr int64_t kMostBudgets = 16;
  int64_t step = 0, least = 0;
  std::vector<int64_t> fixed(p.ranks), more(p.ranks);
  for (const Stage &s : p.stages) {
    for (int64_t bytes : {s.tape, s.input, s.weightTape, s.fixed, s.work,
                          s.message, s.messageBack})
      step = std::gcd(step, bytes);
    fixed[s.rank] += s.fixed;
    more[s.rank] = std::max(more[s.rank], s.tape + s.work);
  }
  for (uint32_t rank = 0; rank < p.ranks; ++rank)
    least = std::max(least, fixed[rank] + more[rank]);
  std::vector<int64_t> budgets;
  if (step == 0 || most <= least)
    return budgets;
  while ((most - least) / step > kMostBudgets)
    step *= 2;
  for (int64_t bytes = (most - 1) / step * step; bytes >= least && bytes > 0;
       bytes -= step)
    budgets.push_back(bytes);
  return budgets;
}

Answer pebble::pipeline::solve(const Pipeline &pipeline,
                               const Options &options) {
  Answer answer = solveWithin(pipeline, options);
  if (!options.triesLess || !options.solver.empty() ||
      pipeline.budgets.empty() || answer.status != Status::Feasible)
    return answer;
  const int64_t most =
      *std::max_element(pipeline.budgets.begin(), pipeline.budgets.end());
  for (int64_t bytes : findSmallerBudgets(pipeline, most)) {
    Pipeline smaller = pipeline;
    for (int64_t &budget : smaller.budgets)
      budget -= most - bytes;
    if (answer.cost == answer.bound || options.limits.isOver() ||
        boundOnMakespan(smaller, options) >= answer.cost)
      break;
    Answer other = solveWithin(smaller, options);
    if (!game::isAnswered(other.status) || other.cost >= answer.cost)
      continue;
    other.bound = answer.bound;
    other.modelStatus = answer.modelStatus;
    other.modelBound = answer.modelBound;
    other.status =
        other.cost <= other.bound ? Status::Optimal : Status::Feasible;
    answer = std::move(other);
  }
  return answer;
}

//===- Pipeline.cpp - pipelines of stages in pebble-solve -----------------===//
//
// The way of a pipeline through the tool: check, solve, play, print. No
// schedule leaves here that play() does not accept.
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"

#include "Answer.h"
#include "Common.h"

#include "pebble/Solver/Pipeline/PipelineSolvers.h"

#include <algorithm>
#include <chrono>

using namespace pebble;
using namespace pebble::pipeline;
using namespace pebble::solve_tool;

namespace {

/// Why the options do not go with a pipeline; empty if they do.
std::string optionError(const solve_tool::Options &o) {
  if (o.objective != Objective::Cost && o.objective != Objective::Time)
    return "pipelines know --objective=time alone, which is their cost";
  if (o.fixedOrder)
    return "pipelines know --order=free alone";
  if (o.sweep)
    return "a sweep is of a problem of steps and values";
  if (!o.printProblem.empty() || o.countOrders)
    return "a pipeline is no problem of steps and values to print or count";
  if (!o.mps.empty() || !o.start.empty() || !o.without.empty() ||
      o.offloadRateMilli || o.machine)
    return "--mps, --start, --without, --offload-rate and --target do not go "
           "with a pipeline, which says costs itself";
  if (o.budget && o.budget->kind == graph::Budget::Kind::Percent)
    return "the budget of a pipeline is a number for each rank, or min; ranks "
           "with different ones stand in the file, as budgets";
  if (asksForLeast(o) && !o.verify.empty())
    return "a schedule is judged by a budget that is a number";
  return "";
}

std::string listNumbers(const std::vector<int64_t> &numbers) {
  std::string text = "[";
  for (int64_t number : numbers)
    text += (text.size() > 1 ? ", " : "") + std::to_string(number);
  return text + "]";
}

std::string showShare(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", share);
  return text;
}

int judge(const pipeline::Pipeline &p, const solve_tool::Options &o) {
  std::string text;
  if (!readFile(o.verify, text))
    return fail(o.verify + ": cannot be read");
  const ParsedTasks parsed = readTasks(p, text);
  if (!parsed.tasks)
    return fail(o.verify + ": " + parsed.error);
  const Timing run = play(p, *parsed.tasks);
  const bool good = run.verdict.ok();
  if (!good) {
    std::cerr << "pebble-solve: " << o.verify << ": rank " << run.rank << ": ";
    if (run.verdict.at != game::kNone)
      std::cerr << "task " << run.verdict.at << " "
                << toString((*parsed.tasks)[run.rank][run.verdict.at]) << ": ";
    std::cerr << run.verdict.message << " [" << run.verdict.rule << "]\n";
  }
  if (o.json && good)
    std::cout << "{\"valid\": true, \"cost\": " << run.makespan
              << ", \"peak\": " << run.getLargestPeak()
              << ", \"peaks\": " << listNumbers(run.peak)
              << ", \"bubble\": " << showShare(run.getBubble()) << "}\n";
  else if (o.json)
    std::cout << "{\"valid\": false, \"rule\": \"" << run.verdict.rule
              << "\", \"rank\": " << run.rank << "}\n";
  else if (good)
    std::cout << "valid: cost " << run.makespan << ", peak "
              << run.getLargestPeak() << ", bubble "
              << showShare(run.getBubble()) << "\n";
  return good ? kGood : kBadInput;
}

/// What printAnswer() wants to know.
struct Printed {
  game::Status status;
  int64_t cost, bound, peak;
  std::optional<int64_t> minBudget;
  std::string solver;
  bool limited;
};

int print(const pipeline::Pipeline &p, const Answer &answer,
          const LeastBytes &least, const solve_tool::Options &o,
          double seconds) {
  const Printed printed{answer.status, answer.cost,      answer.bound,
                        answer.peak,   answer.minBudget, answer.solver,
                        answer.limited};
  std::string tasks, more;
  if (isAnswered(answer.status)) {
    more = ", \"peaks\": " + listNumbers(answer.run.peak) +
           ", \"bubble\": " + showShare(answer.run.getBubble());
    if (o.printSchedule && !o.json)
      for (uint32_t rank = 0; rank < p.ranks; ++rank)
        for (const Task &task : answer.tasks[rank])
          tasks += std::to_string(rank) + ": " + toString(task) + "\n";
    else if (o.printSchedule)
      tasks = writeTasksJson(answer.tasks);
  }
  if (answer.modelStatus)
    more += std::string(", \"model_status\": \"") +
            toString(*answer.modelStatus) +
            "\", \"model_bound\": " + jsonNumber(answer.modelBound);
  if (!isAnswered(answer.status))
    std::cerr << "pebble-solve: no schedule was found within the budgets; "
              << least.bytes << " for each rank is known to do\n";
  return printAnswer(o, printed, seconds, tasks, more);
}

} // namespace

int pebble::solve_tool::runPipeline(const ParsedPipeline &parsed,
                                    const solve_tool::Options &o) {
  if (!parsed.pipeline)
    return fail(o.file + ": " + parsed.error);
  pipeline::Pipeline p = *parsed.pipeline;
  if (game::Verdict v = check(p); !v.ok())
    return fail(o.file + ": " + v.message + " [" + v.rule + "]");
  if (std::string error = optionError(o); !error.empty())
    return fail(error);
  if (o.budget && !p.budgets.empty())
    return fail(o.file + " has budgets of its own: leave --budget out");
  if (o.budget && !asksForLeast(o))
    p.budgets.assign(p.ranks, o.budget->of(0));
  if (!o.verify.empty())
    return judge(p, o);
  pipeline::Options options;
  const Means means = o.means.value_or(Means::Recompute);
  options.mayRecompute = means == Means::Recompute || means == Means::Both;
  options.mayOffload = means == Means::Offload || means == Means::Both;
  options.solver = o.solver;
  options.seed = o.seed;
  options.effort = o.effort;
  options.limits = o.limits();
  if (std::string error = refusal(p, options); !error.empty())
    return fail(error);
  const auto start = std::chrono::steady_clock::now();
  tool::WatchScope watched(o.watch);
  const LeastBytes least = findLeastBytes(p, options);
  if (asksForLeast(o))
    p.budgets.assign(p.ranks, least.bytes);
  Answer answer = solve(p, options);
  if (least.isProven)
    answer.minBudget = least.bytes;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  watched.end();
  if (isAnswered(answer.status)) {
    const Timing run = play(p, answer.tasks);
    if (!run.verdict.ok() || run.makespan != answer.cost)
      return fail("internal error: the schedule of solver '" + answer.solver +
                  "' was refused: " + run.verdict.message + " [" +
                  run.verdict.rule + "]");
  }
  return print(p, answer, least, o, seconds);
}

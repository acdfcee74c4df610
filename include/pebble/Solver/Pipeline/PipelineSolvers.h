//===- PipelineSolvers.h - who runs what when in a pipeline -----*- C++ -*-===//
//
// Finds the tasks of each rank of a pipeline: the published schedules, and a
// search that starts from them. docs/solvers/Pipeline.md compares them.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_PIPELINE_PIPELINESOLVERS_H
#define PEBBLE_SOLVER_PIPELINE_PIPELINESOLVERS_H

#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Pipeline/Pipeline.h"

namespace pebble::pipeline {

struct Options {
  /// Whether forward tasks may run again, and tapes may move away.
  bool mayRecompute = true, mayOffload = false;
  /// One of pipelineSolvers(); empty: all that there are.
  std::string solver;
  uint64_t seed = 0;
  /// The search stops after so many schedules; 0: there is no such limit.
  uint64_t effort = 0;
  /// Whether what is found within smaller budgets counts, too
  /// (findSmallerBudgets), where no solver is named.
  bool triesLess = true;
  graph::Limits limits;
};

/// Budgets of a rank that are smaller than `most`, and worth a try: a search
/// may find more with less. Falling, down to what a rank takes in any case.
/// All that make a difference, where these are at most 16. Else those that are
/// multiples of the least power of two times the smallest difference.
std::vector<int64_t> findSmallerBudgets(const Pipeline &pipeline, int64_t most);

struct Answer {
  game::Status status = game::Status::Unknown;
  Tasks tasks;
  /// The makespan, and what no schedule is faster than.
  int64_t cost = 0, bound = 0;
  /// Of the rank that takes most.
  int64_t peak = 0;
  std::optional<int64_t> minBudget;
  std::string solver;
  bool limited = false;
  /// What the exact search says of schedules in which each stage takes
  /// micro-batches in their order, where others are allowed.
  std::optional<game::Status> modelStatus;
  std::optional<int64_t> modelBound;
  /// By rank.
  Timing run;
};

struct PipelineSolver {
  const char *name;
  const char *help;
};
const std::vector<PipelineSolver> &pipelineSolvers();

/// Why `options.solver` cannot plan `pipeline`; empty if it can.
std::string refusal(const Pipeline &pipeline, const Options &options);

/// The least bytes for each rank that are known to do: what one micro-batch
/// after the other takes. `isProven`: no schedule does with less.
struct LeastBytes {
  int64_t bytes = 0;
  bool isProven = false;
};
LeastBytes findLeastBytes(const Pipeline &pipeline, const Options &options);

/// Within the budgets of `pipeline`. Every answer was played.
Answer solve(const Pipeline &pipeline, const Options &options);

/// All forward tasks, then all backward tasks (GPipe: Huang et al., 2019).
Tasks scheduleGPipe(const Pipeline &pipeline);

/// A stage runs a backward task as soon as it can, and as many forward tasks
/// ahead as there are stages behind it (PipeDream: Narayanan et al., 2019; with
/// a flush, 2021). One stage for each rank.
std::optional<Tasks> schedule1F1B(const Pipeline &pipeline);

/// The same with several stages on a rank, one behind each round over all ranks
/// (Narayanan et al., 2021). As many micro-batches as ranks, or a multiple.
std::optional<Tasks> scheduleInterleaved(const Pipeline &pipeline);

/// What no schedule is faster than. Time O(stages + ranks * micro-batches).
int64_t boundOnMakespan(const Pipeline &pipeline, const Options &options);

} // namespace pebble::pipeline

#endif // PEBBLE_SOLVER_PIPELINE_PIPELINESOLVERS_H

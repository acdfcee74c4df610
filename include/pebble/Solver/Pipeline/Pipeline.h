//===- Pipeline.h - stages, micro-batches and their judge -------*- C++ -*-===//
//
// A training step that is cut into stages, each on one rank. A batch is cut
// into micro-batches, which run forward through all stages and backward again.
// Each rank runs its tasks one after the other, in an order that a schedule
// fixes. What a stage keeps of a micro-batch between its forward and its
// backward task takes memory: the tape, or only the input, from which the
// forward task runs again, or nothing here while the tape lies in a slower
// memory. play() runs a schedule on a clock, and judges it by the rules P1 to
// P7 of docs/solvers/Pipeline.md. It shares no code with any solver.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_PIPELINE_PIPELINE_H
#define PEBBLE_SOLVER_PIPELINE_PIPELINE_H

#include "pebble/Solver/Game/Problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pebble::pipeline {

/// One stage. Times and bytes are in the units of the file.
struct Stage {
  uint32_t rank = 0;
  /// How long each task takes. `weight`: the part of the backward pass that
  /// nobody waits for, gradients of weights, as a task of its own; 0: there is
  /// none.
  int64_t forward = 0, backward = 0, recompute = 0, weight = 0;
  /// How long the tape takes to a slower memory, and back.
  int64_t store = 0, load = 0;
  /// Bytes from the forward to the backward task, and those of them that the
  /// forward task needs to run again.
  int64_t tape = 0, input = 0;
  /// Bytes from the backward task to that of the weights.
  int64_t weightTape = 0;
  /// Bytes that are there all the time, and more while a task runs.
  int64_t fixed = 0, work = 0;
  /// How long a message to the next stage takes, and one to the stage before.
  /// Stages on one rank send nothing.
  int64_t send = 0, sendBack = 0;
  /// Their bytes.
  int64_t message = 0, messageBack = 0;
};

struct Pipeline {
  std::string name;
  uint32_t ranks = 0, microBatches = 0;
  /// In the order in which a micro-batch goes through them.
  std::vector<Stage> stages;
  /// By rank; empty: any number of bytes.
  std::vector<int64_t> budgets;

  uint64_t getSize() const { return uint64_t(stages.size()) * microBatches; }
  /// Forward and backward tasks, and those of the weights.
  uint64_t countTasks() const;
};

/// The most tasks of one kind that a pipeline may have.
inline constexpr uint64_t kMostTasks = uint64_t(1) << 24;

/// Stages on ranks that exist, numbers that add up within 62 bits.
game::Verdict check(const Pipeline &pipeline);

enum class TaskKind : uint8_t {
  Forward,   ///< keeps the tape
  Plain,     ///< the forward task without a tape; keeps its input
  Recompute, ///< makes the tape of the input, before the backward task
  Backward,
  Weight, ///< gradients of weights, after the backward task
  Store,  ///< begins to move the tape away, beside what runs
  Wait,   ///< nothing goes on before a store has ended
  Load    ///< begins to bring the tape back, beside what runs
};

struct Task {
  TaskKind kind = TaskKind::Forward;
  uint32_t stage = 0, microBatch = 0;

  bool operator==(const Task &other) const {
    return kind == other.kind && stage == other.stage &&
           microBatch == other.microBatch;
  }
};

/// By rank, in the order in which it runs them.
using Tasks = std::vector<std::vector<Task>>;

struct Timing {
  game::Verdict verdict;
  /// Of what the verdict is about.
  uint32_t rank = 0;
  /// When the last task ends.
  int64_t makespan = 0;
  /// By rank: the most bytes at a time, how long it computes, and when it is
  /// done.
  std::vector<int64_t> peak, busy, ends;
  /// When each task begins and ends, in the shape of the tasks; where asked
  /// for.
  std::vector<std::vector<std::pair<int64_t, int64_t>>> times;

  int64_t getLargestPeak() const;
  /// The share of time in which a rank waits, on average.
  double getBubble() const;
};

/// Runs `tasks`. Time O(n log n) for n tasks of a rank, memory O(n).
Timing play(const Pipeline &pipeline, const Tasks &tasks,
            bool keepTimes = false);

/// A file with the member `pipeline`.
struct ParsedPipeline {
  bool isPipeline = false;
  std::optional<Pipeline> pipeline;
  std::string error;
};
ParsedPipeline readPipeline(const std::string &text);

struct ParsedTasks {
  std::optional<Tasks> tasks;
  std::string error;
};
/// An object with `schedule`, or the list of ranks itself.
ParsedTasks readTasks(const Pipeline &pipeline, const std::string &text);

/// `["forward", 0, 3]`: stage and micro-batch.
std::string toString(const Task &task);
std::string writeTasksJson(const Tasks &tasks);

} // namespace pebble::pipeline

#endif // PEBBLE_SOLVER_PIPELINE_PIPELINE_H

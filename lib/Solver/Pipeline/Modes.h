//===- Modes.h - what a stage keeps of a micro-batch ------------*- C++ -*-===//
//
// Private to the solvers of pipelines.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_PIPELINE_MODES_H
#define PEBBLE_LIB_SOLVER_PIPELINE_MODES_H

#include "pebble/Solver/Pipeline/PipelineSolvers.h"

#include <limits>

namespace pebble::pipeline {

enum class Mode : uint8_t {
  Keep,  ///< the tape
  Again, ///< the input, and the forward task runs again
  Away   ///< nothing here; the tape is stored and loaded
};

/// A search that plans with limits, and does what comes first.
struct Policy {
  /// By stage: the most micro-batches between their forward and backward tasks.
  std::vector<uint32_t> inFlight;
  /// By stage: of so many micro-batches in a row, how many keep their tape. The
  /// others do what `otherwise` says.
  std::vector<uint32_t> kept;
  std::vector<Mode> otherwise;
  /// By stage: what waits goes first where this is larger.
  std::vector<uint32_t> eagerness;

  Mode getMode(uint32_t stage, uint32_t microBatch) const {
    return microBatch % inFlight[stage] < kept[stage] ? Mode::Keep
                                                      : otherwise[stage];
  }
};

/// Builds the tasks of all ranks event by event: whatever can start first does,
/// a backward task before a forward task, within the budgets and the limits of
/// `policy`. Nothing if some rank has not enough bytes for it. Time O(n log n)
/// for n tasks.
std::optional<Tasks> scheduleByPolicy(const Pipeline &pipeline,
                                      const Policy &policy);

/// A moment that does not come.
inline constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

/// When messages arrive: each link has one message at a time.
class Mail {
public:
  /// What comes from outside is there at the start, all else never.
  explicit Mail(const Pipeline &pipeline);

  /// When `stage` can take the micro-batch on, forward or backward.
  int64_t getArrival(uint32_t stage, uint32_t microBatch,
                     bool isForward) const {
    return arrivals[getIndex(stage, microBatch, isForward)];
  }
  const std::vector<int64_t> &getLinks() const { return links; }

  /// Sends what a task of `stage` that ends at `end` has made to the next
  /// stage, or back to the one before. That stage; nothing where none follows.
  std::optional<uint32_t> send(uint32_t stage, uint32_t microBatch, int64_t end,
                               bool isForward);
  /// As if that had not been sent, but for the links.
  void takeBack(uint32_t stage, uint32_t microBatch, bool isForward);
  void setLinks(std::vector<int64_t> to) { links = std::move(to); }

private:
  size_t getIndex(uint32_t stage, uint32_t microBatch, bool isForward) const {
    return 2 * (size_t(stage) * p.microBatches + microBatch) + isForward;
  }
  /// Nothing where no stage follows.
  std::optional<uint32_t> getNext(uint32_t stage, bool isForward) const;

  const Pipeline &p;
  /// By stage, micro-batch and direction.
  std::vector<int64_t> arrivals;
  /// By stage and direction: when its link is free.
  std::vector<int64_t> links;
};

/// The same tasks, where each micro-batch of a stage does what `modes` says (by
/// stage, then micro-batch).
Tasks withModes(const Pipeline &pipeline, const Tasks &tasks,
                const std::vector<Mode> &modes);

/// All schedules in which each stage takes the micro-batches in their order,
/// for small pipelines without messages that take bytes.
struct ExactResult {
  std::optional<Tasks> tasks;
  /// Of what was found, or known before.
  int64_t makespan = 0;
  bool isComplete = false;
};
bool fitsExact(const Pipeline &pipeline, const Options &options);
/// Looks for what is faster than `known`.
ExactResult searchExact(const Pipeline &pipeline, const Options &options,
                        int64_t known);

/// Changes places of tasks of one rank at a time, from `tasks` on, as long as
/// that is no slower.
Tasks improveOrders(const Pipeline &pipeline, const Options &options,
                    Tasks tasks, uint64_t tries);

} // namespace pebble::pipeline

#endif // PEBBLE_LIB_SOLVER_PIPELINE_MODES_H

//===- Published.cpp - schedules of pipelines from papers -----------------===//

#include "Modes.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::pipeline;

namespace {

/// Appends tasks to the ranks of their stages.
class Writer {
public:
  explicit Writer(const Pipeline &pipeline)
      : pipeline(pipeline), tasks(pipeline.ranks) {}

  void forward(uint32_t stage, uint32_t microBatch) {
    add(TaskKind::Forward, stage, microBatch);
  }
  /// With the gradients of weights right after it.
  void backward(uint32_t stage, uint32_t microBatch) {
    add(TaskKind::Backward, stage, microBatch);
    if (pipeline.stages[stage].weight)
      add(TaskKind::Weight, stage, microBatch);
  }
  Tasks take() { return std::move(tasks); }

private:
  void add(TaskKind kind, uint32_t stage, uint32_t microBatch) {
    tasks[pipeline.stages[stage].rank].push_back({kind, stage, microBatch});
  }

  const Pipeline &pipeline;
  Tasks tasks;
};

} // namespace

Tasks pebble::pipeline::scheduleGPipe(const Pipeline &p) {
  Writer writer(p);
  for (uint32_t stage = 0; stage < p.stages.size(); ++stage)
    for (uint32_t batch = 0; batch < p.microBatches; ++batch)
      writer.forward(stage, batch);
  for (uint32_t stage = p.stages.size(); stage-- > 0;)
    for (uint32_t batch = 0; batch < p.microBatches; ++batch)
      writer.backward(stage, batch);
  return writer.take();
}

std::optional<Tasks> pebble::pipeline::schedule1F1B(const Pipeline &p) {
  std::vector<bool> used(p.ranks);
  for (const Stage &stage : p.stages) {
    if (used[stage.rank])
      return std::nullopt;
    used[stage.rank] = true;
  }
  Writer writer(p);
  const uint32_t stages = p.stages.size(), m = p.microBatches;
  for (uint32_t stage = 0; stage < stages; ++stage) {
    const uint32_t ahead = std::min(m, stages - stage - 1);
    for (uint32_t batch = 0; batch < ahead; ++batch)
      writer.forward(stage, batch);
    for (uint32_t batch = 0; batch < m; ++batch) {
      if (batch + ahead < m)
        writer.forward(stage, batch + ahead);
      writer.backward(stage, batch);
    }
  }
  return writer.take();
}

std::optional<Tasks> pebble::pipeline::scheduleInterleaved(const Pipeline &p) {
  const uint32_t stages = p.stages.size(), ranks = p.ranks;
  if (stages == ranks || stages % ranks != 0 || p.microBatches % ranks != 0)
    return std::nullopt;
  for (uint32_t stage = 0; stage < stages; ++stage)
    if (p.stages[stage].rank != stage % ranks)
      return std::nullopt;
  const uint32_t chunks = stages / ranks, all = p.microBatches * chunks;
  // Rounds of as many micro-batches as there are ranks go through all stages of
  // a rank before the next round begins.
  auto getBatch = [&](uint32_t i) {
    return i / (ranks * chunks) * ranks + i % ranks;
  };
  auto getChunk = [&](uint32_t i) { return i % (ranks * chunks) / ranks; };
  Writer writer(p);
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    const uint32_t ahead =
        std::min(all, 2 * (ranks - rank - 1) + (chunks - 1) * ranks);
    auto forward = [&](uint32_t i) {
      writer.forward(getChunk(i) * ranks + rank, getBatch(i));
    };
    for (uint32_t i = 0; i < ahead; ++i)
      forward(i);
    for (uint32_t i = 0; i < all; ++i) {
      if (i + ahead < all)
        forward(i + ahead);
      writer.backward((chunks - 1 - getChunk(i)) * ranks + rank, getBatch(i));
    }
  }
  return writer.take();
}

Tasks pebble::pipeline::withModes(const Pipeline &p, const Tasks &tasks,
                                  const std::vector<Mode> &modes) {
  Tasks result(tasks.size());
  for (size_t rank = 0; rank < tasks.size(); ++rank)
    for (Task task : tasks[rank]) {
      const Mode mode =
          modes[size_t(task.stage) * p.microBatches + task.microBatch];
      std::vector<Task> &to = result[rank];
      auto add = [&](TaskKind kind) {
        to.push_back({kind, task.stage, task.microBatch});
      };
      if (task.kind == TaskKind::Forward && mode == Mode::Again) {
        add(TaskKind::Plain);
        continue;
      }
      if (task.kind == TaskKind::Backward && mode == Mode::Again)
        add(TaskKind::Recompute);
      if (task.kind == TaskKind::Backward && mode == Mode::Away)
        add(TaskKind::Load);
      to.push_back(task);
      if (task.kind == TaskKind::Forward && mode == Mode::Away) {
        add(TaskKind::Store);
        add(TaskKind::Wait);
      }
    }
  return result;
}

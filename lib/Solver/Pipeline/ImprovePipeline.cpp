//===- ImprovePipeline.cpp - local search on schedules of pipelines -------===//

#include "Modes.h"

#include "Solver/Graph/Random.h"

#include <algorithm>
#include <numeric>

using namespace pebble;
using namespace pebble::pipeline;

namespace {

/// Places that a task moves at most.
constexpr uint64_t kReach = 6;

/// What counts first, and what tells two schedules apart that are as fast.
std::pair<int64_t, int64_t> getKey(const Timing &run) {
  return {run.makespan,
          std::accumulate(run.ends.begin(), run.ends.end(), int64_t(0))};
}

class Improver {
public:
  Improver(const Pipeline &p, const Options &options, Tasks from)
      : p(p), options(options), random(options.seed), tasks(std::move(from)),
        key(getKey(play(p, tasks))) {}

  Tasks run(uint64_t tries) {
    for (uint64_t i = 0; i < tries && !options.limits.isOver(); ++i) {
      const size_t rank = random.below(tasks.size());
      std::vector<Task> &of = tasks[rank];
      if (of.size() < 2)
        continue;
      const std::vector<Task> before = of;
      if (!change(of))
        continue;
      const Timing after = play(p, tasks);
      if (after.verdict.ok() && getKey(after) <= key)
        key = getKey(after);
      else
        of = before;
    }
    return std::move(tasks);
  }

private:
  /// Moves a task, or keeps something else of a micro-batch; false: nothing
  /// changed.
  bool change(std::vector<Task> &of) {
    if ((!options.mayRecompute && !options.mayOffload) || random.below(4) != 0)
      return move(of);
    const bool isAway =
        options.mayOffload && (!options.mayRecompute || random.below(2));
    const Task task = of[random.below(of.size())];
    return isAway ? moveAway(of, task) : changeMode(of, task);
  }

  bool move(std::vector<Task> &of) {
    const size_t from = random.below(of.size());
    const size_t reach = 1 + random.below(kReach);
    if (random.below(2)) {
      const size_t to = std::min(from + reach, of.size() - 1);
      std::rotate(of.begin() + from, of.begin() + from + 1,
                  of.begin() + to + 1);
      return to != from;
    }
    const size_t to = from - std::min(from, reach);
    std::rotate(of.begin() + to, of.begin() + from, of.begin() + from + 1);
    return to != from;
  }

  /// Lets a micro-batch keep its tape, or run again.
  static bool changeMode(std::vector<Task> &of, const Task &task) {
    auto find = [&](TaskKind kind) {
      return std::find(of.begin(), of.end(),
                       Task{kind, task.stage, task.microBatch});
    };
    if (auto plain = find(TaskKind::Plain); plain != of.end()) {
      plain->kind = TaskKind::Forward;
      of.erase(find(TaskKind::Recompute));
      return true;
    }
    auto forward = find(TaskKind::Forward);
    if (find(TaskKind::Store) != of.end())
      return false;
    forward->kind = TaskKind::Plain;
    of.insert(find(TaskKind::Backward),
              {TaskKind::Recompute, task.stage, task.microBatch});
    return true;
  }

  /// Lets a tape move away, stay, or be waited for at once.
  bool moveAway(std::vector<Task> &of, const Task &task) {
    auto find = [&](TaskKind kind) {
      return std::find(of.begin(), of.end(),
                       Task{kind, task.stage, task.microBatch});
    };
    if (find(TaskKind::Plain) != of.end())
      return false;
    if (find(TaskKind::Store) == of.end()) {
      of.insert(find(TaskKind::Backward),
                {TaskKind::Load, task.stage, task.microBatch});
      of.insert(std::next(find(TaskKind::Forward)),
                {TaskKind::Store, task.stage, task.microBatch});
      return true;
    }
    if (random.below(2)) {
      auto wait = find(TaskKind::Wait);
      if (wait != of.end())
        of.erase(wait);
      else
        of.insert(std::next(find(TaskKind::Store)),
                  {TaskKind::Wait, task.stage, task.microBatch});
      return true;
    }
    for (TaskKind kind : {TaskKind::Store, TaskKind::Wait, TaskKind::Load})
      if (auto found = find(kind); found != of.end())
        of.erase(found);
    return true;
  }

  const Pipeline &p;
  const Options &options;
  graph::Random random;
  Tasks tasks;
  std::pair<int64_t, int64_t> key;
};

} // namespace

Tasks pebble::pipeline::improveOrders(const Pipeline &pipeline,
                                      const Options &options, Tasks tasks,
                                      uint64_t tries) {
  return Improver(pipeline, options, std::move(tasks)).run(tries);
}

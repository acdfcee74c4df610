//===- Play.cpp - runs the tasks of a pipeline on a clock -----------------===//

#include "pebble/Solver/Pipeline/Pipeline.h"

#include <algorithm>
#include <deque>
#include <numeric>

using namespace pebble;
using namespace pebble::pipeline;
using game::Verdict;

namespace {

constexpr int64_t kUnknown = -1;
/// Of all tasks together: sums stay within 63 bits.
constexpr int64_t kLargest = int64_t(1) << 61;

/// What a rank has of a micro-batch of one of its stages.
enum class Held : uint8_t {
  Nothing,
  Tape,
  Input,
  Stored,
  Loaded,
  Differentiated,
  Finished
};

/// A change of the live bytes of a rank. Those at one time are ordered by the
/// task that they belong to: twice its index when it begins, one more when it
/// ends. `kBefore`: what ends beside the tasks.
struct Event {
  int64_t time = 0, order = 0, bytes = 0;
};
constexpr int64_t kBefore = -1;

class Player {
public:
  Player(const Pipeline &pipeline, const Tasks &tasks, bool keepTimes)
      : pipeline(pipeline), tasks(tasks), keepTimes(keepTimes) {}

  Timing play() {
    run.verdict = checkShape();
    if (!run.verdict.ok())
      return std::move(run);
    prepare();
    while (!ready.empty() && run.verdict.ok()) {
      const uint32_t rank = ready.front();
      ready.pop_front();
      while (at[rank] < tasks[rank].size() && run.verdict.ok())
        if (!step(rank))
          break;
    }
    if (run.verdict.ok())
      checkEnd();
    if (run.verdict.ok())
      sumUp();
    return std::move(run);
  }

private:
  Verdict checkShape() {
    if (tasks.size() != pipeline.ranks)
      return {"P1",
              "there are tasks for " + std::to_string(tasks.size()) +
                  " ranks, not for " + std::to_string(pipeline.ranks),
              game::kNone};
    for (uint32_t rank = 0; rank < tasks.size(); ++rank)
      for (size_t i = 0; i < tasks[rank].size(); ++i) {
        const Task &task = tasks[rank][i];
        std::string why;
        if (task.stage >= pipeline.stages.size())
          why = "there is no such stage";
        else if (task.microBatch >= pipeline.microBatches)
          why = "there is no such micro-batch";
        else if (pipeline.stages[task.stage].rank != rank)
          why = "the stage is on rank " +
                std::to_string(pipeline.stages[task.stage].rank);
        if (why.empty())
          continue;
        run.rank = rank;
        return {"P1", why, static_cast<game::Id>(i)};
      }
    return Verdict::good();
  }

  void prepare() {
    const size_t size = pipeline.getSize();
    held.assign(size, Held::Nothing);
    for (auto *times : {&forwardArrival, &backwardArrival, &copied})
      times->assign(size, kUnknown);
    stageLink.assign(2 * pipeline.stages.size(), 0);
    for (auto *times : {&now, &lane})
      times->assign(pipeline.ranks, 0);
    run.busy.assign(pipeline.ranks, 0);
    run.peak.assign(pipeline.ranks, 0);
    at.assign(pipeline.ranks, 0);
    waits.assign(pipeline.ranks, false);
    events.resize(pipeline.ranks);
    if (keepTimes)
      run.times.resize(pipeline.ranks);
    for (uint32_t rank = 0; rank < pipeline.ranks; ++rank)
      ready.push_back(rank);
    for (const Stage &stage : pipeline.stages)
      note(stage.rank, 0, kBefore, stage.fixed);
    // The input of the first stage and the gradient of the last one are there.
    std::fill_n(forwardArrival.begin(), pipeline.microBatches, 0);
    std::fill(backwardArrival.end() - pipeline.microBatches,
              backwardArrival.end(), 0);
  }

  size_t getIndex(const Task &task) const {
    return size_t(task.stage) * pipeline.microBatches + task.microBatch;
  }

  void note(uint32_t rank, int64_t time, int64_t order, int64_t bytes) {
    if (bytes)
      events[rank].push_back({time, order, bytes});
  }

  void refuse(uint32_t rank, const char *rule, const std::string &why) {
    run.rank = rank;
    run.verdict = {rule, why, static_cast<game::Id>(at[rank])};
  }

  /// Runs the next task of `rank`; false if it has to wait for a message, or is
  /// refused.
  bool step(uint32_t rank) {
    const Task &task = tasks[rank][at[rank]];
    switch (task.kind) {
    case TaskKind::Store:
    case TaskKind::Wait:
    case TaskKind::Load:
      if (!copy(rank, task))
        return false;
      break;
    default:
      if (!compute(rank, task))
        return false;
    }
    ++at[rank];
    return true;
  }

  /// The order of what happens when the task before the next one ends.
  int64_t getOrderAfter(uint32_t rank) const {
    return at[rank] == 0 ? kBefore : 2 * int64_t(at[rank]) - 1;
  }

  bool copy(uint32_t rank, const Task &task) {
    const Stage &stage = pipeline.stages[task.stage];
    Held &state = held[getIndex(task)];
    int64_t &done = copied[getIndex(task)];
    const int64_t begin = std::max(now[rank], lane[rank]);
    int64_t from = now[rank];
    if (task.kind == TaskKind::Store) {
      if (state != Held::Tape) {
        refuse(rank, "P4", "there is no tape to store");
        return false;
      }
      done = lane[rank] = begin + stage.store;
      note(rank, done, done == now[rank] ? getOrderAfter(rank) : kBefore,
           -stage.tape);
      state = Held::Stored;
      from = begin;
    } else if (state != Held::Stored) {
      refuse(rank, "P4",
             task.kind == TaskKind::Wait ? "there is no store to wait for"
                                         : "there is no tape to load");
      return false;
    } else if (task.kind == TaskKind::Wait) {
      now[rank] = std::max(now[rank], done);
      done = now[rank];
    } else {
      done = lane[rank] = begin + stage.load;
      note(rank, begin, begin == now[rank] ? getOrderAfter(rank) : kBefore,
           stage.tape);
      state = Held::Loaded;
      from = begin;
    }
    if (keepTimes)
      run.times[rank].push_back({from, done});
    return true;
  }

  /// When what `task` reads has arrived; kUnknown: not known yet.
  int64_t getArrival(const Task &task) const {
    switch (task.kind) {
    case TaskKind::Forward:
    case TaskKind::Plain:
      return forwardArrival[getIndex(task)];
    case TaskKind::Backward: {
      const int64_t there = backwardArrival[getIndex(task)];
      return there != kUnknown && held[getIndex(task)] == Held::Loaded
                 ? std::max(there, copied[getIndex(task)])
                 : there;
    }
    default:
      return 0;
    }
  }

  /// Why `task` may not run with what is held, and the rule; empty: it may.
  std::pair<const char *, std::string> findFault(const Task &task) const {
    const Held state = held[getIndex(task)];
    switch (task.kind) {
    case TaskKind::Forward:
    case TaskKind::Plain:
      if (state != Held::Nothing)
        return {"P2", "it ran already"};
      break;
    case TaskKind::Recompute:
      if (state != Held::Input)
        return {"P3", "there is no input that was kept without a tape"};
      break;
    case TaskKind::Backward:
      if (state == Held::Differentiated || state == Held::Finished)
        return {"P2", "it ran already"};
      if (state != Held::Tape && state != Held::Loaded)
        return {"P3", "there is no tape"};
      break;
    default:
      if (pipeline.stages[task.stage].weight == 0)
        return {"P2", "the stage has no such task"};
      if (state != Held::Differentiated)
        return {"P5", "its backward task has not run, or it ran already"};
    }
    return {"", ""};
  }

  int64_t getDuration(const Task &task) const {
    const Stage &stage = pipeline.stages[task.stage];
    switch (task.kind) {
    case TaskKind::Forward:
    case TaskKind::Plain:
      return stage.forward;
    case TaskKind::Recompute:
      return stage.recompute;
    case TaskKind::Backward:
      return stage.backward;
    default:
      return stage.weight;
    }
  }

  bool compute(uint32_t rank, const Task &task) {
    if (auto [rule, why] = findFault(task); !why.empty()) {
      refuse(rank, rule, why);
      return false;
    }
    const int64_t arrival = getArrival(task);
    if (arrival == kUnknown) {
      waits[rank] = true;
      return false;
    }
    const int64_t begin = std::max(now[rank], arrival);
    const int64_t end = begin + getDuration(task);
    now[rank] = end;
    run.busy[rank] += end - begin;
    if (keepTimes)
      run.times[rank].push_back({begin, end});
    account(rank, task, begin, end);
    if (task.kind == TaskKind::Forward || task.kind == TaskKind::Plain)
      send(rank, task, begin, end, /*isForward=*/true);
    else if (task.kind == TaskKind::Backward)
      send(rank, task, begin, end, /*isForward=*/false);
    return true;
  }

  /// Changes what is held, and the live bytes.
  void account(uint32_t rank, const Task &task, int64_t begin, int64_t end) {
    const Stage &stage = pipeline.stages[task.stage];
    const int64_t first = 2 * int64_t(at[rank]), last = first + 1;
    Held &state = held[getIndex(task)];
    note(rank, begin, first, stage.work);
    note(rank, end, last, -stage.work);
    switch (task.kind) {
    case TaskKind::Forward:
      state = Held::Tape;
      note(rank, begin, first, stage.tape);
      break;
    case TaskKind::Plain:
      state = Held::Input;
      note(rank, begin, first, stage.input);
      break;
    case TaskKind::Recompute:
      state = Held::Tape;
      note(rank, begin, first, stage.tape - stage.input);
      break;
    case TaskKind::Backward:
      state = Held::Differentiated;
      note(rank, end, last, -stage.tape);
      if (stage.weight)
        note(rank, end, last, stage.weightTape);
      break;
    default:
      state = Held::Finished;
      note(rank, end, last, -stage.weightTape);
    }
  }

  /// Hands the result of `task` to the next stage, or the one before. A message
  /// is held by who sends it until it has arrived, and by who gets it from when
  /// it is sent until a forward task begins or a backward task ends.
  void send(uint32_t rank, const Task &task, int64_t begin, int64_t end,
            bool isForward) {
    const Stage &stage = pipeline.stages[task.stage];
    // What a message was read by lets go of it.
    const bool cameIn =
        isForward ? task.stage > 0 : task.stage + 1 < pipeline.stages.size();
    if (cameIn) {
      const Stage &from = pipeline.stages[task.stage + (isForward ? -1 : 1)];
      const int64_t first = 2 * int64_t(at[rank]);
      note(rank, isForward ? begin : end, isForward ? first : first + 1,
           -(isForward ? from.message : from.messageBack));
    }
    const bool goesOn =
        isForward ? task.stage + 1 < pipeline.stages.size() : task.stage > 0;
    if (!goesOn)
      return;
    const uint32_t other = task.stage + (isForward ? 1 : -1);
    const uint32_t to = pipeline.stages[other].rank;
    const int64_t bytes = isForward ? stage.message : stage.messageBack;
    const int64_t first = 2 * int64_t(at[rank]);
    int64_t arrival = end;
    if (to == rank) {
      note(rank, begin, first, bytes);
    } else {
      int64_t &link = stageLink[2 * task.stage + isForward];
      const int64_t start = std::max(end, link);
      arrival = link = start + (isForward ? stage.send : stage.sendBack);
      note(rank, begin, first, bytes);
      note(rank, arrival, arrival == end ? first + 1 : kBefore, -bytes);
      note(to, start, kBefore, bytes);
    }
    const size_t index =
        size_t(other) * pipeline.microBatches + task.microBatch;
    (isForward ? forwardArrival : backwardArrival)[index] = arrival;
    if (waits[to]) {
      waits[to] = false;
      ready.push_back(to);
    }
  }

  /// Whether all has run.
  void checkEnd() {
    for (uint32_t rank = 0; rank < pipeline.ranks; ++rank) {
      if (at[rank] == tasks[rank].size())
        continue;
      const Task &task = tasks[rank][at[rank]];
      const bool isForward = task.kind != TaskKind::Backward;
      const uint32_t from = task.stage + (isForward ? -1 : 1);
      refuse(rank, "P6",
             "waits for ever for stage " + std::to_string(from) + " on rank " +
                 std::to_string(pipeline.stages[from].rank));
      return;
    }
    for (size_t index = 0; index < held.size(); ++index) {
      const uint32_t stage = index / pipeline.microBatches;
      const bool hasWeight = pipeline.stages[stage].weight != 0;
      if (held[index] == (hasWeight ? Held::Finished : Held::Differentiated))
        continue;
      run.rank = pipeline.stages[stage].rank;
      run.verdict = {"P2",
                     "stage " + std::to_string(stage) + " has not finished " +
                         "micro-batch " +
                         std::to_string(index % pipeline.microBatches),
                     game::kNone};
      return;
    }
  }

  void sumUp() {
    for (uint32_t rank = 0; rank < pipeline.ranks; ++rank) {
      run.ends.push_back(std::max(now[rank], lane[rank]));
      run.makespan = std::max(run.makespan, run.ends.back());
      std::vector<Event> &all = events[rank];
      std::sort(all.begin(), all.end(), [](const Event &a, const Event &b) {
        return std::pair(a.time, a.order) < std::pair(b.time, b.order);
      });
      int64_t live = 0, when = 0;
      for (size_t i = 0; i < all.size(); ++i) {
        live += all[i].bytes;
        const bool isLast = i + 1 == all.size() ||
                            all[i + 1].time != all[i].time ||
                            all[i + 1].order != all[i].order;
        if (isLast && live > run.peak[rank]) {
          run.peak[rank] = live;
          when = all[i].time;
        }
      }
      std::vector<Event>().swap(all);
      if (pipeline.budgets.empty() ||
          run.peak[rank] <= pipeline.budgets[rank] || !run.verdict.ok())
        continue;
      run.rank = rank;
      run.verdict = {"P7",
                     "takes " + std::to_string(run.peak[rank]) + " at time " +
                         std::to_string(when) + ", more than its budget of " +
                         std::to_string(pipeline.budgets[rank]),
                     game::kNone};
    }
  }

  const Pipeline &pipeline;
  const Tasks &tasks;
  const bool keepTimes;
  Timing run;
  /// By stage and micro-batch.
  std::vector<Held> held;
  /// When messages are there, and when the last copy is done.
  std::vector<int64_t> forwardArrival, backwardArrival, copied;
  /// When the links of each stage are free: back, forward.
  std::vector<int64_t> stageLink;
  /// By rank: when what ran last has ended, and the last copy.
  std::vector<int64_t> now, lane;
  std::vector<size_t> at;
  std::vector<bool> waits;
  std::vector<std::vector<Event>> events;
  std::deque<uint32_t> ready;
};

} // namespace

uint64_t Pipeline::countTasks() const {
  uint64_t count = 0;
  for (const Stage &stage : stages)
    count += uint64_t(microBatches) * (stage.weight ? 3 : 2);
  return count;
}

Verdict pebble::pipeline::check(const Pipeline &p) {
  auto wrong = [](const std::string &why) {
    return Verdict{"P1", why, game::kNone};
  };
  if (p.stages.empty() || p.microBatches == 0 || p.ranks == 0)
    return wrong("a pipeline has a rank, a stage and a micro-batch at least");
  if (p.getSize() > kMostTasks || p.ranks > kMostTasks)
    return wrong("a pipeline has at most " + std::to_string(kMostTasks) +
                 " stages times micro-batches");
  if (!p.budgets.empty() && p.budgets.size() != p.ranks)
    return wrong("there are " + std::to_string(p.budgets.size()) +
                 " budgets for " + std::to_string(p.ranks) + " ranks");
  std::vector<bool> used(p.ranks);
  long double time = 0, bytes = 0;
  for (size_t i = 0; i < p.stages.size(); ++i) {
    const Stage &s = p.stages[i];
    const std::string name = "stage " + std::to_string(i);
    if (s.rank >= p.ranks)
      return wrong(name + " is on rank " + std::to_string(s.rank) + " of " +
                   std::to_string(p.ranks));
    used[s.rank] = true;
    if (s.input > s.tape)
      return wrong(name + " has an input that is larger than its tape, which " +
                   "holds it");
    for (int64_t number : {s.forward, s.backward, s.recompute, s.weight,
                           s.store, s.load, s.send, s.sendBack}) {
      if (number < 0)
        return wrong(name + " has a time below 0");
      time += static_cast<long double>(number) * p.microBatches;
    }
    for (int64_t number : {s.tape, s.input, s.weightTape, s.fixed, s.work,
                           s.message, s.messageBack}) {
      if (number < 0)
        return wrong(name + " has less than 0 bytes");
      bytes += static_cast<long double>(number) * p.microBatches;
    }
  }
  if (time > kLargest || bytes > kLargest)
    return wrong(std::string(time > kLargest ? "times" : "bytes") +
                 " of all micro-batches together are more than " +
                 std::to_string(kLargest));
  for (uint32_t rank = 0; rank < p.ranks; ++rank)
    if (!used[rank])
      return wrong("rank " + std::to_string(rank) + " has no stage");
  return Verdict::good();
}

int64_t Timing::getLargestPeak() const {
  return peak.empty() ? 0 : *std::max_element(peak.begin(), peak.end());
}

double Timing::getBubble() const {
  if (makespan == 0 || busy.empty())
    return 0;
  double sum = 0;
  for (int64_t each : busy)
    sum += static_cast<double>(each);
  return 1 - sum / (static_cast<double>(makespan) *
                    static_cast<double>(busy.size()));
}

Timing pebble::pipeline::play(const Pipeline &pipeline, const Tasks &tasks,
                              bool keepTimes) {
  return Player(pipeline, tasks, keepTimes).play();
}

//===- ExactPipeline.cpp - all schedules of a small pipeline --------------===//
//
// Micro-batches are alike, so a stage may as well take them in their order: the
// k-th slot of each of its tasks goes to the k-th of them, and no message comes
// later and no byte is held longer than before. That holds as long as all keep
// their tapes. Where some do not, other orders may be better, and nothing is
// said of them.
//
// Tasks are placed in the order in which they begin, each as early as it can.
// Of states with the same tasks behind them those are left out that another one
// is nowhere later than.
//
//===----------------------------------------------------------------------===//

#include "Modes.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

using namespace pebble;
using namespace pebble::pipeline;

namespace {

/// Pipelines of more tasks are not tried.
constexpr uint64_t kMostExact = 64;
/// States that are looked at where nobody says when to end.
constexpr uint64_t kMostVisits = 300000;

/// Who asks for this search alone, or for all of some time, gets all of it. 0:
/// there is no limit.
uint64_t getMostVisits(const Options &options) {
  if (options.effort || !options.solver.empty() || options.limits.isTimed())
    return options.effort;
  return kMostVisits;
}

class Searcher {
public:
  Searcher(const Pipeline &p, const Options &options, int64_t known)
      : p(p), options(options), stop(options.limits), best(known),
        least(boundOnMakespan(p, options)), tails(p.stages.size()), mail(p) {
    state.done.resize(p.stages.size());
    state.now.assign(p.ranks, 0);
    state.live.assign(p.ranks, 0);
    state.isPlain.resize(p.getSize());
    for (const Stage &s : p.stages)
      state.live[s.rank] += s.fixed;
    for (size_t i = 1; i < p.stages.size(); ++i)
      tails[i] =
          tails[i - 1] + p.stages[i - 1].backward +
          (p.stages[i].rank != p.stages[i - 1].rank ? p.stages[i].sendBack : 0);
    tasks.resize(p.ranks);
  }

  ExactResult run() {
    explore();
    ExactResult result;
    result.tasks = std::move(found);
    result.makespan = best;
    result.isComplete = !isCut;
    return result;
  }

private:
  struct Done {
    uint32_t forward = 0, backward = 0, weight = 0;
    bool isAgain = false;
  };
  struct State {
    std::vector<Done> done;
    std::vector<int64_t> now, live;
    std::vector<bool> isPlain;
    int64_t last = 0;
  };
  struct Candidate {
    int64_t begin = 0;
    Task task;
  };

  bool hasRoom(uint32_t rank, int64_t bytes) const {
    return p.budgets.empty() || state.live[rank] + bytes <= p.budgets[rank];
  }

  void addCandidates(uint32_t stage, std::vector<Candidate> &to) const {
    const Stage &s = p.stages[stage];
    const Done &done = state.done[stage];
    const int64_t now = state.now[s.rank];
    auto add = [&](TaskKind kind, uint32_t batch, int64_t arrival,
                   int64_t bytes) {
      if (arrival == kNever || !hasRoom(s.rank, bytes + s.work))
        return;
      const int64_t begin = std::max(now, arrival);
      if (begin >= state.last)
        to.push_back({begin, {kind, stage, batch}});
    };
    if (done.forward < p.microBatches) {
      const int64_t arrival = mail.getArrival(stage, done.forward, true);
      add(TaskKind::Forward, done.forward, arrival, s.tape);
      if (options.mayRecompute && s.input < s.tape && !p.budgets.empty())
        add(TaskKind::Plain, done.forward, arrival, s.input);
    }
    if (done.backward < done.forward) {
      const bool isPlain =
          state.isPlain[size_t(stage) * p.microBatches + done.backward];
      if (isPlain && !done.isAgain)
        add(TaskKind::Recompute, done.backward, 0, s.tape - s.input);
      else
        add(TaskKind::Backward, done.backward,
            mail.getArrival(stage, done.backward, false),
            s.weight ? std::max<int64_t>(0, s.weightTape - s.tape - s.work)
                     : 0);
    }
    if (s.weight && done.weight < done.backward)
      add(TaskKind::Weight, done.weight, 0, 0);
  }

  /// What no schedule from here on is faster than.
  int64_t getBound() const {
    int64_t bound = 0;
    for (uint32_t rank = 0; rank < p.ranks; ++rank) {
      int64_t work = 0, weights = 0, tail = kNever;
      for (uint32_t stage = 0; stage < p.stages.size(); ++stage) {
        const Stage &s = p.stages[stage];
        if (s.rank != rank)
          continue;
        const Done &done = state.done[stage];
        work += (p.microBatches - done.forward) * s.forward +
                (p.microBatches - done.backward) * s.backward;
        weights += (p.microBatches - done.weight) * s.weight;
        if (done.backward < p.microBatches)
          tail = std::min(tail, tails[stage]);
      }
      bound = std::max(bound, state.now[rank] + work +
                                  std::max(weights, tail == kNever ? 0 : tail));
    }
    return bound;
  }

  std::string getKey() const {
    std::string key;
    auto put = [&](uint32_t number) {
      key.push_back(static_cast<char>(number));
    };
    for (uint32_t stage = 0; stage < p.stages.size(); ++stage) {
      const Done &done = state.done[stage];
      put(done.forward);
      put(done.backward);
      put(done.weight);
      put(done.isAgain);
      for (uint32_t batch = done.backward; batch < done.forward; ++batch)
        put(state.isPlain[size_t(stage) * p.microBatches + batch]);
    }
    return key;
  }

  /// All that the rest depends on.
  std::vector<int64_t> getTimes() const {
    std::vector<int64_t> times = state.now;
    times.push_back(state.last);
    times.insert(times.end(), mail.getLinks().begin(), mail.getLinks().end());
    for (uint32_t stage = 0; stage < p.stages.size(); ++stage) {
      const Done &done = state.done[stage];
      for (uint32_t batch = 0; batch < p.microBatches; ++batch) {
        if (batch >= done.forward)
          times.push_back(mail.getArrival(stage, batch, true));
        if (batch >= done.backward)
          times.push_back(mail.getArrival(stage, batch, false));
      }
    }
    return times;
  }

  /// Whether a state that is nowhere later was looked at before.
  bool isKnown() {
    std::vector<std::vector<int64_t>> &front = seen[getKey()];
    std::vector<int64_t> times = getTimes();
    auto isNowhereLater = [](const std::vector<int64_t> &a,
                             const std::vector<int64_t> &b) {
      for (size_t i = 0; i < a.size(); ++i)
        if (a[i] > b[i])
          return false;
      return true;
    };
    for (const std::vector<int64_t> &other : front)
      if (isNowhereLater(other, times))
        return true;
    front.erase(std::remove_if(front.begin(), front.end(),
                               [&](const std::vector<int64_t> &other) {
                                 return isNowhereLater(times, other);
                               }),
                front.end());
    bytes += times.size() * sizeof(int64_t) + 64;
    front.push_back(std::move(times));
    return false;
  }

  bool isFinished() const {
    for (uint32_t stage = 0; stage < p.stages.size(); ++stage) {
      const Done &done = state.done[stage];
      if (done.backward < p.microBatches ||
          (p.stages[stage].weight && done.weight < p.microBatches))
        return false;
    }
    return true;
  }

  void explore() {
    if (isFinished()) {
      const int64_t end = *std::max_element(state.now.begin(), state.now.end());
      if (end < best) {
        best = end;
        found = tasks;
      }
      return;
    }
    if (isCut || std::max(least, getBound()) >= best || isKnown())
      return;
    if (++visits % 256 == 0 && stop.isUp())
      isCut = true;
    if (bytes > options.limits.tableBytes() ||
        (mostVisits && visits > mostVisits))
      isCut = true;
    std::vector<Candidate> all;
    for (uint32_t stage = 0; stage < p.stages.size(); ++stage)
      addCandidates(stage, all);
    std::sort(all.begin(), all.end(),
              [](const Candidate &a, const Candidate &b) {
                return std::tuple(a.begin, a.task.stage, a.task.kind) <
                       std::tuple(b.begin, b.task.stage, b.task.kind);
              });
    for (const Candidate &candidate : all) {
      if (isCut)
        return;
      const State before = state;
      const std::vector<int64_t> linksBefore = mail.getLinks();
      perform(candidate);
      explore();
      takeBack(candidate.task);
      state = before;
      mail.setLinks(linksBefore);
    }
  }

  void perform(const Candidate &candidate) {
    const Task &task = candidate.task;
    const Stage &s = p.stages[task.stage];
    Done &done = state.done[task.stage];
    int64_t &now = state.now[s.rank], &live = state.live[s.rank];
    state.last = candidate.begin;
    tasks[s.rank].push_back(task);
    switch (task.kind) {
    case TaskKind::Forward:
    case TaskKind::Plain: {
      const bool isPlain = task.kind == TaskKind::Plain;
      ++done.forward;
      state.isPlain[size_t(task.stage) * p.microBatches + task.microBatch] =
          isPlain;
      live += isPlain ? s.input : s.tape;
      now = candidate.begin + s.forward;
      mail.send(task.stage, task.microBatch, now, true);
      return;
    }
    case TaskKind::Recompute:
      done.isAgain = true;
      live += s.tape - s.input;
      now = candidate.begin + s.recompute;
      return;
    case TaskKind::Backward:
      ++done.backward;
      done.isAgain = false;
      live += (s.weight ? s.weightTape : 0) - s.tape;
      now = candidate.begin + s.backward;
      mail.send(task.stage, task.microBatch, now, false);
      return;
    default:
      ++done.weight;
      live -= s.weightTape;
      now = candidate.begin + s.weight;
    }
  }

  void takeBack(const Task &task) {
    tasks[p.stages[task.stage].rank].pop_back();
    const bool isForward =
        task.kind == TaskKind::Forward || task.kind == TaskKind::Plain;
    if (isForward || task.kind == TaskKind::Backward)
      mail.takeBack(task.stage, task.microBatch, isForward);
  }

  const Pipeline &p;
  const Options &options;
  graph::StopSign stop;
  int64_t best;
  /// No schedule is faster.
  const int64_t least;
  std::optional<Tasks> found;
  std::vector<int64_t> tails;
  Mail mail;
  State state;
  Tasks tasks;
  std::unordered_map<std::string, std::vector<std::vector<int64_t>>> seen;
  const uint64_t mostVisits = getMostVisits(options);
  uint64_t visits = 0, bytes = 0;
  bool isCut = false;
};

} // namespace

bool pebble::pipeline::fitsExact(const Pipeline &p, const Options &options) {
  if (options.mayOffload)
    return false;
  for (const Stage &s : p.stages)
    if (!p.budgets.empty() && (s.message || s.messageBack))
      return false;
  return p.countTasks() <= kMostExact;
}

ExactResult pebble::pipeline::searchExact(const Pipeline &pipeline,
                                          const Options &options,
                                          int64_t known) {
  return Searcher(pipeline, options, known).run();
}

//===- ListPipeline.cpp - what can start first goes first -----------------===//

#include "Modes.h"

#include <algorithm>
#include <deque>
#include <queue>
#include <tuple>

using namespace pebble;
using namespace pebble::pipeline;

namespace {

class Lister {
public:
  Lister(const Pipeline &p, const Policy &policy)
      : p(p), policy(policy), tasks(p.ranks), on(p.ranks), now(p.ranks),
        lane(p.ranks), live(p.ranks), version(p.ranks), again(p.ranks),
        forwards(p.stages.size()), backwards(p.stages.size()),
        weights(p.stages.size()), isAgain(p.stages.size()),
        loaded(p.stages.size(), kNever), later(p.stages.size()), mail(p),
        stores(p.ranks) {
    for (uint32_t i = 0; i < p.stages.size(); ++i)
      on[p.stages[i].rank].push_back(i);
    for (uint32_t rank = 0; rank < p.ranks; ++rank) {
      int64_t sum = 0;
      for (auto it = on[rank].rbegin(); it != on[rank].rend(); ++it) {
        const Stage &s = p.stages[*it];
        later[*it] = sum;
        sum += getBytes(*it, 0);
        // What is made anew for a backward task has a place that no forward
        // task takes.
        if (policy.kept[*it] < policy.inFlight[*it])
          again[rank] = std::max(again[rank], s.tape - getHeld(*it));
        live[rank] += s.fixed;
      }
    }
  }

  std::optional<Tasks> run() {
    for (uint32_t rank = 0; rank < p.ranks; ++rank)
      offer(rank);
    uint64_t left = p.countTasks();
    while (left > 0 && !queue.empty()) {
      const Offer first = queue.top();
      queue.pop();
      if (first.version != version[first.rank])
        continue;
      perform(first);
      if (first.task.kind != TaskKind::Recompute)
        --left;
      offer(first.rank);
    }
    if (left > 0)
      return std::nullopt;
    return std::move(tasks);
  }

private:
  struct Offer {
    int64_t begin = kNever;
    uint32_t rank = 0, version = 0;
    Task task;
    bool operator<(const Offer &other) const {
      return std::tuple(begin, rank) > std::tuple(other.begin, other.rank);
    }
  };

  /// Of a micro-batch that does not keep its tape.
  int64_t getHeld(uint32_t stage) const {
    return policy.otherwise[stage] == Mode::Again ? p.stages[stage].input : 0;
  }

  /// What a forward task takes, and what stays of it.
  int64_t getBytes(uint32_t stage, uint32_t batch) const {
    return policy.getMode(stage, batch) == Mode::Again ? p.stages[stage].input
                                                       : p.stages[stage].tape;
  }

  int64_t getBudget(uint32_t rank) const {
    return p.budgets.empty() ? kNever : p.budgets[rank];
  }

  /// When `need` more bytes than are live fit into `rank`, be it after stores
  /// that were begun; kNever: not before something else has run.
  int64_t getTimeForRoom(uint32_t rank, int64_t need) const {
    int64_t over = live[rank] + need - getBudget(rank), time = 0;
    for (auto it = stores[rank].begin(); over > 0; ++it) {
      if (it == stores[rank].end())
        return kNever;
      over -= p.stages[it->stage].tape;
      time = it->end;
    }
    return time;
  }

  /// Waits for as many stores as it takes.
  void makeRoom(uint32_t rank, int64_t need) {
    while (live[rank] + need > getBudget(rank)) {
      const Stored &first = stores[rank].front();
      live[rank] -= p.stages[first.stage].tape;
      tasks[rank].push_back({TaskKind::Wait, first.stage, first.batch});
      stores[rank].pop_front();
    }
  }

  int64_t getNeed(uint32_t rank, const Task &task) const {
    const Stage &s = p.stages[task.stage];
    switch (task.kind) {
    case TaskKind::Forward:
    case TaskKind::Plain:
      return getBytes(task.stage, task.microBatch) + later[task.stage] +
             again[rank] + s.work + getMessages(task.stage);
    case TaskKind::Recompute:
      return s.tape - s.input + s.work;
    case TaskKind::Load:
      return s.tape + getNeed(rank, {TaskKind::Backward, task.stage, 0});
    case TaskKind::Backward:
      return std::max(s.work, s.weight ? s.weightTape - s.tape : 0);
    default:
      return s.work;
    }
  }

  int64_t getMessages(uint32_t stage) const {
    const Stage &s = p.stages[stage];
    int64_t bytes = s.message + s.messageBack;
    if (stage > 0)
      bytes += p.stages[stage - 1].message;
    if (stage + 1 < p.stages.size())
      bytes += p.stages[stage + 1].messageBack;
    return bytes;
  }

  /// Of a forward task: when it may begin; kNever: not known yet.
  int64_t getForwardTime(uint32_t rank, uint32_t stage) const {
    const uint32_t batch = forwards[stage];
    if (batch == p.microBatches ||
        batch - backwards[stage] >= policy.inFlight[stage])
      return kNever;
    const int64_t arrival = mail.getArrival(stage, batch, true);
    if (arrival == kNever)
      return kNever;
    return std::max({now[rank], arrival,
                     getTimeForRoom(rank, getNeed(rank, {TaskKind::Forward,
                                                         stage, batch}))});
  }

  Offer getBackward(uint32_t rank, uint32_t stage) const {
    Offer offer;
    offer.rank = rank;
    const uint32_t batch = backwards[stage];
    if (batch == forwards[stage])
      return offer;
    const Stage &s = p.stages[stage];
    const Mode mode = policy.getMode(stage, batch);
    const int64_t arrival = mail.getArrival(stage, batch, false);
    if (arrival == kNever)
      return offer;
    offer.task = {TaskKind::Backward, stage, batch};
    int64_t begin = std::max(now[rank], arrival);
    if (mode == Mode::Again && !isAgain[stage]) {
      // No earlier than it pays: right before the gradient is there.
      offer.task.kind = TaskKind::Recompute;
      begin = std::max(now[rank], arrival - s.recompute);
    } else if (mode == Mode::Away && loaded[stage] == kNever) {
      const int64_t room =
          getTimeForRoom(rank, getNeed(rank, {TaskKind::Load, stage, batch}));
      if (room == kNever)
        return offer;
      begin = std::max(begin, std::max({now[rank], lane[rank], room}) + s.load);
    } else if (mode == Mode::Away) {
      begin = std::max(begin, loaded[stage]);
    }
    offer.begin =
        std::max(begin, getTimeForRoom(rank, getNeed(rank, offer.task)));
    return offer;
  }

  /// Says anew what `rank` would do next.
  void offer(uint32_t rank) {
    Offer best;
    std::tuple<int64_t, int64_t, int64_t> bestKey(kNever, 0, 0);
    auto consider = [&](const Offer &one, int64_t kind) {
      if (one.begin == kNever)
        return;
      const std::tuple key(one.begin, kind,
                           -int64_t(policy.eagerness[one.task.stage]));
      if (best.begin != kNever && key >= bestKey)
        return;
      best = one;
      bestKey = key;
    };
    for (uint32_t stage : on[rank]) {
      consider(getBackward(rank, stage), 0);
      Offer forward;
      forward.begin = getForwardTime(rank, stage);
      forward.task = {policy.getMode(stage, forwards[stage]) == Mode::Again
                          ? TaskKind::Plain
                          : TaskKind::Forward,
                      stage, forwards[stage]};
      consider(forward, 1);
      if (weights[stage] < backwards[stage] && p.stages[stage].weight) {
        Offer weight;
        weight.task = {TaskKind::Weight, stage, weights[stage]};
        weight.begin = std::max(
            now[rank], getTimeForRoom(rank, getNeed(rank, weight.task)));
        consider(weight, 2);
      }
    }
    best.rank = rank;
    best.version = ++version[rank];
    if (best.begin != kNever)
      queue.push(best);
  }

  void perform(const Offer &offer) {
    const Task &task = offer.task;
    const uint32_t rank = offer.rank, stage = task.stage;
    const Stage &s = p.stages[stage];
    std::vector<Task> &to = tasks[rank];
    if (task.kind == TaskKind::Backward && loaded[stage] == kNever &&
        policy.getMode(stage, task.microBatch) == Mode::Away)
      load(rank, stage, task.microBatch);
    makeRoom(rank, getNeed(rank, task));
    switch (task.kind) {
    case TaskKind::Forward:
    case TaskKind::Plain:
      ++forwards[stage];
      live[rank] += getBytes(stage, task.microBatch);
      now[rank] = offer.begin + s.forward;
      to.push_back(task);
      send(stage, task.microBatch, now[rank], true);
      if (policy.getMode(stage, task.microBatch) == Mode::Away)
        store(rank, stage, task.microBatch);
      return;
    case TaskKind::Recompute:
      isAgain[stage] = true;
      live[rank] += s.tape - s.input;
      now[rank] = offer.begin + s.recompute;
      to.push_back(task);
      return;
    case TaskKind::Backward:
      isAgain[stage] = false;
      loaded[stage] = kNever;
      ++backwards[stage];
      live[rank] -= s.tape;
      if (s.weight)
        live[rank] += s.weightTape;
      now[rank] = offer.begin + s.backward;
      to.push_back(task);
      send(stage, task.microBatch, now[rank], false);
      loadAhead(rank, stage);
      return;
    default:
      ++weights[stage];
      live[rank] -= s.weightTape;
      now[rank] = offer.begin + s.weight;
      to.push_back(task);
    }
  }

  void store(uint32_t rank, uint32_t stage, uint32_t batch) {
    lane[rank] = std::max(now[rank], lane[rank]) + p.stages[stage].store;
    stores[rank].push_back({stage, batch, lane[rank]});
    tasks[rank].push_back({TaskKind::Store, stage, batch});
  }

  void load(uint32_t rank, uint32_t stage, uint32_t batch) {
    const Task task{TaskKind::Load, stage, batch};
    // What is to come back has to be away.
    auto isThis = [&](const Stored &one) {
      return one.stage == stage && one.batch == batch;
    };
    while (std::any_of(stores[rank].begin(), stores[rank].end(), isThis)) {
      const Stored first = stores[rank].front();
      now[rank] = std::max(now[rank], first.end);
      live[rank] -= p.stages[first.stage].tape;
      tasks[rank].push_back({TaskKind::Wait, first.stage, first.batch});
      stores[rank].pop_front();
    }
    makeRoom(rank, getNeed(rank, task));
    lane[rank] = std::max(now[rank], lane[rank]) + p.stages[stage].load;
    loaded[stage] = lane[rank];
    live[rank] += p.stages[stage].tape;
    tasks[rank].push_back(task);
  }

  /// Brings the next tape of `stage` back beside what comes, where it fits
  /// without waiting.
  void loadAhead(uint32_t rank, uint32_t stage) {
    const uint32_t batch = backwards[stage];
    if (batch == forwards[stage] || policy.getMode(stage, batch) != Mode::Away)
      return;
    for (const Stored &one : stores[rank])
      if (one.stage == stage && one.batch == batch)
        return;
    // As much as the next forward task wants stays free.
    const int64_t need = getNeed(rank, {TaskKind::Load, stage, batch});
    if (live[rank] + need <= getBudget(rank))
      load(rank, stage, batch);
  }

  /// Whoever waits for the message on another rank may go on.
  void send(uint32_t stage, uint32_t batch, int64_t end, bool isForward) {
    const std::optional<uint32_t> next =
        mail.send(stage, batch, end, isForward);
    if (next && p.stages[*next].rank != p.stages[stage].rank)
      offer(p.stages[*next].rank);
  }

  const Pipeline &p;
  const Policy &policy;
  Tasks tasks;
  /// By rank: its stages, when it and its lane to the slower memory are free,
  /// its live bytes, and which offer is the newest.
  std::vector<std::vector<uint32_t>> on;
  std::vector<int64_t> now, lane, live;
  std::vector<uint32_t> version;
  std::vector<int64_t> again;
  /// By stage: micro-batches that have run, whether the next backward task has
  /// its tape, what a micro-batch takes in later stages of the rank.
  std::vector<uint32_t> forwards, backwards, weights;
  std::vector<bool> isAgain;
  /// When the tape of the next backward task is back; kNever: it is away.
  std::vector<int64_t> loaded;
  std::vector<int64_t> later;
  Mail mail;
  /// Stores that nobody has waited for, by rank.
  struct Stored {
    uint32_t stage, batch;
    int64_t end;
  };
  std::vector<std::deque<Stored>> stores;
  std::priority_queue<Offer> queue;
};

} // namespace

std::optional<Tasks>
pebble::pipeline::scheduleByPolicy(const Pipeline &pipeline,
                                   const Policy &policy) {
  return Lister(pipeline, policy).run();
}

//===- RerunRelaxation.cpp - orders when only some steps run again --------===//

#include "RerunRelaxation.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::Id;
using game::kNone;
using game::Problem;

std::string RerunRelaxation::refusal(const Problem &problem) {
  for (const game::Value &v : problem.values) {
    if (v.overwrites != kNone)
      return "'" + v.name + "' is an update in place";
    if (v.producer != kNone && (problem.storages[v.storage].initial ||
                                problem.storages[v.storage].pinned))
      return "the storage of '" + v.name + "' is always live";
  }
  for (const game::Step &s : problem.steps)
    if (s.pin == game::Pin::Recompute || s.pin == game::Pin::Offload)
      return "'" + s.name + "' has a wish";
  return "";
}

RerunRelaxation::RerunRelaxation(const Problem &problem)
    : p(problem), readers(problem.steps.size()),
      required(problem.steps.size(), false),
      awaited(problem.steps.size(), false) {
  for (Id s = 0; s < p.steps.size(); ++s)
    for (const Access &a : p.steps[s].reads)
      if (const Id maker = p.values[a.value].producer; maker != kNone)
        if (readers[maker].empty() || readers[maker].back() != s)
          readers[maker].push_back(s);
  for (const game::Value &v : p.values)
    if (v.required && v.producer != kNone)
      required[v.producer] = true;
  for (const game::Precedence &d : p.precedences)
    awaited[d.before] = true;
}

size_t RerunRelaxation::usesOf(Id step, const Reruns &reruns) const {
  size_t uses = (required[step] ? 1 : 0) + (awaited[step] ? 1 : 0);
  for (Id reader : readers[step])
    uses += 1 + reruns.counts[reader];
  return uses;
}

Reruns RerunRelaxation::useful(Reruns reruns) const {
  for (bool changed = true; changed;) {
    changed = false;
    for (Id s = 0; s < p.steps.size(); ++s) {
      if (!reruns.free[s] || usesOf(s, reruns) > 1 ||
          std::any_of(readers[s].begin(), readers[s].end(),
                      [&](Id reader) { return reruns.free[reader]; }))
        continue;
      reruns.free[s] = false;
      changed = true;
    }
  }
  return reruns;
}

std::vector<ReadKey>
RerunRelaxation::undecided(const Reruns &reruns,
                           const ReadChoice &choice) const {
  std::vector<ReadKey> result;
  for (Id maker = 0; maker < p.steps.size(); ++maker) {
    if (reruns.counts[maker] == 0)
      continue;
    for (Id reader : readers[maker])
      for (unsigned copy = 0; copy <= reruns.counts[reader]; ++copy) {
        const ReadKey key{{reader, copy}, maker};
        if (choice.find(key) == choice.end())
          result.push_back(key);
      }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The problem of orders
//===----------------------------------------------------------------------===//

class RerunRelaxation::Builder {
public:
  Builder(const Problem &p, const Reruns &reruns, const ReadChoice &choice)
      : p(p), reruns(reruns), choice(choice), valueOf(p.values.size()),
        stepOf(p.steps.size()) {}

  /// The problem, its steps in no order yet.
  void build() {
    for (Id v = 0; v < p.values.size(); ++v)
      addValues(v);
    for (Id s = 0; s < p.steps.size(); ++s)
      for (unsigned copy = 0; copy <= reruns.counts[s]; ++copy) {
        stepOf[s].push_back(static_cast<Id>(runs.size()));
        runs.push_back({s, copy});
      }
    for (Id run = 0; run < runs.size(); ++run)
      addStep(run);
    for (const game::Precedence &d : p.precedences)
      order(stepOf[d.before][0], stepOf[d.after][0]);
  }

  /// Puts the steps into a valid order; false if there is none.
  bool sort(Problem &result, std::vector<StepRun> &sorted) {
    std::vector<std::vector<Id>> next(runs.size());
    std::vector<unsigned> waits(runs.size(), 0);
    auto arc = [&](Id before, Id after) {
      next[before].push_back(after);
      ++waits[after];
    };
    for (Id run = 0; run < runs.size(); ++run)
      for (const Access &a : q.steps[run].reads)
        if (const Id maker = q.values[a.value].producer; maker != kNone)
          arc(maker, run);
    for (const game::Precedence &d : q.precedences)
      arc(d.before, d.after);
    std::vector<Id> ready, place(runs.size(), kNone);
    for (Id run = 0; run < runs.size(); ++run)
      if (waits[run] == 0)
        ready.push_back(run);
    for (size_t i = 0; i < ready.size(); ++i) {
      place[ready[i]] = static_cast<Id>(i);
      for (Id after : next[ready[i]])
        if (--waits[after] == 0)
          ready.push_back(after);
    }
    if (ready.size() != runs.size())
      return false;
    rename(ready, place);
    result = std::move(q);
    sorted = std::move(runs);
    return true;
  }

private:
  bool isFree(Id value) const {
    const Id maker = p.values[value].producer;
    return maker != kNone && reruns.free[maker];
  }

  /// One for each copy of its producer.
  void addValues(Id v) {
    const game::Value &value = p.values[v];
    const bool made = value.producer != kNone;
    const unsigned last = made ? reruns.counts[value.producer] : 0;
    for (unsigned copy = 0; copy <= last; ++copy) {
      valueOf[v].push_back(static_cast<Id>(q.values.size()));
      game::Storage storage = p.storages[value.storage];
      if (isFree(v))
        storage.footprint = 0;
      game::Value one = value;
      one.storage = static_cast<Id>(q.storages.size());
      one.required = value.required && copy == last;
      q.storages.push_back(std::move(storage));
      q.values.push_back(std::move(one));
    }
  }

  /// Whether any read of its results is.
  bool isDecided(Id maker) const {
    auto first = choice.lower_bound({{0, 0}, maker});
    return first != choice.end() && first->first.producer == maker;
  }

  void order(Id before, Id after) {
    q.precedences.push_back(
        {before, after, game::DependenceKind::Effect, kNone});
  }

  void addStep(Id run) {
    const auto [s, copy] = runs[run];
    game::Step step = p.steps[s];
    step.reads.clear();
    step.writes.clear();
    // What is there only while the step runs, each storage once.
    std::vector<Id> moments;
    auto forAMoment = [&](Id value) {
      if (std::find(moments.begin(), moments.end(), value) != moments.end())
        return;
      moments.push_back(value);
      step.scratch += p.storages[p.values[value].storage].footprint;
    };
    for (const Access &a : p.steps[s].reads)
      addRead(step, run, a, forAMoment);
    for (const Access &a : p.steps[s].writes) {
      const Id value = valueOf[a.value][copy];
      q.values[value].producer = run;
      step.writes.push_back({value, a.bytes});
      if (isFree(a.value))
        forAMoment(a.value);
    }
    if (copy > 0)
      order(stepOf[s][copy - 1], run);
    q.steps.push_back(std::move(step));
  }

  template <typename Moment>
  void addRead(game::Step &step, Id run, const Access &a, Moment forAMoment) {
    const Id maker = p.values[a.value].producer;
    const unsigned last = maker == kNone ? 0 : reruns.counts[maker];
    if (last == 0) {
      step.reads.push_back({valueOf[a.value][0], a.bytes});
      if (isFree(a.value))
        forAMoment(a.value);
      return;
    }
    auto chosen = choice.find({runs[run], maker});
    if (chosen == choice.end()) {
      // A copy may wait already: for reads that are decided, or for the end.
      if (!isDecided(maker) && !p.values[a.value].required)
        forAMoment(a.value);
      order(stepOf[maker][0], run);
      return;
    }
    step.reads.push_back({valueOf[a.value][chosen->second], a.bytes});
    if (chosen->second < last)
      order(run, stepOf[maker][chosen->second + 1]);
  }

  /// Steps take the places that `place` says.
  void rename(const std::vector<Id> &order, const std::vector<Id> &place) {
    std::vector<game::Step> steps;
    std::vector<StepRun> inOrder;
    for (Id run : order) {
      steps.push_back(std::move(q.steps[run]));
      inOrder.push_back(runs[run]);
    }
    q.steps = std::move(steps);
    runs = std::move(inOrder);
    for (game::Value &v : q.values)
      if (v.producer != kNone)
        v.producer = place[v.producer];
    for (game::Precedence &d : q.precedences) {
      d.before = place[d.before];
      d.after = place[d.after];
    }
  }

  const Problem &p;
  const Reruns &reruns;
  const ReadChoice &choice;
  Problem q;
  /// By step of `q`, while it is built.
  std::vector<StepRun> runs;
  /// By value of `p` and copy; by step of `p` and copy.
  std::vector<std::vector<Id>> valueOf, stepOf;
};

bool RerunRelaxation::build(const Reruns &reruns, const ReadChoice &choice,
                            Problem &result, std::vector<StepRun> &runs) const {
  Builder builder(p, reruns, choice);
  builder.build();
  return builder.sort(result, runs);
}

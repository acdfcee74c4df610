//===- Problem.cpp - the judge of a problem -------------------------------===//
//
// check(): the rules G1 to G10 of docs/PebbleGame.md, each named with the thing
// that broke it. allPrecedences(): what must come before what.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Game/Problem.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace pebble::game;

const char *pebble::game::toString(DependenceKind kind) {
  switch (kind) {
  case DependenceKind::Flow:
    return "flow";
  case DependenceKind::Anti:
    return "anti";
  case DependenceKind::Output:
    return "output";
  case DependenceKind::Effect:
    return "effect";
  }
  return "unknown";
}

namespace {

/// The judge at work: one method per rule, each returns the first thing broken.
class Checker {
public:
  explicit Checker(const Problem &problem) : p(problem) {}

  Verdict run() {
    using Rule = Verdict (Checker::*)();
    // G1 makes the tables safe to index, so it comes first; G4 needs G3.
    for (Rule rule : {&Checker::idsInRange, &Checker::sizesNotNegative,
                      &Checker::oneProducer, &Checker::contentsFormAChain,
                      &Checker::initialContents, &Checker::noStepReadsItself,
                      &Checker::requiredIsLast, &Checker::givenOrderRuns,
                      &Checker::inPlaceRunsOnce, &Checker::tiersAreSane})
      if (Verdict v = (this->*rule)(); !v.ok())
        return v;
    return Verdict::good();
  }

private:
  static Verdict bad(const char *rule, std::string message, size_t at = kNone) {
    return {rule, std::move(message), static_cast<Id>(at)};
  }
  std::string step(Id s) const { return "step '" + p.steps[s].name + "'"; }
  std::string value(Id v) const { return "value '" + p.values[v].name + "'"; }
  std::string storage(Id s) const {
    return "storage '" + p.storages[s].name + "'";
  }

  // G1
  Verdict idsInRange() {
    for (size_t i = 0; i < p.values.size(); ++i) {
      const Value &v = p.values[i];
      if (v.storage >= p.storages.size())
        return bad("G1", value(i) + " has no storage");
      if (v.producer != kNone && v.producer >= p.steps.size())
        return bad("G1", "the producer of " + value(i) + " does not exist");
      if (v.overwrites != kNone &&
          (v.overwrites >= p.values.size() || v.overwrites == i))
        return bad("G1", value(i) + " overwrites a value that does not exist");
    }
    for (size_t i = 0; i < p.steps.size(); ++i)
      for (const auto *list : {&p.steps[i].reads, &p.steps[i].writes})
        for (const Access &a : *list)
          if (a.value >= p.values.size())
            return bad("G1", step(i) + " accesses a value that does not exist",
                       i);
    for (const Precedence &d : p.precedences) {
      if (d.before >= p.steps.size() || d.after >= p.steps.size())
        return bad("G1", "a precedence names a step that does not exist");
      if (d.storage != kNone && d.storage >= p.storages.size())
        return bad("G1", "the precedence of " + step(d.before) + " and " +
                             step(d.after) +
                             " names a storage that does not exist");
    }
    return Verdict::good();
  }

  // G2: sums must not overflow either, so that no later arithmetic has to ask.
  Verdict sizesNotNegative() {
    constexpr int64_t limit = INT64_MAX / 4;
    int64_t footprint = 0, cost = 0;
    for (size_t i = 0; i < p.storages.size(); ++i) {
      const Storage &s = p.storages[i];
      if (s.bytes < 0 || s.footprint < 0)
        return bad("G2", storage(i) + " has a negative size");
      if (s.bytes > limit || s.footprint > limit - footprint)
        return bad("G2", "the sizes add up beyond 64 bits at " + storage(i));
      footprint += s.footprint;
    }
    for (size_t i = 0; i < p.steps.size(); ++i) {
      const Step &s = p.steps[i];
      if (s.cost < 0 || s.scratch < 0)
        return bad("G2", step(i) + " has a negative cost or scratch", i);
      if (s.cost > limit - cost || s.scratch > limit - footprint)
        return bad("G2", "the costs add up beyond 64 bits at " + step(i), i);
      cost += s.cost;
      for (const auto *list : {&s.reads, &s.writes})
        for (const Access &a : *list)
          if (a.bytes < 0)
            return bad("G2", step(i) + " accesses a negative number of bytes",
                       i);
    }
    return Verdict::good();
  }

  // G3
  Verdict oneProducer() {
    std::vector<Id> writer(p.values.size(), kNone);
    for (size_t i = 0; i < p.steps.size(); ++i)
      for (const Access &a : p.steps[i].writes) {
        if (writer[a.value] != kNone)
          return bad("G3", value(a.value) + " is written twice", i);
        writer[a.value] = i;
      }
    for (size_t v = 0; v < p.values.size(); ++v)
      if (writer[v] != p.values[v].producer)
        return bad("G3", value(v) +
                             " is not written by the step that it names as "
                             "its producer");
    return Verdict::good();
  }

  // G4
  Verdict contentsFormAChain() {
    std::vector<Id> first(p.storages.size(), kNone);
    next.assign(p.values.size(), kNone);
    for (size_t i = 0; i < p.values.size(); ++i) {
      const Value &v = p.values[i];
      if (v.overwrites == kNone) {
        if (first[v.storage] != kNone)
          return bad("G4", storage(v.storage) + " has two first contents, " +
                               value(first[v.storage]) + " and " + value(i));
        first[v.storage] = i;
        continue;
      }
      if (p.values[v.overwrites].storage != v.storage)
        return bad("G4", value(i) + " overwrites " + value(v.overwrites) +
                             " of another storage");
      if (next[v.overwrites] != kNone)
        return bad("G4", value(v.overwrites) + " is overwritten twice");
      next[v.overwrites] = i;
    }
    size_t reached = 0;
    for (Id v : first)
      for (; v != kNone; v = next[v])
        ++reached;
    if (reached != p.values.size())
      return bad("G4", "the contents of a storage overwrite each other in a "
                       "circle");
    for (size_t i = 0; i < p.steps.size(); ++i) {
      std::set<Id> written;
      for (const Access &a : p.steps[i].writes)
        if (!written.insert(p.values[a.value].storage).second)
          return bad("G4",
                     step(i) + " writes two contents of " +
                         storage(p.values[a.value].storage),
                     i);
    }
    return Verdict::good();
  }

  // G5
  Verdict initialContents() {
    std::vector<bool> hasInitial(p.storages.size(), false);
    for (size_t i = 0; i < p.values.size(); ++i) {
      const Value &v = p.values[i];
      if (v.producer != kNone)
        continue;
      if (v.overwrites != kNone)
        return bad("G5", value(i) + " overwrites a value, but nothing writes "
                                    "it");
      if (!p.storages[v.storage].initial)
        return bad("G5", value(i) + " is there from the start, but its " +
                             storage(v.storage) + " is not");
      hasInitial[v.storage] = true;
    }
    for (size_t i = 0; i < p.storages.size(); ++i)
      if (p.storages[i].initial && !hasInitial[i])
        return bad("G5", storage(i) + " is there from the start without a "
                                      "content");
    return Verdict::good();
  }

  // G6
  Verdict noStepReadsItself() {
    for (size_t i = 0; i < p.steps.size(); ++i)
      for (const Access &a : p.steps[i].reads)
        if (p.values[a.value].producer == i)
          return bad("G6", step(i) + " reads its own result", i);
    return Verdict::good();
  }

  // G7
  Verdict requiredIsLast() {
    for (size_t i = 0; i < p.values.size(); ++i)
      if (p.values[i].required && next[i] != kNone)
        return bad("G7", value(i) + " is required at the end, but " +
                             step(p.values[next[i]].producer) +
                             " overwrites it");
    return Verdict::good();
  }

  // G8
  Verdict givenOrderRuns() {
    for (const Precedence &d : allPrecedences(p)) {
      if (d.before < d.after)
        continue;
      std::string message = step(d.after) + " stands before " + step(d.before);
      if (d.before == d.after)
        message = step(d.after) + " must come before itself";
      message +=
          std::string(", against the ") + toString(d.kind) + " dependence";
      if (d.storage != kNone)
        message += " on " + storage(d.storage);
      return bad("G8", message, d.after);
    }
    return Verdict::good();
  }

  // G9
  Verdict inPlaceRunsOnce() {
    for (size_t i = 0; i < p.steps.size(); ++i)
      for (const Access &a : p.steps[i].writes)
        if (p.values[a.value].overwrites != kNone && p.steps[i].recomputable)
          return bad("G9",
                     step(i) + " updates " +
                         storage(p.values[a.value].storage) +
                         " in place, so it cannot be recomputable",
                     i);
    return Verdict::good();
  }

  // G10
  Verdict tiersAreSane() {
    const auto &tiers = p.hierarchy.tiers;
    std::set<std::string> names;
    for (size_t i = 0; i < tiers.size(); ++i) {
      const std::string tier = "tier '" + tiers[i].name + "'";
      if (!names.insert(tiers[i].name).second)
        return bad("G10", tier + " exists twice");
      if (tiers[i].capacity <= 0)
        return bad("G10", tier + " has no capacity");
      if (tiers[i].readEnergy < 0 || tiers[i].writeEnergy < 0 ||
          tiers[i].bandwidth < 0 || tiers[i].latency < 0)
        return bad("G10", tier + " has a negative figure");
      if (tiers[i].kind == TierKind::Cache && i > p.hierarchy.computeTier())
        return bad("G10", tier + " is a cache behind an explicit tier");
    }
    if (!tiers.empty() && p.hierarchy.computeTier() == tiers.size())
      return bad("G10", "there is no explicit tier to compute in");
    return energiesFit();
  }

  // As with sizes: no later sum of energies has to ask.
  Verdict energiesFit() {
    int64_t price = 0;
    for (const Tier &tier : p.hierarchy.tiers)
      price = std::max({price, tier.readEnergy, tier.writeEnergy});
    int64_t left = price ? INT64_MAX / 4 / price : INT64_MAX;
    for (size_t i = 0; i < p.steps.size(); ++i)
      for (const auto *list : {&p.steps[i].reads, &p.steps[i].writes})
        for (const Access &a : *list) {
          if (a.bytes > left)
            return bad("G10",
                       "the energies of accesses may add up beyond 64 bits "
                       "at " +
                           step(i),
                       i);
          left -= a.bytes;
        }
    return Verdict::good();
  }

  const Problem &p;
  /// The value that overwrites each value.
  std::vector<Id> next;
};

} // namespace

Verdict pebble::game::check(const Problem &problem) {
  return Checker(problem).run();
}

std::vector<Precedence> pebble::game::allPrecedences(const Problem &problem) {
  std::vector<Precedence> all = problem.precedences;
  std::vector<Id> overwriter(problem.values.size(), kNone);
  for (size_t i = 0; i < problem.values.size(); ++i) {
    const Value &v = problem.values[i];
    if (v.overwrites == kNone)
      continue;
    overwriter[v.overwrites] = v.producer;
    Id before = problem.values[v.overwrites].producer;
    if (before != kNone)
      all.push_back({before, v.producer, DependenceKind::Output, v.storage});
  }
  for (size_t i = 0; i < problem.steps.size(); ++i)
    for (const Access &a : problem.steps[i].reads) {
      const Value &v = problem.values[a.value];
      Id reader = i;
      if (v.producer != kNone)
        all.push_back({v.producer, reader, DependenceKind::Flow, v.storage});
      // A step that reads what it overwrites is an update in place, no hazard.
      Id killer = overwriter[a.value];
      if (killer != kNone && killer != reader)
        all.push_back({reader, killer, DependenceKind::Anti, v.storage});
    }
  auto key = [](const Precedence &d) {
    return std::make_tuple(d.before, d.after, d.kind, d.storage);
  };
  std::sort(all.begin(), all.end(),
            [&](const Precedence &a, const Precedence &b) {
              return key(a) < key(b);
            });
  all.erase(std::unique(all.begin(), all.end(),
                        [&](const Precedence &a, const Precedence &b) {
                          return key(a) == key(b);
                        }),
            all.end());
  return all;
}

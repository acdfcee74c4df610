//===- RematGame.cpp - the game with recomputation, in bits ---------------===//

#include "pebble/Solver/Remat/RematGame.h"

#include "Solver/Graph/IdSet.h"

#include <algorithm>
#include <numeric>

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::kNone;
using game::Problem;

namespace {

constexpr size_t kWord = 64;

/// Values that can be left out: there from the start, without a footprint, in
/// a storage that nothing writes.
std::vector<bool> alwaysThere(const Problem &p) {
  std::vector<bool> free(p.values.size());
  std::vector<bool> written(p.storages.size(), false);
  for (const game::Value &v : p.values)
    if (v.producer != kNone)
      written[v.storage] = true;
  for (size_t v = 0; v < p.values.size(); ++v) {
    Id s = p.values[v].storage;
    free[v] = !written[s] && p.storages[s].footprint == 0;
  }
  return free;
}

/// Whether somebody reads a value or wants it in the end.
std::vector<bool> wanted(const Problem &p) {
  std::vector<bool> result(p.values.size());
  for (size_t v = 0; v < p.values.size(); ++v)
    result[v] = p.values[v].required;
  for (const game::Step &s : p.steps) {
    for (const game::Access &a : s.reads)
      result[a.value] = true;
    for (const game::Access &a : s.writes)
      if (p.values[a.value].overwrites != kNone)
        result[p.values[a.value].overwrites] = true;
  }
  return result;
}

} // namespace

std::string RematGame::refusal(const Problem &p, const RematMeans &means) {
  if (p.steps.size() > kWord)
    return "has more than 64 steps";
  std::vector<bool> free = alwaysThere(p);
  if (static_cast<size_t>(std::count(free.begin(), free.end(), false)) > kWord)
    return "has more than 64 values";
  for (const game::Step &s : p.steps) {
    if (s.pin == game::Pin::Offload && !means.offload)
      return "asks to offload the results of step '" + s.name + "'";
    for (const game::Access &a : s.writes) {
      const game::Value &v = p.values[a.value];
      if (s.pin == game::Pin::Offload &&
          (!v.offloadable || p.storages[v.storage].pinned))
        return "asks to offload the results of step '" + s.name +
               "', which cannot be";
    }
    if (s.pin == game::Pin::Recompute && !(s.recomputable && means.recompute))
      return "asks to recompute step '" + s.name + "', which cannot be";
  }
  if (means.offload) {
    if (p.explicitTierCount() < 2)
      return "has no slower tier to offload to";
    if (p.explicitTierCount() > kSlowTiers + 1)
      return "has more than " + std::to_string(kSlowTiers) + " slower tiers";
  }
  return "";
}

RematGame::RematGame(const Problem &p, const RematMeans &means,
                     const MoveCosts *transfers) {
  if (means.offload)
    for (size_t t = p.hierarchy.computeTier() + 1; t < p.hierarchy.tiers.size();
         ++t)
      capacities.push_back(p.hierarchy.tiers[t].capacity);
  std::vector<uint64_t> contents(p.storages.size(), 0);
  addSteps(p, means, addValues(p, means, transfers, contents), contents);
  trackSteps(p, means);
  sizeOrder.resize(values.size());
  std::iota(sizeOrder.begin(), sizeOrder.end(), 0);
  std::sort(sizeOrder.begin(), sizeOrder.end(), [&](Id a, Id b) {
    int64_t left = values[a].footprint, right = values[b].footprint;
    return left != right ? left > right : a < b;
  });
}

std::vector<Id> RematGame::addValues(const Problem &p, const RematMeans &means,
                                     const MoveCosts *transfers,
                                     std::vector<uint64_t> &contents) {
  const std::vector<bool> free = alwaysThere(p);
  std::vector<Id> number(p.values.size(), kNone);
  for (Id v = 0; v < p.values.size(); ++v) {
    if (free[v])
      continue;
    const game::Value &from = p.values[v];
    Id id = number[v] = values.size();
    origins.push_back(v);
    Value to;
    to.footprint = p.storages[from.storage].footprint;
    to.producer = from.producer;
    to.store.fill(kNever);
    to.load.fill(kNever);
    for (size_t t = 0; t < capacities.size(); ++t) {
      if (!from.offloadable || to.footprint > capacities[t] ||
          (from.producer != kNone &&
           p.steps[from.producer].pin == game::Pin::Recompute))
        continue;
      const int64_t byRate = p.storages[from.storage].bytes * means.offloadRate;
      to.store[t] = transfers ? transfers->stores[t + 1][v] : byRate;
      to.load[t] = transfers ? transfers->loads[t + 1][v] : byRate;
      to.roundTrip = std::min(to.roundTrip, to.store[t] + to.load[t]);
    }
    values.push_back(to);
    contents[from.storage] |= bit(id);
    if (from.required)
      required |= bit(id);
    if (p.storages[from.storage].pinned)
      pinnedValues |= bit(id);
    if (from.producer == kNone)
      initial.resident |= bit(id);
  }
  for (Id v = 0; v < values.size(); ++v)
    values[v].storage = contents[p.values[origins[v]].storage];
  return number;
}

void RematGame::addSteps(const Problem &p, const RematMeans &means,
                         const std::vector<Id> &number,
                         const std::vector<uint64_t> &contents) {
  const std::vector<bool> isWanted = wanted(p);
  for (const game::Step &from : p.steps) {
    Step to;
    to.cost = from.cost;
    to.scratch = from.scratch;
    to.again = from.recomputable && means.recompute &&
               from.pin != game::Pin::Keep && from.pin != game::Pin::Offload;
    for (const game::Access &a : from.reads)
      if (number[a.value] != kNone) {
        to.reads |= bit(number[a.value]);
        Id producer = p.values[a.value].producer;
        if (producer != kNone &&
            (p.steps[producer].pin == game::Pin::Recompute ||
             p.steps[producer].pin == game::Pin::Offload) &&
            !p.storages[p.values[a.value].storage].pinned)
          to.spent |= bit(number[a.value]);
      }
    for (const game::Access &a : from.writes) {
      const game::Value &v = p.values[a.value];
      to.writes |= bit(number[a.value]);
      if (v.overwrites != kNone) {
        to.overwritten |= bit(number[v.overwrites]);
        to.reads |= bit(number[v.overwrites]);
      } else {
        to.conflicts |= contents[v.storage];
        to.fresh += p.storages[v.storage].footprint;
      }
      if (from.pin == game::Pin::Offload && isWanted[a.value])
        to.away |= bit(number[a.value]);
    }
    steps.push_back(to);
  }
}

void RematGame::trackSteps(const Problem &p, const RematMeans &means) {
  uint64_t read = 0;
  for (const Step &step : steps)
    read |= step.reads;
  // That a step has run shows in the goal if something reads or requires what
  // it writes. Otherwise, and where it matters by itself, it is tracked.
  for (Id s = 0; s < steps.size(); ++s) {
    bool shows = (steps[s].writes & (read | required)) != 0;
    if (!shows || !steps[s].again || means.fixedOrder)
      tracked |= bit(s);
    if (means.fixedOrder && s)
      steps[s].after |= bit(s - 1);
  }
  for (const game::Precedence &d : p.precedences) {
    tracked |= bit(d.before);
    steps[d.after].after |= bit(d.before);
  }
}

int64_t RematGame::bytes(uint64_t set) const {
  int64_t sum = 0;
  while (set)
    sum += values[pop(set)].footprint;
  return sum;
}

int64_t RematGame::largestWorkingSet() const {
  int64_t most = bytes(initial.resident);
  // At the end. Required values have storages of their own.
  uint64_t kept = initial.resident & pinnedValues, end = required;
  for (uint64_t set = kept; set;) {
    Id v = pop(set);
    if (!(values[v].storage & required))
      end |= bit(v);
  }
  most = std::max(most, bytes(end));
  for (const Step &s : steps) {
    int64_t live = bytes(s.reads) + s.fresh + s.scratch;
    // What nobody may drop, or bring back, is there beside it.
    for (uint64_t set = initial.resident; set;) {
      const Id v = pop(set);
      const bool stays = (pinnedValues >> v & 1) ||
                         ((required >> v & 1) && values[v].roundTrip >= kNever);
      if (stays && !(values[v].storage & (s.reads | s.writes)))
        live += values[v].footprint;
    }
    most = std::max(most, live);
  }
  return most;
}

int64_t RematGame::costOfOneRun() const {
  int64_t cost = 0;
  for (const Step &s : steps)
    cost += s.cost;
  return cost;
}

int64_t RematGame::leastLoad(const RematState &s, Id v) const {
  int64_t least = kNever;
  for (size_t t = 0; t < capacities.size(); ++t)
    if (s.stored[t] >> v & 1)
      least = std::min(least, values[v].load[t]);
  return least;
}

int64_t RematGame::bound(const RematState &s, int64_t budget) const {
  const uint64_t stored = s.anyStored(), available = s.resident | stored;
  uint64_t closure = 0, missing = 0, loads = 0, fresh = required & ~s.resident;
  int64_t cost = 0;
  uint64_t pending = tracked & ~s.ran;
  auto need = [&](uint64_t wanted) {
    loads |= wanted & stored & ~s.resident;
    wanted &= ~available & ~missing;
    missing |= wanted;
    while (wanted) {
      Id producer = values[pop(wanted)].producer;
      if (producer == kNone)
        return false;
      pending |= bit(producer) & ~closure;
    }
    return true;
  };
  if (!need(fresh))
    return kNever;
  while (pending) {
    Id i = pop(pending);
    closure |= bit(i);
    const Step &step = steps[i];
    if (!step.again && (s.ran >> i & 1))
      return kNever;
    cost += step.cost;
    if (!need(step.reads))
      return kNever;
  }
  for (uint64_t set = loads; set;) {
    const Id id = pop(set);
    const Value &v = values[id];
    int64_t least = leastLoad(s, id);
    if (v.producer != kNone && steps[v.producer].again &&
        !(closure >> v.producer & 1)) {
      const Step &maker = steps[v.producer];
      least = std::min(least, maker.cost / __builtin_popcountll(maker.writes));
    } else if (v.producer != kNone && (closure >> v.producer & 1)) {
      least = 0; // made anyway
    }
    cost += least;
  }
  return std::min(kNever, cost + knapsack(s, closure, missing, budget));
}

int64_t RematGame::knapsack(const RematState &s, uint64_t closure,
                            uint64_t missing, int64_t budget) const {
  // What the ancestors of a step within the closure write, and what its
  // descendants there read. Producers stand before readers in the given order.
  uint64_t written[kWord], readLater[kWord];
  for (uint64_t set = closure; set;) {
    Id i = pop(set);
    written[i] = readLater[i] = 0;
    for (uint64_t from = steps[i].reads & missing; from;) {
      Id producer = values[pop(from)].producer;
      written[i] |= steps[producer].writes | written[producer];
    }
  }
  int64_t most = 0;
  const int64_t fixed = bytes(s.resident & pinnedValues);
  for (uint64_t set = closure; set;) {
    Id i = kWord - 1 - __builtin_clzll(set);
    set &= ~bit(i);
    const Step &step = steps[i];
    for (uint64_t from = step.reads & missing; from;)
      readLater[values[pop(from)].producer] |= step.reads | readLater[i];
    uint64_t wanted = (readLater[i] | required) &
                      (s.resident | (written[i] & missing)) & ~step.reads &
                      ~step.writes & ~pinnedValues;
    int64_t room = budget - fixed - step.fresh - step.scratch -
                   bytes(step.reads & ~pinnedValues);
    int64_t excess = bytes(wanted) - room;
    if (excess <= 0)
      continue;
    const int64_t sum = costOfLoss(s, wanted, closure, written[i], excess);
    if (sum == kNever)
      return kNever;
    most = std::max(most, sum);
  }
  return most;
}

int64_t RematGame::costOfLoss(const RematState &s, uint64_t wanted,
                              uint64_t closure, uint64_t written,
                              int64_t excess) const {
  // One item per maker: running it once makes all its results.
  struct Item {
    int64_t bytes, cost;
  } items[kWord];
  size_t count = 0;
  while (wanted) {
    Id first = __builtin_ctzll(wanted);
    Id producer = values[first].producer;
    uint64_t together = bit(first);
    if (producer != kNone)
      together |= wanted & steps[producer].writes;
    wanted &= ~together;
    int64_t size = bytes(together);
    if (size == 0)
      continue;
    int64_t cost = producer != kNone && steps[producer].again
                       ? steps[producer].cost
                       : kNever;
    // One that the closure runs anyway, perhaps later, costs nothing more.
    if (producer != kNone && (closure >> producer & 1) && !(together & written))
      cost = 0;
    // Loading a single one may be cheaper than making all again.
    for (uint64_t each = together; each;) {
      Id v = pop(each);
      cost = std::min({cost, values[v].roundTrip, leastLoad(s, v)});
    }
    items[count++] = {size, cost};
  }
  std::sort(items, items + count, [](const Item &a, const Item &b) {
    if (a.cost >= kNever || b.cost >= kNever)
      return a.cost < b.cost;
    return static_cast<__int128>(a.cost) * b.bytes <
           static_cast<__int128>(b.cost) * a.bytes;
  });
  int64_t sum = 0;
  for (size_t k = 0; k < count && excess > 0; ++k) {
    if (items[k].cost >= kNever)
      break;
    if (items[k].bytes <= excess)
      sum += items[k].cost;
    else // rounded up: costs are whole
      sum += static_cast<int64_t>(
          (static_cast<__int128>(items[k].cost) * excess + items[k].bytes - 1) /
          items[k].bytes);
    excess -= items[k].bytes;
  }
  return excess > 0 ? kNever : sum;
}

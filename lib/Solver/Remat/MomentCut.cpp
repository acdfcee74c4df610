//===- MomentCut.cpp - what waits at one moment is kept or lost -----------===//

#include "MomentCut.h"
#include "Solver/Graph/DisjointSets.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::kNone;
using game::Problem;

namespace {

constexpr size_t kNoPlace = SIZE_MAX;

/// All costs together come to this in the units of a cut, so that sums of
/// capacities stay far below MaxFlow::kInfinite.
constexpr int64_t kCapacities = int64_t(1) << 44;

/// Cuts for one moment, and how close two prices are that count as one.
constexpr int kCutTrials = 60;
constexpr double kSamePrice = 1.002;

/// Times that steps which turn out not to run again are barred at a moment.
constexpr int kBars = 50;

/// Bytes that come free for their cost, on a logarithmic scale that takes what
/// is all but equal for equal.
int64_t worthOf(int64_t bytes, int64_t cost) {
  if (bytes <= 0)
    return INT64_MIN;
  return std::llround(1e5 * (std::log(static_cast<double>(bytes)) -
                             std::log(static_cast<double>(cost) + 1e-3)));
}

} // namespace

MomentCut::MomentCut(const Problem &problem, int64_t budget)
    : p(problem), budget(budget), reads(p.steps.size()), writes(p.steps.size()),
      barred(p.steps.size()) {
  auto note = [](std::vector<Id> &list, Id v) {
    if (std::find(list.begin(), list.end(), v) == list.end())
      list.push_back(v);
  };
  double total = 1;
  for (Id s = 0; s < p.steps.size(); ++s) {
    total += static_cast<double>(p.steps[s].cost);
    for (const Access &a : p.steps[s].reads)
      note(reads[s], a.value);
    for (const Access &a : p.steps[s].writes) {
      note(writes[s], a.value);
      if (Id old = p.values[a.value].overwrites; old != kNone)
        note(reads[s], old);
    }
  }
  unitsPerCost = static_cast<double>(kCapacities) / total;
  std::vector<uint32_t> contents(p.storages.size(), 0);
  for (const game::Value &v : p.values)
    ++contents[v.storage];
  for (uint32_t count : contents)
    isSimple.push_back(count <= 1);
}

bool MomentCut::runsAgain(Id step) const {
  const game::Step &s = p.steps[step];
  return s.recomputable && s.pin != game::Pin::Keep && !barred[step] &&
         std::all_of(writes[step].begin(), writes[step].end(), [&](Id v) {
           const Id storage = p.values[v].storage;
           return isSimple[storage] && !p.storages[storage].pinned;
         });
}

std::vector<int64_t> MomentCut::profile(const Runs &runs) const {
  const size_t n = runs.size();
  std::vector<int64_t> live(n + 1, 0);
  // By storage: since when and until when its content is there.
  std::vector<size_t> first(p.storages.size(), kNoPlace), last = first;
  auto end = [&](Id storage) {
    if (first[storage] == kNoPlace || last[storage] == kNoPlace)
      return;
    live[first[storage]] += p.storages[storage].footprint;
    live[last[storage] + 1] -= p.storages[storage].footprint;
    first[storage] = last[storage] = kNoPlace;
  };
  for (const game::Value &v : p.values)
    if (v.producer == kNone)
      first[v.storage] = 0;
  for (size_t i = 0; i < n; ++i) {
    for (Id v : reads[runs[i]])
      last[p.values[v].storage] = i;
    for (Id v : writes[runs[i]]) {
      const Id storage = p.values[v].storage;
      if (p.values[v].overwrites == kNone) {
        end(storage);
        first[storage] = i;
      }
      last[storage] = i;
    }
  }
  for (const game::Value &v : p.values)
    if ((v.required || p.storages[v.storage].pinned) &&
        first[v.storage] != kNoPlace && n > 0)
      last[v.storage] = n - 1;
  for (Id s = 0; s < p.storages.size(); ++s)
    end(s);
  std::partial_sum(live.begin(), live.end(), live.begin());
  live.resize(n);
  for (size_t i = 0; i < n; ++i)
    live[i] += p.steps[runs[i]].scratch;
  return live;
}

MomentCut::Runs MomentCut::mend(const Runs &runs, size_t moment,
                                const std::vector<double> &weights,
                                const StopSign *stop) {
  barred.assign(p.steps.size(), false);
  for (int i = 0; i < kBars; ++i) {
    enter(runs, moment);
    if (!choose(weights, stop))
      return {};
    const size_t before = std::count(barred.begin(), barred.end(), true);
    Runs mended = apply(runs, moment);
    if (!mended.empty() ||
        before == size_t(std::count(barred.begin(), barred.end(), true)))
      return mended;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// The moment
//===----------------------------------------------------------------------===//

void MomentCut::enter(const Runs &runs, size_t moment) {
  noteCopies(runs, moment);
  touchStorages(runs[moment]);
  findNodes();
}

void MomentCut::noteCopies(const Runs &runs, size_t moment) {
  const size_t count = p.values.size();
  isMade.assign(count, false);
  nextRead.assign(count, kNoPlace);
  nextMade.assign(count, kNoPlace);
  for (Id v = 0; v < count; ++v)
    isMade[v] = p.values[v].producer == kNone;
  // What shares its storage is there while nobody overwrites it.
  auto make = [&](Id step) {
    for (Id v : writes[step]) {
      isMade[v] = true;
      if (Id old = p.values[v].overwrites; old != kNone)
        isMade[old] = false;
    }
  };
  for (size_t i = 0; i < moment; ++i)
    make(runs[i]);
  for (size_t i = runs.size(); --i > moment;) {
    for (Id v : writes[runs[i]]) {
      nextMade[v] = i;
      nextRead[v] = kNoPlace;
    }
    for (Id v : reads[runs[i]])
      nextRead[v] = i;
  }
  for (Id v = 0; v < count; ++v)
    if (p.values[v].required && nextRead[v] == kNoPlace &&
        nextMade[v] == kNoPlace)
      nextRead[v] = runs.size();
}

void MomentCut::touchStorages(Id step) {
  std::vector<bool> taken(p.storages.size(), false);
  room = budget - p.steps[step].scratch;
  auto take = [&](Id storage) {
    if (!taken[storage])
      room -= p.storages[storage].footprint;
    taken[storage] = true;
  };
  for (const auto *list : {&reads[step], &writes[step]})
    for (Id v : *list)
      take(p.values[v].storage);
  // What nobody may drop is there all the time once it is made.
  for (Id v = 0; v < p.values.size(); ++v) {
    const game::Storage &storage = p.storages[p.values[v].storage];
    if (storage.pinned && (storage.initial || isMade[v]))
      take(p.values[v].storage);
  }
  isTouched.assign(p.values.size(), false);
  for (Id v = 0; v < p.values.size(); ++v)
    isTouched[v] = taken[p.values[v].storage];
}

void MomentCut::findNodes() {
  auto waits = [&](Id v) { return isMade[v] && !isTouched[v]; };
  nodeOfValue.assign(p.values.size(), kNone);
  nodeOfStep.assign(p.steps.size(), kNone);
  needOf.assign(p.steps.size(), kNoPlace);
  needOfValue.assign(p.values.size(), kNoPlace);
  wanted.clear();
  values.clear();
  steps.clear();
  for (Id v = 0; v < p.values.size(); ++v)
    if (waits(v) && nextRead[v] != kNoPlace)
      wanted.push_back(v);
  // Who is needed first comes first, so each node is met at its first need.
  std::vector<Id> roots = wanted, stack;
  std::sort(roots.begin(), roots.end(), [&](Id a, Id b) {
    return nextRead[a] != nextRead[b] ? nextRead[a] < nextRead[b] : a < b;
  });
  uint32_t nodes = 2;
  auto meet = [&](Id v, size_t need) {
    nodeOfValue[v] = nodes++;
    needOfValue[v] = need;
    values.push_back(v);
    stack.push_back(v);
  };
  for (Id root : roots) {
    if (nodeOfValue[root] == kNone)
      meet(root, nextRead[root]);
    while (!stack.empty()) {
      const Id v = stack.back(), s = p.values[v].producer;
      stack.pop_back();
      if (s == kNone || nodeOfStep[s] != kNone || !runsAgain(s))
        continue;
      nodeOfStep[s] = nodes++;
      needOf[s] = needOfValue[v];
      steps.push_back(s);
      for (Id u : reads[s])
        if (waits(u) && nodeOfValue[u] == kNone && nextMade[u] >= needOf[s])
          meet(u, needOf[s]);
    }
  }
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

void MomentCut::setChoice(const Choice &choice) {
  chosen.assign(p.steps.size(), false);
  wanters.assign(p.values.size(), 0);
  kept = 0;
  for (Id v : wanted)
    want(v, true);
  for (Id s : steps)
    if (choice[s])
      toggle(s);
}

void MomentCut::want(Id value, bool more) {
  const bool first = more ? wanters[value]++ == 0 : --wanters[value] == 0;
  if (first && !isAgain(p.values[value].producer))
    kept += more ? footprint(value) : -footprint(value);
}

void MomentCut::toggle(Id step) {
  const bool again = !chosen[step];
  for (Id v : writes[step])
    if (nodeOfValue[v] != kNone && wanters[v] > 0)
      kept += again ? -footprint(v) : footprint(v);
  chosen[step] = again;
  for (Id u : reads[step])
    if (wants(step, u))
      want(u, again);
}

MomentCut::Choice MomentCut::cutAt(double price,
                                   const std::vector<double> &weights) {
  constexpr uint32_t source = 0, sink = 1;
  auto capacity = [&](double amount) {
    return static_cast<int64_t>(
        std::min(amount * unitsPerCost, static_cast<double>(kCapacities)));
  };
  flow.reset(2 + values.size() + steps.size());
  for (Id v : wanted)
    flow.addEdge(source, nodeOfValue[v], MaxFlow::kInfinite);
  for (Id v : values) {
    const Id maker = p.values[v].producer;
    const bool again = maker != kNone && nodeOfStep[maker] != kNone;
    const double weight = weights.empty() ? 1 : weights[v];
    flow.addEdge(nodeOfValue[v], again ? nodeOfStep[maker] : sink,
                 capacity(price * weight * static_cast<double>(footprint(v))));
  }
  for (Id s : steps) {
    // One more: nothing runs again for nothing.
    flow.addEdge(nodeOfStep[s], sink,
                 capacity(static_cast<double>(p.steps[s].cost)) + 1);
    for (Id u : reads[s])
      if (wants(s, u))
        flow.addEdge(nodeOfStep[s], nodeOfValue[u], MaxFlow::kInfinite);
  }
  flow.run(source, sink);
  looked += flow.work();
  Choice choice(p.steps.size(), false);
  for (Id s : steps)
    choice[s] = flow.onSourceSide(nodeOfStep[s]);
  return choice;
}

/// Sets `chosen`. False if no price makes what is kept fit.
bool MomentCut::choose(const std::vector<double> &weights,
                       const StopSign *stop) {
  Choice low(p.steps.size(), false), high;
  setChoice(low);
  if (kept <= room)
    return true;
  double lowPrice = 0, highPrice = 0, price = lastPrice;
  for (int trial = 0; trial < kCutTrials && !(stop && stop->isUp()); ++trial) {
    Choice here = cutAt(price, weights);
    setChoice(here);
    if (kept <= room) {
      high = std::move(here);
      highPrice = price;
    } else {
      low = std::move(here);
      lowPrice = price;
    }
    if (highPrice == 0)
      price = lowPrice * 4;
    else if (lowPrice == 0)
      price = highPrice / 4;
    else if (highPrice / lowPrice < kSamePrice)
      break;
    else
      price = std::sqrt(lowPrice * highPrice);
  }
  if (highPrice == 0)
    return false;
  lastPrice = highPrice;
  takeParts(splitDifference(low, high), high);
  return true;
}

std::vector<MomentCut::Part> MomentCut::splitDifference(const Choice &low,
                                                        const Choice &high) {
  std::vector<bool> differs(p.steps.size(), false);
  for (Id s : steps)
    differs[s] = high[s] && !low[s];
  DisjointSets together(p.steps.size());
  for (Id s : steps)
    for (Id u : reads[s]) {
      const Id maker = p.values[u].producer;
      if (differs[s] && wants(s, u) && maker != kNone && differs[maker])
        together.join(s, maker);
    }
  std::vector<Part> result;
  std::vector<Id> place(p.steps.size(), kNone);
  for (Id s : steps) {
    if (!differs[s])
      continue;
    Id &at = place[together.find(s)];
    if (at == kNone) {
      at = result.size();
      result.emplace_back();
    }
    Part &part = result[at];
    part.steps.push_back(s);
    part.cost += p.steps[s].cost;
    for (Id v : writes[s])
      if (nodeOfValue[v] != kNone)
        part.need = std::min(part.need, nextRead[v]);
  }
  setChoice(low);
  for (Part &part : result) {
    const int64_t before = kept;
    toggleAll(part);
    part.bytes = before - kept;
    part.worth = worthOf(part.bytes, part.cost);
    toggleAll(part);
  }
  return result;
}

/// Of `order`, how many parts to lose, and which later one instead of the rest,
/// so that `lack` bytes come free at the least cost.
std::pair<size_t, const MomentCut::Part *>
MomentCut::bestCover(const std::vector<const Part *> &order, int64_t lack) {
  // The cheapest part of those that free as much, from the one that frees most.
  std::vector<const Part *> large = order, cheapest;
  std::sort(large.begin(), large.end(), [](const Part *a, const Part *b) {
    return std::tuple(b->bytes, a->cost, a) < std::tuple(a->bytes, b->cost, b);
  });
  for (const Part *part : large)
    cheapest.push_back(cheapest.empty() || part->cost < cheapest.back()->cost
                           ? part
                           : cheapest.back());
  std::pair<size_t, const Part *> best = {order.size(), nullptr};
  int64_t cost = 0, least = INT64_MAX;
  for (size_t i = 0; i <= order.size(); ++i) {
    if (lack <= 0)
      return cost < least ? std::pair(i, (const Part *)nullptr) : best;
    const size_t enough = std::partition_point(large.begin(), large.end(),
                                               [&](const Part *part) {
                                                 return part->bytes >= lack;
                                               }) -
                          large.begin();
    if (enough > 0)
      if (const Part *one = cheapest[enough - 1];
          std::find(order.begin(), order.begin() + i, one) ==
              order.begin() + i &&
          cost + one->cost < least) {
        least = cost + one->cost;
        best = {i, one};
      }
    if (i < order.size()) {
      cost += order[i]->cost;
      lack -= order[i]->bytes;
    }
  }
  return best;
}

/// Loses parts, those that free most for their cost first, until what is kept
/// fits. `chosen` is the choice that does not fit.
void MomentCut::takeParts(const std::vector<Part> &all, const Choice &high) {
  std::vector<const Part *> order, taken;
  for (const Part &part : all)
    order.push_back(&part);
  // Of equal ones that is lost first which is needed last: by then there is
  // more room.
  std::sort(order.begin(), order.end(), [](const Part *a, const Part *b) {
    return std::tuple(b->worth, b->need, a) < std::tuple(a->worth, a->need, b);
  });
  auto lose = [&](const Part *part) {
    toggleAll(*part);
    taken.push_back(part);
  };
  const auto [count, last] = bestCover(order, kept - room);
  for (size_t i = 0; i < count; ++i)
    lose(order[i]);
  if (last)
    lose(last);
  // Parts may share what they free, so that it is less than it seemed.
  for (size_t i = count; i < order.size() && kept > room; ++i)
    if (order[i] != last)
      lose(order[i]);
  if (kept > room)
    return setChoice(high);
  // The last one may have made a dearer one needless.
  std::sort(taken.begin(), taken.end(), [](const Part *a, const Part *b) {
    return std::tuple(b->cost, a) < std::tuple(a->cost, b);
  });
  for (const Part *part : taken) {
    toggleAll(*part);
    if (kept > room)
      toggleAll(*part);
  }
}

//===----------------------------------------------------------------------===//
// The runs
//===----------------------------------------------------------------------===//

/// Runs what is missing right before who misses it. Empty if a step would have
/// to run again that cannot: it is barred.
MomentCut::Runs MomentCut::apply(const Runs &runs, size_t moment) {
  std::vector<bool> there(p.values.size(), false);
  for (Id v : values)
    there[v] = wanters[v] > 0 && !isAgain(p.values[v].producer);
  for (Id v = 0; v < p.values.size(); ++v)
    if (isMade[v] && (isTouched[v] || p.values[v].producer == kNone))
      there[v] = true;
  Runs result(runs.begin(), runs.begin() + moment);
  const size_t most = 6 * runs.size() + 1000;
  auto make = [&](Id step) {
    result.push_back(step);
    for (Id v : writes[step]) {
      there[v] = true;
      if (Id old = p.values[v].overwrites; old != kNone)
        there[old] = false;
    }
  };
  std::vector<Id> stack;
  auto run = [&](Id step) {
    stack.assign(1, step);
    while (!stack.empty()) {
      const Id top = stack.back();
      const auto missing = std::find_if(reads[top].begin(), reads[top].end(),
                                        [&](Id u) { return !there[u]; });
      if (missing == reads[top].end()) {
        stack.pop_back();
        make(top);
        continue;
      }
      const Id maker = p.values[*missing].producer;
      if (maker == kNone || !runsAgain(maker) || result.size() > most) {
        if (stack.size() > 1)
          barred[top] = true;
        return false;
      }
      stack.push_back(maker);
    }
    return true;
  };
  make(runs[moment]);
  for (size_t i = moment + 1; i < runs.size(); ++i)
    if (!run(runs[i]))
      return {};
  for (const game::Value &v : p.values)
    if (const Id id = &v - p.values.data();
        v.required && isMade[id] && !there[id] && !run(v.producer))
      return {};
  return result;
}

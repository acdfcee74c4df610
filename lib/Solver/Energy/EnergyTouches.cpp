//===- EnergyTouches.cpp - what steps touch, in any order -----------------===//

#include "pebble/Solver/Energy/EnergyTouches.h"

#include <algorithm>
#include <numeric>

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::Step;
using game::Value;

static Id itemOf(const Problem &p, Id value, bool byValue) {
  return byValue ? value : p.values[value].storage;
}

TouchTable::TouchTable(const Problem &p, CacheModel model)
    : prices(p.hierarchy), graph(p) {
  const bool byValue = model == CacheModel::Sutro;
  addItems(p, byValue);
  // A tier that a slower one does not outreach never serves from there.
  for (size_t i = 1; i < prices.reach.size(); ++i)
    prices.reach[i] = std::max(prices.reach[i], prices.reach[i - 1]);
  std::vector<Id> touchOf(items.size(), kNone);
  std::vector<bool> touched(items.size(), false);
  for (const Step &step : p.steps) {
    addStep(p, step, byValue, touchOf);
    for (Id t = begin.back(); t < touches.size(); ++t) {
      touched[touches[t].item] = true;
      touchOf[touches[t].item] = kNone;
    }
  }
  begin.push_back(touches.size());
  for (size_t i = 0; i < items.size(); ++i)
    if (items[i].initialRank >= 0 && (touched[i] || items[i].kept))
      initialLive += items[i].footprint;
}

void TouchTable::addItems(const Problem &p, bool byValue) {
  items.resize(byValue ? p.values.size() : p.storages.size());
  for (size_t v = 0; v < p.values.size(); ++v) {
    const Value &value = p.values[v];
    Item &item = items[itemOf(p, v, byValue)];
    item.size = p.storages[value.storage].bytes;
    // Values of one storage occupy it once; the first content stands for it.
    item.footprint = value.overwrites == kNone || !byValue
                         ? p.storages[value.storage].footprint
                         : 0;
    bool initial = value.producer == kNone;
    item.stays |= initial || (value.required && !byValue);
    item.kept |= value.required || p.storages[value.storage].pinned;
    if (initial)
      item.initialRank = 0;
  }
  unit = 0;
  int32_t rank = 0;
  for (Item &item : items) {
    unit = std::gcd(unit, item.size);
    if (item.initialRank >= 0)
      item.initialRank = rank++;
  }
  unit = std::max<int64_t>(unit, 1);
  for (Item &item : items)
    item.size /= unit;
}

void TouchTable::addStep(const Problem &p, const Step &step, bool byValue,
                         std::vector<Id> &touchOf) {
  begin.push_back(touches.size());
  scratch.push_back(step.scratch);
  int64_t fixed = 0;
  int32_t now = 0;
  for (const auto *list : {&step.reads, &step.writes}) {
    const bool isWrite = list == &step.writes;
    for (const Access &a : *list) {
      const Id item = itemOf(p, a.value, byValue);
      const auto &price = isWrite ? prices.write : prices.read;
      if (touchOf[item] == kNone) {
        Touch t;
        t.step = begin.size() - 1;
        t.item = item;
        t.first = t.last = now++;
        t.isWrite = isWrite;
        t.born = isWrite && (byValue || p.values[a.value].overwrites == kNone);
        t.bytes = a.bytes;
        if (t.born)
          fixed += a.bytes * price[prices.tierForNew(items[item].size * unit)];
        touchOf[item] = touches.size();
        touches.push_back(t);
        continue;
      }
      // Everything that the step touched since then is above it, and alive.
      Touch &t = touches[touchOf[item]];
      int64_t above = items[item].size;
      for (Id u = begin.back(); u < touches.size(); ++u)
        if (touches[u].last > t.last)
          above += items[touches[u].item].size;
      fixed += a.bytes * price[prices.tierAtDistance(above * unit)];
      t.last = now++;
    }
  }
  fixedPerStep.push_back(fixed);
  ranks = std::max(ranks, now + 1);
  widest = std::max(widest, touches.size() - begin.back());
}

bool TouchTable::isNarrow() const {
  constexpr int64_t limit = INT32_MAX / 2;
  int64_t sum = 0;
  for (const Item &item : items)
    sum = std::min(limit, sum + std::min(limit, item.size));
  return sum < limit && static_cast<int64_t>(steps() + 1) * ranks < limit &&
         static_cast<int64_t>(items.size()) < limit;
}

bool TouchTable::isBefore(Id a, Id b) const {
  IdRange list = graph.predecessors(b);
  for (Id p : list)
    if (p == a)
      return true;
  return false;
}

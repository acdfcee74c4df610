//===- Bounds.cpp - what no order can go under ----------------------------===//
//
// See Bounds.h for what the cuts mean.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Order/Bounds.h"

#include "StepCuts.h"
#include "pebble/Solver/Game/Schedule.h"

#include <algorithm>
#include <numeric>

using namespace pebble::graph;

namespace {

/// Bytes that are live whatever the order while `step` runs: what it opens,
/// what it closes, its transient bytes.
int64_t workingSet(const FootprintGame &game, Id step) {
  int64_t bytes = game.transient[step];
  auto contains = [](const std::vector<Id> &list, Id id) {
    return std::find(list.begin(), list.end(), id) != list.end();
  };
  for (Id c : game.opens[step])
    bytes += game.cells[c].bytes;
  for (Id c : game.closes[step])
    if (!contains(game.opens[step], c))
      bytes += game.cells[c].bytes;
  return bytes;
}

/// Bytes live at the start and at the end, of which no order can get rid.
int64_t endsBound(const FootprintGame &game) {
  int64_t start = 0, end = 0;
  for (const FootprintGame::Cell &c : game.cells) {
    start += c.openAtStart ? c.bytes : 0;
    end += c.openAtEnd ? c.bytes : 0;
  }
  return std::max(start, end);
}

} // namespace

PeakBound pebble::graph::workingSetBound(const FootprintGame &game) {
  PeakBound bound;
  bound.bytes = endsBound(game);
  // No step opens or closes what is there throughout.
  int64_t always = 0;
  for (const FootprintGame::Cell &c : game.cells)
    always += c.openAtStart && c.openAtEnd ? c.bytes : 0;
  for (Id s = 0; s < game.size(); ++s)
    if (int64_t bytes = always + workingSet(game, s); bytes > bound.bytes) {
      bound.bytes = bytes;
      bound.step = s;
    }
  return bound;
}

PeakBound pebble::graph::minCutBound(const FootprintGame &game,
                                     const std::vector<std::vector<Id>> &orders,
                                     const StopSign *stop, uint64_t workLimit) {
  PeakBound bound = workingSetBound(game);
  // Each known order runs each step at some set: the cut cannot cost more.
  std::vector<int64_t> atMost(game.size(), INT64_MAX);
  for (const std::vector<Id> &order : orders) {
    std::vector<int64_t> profile = game.profile(order);
    for (size_t i = 0; i < order.size(); ++i)
      atMost[order[i]] = std::min(atMost[order[i]], profile[i]);
  }
  std::vector<Id> steps(game.size());
  std::iota(steps.begin(), steps.end(), 0);
  std::sort(steps.begin(), steps.end(), [&](Id a, Id b) {
    return atMost[a] != atMost[b] ? atMost[a] > atMost[b] : a < b;
  });
  StepCuts cuts(game);
  for (Id s : steps) {
    if (atMost[s] <= bound.bytes)
      break;
    if ((stop && stop->isUp()) || cuts.work() > workLimit) {
      bound.complete = false;
      break;
    }
    if (int64_t bytes = cuts.cut(s); bytes > bound.bytes) {
      bound.bytes = bytes;
      bound.step = s;
    }
  }
  bound.work = cuts.work();
  return bound;
}

std::vector<int64_t> pebble::graph::minCutBounds(const FootprintGame &game) {
  StepCuts cuts(game);
  std::vector<int64_t> bounds;
  for (Id s = 0; s < game.size(); ++s)
    bounds.push_back(cuts.cut(s));
  return bounds;
}

std::vector<bool> pebble::graph::minCutSet(const FootprintGame &game, Id step) {
  StepCuts cuts(game);
  cuts.cut(step);
  std::vector<bool> set(game.size());
  for (Id s = 0; s < game.size(); ++s)
    set[s] = cuts.hasRun(s);
  return set;
}

int64_t pebble::graph::peakLowerBound(const Problem &problem) {
  LiveStorages storages(problem);
  FootprintGame game(StepGraph(problem), storages);
  int64_t bound = minCutBound(game, {game::givenOrder(problem)}).bytes;
  return std::max(bound, storages.initial());
}

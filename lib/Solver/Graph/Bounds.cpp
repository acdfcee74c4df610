//===- Bounds.cpp - what no order can go under ----------------------------===//
//
// See Bounds.h for what the cuts mean.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Graph/Bounds.h"

#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/MaxFlow.h"

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

/// Cuts for one step after another.
class StepCuts {
public:
  explicit StepCuts(const FootprintGame &game)
      : game(game), node(game.size()), state(game.size()) {}

  /// The bytes live at least while `step` runs, over all orders.
  int64_t cut(Id step) {
    std::fill(state.begin(), state.end(), Free);
    spread(step, game.before, Ran);
    spread(step, game.after, Waits);
    state[step] = Waits;
    uint32_t nodes = 2;
    for (Id s = 0; s < game.size(); ++s)
      node[s] = state[s] == Free ? nodes++ : state[s] == Ran ? 0 : 1;
    flow.reset(nodes + 2 * game.cells.size());
    for (Id s = 0; s < game.size(); ++s)
      if (state[s] == Free)
        for (Id b : game.before[s])
          if (state[b] == Free)
            flow.addEdge(node[s], node[b], MaxFlow::kInfinite);
    int64_t always = game.transient[step];
    for (const FootprintGame::Cell &c : game.cells)
      always += addCell(c, step, nodes);
    return always + flow.run(0, 1);
  }

  /// After cut(): whether `s` is in the smallest set that attains it.
  bool hasRun(Id s) const {
    return state[s] == Ran || (state[s] == Free && flow.onSourceSide(node[s]));
  }

private:
  enum State : uint8_t { Free, Ran, Waits };

  /// Marks everything that `edges` lead to from `step`.
  void spread(Id step, const std::vector<std::vector<Id>> &edges, State mark) {
    stack.assign(1, step);
    while (!stack.empty()) {
      Id s = stack.back();
      stack.pop_back();
      for (Id next : edges[s])
        if (state[next] != mark) {
          state[next] = mark;
          stack.push_back(next);
        }
    }
  }

  /// Adds the edges of a cell. Returns its bytes if they are live in any case.
  int64_t addCell(const FootprintGame::Cell &c, Id step, uint32_t &nodes) {
    // Open at the latest when the step runs, and closed by nobody before.
    bool open = c.openAtStart, stays = c.openAtEnd;
    size_t freeOpeners = 0, freeClosers = 0;
    for (Id o : c.openers) {
      open |= state[o] == Ran || o == step;
      freeOpeners += state[o] == Free;
    }
    for (Id u : c.closers) {
      stays |= state[u] == Waits;
      freeClosers += state[u] == Free;
    }
    if (open && stays)
      return c.bytes;
    // Not opened before the step, or closed before it by its ancestors.
    if ((!open && freeOpeners == 0) || (!stays && freeClosers == 0))
      return 0;
    uint32_t in = 0, out = 1;
    if (!open) {
      if (c.openers.size() == 1) {
        in = node[c.openers[0]];
      } else {
        in = nodes++;
        for (Id o : c.openers)
          if (state[o] == Free)
            flow.addEdge(node[o], in, MaxFlow::kInfinite);
      }
    }
    if (!stays) {
      if (freeClosers == 1) {
        for (Id u : c.closers)
          if (state[u] == Free)
            out = node[u];
      } else {
        out = nodes++;
        for (Id u : c.closers)
          if (state[u] == Free)
            flow.addEdge(out, node[u], MaxFlow::kInfinite);
      }
    }
    flow.addEdge(in, out, c.bytes);
    return 0;
  }

  const FootprintGame &game;
  MaxFlow flow;
  std::vector<uint32_t> node;
  std::vector<uint8_t> state;
  std::vector<Id> stack;
};

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
  for (Id s = 0; s < game.size(); ++s)
    if (int64_t bytes = workingSet(game, s); bytes > bound.bytes) {
      bound.bytes = bytes;
      bound.step = s;
    }
  return bound;
}

PeakBound pebble::graph::minCutBound(const FootprintGame &game,
                                     const std::vector<std::vector<Id>> &orders,
                                     const StopSign *stop) {
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
    if (stop && stop->isUp()) {
      bound.complete = false;
      break;
    }
    if (int64_t bytes = cuts.cut(s); bytes > bound.bytes) {
      bound.bytes = bytes;
      bound.step = s;
    }
  }
  return bound;
}

std::vector<int64_t> pebble::graph::minCutBounds(const FootprintGame &game) {
  StepCuts cuts(game);
  std::vector<int64_t> bounds;
  for (Id s = 0; s < game.size(); ++s)
    bounds.push_back(cuts.cut(s));
  return bounds;
}

std::vector<bool> pebble::graph::minCutSet(const FootprintGame &game,
                                           Id step) {
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

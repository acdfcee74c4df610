//===- StepCuts.h - minimum cuts around one step ----------------*- C++ -*-===//
//
// The network behind the min-cut bound, shared by the bound and by what refutes
// budgets with it. Private to this folder; Bounds.h says what the cut means.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_ORDER_STEPCUTS_H
#define PEBBLE_LIB_SOLVER_ORDER_STEPCUTS_H

#include "Solver/Graph/MaxFlow.h"
#include "pebble/Solver/Order/FootprintGame.h"

#include <algorithm>
#include <vector>

namespace pebble::graph {

/// Cuts for one step after another.
class StepCuts {
public:
  explicit StepCuts(const FootprintGame &game)
      : game(game), node(game.size()), state(game.size()) {}

  /// Lets `stop` end cut() early, with what is live at least in any case.
  void setStop(const StopSign *stop) { flow.setStop(stop); }

  /// Finds out which steps run before, after, or on either side of `step`.
  void look(Id step) {
    std::fill(state.begin(), state.end(), Free);
    spread(step, game.before, Ran);
    spread(step, game.after, Waits);
    state[step] = Waits;
  }

  /// The bytes live at least while `step` runs, over all orders.
  int64_t cut(Id step) {
    look(step);
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
    least = always + flow.run(0, 1);
    total += flow.work() + game.cells.size();
    return least;
  }

  /// What all cuts so far took, as MaxFlow counts it.
  uint64_t work() const { return total; }

  /// After look() or cut(): whether orders may run `s` on either side of the
  /// step.
  bool isFree(Id s) const { return state[s] == Free; }

  /// After cut(): whether `s` is in the smallest set that attains it. For
  /// steps that are not free, after look() too.
  bool hasRun(Id s) const {
    return state[s] == Ran || (state[s] == Free && flow.onSourceSide(node[s]));
  }

  /// After cut(): what the cut would be if the free step `s` had to run before
  /// the step (or after it), or `enough` if it would be at least that. Below
  /// `enough`, witness(t) tells a set that attains it.
  int64_t cutWith(Id s, bool before, int64_t enough) {
    probe = flow;
    probe.clearWork();
    if (before)
      probe.addEdge(0, node[s], MaxFlow::kInfinite);
    else
      probe.addEdge(node[s], 1, MaxFlow::kInfinite);
    int64_t cost = least + probe.run(0, 1, enough - least);
    // The copy counts too.
    total += probe.work() + flow.work() / 16;
    return cost;
  }
  bool witness(Id s) const {
    return state[s] == Ran || (state[s] == Free && probe.onSourceSide(node[s]));
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
  MaxFlow flow, probe;
  int64_t least = 0;
  uint64_t total = 0;
  std::vector<uint32_t> node;
  std::vector<uint8_t> state;
  std::vector<Id> stack;
};

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_ORDER_STEPCUTS_H

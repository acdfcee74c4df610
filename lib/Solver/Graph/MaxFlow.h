//===- MaxFlow.h - minimum cuts of small directed networks ------*- C++ -*-===//
//
// What the bounds and the searches over orders cut with. One object is reused
// for many networks; it keeps its memory.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_GRAPH_MAXFLOW_H
#define PEBBLE_LIB_SOLVER_GRAPH_MAXFLOW_H

#include "pebble/Solver/Graph/Limits.h"

#include <cstdint>
#include <vector>

namespace pebble::graph {

/// Maximum flow by shortest augmenting paths in layers (Dinic 1970):
/// O(V^2 E) at worst, near-linear on the shallow networks built here.
class MaxFlow {
public:
  /// More than any sum of finite capacities.
  static constexpr int64_t kInfinite = INT64_MAX / 4;

  /// Forgets the network; nodes are 0..nodes-1.
  void reset(uint32_t nodes);
  void addEdge(uint32_t from, uint32_t to, int64_t capacity);

  /// The value of a minimum cut that separates `source` from `sink`. Stops
  /// early, with a value of at least `enough`, once the cut is known to cost
  /// that much.
  int64_t run(uint32_t source, uint32_t sink, int64_t enough = INT64_MAX);

  /// Lets `sign` end run() early, with no more than a flow: no cut is less, and
  /// which side nodes are on is not known.
  void setStop(const StopSign *sign) { stop = sign; }
  /// After run(): whether that happened.
  bool isStopped() const { return stopped; }

  /// After run(): whether `node` is on the source's side of the minimum cut
  /// with the smallest source side.
  bool onSourceSide(uint32_t node) const { return level[node] >= 0; }

  /// Edges added and looked at since reset() or clearWork(): how long it took,
  /// in a measure that is the same on every machine.
  uint64_t work() const { return looked; }
  void clearWork() { looked = 0; }

private:
  struct Edge {
    uint32_t to;
    uint32_t next;
    int64_t capacity;
  };
  bool layer(uint32_t source, uint32_t sink);
  int64_t augment(uint32_t source, uint32_t sink);

  static constexpr uint32_t kEnd = UINT32_MAX;
  std::vector<Edge> edges;
  std::vector<uint32_t> first, current, queue, path;
  std::vector<int32_t> level;
  uint64_t looked = 0;
  const StopSign *stop = nullptr;
  bool stopped = false;
};

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_GRAPH_MAXFLOW_H

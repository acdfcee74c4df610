//===- ValleySearch.h - exact search for an order under a budget *- C++ -*-===//
//
// Decides whether some order of the steps keeps the footprint within a budget,
// and finds one. The engine behind the optimal peak (PeakOrder.h), for whole
// problems and for windows of an order.
//
// Write live(S) for the bytes live once the steps of S have run. live is
// submodular, being the cut function of a directed hypergraph. From it follows
// the one rule that makes the search small:
//
//   If Y can be reached from X within the budget, and no set between X and Y
//   has fewer live bytes than Y, then running Y \ X at once, by that path, is
//   no loss.
//
// Proof. Take any order from X that fits. Run Y \ X first and then the same
// order without the steps of Y. Where the order had run the set T, we have now
// run T u Y, and live(T u Y) <= live(T) + live(Y) - live(T n Y) <= live(T),
// because T n Y lies between X and Y. A step adds no more to T u Y than to T,
// so it fits there if it did before. (For a single step: what frees at least as
// much as it allocates and fits is taken at once.)
//
// So from a set X the search looks for any reachable set with at most live(X)
// bytes, a next valley, and commits to it; within the climb out of X it does
// the same again from each set it passes. If a set with at most live(X) bytes
// is reached, a least set M between X and it is reachable too: intersect the
// path with M, the same inequality holds. M is found by a minimum cut. A set
// from which no next valley can be reached is remembered with the lowest level
// that can be, exactly, so that no part of the climb is searched twice.
//
// The scheme carries the hill-valley segments of Liu (1987, trees) and
// Kayaaslan et al. (2018, series-parallel graphs) to all graphs; on trees it
// never backtracks into a valley that it has left.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_ORDER_VALLEYSEARCH_H
#define PEBBLE_LIB_SOLVER_ORDER_VALLEYSEARCH_H

#include "Solver/Graph/MaxFlow.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Order/FootprintGame.h"

#include <cstdint>
#include <vector>

namespace pebble::graph {

/// How a search under one budget ended.
enum class SearchEnd { Found, None, Limit };

/// Searches one game under changing budgets.
class ValleySearch {
public:
  explicit ValleySearch(const FootprintGame &game);

  struct Result {
    SearchEnd end = SearchEnd::Limit;
    /// An order of all steps, if one was found. At a limit: the steps to which
    /// the search had committed before the climb that it did not finish; some
    /// order within the budget starts with them if there is one at all.
    std::vector<Id> order;
    /// If there is none: no order has a peak below this.
    int64_t nextBudget = 0;
    /// Steps tried.
    uint64_t nodes = 0;
  };

  /// Looks for an order whose peak is at most `budget`, trying at most
  /// `nodeLimit` steps and remembering at most `memoryLimit` bytes of sets.
  /// `stop`, if given, ends the search when it goes up. `bias`, if
  /// given, is added to what a step leaves live when steps are ranked.
  Result run(int64_t budget, uint64_t nodeLimit,
             size_t memoryLimit = size_t(1) << 30,
             const StopSign *stop = nullptr,
             const std::vector<int64_t> *bias = nullptr);

private:
  /// Sets of steps with the lowest level that can be reached from each.
  class Memo {
  public:
    void reset(size_t words);
    /// The level of `key`, or nullptr.
    const int64_t *find(const uint64_t *key) const;
    void insert(const uint64_t *key, int64_t level);
    size_t bytes() const;

  private:
    size_t slot(const uint64_t *key) const;
    void grow();
    size_t words = 0, count = 0;
    std::vector<uint32_t> table;
    std::vector<uint64_t> keys;
    std::vector<int64_t> levels;
  };

  int64_t opened(Id step) const;
  int64_t closed(Id step) const;
  void apply(Id step);
  void undo();
  void undoTo(size_t size);
  bool atGoal() const { return path.size() == game.size(); }
  bool descend();
  void takeLeast(size_t start);
  bool outOfLimits();

  const FootprintGame &game;
  size_t words;
  int64_t budget = 0, exceeded = 0;
  uint64_t nodes = 0, nodeLimit = 0;
  size_t memoryLimit = 0;
  const StopSign *stop = nullptr;
  const std::vector<int64_t> *bias = nullptr;
  bool limited = false;
  uint32_t looks = 0;

  // The current set, as the path that led to it.
  std::vector<Id> path;
  std::vector<uint64_t> done, ready;
  std::vector<uint32_t> waiting, openersRun, closersLeft;
  int64_t live = 0;

  Memo memo;
  MaxFlow flow;
  std::vector<uint32_t> nodeOfStep, nodeOfCell;
};

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_ORDER_VALLEYSEARCH_H

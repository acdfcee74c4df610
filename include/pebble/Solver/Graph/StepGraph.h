//===- StepGraph.h - the orders and lifetimes of a problem ------*- C++ -*-===//
//
// A Problem laid out for solvers that search over orders in which every step
// runs once: who must come before whom (StepGraph), which steps are reachable
// from which (Reachability), and which storages are live when (LiveStorages).
// Built once per solve; never changes.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_GRAPH_STEPGRAPH_H
#define PEBBLE_SOLVER_GRAPH_STEPGRAPH_H

#include "pebble/Solver/Game/Problem.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pebble::graph {

using game::Id;
using game::kNone;
using game::Problem;

/// A read-only run of ids inside a larger table.
class IdRange {
public:
  IdRange() = default;
  IdRange(const Id *first, const Id *last) : first(first), last(last) {}
  const Id *begin() const { return first; }
  const Id *end() const { return last; }
  size_t size() const { return static_cast<size_t>(last - first); }
  bool empty() const { return first == last; }
  Id operator[](size_t i) const { return first[i]; }

private:
  const Id *first = nullptr;
  const Id *last = nullptr;
};

/// Lists of ids per row, in one block of memory. Rows are sorted and free of
/// duplicates.
class IdTable {
public:
  IdTable() : starts(1, 0) {}
  /// Rows 0..rows-1 from (row, id) pairs in any order; duplicates vanish.
  IdTable(size_t rows, std::vector<std::pair<Id, Id>> pairs);
  size_t size() const { return starts.size() - 1; }
  IdRange operator[](size_t row) const {
    return {ids.data() + starts[row], ids.data() + starts[row + 1]};
  }

private:
  std::vector<size_t> starts;
  std::vector<Id> ids;
};

/// The directed acyclic graph over steps that every legal order respects.
/// Building it takes O(E log E) for E precedences.
class StepGraph {
public:
  /// From game::allPrecedences(problem). Without `antiDependences` edges of the
  /// kinds anti and output are left out, which is what SSA form shows.
  explicit StepGraph(const Problem &problem, bool antiDependences = true);

  /// Number of steps.
  size_t size() const { return before.size(); }
  IdRange predecessors(Id step) const { return before[step]; }
  IdRange successors(Id step) const { return after[step]; }

  /// Whether `order` is a permutation of the steps that respects every edge.
  bool isLegal(const std::vector<Id> &order) const;

private:
  IdTable before, after;
};

/// A square table of bits, one row per step.
class BitMatrix {
public:
  BitMatrix() = default;
  explicit BitMatrix(size_t n)
      : rows(n), rowWords((n + 63) / 64), bits(n * rowWords, 0) {}
  size_t size() const { return rows; }
  size_t words() const { return rowWords; }
  bool test(Id row, Id column) const {
    return bits[row * rowWords + column / 64] >> (column % 64) & 1;
  }
  void set(Id row, Id column) {
    bits[row * rowWords + column / 64] |= uint64_t(1) << (column % 64);
  }
  const uint64_t *row(Id r) const { return bits.data() + r * rowWords; }
  uint64_t *row(Id r) { return bits.data() + r * rowWords; }
  /// Row `to` |= row `from`.
  void unite(Id to, Id from);
  /// Number of bits set in a row.
  size_t count(Id row) const;

private:
  size_t rows = 0, rowWords = 0;
  std::vector<uint64_t> bits;
};

/// All pairs of steps that no order can swap. O(n E / 64) time and n^2 / 4
/// bytes of memory: meant for up to some ten thousand steps.
struct Reachability {
  explicit Reachability(const StepGraph &graph);
  /// What that many steps take.
  static uint64_t countBytes(size_t steps) {
    return uint64_t(2) * steps * ((steps + 63) / 64) * sizeof(uint64_t);
  }
  /// Whether they take no more than a quarter of what tables may: a bound is
  /// not worth all of it.
  static bool fits(size_t steps, uint64_t tableBytes) {
    return countBytes(steps) <= tableBytes / 4;
  }
  /// ancestors.test(s, a): a comes before s in every order.
  BitMatrix ancestors;
  /// descendants.test(s, d): d comes after s in every order.
  BitMatrix descendants;
};

/// A storage as lifetimes see it. Contents that overwrite each other in place
/// share one: the steps that overwrite are users like the steps that read.
struct LiveStorage {
  /// Index into Problem::storages.
  Id storage = kNone;
  int64_t footprint = 0;
  /// The step that writes the first content; kNone if it is there at the start.
  Id producer = kNone;
  /// Live to the end: pinned, or its last content is required.
  bool kept = false;
};

/// The lifetimes of all storages with a footprint when every step runs once and
/// a storage is freed after the last step that touches it (or right after its
/// producer if nothing else does). An initial storage that nothing touches and
/// that is not kept is freed before the first step.
class LiveStorages {
public:
  explicit LiveStorages(const Problem &problem);

  size_t size() const { return storages.size(); }
  const LiveStorage &operator[](Id s) const { return storages[s]; }
  /// Steps besides the producer that touch live storage `s`.
  IdRange users(Id s) const { return usersOf[s]; }
  /// Live storages that `step` produces, and that it uses.
  IdRange produced(Id step) const { return producedBy[step]; }
  IdRange used(Id step) const { return usedBy[step]; }
  int64_t scratch(Id step) const { return scratches[step]; }
  /// Bytes live before the first step runs.
  int64_t initial() const { return initialBytes; }
  /// Bytes of the initial storages that nothing touches: they count before the
  /// first step and in no later moment.
  int64_t untouched() const { return untouchedBytes; }

  /// Bytes live while each step of `order` runs. O(accesses).
  std::vector<int64_t> profile(const std::vector<Id> &order) const;
  /// Largest of profile() and initial().
  int64_t peak(const std::vector<Id> &order) const;

private:
  std::vector<LiveStorage> storages;
  IdTable usersOf, producedBy, usedBy;
  std::vector<int64_t> scratches;
  int64_t initialBytes = 0, untouchedBytes = 0;
};

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_GRAPH_STEPGRAPH_H

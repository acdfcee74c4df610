//===- CheapTierChain.h - chains beside a cheap slow tier -------*- C++ -*-===//
//
// The game of ChainGame.h for backward steps that read their step's result, Ni,
// with one slower tier from which a load may be cheaper than a forward step.
// Then it can pay to store Ni for its own backward step alone, so that it takes
// no slot while N(i-1) is computed. The dynamic program of TieredChain.h with
// more kinds of part: its base held or with a copy, the result of its last step
// absent, in tier 0, in the slower tier, or in both, and whether the base has
// to have a copy at the end, when it becomes the result that the steps below
// read. s slots of tier 0 and k of the slower tier, copies included:
//
//   V(l, s, k) = min of moving the base or the result (closure over 8 kinds),
//     j f + V(l - j, s - 1, k - copy) + V(j, s, k)          base stays
//     j f + V(l - j, s, k - 1) + load + V(j, s, k)          base has a copy
//
// Optimal. Written for this project. O(n^2) for each of the rows, of which
// there are 16 for each s and k (k: one where the tier is unlimited).
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_CHAIN_CHEAPTIERCHAIN_H
#define PEBBLE_LIB_SOLVER_CHAIN_CHEAPTIERCHAIN_H

#include "pebble/Solver/Chain/ChainGame.h"

#include <memory>

namespace pebble::chain {

class CheapTierChain {
public:
  /// Rules `seed` and `seed_slide` with one slower tier, read as often as
  /// wanted.
  static bool takes(const ChainGame &game);
  /// Why the tables would be too large; empty if they are not.
  static std::string refusal(const ChainGame &game);

  /// Builds the tables of a game that it takes and does not refuse.
  explicit CheapTierChain(const ChainGame &game);

  /// The least cost; a quarter of INT64_MAX if there is no schedule.
  int64_t cost() const;
  /// A schedule of that cost. The tables have to outlive it.
  std::unique_ptr<GameMoveStream> moves() const;

  /// Where the result of a part's last step is.
  enum Output { Absent, Fast, Slow, Both };
  struct Part {
    /// The base has a copy in the slower tier; has to have one at the end.
    bool copied = false, copyAtEnd = false;
    Output output = Absent;
    size_t fast = 0, slow = 0;
    int64_t at = 0, length = 0;
  };
  enum class Step { Reverse, Change, Keep, Leave };
  struct Decision {
    Step step = Step::Reverse;
    /// Of Change: the part's new base and output.
    bool copied = false;
    Output output = Absent;
    /// Of Keep and Leave: the split, and whether the base above has a copy at
    /// the end.
    int32_t split = 0;
    bool copyAbove = false;
  };
  Part whole() const;
  Decision decide(const Part &part) const;
  Part above(Part part, const Decision &decision) const;
  Part below(Part part, const Decision &decision) const;
  const ChainGame &game() const { return g; }

private:
  struct Row {
    std::vector<int64_t> cost;
    std::vector<Decision> decision;
  };
  size_t indexOf(const Part &part) const;
  Row &rowOf(const Part &part) { return rows[indexOf(part)]; }
  const Row &rowOf(const Part &part) const { return rows[indexOf(part)]; }
  bool mayHold(const Part &part) const;
  void solve(const Part &part);
  void offerSplits(const Part &part);
  bool change(const Part &part, bool copied, Output output);
  void close(Part part);

  ChainGame g;
  bool unlimited;
  size_t slowSlots, fastSlots;
  std::vector<Row> rows;
};

} // namespace pebble::chain

#endif // PEBBLE_LIB_SOLVER_CHAIN_CHEAPTIERCHAIN_H

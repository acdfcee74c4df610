//===- TieredChain.h - least cost of a chain over k tiers -------*- C++ -*-===//
//
// Dynamic programs for the game of ChainGame.h. A part is a base, a state that
// is in tier 0, and the l steps above it that are to be reversed. Its base is
// held in tier 0 alone (H), or has a copy in tier t as well (D). With f =
// `forward`, s slots of tier 0, m[t] free slots of tier t (the copy's own
// included), and rows for two moments, before and after what the last backward
// step reads beside its state is there:
//
//   tier 0 alone   H(l, s) = min over j of
//                            j f + H(l - j, s - 1) + H(j, s)
//   slower tiers   D(l, m) = min of H(l, m) and, over j,
//                            j f + H(l - j, m with one less in t) + load[t]
//                            + D(j, m)
//                  H(l, m) = min of H(l, all slots of tier 0) and, over t,
//                            store[t] + D(l, m)
//
// An unlimited tier never has less. No state is held in tier 0 below one that
// goes to a slower tier: nothing is lost by that, since the two can change
// places (docs/solvers/TieredChain.md).
//
// Sources: Griewank and Walther 2000 (one tier), Stumm and Walther 2009
// (multistage), Aupy, Herrmann, Hovland and Robert 2016 (Disk-Revolve),
// Herrmann and Pallez 2020 (H-Revolve, where a faster tier comes with all of
// its slots to every part of a slower one). The rows by free slots of all
// tiers, and those for rules that charge for adjoints and outputs, are written
// for this project.
//
// Optimal, except where isExactFor() says that it may not be. Time: O(n) for a
// row of tier 0 as long as rows are convex, which is checked; for an unlimited
// tier O(n) times the few j that no other one makes superfluous; for a bounded
// tier O(n^2). There is a row for every combination of free slots.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CHAIN_TIEREDCHAIN_H
#define PEBBLE_SOLVER_CHAIN_TIEREDCHAIN_H

#include "pebble/Solver/Chain/Actions.h"
#include "pebble/Solver/Chain/ChainGame.h"

#include <array>
#include <memory>

namespace pebble::chain {

/// Cost of what cannot be.
constexpr int64_t kImpossible = INT64_MAX / 4;

class TieredChain {
public:
  /// Whether the answer is optimal. It may not be where backward steps read
  /// their step's result, results take no more room than that, and a load is
  /// cheaper than a forward step: then it may pay to store a result for its own
  /// backward step alone (CheapTierChain.h).
  static bool isExactFor(const ChainGame &game);
  /// Why the tables would be too large; empty if they are not.
  static std::string refusal(const ChainGame &game);

  /// Builds the tables of a game without error that is not refused.
  explicit TieredChain(const ChainGame &game);

  /// The least cost; kImpossible if there is no schedule.
  int64_t cost() const;
  /// A schedule of that cost, one move at a time in O(1) amortised time. The
  /// tables have to outlive it.
  std::unique_ptr<GameMoveStream> moves() const;
  /// The same for whoever executes a loop: states held in tier 0 are snapshots
  /// there, and the working state is counted apart, so that there is one slot
  /// less than room(). For rules `revolve` and `hrevolve`.
  std::unique_ptr<ActionStream> actions() const;

  enum class Base { Held, Stored, Pinned };
  struct Part {
    Base base = Base::Held;
    /// What the last backward step reads beside its state is not there yet.
    bool open = false;
    /// Slots of tier 0 where no slower tier is used, else 0 and `layer`.
    size_t fast = 0, layer = 0;
    /// Of the base's copy.
    size_t tier = 0;
    int64_t at = 0, length = 0;
  };
  /// What the optimal schedule of a part does first.
  enum class Step {
    /// There is one step: reverse it.
    Reverse,
    /// Go on with tier 0 alone; without the copy; without the result of the
    /// last step.
    Fast,
    DropCopy,
    DropOutput,
    /// Copy the base to a tier.
    Store,
    /// Advance `split` steps, reverse what is above, then what is below. The
    /// base stays in tier 0, or is left to its copy and loaded in between.
    Keep,
    Leave
  };
  struct Decision {
    Step step;
    int64_t split = 0;
    size_t tier = 0;
  };
  Part whole() const;
  /// What reversing a part costs from then on.
  int64_t costOf(const Part &part) const;
  Decision decide(const Part &part) const;
  /// The same steps after Fast, DropCopy, DropOutput or Store.
  Part after(Part part, const Decision &decision) const;
  /// The parts above and below a split.
  Part above(Part part, const Decision &decision) const;
  Part below(Part part, const Decision &decision) const;
  const ChainGame &game() const { return g; }

private:
  /// By length: costs, and the splits that they come from (0: from none; -1:
  /// from one that is not known yet).
  struct Row {
    std::vector<int64_t> cost;
    std::vector<int32_t> split;
  };
  /// [0] after and [1] before what the last backward step needs is there.
  using Rows = std::array<Row, 2>;
  struct Layer {
    Rows held;
    /// The costs of `held` in half the space, where they fit.
    std::array<std::vector<int32_t>, 2> narrow;
    /// By tier, as ChainGame::tiers.
    std::vector<Rows> stored;
    /// By tier: the layer with one free slot less; SIZE_MAX if there is none.
    std::vector<size_t> above;
  };

  struct Search;

  int64_t resident(bool open) const;
  int64_t reverseCost(bool open) const;
  int64_t reverseRoom() const;
  int64_t moving(int64_t split) const;
  bool mayDropOutput() const {
    return g.rules.readsOutput && !g.rules.adjointsTakeRoom;
  }
  const Rows &fastRows() const { return fast.back(); }
  void buildFast();
  void buildFastRows(size_t slots);
  void buildLayers();
  void buildLayer(Layer &layer);
  std::vector<Search> openLayer(Layer &layer) const;
  void fillLength(Layer &layer, std::vector<Search> &searches, size_t l, int o);
  void offerLower(const Layer &layer, Search &search, size_t l) const;
  void buildPinned();
  const Row &rowOf(const Part &part) const;
  int64_t findSplit(const Part &part) const;

  ChainGame g;
  /// Rows in use: [0] alone, or both.
  int moments = 1;
  /// Whether all costs are small.
  bool isNarrow = false;
  /// By slots, minus one.
  std::vector<Rows> fast;
  std::vector<Layer> layers;
  Rows pinned;
};

} // namespace pebble::chain

#endif // PEBBLE_SOLVER_CHAIN_TIEREDCHAIN_H

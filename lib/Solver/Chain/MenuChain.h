//===- MenuChain.h - chains whose layers save as they like ------*- C++ -*-===//
//
// The dynamic program behind NestedChain.h and BlockChain.h, for chains where
// the internals of a layer may be saved in several ways: more bytes or more
// time for the backward step. Least time over schedules whose checkpoints are
// nested: what is kept last goes first or makes way for a later one, and
// forward steps start from the checkpoint kept last.
//
//   D(r, l, t)    least time from: a[r] is kept, d[t] is there
//                              to: d[l] is there               (r <= l <= t)
//   E(r, l, t, o) the same, with what way o saves of layer t there too
//
// as step functions of the room m beside a[r]; X is what is there besides, d[t]
// or d[t] + bytes(t, o). A sweep r..k runs forward steps r+1..k and needs, at
// each, its input and result, overheads and X.
//
//   D(r, l, t) = min of
//     sweep r..t saving t by o,  then E(r, l, t, o)
//     sweep r..k keeping a[k],   then D(k, x, t)(m - a[k]),  D(r, l, x)
//     sweep r..k moving to a[k], then D(k, l, t)(m + a[r] - a[k])     (k <= l)
//     sweep r..k saving k by p,  then D(k, k, t)(m - bytes(k, p)),
//                                     E(r, l, k, p)                   (l < k)
//   E(r, l, t, o) = min of
//     B_t by o,                  then D(r, l, t-1)              (r = t - 1)
//     the same three as for D, k < t, with E(.., t, o) in place of the first D
//
// over r < k < t and max(k, l) <= x < t. With x > k the checkpoint a[k] is
// given up before its own backward step, which the published recurrence never
// does: that is the case x = k, saving from r = k - 1 alone and no moves
// (`persistent`), and then the answer is the optimum of persistent schedules.
//
// x - k is at most `window`. With w ways to save: O(L^2 window w) functions of
// at most `points` steps each, O(L (window + w)) pairs of them to add up for
// each. Where a function would have more steps, some are left out, on the safe
// side, and the answer may be dearer.
//
// Source of the persistent case: O. Beaumont, L. Eyraud-Dubois, J. Herrmann,
// A. Joly, A. Shilova, Optimal checkpointing for heterogeneous chains: how to
// train deep neural networks with limited memory (2019); of several ways to
// save: X. Zhao, T. Le Hellard, L. Eyraud-Dubois, J. Gusak, O. Beaumont,
// Rockmate (2023). Step functions in place of a table of rounded memory sizes,
// x > k, moves and saving away from a checkpoint are this project's.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_CHAIN_MENUCHAIN_H
#define PEBBLE_LIB_SOLVER_CHAIN_MENUCHAIN_H

#include "pebble/Solver/Chain/HeterogeneousChain.h"
#include "pebble/Solver/Graph/Limits.h"

#include <optional>
#include <vector>

namespace pebble::chain {

/// Sizes and times as in HeterogeneousChain.
struct MenuChain {
  /// A way to save a layer's internals. `bytes` include the activation; `of` is
  /// room beside them and the input while the forward step runs.
  struct Way {
    int64_t bytes = 0, uf = 0, of = 0, ub = 0, ob = 0;
  };
  std::vector<int64_t> a, d, uf, of;
  std::vector<std::vector<Way>> ways;

  size_t length() const { return a.size() - 1; }
};

/// A move, and the way in which its layer is saved.
struct MenuMove {
  ChainMove move;
  uint32_t way = 0;
};

struct MenuOptions {
  /// Room beside a[0] that functions are made for.
  int64_t room = 0;
  bool persistent = false;
  size_t window = SIZE_MAX;
  size_t points = 4096;
  const graph::StopSign *stop = nullptr;
};

/// The functions of one chain, and what can be read off them.
class MenuPlan {
public:
  MenuPlan(const MenuChain &chain, const MenuOptions &options);
  /// Makes the functions; false if the stop sign went up, or they take more
  /// bytes than it says.
  bool fill();
  /// Least time within `room`, at most that of the options; nothing if none is
  /// enough.
  std::optional<int64_t> best(int64_t room) const;
  /// A schedule of that time.
  std::vector<MenuMove> moves(int64_t room);

private:
  /// From room `room` on, time `time` is enough.
  struct Point {
    int64_t room, time;
  };
  /// A step function: rooms rise, times fall. No point: never.
  using Steps = std::vector<Point>;
  /// One way to go on. Save, SaveBelow: layer k by `way`. Keep: a[k], as far
  /// as x. Move: a[r] itself goes for a[k].
  struct Choice {
    enum Kind { Save, Keep, Move, SaveBelow, Backward } kind = Save;
    size_t k = 0, x = 0;
    uint32_t way = 0;
  };
  /// What is saved of layer t: nothing, or the way + 1.
  using Saved = uint32_t;

  size_t at(size_t r, size_t t) const { return r * (n + 1) + t; }
  const Steps &function(size_t r, size_t l, size_t t, Saved saved) const {
    return l == t ? none : tables[at(r, t)][(l - r) * widths[t] + saved];
  }
  static const Point *find(const Steps &f, int64_t m);
  void compute(size_t r, size_t l, size_t t, Saved saved, Choice *chosen,
               int64_t m, int64_t time = 0);
  void add(int64_t base, int64_t need, int64_t shift, const Steps &first,
           const Steps &second);
  Steps staircase() const;
  void sweep(size_t r, size_t k, Saved saved, bool move = false);
  void push(ChainMoveKind kind, size_t k, uint32_t way = 0);
  size_t emit(size_t r, size_t l, size_t t, Saved saved, int64_t m);

  const MenuChain &c;
  const MenuOptions o;
  const size_t n, window;
  /// That the functions take.
  uint64_t bytes = 0;
  std::vector<int64_t> sums;
  /// Ways to save a layer, and not to.
  std::vector<Saved> widths;
  Steps none, envelope, option, merged;
  /// By (r, t), then by l - r and by what is saved of t.
  std::vector<std::vector<Steps>> tables;
  std::vector<MenuMove> out;
};

} // namespace pebble::chain

#endif // PEBBLE_LIB_SOLVER_CHAIN_MENUCHAIN_H

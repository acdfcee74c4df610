//===- NestedChain.cpp - dynamic programs on unequal chains ---------------===//

#include "pebble/Solver/Chain/NestedChain.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::chain;
using game::Status;

namespace {

/// From room `room` on, time `time` is enough.
struct Point {
  int64_t room, time;
};
/// A step function: rooms rise, times fall. No point: never.
using Steps = std::vector<Point>;

class Nested {
public:
  Nested(const HeterogeneousChain &c, const NestedChainOptions &o)
      : c(c), o(o), n(c.length()), room(o.budget - c.a[0]),
        window(std::min(o.window, n)) {
    none.push_back({0, 0});
    sums.assign(n + 1, 0);
    for (size_t k = 1; k <= n; ++k)
      sums[k] = sums[k - 1] + c.uf[k];
    tables[0].resize((n + 1) * (n + 1));
    tables[1].resize((n + 1) * (n + 1));
  }

  /// Fills the tables; false if the stop sign went up.
  bool fill() {
    for (size_t t = 1; t <= n; ++t)
      for (size_t r = t; r-- > 0;) {
        if (o.stop && o.stop->isUp())
          return false;
        const size_t rows = std::min(window, t - 1 - r) + 1;
        tables[0][at(r, t)].resize(rows);
        tables[1][at(r, t)].resize(rows);
        for (size_t l = r; l < r + rows; ++l) {
          compute(r, l, t, /*saved=*/true, nullptr, 0);
          compute(r, l, t, /*saved=*/false, nullptr, 0);
        }
      }
    return true;
  }

  std::optional<int64_t> best() const {
    const Point *p = find(function(0, 0, n, false), room);
    return p ? std::optional<int64_t>(p->time) : std::nullopt;
  }

  std::vector<ChainMove> moves() {
    emit(0, 0, n, false, room);
    return std::move(out);
  }

private:
  /// One way to go on: a sweep from the checkpoint to `k`, keeping or saving
  /// it, then `first` within `shift` less room, then `second`.
  /// Move: a[r] itself goes for a[k].
  struct Choice {
    enum Kind { Save, Keep, Move, SaveBelow, Backward } kind = Save;
    size_t k = 0, x = 0;
  };

  size_t at(size_t r, size_t t) const { return r * (n + 1) + t; }
  const Steps &function(size_t r, size_t l, size_t t, bool saved) const {
    return l == t ? none : tables[saved][at(r, t)][l - r];
  }
  static const Point *find(const Steps &f, int64_t m) {
    auto it = std::upper_bound(
        f.begin(), f.end(), m,
        [](int64_t value, const Point &p) { return value < p.room; });
    return it == f.begin() ? nullptr : &*(it - 1);
  }

  /// Room for the forward steps r+1..k besides a[r] and `beside`, the last one
  /// keeping its output; and the same with its internals saved.
  struct Sweep {
    int64_t keep = 0, save = 0;
  };

  /// Goes through all choices at (r, l, t). Without `chosen` collects what they
  /// give; otherwise finds one that takes at most `time` within `m`.
  void compute(size_t r, size_t l, size_t t, bool saved, Choice *chosen,
               int64_t m, int64_t time = 0) {
    const int64_t beside = c.d[t] + (saved ? c.abar[t] : 0);
    envelope.clear();
    auto offer = [&](Choice choice, int64_t base, int64_t need, int64_t shift,
                     const Steps &first, const Steps &second) {
      if (need > room || first.empty() || second.empty())
        return;
      if (!chosen)
        return add(base, need, shift, first, second);
      const Point *f = find(first, m - shift), *s = find(second, m);
      if (f && s && m >= need && base + f->time + s->time <= time)
        *chosen = choice;
    };
    if (saved && r + 1 == t)
      offer({Choice::Backward, t, t}, c.ub[t], beside + c.d[t - 1] + c.ob[t], 0,
            function(r, l, t - 1, false), none);
    // Room that passing over the layers so far takes; the same if a[r] goes
    // after the first of them.
    int64_t through = 0, leaving = 0;
    for (size_t k = r + 1; k <= t && (!saved || k < t); ++k) {
      const int64_t input = k - 1 == r ? 0 : c.a[k - 1];
      const int64_t before = input + c.of[k] + beside;
      const int64_t save = std::max(through, before + c.abar[k]);
      through = std::max(through, before + c.a[k]);
      leaving = std::max(leaving, before + c.a[k] - (k - 1 == r ? 0 : c.a[r]));
      const int64_t base = sums[k] - sums[r];
      const bool mayGiveUp = !o.persistent || k == r + 1;
      if (k == t) {
        if (mayGiveUp)
          offer({Choice::Save, k, k}, base, save, 0, function(r, l, t, true),
                none);
        continue;
      }
      if (o.persistent && saved)
        continue;
      const size_t last = std::min(k + window, t - 1);
      for (size_t x = std::max(k, l); x <= last; ++x)
        offer({Choice::Keep, k, x}, base, through, c.a[k],
              function(k, x, t, saved), function(r, l, x, false));
      if (r < k && k <= l)
        offer({Choice::Move, k, l}, base, leaving, c.a[k] - c.a[r],
              function(k, l, t, saved), none);
      if (l < k && mayGiveUp)
        offer({Choice::SaveBelow, k, k}, base, save, c.abar[k],
              function(k, k, t, saved), function(r, l, k, true));
    }
    if (!chosen)
      tables[saved][at(r, t)][l - r] = staircase();
  }

  /// Lowers the envelope to what an option gives.
  void add(int64_t base, int64_t need, int64_t shift, const Steps &first,
           const Steps &second) {
    size_t i = 0, j = 0;
    int64_t m =
        std::max({need, first[0].room + shift, second[0].room, int64_t(0)});
    const int64_t least = base + first.back().time + second.back().time;
    if (const Point *known = find(envelope, m); known && known->time <= least)
      return;
    option.clear();
    while (m <= room) {
      while (i + 1 < first.size() && first[i + 1].room + shift <= m)
        ++i;
      while (j + 1 < second.size() && second[j + 1].room <= m)
        ++j;
      option.push_back({m, base + first[i].time + second[j].time});
      m = kNever;
      if (i + 1 < first.size())
        m = first[i + 1].room + shift;
      if (j + 1 < second.size())
        m = std::min(m, second[j + 1].room);
    }
    merged.clear();
    auto a = envelope.begin(), b = option.begin();
    while (a != envelope.end() || b != option.end()) {
      const bool old =
          b == option.end() || (a != envelope.end() && a->room <= b->room);
      const Point p = old ? *a++ : *b++;
      if (!merged.empty() && merged.back().time <= p.time)
        continue;
      if (!merged.empty() && merged.back().room == p.room)
        merged.pop_back();
      merged.push_back(p);
    }
    envelope.swap(merged);
  }

  /// The envelope, thinned out to the points allowed.
  Steps staircase() {
    Steps f;
    if (envelope.size() <= o.points)
      f = envelope;
    else
      for (size_t i = 0; i < o.points; ++i)
        f.push_back(envelope[i * (envelope.size() - 1) / (o.points - 1)]);
    f.shrink_to_fit();
    return f;
  }

  void sweep(size_t r, size_t k, bool save, bool move = false) {
    for (size_t i = r + 1; i <= k; ++i) {
      out.push_back(
          {i == k && save ? ChainMoveKind::Save : ChainMoveKind::Forward,
           static_cast<uint32_t>(i)});
      if (i - 1 > r || move)
        drop(ChainMoveKind::DropActivation, i - 1);
    }
  }
  void drop(ChainMoveKind kind, size_t k) {
    out.push_back({kind, static_cast<uint32_t>(k)});
  }

  /// Writes down a best way from (r, t) to l within `m`. Returns the checkpoint
  /// that is kept in the end: r, unless it was moved.
  size_t emit(size_t r, size_t l, size_t t, bool saved, int64_t m) {
    while (t > l) {
      Choice choice;
      compute(r, l, t, saved, &choice, m,
              find(function(r, l, t, saved), m)->time);
      const size_t k = choice.k;
      switch (choice.kind) {
      case Choice::Save:
        sweep(r, k, true);
        saved = true;
        break;
      case Choice::Backward:
        out.push_back({ChainMoveKind::Backward, static_cast<uint32_t>(t)});
        drop(ChainMoveKind::DropSaved, t);
        drop(ChainMoveKind::DropGradient, t);
        saved = false;
        --t;
        break;
      case Choice::Keep:
        sweep(r, k, false);
        drop(ChainMoveKind::DropActivation,
             emit(k, choice.x, t, saved, m - c.a[k]));
        saved = false;
        t = choice.x;
        break;
      case Choice::Move:
        sweep(r, k, false, true);
        return emit(k, l, t, saved, m - c.a[k] + c.a[r]);
      case Choice::SaveBelow:
        sweep(r, k, true);
        emit(k, k, t, saved, m - c.abar[k]);
        saved = true;
        t = k;
        break;
      }
    }
    return r;
  }

  const HeterogeneousChain &c;
  const NestedChainOptions &o;
  const size_t n;
  const int64_t room;
  const size_t window;
  std::vector<int64_t> sums;
  Steps none, envelope, option, merged;
  /// By whether s[t] is there, then by (r, t), then by l - r.
  std::vector<std::vector<Steps>> tables[2];
  std::vector<ChainMove> out;
};

} // namespace

ChainSchedule pebble::chain::nestedChain(const HeterogeneousChain &chain,
                                         const NestedChainOptions &options) {
  ChainSchedule s;
  s.solver = options.persistent ? "rotor" : "nested-chain";
  s.bound = chain.costOfOneRun();
  Nested nested(chain, options);
  if (!nested.fill()) {
    s.limited = true;
    return s;
  }
  if (std::optional<int64_t> cost = nested.best()) {
    s.status = Status::Feasible;
    s.moves = nested.moves();
    const ChainReplay r = verifyChain(chain, s.moves, options.budget);
    s.cost = r.cost;
    s.peak = r.peak;
  }
  return s;
}

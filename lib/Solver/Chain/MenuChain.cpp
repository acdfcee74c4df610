//===- MenuChain.cpp - chains whose layers save as they like --------------===//

#include "MenuChain.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::chain;

namespace {
constexpr int64_t kNoMore = INT64_MAX;
} // namespace

MenuPlan::MenuPlan(const MenuChain &chain, const MenuOptions &options)
    : c(chain), o(options), n(chain.length()),
      window(std::min(options.window, chain.length())), sums(n + 1, 0),
      widths(n + 1, 1) {
  none.push_back({0, 0});
  for (size_t k = 1; k <= n; ++k) {
    sums[k] = sums[k - 1] + c.uf[k];
    widths[k] = static_cast<Saved>(c.ways[k].size() + 1);
  }
}

bool MenuPlan::fill() {
  const uint64_t mostBytes = graph::tableBytesOf(o.stop);
  bytes = (n + 1) * (n + 1) * sizeof(std::vector<Steps>);
  if (bytes > mostBytes)
    return false;
  tables.resize((n + 1) * (n + 1));
  for (size_t t = 1; t <= n; ++t)
    for (size_t r = t; r-- > 0;) {
      if (o.stop && o.stop->isUp())
        return false;
      const size_t rows = std::min(window, t - 1 - r) + 1;
      bytes += rows * widths[t] * sizeof(Steps);
      if (bytes > mostBytes)
        return false;
      tables[at(r, t)].resize(rows * widths[t]);
      for (size_t l = r; l < r + rows; ++l)
        // Without anything saved last: it looks at the others.
        for (Saved saved = widths[t]; saved-- > 0;)
          compute(r, l, t, saved, nullptr, 0);
    }
  return true;
}

std::optional<int64_t> MenuPlan::best(int64_t room) const {
  const Point *p = find(function(0, 0, n, 0), room);
  return p ? std::optional<int64_t>(p->time) : std::nullopt;
}

std::vector<MenuMove> MenuPlan::moves(int64_t room) {
  out.clear();
  emit(0, 0, n, 0, room);
  return out;
}

const MenuPlan::Point *MenuPlan::find(const Steps &f, int64_t m) {
  auto it = std::upper_bound(
      f.begin(), f.end(), m,
      [](int64_t value, const Point &p) { return value < p.room; });
  return it == f.begin() ? nullptr : &*(it - 1);
}

/// Goes through all choices at (r, l, t). Without `chosen` makes the function
/// of them; otherwise finds one that takes at most `time` within `m`.
void MenuPlan::compute(size_t r, size_t l, size_t t, Saved saved,
                       Choice *chosen, int64_t m, int64_t time) {
  const int64_t beside = c.d[t] + (saved ? c.ways[t][saved - 1].bytes : 0);
  envelope.clear();
  auto offer = [&](Choice choice, int64_t base, int64_t need, int64_t shift,
                   const Steps &first, const Steps &second) {
    if (need > o.room || first.empty() || second.empty())
      return;
    if (!chosen)
      return add(base, need, shift, first, second);
    const Point *f = find(first, m - shift), *s = find(second, m);
    if (f && s && m >= need && base + f->time + s->time <= time)
      *chosen = choice;
  };
  if (saved && r + 1 == t) {
    const MenuChain::Way &way = c.ways[t][saved - 1];
    offer({Choice::Backward, t, t, saved - 1}, way.ub,
          beside + c.d[t - 1] + way.ob, 0, function(r, l, t - 1, 0), none);
  }
  // Room that passing over the layers so far takes; the same if a[r] goes after
  // the first of them.
  int64_t through = 0, leaving = 0;
  for (size_t k = r + 1; k <= t && (!saved || k < t); ++k) {
    const int64_t input = k - 1 == r ? 0 : c.a[k - 1];
    const int64_t passed = through;
    through = std::max(through, input + c.of[k] + beside + c.a[k]);
    leaving = std::max(leaving, input + c.of[k] + beside + c.a[k] -
                                    (k - 1 == r ? 0 : c.a[r]));
    const int64_t base = sums[k] - sums[r];
    if (!o.persistent || k == r + 1)
      for (uint32_t way = 0; way + 1 < widths[k]; ++way) {
        const MenuChain::Way &w = c.ways[k][way];
        const int64_t need = std::max(passed, input + w.of + beside + w.bytes);
        const int64_t saving = base - c.uf[k] + w.uf;
        if (k == t)
          offer({Choice::Save, k, k, way}, saving, need, 0,
                function(r, l, t, way + 1), none);
        else if (l < k && !(o.persistent && saved))
          offer({Choice::SaveBelow, k, k, way}, saving, need, w.bytes,
                function(k, k, t, saved), function(r, l, k, way + 1));
      }
    if (k == t || (o.persistent && saved))
      continue;
    const size_t last = std::min(k + window, t - 1);
    for (size_t x = std::max(k, l); x <= last; ++x)
      offer({Choice::Keep, k, x}, base, through, c.a[k],
            function(k, x, t, saved), function(r, l, x, 0));
    if (k <= l)
      offer({Choice::Move, k, l}, base, leaving, c.a[k] - c.a[r],
            function(k, l, t, saved), none);
  }
  if (chosen)
    return;
  Steps steps = staircase();
  bytes += steps.capacity() * sizeof(Point);
  tables[at(r, t)][(l - r) * widths[t] + saved] = std::move(steps);
}

/// Lowers the envelope to what a choice gives.
void MenuPlan::add(int64_t base, int64_t need, int64_t shift,
                   const Steps &first, const Steps &second) {
  size_t i = 0, j = 0;
  int64_t m =
      std::max({need, first[0].room + shift, second[0].room, int64_t(0)});
  const int64_t least = base + first.back().time + second.back().time;
  if (const Point *known = find(envelope, m); known && known->time <= least)
    return;
  option.clear();
  while (m <= o.room) {
    while (i + 1 < first.size() && first[i + 1].room + shift <= m)
      ++i;
    while (j + 1 < second.size() && second[j + 1].room <= m)
      ++j;
    option.push_back({m, base + first[i].time + second[j].time});
    m = kNoMore;
    if (i + 1 < first.size())
      m = first[i + 1].room + shift;
    if (j + 1 < second.size())
      m = std::min(m, second[j + 1].room);
    if (m == kNoMore)
      break;
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
MenuPlan::Steps MenuPlan::staircase() const {
  if (envelope.size() <= o.points)
    return {envelope.begin(), envelope.end()};
  Steps f;
  for (size_t i = 0; i < o.points; ++i)
    f.push_back(envelope[i * (envelope.size() - 1) / (o.points - 1)]);
  return f;
}

void MenuPlan::push(ChainMoveKind kind, size_t k, uint32_t way) {
  out.push_back({{kind, static_cast<uint32_t>(k)}, way});
}

void MenuPlan::sweep(size_t r, size_t k, Saved saved, bool move) {
  for (size_t i = r + 1; i <= k; ++i) {
    if (i == k && saved)
      push(ChainMoveKind::Save, i, saved - 1);
    else
      push(ChainMoveKind::Forward, i);
    if (i - 1 > r || move)
      push(ChainMoveKind::DropActivation, i - 1);
  }
}

/// Writes down a best way from (r, t) to l within `m`. Returns the checkpoint
/// that is kept in the end: r, unless it was moved.
size_t MenuPlan::emit(size_t r, size_t l, size_t t, Saved saved, int64_t m) {
  while (t > l) {
    Choice choice;
    compute(r, l, t, saved, &choice, m,
            find(function(r, l, t, saved), m)->time);
    const size_t k = choice.k;
    switch (choice.kind) {
    case Choice::Save:
      saved = choice.way + 1;
      sweep(r, k, saved);
      break;
    case Choice::Backward:
      push(ChainMoveKind::Backward, t, saved - 1);
      push(ChainMoveKind::DropSaved, t);
      push(ChainMoveKind::DropGradient, t);
      saved = 0;
      --t;
      break;
    case Choice::Keep: {
      sweep(r, k, 0);
      const size_t last = emit(k, choice.x, t, saved, m - c.a[k]);
      push(ChainMoveKind::DropActivation, last);
      saved = 0;
      t = choice.x;
      break;
    }
    case Choice::Move:
      sweep(r, k, 0, true);
      return emit(k, l, t, saved, m - c.a[k] + c.a[r]);
    case Choice::SaveBelow:
      sweep(r, k, choice.way + 1);
      emit(k, k, t, saved, m - c.ways[k][choice.way].bytes);
      saved = choice.way + 1;
      t = k;
      break;
    }
  }
  return r;
}

//===- CheapTierChain.cpp - chains beside a cheap slow tier ---------------===//

#include "CheapTierChain.h"

#include "LeastSum.h"
#include "MoveTasks.h"

#include "pebble/Solver/Chain/TieredChain.h"

#include <cassert>

using namespace pebble;
using namespace pebble::chain;

namespace {

constexpr CheapTierChain::Output kOutputs[] = {
    CheapTierChain::Absent, CheapTierChain::Fast, CheapTierChain::Slow,
    CheapTierChain::Both};
constexpr size_t kKinds = 16;

bool isFast(CheapTierChain::Output o) {
  return o == CheapTierChain::Fast || o == CheapTierChain::Both;
}
bool isSlow(CheapTierChain::Output o) {
  return o == CheapTierChain::Slow || o == CheapTierChain::Both;
}

/// Rows of tables, 24 bytes an entry, and sums for them.
constexpr double kMostRowEntries = 1e8, kMostRowSums = 3e11;

size_t usefulSlots(const ChainGame &g) {
  return static_cast<size_t>(std::min(g.room(), g.steps + 4));
}

} // namespace

bool CheapTierChain::takes(const ChainGame &g) {
  return g.rules.readsOutput && !g.rules.adjointsTakeRoom && !g.rules.pinned &&
         g.tiers.size() == 1 && g.tiers[0].slots != 0 && !g.readOnce;
}

std::string CheapTierChain::refusal(const ChainGame &g) {
  const auto n = static_cast<double>(g.steps);
  const SlowTier &tier = g.tiers[0];
  const double slow = tier.slots && *tier.slots < g.steps
                          ? static_cast<double>(*tier.slots) + 1
                          : 1;
  const double rows = slow * kKinds * static_cast<double>(usefulSlots(g));
  return rows * n > kMostRowEntries || rows * n * n * 1.5 > kMostRowSums
             ? "the tables of " + std::to_string(g.steps) +
                   " steps and these numbers of slots are too large"
             : "";
}

CheapTierChain::CheapTierChain(const ChainGame &game) : g(game) {
  assert(takes(g) && refusal(g).empty());
  unlimited = !g.tiers[0].slots || *g.tiers[0].slots >= g.steps;
  slowSlots = unlimited ? 0 : static_cast<size_t>(*g.tiers[0].slots);
  fastSlots = usefulSlots(g);
  rows.resize((slowSlots + 1) * (fastSlots + 1) * kKinds);
  for (Row &r : rows) {
    r.cost.assign(static_cast<size_t>(g.steps) + 1, kImpossible);
    r.decision.resize(r.cost.size());
  }
  Part p;
  for (p.slow = 0; p.slow <= slowSlots; ++p.slow)
    for (p.fast = 1; p.fast <= fastSlots; ++p.fast)
      for (p.length = 1; p.length <= g.steps; ++p.length)
        for (bool copyAtEnd : {false, true}) {
          p.copyAtEnd = copyAtEnd;
          for (bool copied : {false, true})
            for (Output output : kOutputs) {
              p.copied = copied;
              p.output = output;
              solve(p);
            }
          close(p);
        }
}

size_t CheapTierChain::indexOf(const Part &p) const {
  const size_t slow = unlimited ? 0 : p.slow;
  size_t index = slow * (fastSlots + 1) + p.fast;
  index = index * 4 + static_cast<size_t>(p.output);
  return index * 4 + (p.copied ? 2 : 0) + (p.copyAtEnd ? 1 : 0);
}

/// Whether the part's copies fit.
bool CheapTierChain::mayHold(const Part &p) const {
  return unlimited ||
         p.slow >= (p.copied ? 1U : 0U) + (isSlow(p.output) ? 1U : 0U);
}

/// What needs no change of base or output first.
void CheapTierChain::solve(const Part &p) {
  if (!mayHold(p))
    return;
  if (p.length > 1)
    return offerSplits(p);
  if (p.fast < 2 || (p.copyAtEnd && !p.copied))
    return;
  int64_t cost = g.backwardCost();
  if (p.output == Absent)
    cost += g.forward;
  else if (p.output == Slow)
    cost += std::min(g.tiers[0].load, g.forward);
  rowOf(p).cost[1] = cost;
}

void CheapTierChain::offerSplits(const Part &p) {
  const size_t busy = isFast(p.output) ? 1 : 0, way = g.rules.slides ? 1 : 2;
  Row &row = rowOf(p);
  const auto l = static_cast<size_t>(p.length);
  auto offer = [&](Step step, bool copyAbove, size_t first, size_t last) {
    Decision d;
    d.step = step;
    d.copyAbove = copyAbove;
    const Row &above = rowOf(this->above(p, d));
    const Row &below = rowOf(this->below(p, d));
    const int64_t load = step == Step::Leave ? g.tiers[0].load : 0;
    BestSplit best{row.cost[l]};
    for (size_t j = first; j <= last; ++j)
      best.offer(below.cost[j] + above.cost[l - j] + load +
                     static_cast<int64_t>(j) * g.forward,
                 static_cast<int64_t>(j));
    if (best.split == 0)
      return;
    row.cost[l] = best.cost;
    d.split = best.split;
    row.decision[l] = d;
  };
  for (bool copyAbove : {false, true}) {
    // The base stays beside what is computed from it: one value for a single
    // step, `way` for more.
    if (busy + 2 <= p.fast)
      offer(Step::Keep, copyAbove, 1, busy + 1 + way <= p.fast ? l - 1 : 1);
    if (p.copied && busy + way <= p.fast)
      offer(Step::Leave, copyAbove, 1, l - 1);
  }
}

bool CheapTierChain::change(const Part &p, bool copied, Output output) {
  Part other = p;
  other.copied = copied;
  other.output = output;
  if (!mayHold(p) || !mayHold(other))
    return false;
  int64_t cost = rowOf(other).cost[static_cast<size_t>(p.length)];
  // Copying to the slower tier is all that costs: a load that does not serve a
  // step could as well be put off.
  if ((copied && !p.copied) || (isSlow(output) && !isSlow(p.output)))
    cost += g.tiers[0].store;
  Row &row = rowOf(p);
  if (cost >= row.cost[static_cast<size_t>(p.length)])
    return false;
  row.cost[static_cast<size_t>(p.length)] = cost;
  Decision &d = row.decision[static_cast<size_t>(p.length)];
  d = {};
  d.step = Step::Change;
  d.copied = copied;
  d.output = output;
  return true;
}

/// Shortest ways between the kinds of one part.
void CheapTierChain::close(Part p) {
  for (bool changed = true; changed;) {
    changed = false;
    for (bool copied : {false, true})
      for (Output output : kOutputs) {
        p.copied = copied;
        p.output = output;
        changed |= change(p, !copied, output);
        switch (output) {
        case Absent:
          break;
        case Fast:
          changed |= change(p, copied, Absent);
          changed |= change(p, copied, Both);
          break;
        case Slow:
          changed |= change(p, copied, Absent);
          break;
        case Both:
          changed |= change(p, copied, Fast);
          changed |= change(p, copied, Slow);
          break;
        }
      }
  }
}

int64_t CheapTierChain::cost() const {
  const int64_t cost = rowOf(whole()).cost[static_cast<size_t>(g.steps)];
  return std::min(cost + g.seed, kImpossible);
}

CheapTierChain::Part CheapTierChain::whole() const {
  Part p;
  p.fast = fastSlots;
  p.slow = slowSlots;
  p.length = g.steps;
  return p;
}

CheapTierChain::Decision CheapTierChain::decide(const Part &p) const {
  return rowOf(p).decision[static_cast<size_t>(p.length)];
}

CheapTierChain::Part CheapTierChain::above(Part p, const Decision &d) const {
  if (d.step == Step::Keep)
    --p.fast;
  if (p.copied && !unlimited)
    --p.slow;
  p.copied = false;
  p.copyAtEnd = d.copyAbove;
  p.at += d.split;
  p.length -= d.split;
  return p;
}

CheapTierChain::Part CheapTierChain::below(Part p, const Decision &d) const {
  p.output = d.copyAbove ? Both : Fast;
  p.length = d.split;
  return p;
}

namespace {

class CheapTierMoves : public MoveTasks<CheapTierChain::Part> {
public:
  explicit CheapTierMoves(const CheapTierChain &chain)
      : chain(chain), g(chain.game()) {
    assert(chain.cost() < kImpossible);
    reverse(chain.whole());
  }

private:
  void expand(const CheapTierChain::Part &p) override {
    const CheapTierChain::Decision d = chain.decide(p);
    switch (d.step) {
    case CheapTierChain::Step::Reverse:
      return reverseStep(p);
    case CheapTierChain::Step::Keep:
    case CheapTierChain::Step::Leave: {
      const bool keep = d.step == CheapTierChain::Step::Keep;
      reverse(chain.below(p, d));
      if (!keep)
        push(GameMoveKind::Load, p.at, 1);
      reverse(chain.above(p, d));
      return advance(p.at, p.at + d.split, keep);
    }
    case CheapTierChain::Step::Change: {
      CheapTierChain::Part other = p;
      other.copied = d.copied;
      other.output = d.output;
      reverse(other);
      const int64_t output = p.at + p.length;
      if (d.copied != p.copied)
        return push(d.copied ? GameMoveKind::Store : GameMoveKind::Drop, p.at,
                    1);
      if (isFast(d.output) != isFast(p.output))
        return push(GameMoveKind::Drop, output);
      return push(isSlow(d.output) ? GameMoveKind::Store : GameMoveKind::Drop,
                  output, 1);
    }
    }
  }

  void reverseStep(const CheapTierChain::Part &p) {
    const int64_t output = p.at + 1;
    if (p.copied && !p.copyAtEnd)
      push(GameMoveKind::Drop, p.at, 1);
    if (isSlow(p.output))
      push(GameMoveKind::Drop, output, 1);
    push(GameMoveKind::Drop, output);
    push(GameMoveKind::Backward, output);
    if (g.seed > 0 && output == g.steps)
      push(GameMoveKind::Seed, 0);
    if (isFast(p.output))
      return;
    if (p.output == CheapTierChain::Slow && g.tiers[0].load < g.forward)
      push(GameMoveKind::Load, output, 1);
    else
      push(GameMoveKind::Forward, output);
  }

  const CheapTierChain &chain;
  const ChainGame &g;
};

} // namespace

std::unique_ptr<GameMoveStream> CheapTierChain::moves() const {
  return std::make_unique<CheapTierMoves>(*this);
}

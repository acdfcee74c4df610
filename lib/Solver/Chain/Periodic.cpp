//===- Periodic.cpp - checkpoints at fixed distances ----------------------===//

#include "pebble/Solver/Chain/Periodic.h"

#include <algorithm>
#include <cassert>

using namespace pebble;
using namespace pebble::chain;

int64_t pebble::chain::periodicStores(int64_t steps, int64_t period) {
  return steps < 1 ? 0 : (steps - 1) / period;
}

std::optional<int64_t> pebble::chain::periodicCost(const PeriodicChain &chain,
                                                   int64_t period) {
  assert(period >= 1);
  using Wide = __int128;
  const int64_t segments = periodicStores(chain.steps, period);
  if (chain.steps < 0 || (chain.slowSlots && segments > *chain.slowSlots))
    return std::nullopt;
  const int64_t last = chain.steps - segments * period;
  const std::optional<int64_t> each =
      segments > 0 ? binomialCost(period, chain.slots) : 0;
  const std::optional<int64_t> rest = binomialCost(last, chain.slots);
  if (!each || !rest)
    return std::nullopt;
  const Wide forwards =
      static_cast<Wide>(segments) * (static_cast<Wide>(period) + *each) + *rest;
  const Wide transfers = static_cast<Wide>(segments) *
                         (static_cast<Wide>(chain.store) + chain.load);
  if (forwards > INT64_MAX || transfers > INT64_MAX)
    return std::nullopt;
  const Wide cost = forwards * chain.forward + transfers;
  return cost > INT64_MAX ? std::nullopt
                          : std::optional(static_cast<int64_t>(cost));
}

std::optional<int64_t> pebble::chain::bestPeriod(const PeriodicChain &chain,
                                                 int64_t least, int64_t most) {
  std::optional<int64_t> best, bestCost;
  const int64_t longest = std::min(most, std::max<int64_t>(chain.steps, 1));
  auto offer = [&](int64_t period) {
    if (period < least || period > longest)
      return;
    const std::optional<int64_t> cost = periodicCost(chain, period);
    if (!cost || (bestCost && (*cost > *bestCost ||
                               (*cost == *bestCost && period < *best))))
      return;
    best = period;
    bestCost = cost;
  };
  constexpr int64_t kFew = 100000;
  for (int64_t period = std::max<int64_t>(least, 1);
       period <= std::min(longest, kFew); ++period)
    offer(period);
  // With as many segments the longest ones cost least to be in.
  for (int64_t stores = 1; longest > kFew && stores <= kFew; ++stores)
    offer((chain.steps - 1) / stores);
  offer(longest);
  return best;
}

std::optional<int64_t>
pebble::chain::bestPeriodFromPinned(const PeriodicChain &chain) {
  const int64_t whole = std::max<int64_t>(chain.steps, 1);
  const std::optional<int64_t> none = periodicCost(chain, whole);
  if (whole == 1)
    return none ? std::optional(whole) : std::nullopt;
  const std::optional<int64_t> best = bestPeriod(chain, 1, whole - 1);
  if (!best)
    return none ? std::optional(whole) : std::nullopt;
  const int64_t cost = *periodicCost(chain, *best) - chain.store - chain.load;
  return none && *none <= cost ? whole : best;
}

std::optional<int64_t> pebble::chain::steadyPeriod(const PeriodicChain &chain) {
  using Wide = __int128;
  std::optional<int64_t> best;
  Wide least = 0;
  // Steps get dearer with the period's length and the transfers' shares less,
  // so that the sum falls, and then rises.
  for (int64_t period = 1;; ++period) {
    const std::optional<int64_t> again = binomialCost(period, chain.slots);
    if (!again)
      return best;
    const Wide cost =
        (Wide(period) + *again) * chain.forward + chain.store + chain.load;
    if (best && cost * *best >= least * period)
      return best;
    best = period;
    least = cost;
  }
}

PeriodicActions::PeriodicActions(int64_t steps, int64_t slots, int64_t period,
                                 int32_t slowTier)
    : steps(steps), slots(slots), period(period), slowTier(slowTier),
      segments(periodicStores(steps, period) + 1), phase(Phase::Snapshot) {
  assert(BinomialActions::isPossible(std::min(steps, period), slots));
  if (segments == 1)
    startSegment(steps);
}

void PeriodicActions::startSegment(int64_t length) {
  phase = Phase::Segment;
  inner = std::make_unique<BinomialActions>(length, slots);
}

bool PeriodicActions::next(Action &action) {
  const int64_t at = segment * period;
  switch (phase) {
  case Phase::Snapshot:
    action = {ActionKind::Snapshot, at, at, slowTier, segment};
    phase = Phase::Advance;
    return true;
  case Phase::Advance:
    action = {ActionKind::Advance, at, at + period};
    if (++segment == segments - 1)
      startSegment(steps - segment * period);
    else
      phase = Phase::Snapshot;
    return true;
  case Phase::Restore:
    action = {ActionKind::Restore, at, at, slowTier, segment};
    phase = Phase::Free;
    return true;
  case Phase::Free:
    action = {ActionKind::Free, at, at, slowTier, segment};
    startSegment(period);
    return true;
  case Phase::Segment:
    break;
  }
  while (inner->next(action)) {
    if (action.kind == ActionKind::Turn && turned)
      continue;
    turned |= action.kind == ActionKind::Turn;
    action.from += at;
    action.to += at;
    return true;
  }
  if (segment == 0)
    return false;
  --segment;
  phase = Phase::Restore;
  return next(action);
}

namespace {

/// Forward steps to reverse l and l + 1 steps by bisection. Both parts of
/// either have lengths among l / 2 and l / 2 + 1, so there is one pair for each
/// level.
std::pair<int64_t, int64_t> bisectionPair(int64_t l) {
  if (l == 0)
    return {0, 0};
  const int64_t half = l / 2;
  const auto [one, more] = bisectionPair(half);
  // l = 2 half: halves; l = 2 half + 1: half below, half + 1 above.
  const int64_t even = 2 * half <= 1 ? 0 : half + 2 * one;
  const int64_t odd = half == 0 ? 0 : half + one + more;
  if (l % 2 == 0)
    return {even, odd};
  return {odd, half + 1 + 2 * more};
}

} // namespace

int64_t pebble::chain::bisectionCost(int64_t steps) {
  return bisectionPair(steps).first;
}

int64_t pebble::chain::bisectionSlots(int64_t steps) {
  int64_t slots = 0;
  // The part above a snapshot is the longer one.
  for (int64_t l = steps; l > 1; l -= l / 2)
    ++slots;
  return slots;
}

BisectionActions::BisectionActions(int64_t steps, int32_t tier)
    : end(steps), tier(tier) {
  assert(steps >= 0);
}

bool BisectionActions::next(Action &action) {
  for (;;) {
    const auto slot = static_cast<int64_t>(held.size());
    switch (phase) {
    case Phase::Arrive:
      if (end - working <= 1) {
        phase = Phase::Turn;
        break;
      }
      held.push_back(working);
      action = {ActionKind::Snapshot, working, working, tier, slot};
      phase = Phase::Decide;
      return true;
    case Phase::Decide: {
      if (held.empty())
        return false;
      const int64_t at = held.back();
      if (working != at) {
        working = at;
        action = {ActionKind::Restore, at, at, tier, slot - 1};
        return true;
      }
      if (end - at == 1) {
        held.pop_back();
        action = {ActionKind::Free, at, at, tier, slot - 1};
        phase = Phase::Reverse;
        return true;
      }
      working = at + (end - at) / 2;
      action = {ActionKind::Advance, at, working};
      phase = Phase::Arrive;
      return true;
    }
    case Phase::Turn:
      phase = Phase::Reverse;
      if (turned)
        break;
      turned = true;
      action = {ActionKind::Turn, working, end};
      return true;
    case Phase::Reverse:
      phase = Phase::Decide;
      if (end == 0)
        return false;
      action = {ActionKind::Backward, working, working};
      end = working;
      working = -1;
      return true;
    }
  }
}

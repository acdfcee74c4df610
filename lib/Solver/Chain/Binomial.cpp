//===- Binomial.cpp - Revolve's closed form, streaming --------------------===//

#include "pebble/Solver/Chain/Binomial.h"

#include <algorithm>
#include <cassert>

using namespace pebble;
using namespace pebble::chain;

namespace {

using Wide = __int128;

/// a * b / divisor where that is a whole 64-bit number.
int64_t scaled(int64_t a, int64_t b, int64_t divisor) {
  return static_cast<int64_t>(static_cast<Wide>(a) * b / divisor);
}

/// beta(c - 1, r - 1) out of `reach`, beta(c, r - 1), which is the sum of it
/// and of beta(c, r - 2); c and r are at least 1.
int64_t reachWithOneSlotLess(int64_t reach, int64_t c, int64_t r) {
  return scaled(reach, c, c + r - 1);
}

} // namespace

int64_t pebble::chain::binomialReach(int64_t c, int64_t r) {
  if (r < 0)
    return 0;
  // Partial products are binomial coefficients themselves, and grow.
  const int64_t few = std::min(c, r), many = std::max(c, r);
  Wide reach = 1;
  for (int64_t i = 1; i <= few; ++i) {
    reach = reach * (static_cast<Wide>(many) + i) / i;
    if (reach > INT64_MAX)
      return INT64_MAX;
  }
  return static_cast<int64_t>(reach);
}

int64_t pebble::chain::binomialRepetitions(int64_t steps, int64_t slots) {
  assert(steps >= 1 && slots >= 1);
  int64_t least = 0, most = steps - 1;
  while (least < most) {
    const int64_t middle = least + (most - least) / 2;
    if (binomialReach(slots, middle) >= steps)
      most = middle;
    else
      least = middle + 1;
  }
  return least;
}

std::optional<int64_t> pebble::chain::binomialCost(int64_t steps,
                                                   int64_t slots) {
  if (!BinomialActions::isPossible(steps, slots))
    return std::nullopt;
  if (steps <= 1)
    return 0;
  const int64_t c = std::min(slots, steps);
  const int64_t r = binomialRepetitions(steps, c);
  // beta(c + 1, r - 1) = beta(c, r - 1) * (c + r) / (c + 1), at most r * steps.
  const Wide saved = static_cast<Wide>(binomialReach(c, r - 1)) *
                     (static_cast<Wide>(c) + r) / (static_cast<Wide>(c) + 1);
  const Wide cost = static_cast<Wide>(r) * steps - saved;
  if (cost > INT64_MAX)
    return std::nullopt;
  return static_cast<int64_t>(cost);
}

int64_t pebble::chain::binomialSplit(int64_t steps, int64_t slots) {
  assert(steps >= 2 && slots >= 1);
  const int64_t c = std::min(slots, steps);
  const int64_t r = binomialRepetitions(steps, c);
  const int64_t reach = binomialReach(c, r - 1);
  return std::min(reach, steps - reachWithOneSlotLess(reach, c, r));
}

BinomialActions::BinomialActions(int64_t steps, int64_t slots, int32_t tier,
                                 int64_t firstSlot)
    : end(steps), slots(std::min(slots, steps)), tier(tier),
      firstSlot(firstSlot) {
  assert(isPossible(steps, slots));
  if (steps <= 1)
    return;
  const int64_t r = binomialRepetitions(steps, this->slots);
  above = {0, r, binomialReach(this->slots, r - 1)};
}

void BinomialActions::resume() {
  assert(phase == Phase::Start && slots >= (end > 0 ? 1 : 0));
  frames.push_back(above);
  working = -1;
  turned = true;
  phase = end > 0 ? Phase::Decide : Phase::Done;
}

/// From the snapshot on top to the next one, or to the step to reverse.
Action BinomialActions::split() {
  Frame &f = frames.back();
  const int64_t c = slots - static_cast<int64_t>(frames.size()) + 1;
  const int64_t length = end - f.at;
  const int64_t right = reachWithOneSlotLess(f.reach, c, f.r);
  const int64_t j = std::min(f.reach, length - right);
  above = {f.at + j, f.r, right};
  // What is left once the steps above have been reversed.
  f.r -= 1;
  f.reach -= right;
  working = above.at;
  return {ActionKind::Advance, f.at, above.at};
}

bool BinomialActions::next(Action &action) {
  for (;;) {
    switch (phase) {
    case Phase::Start:
      phase = end > 1 ? Phase::Deposit : Phase::Turn;
      break;
    case Phase::Deposit:
      frames.push_back(above);
      action = {ActionKind::Snapshot, above.at, above.at, tier,
                slotOf(frames.size() - 1)};
      phase = Phase::Decide;
      return true;
    case Phase::Decide: {
      if (frames.empty()) {
        phase = Phase::Done;
        break;
      }
      const Frame f = frames.back();
      const int64_t slot = slotOf(frames.size() - 1);
      if (working != f.at) {
        working = f.at;
        action = {ActionKind::Restore, f.at, f.at, tier, slot};
        return true;
      }
      if (end - f.at == 1) {
        frames.pop_back();
        phase = Phase::Step;
        action = {ActionKind::Free, f.at, f.at, tier, slot};
        return true;
      }
      action = split();
      phase = end - working > 1 ? Phase::Deposit : Phase::Turn;
      return true;
    }
    case Phase::Turn:
      phase = Phase::Step;
      if (turned)
        break;
      turned = true;
      action = {ActionKind::Turn, working, end};
      return true;
    case Phase::Step:
      if (end == 0) {
        phase = Phase::Done;
        break;
      }
      action = {ActionKind::Backward, working, working};
      end = working;
      working = -1;
      phase = Phase::Decide;
      return true;
    case Phase::Done:
      return false;
    }
  }
}

//===- TierTable.cpp - optimal two-tier schedules in small tables ---------===//

#include "pebble/Solver/Chain/TierTable.h"

#include "pebble/Solver/Chain/Binomial.h"
#include "pebble/Solver/Chain/TieredChain.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <memory>

using namespace pebble;
using namespace pebble::chain;

namespace {

using Wide = __int128;
using Part = TieredChain::Part;
using Step = TieredChain::Step;
using Base = TieredChain::Base;

/// Entries of the dynamic program's rows, and sums for them: a second or so.
constexpr int64_t kMostCells = 10000000, kMostCellSums = 2000000000;

ChainGame gameOf(const TwoTiers &chain, int64_t steps,
                 std::optional<int64_t> slowSlots) {
  ChainGame game;
  game.rules.name = "revolve";
  game.rules.slides = true;
  game.rules.pinned = true;
  game.steps = steps;
  // The working state takes a slot there, and the first state none.
  game.fastSlots = chain.slots;
  game.forward = chain.forward;
  game.backward = 0;
  if (slowSlots != 0)
    game.tiers.push_back({chain.store, chain.load, slowSlots});
  return game;
}

/// No more slots of tier 0 than states could be in.
TwoTiers withUsefulSlots(TwoTiers chain) {
  chain.slots = std::clamp<int64_t>(chain.slots, 1,
                                    std::max<int64_t>(chain.steps - 1, 1));
  return chain;
}

/// The dynamic program, where it is small enough.
std::unique_ptr<TieredChain> solve(const TwoTiers &chain, int64_t steps,
                                   std::optional<int64_t> slowSlots) {
  const ChainGame game = gameOf(chain, steps, slowSlots);
  const Wide layers = slowSlots ? Wide(*slowSlots) + 1 : 1;
  if (!chainGameError(game).empty() || !TieredChain::refusal(game).empty() ||
      (chain.slots + 3 * layers) * steps > kMostCells ||
      (slowSlots && layers * steps * steps > 2 * Wide(kMostCellSums)))
    return nullptr;
  auto table = std::make_unique<TieredChain>(game);
  return table->cost() < kImpossible ? std::move(table) : nullptr;
}

/// The longest chain that the dynamic program takes beside an unlimited tier.
int64_t longestOf(const TwoTiers &chain, int64_t longest) {
  return std::min(longest, kMostCells / (chain.slots + 3));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Sums that may exceed 64 bits.
struct Sums {
  Wide forwards = 0, stores = 0, loads = 0;
  /// Most slow slots above those in use before.
  int64_t slots = 0;

  void add(const Sums &other, int64_t times = 1) {
    forwards += times * other.forwards;
    stores += times * other.stores;
    loads += times * other.loads;
  }
  /// Nothing where 64 bits do not hold them.
  std::optional<TierCounts> counts() const {
    if (std::max({forwards, stores, loads}) > INT64_MAX)
      return std::nullopt;
    TierCounts found;
    found.forwards = static_cast<int64_t>(forwards);
    found.stores = static_cast<int64_t>(stores);
    found.loads = static_cast<int64_t>(loads);
    return found;
  }
};

class TableBuilder {
public:
  TableBuilder(const TieredChain &tables, const TwoTiers &chain)
      : tables(tables), chain(chain) {}

  /// The whole chain of `tables`, with `more` segments of `length` steps in
  /// front of what follows the first part.
  std::optional<TierTable> build(int64_t more, int64_t length) {
    const int64_t first = addFirst(more, length);
    TierTable table = layOut(first);
    const Sums &sums = bases[first].sums;
    const std::optional<TierCounts> counts = sums.counts();
    if (!counts)
      return std::nullopt;
    table.counts = *counts;
    table.counts.storesFirst = plans[bases[first].runs[0].plan].stored();
    const std::optional<int64_t> cost = table.counts.cost(chain);
    if (!cost)
      return std::nullopt;
    table.cost = *cost;
    table.slowSlots = sums.slots;
    return table;
  }

  /// What the base of a segment goes through, by itself.
  TierSegments buildSegment(int64_t length) {
    const int64_t base = addBase(storedPart(length));
    TierTable table = layOut(base);
    table.rows.pop_back();
    TierSegments found;
    found.length = length;
    found.fastSlots = chain.slots - 1;
    found.rows = std::move(table.rows);
    found.start = table.start;
    found.counts = bases[base].sums.counts().value_or(TierCounts());
    found.slowSlots = bases[base].sums.slots;
    return found;
  }

  Part storedPart(int64_t length) const {
    Part part = tables.whole();
    part.base = Base::Stored;
    part.length = length;
    return part;
  }

private:
  struct Push {
    int64_t distance, base, count;
  };
  struct Plan {
    std::vector<Push> pushes;
    int64_t rest = 0;
    Sums sums;
    int64_t stored() const {
      int64_t count = 0;
      for (const Push &push : pushes)
        count += push.count;
      return count;
    }
  };
  struct Run {
    int64_t length, plan, left;
  };
  struct BasePart {
    std::vector<Run> runs;
    Sums sums;
  };

  void push(Plan &plan, int64_t distance, int64_t base, int64_t count) {
    if (!plan.pushes.empty() && plan.pushes.back().distance == distance &&
        plan.pushes.back().base == base)
      plan.pushes.back().count += count;
    else
      plan.pushes.push_back({distance, base, count});
  }

  /// Sums a plan up, and gives its number.
  int64_t finish(Plan plan) {
    int64_t depth = 0;
    for (const Push &each : plan.pushes) {
      Sums one = bases[each.base].sums;
      one.forwards += each.distance;
      one.stores += 1;
      plan.sums.add(one, each.count);
      depth += each.count;
      plan.sums.slots = std::max(plan.sums.slots, depth + one.slots);
    }
    plan.sums.forwards +=
        binomialCost(plan.rest, chain.slots - 1).value_or(INT64_MAX);
    plans.push_back(std::move(plan));
    return static_cast<int64_t>(plans.size()) - 1;
  }

  int64_t addRest(int64_t length) {
    auto [known, isNew] = rests.try_emplace(length, 0);
    if (isNew) {
      Plan plan;
      plan.rest = length;
      known->second = finish(std::move(plan));
    }
    return known->second;
  }

  /// The plan for a part whose base is in tier 0 alone, after `more` segments.
  int64_t addPlan(Part part, int64_t more = 0, int64_t length = 0) {
    const std::pair<int64_t, size_t> key(part.length, part.layer);
    if (more == 0)
      if (auto known = planOf.find(key); known != planOf.end())
        return known->second;
    Plan plan;
    if (more > 0)
      plan.pushes.push_back({length, addBase(storedPart(length)), more});
    TieredChain::Decision d = tables.decide(part);
    while (d.step == Step::Store) {
      const Part stored = tables.after(part, d);
      const TieredChain::Decision leave = tables.decide(stored);
      assert(leave.step == Step::Leave);
      plan.pushes.push_back(
          {leave.split, addBase(tables.below(stored, leave)), 1});
      part = tables.above(stored, leave);
      d = tables.decide(part);
    }
    plan.rest = part.length;
    // Beside an unlimited tier segments may stand in any order.
    if (chain.slowSlots == std::nullopt)
      std::sort(plan.pushes.begin(), plan.pushes.end(),
                [](const Push &a, const Push &b) {
                  return a.distance != b.distance ? a.distance > b.distance
                                                  : a.base < b.base;
                });
    std::vector<Push> all;
    all.swap(plan.pushes);
    for (const Push &each : all)
      push(plan, each.distance, each.base, each.count);
    const int64_t number = plan.pushes.empty() && more == 0
                               ? addRest(plan.rest)
                               : finish(std::move(plan));
    if (more == 0)
      planOf[key] = number;
    return number;
  }

  void addRun(BasePart &base, int64_t length, int64_t plan, int64_t left) {
    if (!base.runs.empty() && base.runs.back().length == length &&
        base.runs.back().plan == plan && left > 0)
      base.runs.back().left = left;
    else
      base.runs.push_back({length, plan, left});
    const Sums &above = plans[plan].sums;
    base.sums.add(above);
    base.sums.forwards += left;
    base.sums.slots = std::max(base.sums.slots, above.slots);
  }

  /// The runs of a base in the slower tier.
  int64_t addBase(Part part) {
    const std::pair<int64_t, size_t> key(part.length, part.layer);
    if (auto known = baseOf.find(key); known != baseOf.end())
      return known->second;
    BasePart base;
    for (;;) {
      const TieredChain::Decision d = tables.decide(part);
      base.sums.loads += 1;
      if (d.step != Step::Leave)
        break;
      const int64_t plan = addPlan(tables.above(part, d));
      addRun(base, part.length - d.split, plan, d.split);
      part = tables.below(part, d);
    }
    addRun(base, part.length, addRest(part.length), 0);
    bases.push_back(std::move(base));
    return baseOf[key] = static_cast<int64_t>(bases.size()) - 1;
  }

  /// The runs of the first state.
  int64_t addFirst(int64_t more, int64_t length) {
    BasePart base;
    for (Part part = tables.whole();;) {
      const TieredChain::Decision d = tables.decide(part);
      if (d.step == Step::Reverse) {
        addRun(base, 1, addRest(1), 0);
        break;
      }
      assert(d.step == Step::Keep);
      const int64_t plan = addPlan(tables.above(part, d), more, length);
      addRun(base, part.length - d.split + more * length, plan, d.split);
      more = 0;
      part = tables.below(part, d);
    }
    bases.push_back(std::move(base));
    return static_cast<int64_t>(bases.size()) - 1;
  }

  TierTable layOut(int64_t first) const {
    std::vector<int64_t> planAt, baseAt;
    int64_t at = static_cast<int64_t>(plans.size());
    for (const BasePart &base : bases) {
      baseAt.push_back(at);
      at += static_cast<int64_t>(base.runs.size());
    }
    TierTable table;
    table.start = baseAt[first];
    std::vector<TierTable::Row> pushes;
    for (const Plan &plan : plans) {
      const int64_t firstPush = at + static_cast<int64_t>(pushes.size());
      int64_t stored = 0;
      for (const Push &each : plan.pushes) {
        stored += each.count;
        pushes.push_back({each.distance, baseAt[each.base], stored});
      }
      table.rows.push_back(
          {plan.pushes.empty() ? 0 : firstPush, stored, plan.rest});
    }
    for (const BasePart &base : bases)
      for (const Run &run : base.runs)
        table.rows.push_back({run.length, run.plan, run.left});
    table.rows.insert(table.rows.end(), pushes.begin(), pushes.end());
    table.rows.push_back({0, 0, 0});
    return table;
  }

  const TieredChain &tables;
  const TwoTiers &chain;
  std::vector<Plan> plans;
  std::vector<BasePart> bases;
  std::map<int64_t, int64_t> rests;
  std::map<std::pair<int64_t, size_t>, int64_t> planOf, baseOf;
};

//===----------------------------------------------------------------------===//
// Chains of any length
//===----------------------------------------------------------------------===//

/// The best segment beside an unlimited tier, and a bound for all chains.
struct Segment {
  int64_t length = 0, cost = 0;
  /// `length` times: what a rest, and the part on the first state, cost more
  /// than their steps at the price of the segment's, at least.
  Wide rest = 0, first = 0;

  Wide bound(int64_t steps) const {
    const Wide sum = Wide(cost) * steps + rest + first;
    return sum <= 0 ? 0 : (sum + length - 1) / length;
  }
};

/// Nothing where longer segments than those of `tables` might be better.
std::optional<Segment> findSegment(const TieredChain &tables,
                                   const TwoTiers &chain) {
  const int64_t most = tables.game().steps;
  Part held = tables.whole(), stored = held, pinned = held;
  held.base = Base::Held;
  stored.base = Base::Stored;
  auto costOf = [&](Part &part, int64_t length) {
    part.length = length;
    return tables.costOf(part);
  };
  Segment best;
  for (int64_t j = 1; j <= most; ++j) {
    const int64_t below = costOf(stored, j);
    if (below >= kImpossible)
      continue;
    const int64_t cost = chain.store + chain.load + j * chain.forward + below;
    if (best.length == 0 || Wide(cost) * best.length < Wide(best.cost) * j) {
      best.length = j;
      best.cost = cost;
    }
  }
  if (best.length == 0)
    return std::nullopt;
  // A base that is read for nothing is as good as one slot more, and the
  // steps of such a reversal get dearer with its length.
  const std::optional<int64_t> free = binomialCost(most, chain.slots);
  if (!free || (Wide(most) + *free) * chain.forward * best.length <
                   Wide(best.cost) * most)
    return std::nullopt;
  // The costs of a rest are convex: beyond the least difference they rise.
  bool isFirst = true;
  for (int64_t r = 1; r <= most; ++r) {
    const std::optional<int64_t> steps = binomialCost(r, chain.slots - 1);
    if (!steps)
      break;
    const Wide more =
        Wide(*steps) * chain.forward * best.length - Wide(best.cost) * r;
    if (!isFirst && more > best.rest)
      break;
    best.rest = more;
    isFirst = false;
    if (r == most && r > 1)
      return std::nullopt;
  }
  isFirst = true;
  for (int64_t j = 1; j < most; ++j) {
    const Wide more =
        (Wide(j) * chain.forward + costOf(pinned, j)) * best.length -
        Wide(best.cost) * j;
    if (isFirst || more < best.first)
      best.first = more;
    isFirst = false;
  }
  if (isFirst || Wide(most) * chain.forward * best.length + best.rest < 0)
    return std::nullopt;
  return best;
}

/// Chains that the dynamic program is asked for first.
constexpr int64_t kFirstLength = 1 << 13;

std::optional<TierTable> solveUnlimited(TwoTiers chain, int64_t longest,
                                        int64_t tried = kFirstLength) {
  chain.slowSlots.reset();
  const int64_t most = longestOf(chain, longest);
  const int64_t known = std::min({chain.steps, most, tried});
  std::unique_ptr<TieredChain> tables = solve(chain, known, std::nullopt);
  if (!tables)
    return std::nullopt;
  if (known == chain.steps) {
    std::optional<TierTable> table = TableBuilder(*tables, chain).build(0, 0);
    if (table)
      table->bound = table->cost;
    return table;
  }
  const std::optional<Segment> segment = findSegment(*tables, chain);
  if (!segment)
    return known < most ? solveUnlimited(chain, longest, 2 * tried)
                        : std::nullopt;
  const int64_t more =
      (chain.steps - known + segment->length - 1) / segment->length;
  const int64_t base = chain.steps - more * segment->length;
  if (base < 2)
    return std::nullopt;
  if (base != known)
    tables = solve(chain, base, std::nullopt);
  std::optional<TierTable> table =
      tables ? TableBuilder(*tables, chain).build(more, segment->length)
             : std::nullopt;
  if (table)
    table->bound = static_cast<int64_t>(
        std::min<Wide>(segment->bound(chain.steps), table->cost));
  return table;
}

} // namespace

std::optional<int64_t> TierCounts::cost(const TwoTiers &chain) const {
  const Wide sum = Wide(forwards) * chain.forward + Wide(stores) * chain.store +
                   Wide(loads) * chain.load;
  return sum > INT64_MAX ? std::nullopt
                         : std::optional(static_cast<int64_t>(sum));
}

std::optional<TierTable> pebble::chain::solveTwoTiers(const TwoTiers &given,
                                                      int64_t longest) {
  const TwoTiers chain = withUsefulSlots(given);
  if (chain.slowSlots != 0) {
    std::optional<TierTable> table = solveUnlimited(chain, longest);
    if (!chain.slowSlots || (table && table->slowSlots <= *chain.slowSlots))
      return table;
  }
  if (chain.steps > longest)
    return std::nullopt;
  const std::unique_ptr<TieredChain> tables =
      solve(chain, chain.steps, chain.slowSlots);
  if (!tables)
    return std::nullopt;
  std::optional<TierTable> table = TableBuilder(*tables, chain).build(0, 0);
  if (table)
    table->bound = table->cost;
  return table;
}

int64_t pebble::chain::boundTwoTiers(const TwoTiers &given) {
  const TwoTiers chain = withUsefulSlots(given);
  if (std::optional<TierTable> table = solveTwoTiers(chain))
    return table->bound;
  // A tier without costs, and one without limits.
  Wide bound = 0;
  if (chain.slowSlots && *chain.slowSlots <= INT64_MAX - chain.slots)
    if (std::optional<int64_t> steps =
            binomialCost(chain.steps, chain.slots + *chain.slowSlots))
      bound = Wide(*steps) * chain.forward;
  if (chain.slowSlots)
    if (std::optional<TierTable> table = solveUnlimited(chain, 1 << 16))
      bound = std::max<Wide>(bound, table->bound);
  return static_cast<int64_t>(std::min<Wide>(bound, INT64_MAX));
}

std::optional<TierSegments> pebble::chain::findTierSegments(TwoTiers chain) {
  chain.slowSlots.reset();
  if (chain.slots < 2)
    return std::nullopt;
  const int64_t most = longestOf(chain, 1 << 16);
  std::unique_ptr<TieredChain> tables;
  std::optional<Segment> segment;
  for (chain.steps = kFirstLength; !segment; chain.steps *= 2) {
    chain.steps = std::min(chain.steps, most);
    tables = solve(chain, chain.steps, std::nullopt);
    segment = tables ? findSegment(*tables, chain) : std::nullopt;
    if (segment || chain.steps == most)
      break;
  }
  if (!segment)
    return std::nullopt;
  TierSegments found =
      TableBuilder(*tables, chain).buildSegment(segment->length);
  // One more segment instead of the end of a rest, as soon as that is cheaper.
  auto restCost = [&](int64_t length) {
    return Wide(binomialCost(length, chain.slots - 1).value_or(INT64_MAX)) *
           chain.forward;
  };
  found.mostRest = found.length;
  while (found.mostRest < chain.steps &&
         restCost(found.mostRest + 1) <=
             segment->cost + restCost(found.mostRest + 1 - found.length))
    ++found.mostRest;
  return found;
}

TierSegments pebble::chain::makePeriods(int64_t period, int64_t fastSlots) {
  TierSegments found;
  found.length = found.mostRest = period;
  found.fastSlots = fastSlots;
  found.rows = {{0, 0, period}, {period, 0, 0}};
  found.start = 1;
  found.counts.forwards = binomialCost(period, fastSlots).value_or(INT64_MAX);
  found.counts.loads = 1;
  return found;
}

std::optional<TierTable>
pebble::chain::makeSegmentTable(const TierSegments &segments, int64_t steps,
                                SegmentRows *where) {
  const int64_t length = segments.length;
  const bool isShort = steps <= segments.mostRest;
  const int64_t stored =
      isShort ? 0 : (steps - segments.mostRest + length - 1) / length - 1;
  const int64_t rest = isShort ? 0 : steps - (stored + 1) * length;
  TierTable table;
  table.rows = segments.rows;
  SegmentRows at;
  at.plan = static_cast<int64_t>(table.rows.size());
  at.push = at.plan + 1;
  at.first = at.push + 1;
  table.rows.push_back({at.push, stored, rest});
  table.rows.push_back({length, segments.start, stored});
  table.rows.push_back({std::max<int64_t>(steps - length, 0), at.plan, length});
  // Then the first state goes through what any base does.
  for (int64_t run = segments.start;; ++run) {
    table.rows.push_back(table.rows[run]);
    if (table.rows[run][2] == 0)
      break;
  }
  at.shortRun = static_cast<int64_t>(table.rows.size());
  at.shortPlan = at.shortRun + 1;
  table.rows.push_back({steps, at.shortPlan, 0});
  table.rows.push_back({0, 0, steps});
  table.rows.push_back({0, 0, 0});
  table.start = isShort ? at.shortRun : at.first;
  table.slowSlots = isShort ? 0 : stored + segments.slowSlots;
  if (where)
    *where = at;

  Sums sums;
  const TierCounts &each = segments.counts;
  const std::optional<int64_t> end =
      steps == 0 ? 0 : binomialCost(isShort ? steps : rest, segments.fastSlots);
  if (!end || each.forwards == INT64_MAX)
    return std::nullopt;
  sums.forwards = *end;
  if (!isShort) {
    const Wide count = Wide(stored) + 1;
    sums.forwards += count * (Wide(length) + each.forwards);
    sums.stores = stored + count * each.stores;
    sums.loads = Wide(stored) * each.loads;
  }
  const std::optional<TierCounts> counts = sums.counts();
  if (!counts)
    return std::nullopt;
  table.counts = *counts;
  table.counts.storesFirst = stored;
  return table;
}

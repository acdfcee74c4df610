//===- TierTable.h - optimal two-tier schedules in small tables -*- C++ -*-===//
//
// Reverses a chain of equal steps whose first state stays in tier 0 and is read
// there for nothing, with further states in slots of tier 0 and of one slower
// tier: the game of ChainGame.h under rules `revolve` with N0 pinned. The
// schedule comes as a table that an executor without a dynamic program can
// follow, and whose size does not grow with the chain:
//
//   plan   for a part whose base is the working state: states to store in the
//          slower tier on the way forward, and a rest that is reversed in tier
//          0 alone, by the closed form of Binomial.h
//   run    for a part whose base has a copy: the parts above it, from the last
//          one down, each of them with a plan, after as many reads of the copy
//
// Equal neighbours are one row. Beside an unlimited tier a schedule is a choice
// of segments whose lengths sum up to that of the chain, in any order, and a
// rest: an unbounded knapsack. So almost all segments have the length L with
// the least cost for each step (the weak periodicity of Aupy and Herrmann,
// Periodicity in optimal hierarchical checkpointing schemes, 2017), and chains
// that are too long for the dynamic program are shorter ones with more of that.
//
// With c(j) the cost of a segment of j steps, transfers included, p = c(L) / L,
// H(r) the cost of a rest and P(j) that of a part on the pinned state, no
// schedule of n steps costs less than
//
//   p n + min over r of (H(r) - p r) + min over j of (j f + P(j) - p j)
//
// (by induction over the recurrences of TieredChain.h). That is the bound where
// no dynamic program covers the chain; the cost exceeds it by less than a few
// segments' cost, however long the chain is. The table form and the bound are
// written for this project.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CHAIN_TIERTABLE_H
#define PEBBLE_SOLVER_CHAIN_TIERTABLE_H

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace pebble::chain {

/// A chain between tier 0 and one slower tier. Backward steps cost the same
/// under every schedule and are left out.
struct TwoTiers {
  int64_t steps = 1;
  /// States in tier 0 beside the working state, the first one among them; at
  /// least 1.
  int64_t slots = 1;
  /// States in the slower tier; none: any number.
  std::optional<int64_t> slowSlots;
  /// Costs of one forward step, one store and one load.
  int64_t forward = 1, store = 1, load = 1;
};

/// What running a schedule takes. `storesFirst`: of the stores, those before
/// the first backward step.
struct TierCounts {
  int64_t forwards = 0, stores = 0, storesFirst = 0, loads = 0;
  /// Nothing where 64 bits do not hold it.
  std::optional<int64_t> cost(const TwoTiers &chain) const;
};

struct TierTable {
  using Row = std::array<int64_t, 3>;
  /// Three kinds of row, each known by its number:
  ///   plan   {first push, number of states stored, length of the rest}
  ///   push   {steps to go after the store, first run of the base, states
  ///          stored by this plan up to and with this row}
  ///   run    {length of the part above the base, its plan, length of what is
  ///          left of the base's part when this row is done}
  /// Pushes of a plan, and runs of a base, follow one another. The last run of
  /// a base is the one whose part above is all that is left: the base's copy is
  /// not needed any more. The last row of all is empty.
  std::vector<Row> rows;
  /// The first run of the first state.
  int64_t start = 0;
  /// States in the slower tier at a time, at most.
  int64_t slowSlots = 0;
  TierCounts counts;
  int64_t cost = 0, bound = 0;
};

/// The table of least cost; of a chain of more than `longest` steps beside a
/// tier with room enough, one that is close to it. Nothing where there is no
/// schedule, or none of the two ways is open: too many steps for the slow
/// slots and the dynamic program, or transfers so dear that the best segment is
/// longer than the dynamic program.
std::optional<TierTable> solveTwoTiers(const TwoTiers &chain,
                                       int64_t longest = 1 << 16);

/// No schedule of `chain` costs less, transfers included: the optimum where a
/// table is found that is optimal, else the best of the bounds above.
int64_t boundTwoTiers(const TwoTiers &chain);

/// Segments of one length for chains of any length: the first one begins with
/// the first state, the others with a state in the slower tier each, and a rest
/// follows, of at least one step and at most `mostRest`, whose base stays in
/// tier 0.
struct TierSegments {
  int64_t length = 1, mostRest = 1;
  /// Slots of tier 0 beside the first state's.
  int64_t fastSlots = 1;
  /// `rows[start]` is the first run of the base of a segment (TierTable). No
  /// empty row at the end.
  std::vector<TierTable::Row> rows;
  int64_t start = 0;
  /// Of the part on a base, and states in the slower tier meanwhile.
  TierCounts counts;
  int64_t slowSlots = 0;
};

/// The segments of least cost for each step beside an unlimited tier;
/// `chain.steps` does not count. Nothing where there is only one slot, or the
/// best segment is too long for the dynamic program.
std::optional<TierSegments> findTierSegments(TwoTiers chain);

/// Segments of `period` steps reversed in `fastSlots` slots, at least one, each
/// of whose bases is loaded once: periodic checkpointing (Periodic.h).
TierSegments makePeriods(int64_t period, int64_t fastSlots);

/// Of segments for a number of steps: the entries of the table that depend on
/// it, and which start.
struct SegmentRows {
  int64_t plan = 0;  ///< {push, stored, rest}
  int64_t push = 0;  ///< {length, start, stored}
  int64_t first = 0; ///< {steps - length, plan, length}, of the first state
  /// {steps, shortPlan, 0} of the first state and {0, 0, steps}, where `steps`
  /// is no more than `mostRest`.
  int64_t shortRun = 0, shortPlan = 0;
};

/// The table of `segments` for `steps` steps, `bound` and `cost` left out;
/// nothing where 64 bits do not hold its counts. `where`, if not null, is told
/// which rows would be others for other numbers of steps.
std::optional<TierTable> makeSegmentTable(const TierSegments &segments,
                                          int64_t steps,
                                          SegmentRows *where = nullptr);

} // namespace pebble::chain

#endif // PEBBLE_SOLVER_CHAIN_TIERTABLE_H

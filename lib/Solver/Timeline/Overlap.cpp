//===- Overlap.cpp - hide transfers behind computation --------------------===//
//
// Moves stand in gaps: gap g is before run g, and the last gap is after the
// last run. Within a gap drops come first, then starts, then the waits that run
// g needs, so that no gap holds more than the run before or after it. What is
// decided are the gaps of three things: the start of each store, the drop of
// its source, the start of each load. The last two take room in the runs that
// they pass, from one table of what is left.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Timeline/Overlap.h"

#include <algorithm>
#include <numeric>

using namespace pebble;
using namespace pebble::timeline;
using game::Id;
using game::kNone;
using game::MoveKind;

namespace {

using Gap = uint32_t;
constexpr size_t kNoMove = SIZE_MAX;

struct Transfer {
  /// The move that it carries out, and the gap where that stood.
  size_t move = 0;
  Gap given = 0;
  bool isStore = true;
  Id value = kNone, tier = 0;
  int64_t duration = 0, footprint = 0;
  /// It starts no earlier than this.
  Gap earliest = 0;
  /// Stores: the drop of the source (kNoMove: none), and how far that may be
  /// put off. Loads: the gap before the first use.
  size_t drop = kNoMove;
  Gap latest = 0;
  /// Stores: the next load of the value; loads: the store before. kNone: none.
  uint32_t partner = kNone;
  /// The drop of the copy in the slower tier (kNoMove: none).
  size_t slowDrop = kNoMove;
  /// Another transfer of the value stands in the same gap: the two are carried
  /// out where they stand.
  bool rigid = false;
  /// What is decided: where it starts, and where it is waited for.
  Gap start = 0, due = 0;
};

/// Who is served first where room is short.
enum class Favour { Stores, Loads };

/// The moves of a schedule by gaps, and what ties them together.
class Gaps {
public:
  Gaps(const game::Problem &problem, const std::vector<game::Move> &moves,
       const Durations &durations, std::optional<int64_t> budget)
      : p(problem), moves(moves), durations(durations) {
    game::Replay played = game::verify(p, moves, budget);
    for (size_t at = 0; at < moves.size(); ++at) {
      gapOf.push_back(runs.size());
      if (moves[at].kind != MoveKind::Compute)
        continue;
      runs.push_back(moves[at].subject);
      room.push_back(budget ? *budget - played.live[at] : INT64_MAX);
    }
    walkForward();
    walkBack();
    findRigid();
  }

  Gap last() const { return runs.size(); }

  const game::Problem &p;
  const std::vector<game::Move> &moves;
  const Durations &durations;
  std::vector<Id> runs;
  /// By move: the gap in which it stands (runs: the one before).
  std::vector<Gap> gapOf;
  std::vector<Transfer> transfers;
  /// By run: bytes of the budget that are left.
  std::vector<int64_t> room;

private:
  bool isBounded(Id tier) const {
    return p.hierarchy.tiers[p.hierarchy.computeTier() + tier].capacity !=
           game::kUnbounded;
  }

  /// A store may start where its value came to be, a load where its storage was
  /// freed. What takes room in a bounded tier is made where it was.
  void walkForward() {
    std::vector<Gap> made(p.values.size(), 0), freed(p.storages.size(), 0);
    for (size_t at = 0; at < moves.size(); ++at) {
      const game::Move &move = moves[at];
      if (move.kind == MoveKind::Compute) {
        for (const game::Access &write : p.steps[move.subject].writes)
          made[write.value] = gapOf[at] + 1;
        continue;
      }
      Id storage = p.values[move.subject].storage;
      if (move.kind == MoveKind::Drop) {
        if (move.tier == 0)
          freed[storage] = gapOf[at];
        continue;
      }
      Transfer transfer;
      transfer.move = at;
      transfer.given = gapOf[at];
      transfer.isStore = move.kind == MoveKind::Store;
      transfer.value = move.subject;
      transfer.tier = move.tier;
      const auto &table = transfer.isStore ? durations.stores : durations.loads;
      transfer.duration = table[move.tier][move.subject];
      transfer.footprint = p.storages[storage].footprint;
      if (!transfer.isStore) {
        transfer.earliest = freed[storage];
        // What was loaded is stored again, if at all, where the schedule says.
        made[move.subject] = kNone;
      } else {
        transfer.earliest = isBounded(move.tier)
                                ? gapOf[at]
                                : std::min(made[move.subject], gapOf[at]);
      }
      transfers.push_back(transfer);
    }
  }

  /// From the last move to the first: what comes next is known.
  void walkBack() {
    std::vector<Gap> nextUse(p.values.size(), last());
    std::vector<Gap> nextContent(p.storages.size(), last());
    std::vector<size_t> nextDrop(p.values.size(), kNoMove);
    std::vector<uint32_t> nextLoad(p.values.size(), kNone);
    std::vector<std::vector<size_t>> slowDrop(
        p.explicitTierCount(), std::vector<size_t>(p.values.size(), kNoMove));
    size_t transfer = transfers.size();
    for (size_t at = moves.size(); at-- > 0;) {
      const game::Move &move = moves[at];
      if (move.kind == MoveKind::Compute) {
        for (const game::Access &read : p.steps[move.subject].reads)
          nextUse[read.value] = gapOf[at];
        for (const game::Access &write : p.steps[move.subject].writes) {
          const game::Value &value = p.values[write.value];
          if (value.overwrites != kNone)
            nextUse[value.overwrites] = gapOf[at];
          nextContent[value.storage] = gapOf[at];
          nextDrop[write.value] = kNoMove;
        }
        continue;
      }
      Id value = move.subject;
      Gap &content = nextContent[p.values[value].storage];
      if (move.kind == MoveKind::Drop) {
        if (move.tier == 0)
          nextDrop[value] = at;
        else
          slowDrop[move.tier][value] = at;
        continue;
      }
      Transfer &t = transfers[--transfer];
      t.slowDrop = slowDrop[move.tier][value];
      if (t.isStore) {
        t.drop = nextDrop[value];
        t.latest = content;
        t.partner = nextLoad[value];
        if (t.partner != kNone)
          transfers[t.partner].partner = transfer;
      } else {
        t.latest = nextUse[value];
        nextLoad[value] = transfer;
        nextDrop[value] = kNoMove;
        content = gapOf[at];
      }
      nextUse[value] = gapOf[at];
    }
  }

  /// A value that moves on from where it has just come: nothing reads it there.
  void findRigid() {
    std::vector<uint32_t> before(p.values.size(), kNone);
    for (uint32_t i = 0; i < transfers.size(); ++i) {
      Transfer &t = transfers[i];
      if (uint32_t other = before[t.value]; other != kNone) {
        Transfer &first = transfers[other];
        Gap end = first.isStore ? first.given : first.latest;
        if (end >= t.given)
          t.rigid = first.rigid = true;
      }
      before[t.value] = i;
    }
  }
};

/// One way of granting the room.
class Planner {
public:
  Planner(const Gaps &gaps, const std::vector<int64_t> &times)
      : times(times), transfers(gaps.transfers), room(gaps.room) {
    for (Transfer &t : transfers) {
      t.start = t.isStore && !t.rigid ? t.earliest : t.given;
      t.due = t.rigid                          ? t.given
              : t.isStore && t.drop != kNoMove ? gaps.gapOf[t.drop]
                                               : t.latest;
    }
  }

  std::vector<Transfer> plan(Favour favour) {
    if (favour == Favour::Stores)
      lingerSources();
    fetchEarly();
    if (favour == Favour::Loads)
      lingerSources();
    return std::move(transfers);
  }

private:
  /// Takes room in a run, if it is there.
  bool take(Gap run, int64_t bytes) {
    if (room[run] < bytes)
      return false;
    if (room[run] != INT64_MAX)
      room[run] -= bytes;
    return true;
  }

  template <typename Key>
  std::vector<uint32_t> sortedBy(Key key) const {
    std::vector<uint32_t> order(transfers.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(key(transfers[a]), a) < std::pair(key(transfers[b]), b);
    });
    return order;
  }

  /// The source of a store stays until the store has ended, instead of being
  /// waited for, for as long as there is room.
  void lingerSources() {
    int64_t queue = 0;
    for (uint32_t i : sortedBy([](const Transfer &t) { return t.start; })) {
      Transfer &t = transfers[i];
      if (!t.isStore)
        continue;
      queue = std::max(queue, times[t.start]) + t.duration;
      if (t.drop == kNoMove || t.rigid)
        continue;
      Gap limit = t.latest;
      if (t.partner != kNone)
        limit = std::min(limit, transfers[t.partner].start);
      while (t.due < limit && times[t.due] < queue && take(t.due, t.footprint))
        ++t.due;
    }
  }

  /// Back from the last use: each load starts so early that it, and the loads
  /// behind it in the queue, end in time.
  void fetchEarly() {
    int64_t deadline = INT64_MAX;
    std::vector<uint32_t> order =
        sortedBy([](const Transfer &t) { return t.due; });
    for (size_t i = order.size(); i-- > 0;) {
      Transfer &t = transfers[order[i]];
      if (t.isStore)
        continue;
      deadline = std::min(deadline, times[t.due]) - t.duration;
      if (t.rigid)
        continue;
      Gap first = t.earliest;
      if (t.partner != kNone)
        first = std::max(first, transfers[t.partner].due);
      while (t.start > first && times[t.start] > deadline &&
             take(t.start - 1, t.footprint))
        --t.start;
    }
  }

  /// By gap: when it is over.
  const std::vector<int64_t> &times;
  std::vector<Transfer> transfers;
  std::vector<int64_t> room;
};

/// Writes the program down.
class Writer {
public:
  Writer(const Gaps &gaps, const std::vector<Transfer> &transfers)
      : gaps(gaps), transfers(transfers), number(transfers.size(), kNone),
        parts(gaps.last() + 1) {}

  std::vector<Action> write() {
    collect();
    for (Gap gap = 0; gap <= gaps.last(); ++gap) {
      writeGap(parts[gap]);
      if (gap < gaps.last())
        actions.push_back({ActionKind::Run, gaps.runs[gap], 0});
    }
    return std::move(actions);
  }

private:
  /// What stands in one gap.
  struct Part {
    std::vector<size_t> drops, slowDrops, rigid;
    /// Stores that start and end here, waits for stores whose source is then
    /// dropped, other starts, other waits.
    std::vector<uint32_t> passing, storeWaits, starts, waits;
  };

  void collect() {
    std::vector<uint32_t> transferOf(gaps.moves.size(), kNone);
    std::vector<Gap> dropGap = gaps.gapOf;
    std::vector<bool> tied(gaps.moves.size(), false);
    for (uint32_t i = 0; i < transfers.size(); ++i) {
      const Transfer &t = transfers[i];
      transferOf[t.move] = i;
      if (t.slowDrop != kNoMove)
        dropGap[t.slowDrop] = std::max(dropGap[t.slowDrop], t.due);
      if (t.rigid)
        continue;
      bool endsWithDrop = t.isStore && t.drop != kNoMove;
      if (endsWithDrop)
        tied[t.drop] = true;
      Part &end = parts[t.due];
      if (endsWithDrop && t.start == t.due)
        end.passing.push_back(i);
      else
        parts[t.start].starts.push_back(i);
      (endsWithDrop ? end.storeWaits : end.waits).push_back(i);
    }
    for (Part &part : parts)
      std::sort(part.starts.begin(), part.starts.end(),
                [&](uint32_t a, uint32_t b) {
                  return std::pair(transfers[a].due, a) <
                         std::pair(transfers[b].due, b);
                });
    std::vector<Gap> rigidGap(gaps.p.values.size(), kNone);
    for (size_t at = 0; at < gaps.moves.size(); ++at) {
      const game::Move &move = gaps.moves[at];
      if (move.kind == MoveKind::Compute)
        continue;
      bool isDrop = move.kind == MoveKind::Drop;
      if (!isDrop && transfers[transferOf[at]].rigid)
        rigidGap[move.subject] = gaps.gapOf[at];
      // Beside transfers that stay where they are, drops do as well.
      if (rigidGap[move.subject] == gaps.gapOf[at])
        parts[gaps.gapOf[at]].rigid.push_back(at);
      else if (isDrop && move.tier != 0)
        parts[dropGap[at]].slowDrops.push_back(at);
      else if (isDrop && !tied[at])
        parts[gaps.gapOf[at]].drops.push_back(at);
    }
    moveTransfer = std::move(transferOf);
  }

  void writeGap(const Part &part) {
    for (size_t at : part.drops)
      drop(at);
    for (uint32_t i : part.passing)
      start(i);
    for (uint32_t i : part.storeWaits) {
      wait(i);
      drop(transfers[i].drop);
    }
    for (size_t at : part.rigid)
      if (gaps.moves[at].kind == MoveKind::Drop) {
        drop(at);
      } else {
        start(moveTransfer[at]);
        wait(moveTransfer[at]);
      }
    for (uint32_t i : part.starts)
      start(i);
    for (uint32_t i : part.waits)
      wait(i);
    for (size_t at : part.slowDrops)
      drop(at);
  }

  void start(uint32_t i) {
    number[i] = started++;
    actions.push_back(
        {transfers[i].isStore ? ActionKind::Store : ActionKind::Load,
         transfers[i].value, transfers[i].tier});
  }
  void wait(uint32_t i) { actions.push_back({ActionKind::Wait, number[i], 0}); }
  void drop(size_t at) {
    actions.push_back(
        {ActionKind::Drop, gaps.moves[at].subject, gaps.moves[at].tier});
  }

  const Gaps &gaps;
  const std::vector<Transfer> &transfers;
  /// By transfer: its place among the starts.
  std::vector<uint32_t> number;
  uint32_t started = 0;
  std::vector<Part> parts;
  /// By move: its transfer.
  std::vector<uint32_t> moveTransfer;
  std::vector<Action> actions;
};

} // namespace

/// By gap: when it is over, in a program that was replayed.
static std::vector<int64_t> getTimes(const Overlapped &program) {
  std::vector<int64_t> times;
  for (size_t at = 0; at < program.actions.size(); ++at)
    if (program.actions[at].kind == ActionKind::Run)
      times.push_back(program.timeline.begins[at]);
  times.push_back(program.timeline.makespan);
  return times;
}

Overlapped timeline::overlapTransfers(const game::Problem &problem,
                                      const std::vector<game::Move> &moves,
                                      const Durations &durations,
                                      std::optional<int64_t> budget) {
  Overlapped best;
  best.actions = waitAtOnce(moves);
  best.timeline = replay(problem, best.actions, durations, budget);
  if (!best.timeline.verdict.ok() || best.timeline.moving == 0)
    return best;
  Gaps gaps(problem, moves, durations, budget);
  // The first times are those of a program in which nothing stalls; the next
  // ones those of the best so far, whose stalls leave more time to others.
  std::vector<int64_t> times = {0};
  for (Id step : gaps.runs)
    times.push_back(times.back() + durations.steps[step]);
  for (unsigned round = 0; round < 3; ++round) {
    bool isBetter = false;
    for (Favour favour : {Favour::Stores, Favour::Loads}) {
      Overlapped next;
      next.actions = Writer(gaps, Planner(gaps, times).plan(favour)).write();
      next.timeline = replay(problem, next.actions, durations, budget);
      if (!next.timeline.verdict.ok() ||
          next.timeline.makespan >= best.timeline.makespan)
        continue;
      best = std::move(next);
      isBetter = true;
    }
    if (!isBetter)
      break;
    times = getTimes(best);
  }
  return best;
}

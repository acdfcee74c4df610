//===- RematSearch.cpp - least cost within a budget, exactly --------------===//

#include "RematSearch.h"

#include "Solver/Graph/IdSet.h"

#include <algorithm>
#include <queue>

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::Move;
using game::MoveKind;
using game::Problem;
using game::Schedule;
using game::Status;

namespace {

constexpr uint64_t kDefaultPositions = 4000000;

/// A position and how it was reached.
struct Node {
  RematState state;
  /// What the last move dropped from the compute tier before it ran. What it
  /// stored, and dropped from slower tiers, shows in the state.
  uint64_t dropped = 0;
  int64_t cost = 0, bound = 0;
  uint32_t parent = UINT32_MAX;
  /// The step that ran, or the value that was loaded and 64 times its tier.
  uint16_t move = 0;
  bool closed = false;
};

/// What a search is for: the least cost, or any schedule at all.
enum class Goal { LeastCost, Any };

class Search {
public:
  Search(const RematGame &game, int64_t budget, Goal goal, uint64_t effort,
         const StopSign *stop, int64_t below = kNever)
      : game(game), budget(budget), goal(goal), effort(effort),
        mostBytes(tableBytesOf(stop)), stop(stop), below(below) {
    table.assign(1 << 12, UINT32_MAX);
  }

  /// Optimal (which is Feasible for Goal::Any), Infeasible or Unknown.
  Status run() {
    if (game.bytes(game.start().resident) > budget)
      return Status::Infeasible;
    int64_t least = game.bound(game.start(), budget);
    if (least >= kNever)
      return Status::Infeasible;
    offer({game.start(), 0, 0, least, UINT32_MAX, 0, false});
    while (!open.empty()) {
      Entry e = open.top();
      open.pop();
      if (nodes[e.node].closed || nodes[e.node].cost != e.cost)
        continue;
      lower = std::max(lower, e.total);
      if (game.isGoal(nodes[e.node].state)) {
        last = e.node;
        return Status::Optimal;
      }
      if (nodes.size() > effort || isOut())
        return Status::Unknown;
      nodes[e.node].closed = true;
      expand(e.node);
      if (out)
        return Status::Unknown;
    }
    return Status::Infeasible;
  }

  /// No schedule costs less (Goal::LeastCost).
  int64_t proven() const { return lower; }
  int64_t cost() const { return nodes[last].cost; }
  /// Positions that were looked at.
  uint64_t size() const { return nodes.size(); }
  /// Time or memory ended the search, not effort.
  bool wasCut() const { return out; }

  std::vector<Move> moves() const {
    std::vector<uint32_t> path;
    for (uint32_t n = last; nodes[n].parent != UINT32_MAX; n = nodes[n].parent)
      path.push_back(n);
    std::vector<Move> result;
    for (size_t k = path.size(); k-- > 0;)
      addMoves(nodes[path[k]], result);
    return result;
  }

private:
  /// What led to `n` from its parent.
  void addMoves(const Node &n, std::vector<Move> &result) const {
    const RematState &before = nodes[n.parent].state;
    const bool isLoad = n.move >= 64;
    const uint64_t away = isLoad ? 0 : game.step(n.move).away;
    auto add = [&](MoveKind kind, uint64_t set, size_t tier) {
      while (set)
        result.push_back({kind, game.origin(pop(set)), static_cast<Id>(tier)});
    };
    auto stores = [&](uint64_t among) {
      for (size_t t = 0; t < game.slowTiers(); ++t)
        add(MoveKind::Store, n.state.stored[t] & ~before.stored[t] & among,
            t + 1);
    };
    for (size_t t = 0; t < game.slowTiers(); ++t)
      add(MoveKind::Drop, before.stored[t] & ~n.state.stored[t], t + 1);
    stores(~away);
    add(MoveKind::Drop, n.dropped, 0);
    if (isLoad) {
      add(MoveKind::Load, bit(n.move % 64), n.move / 64);
      return;
    }
    result.push_back({MoveKind::Compute, n.move, 0});
    add(MoveKind::Drop,
        game.step(n.move).spent & ~game.step(n.move).overwritten, 0);
    stores(away);
    add(MoveKind::Drop, away, 0);
  }

  struct Entry {
    int64_t total, bound, cost;
    uint32_t node;
    /// Least total first, then nearest to the goal, then the latest.
    bool operator<(const Entry &o) const {
      if (total != o.total)
        return total > o.total;
      if (bound != o.bound)
        return bound > o.bound;
      return node < o.node;
    }
  };

  /// Whether time or memory is spent. One position can have more successors
  /// than there is time for, so this is asked while they are made as well.
  bool isOut() {
    if ((++looks & 1023) == 0 && stop && stop->isUp())
      out = true;
    return out;
  }

  /// Whether the tables would take too much with one position more. A vector
  /// that grows is there twice.
  bool isFull() const {
    const size_t room = nodes.size() == nodes.capacity() ? 3 : 1;
    return room * nodes.capacity() * sizeof(Node) +
               3 * table.capacity() * sizeof(uint32_t) +
               3 * open.size() * sizeof(Entry) >
           mostBytes;
  }

  static uint64_t hash(const RematState &s) {
    uint64_t h = s.resident * 0x9E3779B97F4A7C15ull;
    h = (h ^ h >> 29) + s.ran;
    for (uint64_t set : s.stored) {
      h *= 0xBF58476D1CE4E5B9ull;
      h = (h ^ h >> 32) + set;
    }
    h *= 0x94D049BB133111EBull;
    return h ^ h >> 31;
  }

  /// The slot of a state: where it is, or where it belongs.
  size_t slot(const RematState &s) const {
    size_t i = hash(s) & (table.size() - 1);
    while (table[i] != UINT32_MAX && !(nodes[table[i]].state == s))
      i = (i + 1) & (table.size() - 1);
    return i;
  }

  void grow() {
    table.assign(table.size() * 2, UINT32_MAX);
    for (uint32_t n = 0; n < nodes.size(); ++n)
      table[slot(nodes[n].state)] = n;
  }

  /// A new position, or a cheaper way to a known one. `bound` is computed for
  /// new ones only.
  void offer(Node n) {
    size_t at = slot(n.state);
    if (table[at] != UINT32_MAX) {
      Node &known = nodes[table[at]];
      if (goal == Goal::Any || known.cost <= n.cost || known.bound >= kNever)
        return;
      n.bound = known.bound;
      known = n;
      push(table[at]);
      return;
    }
    if (isFull()) {
      out = true;
      return;
    }
    if (n.parent != UINT32_MAX)
      n.bound = game.bound(n.state, budget);
    table[at] = nodes.size();
    nodes.push_back(n);
    if (n.bound < kNever)
      push(nodes.size() - 1);
    if (nodes.size() * 2 > table.size())
      grow();
  }

  void push(uint32_t n) {
    const Node &node = nodes[n];
    int64_t ahead = node.bound;
    if (goal == Goal::LeastCost && node.cost + ahead >= below)
      return;
    open.push(
        {goal == Goal::Any ? ahead : node.cost + ahead, ahead, node.cost, n});
  }

  void expand(uint32_t from) {
    const RematState state = nodes[from].state;
    for (Id s = 0; s < game.size(); ++s) {
      const RematGame::Step &step = game.step(s);
      bool ran = state.ran >> s & 1;
      if ((step.reads & ~state.resident) || (step.after & ~state.ran) ||
          (ran && !step.again))
        continue;
      bool first = (game.trackedSteps() >> s & 1) && !ran;
      if (!first && !(step.writes & ~state.resident))
        continue;
      current = from;
      move = s;
      moveCost = step.cost;
      keep = step.reads | game.pinned();
      lost = step.overwritten | step.spent;
      away = step.away;
      makeRoom(state, step.conflicts & state.resident,
               step.fresh + step.scratch);
    }
    for (size_t t = 0; t < game.slowTiers(); ++t)
      for (uint64_t set = state.stored[t] & ~state.resident; set;) {
        Id v = pop(set);
        current = from;
        move = static_cast<uint16_t>(64 * (t + 1) + v);
        moveCost = game.value(v).load[t];
        keep = game.pinned();
        lost = 0;
        away = 0;
        makeRoom(state, game.value(v).storage & state.resident,
                 game.value(v).footprint);
      }
  }

  /// Offers the positions after `move`, one for each smallest choice of what to
  /// drop so that `bytes` more fit. `forced` is dropped in any case.
  void makeRoom(const RematState &state, uint64_t forced, int64_t bytes) {
    if (forced & keep)
      return;
    candidates.clear();
    room.clear();
    for (Id v : game.bySize())
      if ((state.resident & ~forced & ~keep) >> v & 1)
        if (game.value(v).footprint > 0)
          candidates.push_back(v);
    room.assign(candidates.size() + 1, 0);
    for (size_t i = candidates.size(); i-- > 0;)
      room[i] = room[i + 1] + game.value(candidates[i]).footprint;
    int64_t excess = game.bytes(state.resident & ~forced) + bytes - budget;
    drop(state, forced, 0, excess);
  }

  /// Candidates come in order of falling size and the choice ends with the one
  /// that makes the room, so none of those chosen can be spared.
  void drop(const RematState &state, uint64_t dropped, size_t i,
            int64_t excess) {
    if (isOut())
      return;
    if (excess <= 0)
      return store(state, dropped, state.stored,
                   game.slowTiers() ? dropped | lost | away : 0, 0);
    for (; i < candidates.size() && room[i] >= excess; ++i)
      drop(state, dropped | bit(candidates[i]), i + 1,
           excess - game.value(candidates[i]).footprint);
  }

  using Stored = std::array<uint64_t, kSlowTiers>;

  /// Stores what leaves or not, in every tier in which that may pay.
  void store(const RematState &state, uint64_t dropped, const Stored &stored,
             uint64_t leaving, int64_t cost) {
    if (isOut())
      return;
    if (!leaving)
      return makeSlowRoom(state, dropped, stored, 0, cost);
    Id v = pop(leaving);
    const RematGame::Value &value = game.value(v);
    if (!(away >> v & 1))
      store(state, dropped, stored, leaving, cost);
    for (size_t t = 0; t < game.slowTiers(); ++t) {
      if (value.store[t] >= kNever || isStoredAsWell(stored, v, t))
        continue;
      Stored more = stored;
      more[t] |= bit(v);
      store(state, dropped, more, leaving, cost + value.store[t]);
    }
  }

  /// Whether a copy of `v` in tier `t` would be no use: it is there, or in an
  /// unbounded tier that gives it back for no more, or would cost no more
  /// there.
  bool isStoredAsWell(const Stored &stored, Id v, size_t t) const {
    const RematGame::Value &value = game.value(v);
    if (stored[t] >> v & 1)
      return true;
    for (size_t u = 0; u < game.slowTiers(); ++u) {
      if (u == t || game.capacity(u) != game::kUnbounded ||
          value.load[u] > value.load[t])
        continue;
      if (stored[u] >> v & 1)
        return true;
      // Of two that are equal the nearer one.
      const int64_t here = value.store[t] + value.load[t],
                    there = value.store[u] + value.load[u];
      if (value.store[u] <= value.store[t] && (there < here || u < t))
        return true;
    }
    return false;
  }

  /// From tier `t` on, offers one position for each smallest choice of copies
  /// that make room for what is stored.
  void makeSlowRoom(const RematState &state, uint64_t dropped,
                    const Stored &stored, size_t t, int64_t cost) {
    if (t == game.slowTiers())
      return reach(state, dropped, stored, cost);
    const int64_t excess =
        game.capacity(t) == game::kUnbounded || stored[t] == state.stored[t]
            ? 0
            : game.bytes(stored[t]) - game.capacity(t);
    // What is stored stays, and so does what is being loaded.
    uint64_t spare = state.stored[t];
    if (move / 64 == t + 1)
      spare &= ~bit(move % 64);
    dropCopies(state, dropped, stored, t, cost, spare, 0, excess);
  }

  void dropCopies(const RematState &state, uint64_t dropped,
                  const Stored &stored, size_t t, int64_t cost, uint64_t spare,
                  size_t i, int64_t excess) {
    if (isOut())
      return;
    if (excess <= 0)
      return makeSlowRoom(state, dropped, stored, t + 1, cost);
    const std::vector<Id> &order = game.bySize();
    for (; i < order.size(); ++i) {
      if (!(spare >> order[i] & 1) || game.value(order[i]).footprint == 0)
        continue;
      Stored less = stored;
      less[t] &= ~bit(order[i]);
      dropCopies(state, dropped, less, t, cost, spare, i + 1,
                 excess - game.value(order[i]).footprint);
    }
  }

  void reach(const RematState &state, uint64_t dropped, const Stored &stored,
             int64_t cost) {
    Node n;
    n.state = state;
    n.state.resident &= ~dropped;
    n.state.stored = stored;
    if (move < 64) {
      const RematGame::Step &step = game.step(move);
      n.state.resident &= ~step.overwritten & ~step.spent;
      n.state.resident |= step.writes & ~step.away;
      n.state.ran |= game.trackedSteps() & bit(move);
    } else {
      n.state.resident |= bit(move % 64);
    }
    n.dropped = dropped;
    n.cost = nodes[current].cost + moveCost + cost;
    n.parent = current;
    n.move = move;
    offer(n);
  }

  const RematGame &game;
  const int64_t budget;
  const Goal goal;
  const uint64_t effort, mostBytes;
  const StopSign *stop;
  const int64_t below;

  std::vector<Node> nodes;
  /// Open addressing: numbers of nodes by state.
  std::vector<uint32_t> table;
  std::priority_queue<Entry> open;
  uint32_t last = UINT32_MAX;
  int64_t lower = 0;
  uint64_t looks = 0;
  bool out = false;

  // The move being tried.
  uint32_t current = 0;
  uint16_t move = 0;
  int64_t moveCost = 0;
  uint64_t keep = 0;
  /// What it takes away itself, and what of its results leaves right after it.
  uint64_t lost = 0, away = 0;
  std::vector<Id> candidates;
  std::vector<int64_t> room;
};

} // namespace

LeastPeak pebble::graph::searchLeastPeak(const RematGame &game, int64_t known,
                                         uint64_t effort, const StopSign *stop,
                                         uint64_t all) {
  LeastPeak result;
  result.peak = known;
  result.bound = std::min(game.largestWorkingSet(), known);
  bool isProven = true;
  // The floor is often enough, so it is asked first.
  int64_t low = result.bound, ask = low;
  while (low < result.peak && all > 0 && !(stop && stop->isUp())) {
    Search search(game, ask, Goal::Any,
                  std::min(effort ? effort : kDefaultPositions, all), stop);
    const Status status = search.run();
    all -= std::min(all, search.size());
    if (status == Status::Optimal) {
      result.peak = ask;
      result.moves = search.moves();
    } else {
      isProven &= status == Status::Infeasible;
      low = ask + 1;
      if (isProven)
        result.bound = low;
    }
    ask = low + (result.peak - low) / 2;
  }
  return result;
}

std::optional<int64_t> pebble::graph::smallestBudget(const RematGame &game,
                                                     int64_t enough,
                                                     uint64_t effort,
                                                     const StopSign *stop) {
  const LeastPeak least = searchLeastPeak(game, enough, effort, stop);
  return least.bound < least.peak ? std::nullopt : std::optional(least.peak);
}

Schedule pebble::graph::rematSearch(const Problem &problem,
                                    const RematSearchOptions &options) {
  const RematGame game(problem, options.means, options.transfers);
  const uint64_t effort = options.effort ? options.effort : kDefaultPositions;
  const StopSign stop(options.limits);
  // Within this, nothing ever has to be dropped.
  int64_t most = game.largestWorkingSet();
  for (const game::Storage &s : problem.storages)
    most += s.footprint;
  const int64_t budget = std::min(options.budget.value_or(most), most);

  Schedule s;
  s.solver = "remat-search";
  s.bound = game.costOfOneRun();
  if (budget < game.largestWorkingSet()) {
    s.status = Status::Infeasible;
  } else {
    Search search(game, budget, Goal::LeastCost, effort, &stop, options.below);
    s.status = search.run();
    if (s.status == Status::Unknown)
      s.bound = std::max(s.bound, search.proven());
    s.limited = search.wasCut();
    if (s.status == Status::Optimal) {
      s.cost = s.bound = search.cost();
      s.moves = search.moves();
      s.peak = game::verify(problem, s.moves).peak[0];
    }
  }
  if (s.status == Status::Optimal && options.minBudget)
    s.minBudget = smallestBudget(game, s.peak, effort, &stop);
  // Where wishes of the user contradict each other, no budget is enough.
  if (s.status == Status::Infeasible && options.below == kNever &&
      Search(game, most, Goal::Any, effort, &stop).run() == Status::Optimal)
    s.minBudget = smallestBudget(game, most, effort, &stop);
  return s;
}

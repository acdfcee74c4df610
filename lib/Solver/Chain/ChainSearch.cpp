//===- ChainSearch.cpp - least time on unequal chains, exactly ------------===//

#include "ChainSearch.h"

#include "Solver/Graph/IdSet.h"

#include <algorithm>
#include <queue>

using namespace pebble;
using namespace pebble::chain;
using game::Status;
using graph::bit;

namespace {

constexpr uint64_t kDefaultStates = 1000000;

size_t highest(uint64_t set) {
  return 63 - static_cast<size_t>(__builtin_clzll(set));
}
size_t lowest(uint64_t set) {
  return static_cast<size_t>(__builtin_ctzll(set));
}

/// What is kept, what is saved, and whose backward step is next.
struct State {
  uint64_t kept : 58, next : 6;
  uint64_t saved;
  bool operator==(const State &o) const {
    return kept == o.kept && saved == o.saved && next == o.next;
  }
};

/// Least forward times of gaps (low, high), by whether s[high] is there.
class GapTimes {
public:
  explicit GapTimes(size_t n)
      : width(n + 1), times(2 * width * width, kNever) {}
  int64_t &operator()(size_t low, size_t high, bool saved) {
    return times[(low * width + high) * 2 + saved];
  }
  int64_t operator()(size_t low, size_t high, bool saved) const {
    return times[(low * width + high) * 2 + saved];
  }

private:
  size_t width;
  std::vector<int64_t> times;
};

/// Searches one gap: from a[low], there for nothing, and s[high] if `saved`, to
/// the backward step of layer low + 1.
class GapSearch {
public:
  GapSearch(const HeterogeneousChain &c, const GapTimes &gaps, int64_t room,
            size_t low, size_t high, bool saved)
      : c(c), gaps(gaps), room(room), low(low), high(high) {
    // While layers above are still to run backward, one of their gradients is
    // there: at least the smallest.
    first = *std::min_element(c.d.begin() + high, c.d.end());
    addState({bit(low), high, saved ? bit(high) : 0}, 0, UINT32_MAX);
  }

  /// Ends with the least forward time below `limit` in `time` (kNever: there is
  /// none), or with a bound on it if it keeps too many states or is stopped.
  /// Returns whether it ended by itself.
  bool run(int64_t limit, uint64_t mostStates, const graph::StopSign *stop,
           int64_t &time) {
    uint64_t looks = 0;
    while (!queue.empty()) {
      const Entry e = queue.top();
      queue.pop();
      if (e.bound >= limit)
        break;
      const State s = states[e.state];
      if (e.time > spent[e.state])
        continue;
      if (s.next == low) {
        goal = e.state;
        time = e.time;
        return true;
      }
      if (states.size() > mostStates || isFull(stop) ||
          (stop && ++looks % 1024 == 0 && stop->isUp())) {
        time = e.bound;
        return false;
      }
      expand(e.state, s);
    }
    time = kNever;
    return true;
  }

  size_t size() const { return states.size(); }

  /// Whether the tables take what they may; a vector that grows is there twice.
  bool isFull(const graph::StopSign *stop) const {
    return 3 * states.capacity() *
                   (sizeof(State) + 3 * sizeof(int64_t) + 4 * sizeof(void *)) +
               3 * queue.size() * sizeof(Entry) >
           graph::tableBytesOf(stop);
  }

  /// The states on the way to the goal.
  std::vector<State> path() const {
    std::vector<State> way;
    for (uint32_t at = goal; at != UINT32_MAX; at = parents[at])
      way.push_back(states[at]);
    std::reverse(way.begin(), way.end());
    return way;
  }

private:
  struct Entry {
    int64_t bound, time;
    uint32_t state;
    /// Least bound first, then the one that is furthest.
    bool operator<(const Entry &o) const {
      if (bound != o.bound)
        return bound > o.bound;
      if (time != o.time)
        return time < o.time;
      return state > o.state;
    }
  };

  int64_t gradient(size_t next) const {
    return next == high ? first : c.d[next];
  }
  int64_t bytes(uint64_t kept, uint64_t saved) const {
    int64_t sum = 0;
    for (kept &= ~bit(low); kept; kept &= kept - 1)
      sum += c.a[lowest(kept)];
    for (; saved; saved &= saved - 1)
      sum += c.abar[lowest(saved)];
    return sum;
  }

  void expand(uint32_t from, const State &s) {
    const size_t j = s.next;
    const uint64_t there = s.kept | s.saved;
    const int64_t live = bytes(s.kept, s.saved) + gradient(j);
    const int64_t time = spent[from];
    if ((s.saved & bit(j)) && (there & bit(j - 1))) {
      // d[j] takes its full size now, whatever was there while layers above
      // ran.
      const int64_t need = live - gradient(j) + c.d[j] + c.d[j - 1] + c.ob[j];
      withRoom(need - room, s.kept & ~bit(j - 1), [&](uint64_t dropped) {
        State t{s.kept & ~dropped, j - 1, s.saved & ~bit(j)};
        if (j - 1 > low)
          t.kept &= ~bit(j - 1);
        addState(t, time, from);
      });
    }
    for (size_t k = low + 1; k <= j; ++k) {
      if (!(there & bit(k - 1)) || (s.saved & bit(k)))
        continue;
      const uint64_t free = s.kept & ~bit(k - 1) & ~bit(k);
      if (k < j && !(s.kept & bit(k)))
        withRoom(live + c.a[k] + c.of[k] - room, free, [&](uint64_t dropped) {
          State t = s;
          t.kept = (s.kept & ~dropped) | bit(k);
          addState(t, time + c.uf[k], from);
        });
      // What is saved serves as the activation, which goes first.
      const int64_t more = c.abar[k] + c.of[k] - (s.kept & bit(k) ? c.a[k] : 0);
      withRoom(live + more - room, free, [&](uint64_t dropped) {
        State t = s;
        t.kept = s.kept & ~dropped & ~bit(k);
        t.saved |= bit(k);
        addState(t, time + c.uf[k], from);
      });
    }
  }

  /// Calls `go` with each set out of `free` that makes `excess` room and has no
  /// part that does too.
  template <typename Go>
  void withRoom(int64_t excess, uint64_t free, const Go &go) {
    free &= ~bit(low);
    if (excess <= 0)
      return go(0);
    choose(excess, free, 0, INT64_MAX, go);
  }
  template <typename Go>
  void choose(int64_t excess, uint64_t free, uint64_t dropped, int64_t smallest,
              const Go &go) {
    if (excess <= 0) {
      // Each of the dropped is needed.
      if (excess + smallest > 0)
        go(dropped);
      return;
    }
    for (; free; free &= free - 1) {
      const size_t k = lowest(free);
      choose(excess - c.a[k], free & (free - 1), dropped | bit(k),
             std::min(smallest, c.a[k]), go);
    }
  }

  /// A lower bound on the forward time from `s` on.
  int64_t bound(const State &s) const {
    uint64_t there = (s.kept | s.saved) & ~bit(low);
    int64_t sum = 0;
    size_t left = low;
    for (; there; there &= there - 1) {
      const size_t k = lowest(there);
      sum += gap(left, k, (s.saved & bit(k)) != 0);
      left = k;
    }
    if (left < s.next)
      sum += gap(left, s.next, false);
    return std::min(sum, kNever);
  }
  int64_t gap(size_t left, size_t right, bool saved) const {
    if (left == low && right == high) // this one
      return 0;
    return gaps(left, right, saved);
  }

  void addState(const State &s, int64_t time, uint32_t parent) {
    if ((states.size() + 1) * 2 > table.size())
      grow();
    const size_t place = find(s);
    uint32_t id = table[place];
    if (id == UINT32_MAX) {
      const int64_t rest = bound(s);
      if (rest >= kNever)
        return;
      id = static_cast<uint32_t>(states.size());
      table[place] = id;
      states.push_back(s);
      spent.push_back(time);
      rests.push_back(rest);
      parents.push_back(parent);
    } else if (time < spent[id]) {
      spent[id] = time;
      parents[id] = parent;
    } else {
      return;
    }
    queue.push({time + rests[id], time, id});
  }
  size_t find(const State &s) const {
    uint64_t h = s.kept * 0x9E3779B97F4A7C15ull;
    h ^= (s.saved + s.next) * 0xC2B2AE3D27D4EB4Full;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9ull;
    h ^= h >> 32;
    const size_t mask = table.size() - 1;
    for (size_t i = h & mask;; i = (i + 1) & mask)
      if (table[i] == UINT32_MAX || states[table[i]] == s)
        return i;
  }
  void grow() {
    table.assign(std::max<size_t>(64, table.size() * 2), UINT32_MAX);
    for (uint32_t i = 0; i < states.size(); ++i)
      table[find(states[i])] = i;
  }

  const HeterogeneousChain &c;
  const GapTimes &gaps;
  const int64_t room;
  const size_t low, high;
  int64_t first = 0;
  std::vector<State> states;
  std::vector<int64_t> spent, rests;
  std::vector<uint32_t> parents, table;
  std::priority_queue<Entry> queue;
  uint32_t goal = UINT32_MAX;
};

/// The moves between two states that follow each other in a search.
class MoveWriter {
public:
  std::vector<ChainMove> moves;

  void write(const State &from, const State &to) {
    const auto j = static_cast<uint32_t>(from.next);
    const bool backward = to.next != from.next;
    // Before the step goes what makes room for it; after it, what it read last.
    const uint64_t gone = from.kept & ~to.kept;
    const uint64_t read = backward ? bit(j - 1) : 0;
    drop(ChainMoveKind::DropActivation, gone & ~read);
    if (backward) {
      moves.push_back({ChainMoveKind::Backward, j});
      drop(ChainMoveKind::DropSaved, bit(j));
      drop(ChainMoveKind::DropGradient, bit(j));
    } else if (uint64_t made = to.saved & ~from.saved) {
      moves.push_back(
          {ChainMoveKind::Save, static_cast<uint32_t>(highest(made))});
    } else {
      made = to.kept & ~from.kept;
      moves.push_back(
          {ChainMoveKind::Forward, static_cast<uint32_t>(highest(made))});
    }
    drop(ChainMoveKind::DropActivation, gone & read);
  }

private:
  void drop(ChainMoveKind kind, uint64_t set) {
    for (; set; set &= set - 1)
      moves.push_back({kind, static_cast<uint32_t>(lowest(set))});
  }
};

} // namespace

ChainSchedule pebble::chain::chainSearch(const HeterogeneousChain &chain,
                                         const ChainSearchOptions &options) {
  const size_t n = chain.length();
  const int64_t room = options.budget - chain.a[0];
  int64_t backward = 0;
  for (size_t k = 1; k <= n; ++k)
    backward += chain.ub[k];
  ChainSchedule s;
  s.solver = "chain-search";
  s.bound = chain.costOfOneRun();

  const uint64_t most = options.effort ? options.effort : kDefaultStates;
  // A few for each gap, most of all for the whole.
  const uint64_t mostPerGap = std::max<uint64_t>(64, most / (2 * n * n));
  GapTimes gaps(n);
  bool ended = false;
  for (size_t length = 1; length <= n; ++length)
    for (size_t low = 0; low + length <= n; ++low)
      for (const bool saved : {true, false}) {
        const bool whole = length == n;
        if (whole && saved)
          continue;
        GapSearch search(chain, gaps, room, low, low + length, saved);
        int64_t time = 0;
        ended = search.run(whole && options.below != kNever
                               ? options.below - backward
                               : kNever,
                           whole ? most / 2 : mostPerGap, options.stop, time);
        gaps(low, low + length, saved) = time;
        if (!whole)
          continue;
        if (!ended) {
          s.bound = std::max(s.bound, time + backward);
          s.limited = options.stop && options.stop->isUp();
        } else if (time == kNever) {
          s.status = Status::Infeasible;
          s.bound = options.below == kNever ? s.bound : options.below;
        } else {
          s.status = Status::Optimal;
          MoveWriter writer;
          const std::vector<State> way = search.path();
          for (size_t i = 1; i < way.size(); ++i)
            writer.write(way[i - 1], way[i]);
          s.moves = std::move(writer.moves);
          s.cost = s.bound = time + backward;
          s.peak = verifyChain(chain, s.moves, options.budget).peak;
        }
      }
  return s;
}

//===- StackSearch.cpp - exact search for offsets -------------------------===//
//
// Depth first. A block rests on the highest one below it. At each node one
// block, under which nothing that is left can lie any more, is put where it
// rests now, or else is known to lie higher: to rest on something that is still
// to come. So each placement whose blocks all rest on others comes up once, and
// the search is free to choose where it goes on.
//
// Of the placements within an extent, one has the least sum of offsets. What is
// concluded need only hold for that one: none of its blocks could lie lower.
//
// All conclusions carry a reason: the blocks put so far that they follow from.
// A failure that does not follow from the last block is one of an earlier
// block's, whatever is put last.
//
//===----------------------------------------------------------------------===//

#include "StackSearch.h"

#include "Reasons.h"

#include "Solver/Graph/Random.h"

#include <array>
#include <cassert>
#include <numeric>
#include <tuple>
#include <utility>

namespace pebble::addresses {

namespace {

constexpr int64_t kNever = INT64_MAX / 2;

/// The least of some values by block, and the least of the others.
struct TwoLeast {
  int64_t first = kNever, second = kNever;
  uint32_t owner = kNobody;

  void add(int64_t value, uint32_t block) {
    if (value < first) {
      second = std::exchange(first, value);
      owner = block;
    } else if (value < second) {
      second = value;
    }
  }
  int64_t withoutBlock(uint32_t block) const {
    return owner == block ? second : first;
  }
};

class StackSearch {
public:
  StackSearch(const Component &component, int64_t extent, uint64_t tableBytes,
              Effort &effort, const std::vector<uint32_t> &order)
      : blocks(component.blocks), extent(extent), tableBytes(tableBytes),
        effort(effort), order(order), states(blocks.size()),
        twins(blocks.size(), kNobody), offsets(blocks.size(), 0),
        failures(blocks.size(), 0), sections(component.sections),
        conflict(blocks.size()), scratch(blocks.size()) {
    for (const Block &block : blocks)
      for (uint32_t s = block.first; s <= block.last; ++s) {
        sections[s].coming += block.size;
        sections[s].crossing += s < block.last;
      }
    findTwins();
  }

  /// Bytes of what every search on `component` has.
  static uint64_t countBytes(const Component &component) {
    return component.sections * sizeof(Section) +
           component.blocks.size() * (sizeof(State) + 64);
  }

  StackAnswer run(std::vector<int64_t> &result) {
    StackAnswer answer =
        split(order, 0, static_cast<uint32_t>(sections.size()) - 1);
    if (answer == StackAnswer::Found)
      result = offsets;
    return answer;
  }

  /// The tables are full, which no other order will change.
  bool isFull() const { return full; }
  /// By block: how often a section failed while it was still to come.
  const std::vector<uint32_t> &getFailures() const { return failures; }

private:
  /// Of a block that is still to come. It rests at `rest` as long as nothing is
  /// put under it, and lies no lower than `low` in the end.
  struct State {
    int64_t rest = 0, low = 0;
    uint32_t whyRest = Reasons::kNone, whyLow = Reasons::kNone;
    bool isPut = false;
  };

  struct Section {
    /// Of the blocks that are still to come: their bytes, those that are also
    /// in the next section, and, as of the last propagate(), where they lie and
    /// end at the lowest, and the most slack of one.
    int64_t coming = 0;
    uint32_t crossing = 0;
    TwoLeast lows, ends;
    int64_t slack = 0;
  };

  struct Change {
    uint32_t block;
    State before;
  };

  /// Blocks that are linked by lifetimes, in the order of preference.
  using Part = std::vector<uint32_t>;

  struct Choice {
    uint32_t block = kNobody;
    /// It lies there in the best placement, if there is one.
    bool isForced = false;
  };

  static bool meet(const Block &a, const Block &b) {
    return a.first <= b.last && b.first <= a.last;
  }

  /// Of equal blocks the ones that come first in the order lie lower.
  void findTwins() {
    std::vector<uint32_t> rank(blocks.size()), sorted = order;
    for (uint32_t i = 0; i < order.size(); ++i)
      rank[order[i]] = i;
    auto key = [&](uint32_t i) {
      const Block &block = blocks[i];
      return std::tuple(block.first, block.last, block.size, block.slack);
    };
    std::sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(key(a), rank[a]) < std::pair(key(b), rank[b]);
    });
    for (size_t i = 1; i < sorted.size(); ++i)
      if (key(sorted[i - 1]) == key(sorted[i]))
        twins[sorted[i]] = sorted[i - 1];
  }

  void save(uint32_t block) { changes.push_back({block, states[block]}); }

  struct Mark {
    size_t changes, reasons, stacked;
  };
  Mark mark() const {
    return {changes.size(), reasons.count(), stacked.size()};
  }
  void undo(const Mark &mark) {
    for (; changes.size() > mark.changes; changes.pop_back())
      states[changes.back().block] = changes.back().before;
    reasons.shrink(mark.reasons);
    for (; stacked.size() > mark.stacked; stacked.pop_back())
      take(stacked.back());
  }

  void joinReason(BlockSet &set, uint32_t reason) {
    reasons.startBatch();
    reasons.join(set, reason);
  }

  /// Adds what says that the part's blocks in sections `first` to `last`, but
  /// for `except`, lie no lower than they are known to, and that the others in
  /// them are put where they are.
  void joinAllIn(BlockSet &set, const Part &part, uint32_t first, uint32_t last,
                 uint32_t except) {
    for (uint32_t i : stacked)
      if (blocks[i].first <= last && first <= blocks[i].last)
        set.insert(i);
    reasons.startBatch();
    for (uint32_t i : part)
      if (i != except && blocks[i].first <= last && first <= blocks[i].last)
        reasons.join(set, states[i].whyLow);
  }
  void joinNeighbours(BlockSet &set, const Part &part, uint32_t block) {
    joinAllIn(set, part, blocks[block].first, blocks[block].last, block);
  }

  /// A failure that follows from what `why` does.
  bool fail(uint32_t why) {
    conflict.clear();
    joinReason(conflict, why);
    return false;
  }

  /// Whether `low` is within what `block` may take.
  bool fits(uint32_t block, int64_t low) const {
    return low + blocks[block].used() <= extent;
  }

  /// Gathers by section; false, with a conflict, where what is left of a part
  /// in sections `from` to `to` cannot all come.
  bool gather(const Part &part, uint32_t from, uint32_t to) {
    for (uint32_t s = from; s <= to; ++s) {
      sections[s].lows = sections[s].ends = {};
      sections[s].slack = 0;
    }
    for (uint32_t i : part) {
      const Block &block = blocks[i];
      raiseAboveTwin(i);
      const int64_t low = states[i].low;
      if (!fits(i, low))
        return fail(states[i].whyLow);
      for (uint32_t s = block.first; s <= block.last; ++s) {
        sections[s].lows.add(low, i);
        sections[s].ends.add(low + block.size, i);
        sections[s].slack = std::max(sections[s].slack, block.slack);
      }
    }
    // What is below the lowest block that can still come is lost.
    for (uint32_t s = from; s <= to; ++s) {
      const Section &section = sections[s];
      if (section.coming == 0 ||
          section.lows.first + section.coming - section.slack <= extent)
        continue;
      for (uint32_t i : part)
        failures[i] += blocks[i].first <= s && s <= blocks[i].last;
      conflict.clear();
      joinAllIn(conflict, part, s, s, kNobody);
      return false;
    }
    return true;
  }

  void raiseAboveTwin(uint32_t block) {
    const uint32_t twin = twins[block];
    if (twin == kNobody || states[twin].isPut)
      return;
    const int64_t end = states[twin].low + blocks[twin].size;
    if (states[block].low < end) {
      save(block);
      states[block].low = end;
      states[block].whyLow = states[twin].whyLow;
    }
  }

  /// Where the others that are to come end at the lowest.
  int64_t getLeastEnd(uint32_t block) const {
    int64_t least = kNever;
    for (uint32_t s = blocks[block].first; s <= blocks[block].last; ++s)
      least = std::min(least, sections[s].ends.withoutBlock(block));
    return least;
  }
  int64_t getLeastLow(uint32_t block) const {
    int64_t least = kNever;
    for (uint32_t s = blocks[block].first; s <= blocks[block].last; ++s)
      least = std::min(least, sections[s].lows.withoutBlock(block));
    return least;
  }

  /// Raises what does not lie where it rests now onto the lowest end of one
  /// that it can lie on: `passes` times, or less where nothing changes.
  bool propagate(const Part &part, uint32_t from, uint32_t to,
                 unsigned passes) {
    for (unsigned pass = 0; pass < passes; ++pass) {
      if (!gather(part, from, to))
        return false;
      bool isChanged = false;
      for (uint32_t i : part) {
        State &state = states[i];
        if (state.low == state.rest)
          continue;
        const int64_t end = getLeastEnd(i);
        if (end <= state.low)
          continue;
        scratch.clear();
        joinReason(scratch, state.whyLow);
        joinNeighbours(scratch, part, i);
        const uint32_t why = reasons.add(scratch);
        if (end == kNever || !fits(i, end))
          return fail(why);
        save(i);
        state.low = end;
        state.whyLow = why;
        isChanged = true;
      }
      if (!isChanged)
        return true;
    }
    return true;
  }

  /// The block to be put next; none, with a conflict, where one could lie lower
  /// than it may.
  bool choose(const Part &part, Choice &choice) {
    choice = {};
    for (uint32_t i : part) {
      const State &state = states[i];
      // Nothing comes where it rests now: it had better lie there.
      if (getLeastLow(i) >= state.rest + blocks[i].size) {
        choice = {i, true};
        if (state.low == state.rest)
          return true;
        fail(state.whyLow);
        joinNeighbours(conflict, part, i);
        return false;
      }
      if (state.low > state.rest ||
          (choice.block != kNobody && state.low >= states[choice.block].low))
        continue;
      if (getLeastEnd(i) > state.rest)
        choice.block = i;
    }
    return true;
  }

  /// Puts the chosen block; the rest of its part, which rests above it where
  /// they meet.
  Part put(const Part &part, uint32_t chosen) {
    const Block &block = blocks[chosen];
    const int64_t offset = states[chosen].rest, end = offset + block.size;
    offsets[chosen] = offset;
    Part rest;
    rest.reserve(part.size() - 1);
    const uint32_t why = reasons.add(chosen, Reasons::kNone);
    for (uint32_t i : part) {
      if (i == chosen)
        continue;
      rest.push_back(i);
      State &state = states[i];
      if (!meet(blocks[i], block) || state.rest >= end)
        continue;
      save(i);
      state.rest = end;
      state.whyRest = why;
      // It does not fit below: it is too large, or it is known to lie too high.
      if (blocks[i].size <= offset && state.whyLow != Reasons::kNone)
        state.whyRest = reasons.add(chosen, state.whyLow);
      if (state.low <= end) {
        state.low = end;
        state.whyLow = state.whyRest;
      }
    }
    states[chosen].isPut = true;
    stacked.push_back(chosen);
    for (uint32_t s = block.first; s <= block.last; ++s) {
      sections[s].coming -= block.size;
      sections[s].crossing -= s < block.last;
    }
    return rest;
  }

  void take(uint32_t chosen) {
    const Block &block = blocks[chosen];
    states[chosen].isPut = false;
    for (uint32_t s = block.first; s <= block.last; ++s) {
      sections[s].coming += block.size;
      sections[s].crossing += s < block.last;
    }
  }

  /// Places what is left in sections `from` to `to`, each part by itself, and
  /// small ones first: where one fails, all do.
  StackAnswer split(const Part &left, uint32_t from, uint32_t to) {
    std::vector<std::pair<uint32_t, uint32_t>> ranges;
    for (uint32_t s = from; s <= to; ++s)
      if (s == to || sections[s].crossing == 0) {
        if (sections[s].coming != 0)
          ranges.push_back({from, s});
        from = s + 1;
      }
    if (ranges.size() == 1)
      return place(left, ranges[0].first, ranges[0].second);
    std::vector<Part> parts(ranges.size());
    for (uint32_t i : left) {
      auto range = std::lower_bound(
          ranges.begin(), ranges.end(), blocks[i].first,
          [](const auto &range, uint32_t s) { return range.second < s; });
      parts[range - ranges.begin()].push_back(i);
    }
    std::vector<size_t> bySize(parts.size());
    std::iota(bySize.begin(), bySize.end(), 0);
    std::sort(bySize.begin(), bySize.end(), [&](size_t a, size_t b) {
      return std::pair(parts[a].size(), a) < std::pair(parts[b].size(), b);
    });
    for (size_t i : bySize)
      if (StackAnswer answer =
              place(parts[i], ranges[i].first, ranges[i].second);
          answer != StackAnswer::Found)
        return answer;
    return StackAnswer::Found;
  }

  bool spend(const Part &part) {
    uint64_t covered = 0;
    for (uint32_t i : part)
      covered += blocks[i].last - blocks[i].first + 1;
    full |= listed * sizeof(uint32_t) + changes.capacity() * sizeof(Change) +
                reasons.bytes() >
            tableBytes;
    return !full && effort.spend(part.size() + covered / kSectionsPerUnit);
  }

  StackAnswer place(const Part &part, uint32_t from, uint32_t to) {
    listed += part.size();
    const Mark entry = mark();
    StackAnswer answer = placeAfter(part, from, to);
    if (answer == StackAnswer::None)
      undo(entry);
    listed -= part.size();
    return answer;
  }

  StackAnswer placeAfter(const Part &part, uint32_t from, uint32_t to) {
    for (;;) {
      if (!spend(part))
        return StackAnswer::Spent;
      Choice choice;
      if (!propagate(part, from, to, kPasses) || !choose(part, choice))
        return StackAnswer::None;
      // Once nothing can be raised any more, the lowest block can be put.
      if (choice.block == kNobody &&
          (!propagate(part, from, to, UINT32_MAX) || !choose(part, choice)))
        return StackAnswer::None;
      assert(choice.block != kNobody &&
             "the lowest block rests on what is put");
      const uint32_t chosen = choice.block;
      const Mark before = mark();
      const int64_t end = getLeastEnd(chosen);
      Part rest = put(part, chosen);
      StackAnswer answer =
          rest.empty() ? StackAnswer::Found : split(rest, from, to);
      if (answer != StackAnswer::None)
        return answer;
      undo(before);
      if (!conflict.contains(chosen))
        return StackAnswer::None;
      // It does not lie where it rests: it lies on something to come.
      conflict.erase(chosen);
      joinReason(conflict, states[chosen].whyRest);
      joinNeighbours(conflict, part, chosen);
      if (choice.isForced || end == kNever)
        return StackAnswer::None;
      save(chosen);
      states[chosen].low = end;
      states[chosen].whyLow = reasons.add(conflict);
    }
  }

  static constexpr unsigned kPasses = 3;
  static constexpr uint64_t kSectionsPerUnit = 8;

  const std::vector<Block> &blocks;
  const int64_t extent;
  const uint64_t tableBytes;
  Effort &effort;
  /// Blocks by preference: which goes first among those at one height.
  const std::vector<uint32_t> &order;
  std::vector<State> states;
  /// By block: an equal one that lies lower.
  std::vector<uint32_t> twins;
  std::vector<int64_t> offsets;
  std::vector<uint32_t> failures;
  std::vector<Section> sections;
  Reasons reasons;
  std::vector<Change> changes;
  /// The blocks that are put, in this order.
  std::vector<uint32_t> stacked;
  /// What the last failure follows from; what a conclusion does.
  BlockSet conflict, scratch;
  /// Blocks in the lists of all parts on the way to this node.
  uint64_t listed = 0;
  bool full = false;
};

/// Orders of blocks. Which of those that rest at one height goes first decides
/// whether a placement is found soon. By length, area, and the bytes of the
/// fullest section, in orders that MiniMalloc found to complement each other;
/// as they are, disturbed, and with those first that stood in failures.
class Orders {
public:
  static constexpr size_t kWays = 3;
  enum Kind { kPlain, kDisturbed, kLearnt };

  Orders(const Component &component, uint64_t seed)
      : blocks(component.blocks), random(seed) {
    std::vector<int64_t> load(component.sections, 0);
    for (const Block &block : blocks)
      for (uint32_t s = block.first; s <= block.last; ++s)
        load[s] += block.size;
    for (const Block &block : blocks) {
      auto wide = static_cast<double>(block.last - block.first + 1);
      auto most = *std::max_element(load.begin() + block.first,
                                    load.begin() + block.last + 1);
      figures.push_back({wide, wide * static_cast<double>(block.size),
                         static_cast<double>(most)});
    }
    weights.assign(kWays, std::vector<double>(blocks.size(), 0));
  }

  std::vector<uint32_t> get(size_t way, Kind kind) {
    static constexpr std::array<std::array<size_t, 3>, kWays> kFigures = {
        {{0, 1, 2}, {2, 1, 0}, {2, 0, 1}}};
    std::vector<double> factors(blocks.size(), 1);
    const std::vector<double> &weight = weights[way];
    const double most = *std::max_element(weight.begin(), weight.end());
    for (size_t i = 0; i < factors.size(); ++i) {
      if (kind == kDisturbed)
        factors[i] = 0.75 + static_cast<double>(random.below(1024)) / 2048;
      if (kind == kLearnt && most > 0)
        factors[i] = 1 + weight[i] / most;
    }
    std::vector<uint32_t> order(blocks.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      for (size_t figure : kFigures[way]) {
        double left = figures[a][figure] * factors[a],
               right = figures[b][figure] * factors[b];
        if (left != right)
          return left > right;
      }
      return a < b;
    });
    return order;
  }

  /// What failed lately counts most.
  void learn(size_t way, const std::vector<uint32_t> &failures) {
    for (size_t i = 0; i < failures.size(); ++i)
      weights[way][i] = weights[way][i] / 2 + failures[i];
  }

private:
  const std::vector<Block> &blocks;
  std::vector<std::array<double, 3>> figures;
  std::vector<std::vector<double>> weights;
  graph::Random random;
};

} // namespace

StackAnswer findStack(const Component &component, int64_t extent,
                      const StackOptions &options, Effort &effort,
                      std::vector<int64_t> &offsets) {
  // Orders and tables take a while where there are many buffers.
  if (effort.isStopped() ||
      StackSearch::countBytes(component) > options.tableBytes)
    return StackAnswer::Spent;
  Orders orders(component, options.seed);
  // Each for a while, and for a little longer the next time: orders that find a
  // placement find it soon.
  const uint64_t count = component.blocks.size();
  for (uint64_t share = 8 * count * count + 64;; share += share / 8)
    for (size_t way = 0; way < Orders::kWays; ++way)
      for (Orders::Kind kind :
           {Orders::kPlain, Orders::kDisturbed, Orders::kLearnt}) {
        const std::vector<uint32_t> order = orders.get(way, kind);
        Effort part = effort.split(share);
        StackSearch search(component, extent, options.tableBytes, part, order);
        StackAnswer answer = search.run(offsets);
        effort.join(part);
        if (answer != StackAnswer::Spent || effort.isSpent() || search.isFull())
          return answer;
        orders.learn(way, search.getFailures());
      }
}

} // namespace pebble::addresses

//===- PlaceBuffers.cpp - offsets with the least extent -------------------===//

#include "pebble/Solver/Addresses/PlaceBuffers.h"

#include "Eviction.h"
#include "StackSearch.h"

#include "Solver/Graph/Random.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace pebble::addresses {

static constexpr uint64_t kEffort = 30000000;

/// Units of exact search to one of effort.
static constexpr uint64_t kExact = 16;

/// Sections that all blocks together cover, where lists by section are kept.
static constexpr uint64_t kCovered = 10000000;

/// More blocks than that are placed by birth first, which is near-linear.
static constexpr size_t kMany = 4096;

namespace {

/// Offsets of a component's blocks.
struct Layout {
  std::vector<int64_t> offsets;
  int64_t extent = INT64_MAX;
  const char *solver = "";
};

/// Places one component.
class Placer {
public:
  Placer(const Component &component, const PlaceOptions &options,
         const graph::StopSign &stop)
      : component(component), bound(getExtentAbove(component.peak - 1)),
        options(options), stop(stop) {}

  void run() {
    if (options.solver == "in-order")
      return placeByBirth("in-order");
    if (options.solver == "greedy-by-size")
      return tryGreedy("greedy-by-size", bySize, /*isNeeded=*/true);
    runGreedy();
    limited = stop.isUp() && best.extent > bound;
    if (options.solver == "greedy" || isEnough() || limited)
      return;
    uint64_t effort = options.effort ? options.effort : kEffort;
    // Its units are smaller.
    const uint64_t exactly = std::min(effort, UINT64_MAX / kExact) * kExact;
    Effort exact(exactly, stop), pushing(effort, stop), local(effort / 2, stop),
        between(exactly, stop);
    bool isAll = options.solver.empty();
    // Who has little time is better off with a fair extent than without a
    // proof: the most of it comes last.
    if (isAll) {
      Effort first = exact.split(exact.getLeft() / 8);
      searchExactly(first);
      exact.join(first);
    }
    if (!isEnough() && (isAll || options.solver == "eviction"))
      pushOut(pushing);
    if (!isEnough() && (isAll || options.solver == "local-search"))
      searchLocally(local);
    if (isAll && !isEnough())
      searchBetween(between);
    if (isAll && !isEnough())
      searchExactly(exact);
    limited = !isEnough();
  }

  const Component &component;
  Layout best;
  int64_t bound;
  bool limited = false;

private:
  bool isEnough() const {
    return best.extent <= std::max(bound, options.enough);
  }

  void take(const std::vector<int64_t> &offsets, int64_t extent,
            const char *solver) {
    if (extent >= best.extent)
      return;
    best.offsets = offsets;
    best.extent = extent;
    best.solver = solver;
  }

  static int64_t bySize(const Block &block) { return -block.size; }

  /// The gaps below the top of what is live, by offset.
  class Gaps {
  public:
    /// The lowest one that holds `size`, which is taken; else the top.
    int64_t take(int64_t size) {
      for (auto gap = gaps.begin(); gap != gaps.end(); ++gap) {
        auto [begin, end] = *gap;
        if (end - begin < size)
          continue;
        gaps.erase(gap);
        if (begin + size < end)
          gaps.emplace(begin + size, end);
        return begin;
      }
      return std::exchange(top, top + size);
    }

    void give(int64_t begin, int64_t end) {
      auto next = gaps.lower_bound(begin);
      if (next != gaps.end() && next->first == end) {
        end = next->second;
        next = gaps.erase(next);
      }
      if (next != gaps.begin())
        if (auto before = std::prev(next); before->second == begin) {
          begin = before->first;
          gaps.erase(before);
        }
      if (end == top)
        top = begin;
      else
        gaps.emplace(begin, end);
    }

  private:
    std::map<int64_t, int64_t> gaps;
    int64_t top = 0;
  };

  /// As an allocator that knows no future: by birth, which is the order of the
  /// blocks, each at the lowest gap. Time O(n log n) and one step a gap.
  void placeByBirth(const char *name) {
    const std::vector<Block> &blocks = component.blocks;
    std::vector<int64_t> offsets(blocks.size(), 0);
    int64_t extent = 0;
    std::vector<std::vector<uint32_t>> ending(component.sections);
    for (uint32_t i = 0; i < blocks.size(); ++i)
      ending[blocks[i].last].push_back(i);
    Gaps gaps;
    uint32_t ended = 0;
    for (uint32_t i = 0; i < blocks.size(); ++i) {
      for (; ended < blocks[i].first; ++ended)
        for (uint32_t gone : ending[ended])
          gaps.give(offsets[gone], offsets[gone] + blocks[gone].size);
      offsets[i] = gaps.take(blocks[i].size);
      extent = std::max(extent, offsets[i] + blocks[i].used());
    }
    take(offsets, extent, name);
  }

  /// Smallest `key` first, each block at the lowest gap between
  /// those that are there. Ends without an answer when the time is over, unless
  /// it `isNeeded`.
  template <typename Key>
  void tryGreedy(const char *name, Key key, bool isNeeded) {
    size_t count = component.blocks.size();
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(key(component.blocks[a]), a) <
             std::pair(key(component.blocks[b]), b);
    });
    std::vector<int64_t> offsets(count, 0);
    int64_t extent = 0;
    std::vector<std::pair<int64_t, int64_t>> taken;
    // What is placed, by the sections that it covers and by its first one: two
    // blocks meet where one of them begins. Where most live long, nearly all
    // of them meet, and a list of all is as good and takes less.
    uint64_t covered = 0;
    for (const Block &block : component.blocks)
      covered += block.last - block.first + 1;
    const bool isSparse = covered <= kCovered;
    std::vector<uint32_t> placed;
    std::vector<std::vector<uint32_t>> covering(isSparse ? component.sections
                                                         : 0),
        beginning(covering.size());
    auto add = [&](uint32_t other) {
      taken.push_back(
          {offsets[other], offsets[other] + component.blocks[other].size});
    };
    Effort looks(UINT64_MAX, stop);
    for (uint32_t i : order) {
      const Block &block = component.blocks[i];
      taken.clear();
      for (uint32_t other : placed)
        if (component.blocks[other].first <= block.last &&
            block.first <= component.blocks[other].last)
          add(other);
      for (uint32_t s = block.first; isSparse && s <= block.last; ++s)
        for (uint32_t other : s == block.first ? covering[s] : beginning[s])
          add(other);
      if (!looks.spend(placed.size() + taken.size()) && !isNeeded)
        return;
      std::sort(taken.begin(), taken.end());
      int64_t at = 0;
      for (auto [begin, end] : taken) {
        if (at + block.size <= begin)
          break;
        at = std::max(at, end);
      }
      offsets[i] = at;
      extent = std::max(extent, at + block.used());
      if (!isSparse) {
        placed.push_back(i);
        continue;
      }
      beginning[block.first].push_back(i);
      for (uint32_t s = block.first; s <= block.last; ++s)
        covering[s].push_back(i);
    }
    take(offsets, extent, name);
  }

  void runGreedy() {
    auto length = [](const Block &b) { return int64_t(b.last - b.first) + 1; };
    // One there has to be; of the others as many as there is time for, and as
    // may be better.
    if (component.blocks.size() > kMany)
      placeByBirth("greedy");
    else
      tryGreedy("greedy", bySize, /*isNeeded=*/true);
    auto tryOther = [&](auto key) {
      if (best.extent > bound && !stop.isUp())
        tryGreedy("greedy", key, /*isNeeded=*/false);
    };
    if (component.blocks.size() > kMany)
      tryOther(bySize);
    tryOther([&](const Block &b) { return -saturate(b.size, length(b)); });
    tryOther([&](const Block &b) { return -length(b); });
    if (best.extent > bound)
      placeByBirth("greedy");
    tryOther([](const Block &b) { return -int64_t(b.last); });
  }

  static int64_t saturate(int64_t a, int64_t b) {
    return a > INT64_MAX / b ? INT64_MAX : a * b;
  }

  /// What the offsets of blocks that rest on others are sums of.
  int64_t getGrain() const {
    int64_t grain = 0;
    for (const Block &block : component.blocks)
      grain = std::gcd(grain, block.size);
    return grain;
  }

  /// The largest extent up to `bytes` at which a block that rests on others can
  /// end.
  int64_t getExtentUpTo(int64_t bytes) const {
    const int64_t grain = getGrain();
    int64_t most = 0;
    for (const Block &block : component.blocks)
      if (block.used() <= bytes)
        most = std::max(most, bytes - (bytes - block.used()) % grain);
    return most;
  }

  /// The smallest one above `bytes`.
  int64_t getExtentAbove(int64_t bytes) const {
    const int64_t grain = getGrain();
    int64_t least = INT64_MAX;
    for (const Block &block : component.blocks)
      least =
          std::min(least, block.used() > bytes
                              ? block.used()
                              : bytes + grain - (bytes - block.used()) % grain);
    return least;
  }

  void takeStack(const std::vector<int64_t> &offsets,
                 const char *solver = "stack-search") {
    int64_t end = 0;
    for (size_t i = 0; i < offsets.size(); ++i)
      end = std::max(end, offsets[i] + component.blocks[i].used());
    take(offsets, end, solver);
  }

  StackOptions stackOptions() const {
    return {options.limits.tableBytes(), options.seed};
  }

  /// At growing extents from the bound on: no placement at one of them is a
  /// better bound.
  void searchExactly(Effort &effort) {
    std::vector<int64_t> offsets;
    while (!isEnough()) {
      int64_t extent = std::max(bound, options.enough);
      StackAnswer answer =
          findStack(component, extent, stackOptions(), effort, offsets);
      if (answer == StackAnswer::Spent)
        return;
      if (answer == StackAnswer::Found)
        takeStack(offsets);
      else
        bound = getExtentAbove(extent);
    }
  }

  /// By bisection between the bound, at which the search did not come to an
  /// end, and the best placement, each time with half of what is left.
  void searchBetween(Effort &effort) {
    int64_t low = std::max(bound, options.enough);
    std::vector<int64_t> offsets;
    while (best.extent > getExtentAbove(low) && !effort.isSpent()) {
      int64_t extent = low + (best.extent - low) / 2;
      Effort part = effort.split(effort.getLeft() / 2 + 1);
      StackAnswer answer =
          findStack(component, extent, stackOptions(), part, offsets);
      effort.join(part);
      if (answer == StackAnswer::Found)
        takeStack(offsets);
      else
        low = extent;
      if (answer == StackAnswer::None)
        bound = std::max(bound, getExtentAbove(extent));
    }
  }

  /// At the bound first, then by bisection between it and the best extent, each
  /// time with a part of what is left.
  void pushOut(Effort &effort) {
    // Its table of neighbours is the one that may be large.
    if (effort.isStopped() ||
        EvictionSearch::countBytes(component) > options.limits.tableBytes())
      return;
    EvictionSearch search(component);
    graph::Random random(options.seed * 2654435761u + component.blocks.size());
    int64_t lowest = getExtentUpTo(std::max(bound, options.enough));
    int64_t low = lowest, extent = low;
    while (!isEnough() && !effort.isSpent()) {
      std::vector<int64_t> offsets = best.offsets;
      Effort part = effort.split(effort.getLeft() / 3 + 1);
      if (search.find(extent, part, random, offsets))
        takeStack(offsets, "eviction");
      else
        low = extent;
      effort.join(part);
      extent = getExtentUpTo(low + (best.extent - low) / 2);
      if (extent <= low)
        low = extent = lowest;
    }
  }

  /// Changes the order in which blocks are stacked. What sticks out above the
  /// target is what is minimised: the extent alone says too little.
  void searchLocally(Effort &effort) {
    size_t count = component.blocks.size();
    if (count < 3)
      return;
    graph::Random random(options.seed * 2654435761u + count);
    std::vector<uint32_t> order(count), trial;
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(best.offsets[a], a) < std::pair(best.offsets[b], b);
    });
    std::vector<int64_t> offsets(count), floors;
    int64_t target = std::max(bound, options.enough);
    int64_t extent = stack(component, order, offsets, floors);
    double now = getExcess(floors, target);
    take(offsets, extent, "local-search");
    std::vector<int64_t> last = offsets;
    // Threshold accepting: what is worse by less than this is taken.
    double start = static_cast<double>(component.peak) / 16;
    uint64_t total = effort.getLeft();
    while (!isEnough() && effort.spend(count)) {
      double left =
          static_cast<double>(effort.getLeft()) / static_cast<double>(total);
      trial = order;
      change(trial, last, random);
      extent = stack(component, trial, offsets, floors);
      double next = getExcess(floors, target);
      take(offsets, extent, "local-search");
      if (next > now + start * left * left *
                           static_cast<double>(random.below(1000)) / 1000)
        continue;
      now = next;
      order.swap(trial);
      last = offsets;
    }
  }

  static double getExcess(const std::vector<int64_t> &floors, int64_t target) {
    double excess = 0, most = 0;
    for (int64_t floor : floors)
      if (floor > target) {
        excess += static_cast<double>(floor - target);
        most = std::max(most, static_cast<double>(floor - target));
      }
    return most + excess / static_cast<double>(floors.size());
  }

  /// One block moves down in the order, mostly one that sticks out; or two
  /// change places.
  void change(std::vector<uint32_t> &order, const std::vector<int64_t> &offsets,
              graph::Random &random) const {
    size_t count = order.size();
    size_t from = random.below(count);
    if (random.below(4) != 0) {
      // Of a few, the one that ends highest.
      auto end = [&](size_t at) {
        return offsets[order[at]] + component.blocks[order[at]].size;
      };
      for (int i = 0; i < 6; ++i)
        if (size_t other = random.below(count); end(other) > end(from))
          from = other;
    }
    size_t to = random.below(count);
    if (random.below(3) == 0) {
      std::swap(order[from], order[to]);
    } else if (to < from) {
      std::rotate(order.begin() + to, order.begin() + from,
                  order.begin() + from + 1);
    } else {
      std::rotate(order.begin() + from, order.begin() + from + 1,
                  order.begin() + to + 1);
    }
  }

  const PlaceOptions &options;
  const graph::StopSign &stop;
};

} // namespace

bool isPlacer(const std::string &name) {
  return name.empty() || name == "in-order" || name == "greedy-by-size" ||
         name == "greedy" || name == "local-search" || name == "eviction";
}

Placement placeBuffers(const std::vector<Buffer> &buffers,
                       const PlaceOptions &options) {
  Placement result;
  result.offsets.assign(buffers.size(), 0);
  result.solver = options.solver.empty() ? "none" : options.solver;
  graph::StopSign stop(options.limits);
  std::vector<Component> components = getComponents(buffers, options.alignment);
  // The extent of the whole is that of its highest component: others need be no
  // lower.
  PlaceOptions each = options;
  for (const Component &component : components)
    each.enough = std::max(each.enough, component.peak);
  for (const Component &component : components) {
    Placer placer(component, each, stop);
    placer.run();
    for (size_t i = 0; i < component.blocks.size(); ++i)
      result.offsets[component.blocks[i].buffer] = placer.best.offsets[i];
    if (placer.best.extent > result.extent && options.solver.empty())
      result.solver = placer.best.solver;
    result.extent = std::max(result.extent, placer.best.extent);
    result.bound = std::max(result.bound, placer.bound);
    result.limited |= placer.limited;
    each.enough = std::max(each.enough, placer.best.extent);
  }
  result.limited &= result.extent > std::max(result.bound, options.enough);
  result.status = result.extent == result.bound ? game::Status::Optimal
                                                : game::Status::Feasible;
  Judgement judged = verify(buffers, result.offsets, options.alignment);
  if (!judged.error.empty() || judged.extent > result.extent) {
    result.status = game::Status::Unknown;
    return result;
  }
  return result;
}

} // namespace pebble::addresses

//===- Stack.cpp - buffers over sections of time --------------------------===//

#include "Stack.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

namespace pebble::addresses {

static int64_t roundUp(int64_t size, int64_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

/// Cuts the time of buffers that are linked. A section ends where a buffer
/// begins after another one has ended.
static Component makeComponent(const std::vector<Buffer> &buffers,
                               const std::vector<size_t> &members,
                               int64_t alignment) {
  Component component;
  component.alignment = alignment;
  std::vector<std::pair<int64_t, uint32_t>> births, deaths;
  for (uint32_t i = 0; i < members.size(); ++i) {
    const Buffer &buffer = buffers[members[i]];
    const int64_t size = roundUp(buffer.size, alignment);
    component.blocks.push_back({0, 0, size, size - buffer.size, members[i]});
    births.push_back({buffer.lower, i});
    deaths.push_back({buffer.upper, i});
  }
  std::sort(births.begin(), births.end());
  std::sort(deaths.begin(), deaths.end());
  int64_t live = 0;
  std::multiset<int64_t> slacks;
  size_t dead = 0;
  bool hasEnded = false;
  uint32_t section = 0;
  for (auto [time, block] : births) {
    while (dead < deaths.size() && deaths[dead].first <= time) {
      uint32_t gone = deaths[dead++].second;
      component.blocks[gone].last = section;
      live -= component.blocks[gone].size;
      slacks.erase(slacks.find(component.blocks[gone].slack));
      hasEnded = true;
    }
    section += hasEnded;
    hasEnded = false;
    component.blocks[block].first = section;
    live += component.blocks[block].size;
    slacks.insert(component.blocks[block].slack);
    // One of them lies on top, at best the one that uses least of its bytes.
    component.peak = std::max(component.peak, live - *slacks.rbegin());
  }
  while (dead < deaths.size())
    component.blocks[deaths[dead++].second].last = section;
  component.sections = section + 1;
  return component;
}

std::vector<Component> getComponents(const std::vector<Buffer> &buffers,
                                     int64_t alignment) {
  std::vector<size_t> order;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].size > 0 && buffers[i].lower < buffers[i].upper)
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(buffers[a].lower, a) < std::pair(buffers[b].lower, b);
  });
  std::vector<Component> components;
  std::vector<size_t> members;
  int64_t end = INT64_MIN;
  auto close = [&] {
    if (!members.empty())
      components.push_back(makeComponent(buffers, members, alignment));
    members.clear();
  };
  for (size_t i : order) {
    if (buffers[i].lower >= end)
      close();
    end = members.empty() ? buffers[i].upper : std::max(end, buffers[i].upper);
    members.push_back(i);
  }
  close();
  return components;
}

int64_t stack(const Component &component, const std::vector<uint32_t> &order,
              std::vector<int64_t> &offsets, std::vector<int64_t> &floors) {
  floors.assign(component.sections, 0);
  int64_t extent = 0;
  for (uint32_t i : order) {
    const Block &block = component.blocks[i];
    auto from = floors.begin() + block.first;
    auto to = floors.begin() + block.last + 1;
    offsets[i] = *std::max_element(from, to);
    std::fill(from, to, offsets[i] + block.size);
    extent = std::max(extent, offsets[i] + block.used());
  }
  return extent;
}

namespace {

/// Depth first: at each node one block is stacked, no lower than the one before
/// it, and among those at one offset by their ranks. Every placement whose
/// blocks all rest on others comes up so, and once. Blocks that lifetimes do
/// not link any more are stacked apart.
class StackSearch {
public:
  StackSearch(const Component &component, int64_t extent, Effort &effort,
              const std::vector<uint32_t> &rank)
      : blocks(component.blocks), extent(extent), effort(effort), rank(rank),
        floors(component.sections, 0), coming(component.sections, 0),
        lows(component.sections, 0), slacks(component.sections, 0),
        offsets(blocks.size(), 0) {
    for (const Block &block : blocks)
      for (uint32_t s = block.first; s <= block.last; ++s)
        coming[s] += block.size;
  }

  StackAnswer run(std::vector<int64_t> &result) {
    std::vector<uint32_t> all(blocks.size());
    std::iota(all.begin(), all.end(), 0);
    std::sort(all.begin(), all.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(blocks[a].first, a) < std::pair(blocks[b].first, b);
    });
    StackAnswer answer = place(all, 0, 0);
    if (answer == StackAnswer::Found)
      result = offsets;
    return answer;
  }

private:
  struct Candidate {
    uint32_t block;
    int64_t floor;
  };

  /// Stacks `left`, in the order of first sections. `lowest` and `last`: the
  /// offset and the rank of the block before.
  StackAnswer place(const std::vector<uint32_t> &left, int64_t lowest,
                    uint32_t last) {
    std::vector<std::vector<uint32_t>> parts;
    uint32_t end = 0;
    for (uint32_t i : left) {
      if (parts.empty() || blocks[i].first > end)
        parts.emplace_back();
      end = std::max(end, blocks[i].last);
      parts.back().push_back(i);
    }
    if (parts.size() == 1)
      return placePart(left, lowest, last);
    // A part that is stacked stays so until another one fails.
    std::vector<int64_t> savedFloors = floors, savedComing = coming;
    for (const std::vector<uint32_t> &part : parts)
      if (StackAnswer answer = placePart(part, lowest, last);
          answer != StackAnswer::Found) {
        floors = std::move(savedFloors);
        coming = std::move(savedComing);
        return answer;
      }
    return StackAnswer::Found;
  }

  StackAnswer placePart(const std::vector<uint32_t> &left, int64_t lowest,
                        uint32_t last) {
    if (!effort.spend(left.size()))
      return StackAnswer::Spent;
    std::vector<Candidate> candidates;
    if (!collect(left, lowest, last, candidates))
      return StackAnswer::None;
    std::sort(candidates.begin(), candidates.end(),
              [&](const Candidate &a, const Candidate &b) {
                return std::pair(a.floor, rank[a.block]) <
                       std::pair(b.floor, rank[b.block]);
              });
    for (const Candidate &candidate : candidates) {
      StackAnswer answer = stackOn(candidate, left);
      // Under a block with nothing above it nobody was hindered.
      if (answer != StackAnswer::None || isOnTop(candidate, left))
        return answer;
    }
    return StackAnswer::None;
  }

  StackAnswer stackOn(const Candidate &candidate,
                      const std::vector<uint32_t> &left) {
    const Block &block = blocks[candidate.block];
    std::vector<int64_t> saved(floors.begin() + block.first,
                               floors.begin() + block.last + 1);
    for (uint32_t s = block.first; s <= block.last; ++s) {
      floors[s] = candidate.floor + block.size;
      coming[s] -= block.size;
    }
    offsets[candidate.block] = candidate.floor;
    std::vector<uint32_t> rest;
    rest.reserve(left.size() - 1);
    std::copy_if(left.begin(), left.end(), std::back_inserter(rest),
                 [&](uint32_t i) { return i != candidate.block; });
    StackAnswer answer = place(rest, candidate.floor, rank[candidate.block]);
    if (answer == StackAnswer::Found)
      return answer;
    std::copy(saved.begin(), saved.end(), floors.begin() + block.first);
    for (uint32_t s = block.first; s <= block.last; ++s)
      coming[s] += block.size;
    return answer;
  }

  /// The blocks that may come next; false where what is left cannot all come.
  bool collect(const std::vector<uint32_t> &left, int64_t lowest, uint32_t last,
               std::vector<Candidate> &candidates) {
    uint32_t first = blocks[left.front()].first, end = first;
    for (uint32_t i : left)
      end = std::max(end, blocks[i].last);
    std::fill(lows.begin() + first, lows.begin() + end + 1, INT64_MAX);
    std::fill(slacks.begin() + first, slacks.begin() + end + 1, 0);
    std::vector<int64_t> rests;
    rests.reserve(left.size());
    // No block may come at or above the top of one that could lie there now:
    // that one would be better put first.
    int64_t top = INT64_MAX;
    for (uint32_t i : left) {
      const Block &block = blocks[i];
      auto from = floors.begin() + block.first;
      int64_t floor = *std::max_element(from, floors.begin() + block.last + 1);
      rests.push_back(floor);
      top = std::min(top, floor + block.size);
      int64_t low = std::max(floor, lowest);
      if (low + block.used() > extent)
        return false;
      for (uint32_t s = block.first; s <= block.last; ++s) {
        lows[s] = std::min(lows[s], low);
        slacks[s] = std::max(slacks[s], block.slack);
      }
    }
    // What is below the lowest block that can still come is lost.
    for (uint32_t s = first; s <= end; ++s)
      if (coming[s] != 0 && lows[s] + coming[s] - slacks[s] > extent)
        return false;
    for (size_t at = 0; at < left.size(); ++at) {
      bool isBehind =
          rests[at] < lowest || (rests[at] == lowest && rank[left[at]] < last);
      if (!isBehind && rests[at] < top && !isTwin(left, rests, at))
        candidates.push_back({left[at], rests[at]});
    }
    return true;
  }

  /// None of `left` is live together with the candidate.
  bool isOnTop(const Candidate &candidate,
               const std::vector<uint32_t> &left) const {
    const Block &block = blocks[candidate.block];
    return std::none_of(left.begin(), left.end(), [&](uint32_t i) {
      return i != candidate.block && blocks[i].first <= block.last &&
             block.first <= blocks[i].last;
    });
  }

  /// An equal block comes before in the table.
  bool isTwin(const std::vector<uint32_t> &left,
              const std::vector<int64_t> &rests, size_t at) const {
    const Block &block = blocks[left[at]];
    for (size_t other = at; other-- > 0;) {
      const Block &twin = blocks[left[other]];
      if (twin.first != block.first)
        return false;
      if (twin.last == block.last && twin.size == block.size &&
          twin.slack == block.slack && rests[other] == rests[at])
        return true;
    }
    return false;
  }

  const std::vector<Block> &blocks;
  int64_t extent;
  Effort &effort;
  /// By block: which goes first among equals.
  const std::vector<uint32_t> &rank;
  /// By section: the end of what is stacked, the bytes that are to come, the
  /// lowest offset at which one of them can, and the most slack of one.
  std::vector<int64_t> floors, coming, lows, slacks;
  std::vector<int64_t> offsets;
};

/// Which of the blocks that rest at one height goes first decides whether a
/// placement is found soon. By length, area, and the bytes of the fullest
/// section, in orders that MiniMalloc found to complement each other.
std::vector<std::vector<uint32_t>> getRanks(const Component &component) {
  const std::vector<Block> &blocks = component.blocks;
  std::vector<int64_t> load(component.sections, 0);
  for (const Block &block : blocks)
    for (uint32_t s = block.first; s <= block.last; ++s)
      load[s] += block.size;
  std::vector<std::array<double, 3>> figures;
  for (const Block &block : blocks) {
    auto wide = static_cast<double>(block.last - block.first + 1);
    auto most = *std::max_element(load.begin() + block.first,
                                  load.begin() + block.last + 1);
    figures.push_back({wide, wide * static_cast<double>(block.size),
                       static_cast<double>(most)});
  }
  constexpr std::array<std::array<size_t, 3>, 3> ways = {
      {{0, 1, 2}, {2, 1, 0}, {2, 0, 1}}};
  std::vector<std::vector<uint32_t>> ranks;
  for (const std::array<size_t, 3> &way : ways) {
    std::vector<uint32_t> order(blocks.size()), rank(blocks.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      for (size_t figure : way)
        if (figures[a][figure] != figures[b][figure])
          return figures[a][figure] > figures[b][figure];
      return a < b;
    });
    for (uint32_t i = 0; i < order.size(); ++i)
      rank[order[i]] = i;
    ranks.push_back(std::move(rank));
  }
  return ranks;
}

} // namespace

StackAnswer findStack(const Component &component, int64_t extent,
                      Effort &effort, std::vector<int64_t> &offsets) {
  // Ranks and tables take a while where there are many buffers.
  if (effort.isStopped())
    return StackAnswer::Spent;
  std::vector<std::vector<uint32_t>> ranks = getRanks(component);
  // Each for a while, and for twice as long the next time.
  for (uint64_t share = 4 * component.blocks.size() * component.blocks.size();;
       share *= 2)
    for (const std::vector<uint32_t> &rank : ranks) {
      Effort part = effort.split(share);
      StackAnswer answer =
          StackSearch(component, extent, part, rank).run(offsets);
      effort.join(part);
      if (answer != StackAnswer::Spent || effort.isSpent())
        return answer;
    }
}

} // namespace pebble::addresses

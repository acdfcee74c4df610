//===- Eviction.cpp - room by pushing others out --------------------------===//

#include "Eviction.h"

#include <algorithm>
#include <numeric>

namespace pebble::addresses {

EvictionSearch::EvictionSearch(const Component &component)
    : component(component), neighbours(component.blocks.size()) {
  const std::vector<Block> &blocks = component.blocks;
  for (uint32_t i = 0; i < blocks.size(); ++i)
    if (blocks[i].first == 0 && blocks[i].last + 1 == component.sections)
      always.push_back(i);
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < blocks.size(); ++i)
    if (!std::binary_search(always.begin(), always.end(), i))
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(blocks[a].first, a) < std::pair(blocks[b].first, b);
  });
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t j = i + 1;
         j < order.size() && blocks[order[j]].first <= blocks[order[i]].last;
         ++j) {
      neighbours[order[i]].push_back(order[j]);
      neighbours[order[j]].push_back(order[i]);
    }
}

uint64_t EvictionSearch::countBytes(const Component &component) {
  // Of two blocks that meet, one begins while the other one is there.
  std::vector<uint64_t> begun(component.sections + 1, 0);
  for (const Block &block : component.blocks)
    ++begun[block.first + 1];
  for (uint32_t s = 0; s < component.sections; ++s)
    begun[s + 1] += begun[s];
  uint64_t ordered = 0;
  for (const Block &block : component.blocks)
    ordered += begun[block.last + 1] - begun[block.first];
  // Each block is counted with itself, and those of one section twice; lists
  // grow by doubling.
  constexpr uint64_t kPerBlock = 128;
  return 4 * sizeof(uint32_t) * ordered + kPerBlock * component.blocks.size();
}

double EvictionSearch::getWeight(uint32_t block) const {
  // What is large, and lives long, is hard to place anew.
  const Block &entry = component.blocks[block];
  return weights[block] * static_cast<double>(entry.size) *
         (static_cast<double>(entry.last - entry.first) + 1);
}

int64_t EvictionSearch::getHighest(uint32_t block) const {
  // What is not to be used may stick out.
  const int64_t most = ceiling - component.blocks[block].used();
  return most < 0 ? most : most / component.alignment * component.alignment;
}

EvictionSearch::Candidate EvictionSearch::choose(uint32_t block,
                                                 graph::Random &random) {
  int64_t size = component.blocks[block].size;
  const int64_t highest = getHighest(block);
  begins.clear();
  ends.clear();
  tries.assign({floor, highest});
  for (uint32_t other : neighbours[block]) {
    if (!isPlaced[other])
      continue;
    int64_t begin = at[other], end = begin + component.blocks[other].size;
    double weight = getWeight(other);
    begins.push_back({begin, weight});
    ends.push_back({end, weight});
    if (end <= highest)
      tries.push_back(end);
    if (begin - size >= floor)
      tries.push_back(begin - size);
  }
  std::sort(begins.begin(), begins.end());
  std::sort(ends.begin(), ends.end());
  std::sort(tries.begin(), tries.end());
  tries.erase(std::unique(tries.begin(), tries.end()), tries.end());
  // What begins before the block ends, less what ends before it begins.
  Candidate best;
  best.cost = -1;
  size_t begun = 0, ended = 0;
  double before = 0, gone = 0;
  uint64_t ties = 0;
  for (int64_t offset : tries) {
    while (begun < begins.size() && begins[begun].first < offset + size)
      before += begins[begun++].second;
    while (ended < ends.size() && ends[ended].first <= offset)
      gone += ends[ended++].second;
    // The sums are of the same weights, in another order.
    double cost = begun == ended ? 0 : std::max(before - gone, 1e-9);
    if (best.cost < 0 || cost < best.cost) {
      best = {offset, cost};
      ties = 1;
    } else if (cost == best.cost && cost > 0 && random.below(++ties) == 0) {
      best.offset = offset;
    }
    if (cost == 0)
      break;
  }
  return best;
}

void EvictionSearch::pushOut(uint32_t block, int64_t offset) {
  int64_t end = offset + component.blocks[block].size;
  for (uint32_t other : neighbours[block])
    if (isPlaced[other] && at[other] < end &&
        at[other] + component.blocks[other].size > offset) {
      isPlaced[other] = false;
      weights[other] += 0.5;
      waiting.push_back(other);
    }
}

bool EvictionSearch::find(int64_t extent, Effort &effort, graph::Random &random,
                          std::vector<int64_t> &offsets) {
  const std::vector<Block> &blocks = component.blocks;
  // Who asks again and again has to come to an end.
  if (!effort.spend())
    return false;
  floor = 0;
  std::vector<uint32_t> bottom = always;
  std::sort(bottom.begin(), bottom.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(blocks[a].slack, a) < std::pair(blocks[b].slack, b);
  });
  for (uint32_t block : bottom) {
    offsets[block] = floor;
    floor += blocks[block].size;
  }
  ceiling = extent;
  at = offsets;
  isPlaced.assign(blocks.size(), false);
  weights.assign(blocks.size(), 1);
  waiting.clear();
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < blocks.size(); ++i)
    if (!std::binary_search(always.begin(), always.end(), i)) {
      if (getHighest(i) < floor)
        return false;
      order.push_back(i);
    }
  // What fits stays.
  for (uint32_t block : order) {
    bool fits = at[block] >= floor && at[block] <= getHighest(block);
    for (uint32_t other : neighbours[block])
      fits = fits &&
             !(isPlaced[other] && at[other] < at[block] + blocks[block].size &&
               at[block] < at[other] + blocks[other].size);
    isPlaced[block] = fits;
    if (!fits)
      waiting.push_back(block);
  }
  while (!waiting.empty()) {
    // The largest, or any.
    size_t which = random.below(waiting.size());
    if (random.below(4) != 0)
      for (size_t i = 0; i < waiting.size(); ++i)
        if (blocks[waiting[i]].size > blocks[waiting[which]].size)
          which = i;
    uint32_t block = waiting[which];
    waiting[which] = waiting.back();
    waiting.pop_back();
    if (!effort.spend(neighbours[block].size() + 1))
      return false;
    Candidate chosen = choose(block, random);
    if (chosen.cost > 0)
      pushOut(block, chosen.offset);
    at[block] = chosen.offset;
    isPlaced[block] = true;
  }
  for (uint32_t block : order)
    offsets[block] = at[block];
  return true;
}

} // namespace pebble::addresses

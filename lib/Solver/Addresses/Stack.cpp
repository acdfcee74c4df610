//===- Stack.cpp - buffers over sections of time --------------------------===//

#include "Stack.h"

#include <algorithm>
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

} // namespace pebble::addresses

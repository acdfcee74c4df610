//===- Placements.cpp - buffers at planned offsets of a block -------------===//

#include "Placements.h"

#include <algorithm>

// A range in which nothing lies is out of bounds for a program that was built
// with AddressSanitizer.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PEBBLE_HAS_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define PEBBLE_HAS_ASAN 1
#endif
#ifdef PEBBLE_HAS_ASAN
#include <sanitizer/asan_interface.h>
#endif

using namespace pebble::runtime;

static void forbid(const Range &range, int64_t offset, int64_t bytes) {
#ifdef PEBBLE_HAS_ASAN
  if (!range.isNumbers)
    __asan_poison_memory_region(range.data + offset,
                                static_cast<size_t>(bytes));
#else
  (void)range, (void)offset, (void)bytes;
#endif
}

static void allow(const Range &range, int64_t offset, int64_t bytes) {
#ifdef PEBBLE_HAS_ASAN
  if (!range.isNumbers)
    __asan_unpoison_memory_region(range.data + offset,
                                  static_cast<size_t>(bytes));
#else
  (void)range, (void)offset, (void)bytes;
#endif
}

std::vector<int64_t> &pebble::runtime::enteredBlocks() {
  static thread_local std::vector<int64_t> entered;
  return entered;
}

/// Whether all that lies in `block` is where a call expects an argument.
static bool holdsNothingElse(const Block &block,
                             const std::vector<Expectation> &expected) {
  return std::all_of(
      block.placed.begin(), block.placed.end(), [&](const auto &entry) {
        return std::any_of(
            expected.begin(), expected.end(), [&](const Expectation &one) {
              return one.tier == block.tier && one.offset == entry.first &&
                     one.data == entry.second.data;
            });
      });
}

int64_t Placements::findOrMake(int32_t tier, pebble_rt_backing backing,
                               int64_t bytes,
                               const std::vector<Expectation> &expected) {
  for (auto it = blocks.rbegin(); it != blocks.rend(); ++it) {
    const Block &block = it->second;
    if (block.tier == tier && !block.entered && block.bytes >= bytes &&
        holdsNothingElse(block, expected))
      return it->first;
  }
  Block fresh;
  for (auto it = blocks.begin(); it != blocks.end();) {
    Block &block = it->second;
    if (block.tier == tier && !block.entered && block.placed.empty()) {
      release(block);
      it = blocks.erase(it);
      continue;
    }
    if (block.tier == tier)
      fresh.base = std::max(fresh.base, block.base + block.bytes);
    ++it;
  }
  auto size = static_cast<size_t>(bytes);
  fresh.range = backing == PEBBLE_RT_FILE ? takeRoom(size) : takeMemory(size);
  if (!fresh.range.data)
    return -1;
  fresh.tier = tier;
  fresh.bytes = bytes;
  forbid(fresh.range, 0, bytes);
  blocks[next] = std::move(fresh);
  return next++;
}

int64_t Placements::findIdle(int32_t tier) const {
  for (auto it = blocks.rbegin(); it != blocks.rend(); ++it)
    if (it->second.tier == tier && !it->second.entered)
      return it->first;
  return -1;
}

Block *Placements::get(int64_t number) {
  auto it = blocks.find(number);
  return it == blocks.end() ? nullptr : &it->second;
}

std::string Placements::check(const Block &block, int64_t offset, int64_t bytes,
                              const char *&inTheWay) {
  inTheWay = nullptr;
  if (offset < 0 || offset % PEBBLE_RT_GRANULE)
    return "is no multiple of " + std::to_string(PEBBLE_RT_GRANULE);
  if (offset > block.bytes || bytes > block.bytes - offset)
    return "reaches beyond its block of " + std::to_string(block.bytes) +
           " bytes";
  auto above = block.placed.lower_bound(offset);
  if (above != block.placed.end() && above->first < offset + bytes) {
    inTheWay = above->second.data;
    return "overlaps what lies at offset " + std::to_string(above->first);
  }
  if (above == block.placed.begin())
    return "";
  --above;
  if (above->first + above->second.bytes <= offset)
    return "";
  inTheWay = above->second.data;
  return "overlaps what lies at offset " + std::to_string(above->first);
}

void Placements::place(Block &block, int64_t offset, int64_t bytes,
                       const char *data) {
  block.placed[offset] = {bytes, data};
  allow(block.range, offset, bytes);
}

void Placements::remove(Block &block, int64_t offset) {
  auto it = block.placed.find(offset);
  forbid(block.range, offset, it->second.bytes);
  block.placed.erase(it);
}

void Placements::report(Meter &meter) const {
  for (const auto &entry : blocks)
    for (const auto &placed : entry.second.placed)
      meter.reach(entry.second.tier,
                  entry.second.base + placed.first + placed.second.bytes);
}

void Placements::release(Block &block) {
  allow(block.range, 0, block.bytes);
  giveBack(block.range);
}

void Placements::releaseAll() {
  for (auto &entry : blocks)
    release(entry.second);
  blocks.clear();
}

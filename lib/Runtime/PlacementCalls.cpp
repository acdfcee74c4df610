//===- PlacementCalls.cpp - the C interface: planned addresses ------------===//

#include "State.h"

using namespace pebble::runtime;

/// What this thread was told to expect and has not entered a block with.
static thread_local std::vector<Expectation> expected;

/// Enters a block, or only makes one ready. False after an error.
static bool open(int32_t tier, int64_t extent, bool isCall) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  if (tier < 0 || extent < 0) {
    s.fail("a block of " + std::to_string(extent) + " bytes in tier " +
           std::to_string(tier) + " makes no sense");
    return false;
  }
  Tier &t = s.meter.tier(tier);
  if (extent > t.capacity) {
    s.fail("tier '" + t.name + "' holds " + std::to_string(t.capacity) +
           " bytes, and a block of " + std::to_string(extent) +
           " bytes was asked for");
    return false;
  }
  int64_t number = s.placements.findOrMake(
      tier, t.backing, extent, isCall ? expected : std::vector<Expectation>());
  if (number < 0) {
    s.fail("tier '" + t.name + "' cannot supply a block of " +
           std::to_string(extent) + " bytes");
    return false;
  }
  if (!isCall)
    return true;
  s.placements.get(number)->entered = true;
  enteredBlocks().push_back(number);
  std::vector<Expectation> others;
  for (const Expectation &one : expected)
    if (one.tier != tier)
      others.push_back(one);
  expected = std::move(others);
  return true;
}

PEBBLE_RT_API void pebble_rt_reserve(int32_t tier, int64_t extent) {
  if (!open(tier, extent, /*isCall=*/false))
    leave();
}

PEBBLE_RT_API void pebble_rt_expect_at(int32_t tier, int64_t offset,
                                       const void *buffer) {
  expected.push_back({tier, offset, buffer});
}

PEBBLE_RT_API void pebble_rt_enter(int32_t tier, int64_t extent) {
  if (!open(tier, extent, /*isCall=*/true))
    leave();
}

/// Ends the innermost call that `isIt` says is meant. False if there is none.
template <typename Predicate>
static bool leaveBlock(State &s, Predicate isIt) {
  std::vector<int64_t> &entered = enteredBlocks();
  for (size_t i = entered.size(); i-- > 0;) {
    Block *block = s.placements.get(entered[i]);
    if (!isIt(block))
      continue;
    if (block)
      block->entered = false;
    entered.erase(entered.begin() + static_cast<ptrdiff_t>(i));
    return true;
  }
  return false;
}

/// False after an error.
static bool leaveTier(int32_t tier) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  if (leaveBlock(
          s, [&](const Block *block) { return block && block->tier == tier; }))
    return true;
  s.fail("no call is under way in tier " + std::to_string(tier));
  return false;
}

PEBBLE_RT_API void pebble_rt_leave(int32_t tier) {
  if (!leaveTier(tier))
    leave();
}

void pebble::runtime::leaveCalls(size_t depth) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  while (enteredBlocks().size() > depth)
    leaveBlock(s, [](const Block *) { return true; });
  expected.clear();
}

/// The block that a placement in `tier` is meant for; -1 if there is none.
static int64_t getCurrent(State &s, int32_t tier) {
  const std::vector<int64_t> &entered = enteredBlocks();
  for (size_t i = entered.size(); i-- > 0;)
    if (const Block *block = s.placements.get(entered[i]);
        block && block->tier == tier)
      return entered[i];
  return s.placements.findIdle(tier);
}

void *pebble::runtime::allocateAt(int32_t tier, int64_t offset, int64_t bytes,
                                  const Take &take) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  Tier &t = s.meter.tier(tier);
  std::string what = "a placement of " + std::to_string(bytes) +
                     " bytes at offset " + std::to_string(offset) +
                     " in tier '" + t.name + "' ";
  int64_t number = getCurrent(s, tier);
  Block *block = s.placements.get(number);
  if (!block) {
    s.fail(what + "needs a block, and none is reserved");
    return nullptr;
  }
  int64_t size = Meter::counted(bytes);
  const char *inTheWay = nullptr;
  std::string error = Placements::check(*block, offset, size, inTheWay);
  if (!error.empty()) {
    const Buffer *other = inTheWay ? s.find(inTheWay) : nullptr;
    s.fail(what + error + (other ? ": " + s.describe(*other) : ""));
    return nullptr;
  }
  if (!s.meter.add(tier, bytes, error)) {
    s.fail(error);
    return nullptr;
  }
  Range range = take(t, bytes, block->range.data + offset, error);
  if (!range.data) {
    s.meter.remove(tier, bytes);
    s.fail("tier '" + t.name + "' cannot supply " + std::to_string(bytes) +
           " bytes: " + error);
    return nullptr;
  }
  Placements::place(*block, offset, size, range.data);
  s.meter.reach(tier, block->base + offset + size);
  return s.adopt(std::move(range), tier, bytes, number, offset);
}

PEBBLE_RT_API void *pebble_rt_alloc_at(int32_t tier, int64_t offset,
                                       int64_t bytes) {
  // What is empty, or makes no sense, is so at any offset.
  if (tier < 0 || bytes <= 0)
    return pebble_rt_alloc(tier, bytes);
  void *data = allocateAt(tier, offset, bytes, takePlain);
  if (!data)
    leave();
  return data;
}

PEBBLE_RT_API int64_t pebble_rt_extent_bytes(int32_t tier) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.meter.tier(tier).extent;
}

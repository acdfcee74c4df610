//===- Runtime.cpp - the C interface: tiers, buffers, errors --------------===//

#include "State.h"

#include <algorithm>
#include <cinttypes>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

using namespace pebble::runtime;

/// The innermost pebble_rt_call of this thread.
static thread_local jmp_buf *landing = nullptr;

State &pebble::runtime::state() {
  static State instance;
  return instance;
}

State::~State() {
  transfers.stop();
  releaseBuffers();
}

Buffer *State::find(const void *address) {
  auto *start = static_cast<const char *>(address);
  auto it = buffers.upper_bound(start);
  if (it == buffers.begin())
    return nullptr;
  --it;
  return start < it->first + it->second.range.bytes ? &it->second : nullptr;
}

std::string State::describe(const Buffer &buffer) {
  return "buffer " + std::to_string(buffer.number) +
         (buffer.name.empty() ? "" : " '" + buffer.name + "'") + " of " +
         std::to_string(buffer.bytes) + " bytes in tier '" +
         meter.tier(buffer.tier).name + "'";
}

void State::releaseDenseSlot(const Buffer &buffer, CompressedSlot &slot) {
  if (!slot.hasDenseSlot())
    return;
  auto bytes = static_cast<int64_t>(slot.getCoding().denseBytes());
  meter.remove(buffer.tier, bytes);
  meter.note(PEBBLE_RT_FREE, buffer.tier, -1, slot.denseNumber, bytes);
}

void State::fail(std::string message) {
  if (error.empty())
    error = std::move(message);
}

void State::releaseBuffers() {
  for (auto &entry : open)
    if (entry.second.ticket)
      transfers.wait(entry.second.ticket);
  open.clear();
  for (auto &entry : buffers)
    discard(entry.second);
  buffers.clear();
  placements.releaseAll();
}

void *State::adopt(Range range, int32_t tier, int64_t bytes, int64_t block,
                   int64_t offset) {
  if ((poison || clear) && !range.isNumbers)
    std::memset(range.data, poison ? kPoison : 0, range.bytes);
  void *data = range.data;
  Buffer buffer;
  buffer.range = std::move(range);
  buffer.tier = tier;
  buffer.bytes = bytes;
  buffer.number = nextNumber++;
  buffer.block = block;
  buffer.offset = offset;
  freed.erase(data);
  meter.note(PEBBLE_RT_ALLOC, tier, -1, buffer.number, bytes);
  buffers[static_cast<char *>(data)] = std::move(buffer);
  return data;
}

void State::discard(Buffer &buffer) {
  if (buffer.block < 0)
    return giveBack(buffer.range);
  if (Block *block = placements.get(buffer.block))
    Placements::remove(*block, buffer.offset);
  buffer.range = {};
}

std::unique_ptr<StoredValue> State::makeFile(const Tier &tier,
                                             const std::string &ending,
                                             size_t bytes,
                                             std::string &message) {
  if (!files.isOpen() && !files.open(slowDir, message))
    return nullptr;
  std::string name = tier.name + "-" + std::to_string(nextNumber) + ending;
  for (char &c : name)
    if (c == '/' || c == '.')
      c = '_';
  return files.create(name, bytes, poison ? kPoison : 0, message);
}

void pebble::runtime::leave() {
  if (landing)
    longjmp(*landing, 1);
  std::fprintf(stderr, "pebble runtime: %s\n", pebble_rt_error());
  std::fflush(stderr);
  std::fflush(stdout);
  FileStore::removeAll();
  _exit(1);
}

//===----------------------------------------------------------------------===//
// Tiers
//===----------------------------------------------------------------------===//

PEBBLE_RT_API int32_t pebble_rt_add_tier(const char *name, int64_t capacity,
                                         enum pebble_rt_backing backing) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.meter.addTier(name, capacity, backing);
}

PEBBLE_RT_API int32_t pebble_rt_tier_count(void) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.meter.tierCount();
}

PEBBLE_RT_API const char *pebble_rt_tier_name(int32_t tier) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.meter.tier(tier).name.c_str();
}

PEBBLE_RT_API enum pebble_rt_backing pebble_rt_tier_backing(int32_t tier) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.meter.tier(tier).backing;
}

PEBBLE_RT_API void pebble_rt_set_compute_tier(int32_t tier) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.computeTier = tier;
}

/// False after an error.
static bool setSlowDir(const char *directory) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  bool isUsed = false;
  for (const auto &entry : s.buffers)
    isUsed |= !entry.second.range.isMemory() &&
              s.meter.tier(entry.second.tier).backing == PEBBLE_RT_FILE;
  if (isUsed) {
    s.fail("the directory of file tiers cannot change while it holds values");
    return false;
  }
  s.files.close();
  s.slowDir = directory;
  return true;
}

PEBBLE_RT_API void pebble_rt_set_slow_dir(const char *directory) {
  if (!setSlowDir(directory))
    leave();
}

static bool openSlowDir(State &s, std::string &error) {
  return s.files.isOpen() || s.files.open(s.slowDir, error);
}

PEBBLE_RT_API int pebble_rt_open_slow_dir(void) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  std::string error;
  if (openSlowDir(s, error))
    return 0;
  s.fail(error);
  return 1;
}

PEBBLE_RT_API int64_t pebble_rt_slow_dir_free_bytes(void) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.files.isOpen() ? s.files.freeBytes() : -1;
}

PEBBLE_RT_API void pebble_rt_remove_files(void) { FileStore::removeAll(); }

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// A fresh file of its own, behind addresses.
static Range takeFile(State &s, const Tier &tier, size_t bytes,
                      std::string &error) {
  std::unique_ptr<StoredValue> file = s.makeFile(tier, "", bytes, error);
  return file ? takeAddresses(bytes, std::move(file)) : Range();
}

/// A buffer that counts as `bytes`, of what `take` gets, under the lock; null
/// and state().error on failure.
template <typename Take>
static void *allocLocked(State &s, int32_t tier, int64_t bytes, Take take) {
  std::lock_guard<std::mutex> lock(s.mutex);
  std::string error;
  if (tier < 0 || bytes < 0) {
    s.fail("allocation of " + std::to_string(bytes) + " bytes in tier " +
           std::to_string(tier) + " makes no sense");
    return nullptr;
  }
  if (!s.meter.add(tier, bytes, error)) {
    s.fail(error);
    return nullptr;
  }
  Tier &t = s.meter.tier(tier);
  Range range = take(t, error);
  if (!range.data) {
    s.meter.remove(tier, bytes);
    s.fail("tier '" + t.name + "' cannot supply " + std::to_string(bytes) +
           " bytes" + (error.empty() ? "" : ": " + error));
    return nullptr;
  }
  return s.adopt(std::move(range), tier, bytes);
}

PEBBLE_RT_API void *pebble_rt_alloc(int32_t tier, int64_t bytes) {
  State &s = state();
  void *data =
      allocLocked(s, tier, bytes, [&](const Tier &t, std::string &error) {
        return t.backing == PEBBLE_RT_FILE
                   ? takeFile(s, t, static_cast<size_t>(bytes), error)
                   : takeMemory(static_cast<size_t>(bytes));
      });
  if (!data)
    leave();
  return data;
}

PEBBLE_RT_API int64_t pebble_rt_compressed_bytes(enum pebble_rt_codec codec,
                                                 int64_t elements,
                                                 int32_t width,
                                                 int32_t densityPercent) {
  bool isWidth = width == 1 || width == 2 || width == 4 || width == 8;
  if (elements < 0 || elements > INT64_MAX / 1024 || !isWidth ||
      (codec != PEBBLE_RT_BITMASK && codec != PEBBLE_RT_BITS) ||
      densityPercent < 0 || densityPercent > 100)
    return -1;
  int64_t bytes = (elements + 7) / 8;
  if (codec == PEBBLE_RT_BITMASK)
    bytes += (elements * densityPercent + 99) / 100 * width;
  return std::min(bytes, elements * width);
}

/// pebble_rt_alloc_compressed; null and state().error on failure.
static void *allocCompressed(State &s, int32_t tier, int64_t count,
                             const Coding &coding, int64_t reserved) {
  const auto values = static_cast<size_t>(count);
  auto bytes = static_cast<int64_t>(values * coding.denseBytes());
  return allocLocked(
      s, tier, count * reserved, [&](const Tier &t, std::string &error) {
        auto kept = std::make_shared<CompressedValues>(
            coding, static_cast<size_t>(reserved));
        CompressedValues::MakeFile make;
        if (t.backing == PEBBLE_RT_FILE)
          make = [&](size_t index, std::string &why) {
            return s.makeFile(t, "-" + std::to_string(index),
                              static_cast<size_t>(reserved), why);
          };
        if (!kept->make(values, s.poison ? kPoison : 0, make, error))
          return Range();
        return takeAddresses(static_cast<size_t>(bytes), std::move(kept));
      });
}

PEBBLE_RT_API void *pebble_rt_alloc_compressed(int32_t tier, int64_t count,
                                               int64_t elements, int32_t width,
                                               enum pebble_rt_codec codec,
                                               int32_t densityPercent,
                                               uint64_t one) {
  int64_t reserved =
      pebble_rt_compressed_bytes(codec, elements, width, densityPercent);
  int64_t dense = reserved < 0 ? -1 : elements * width;
  if (reserved < 0 || count < 0 || (dense && count > INT64_MAX / dense))
    pebble_rt_fail("a buffer of compressed values is asked for whose number, "
                   "size or density makes no sense");
  Coding coding;
  coding.codec = codec;
  coding.elements = static_cast<size_t>(elements);
  coding.width = static_cast<size_t>(width);
  coding.one = one;
  void *data = allocCompressed(state(), tier, count, coding, reserved);
  if (!data)
    leave();
  return data;
}

static bool freeLocked(State &s, void *pointer) {
  std::lock_guard<std::mutex> lock(s.mutex);
  auto it = s.buffers.find(static_cast<char *>(pointer));
  if (it == s.buffers.end()) {
    s.fail(s.freed.count(pointer)
               ? "a buffer is freed twice"
               : "free of an address that is not the start of a buffer");
    return false;
  }
  Buffer &buffer = it->second;
  if (buffer.transfers) {
    s.fail(s.describe(buffer) + " is freed while a transfer uses it");
    return false;
  }
  if (s.poison && buffer.range.isMemory())
    std::memset(buffer.range.data, kPoison, buffer.range.bytes);
  if (buffer.range.values)
    for (CompressedSlot &slot : buffer.range.values->getSlots())
      s.releaseDenseSlot(buffer, slot);
  s.meter.remove(buffer.tier, buffer.bytes);
  s.meter.note(PEBBLE_RT_FREE, buffer.tier, -1, buffer.number, buffer.bytes);
  s.discard(buffer);
  s.freed.insert(pointer);
  s.buffers.erase(it);
  return true;
}

PEBBLE_RT_API void pebble_rt_free(void *buffer) {
  if (buffer && !freeLocked(state(), buffer))
    leave();
}

PEBBLE_RT_API void pebble_rt_name(void *buffer, const char *name) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  if (Buffer *found = s.find(buffer))
    found->name = name;
}

PEBBLE_RT_API void *pebble_rt_malloc(uint64_t bytes) {
  int64_t size = bytes > static_cast<uint64_t>(INT64_MAX)
                     ? -1
                     : static_cast<int64_t>(bytes);
  return pebble_rt_alloc(state().computeTier, size);
}

PEBBLE_RT_API void *pebble_rt_aligned_alloc(uint64_t alignment,
                                            uint64_t bytes) {
  if (alignment > PEBBLE_RT_GRANULE)
    pebble_rt_fail("buffers are aligned to 64 bytes, more was asked for");
  return pebble_rt_malloc(bytes);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

PEBBLE_RT_API int pebble_rt_call(void (*function)(void *), void *argument) {
  jmp_buf here;
  jmp_buf *volatile outer = landing;
  const size_t depth = enteredBlocks().size();
  if (_setjmp(here)) {
    landing = outer;
    leaveCalls(depth);
    return 1;
  }
  landing = &here;
  function(argument);
  landing = outer;
  return 0;
}

PEBBLE_RT_API const char *pebble_rt_error(void) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.error.c_str();
}

PEBBLE_RT_API void pebble_rt_fail(const char *message) {
  {
    State &s = state();
    std::lock_guard<std::mutex> lock(s.mutex);
    s.fail(message);
  }
  leave();
}

PEBBLE_RT_API void pebble_rt_note_fallback(const char *function,
                                           const char *fallback,
                                           int64_t dimension, int64_t bound) {
  std::fprintf(stderr,
               "pebble runtime: note: a dimension of %" PRId64
               " is over the bound of %" PRId64
               " that the plan of '%s' rests on: running the leanest, '%s'\n",
               dimension, bound, function, fallback);
}

//===----------------------------------------------------------------------===//
// The meter
//===----------------------------------------------------------------------===//

PEBBLE_RT_API int64_t pebble_rt_live_bytes(int32_t tier) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.meter.tier(tier).live;
}

PEBBLE_RT_API int64_t pebble_rt_peak_bytes(int32_t tier) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.meter.tier(tier).peak;
}

PEBBLE_RT_API int64_t pebble_rt_moved_bytes(int32_t from, int32_t to) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.meter.moved(from, to);
}

PEBBLE_RT_API void
pebble_rt_compression_counts(struct pebble_rt_compression *counts) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  *counts = s.meter.compression;
}

PEBBLE_RT_API int64_t pebble_rt_transfer_ns(void) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.meter.transferTime();
}

PEBBLE_RT_API int64_t pebble_rt_stall_ns(void) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.meter.stallTime();
}

PEBBLE_RT_API int32_t pebble_rt_is_live(const void *buffer) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.buffers.count(static_cast<const char *>(buffer)) ? 1 : 0;
}

PEBBLE_RT_API int64_t pebble_rt_live_count(void) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return static_cast<int64_t>(s.buffers.size() + s.open.size());
}

PEBBLE_RT_API int pebble_rt_check_leaks(void) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  if (!s.buffers.empty()) {
    const Buffer *first = nullptr;
    for (const auto &entry : s.buffers)
      if (!first || entry.second.number < first->number)
        first = &entry.second;
    s.fail(std::to_string(s.buffers.size()) +
           " buffers are never freed, the first is " + s.describe(*first));
    return 1;
  }
  if (!s.open.empty()) {
    s.fail(std::to_string(s.open.size()) + " transfers are never waited for");
    return 1;
  }
  return 0;
}

PEBBLE_RT_API void pebble_rt_set_poison(int32_t on) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.poison = on != 0;
}

PEBBLE_RT_API void pebble_rt_set_clear(int32_t on) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.clear = on != 0;
}

PEBBLE_RT_API void pebble_rt_record(int32_t on, int64_t limit) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.meter.record(on != 0, limit);
}

PEBBLE_RT_API int64_t pebble_rt_events(const struct pebble_rt_event **events) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  *events = s.meter.events().data();
  return static_cast<int64_t>(s.meter.events().size());
}

PEBBLE_RT_API void pebble_rt_reset_meter(void) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.meter.reset();
  s.placements.report(s.meter);
  s.error.clear();
}

PEBBLE_RT_API void pebble_rt_reset_all(void) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.releaseBuffers();
  s.files.close();
  s.freed.clear();
  s.meter = Meter();
  s.nextToken = 1;
  s.nextNumber = 0;
  s.computeTier = 0;
  s.poison = false;
  s.clear = false;
  s.overlap = true;
  s.slowDir.clear();
  s.error.clear();
}

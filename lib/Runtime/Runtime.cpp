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
  std::chrono::nanoseconds stall;
  for (auto &entry : open)
    if (entry.second.ticket)
      transfers.wait(entry.second.ticket, stall);
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
  Block *block = placements.get(buffer.block);
  if (block)
    Placements::remove(*block, buffer.offset);
  // Values that are kept compressed have addresses of their own.
  if (buffer.block < 0 || buffer.range.values)
    giveBack(buffer.range);
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

PEBBLE_RT_API void pebble_rt_remove_files(void) {
  FileStore::removeAll();
  Journal::removeEmpty();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// As takeRoom has it.
static constexpr int64_t kFileAlignment = 4096;

static size_t pageSize() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

static size_t pagesOfMachine() {
  static const auto pages = static_cast<size_t>(sysconf(_SC_PHYS_PAGES));
  return pages;
}

static Range takeAligned(const Tier &tier, int64_t bytes, char *place,
                         std::string &error, int64_t alignment) {
  const auto size = static_cast<size_t>(bytes);
  if (tier.backing == PEBBLE_RT_FILE) {
    if (alignment > kFileAlignment) {
      error = "addresses of files are aligned to " +
              std::to_string(kFileAlignment) + " bytes and no more";
      return {};
    }
    std::unique_ptr<StoredValue> file = state().makeFile(tier, "", size, error);
    if (!file)
      return {};
    if (!place)
      return takeAddresses(size, std::move(file));
    return {place, static_cast<size_t>(Meter::counted(bytes)), std::move(file),
            nullptr, true};
  }
  // All of it is about to be written, and the system promises more than it has.
  const State &s = state();
  if ((s.clear || s.poison) && size / pageSize() > pagesOfMachine()) {
    error = "this machine has less memory";
    return {};
  }
  if (!place)
    return takeMemory(size, static_cast<size_t>(alignment));
  return {place, static_cast<size_t>(Meter::counted(bytes)), nullptr, nullptr,
          false};
}

Range pebble::runtime::takePlain(const Tier &tier, int64_t bytes, char *place,
                                 std::string &error) {
  return takeAligned(tier, bytes, place, error, PEBBLE_RT_GRANULE);
}

void *pebble::runtime::allocate(int32_t tier, int64_t bytes, const Take &take) {
  State &s = state();
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
  Range range = take(t, bytes, nullptr, error);
  if (!range.data) {
    s.meter.remove(tier, bytes);
    s.fail("tier '" + t.name + "' cannot supply " + std::to_string(bytes) +
           " bytes" + (error.empty() ? "" : ": " + error));
    return nullptr;
  }
  return s.adopt(std::move(range), tier, bytes);
}

PEBBLE_RT_API void *pebble_rt_alloc(int32_t tier, int64_t bytes) {
  return pebble_rt_alloc_aligned(tier, PEBBLE_RT_GRANULE, bytes);
}

PEBBLE_RT_API void *pebble_rt_alloc_aligned(int32_t tier, int64_t alignment,
                                            int64_t bytes) {
  if (alignment < 1 || (alignment & (alignment - 1)))
    pebble_rt_fail("buffers are aligned to powers of two");
  auto take = [&](const Tier &where, int64_t size, char *place,
                  std::string &error) {
    return takeAligned(where, size, place, error,
                       std::max<int64_t>(alignment, PEBBLE_RT_GRANULE));
  };
  void *data = allocate(tier, bytes, take);
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
  const uint64_t most = INT64_MAX;
  return pebble_rt_alloc_aligned(
      state().computeTier,
      alignment > most ? -1 : static_cast<int64_t>(alignment),
      bytes > most ? -1 : static_cast<int64_t>(bytes));
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

static void noteOperation(pebble_rt_event_kind kind, int64_t number) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.meter.note(kind, s.computeTier, -1, number, 0);
}

PEBBLE_RT_API void pebble_rt_begin_operation(int64_t number) {
  noteOperation(PEBBLE_RT_BEGIN, number);
}

PEBBLE_RT_API void pebble_rt_end_operation(int64_t number) {
  noteOperation(PEBBLE_RT_END, number);
}

PEBBLE_RT_API int64_t pebble_rt_dropped_events(void) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.meter.droppedEvents();
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
  s.journal.close(/*finished=*/false);
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

//===- Runtime.cpp - the C interface: buffers, transfers, errors ----------===//
//
// One lock guards the state. Errors are raised only after it was released, and
// from frames that own nothing: raising leaves by longjmp.
//
//===----------------------------------------------------------------------===//

#include "pebble/Runtime/Runtime.h"

#include "Backing.h"
#include "Meter.h"
#include "Transfers.h"

#include <atomic>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include <unistd.h>

using namespace pebble::runtime;

#define PEBBLE_RT_API __attribute__((visibility("default")))

namespace {

/// A live buffer.
struct Buffer {
  Range range;
  int32_t tier = 0;
  int64_t bytes = 0;
  /// In order of allocation, from 0.
  int64_t number = 0;
  /// Transfers that read or write it and were not waited for.
  int32_t transfers = 0;
};

/// A transfer that was started and not waited for.
struct Open {
  int64_t ticket = 0;
  int32_t tier = 0;
  int32_t from = 0;
  void *destination = nullptr;
  const void *source = nullptr;
  int64_t bytes = 0;
};

struct State {
  std::mutex mutex;
  Meter meter;
  std::unordered_map<const void *, Buffer> buffers;
  /// Addresses that were freed and not handed out again: tells a double free
  /// from a pointer that was never ours.
  std::unordered_set<const void *> freed;
  std::map<int64_t, Open> open;
  int64_t nextToken = 1;
  int64_t nextNumber = 0;
  std::atomic<int32_t> computeTier{0};
  bool poison = false;
  bool clear = false;
  std::string slowDir;
  std::string error;
  Transfers transfers;

  ~State() {
    for (auto &entry : buffers)
      giveBack(entry.second.range);
  }
};

State &state() {
  static State instance;
  return instance;
}

/// The innermost pebble_rt_call of this thread.
thread_local jmp_buf *landing = nullptr;

/// What poisoned memory is filled with: as floats neither small nor special.
constexpr int kPoison = 0xA5;

} // namespace

/// Leaves the compiled code with the message in state().error. The caller's
/// frame owns nothing that needs a destructor.
[[noreturn]] static void leave() {
  if (landing)
    longjmp(*landing, 1);
  std::fprintf(stderr, "pebble runtime: %s\n", pebble_rt_error());
  std::fflush(stderr);
  std::fflush(stdout);
  _exit(1);
}

/// Keeps the first message: what follows an error is its consequence.
static void setError(State &s, std::string message) {
  if (s.error.empty())
    s.error = std::move(message);
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

PEBBLE_RT_API void pebble_rt_set_compute_tier(int32_t tier) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.computeTier = tier;
}

PEBBLE_RT_API void pebble_rt_set_slow_dir(const char *directory) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.slowDir = directory;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// pebble_rt_alloc under the lock; null and state().error on failure.
static void *allocLocked(State &s, int32_t tier, int64_t bytes) {
  std::lock_guard<std::mutex> lock(s.mutex);
  std::string error;
  if (tier < 0 || bytes < 0) {
    setError(s, "allocation of " + std::to_string(bytes) + " bytes in tier " +
                    std::to_string(tier) + " makes no sense");
    return nullptr;
  }
  if (!s.meter.add(tier, bytes, error)) {
    setError(s, error);
    return nullptr;
  }
  Tier &t = s.meter.tier(tier);
  Range range = t.backing == PEBBLE_RT_FILE
                    ? takeFile(static_cast<size_t>(bytes), s.slowDir, error)
                    : takeMemory(static_cast<size_t>(bytes));
  if (!range.data) {
    s.meter.remove(tier, bytes);
    setError(s, "tier '" + t.name + "' cannot supply " + std::to_string(bytes) +
                    " bytes" + (error.empty() ? "" : ": " + error));
    return nullptr;
  }
  if (s.poison || s.clear)
    std::memset(range.data, s.poison ? kPoison : 0, range.bytes);
  Buffer buffer;
  buffer.range = range;
  buffer.tier = tier;
  buffer.bytes = bytes;
  buffer.number = s.nextNumber++;
  s.freed.erase(range.data);
  s.buffers[range.data] = buffer;
  s.meter.note(PEBBLE_RT_ALLOC, tier, -1, buffer.number, bytes);
  return range.data;
}

PEBBLE_RT_API void *pebble_rt_alloc(int32_t tier, int64_t bytes) {
  void *data = allocLocked(state(), tier, bytes);
  if (!data)
    leave();
  return data;
}

static bool freeLocked(State &s, void *pointer) {
  std::lock_guard<std::mutex> lock(s.mutex);
  auto it = s.buffers.find(pointer);
  if (it == s.buffers.end()) {
    setError(s, s.freed.count(pointer)
                    ? "a buffer is freed twice"
                    : "free of an address that is not the start of a buffer");
    return false;
  }
  const Buffer &buffer = it->second;
  if (buffer.transfers) {
    setError(s, "buffer " + std::to_string(buffer.number) + " of " +
                    std::to_string(buffer.bytes) + " bytes in tier '" +
                    s.meter.tier(buffer.tier).name +
                    "' is freed while a transfer uses it");
    return false;
  }
  if (s.poison)
    std::memset(buffer.range.data, kPoison, buffer.range.bytes);
  s.meter.remove(buffer.tier, buffer.bytes);
  s.meter.note(PEBBLE_RT_FREE, buffer.tier, -1, buffer.number, buffer.bytes);
  giveBack(buffer.range);
  s.freed.insert(pointer);
  s.buffers.erase(it);
  return true;
}

PEBBLE_RT_API void pebble_rt_free(void *buffer) {
  if (buffer && !freeLocked(state(), buffer))
    leave();
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
// Transfers
//===----------------------------------------------------------------------===//

PEBBLE_RT_API void pebble_rt_count_move(int32_t destinationTier,
                                        int32_t sourceTier, int64_t bytes) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.meter.move(sourceTier, destinationTier, bytes);
  s.meter.note(PEBBLE_RT_COPY, destinationTier, sourceTier, -1, bytes);
}

PEBBLE_RT_API void pebble_rt_copy(int32_t destinationTier, int32_t sourceTier,
                                  void *destination, const void *source,
                                  int64_t bytes) {
  copyBytes(destination, source, static_cast<size_t>(bytes));
  pebble_rt_count_move(destinationTier, sourceTier, bytes);
}

/// Adds `change` to the open transfers of the buffer that starts at `pointer`;
/// an address within a buffer is not followed.
static void touch(State &s, const void *pointer, int32_t change) {
  auto it = s.buffers.find(pointer);
  if (it != s.buffers.end())
    it->second.transfers += change;
}

PEBBLE_RT_API int64_t pebble_rt_copy_start(int32_t destinationTier,
                                           int32_t sourceTier,
                                           void *destination,
                                           const void *source, int64_t bytes) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  Open open;
  open.tier = destinationTier;
  open.from = sourceTier;
  open.destination = destination;
  open.source = source;
  open.bytes = bytes;
  open.ticket =
      s.transfers.start(destination, source, static_cast<size_t>(bytes));
  int64_t token = s.nextToken++;
  touch(s, destination, +1);
  touch(s, source, +1);
  s.meter.move(sourceTier, destinationTier, bytes);
  s.meter.note(PEBBLE_RT_START, destinationTier, sourceTier, token, bytes);
  s.open[token] = open;
  return token;
}

/// Finds the ticket of an open transfer; 0 and state().error if there is none.
static int64_t ticketOf(State &s, int64_t token) {
  std::lock_guard<std::mutex> lock(s.mutex);
  auto it = s.open.find(token);
  if (it != s.open.end())
    return it->second.ticket;
  setError(s, "wait for transfer " + std::to_string(token) +
                  ", which was not started or was waited for already");
  return 0;
}

PEBBLE_RT_API void pebble_rt_wait(int64_t token) {
  State &s = state();
  int64_t ticket = ticketOf(s, token);
  if (!ticket)
    leave();
  s.transfers.wait(ticket);
  std::lock_guard<std::mutex> lock(s.mutex);
  auto it = s.open.find(token);
  if (it == s.open.end())
    return;
  touch(s, it->second.destination, -1);
  touch(s, it->second.source, -1);
  s.meter.note(PEBBLE_RT_WAIT, it->second.tier, it->second.from, token,
               it->second.bytes);
  s.open.erase(it);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

PEBBLE_RT_API int pebble_rt_call(void (*function)(void *), void *argument) {
  jmp_buf here;
  jmp_buf *volatile outer = landing;
  if (_setjmp(here)) {
    landing = outer;
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
    setError(s, message);
  }
  leave();
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

PEBBLE_RT_API int32_t pebble_rt_is_live(const void *buffer) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  return s.buffers.count(buffer) ? 1 : 0;
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
    setError(s, std::to_string(s.buffers.size()) +
                    " buffers are never freed, the first is number " +
                    std::to_string(first->number) + " of " +
                    std::to_string(first->bytes) + " bytes in tier '" +
                    s.meter.tier(first->tier).name + "'");
    return 1;
  }
  if (!s.open.empty()) {
    setError(s,
             std::to_string(s.open.size()) + " transfers are never waited for");
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
  s.error.clear();
}

PEBBLE_RT_API void pebble_rt_reset_all(void) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  for (auto &entry : s.open)
    s.transfers.wait(entry.second.ticket);
  for (auto &entry : s.buffers)
    giveBack(entry.second.range);
  s.open.clear();
  s.buffers.clear();
  s.freed.clear();
  s.meter = Meter();
  s.nextToken = 1;
  s.nextNumber = 0;
  s.computeTier = 0;
  s.poison = false;
  s.clear = false;
  s.slowDir.clear();
  s.error.clear();
}

//===- Copies.cpp - the C interface: transfers between tiers --------------===//
//
// What is counted is counted when a copy is asked for, so that the meter reads
// the same whether or not it runs beside the program. What a transfer took and
// whether it failed is known when it was waited for.
//
//===----------------------------------------------------------------------===//

#include "State.h"

using namespace pebble::runtime;

//===----------------------------------------------------------------------===//
// From addresses to places
//===----------------------------------------------------------------------===//

/// The compressed value at `offset`. False and an error if it is not all of it.
static bool findSlot(State &s, const Buffer &buffer, size_t offset,
                     int64_t bytes, Place &place) {
  CompressedValues &values = *buffer.range.values;
  size_t size = values.getCoding().denseBytes();
  if (static_cast<size_t>(bytes) != size || (size && offset % size) ||
      (size && offset / size >= values.getSlots().size())) {
    s.fail("a copy of " + std::to_string(bytes) + " bytes at " +
           std::to_string(offset) + " is not one of the values of " +
           std::to_string(size) + " bytes in " + s.describe(buffer) +
           ", which is compressed and moves each as a whole");
    return false;
  }
  static char nothing;
  if (size)
    place.slot = &values.getSlots()[offset / size];
  else
    place.memory = &nothing;
  return true;
}

/// Where the bytes from `address` on are. False and an error if they reach
/// beyond the file that they begin in.
static bool findPlace(State &s, const void *address, int64_t bytes,
                      Place &place) {
  auto *start = static_cast<const char *>(address);
  const Buffer *buffer = s.find(address);
  if (buffer && buffer->range.values)
    return findSlot(s, *buffer, static_cast<size_t>(start - buffer->range.data),
                    bytes, place);
  if (!buffer || !buffer->range.file) {
    place.memory = const_cast<char *>(start);
    return true;
  }
  place.file = buffer->range.file.get();
  place.offset = static_cast<size_t>(start - buffer->range.data);
  if (bytes <= buffer->bytes - static_cast<int64_t>(place.offset))
    return true;
  s.fail("a copy of " + std::to_string(bytes) + " bytes reaches beyond " +
         s.describe(*buffer));
  return false;
}

/// What a copy could not do, and what is left.
static std::string describeFailure(State &s, const void *destination,
                                   const void *source,
                                   const std::string &reason) {
  Buffer *to = s.find(destination), *from = s.find(source);
  bool isLoad = from && from->range.file;
  Buffer *value = isLoad ? from : to;
  std::string text = isLoad ? "cannot load " : "cannot store ";
  text += value ? s.describe(*value) : "a value";
  text += ": " + reason;
  if (!isLoad && from)
    text += "; " + s.describe(*from) + " still holds it";
  return text;
}

using Lock = std::unique_lock<std::mutex>;

/// Looks at what goes to a compressed value, and makes room for it. False and
/// an error if there is none. What was there is then gone.
static bool makeRoom(State &s, Lock &lock, const void *destination,
                     const void *source, Transfer &transfer) {
  CompressedSlot &slot = *transfer.destination.slot;
  std::string error;
  bool isRead = true;
  lock.unlock();
  if (!transfer.source.memory) {
    transfer.staged = std::make_shared<std::vector<char>>(transfer.bytes);
    Place staged;
    staged.memory = transfer.staged->data();
    isRead = copyBytes(staged, transfer.source, transfer.bytes, error);
    transfer.source = staged;
  }
  CompressedSlot::Fit fit;
  if (isRead)
    fit = slot.fit(transfer.source.memory);
  lock.lock();
  Buffer *buffer = s.find(destination);
  if (!isRead || !buffer) {
    s.fail(describeFailure(s, destination, source, error));
    return false;
  }
  auto dense = static_cast<int64_t>(transfer.bytes);
  bool isNew = fit.needsDenseSlot && !slot.hasDenseSlot();
  if (isNew && !s.meter.add(buffer->tier, dense, error)) {
    s.fail(describeFailure(s, destination, source,
                           "it does not fit into its compressed slot, and " +
                               error));
    return false;
  }
  if (!fit.needsDenseSlot)
    s.releaseDenseSlot(*buffer, slot);
  if (!slot.prepare(fit)) {
    if (isNew)
      s.meter.remove(buffer->tier, dense);
    s.fail(describeFailure(s, destination, source, "there is no memory"));
    return false;
  }
  if (isNew) {
    slot.denseNumber = s.nextNumber++;
    s.meter.note(PEBBLE_RT_ALLOC, buffer->tier, -1, slot.denseNumber, dense);
  }
  transfer.moved = static_cast<int64_t>(fit.bytes);
  return true;
}

/// What a transfer of a compressed value adds to the meter's figures.
static void countCompression(State &s, const Transfer &transfer) {
  const CompressedSlot *to = transfer.destination.slot;
  const CompressedSlot *from = transfer.source.slot;
  if (!to && !from)
    return;
  pebble_rt_compression &counts = s.meter.compression;
  counts.stores += to != nullptr;
  counts.loads += from != nullptr;
  counts.dense_bytes += static_cast<int64_t>(transfer.bytes);
  counts.moved_bytes += transfer.moved;
  counts.fallbacks += to && to->hasDenseSlot();
}

static bool makeTransfer(State &s, Lock &lock, int32_t destinationTier,
                         int32_t sourceTier, const void *destination,
                         const void *source, int64_t bytes,
                         Transfer &transfer) {
  if (bytes < 0 || destinationTier < 0 || sourceTier < 0) {
    s.fail("a copy of " + std::to_string(bytes) + " bytes from tier " +
           std::to_string(sourceTier) + " to tier " +
           std::to_string(destinationTier) + " makes no sense");
    return false;
  }
  transfer.bytes = static_cast<size_t>(bytes);
  transfer.moved = bytes;
  if (!findPlace(s, destination, bytes, transfer.destination) ||
      !findPlace(s, source, bytes, transfer.source))
    return false;
  if (transfer.source.slot)
    transfer.moved = static_cast<int64_t>(transfer.source.slot->getBytes());
  if (transfer.destination.slot &&
      !makeRoom(s, lock, destination, source, transfer))
    return false;
  if (destinationTier != sourceTier)
    for (int32_t tier : {destinationTier, sourceTier}) {
      const Tier &t = s.meter.tier(tier);
      double ns = static_cast<double>(t.latency);
      if (t.bandwidth > 0)
        ns += static_cast<double>(transfer.moved) * 1000 /
              static_cast<double>(t.bandwidth);
      transfer.least = std::max(
          transfer.least, std::chrono::nanoseconds(static_cast<int64_t>(ns)));
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

PEBBLE_RT_API void pebble_rt_count_move(int32_t destinationTier,
                                        int32_t sourceTier, int64_t bytes) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.meter.move(sourceTier, destinationTier, bytes);
  s.meter.note(PEBBLE_RT_COPY, destinationTier, sourceTier, -1, bytes);
}

/// A copy that the caller waits for. False after an error.
static bool copyNow(int32_t destinationTier, int32_t sourceTier,
                    void *destination, const void *source, int64_t bytes) {
  State &s = state();
  Transfer transfer;
  {
    Lock lock(s.mutex);
    if (!makeTransfer(s, lock, destinationTier, sourceTier, destination, source,
                      bytes, transfer))
      return false;
  }
  Outcome outcome = perform(transfer);
  std::lock_guard<std::mutex> lock(s.mutex);
  int64_t time = destinationTier == sourceTier ? 0 : outcome.nanoseconds();
  s.meter.move(sourceTier, destinationTier, transfer.moved);
  countCompression(s, transfer);
  s.meter.time(time, time);
  s.meter.note(PEBBLE_RT_COPY, destinationTier, sourceTier, -1, transfer.moved,
               {outcome.begin, outcome.end}, time);
  if (!outcome.error.empty())
    s.fail(describeFailure(s, destination, source, outcome.error));
  return outcome.error.empty();
}

PEBBLE_RT_API void pebble_rt_copy(int32_t destinationTier, int32_t sourceTier,
                                  void *destination, const void *source,
                                  int64_t bytes) {
  if (!copyNow(destinationTier, sourceTier, destination, source, bytes))
    leave();
}

bool pebble::runtime::copyUncounted(void *to, const void *from, int64_t bytes) {
  State &s = state();
  Transfer transfer;
  {
    Lock lock(s.mutex);
    if (!makeTransfer(s, lock, 0, 0, to, from, bytes, transfer))
      return false;
  }
  Outcome outcome = perform(transfer);
  std::lock_guard<std::mutex> lock(s.mutex);
  if (!outcome.error.empty())
    s.fail(describeFailure(s, to, from, outcome.error));
  return outcome.error.empty();
}

PEBBLE_RT_API void pebble_rt_write(void *to, const void *from, int64_t bytes) {
  if (!copyUncounted(to, from, bytes))
    leave();
}

PEBBLE_RT_API void pebble_rt_read(void *to, const void *from, int64_t bytes) {
  if (!copyUncounted(to, from, bytes))
    leave();
}

//===----------------------------------------------------------------------===//
// Start and wait
//===----------------------------------------------------------------------===//

/// Whether a copy is over sooner than another thread has taken it: what handing
/// it over costs (some microseconds) copies this much.
static bool isQuick(const Transfer &transfer) {
  constexpr size_t kHandover = size_t(32) << 10;
  auto isInMemory = [](const Place &place) {
    return place.slot ? !place.slot->isInFile() : place.memory != nullptr;
  };
  return isInMemory(transfer.destination) && isInMemory(transfer.source) &&
         transfer.bytes <= kHandover && transfer.least.count() == 0;
}

/// Adds `change` to the open transfers of the buffer that holds `address`.
static void touch(State &s, const void *address, int32_t change) {
  if (Buffer *buffer = s.find(address))
    buffer->transfers += change;
}

/// The token, or 0 after an error.
static int64_t start(int32_t destinationTier, int32_t sourceTier,
                     void *destination, const void *source, int64_t bytes) {
  State &s = state();
  Lock lock(s.mutex);
  Transfer transfer;
  if (!makeTransfer(s, lock, destinationTier, sourceTier, destination, source,
                    bytes, transfer))
    return 0;
  Open open;
  open.tier = destinationTier;
  open.from = sourceTier;
  open.destination = destination;
  open.source = source;
  open.bytes = transfer.moved;
  int64_t token = s.nextToken++;
  touch(s, destination, +1);
  touch(s, source, +1);
  s.meter.move(sourceTier, destinationTier, transfer.moved);
  countCompression(s, transfer);
  s.meter.note(PEBBLE_RT_START, destinationTier, sourceTier, token,
               transfer.moved);
  if (s.overlap && !isQuick(transfer)) {
    open.ticket = s.transfers.start(transfer);
  } else {
    lock.unlock();
    open.outcome = perform(transfer);
    lock.lock();
  }
  s.open[token] = std::move(open);
  return token;
}

PEBBLE_RT_API int64_t pebble_rt_copy_start(int32_t destinationTier,
                                           int32_t sourceTier,
                                           void *destination,
                                           const void *source, int64_t bytes) {
  int64_t token =
      start(destinationTier, sourceTier, destination, source, bytes);
  if (!token)
    leave();
  return token;
}

/// False after an error.
static bool finish(int64_t token) {
  State &s = state();
  Lock lock(s.mutex);
  auto it = s.open.find(token);
  if (it == s.open.end()) {
    s.fail("wait for transfer " + std::to_string(token) +
           ", which was not started or was waited for already");
    return false;
  }
  Open open = std::move(it->second);
  s.open.erase(it);
  int64_t stall = open.outcome.nanoseconds();
  if (open.ticket) {
    lock.unlock();
    std::chrono::nanoseconds waited{0};
    open.outcome = s.transfers.wait(open.ticket, waited);
    stall = waited.count();
    lock.lock();
  }
  touch(s, open.destination, -1);
  touch(s, open.source, -1);
  if (open.tier == open.from)
    stall = 0;
  else
    s.meter.time(open.outcome.nanoseconds(), stall);
  s.meter.note(PEBBLE_RT_WAIT, open.tier, open.from, token, open.bytes,
               {open.outcome.begin, open.outcome.end, open.ticket != 0}, stall);
  if (!open.outcome.error.empty())
    s.fail(
        describeFailure(s, open.destination, open.source, open.outcome.error));
  return open.outcome.error.empty();
}

PEBBLE_RT_API void pebble_rt_wait(int64_t token) {
  if (!finish(token))
    leave();
}

PEBBLE_RT_API void pebble_rt_set_overlap(int32_t on) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.overlap = on != 0;
}

PEBBLE_RT_API void pebble_rt_set_pace(int32_t tier, int64_t bandwidth,
                                      int64_t latency) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  Tier &t = s.meter.tier(tier);
  t.bandwidth = bandwidth;
  t.latency = latency;
}

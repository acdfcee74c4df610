//===- JournalCalls.cpp - the C interface: snapshots of a program ---------===//
//
// Brings values between buffers of any tier and the journal. Their bytes are
// read as a driver would read them and count in no tier; the journal has
// figures of its own.
//
//===----------------------------------------------------------------------===//

#include "State.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>

using namespace pebble::runtime;
using Clock = std::chrono::steady_clock;

namespace {

/// What a run does with its journal. One thread runs the loops of a program.
struct Run {
  struct pebble_rt_journal counts = {};
  /// The last loop that was entered.
  int64_t entered = -1;
  /// A snapshot is being taken.
  bool isTaking = false;
  int64_t bytes = 0; ///< of the values in it
  Clock::time_point start;
  /// What each loop took, up to its last iteration that ended.
  std::map<int64_t, struct pebble_rt_journal_loop> loops;
  Clock::time_point iteration; ///< when the current one began
};

} // namespace

static Run &run() {
  static Run instance;
  return instance;
}

static Journal &journal() { return state().journal; }

static void note(const std::string &text) {
  std::fprintf(stderr, "pebble runtime: note: %s\n", text.c_str());
}

static void setError(std::string message) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.fail(std::move(message));
}

//===----------------------------------------------------------------------===//
// For drivers
//===----------------------------------------------------------------------===//

PEBBLE_RT_API int pebble_rt_journal_open(const char *directory,
                                         const uint8_t *identity, int resume) {
  Identity who;
  std::memcpy(who.data(), identity, who.size());
  std::vector<std::string> notes;
  std::string error;
  journal().close(/*finished=*/false);
  run() = Run();
  run().counts.resumed_loop = -1;
  const bool isOpen = journal().open(directory, who, resume != 0, notes, error);
  for (const std::string &each : notes)
    note(each);
  if (!isOpen) {
    setError(std::move(error));
    return 1;
  }
  if (const SnapshotHead *target = journal().getTarget()) {
    run().counts.resumed_loop = target->loop;
    run().counts.resumed_done = target->done;
  }
  return 0;
}

PEBBLE_RT_API void pebble_rt_journal_last(int64_t loop, int64_t done) {
  journal().setLast(loop, done);
}

PEBBLE_RT_API void pebble_rt_journal_close(int finished) {
  journal().close(finished != 0);
}

PEBBLE_RT_API void pebble_rt_journal_counts(struct pebble_rt_journal *counts) {
  *counts = run().counts;
}

PEBBLE_RT_API void
pebble_rt_journal_times(int64_t loop, struct pebble_rt_journal_loop *took) {
  auto found = run().loops.find(loop);
  *took = found == run().loops.end() ? pebble_rt_journal_loop{} : found->second;
}

static int64_t nanosecondsSince(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() -
                                                              start)
      .count();
}

//===----------------------------------------------------------------------===//
// Values in buffers
//===----------------------------------------------------------------------===//

/// Bytes by which a value is read and written: those of one compressed value,
/// which moves as a whole, where `buffer` is of such.
static size_t getPart(const void *buffer) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  Buffer *found = s.find(buffer);
  if (found && found->range.values)
    return found->range.values->getCoding().denseBytes();
  return kSnapshotPiece;
}

/// False after an error.
static bool putValue(const void *buffer, size_t bytes) {
  SnapshotWriter &writer = journal().getWriter();
  writer.begin(bytes);
  run().bytes += static_cast<int64_t>(bytes);
  const char *from = static_cast<const char *>(buffer);
  const size_t part = getPart(buffer);
  std::vector<char> copy;
  for (size_t done = 0; done < bytes; done += copy.size()) {
    copy.resize(std::min(part, bytes - done));
    if (!copyUncounted(copy.data(), from + done,
                       static_cast<int64_t>(copy.size())))
      return false;
    writer.put(copy.data(), copy.size());
  }
  return true;
}

/// The snapshot that `loop` begins with has `number`, in `bytes` bytes.
static bool checkValue(const SnapshotReader &source, int64_t loop,
                       int64_t number, size_t bytes) {
  const auto index = static_cast<size_t>(number);
  if (index < source.getValues().size() &&
      source.getValues()[index].bytes == bytes)
    return true;
  setError("the snapshot of loop " + std::to_string(loop) + " has no value " +
           std::to_string(number) + " of " + std::to_string(bytes) + " bytes");
  return false;
}

/// False after an error.
static bool restoreValue(int64_t loop, int64_t number, void *buffer,
                         size_t bytes) {
  SnapshotReader *source = journal().getSource(loop);
  if (!source)
    return true;
  if (!checkValue(*source, loop, number, bytes))
    return false;
  char *to = static_cast<char *>(buffer);
  const size_t part = getPart(buffer);
  std::vector<char> staged; // of a part that is not all there yet
  size_t written = 0;
  std::string error;
  bool isCopied = true;
  auto take = [&](size_t, const char *data, size_t count) {
    staged.insert(staged.end(), data, data + count);
    size_t taken = 0;
    while (isCopied && written < bytes) {
      const size_t next = std::min(part, bytes - written);
      if (staged.size() - taken < next)
        break;
      isCopied = copyUncounted(to + written, staged.data() + taken,
                               static_cast<int64_t>(next));
      taken += next;
      written += next;
    }
    staged.erase(staged.begin(),
                 staged.begin() + static_cast<std::ptrdiff_t>(taken));
    return isCopied;
  };
  if (source->read(static_cast<size_t>(number), error, take)) {
    run().counts.restored_bytes += static_cast<int64_t>(bytes);
    return true;
  }
  if (isCopied)
    setError("cannot go on from the journal: " + error);
  return false;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The iterations that are done; -1 after an error.
static int64_t enterLoop(int64_t loop) {
  if (loop <= run().entered) {
    setError("loop " + std::to_string(loop) +
             " is reached a second time, and its snapshots are of one run of "
             "it: the function that it stands in may run once");
    return -1;
  }
  run().entered = loop;
  SnapshotReader *source = journal().getSource(loop);
  return source ? source->getHead().done : 0;
}

PEBBLE_RT_API int64_t pebble_rt_journal_enter(int64_t loop) {
  if (!journal().isOpen())
    return 0;
  int64_t done = enterLoop(loop);
  if (done < 0)
    leave();
  run().iteration = Clock::now();
  return done;
}

PEBBLE_RT_API void pebble_rt_journal_restore(int64_t loop, int64_t number,
                                             void *buffer, int64_t bytes) {
  if (journal().isOpen() &&
      !restoreValue(loop, number, buffer, static_cast<size_t>(bytes)))
    leave();
}

/// Of memory that is no buffer of a tier. False after an error.
static bool restoreNumber(int64_t loop, int64_t number, int64_t &bits) {
  SnapshotReader *source = journal().getSource(loop);
  if (!source)
    return true;
  if (!checkValue(*source, loop, number, sizeof(bits)))
    return false;
  std::string error;
  auto take = [&](size_t, const char *data, size_t count) {
    std::memcpy(&bits, data, count);
    return true;
  };
  if (source->read(static_cast<size_t>(number), error, take)) {
    run().counts.restored_bytes += static_cast<int64_t>(sizeof(bits));
    return true;
  }
  setError("cannot go on from the journal: " + error);
  return false;
}

PEBBLE_RT_API int64_t pebble_rt_journal_restore_number(int64_t loop,
                                                       int64_t number,
                                                       int64_t bits) {
  if (journal().isOpen() && !restoreNumber(loop, number, bits))
    leave();
  return bits;
}

/// The loop is the one that was entered last.
static void startSnapshot(int64_t loop, int64_t done, int64_t total,
                          int64_t count) {
  run().isTaking = true;
  run().bytes = 0;
  run().start = Clock::now();
  SnapshotHead head;
  head.loop = loop;
  head.done = done;
  head.total = total;
  head.count = count;
  journal().begin(std::move(head));
}

PEBBLE_RT_API void pebble_rt_journal_begin(int64_t loop, int64_t done,
                                           int64_t total, int64_t every,
                                           int64_t last, int64_t count) {
  run().isTaking = false;
  if (!journal().isOpen())
    return;
  struct pebble_rt_journal_loop &took = run().loops[loop];
  ++took.iterations;
  took.nanoseconds += nanosecondsSince(run().iteration);
  const bool isDue = done == total ? last != 0 : every > 0 && done % every == 0;
  if (isDue)
    startSnapshot(loop, done, total, count);
}

PEBBLE_RT_API void pebble_rt_journal_put(const void *buffer, int64_t bytes) {
  if (run().isTaking && !putValue(buffer, static_cast<size_t>(bytes)))
    leave();
}

PEBBLE_RT_API void pebble_rt_journal_put_number(int64_t bits) {
  if (!run().isTaking)
    return;
  SnapshotWriter &writer = journal().getWriter();
  writer.begin(sizeof(bits));
  writer.put(&bits, sizeof(bits));
  run().bytes += static_cast<int64_t>(sizeof(bits));
}

static void endSnapshot() {
  run().isTaking = false;
  std::string error;
  if (journal().commit(error)) {
    ++run().counts.snapshots;
    run().counts.bytes += run().bytes;
  } else {
    ++run().counts.failed;
    note("cannot take a snapshot: " + error + "; the one before stays");
  }
  const int64_t took = nanosecondsSince(run().start);
  run().counts.nanoseconds += took;
  struct pebble_rt_journal_loop &loop = run().loops[run().entered];
  ++loop.snapshots;
  loop.snapshot_ns += took;
}

PEBBLE_RT_API void pebble_rt_journal_end(void) {
  if (run().isTaking)
    endSnapshot();
  if (journal().isOpen())
    run().iteration = Clock::now();
}

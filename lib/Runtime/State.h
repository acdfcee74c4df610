//===- State.h - what the functions of the C interface share ----*- C++ -*-===//
//
// One lock guards the state. Errors are raised only after it was released, and
// from frames that own nothing: raising leaves by longjmp.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_RUNTIME_STATE_H
#define PEBBLE_LIB_RUNTIME_STATE_H

#include "pebble/Runtime/Runtime.h"

#include "Backing.h"
#include "Journal.h"
#include "Meter.h"
#include "Placements.h"
#include "Transfers.h"

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <unordered_set>

#define PEBBLE_RT_API __attribute__((visibility("default")))

namespace pebble::runtime {

/// A live buffer.
struct Buffer {
  Range range;
  int32_t tier = 0;
  /// What it counts as; compressed values have more addresses.
  int64_t bytes = 0;
  /// In order of allocation, from 0.
  int64_t number = 0;
  /// The value that it holds; empty if nobody said.
  std::string name;
  /// Transfers that read or write it and were not waited for.
  int32_t transfers = 0;
  /// Where it was placed: the number of the block, -1 if nobody said, and the
  /// offset there.
  int64_t block = -1;
  int64_t offset = 0;
};

/// A transfer that was started and not waited for.
struct Open {
  /// 0 if it was made at once.
  int64_t ticket = 0;
  Outcome outcome;
  int32_t tier = 0;
  int32_t from = 0;
  const void *destination = nullptr;
  const void *source = nullptr;
  int64_t bytes = 0;
};

struct State {
  std::mutex mutex;
  Meter meter;
  /// The snapshots of the program; the files below may lie in its directory.
  Journal journal;
  /// The directory of file tiers; outlives their buffers.
  FileStore files;
  /// Blocks with planned offsets; outlive their buffers.
  Placements placements;
  /// By their first address.
  std::map<const char *, Buffer> buffers;
  /// Addresses that were freed and not handed out again: tells a double free
  /// from a pointer that was never ours.
  std::unordered_set<const void *> freed;
  std::map<int64_t, Open> open;
  int64_t nextToken = 1;
  int64_t nextNumber = 0;
  std::atomic<int32_t> computeTier{0};
  bool poison = false;
  bool clear = false;
  bool overlap = true;
  std::string slowDir;
  std::string error;
  Transfers transfers;

  ~State();

  /// The buffer that holds this address; null if none does.
  Buffer *find(const void *address);
  /// "buffer 3 'W1' of 4000 bytes in tier 'hbm'".
  std::string describe(const Buffer &buffer);
  /// Counts the dense slot beside `slot`, if there is one, as gone.
  void releaseDenseSlot(const Buffer &buffer, CompressedSlot &slot);
  /// Makes a live buffer of `range` and returns its address; it is poisoned or
  /// cleared if that was asked for.
  void *adopt(Range range, int32_t tier, int64_t bytes, int64_t block = -1,
              int64_t offset = 0);
  /// Gives the memory of `buffer` back to where it came from.
  void discard(Buffer &buffer);
  /// A fresh file for `bytes` bytes in a tier of files, called after the tier,
  /// the next buffer and `ending`. Null, and the reason in `error`, if it
  /// cannot be made.
  std::unique_ptr<StoredValue> makeFile(const Tier &tier,
                                        const std::string &ending, size_t bytes,
                                        std::string &error);
  /// Keeps the first message: what follows an error is its consequence.
  void fail(std::string message);
  /// Gives every buffer back, after the transfers that use them.
  void releaseBuffers();
};

State &state();

/// Gets `bytes` bytes of a tier for a fresh buffer: at `place`, if that is not
/// null, which is an address in a block of the tier. Where `data` of the result
/// is null it cannot be had, for the reason in the message, if there is one.
using Take = std::function<Range(const Tier &tier, int64_t bytes, char *place,
                                 std::string &error)>;

/// Memory, or a file of its own.
Range takePlain(const Tier &tier, int64_t bytes, char *place,
                std::string &error);

/// A buffer that counts as `bytes`, of what `take` gets, under the lock; null
/// and state().error on failure.
void *allocate(int32_t tier, int64_t bytes, const Take &take);

/// The same at `offset` of the block that the thread works in.
void *allocateAt(int32_t tier, int64_t offset, int64_t bytes, const Take &take);

/// What poisoned memory is filled with: as floats neither small nor special.
inline constexpr int kPoison = 0xA5;

/// Copies between memory and any part of a buffer, and counts nothing. False
/// after an error.
bool copyUncounted(void *to, const void *from, int64_t bytes);

/// Ends the calls of planned functions that this thread is in, but for the
/// outer `depth` of them.
void leaveCalls(size_t depth);

/// Leaves the compiled code with the message in state().error. The caller's
/// frame owns nothing that needs a destructor.
[[noreturn]] void leave();

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_STATE_H

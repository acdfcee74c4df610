//===- Placements.h - buffers at planned offsets of a block -----*- C++ -*-===//
//
// A block is one stretch of a tier's memory. Whoever planned a program says at
// which offset of it each buffer lies; here that is done as it is said, or
// refused. Pure bookkeeping of places, under the lock of State.h.
//
// A call of a planned function works in a block of its own: the one in which
// its arguments lie where it expects them, and nothing else lies, otherwise a
// fresh one. So planned functions can be called again and again, from several
// threads, with arguments from anywhere.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_RUNTIME_PLACEMENTS_H
#define PEBBLE_LIB_RUNTIME_PLACEMENTS_H

#include "Backing.h"
#include "Meter.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pebble::runtime {

/// What lies in a block, by offset.
struct Placement {
  int64_t bytes = 0;          ///< rounded up
  const char *data = nullptr; ///< the address of the buffer
};

struct Block {
  Range range;
  int32_t tier = 0;
  int64_t bytes = 0;
  /// Bytes of the tier in front of it: those of the blocks that were there.
  int64_t base = 0;
  /// A function is at work in it.
  bool entered = false;
  std::map<int64_t, Placement> placed;
};

/// Where a function expects an argument of the call that begins.
struct Expectation {
  int32_t tier = 0;
  int64_t offset = 0;
  const void *data = nullptr;
};

/// The blocks of all tiers.
class Placements {
public:
  ~Placements() { releaseAll(); }

  /// The number of a block of at least `bytes` bytes in tier number `tier` in
  /// which nobody is at work and nothing lies but what `expected` names, at the
  /// offset that it names; a fresh one if there is none. -1 if there is no
  /// memory.
  int64_t findOrMake(int32_t tier, pebble_rt_backing backing, int64_t bytes,
                     const std::vector<Expectation> &expected);

  /// The last block of `tier` in which nobody is at work; -1 if there is none.
  int64_t findIdle(int32_t tier) const;

  /// Null if it is gone.
  Block *get(int64_t number);

  /// Why `bytes` bytes cannot lie at `offset` of `block`, without the tier
  /// ("reaches beyond its block of 128 bytes"), or empty. `inTheWay` is then
  /// what lies there, if it is that.
  static std::string check(const Block &block, int64_t offset, int64_t bytes,
                           const char *&inTheWay);
  /// Puts `bytes` bytes, which fit, at `offset`, for the buffer at `data`.
  static void place(Block &block, int64_t offset, int64_t bytes,
                    const char *data);
  /// Ends what lies at `offset`.
  static void remove(Block &block, int64_t offset);

  /// Tells `meter` how high each tier is filled.
  void report(Meter &meter) const;
  void releaseAll();

private:
  static void release(Block &block);

  std::map<int64_t, Block> blocks;
  int64_t next = 0;
};

/// The blocks in which this thread is at work, innermost last.
std::vector<int64_t> &enteredBlocks();

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_PLACEMENTS_H

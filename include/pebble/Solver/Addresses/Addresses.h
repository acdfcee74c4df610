//===- Addresses.h - buffers with lifetimes, and where they lie -*- C++ -*-===//
//
// The last question of a memory plan: every buffer's size and lifetime are
// known, and each gets an offset in one block of memory, so that no two that
// are live at one time overlap. The end of the block is the extent; it is never
// less than the most bytes that are live at one time, and may have to be more.
//
// Here are the problem, its text form and the judge. Who finds placements is
// the business of PlaceBuffers.h.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_ADDRESSES_ADDRESSES_H
#define PEBBLE_SOLVER_ADDRESSES_ADDRESSES_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pebble::addresses {

/// Bytes that are live from time `lower` until before time `upper`.
struct Buffer {
  std::string name;
  int64_t lower = 0, upper = 0;
  int64_t size = 0;
};

/// Why `buffers` are no problem ("buffer 'x' ends before it begins"); empty if
/// they are one. Sizes are not negative and all together stay within 61 bits.
std::string check(const std::vector<Buffer> &buffers);

/// The most bytes that are live at one time: no extent is less.
int64_t getPeak(const std::vector<Buffer> &buffers);

/// What the judge says of offsets, one per buffer.
struct Judgement {
  /// Empty: nothing is wrong. Otherwise a sentence that names the buffers.
  std::string error;
  /// The highest end of a buffer.
  int64_t extent = 0;
};

/// Judges a placement by a sweep over time: buffers that are live together do
/// not overlap, no offset is negative, each is a multiple of `alignment`, and
/// all end within `capacity`. Empty buffers may lie anywhere. Knows no planner.
/// Time O(n log n).
Judgement verify(const std::vector<Buffer> &buffers,
                 const std::vector<int64_t> &offsets, int64_t alignment = 1,
                 std::optional<int64_t> capacity = std::nullopt);

/// Buffers read from comma-separated text with a header that names the columns
/// id, lower, upper and size, in any order; others are passed over. `upper` is
/// the time at which a buffer is gone. The form of google/minimalloc.
struct ParsedBuffers {
  std::optional<std::vector<Buffer>> buffers;
  /// "line 3: size 'x' is no number".
  std::string error;
};
ParsedBuffers readCsv(const std::string &text);

/// The same text with the column offset.
std::string writeCsv(const std::vector<Buffer> &buffers,
                     const std::vector<int64_t> &offsets);

} // namespace pebble::addresses

#endif // PEBBLE_SOLVER_ADDRESSES_ADDRESSES_H

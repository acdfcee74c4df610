//===- Stack.h - buffers over sections of time ------------------*- C++ -*-===//
//
// What placers look at: buffers of one component (linked by lifetimes), with
// time cut into the sections that matter, those whose set of live buffers is
// part of no other's. A buffer covers a range of sections.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_ADDRESSES_STACK_H
#define PEBBLE_LIB_SOLVER_ADDRESSES_STACK_H

#include "pebble/Solver/Addresses/Addresses.h"
#include "pebble/Solver/Graph/Limits.h"

#include <algorithm>

namespace pebble::addresses {

/// A buffer over sections `first` to `last`, both included.
struct Block {
  uint32_t first = 0, last = 0;
  /// The bytes that nothing above it can use: rounded up to the alignment.
  int64_t size = 0;
  /// What of them it does not use itself: none of the extent where it lies on
  /// top.
  int64_t slack = 0;
  /// Its place among the buffers of the caller.
  size_t buffer = 0;

  int64_t used() const { return size - slack; }
};

struct Component {
  std::vector<Block> blocks;
  uint32_t sections = 0;
  /// The most bytes of a section, of which one block lies on top.
  int64_t peak = 0;
  /// Of offsets.
  int64_t alignment = 1;
};

/// The components of `buffers`, whose offsets are multiples of `alignment`.
/// Empty buffers are in none. Time O(n log n).
std::vector<Component> getComponents(const std::vector<Buffer> &buffers,
                                     int64_t alignment);

/// What is left of an effort, and of the time.
class Effort {
public:
  Effort(uint64_t left, const graph::StopSign &stop)
      : left(left), stop(&stop) {}

  /// Takes some; false where that is not left.
  bool spend(uint64_t units = 1) {
    // Among many buffers each call stands for much work.
    sinceLook += units + kCall;
    if (sinceLook >= kLook) {
      sinceLook = 0;
      isOver |= stop->isUp();
    }
    if (left < units || isOver)
      left = 0;
    else
      left -= units;
    return left != 0;
  }
  bool isSpent() const { return left == 0; }
  /// Nothing is left of the time: asks the clock.
  bool isStopped() {
    isOver |= stop->isUp();
    if (isOver)
      left = 0;
    return isOver;
  }
  uint64_t getLeft() const { return left; }

  /// A part of what is left, to be given back with join().
  Effort split(uint64_t units) {
    Effort part(std::min(left, units), *stop);
    left -= part.left;
    return part;
  }
  void join(const Effort &part) { left = part.isOver ? 0 : left + part.left; }

private:
  /// Units of work between two looks at the clock, and what a call takes
  /// besides its buffers.
  static constexpr uint64_t kLook = 16384, kCall = 64;

  uint64_t left, sinceLook = 0;
  const graph::StopSign *stop;
  bool isOver = false;
};

/// Offsets by block of what is placed in `order`, each block on the highest one
/// below it; the extent.
int64_t stack(const Component &component, const std::vector<uint32_t> &order,
              std::vector<int64_t> &offsets, std::vector<int64_t> &floors);

} // namespace pebble::addresses

#endif // PEBBLE_LIB_SOLVER_ADDRESSES_STACK_H

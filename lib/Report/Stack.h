//===- Stack.h - live storages piled up over the schedule (private) -------===//
//
// What the picture and the trace draw: columns (steps, or groups of steps where
// there are more than the picture has room for) and, in each, the live storages
// on top of each other. Bytes add up to the analysis's live bytes exactly.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_REPORT_STACK_H
#define PEBBLE_LIB_REPORT_STACK_H

#include "pebble/Report/FunctionReport.h"

namespace pebble {

/// From the bottom up.
enum class Band { Argument, Saved, Activation, Gradient, Result, Scratch };
inline constexpr unsigned kBands = 6;
llvm::StringRef getLabel(Band band);
Band getBand(const StorageEntry &entry);

/// One storage, or all the small ones of a band.
struct Shape {
  Band band;
  /// Index into FunctionReport::storages; none for a sum or scratch.
  std::optional<unsigned> storage;
  /// How many storages it stands for.
  unsigned count = 1;
  unsigned firstColumn = 0;
  std::vector<int64_t> base;   ///< bytes below it, from firstColumn on
  std::vector<int64_t> height; ///< bytes
  int64_t getHeight(unsigned column) const {
    return column < firstColumn || column - firstColumn >= height.size()
               ? 0
               : height[column - firstColumn];
  }
};

struct Stack {
  /// Steps of the program.
  size_t steps = 0;
  /// The step that stands for each column: the one with most live bytes.
  std::vector<unsigned> positions;
  std::vector<int64_t> total;
  std::vector<Shape> shapes; ///< from the bottom up
  unsigned peakColumn = 0;

  /// At most `columns` columns, and the `single` storages with the largest area
  /// on their own.
  static Stack get(const FunctionReport &report, unsigned tier,
                   unsigned columns, unsigned single);
  unsigned getColumn(unsigned position) const;
};

/// True if something ever lives in the tier, or it is the compute tier.
bool isTierShown(const FunctionReport &report, unsigned tier);

} // namespace pebble

#endif // PEBBLE_LIB_REPORT_STACK_H

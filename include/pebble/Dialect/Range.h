//===- Range.h - what pebble.range means for integers -----------*- C++ -*-===//

#ifndef PEBBLE_DIALECT_RANGE_H
#define PEBBLE_DIALECT_RANGE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/APInt.h"

#include <optional>

namespace pebble {

/// The integers from `first` up to, and without, `end`: signed, and wide enough
/// to hold both ends of every range.
struct IntegerRange {
  llvm::APInt first;
  llvm::APInt end;

  bool isEmpty() const { return first.sge(end); }

  /// Whether elements of `type` (an integer or index) can hold all of them. A
  /// type without a sign holds them if one of its two readings does.
  bool fits(mlir::Type type) const;
};

/// The integers in [lo, hi), two attributes that are integers or floats.
/// Nothing if an end lies beyond what any element can hold.
std::optional<IntegerRange> getIntegerRange(mlir::Attribute lo,
                                            mlir::Attribute hi);

} // namespace pebble

#endif // PEBBLE_DIALECT_RANGE_H

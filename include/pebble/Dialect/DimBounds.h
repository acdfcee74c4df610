//===- DimBounds.h - sizes of shaped types ----------------------*- C++ -*-===//
//
// Sizes in bytes and elements. A dynamic dimension has a size only where the
// user has given a bound.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_DIMBOUNDS_H
#define PEBBLE_DIALECT_DIMBOUNDS_H

#include "mlir/IR/BuiltinTypes.h"

#include <cstdint>
#include <optional>

namespace pebble {

/// What dynamic dimensions are taken to be.
struct DimBounds {
  /// Size of every dynamic dimension; without one they have none.
  std::optional<int64_t> dynamicDim;

  /// The size of a dimension; nothing if it is dynamic and has no bound.
  std::optional<int64_t> getSize(int64_t dim) const {
    return mlir::ShapedType::isDynamic(dim) ? dynamicDim
                                            : std::optional<int64_t>(dim);
  }
};

/// `a + b` and `a * b` of counts; INT64_MAX instead of an overflow.
int64_t addCounts(int64_t a, int64_t b);
int64_t multiplyCounts(int64_t a, int64_t b);

/// Elements of a ranked shaped type; nothing if a dynamic dimension has no
/// bound, or if the type is not ranked.
std::optional<int64_t> getStaticElements(mlir::Type type,
                                         const DimBounds &bounds = {});

/// Bytes of a ranked shaped type, elements packed row-major (an element of less
/// than a byte takes a whole one, an index takes 8), unrounded; what is
/// reserved for it where its placement says that it is kept compressed. Nothing
/// if a dynamic dimension has no bound or the element has no size.
std::optional<int64_t> getStaticBytes(mlir::Type type,
                                      const DimBounds &bounds = {});

/// Bytes of one scalar, complex or vector; nothing if it has no size.
std::optional<int64_t> getElementBytes(mlir::Type type);

} // namespace pebble

#endif // PEBBLE_DIALECT_DIMBOUNDS_H

//===- PebbleDialect.h - the pebble dialect, its attributes -----*- C++ -*-===//
//
// Tiers, hierarchies and placements: where values can live and what that
// costs. Knows no analysis and no solver.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PEBBLEDIALECT_H
#define PEBBLE_DIALECT_PEBBLEDIALECT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace pebble {
/// Capacity of a tier without a limit.
inline constexpr int64_t kUnboundedCapacity =
    std::numeric_limits<int64_t>::max();
/// What one program may run on at a time.
inline constexpr int64_t kMostRanks = 1 << 20;
} // namespace pebble

#include "pebble/Dialect/PebbleDialect.h.inc"
#include "pebble/Dialect/PebbleEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "pebble/Dialect/PebbleAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "pebble/Dialect/PebbleTypes.h.inc"

#endif // PEBBLE_DIALECT_PEBBLEDIALECT_H

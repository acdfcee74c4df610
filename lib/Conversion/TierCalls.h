//===- TierCalls.h - how tiers are written below their names ----*- C++ -*-===//

#ifndef PEBBLE_LIB_CONVERSION_TIERCALLS_H
#define PEBBLE_LIB_CONVERSION_TIERCALLS_H

#include "pebble/Dialect/PebbleDialect.h"

#include "mlir/IR/BuiltinTypes.h"

namespace pebble {

/// On an allocation: the number of its tier (i32). Lives only between the last
/// two passes of the way down.
inline constexpr llvm::StringLiteral kTierNumberAttr = "pebble_tier";

/// On an allocation in a slower tier: what the value is called (string), for
/// errors of the runtime. As short-lived as the number.
inline constexpr llvm::StringLiteral kValueNameAttr = "pebble_value";

/// On an allocation: the offset in the block of its tier (i64).
inline constexpr llvm::StringLiteral kOffsetAttr = "pebble_offset";

/// On an allocation of compressed values: codec, density in percent and whether
/// each row is a value (i64 each). As short-lived as the number.
inline constexpr llvm::StringLiteral kCompressionAttr = "pebble_compression";

/// Number of the compute tier; 0 without a hierarchy.
int32_t computeTierNumber(HierarchyAttr hierarchy);

/// Whether one block of bytes holds the memref, in row-major order.
bool isContiguous(mlir::MemRefType type);

} // namespace pebble

#endif // PEBBLE_LIB_CONVERSION_TIERCALLS_H

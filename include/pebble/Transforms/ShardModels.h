//===- ShardModels.h - how arithmetic is divided ----------------*- C++ -*-===//

#ifndef PEBBLE_TRANSFORMS_SHARDMODELS_H
#define PEBBLE_TRANSFORMS_SHARDMODELS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pebble {

/// Adds external models of upstream's sharding interface for the elementwise
/// operations of arith and math, which have none.
void registerShardModels(mlir::DialectRegistry &registry);

} // namespace pebble

#endif // PEBBLE_TRANSFORMS_SHARDMODELS_H

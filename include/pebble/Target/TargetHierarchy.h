//===- TargetHierarchy.h - the hierarchy that an op runs on -----*- C++ -*-===//
//
// Where a module says what machine it is for: in `pebble.hierarchy`, or in an
// upstream target spec (DLTI).
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TARGET_TARGETHIERARCHY_H
#define PEBBLE_TARGET_TARGETHIERARCHY_H

#include "pebble/Dialect/PebbleDialect.h"

namespace pebble {

/// The hierarchy that `op` stands under, from the nearest op around it (or
/// itself) that says one:
///  - `pebble.hierarchy`, else
///  - the entry "pebble.hierarchy" of its `dlti.map`, or of a device of its
///    `dlti.target_system_spec`, or of its `dlti.target_device_spec`.
/// Null if nothing says one: a single unbounded tier is meant then
/// (`getHierarchyOrDefault`). Fails, with an error at the op that says it, if
/// the entry is no hierarchy or two devices of one spec disagree.
mlir::FailureOr<HierarchyAttr> getHierarchy(mlir::Operation *op);

/// One unbounded explicit tier named `default`, that costs nothing.
HierarchyAttr getDefaultHierarchy(mlir::MLIRContext *context);

/// `getHierarchy`, and `getDefaultHierarchy` where it finds none.
mlir::FailureOr<HierarchyAttr> getHierarchyOrDefault(mlir::Operation *op);

/// Whether `hierarchy` prices anything: energy objectives are an error without.
bool hasEnergies(HierarchyAttr hierarchy);

} // namespace pebble

#endif // PEBBLE_TARGET_TARGETHIERARCHY_H

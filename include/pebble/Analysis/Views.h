//===- Views.h - what values show -------------------------------*- C++ -*-===//

#ifndef PEBBLE_ANALYSIS_VIEWS_H
#define PEBBLE_ANALYSIS_VIEWS_H

#include "mlir/IR/Value.h"

namespace pebble {

/// What `value` shows through all views (StorageAnalysis::getViewSource());
/// itself if it is none.
mlir::Value getViewed(mlir::Value value);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_VIEWS_H

//===- ElementwiseToLinalg.h - elementwise tensor ops (private) -*- C++ -*-===//

#ifndef PEBBLE_LIB_TRANSFORMS_ELEMENTWISETOLINALG_H
#define PEBBLE_LIB_TRANSFORMS_ELEMENTWISETOLINALG_H

#include "mlir/IR/Builders.h"

namespace pebble {

/// Rewrites each elementwise op on ranked tensors under `root` (arith, math) as
/// a linalg.generic whose destination is empty, and tensor.splat and
/// tensor.from_elements as a fill and insertions. Upstream's conversion takes
/// an operand as destination, which here would mean: overwrite it.
void convertElementwiseToLinalg(mlir::Operation *root);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_ELEMENTWISETOLINALG_H

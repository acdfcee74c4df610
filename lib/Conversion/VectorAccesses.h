//===- VectorAccesses.h - how vectors come from memory ----------*- C++ -*-===//

#ifndef PEBBLE_LIB_CONVERSION_VECTORACCESSES_H
#define PEBBLE_LIB_CONVERSION_VECTORACCESSES_H

#include "mlir/IR/Operation.h"

namespace pebble {

/// Whether upstream has no lowering of `op`, a load or a store of a vector of
/// several dimensions, or one that does not read what scalars have written: a
/// vector of i1 is a bit for each element, and memory a byte.
bool isAccessToRewrite(mlir::Operation *op);

/// Writes the accesses in `top` as those that upstream lowers, and that read
/// and write what loads and stores of single elements do.
void rewriteAccesses(mlir::Operation *top);

} // namespace pebble

#endif // PEBBLE_LIB_CONVERSION_VECTORACCESSES_H

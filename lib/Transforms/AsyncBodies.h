//===- AsyncBodies.h - what may run beside runs at once ---------*- C++ -*-===//

#ifndef PEBBLE_LIB_TRANSFORMS_ASYNCBODIES_H
#define PEBBLE_LIB_TRANSFORMS_ASYNCBODIES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace pebble {

/// Puts the body of each `async.execute` where the operation stands. A module
/// in which a token, an asynchronous value or a group goes elsewhere than to
/// those who wait for it (through a loop or a call, say) stays as it is.
void runAsyncBodiesAtOnce(mlir::ModuleOp module, mlir::RewriterBase &rewriter);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_ASYNCBODIES_H

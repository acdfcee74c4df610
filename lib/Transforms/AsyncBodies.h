//===- AsyncBodies.h - what may run beside runs at once ---------*- C++ -*-===//

#ifndef PEBBLE_LIB_TRANSFORMS_ASYNCBODIES_H
#define PEBBLE_LIB_TRANSFORMS_ASYNCBODIES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace pebble {

/// Puts the body of each `async.execute` where the operation stands. What goes
/// through loops, branches and calls until someone waits for it is then what it
/// was to be. A module stays as it is if such a value goes elsewhere, if a body
/// waits for a group of another one, or if it has coroutines.
void runAsyncBodiesAtOnce(mlir::ModuleOp module, mlir::RewriterBase &rewriter);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_ASYNCBODIES_H

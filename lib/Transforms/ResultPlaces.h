//===- ResultPlaces.h - memory that results have from the start -*- C++ -*-===//
//
// A backend that compiles a whole function gives its results memory of their
// own, and nothing else lies there before they do. A plan that counts a result
// from when it is made takes more than it says.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_RESULTPLACES_H
#define PEBBLE_LIB_TRANSFORMS_RESULTPLACES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pebble {

/// Gives each result of `function` that a step makes, and that no argument is
/// given away for, an argument to lie in: `pebble.donated` with
/// `pebble.result_place`, which the step takes and overwrites. The function
/// computes what it did; `pebble-to-stablehlo` takes the arguments away again.
void addResultPlaces(mlir::func::FuncOp function);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_RESULTPLACES_H

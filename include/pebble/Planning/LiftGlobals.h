//===- LiftGlobals.h - globals become arguments -----------------*- C++ -*-===//
//
// A function that names a global finds there what others left. One that is
// given it as an argument may be given a snapshot in its place. So functions
// that may have to run again are given the globals that somebody may write.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_LIFTGLOBALS_H
#define PEBBLE_PLANNING_LIFTGLOBALS_H

#include "mlir/IR/BuiltinOps.h"

namespace pebble {

/// Gives each forward function of `module`, and what it calls, as further
/// arguments the globals that they name and that are not constant. Leaves a
/// function as it is that others than calls may refer to, that calls itself, or
/// that calls such a one. Returns whether anything changed.
bool liftGlobals(mlir::ModuleOp module);

} // namespace pebble

#endif // PEBBLE_PLANNING_LIFTGLOBALS_H

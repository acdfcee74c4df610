//===- CheckInverses.h - run what is undone, and compare --------*- C++ -*-===//
//
// That an operation can be undone its interface says, or the attribute of a
// function, and the planner believes it. Runs each such operation of a program
// and what undoes it on random data, and compares.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_CHECKINVERSES_H
#define PEBBLE_TOOLS_PEBBLE_RUN_CHECKINVERSES_H

#include "Jit.h"

#include "mlir/IR/OwningOpRef.h"

namespace pebble {

/// Checks each kind and shape once, on data drawn from `seed` on. Emits an
/// error at each operation, or inverse function, that gives back something
/// else. `checked` becomes the number of those that were run.
llvm::LogicalResult checkInverses(mlir::ModuleOp module, uint64_t seed,
                                  const JitOptions &options, unsigned &checked);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_CHECKINVERSES_H

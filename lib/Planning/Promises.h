//===- Promises.h - what a rewrite may take for granted ---------*- C++ -*-===//

#ifndef PEBBLE_LIB_PLANNING_PROMISES_H
#define PEBBLE_LIB_PLANNING_PROMISES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {

/// Fails, with an error, if `second` claims more than `first`: it may own, and
/// take for its alone, what `first` did.
llvm::LogicalResult checkPromises(mlir::FunctionOpInterface first,
                                  mlir::FunctionOpInterface second);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_PROMISES_H

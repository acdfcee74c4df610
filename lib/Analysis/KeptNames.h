//===- KeptNames.h - names of the file, in locations ------------*- C++ -*-===//
//
// A FusedLoc whose metadata is a name with its %, or an array of those, holds
// what results or an argument are called in the file that was read.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_ANALYSIS_KEPTNAMES_H
#define PEBBLE_LIB_ANALYSIS_KEPTNAMES_H

#include "mlir/IR/Location.h"

namespace pebble {

/// The name that `loc` itself keeps for a result; empty if it keeps none.
llvm::StringRef getKeptName(mlir::FusedLoc loc, unsigned result);

/// The name that somebody gave to `loc`; empty if nobody did.
llvm::StringRef findLocationName(mlir::Location loc);

} // namespace pebble

#endif // PEBBLE_LIB_ANALYSIS_KEPTNAMES_H

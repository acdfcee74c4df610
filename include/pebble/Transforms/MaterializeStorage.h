//===- MaterializeStorage.h - write storage decisions down ------*- C++ -*-===//
//
// What the pass materialize-storage does, for passes that need the decisions
// fixed before they plan: what is written in place depends on the order, so it
// must stand in the IR before the order changes.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TRANSFORMS_MATERIALIZESTORAGE_H
#define PEBBLE_TRANSFORMS_MATERIALIZESTORAGE_H

#include "pebble/Analysis/ProgramContext.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {

/// Gives every tensor made in `function` a destination of its own, or leaves it
/// the one it overwrites, as StorageAnalysis decides. Callees must be
/// materialised before their callers, and `context` must be fresh: summaries
/// made earlier would be stale. First ops are brought into destination style
/// (elementwise ops become linalg, a fill that several share is made for each);
/// the rest, which decides storage, is proven to leave the program the same.
llvm::LogicalResult materializeStorage(mlir::FunctionOpInterface function,
                                       ProgramContext &context);

/// The same for all functions of `module`, callees first.
llvm::LogicalResult materializeStorage(mlir::Operation *module,
                                       const AnalysisOptions &options);

} // namespace pebble

#endif // PEBBLE_TRANSFORMS_MATERIALIZESTORAGE_H

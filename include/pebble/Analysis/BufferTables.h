//===- BufferTables.h - buffers that lie in memory --------------*- C++ -*-===//
//
// A memref whose elements are memrefs. Who finds a buffer there, and how long
// it is needed, shows in no name of it.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_BUFFERTABLES_H
#define PEBBLE_ANALYSIS_BUFFERTABLES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace pebble {

/// Whether a value in `root` is memory that holds buffers.
bool holdsBufferTable(mlir::Operation *root);

/// Takes those out of `functions`, which stand after the ones that they call,
/// that have such memory or call one that has. Remarks of pass `pass` say that
/// they stay as they are.
void leaveBufferTables(llvm::SetVector<mlir::Operation *> &functions,
                       llvm::StringRef pass);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_BUFFERTABLES_H

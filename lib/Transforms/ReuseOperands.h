//===- ReuseOperands.h - results in the buffers of operands -----*- C++ -*-===//
//
// What the pass pebble-reuse-operands does, for whoever wants to know what it
// would bring.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_REUSEOPERANDS_H
#define PEBBLE_LIB_TRANSFORMS_REUSEOPERANDS_H

#include "pebble/Analysis/ProgramContext.h"

#include "mlir/IR/BuiltinOps.h"

namespace pebble {

/// Lets elementwise operations of `module`, whose storages are fixed, write
/// over operands that nobody else reads. Returns how many do so now that did
/// not before; fails, with an error, where the program cannot be analysed.
llvm::FailureOr<unsigned> reuseOperands(mlir::ModuleOp module,
                                        ProgramContext &context);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_REUSEOPERANDS_H

//===- Passes.h - the way down from Pebble's programs to LLVM ---*- C++ -*-===//
//
// The passes of the pipeline `pebble-to-llvm`, in the order in which it runs
// them. Each can run alone.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_CONVERSION_PASSES_H
#define PEBBLE_CONVERSION_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace pebble {

/// On a call by which pebble-trace-operations says that an operation begins:
/// what the operation is called (string).
inline constexpr llvm::StringLiteral kTracedOperationAttr = "pebble_operation";

#define GEN_PASS_DECL
#include "pebble/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pebble/Conversion/Passes.h.inc"

} // namespace pebble

#endif // PEBBLE_CONVERSION_PASSES_H

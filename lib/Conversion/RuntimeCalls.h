//===- RuntimeCalls.h - calls of the runtime above LLVM ---------*- C++ -*-===//

#ifndef PEBBLE_LIB_CONVERSION_RUNTIMECALLS_H
#define PEBBLE_LIB_CONVERSION_RUNTIMECALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pebble {

/// Calls a function of the runtime, which is declared in the innermost module
/// around the call where it is not yet. Addresses are passed as `index`.
mlir::func::CallOp callRuntime(mlir::OpBuilder &builder, mlir::Location loc,
                               llvm::StringRef name, mlir::TypeRange results,
                               mlir::ValueRange operands);

/// The address of a memref's first element. Bytes from the start of one memref
/// to the start of another are the runtime's business; here they are one
/// address each.
mlir::Value addressOf(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value memref);

/// Bytes of a contiguous memref.
mlir::Value bytesOf(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value memref);

} // namespace pebble

#endif // PEBBLE_LIB_CONVERSION_RUNTIMECALLS_H

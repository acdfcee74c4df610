//===- Kernels.h - one function per structured operation --------*- C++ -*-===//
//
// Puts a structured operation into a function of its own that is never inlined,
// and shares the function among equal ones. So an operation is compiled once,
// compiles the same wherever the schedule puts it, and a long program is not
// one long function.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_CONVERSION_KERNELS_H
#define PEBBLE_LIB_CONVERSION_KERNELS_H

#include "Ownership.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pebble {

/// On a kernel's function: which of its arguments, as LLVM sees them (a memref
/// is a descriptor spread out), are pointers to memory that no other argument
/// reaches. ConvertToLLVM turns it into `noalias` and `noinline`.
inline constexpr llvm::StringLiteral kKernelAttr = "pebble_kernel";

/// On a part of a function that was divided (DivideFunctions.cpp).
/// ConvertToLLVM turns it into `noinline`: together they would be long again.
inline constexpr llvm::StringLiteral kPartAttr = "pebble_part";

class Kernels {
public:
  explicit Kernels(mlir::ModuleOp module);

  /// Replaces `op` by a call. Returns the operation in the kernel's body if the
  /// kernel is new; null if there was an equal one.
  mlir::linalg::LinalgOp outline(mlir::linalg::LinalgOp op);

private:
  llvm::SmallVector<int64_t> getPrivatePointers(mlir::linalg::LinalgOp op);
  bool areApart(mlir::Value a, mlir::Value b) const;

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  Ownership ownership;
  bool hasTables = false;
  /// By the text of the function.
  llvm::StringMap<mlir::func::FuncOp> kernels;
};

} // namespace pebble

#endif // PEBBLE_LIB_CONVERSION_KERNELS_H

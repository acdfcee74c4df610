//===- Halves.h - what stitching and splitting share ------------*- C++ -*-===//

#ifndef PEBBLE_LIB_TRANSFORMS_HALVES_H
#define PEBBLE_LIB_TRANSFORMS_HALVES_H

#include "pebble/Analysis/Storage.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace pebble {

/// The attributes of argument `argument` of `from` in a function where result i
/// of `from` is result `getResult(i)`. An argument that shares its buffer with
/// a result that is not there is still given away (`pebble.donated`).
mlir::DictionaryAttr carryArgumentAttrs(
    mlir::func::FuncOp from, unsigned argument,
    llvm::function_ref<std::optional<unsigned>(unsigned)> getResult);

/// The operations of the block that belong to the forward half, whose arguments
/// and results are the first of the block. Emits an error and fails if nothing
/// tells the halves apart. Linear in operations and operands.
llvm::FailureOr<llvm::DenseSet<mlir::Operation *>>
divideHalves(const StorageAnalysis &storage, unsigned numArguments,
             unsigned numResults);

/// True for operations that end the life of their operand's storage.
bool isDrop(mlir::Operation *op);

/// Calls `visit` for every value that `op`, or something nested in it, uses.
void forEachUse(mlir::Operation *op,
                llvm::function_ref<void(mlir::Value)> visit);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_HALVES_H

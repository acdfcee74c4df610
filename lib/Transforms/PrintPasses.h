//===- PrintPasses.h - what the print passes share --------------*- C++ -*-===//

#ifndef PEBBLE_LIB_TRANSFORMS_PRINTPASSES_H
#define PEBBLE_LIB_TRANSFORMS_PRINTPASSES_H

#include "pebble/Analysis/Storage.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {

/// Calls `print` with the storages of the entry block of each function under
/// `root` that has a body. A function whose storages are not known, or whose
/// `print` fails, is passed over; then the whole fails in the end.
inline llvm::LogicalResult printEachFunction(
    mlir::Operation *root,
    llvm::function_ref<llvm::LogicalResult(mlir::FunctionOpInterface,
                                           const StorageAnalysis &)>
        print) {
  ProgramContext context;
  bool ok = true;
  root->walk([&](mlir::FunctionOpInterface function) {
    if (function.isExternal())
      return;
    StorageAnalysis storage(function.getFunctionBody().front(), context);
    ok &= succeeded(storage.verify()) && succeeded(print(function, storage));
  });
  return llvm::success(ok);
}

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_PRINTPASSES_H

//===- Entry.h - the function to run, and its module ------------*- C++ -*-===//
//
// A module inside of another is a world of its own: what stands in one cannot
// name the functions of the other. So the module of the function to run is the
// program, and the rest of the file is left out.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_ENTRY_H
#define PEBBLE_TOOLS_PEBBLE_RUN_ENTRY_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {

/// Finds the function called `name`, which is MODULE::FUNCTION for one of a
/// module inside; where `name` is empty, `main`, else the only public function
/// with a body. Functions inside come after those of the module itself.
/// `module` becomes the one that the function stands in. Emits an error if
/// there is no such function.
mlir::FunctionOpInterface takeEntry(mlir::OwningOpRef<mlir::ModuleOp> &module,
                                    llvm::StringRef name);

/// Erases the functions and modules that running `entries` cannot reach: they
/// need not be something that can be lowered.
void eraseUnreachable(mlir::ModuleOp module,
                      llvm::ArrayRef<mlir::FunctionOpInterface> entries);

/// Fails, with an error, if a function without a body is in no library of the
/// process.
llvm::LogicalResult checkExternals(mlir::ModuleOp module);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_ENTRY_H

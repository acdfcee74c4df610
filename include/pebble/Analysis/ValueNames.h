//===- ValueNames.h - what values are called in messages --------*- C++ -*-===//
//
// A value is called by its `pebble.name`, or as its location says, or as in the
// file that was read (%h1), or by its op and the line where that stands. Never
// by a number that a printer would give it: no file has that.
//
// MLIR forgets names when it has parsed a file. They are kept in locations,
// which passes hand on: what is made for a value has its name.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_VALUENAMES_H
#define PEBBLE_ANALYSIS_VALUENAMES_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"

#include <string>

namespace pebble {

/// Notes in the locations of `root`, which was parsed from `text` and is as it
/// was then, what its values are called there. Values whose locations have
/// names that no others have are left as they are. `text` may be bytecode, in
/// which nothing has a name.
void keepNames(mlir::Operation *root, llvm::StringRef text);

/// The same where `text` holds several modules between markers, and `root` was
/// parsed from the one in which its location lies.
void keepNamesOfSplit(mlir::Operation *root, llvm::StringRef text,
                      llvm::StringRef marker);

/// `pebble.name` of the argument or result; empty if it has none.
llvm::StringRef getGivenName(mlir::Value value);

/// The name in `loc`, or that of a value there in the file that was read, or
/// both where several values have the first; empty if it has neither.
/// `result`: which of its op's.
std::string getLocationName(mlir::Location loc, unsigned result = 0);

/// Where `loc` lies, as "train.mlir:12"; empty if that is not known.
std::string getPlace(mlir::Location loc);

/// What people call `value`; never empty.
std::string getValueName(mlir::Value value);

/// What people call `op`: as its location says, or its callee, or by its first
/// result.
std::string getOpName(mlir::Operation *op);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_VALUENAMES_H

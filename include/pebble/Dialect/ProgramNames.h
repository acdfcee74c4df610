//===- ProgramNames.h - what functions are called -------------*- C++ -*-===//
//
// A function's name means something in its own module alone: modules inside of
// the program may have functions of one name. Whatever is known of functions by
// their names (saved plans, reports, costs of calls, files) goes by these.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PROGRAMNAMES_H
#define PEBBLE_DIALECT_PROGRAMNAMES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace pebble {

/// What `function` is called in the program that `outermost` is (null: all that
/// it stands in): its name, and those of the modules inside that it stands in
/// before it, `in::deeper::f`. No two functions of a program are called the
/// same: a module without a name is #N, the N-th of those beside it from 0, and
/// a name that could be taken for a path is written as "a::b" once there are
/// modules inside. A name that is no line of text is written as "a\0Ab".
std::string getProgramName(mlir::FunctionOpInterface function,
                           mlir::Operation *outermost = nullptr);

/// The path of the modules that `op` stands in, with `::` behind it; empty in
/// the outermost module.
std::string getModulePath(mlir::Operation *op,
                          mlir::Operation *outermost = nullptr);

/// `name` as a file name that every system takes; unlike all in `taken`, to
/// which it is added.
std::string getFileName(llvm::StringRef name, llvm::StringSet<> &taken);

} // namespace pebble

#endif // PEBBLE_DIALECT_PROGRAMNAMES_H

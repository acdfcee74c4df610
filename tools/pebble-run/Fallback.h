//===- Fallback.h - what runs where an estimate was wrong -------*- C++ -*-===//
//
// A plan of a function with dynamic dimensions rests on a bound. Whether the
// data keeps to it is known before the run.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_FALLBACK_H
#define PEBBLE_TOOLS_PEBBLE_RUN_FALLBACK_H

#include "Npy.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <map>

namespace pebble {

/// The function to run on `arrays`, data by argument: `entry`, or what its
/// `pebble.fallback` names if a dimension of the data is over the bound there;
/// then a line on stderr says so, and the prediction is made for the largest
/// dimension. Takes the attribute away. Null, after an error, if what it names
/// is no function of the same type.
mlir::FunctionOpInterface
chooseFunction(mlir::ModuleOp module, mlir::FunctionOpInterface entry,
               const std::map<unsigned, NpyArray> &arrays);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_FALLBACK_H

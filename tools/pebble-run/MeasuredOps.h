//===- MeasuredOps.h - single operations as functions -----------*- C++ -*-===//
//
// Takes the operations of a program apart: each kind and shape becomes a
// function of its own that does just that, to be lowered as the program is.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_MEASUREDOPS_H
#define PEBBLE_TOOLS_PEBBLE_RUN_MEASUREDOPS_H

#include "pebble/Target/CostProfile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace pebble {

/// A function that runs one operation.
struct MeasurableOp {
  MeasuredOp what; ///< without times
  mlir::func::FuncOp function;
};

struct MeasurableOps {
  /// Holds the functions, and what they refer to.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<MeasurableOp> ops;
  /// Ops that were left out, by name, with the reason.
  std::vector<std::pair<std::string, std::string>> skipped;
};

/// The operations of all functions of `module` that take time, each kind and
/// shape once. `module` has been through the storage pipeline and is not
/// changed. What an op reads becomes an argument, except for constants; what it
/// overwrites, an argument that it is given; a result of its own is made within
/// the function, as it is in the program.
/// Ops that `known` has are left out.
MeasurableOps takeApart(mlir::ModuleOp module, const CostProfile &known);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_MEASUREDOPS_H

//===- CallEquivalence.h - the same program, calls and all ------*- C++ -*-===//
//
// Compares functions of two modules by what they compute, and looks into what
// they call. The functions that are called may have other names, arguments and
// results, and may be called more or less often.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_CALLEQUIVALENCE_H
#define PEBBLE_PLANNING_CALLEQUIVALENCE_H

#include "pebble/Analysis/ProgramContext.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pebble {

/// Proves that `after` returns what `before` does, and has the same effects in
/// the same order. Both are run symbolically, call by call: equal operations on
/// equal operands are equal, and an operation that is not known to be free of
/// effects is equal only to one before which the same effects happened. Calls
/// of equal functions on equal operands are run once, unless they have effects.
/// Emits an error in `after` and fails where that is not so.
llvm::LogicalResult checkCallEquivalence(mlir::func::FuncOp before,
                                         mlir::func::FuncOp after,
                                         const AnalysisOptions &options);

} // namespace pebble

#endif // PEBBLE_PLANNING_CALLEQUIVALENCE_H

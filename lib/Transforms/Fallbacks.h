//===- Fallbacks.h - what a plan asks of a function -------------*- C++ -*-===//
//
// Why a function can have no plan, and whether it needs another one that runs
// where the sizes that the first one rests on are exceeded.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_FALLBACKS_H
#define PEBBLE_LIB_TRANSFORMS_FALLBACKS_H

#include "pebble/Analysis/ProgramContext.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {

/// Erases what an earlier run of the scheduling pass left for its own plans.
void eraseOldFallbacks(mlir::ModuleOp module);

/// Whether what is planned of `function`, which nobody in the module calls,
/// rests on a size that the run may exceed, and there is a caller outside who
/// decides what to run.
bool needsFallback(mlir::FunctionOpInterface function,
                   const AnalysisOptions &options);

/// A private copy of `function`, in the module that it stands in, that is to
/// run where the plan does not hold.
mlir::FunctionOpInterface cloneForFallback(mlir::FunctionOpInterface function);

/// Nobody knows how deep a recursion goes, so no budget can be promised: emits
/// an error at a call of each circle that `functions` reach, and fails, if
/// there is one.
llvm::LogicalResult
refuseRecursion(llvm::ArrayRef<mlir::Operation *> functions);

/// Says that `other` runs instead of `function` where a dimension is over
/// `dimBound`.
void nameFallback(mlir::FunctionOpInterface function, int64_t dimBound,
                  mlir::StringAttr other);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_FALLBACKS_H

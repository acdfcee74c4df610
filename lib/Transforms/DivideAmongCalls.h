//===- DivideAmongCalls.h - callees in several versions ---------*- C++ -*-===//
//
// Calls of one function may stand where much memory is left, or little. Plans
// callees for several budgets, has each call run the version that makes the
// whole cost least, and leaves a function as it is where that gains nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_DIVIDEAMONGCALLS_H
#define PEBBLE_LIB_TRANSFORMS_DIVIDEAMONGCALLS_H

#include "PlanBlocks.h"

#include "pebble/Planning/RemarkQueue.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SetVector.h"

namespace pebble {

/// What the planner of functions knows, and does.
struct CallPlanner {
  const PlanOptions &blocks;
  const AnalysisOptions &options;
  graph::Limits limits;
  llvm::SetVector<mlir::Operation *> &functions;
  llvm::DenseMap<mlir::Operation *, llvm::SetVector<mlir::Operation *>>
      &callers;
  /// By function: its peak and its cost as it came in, what it may take, and
  /// what it became.
  llvm::DenseMap<mlir::Operation *, int64_t> &inputPeaks, &onceCosts, &budgets;
  llvm::DenseMap<mlir::Operation *, ScheduleOutcome> &outcomes;
  RemarkQueue &remarks;
  /// Plans a function in place: for the least cost within a budget of live
  /// bytes; without one for the fewest live bytes.
  std::function<llvm::LogicalResult(mlir::func::FuncOp, std::optional<int64_t>,
                                    const graph::Limits &)>
      plan;
  /// Says of a function that is planned what it turned out to take.
  std::function<void(mlir::Operation *)> finish;
};

/// Plans those of `linked`, callees before callers, that nobody calls for less
/// than they cost now, with versions of what they call. `originals` are the
/// functions as they came in. What gains nothing by that stays as it is.
void divideAmongCalls(
    const CallPlanner &planner,
    llvm::ArrayRef<mlir::FunctionOpInterface> linked,
    llvm::ArrayRef<mlir::OwningOpRef<mlir::Operation *>> originals);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_DIVIDEAMONGCALLS_H

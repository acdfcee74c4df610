//===- BudgetAdvice.h - what else would reach a budget ----------*- C++ -*-===//
//
// Where a program does not fit its budget, something beside the order and the
// runs of its operations might help: room for results in their operands,
// arguments that are given away, a slower tier. Each is tried on a copy, so
// that an error names what does reach the budget and not what might.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_BUDGETADVICE_H
#define PEBBLE_LIB_TRANSFORMS_BUDGETADVICE_H

#include "PlanFunctions.h"
#include "Refusals.h"

#include "mlir/IR/Diagnostics.h"

#include <chrono>
#include <vector>

namespace pebble {

struct AdviceRequest {
  /// As it came in, below an op that may change, into which copies are put.
  mlir::ModuleOp program;
  mlir::ModuleOp parent;
  /// What was asked for; its limits are what is left of the time.
  FunctionPlanOptions options;
  /// What was taken of it. Advice takes a third as much at most, or two
  /// seconds: whoever waits has the answer already.
  std::chrono::milliseconds searched;
  AnalysisOptions analysis;
  /// Fixes the storages of a copy, as is done before it is planned.
  llvm::function_ref<llvm::LogicalResult(mlir::ModuleOp)> prepare;
};

/// Adds to each of `errors` that is about a budget what was tried, and what of
/// that reaches it.
void adviseOnBudget(llvm::MutableArrayRef<mlir::Diagnostic> errors,
                    const AdviceRequest &request);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_BUDGETADVICE_H

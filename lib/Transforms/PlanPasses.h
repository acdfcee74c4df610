//===- PlanPasses.h - what the passes that plan share -----------*- C++ -*-===//
//
// Ordering and scheduling go the same way: options, peaks as they came in,
// blocks inside of ops, and one attribute that says what was reached.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_PLANPASSES_H
#define PEBBLE_LIB_TRANSFORMS_PLANPASSES_H

#include "PlanSummary.h"

#include "pebble/Analysis/ProgramContext.h"
#include "pebble/Dialect/PebbleDialect.h"
#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Transforms/Passes.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {

/// What is known of a function's blocks together.
struct PlanOutcome {
  game::Status status = game::Status::Optimal;
  int64_t cost = 0, bound = 0, peak = 0, inputPeak = 0;
  std::string solver;
  /// Nanoseconds spent on waiting for transfers, where that is planned.
  std::optional<int64_t> stall;
  /// Of the compute tier, where addresses are planned.
  std::optional<int64_t> extent;
  /// Of a function that was scheduled.
  std::optional<PlanFacts> facts;

  /// The value of `pebble.result`.
  mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context) const;
};

/// The options of the command line, and those that a pass was given besides.
AnalysisOptions getAnalysisOptions(llvm::ArrayRef<std::string> pure,
                                   int64_t dimBound = kNotGiven);

/// The hierarchy that `op` stands under, with measured costs where there are
/// any; null: there is none.
llvm::FailureOr<HierarchyAttr>
getCostedHierarchy(mlir::Operation *op, const AnalysisOptions &options);

/// The most that is live while `function` runs, as it stands. Emits an error
/// and fails where sizes are not known.
llvm::FailureOr<int64_t> getFunctionPeak(mlir::FunctionOpInterface function,
                                         ProgramContext &context);

/// The same of each of `functions` that has a body.
llvm::FailureOr<llvm::DenseMap<mlir::Operation *, int64_t>>
getPeaks(llvm::ArrayRef<mlir::Operation *> functions,
         const AnalysisOptions &options);

/// Calls `visit` for each block that stands in an op of `block` and is planned
/// by itself: not what a structured op or a function holds.
llvm::LogicalResult
forEachInnerBlock(mlir::Block &block,
                  llvm::function_ref<llvm::LogicalResult(mlir::Block &)> visit);

/// Runs `action` and swallows the errors that it emits, not its remarks.
llvm::LogicalResult
runQuietly(mlir::MLIRContext *context,
           llvm::function_ref<llvm::LogicalResult()> action);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_PLANPASSES_H

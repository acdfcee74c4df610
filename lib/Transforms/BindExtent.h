//===- BindExtent.h - budgets of memory that has addresses ------*- C++ -*-===//
//
// A budget is a block of memory, so it is kept when the buffers of a function
// have their places in one. Shared by the passes that plan addresses.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_BINDEXTENT_H
#define PEBBLE_LIB_TRANSFORMS_BINDEXTENT_H

#include "pebble/Dialect/PebbleDialect.h"
#include "pebble/Planning/PlanAddresses.h"
#include "pebble/Solver/Graph/Limits.h"

namespace pebble {

/// Says at its place why `buffers` cannot be placed.
void remarkOnRefusal(mlir::FunctionOpInterface function,
                     const FunctionBuffers &buffers, llvm::StringRef category);

/// Says what each tier takes.
void remarkOnAddresses(mlir::FunctionOpInterface function,
                       const AddressPlan &plan, llvm::StringRef category);

struct ExtentRequest {
  /// Null: one tier without a limit.
  HierarchyAttr hierarchy;
  AnalysisOptions options;
  /// Bytes of the compute tier.
  int64_t budget = 0;
  uint64_t seed = 0;
  /// For all that is planned of the function, however often.
  graph::Limits limits;
  /// Of remarks.
  llvm::StringRef category;
  /// Plan for the fewest live bytes at once.
  bool isLeanest = false;
  /// What the function took as it came in; errors name percents of it.
  int64_t inputPeak = 0;
};

/// What a function is planned for: the most live bytes that it may have, and
/// whether it is to have as few as can be found, whatever that costs.
struct ExtentTry {
  int64_t limit = 0;
  bool isLeanest = false;
  graph::Limits limits;
};

struct PlannedWithin {
  /// Live bytes, at most.
  int64_t peak = 0;
  /// Of the objective.
  int64_t cost = 0;
  /// No schedule within the budget that was asked for costs less.
  bool isOptimal = false;
};
using PlanWithin =
    llvm::function_ref<llvm::FailureOr<PlannedWithin>(const ExtentTry &)>;

struct BoundExtent {
  /// Of the compute tier. Nothing, after a remark, where addresses cannot be
  /// planned: then the budget holds for live bytes.
  std::optional<int64_t> extent;
  /// Which of the plans that succeeded stands in the function, from 0.
  unsigned chosen = 0;
};

/// Plans `function` by `plan`, and writes down addresses within the budget.
/// Where its buffers do not fit as one block, `function` is put back as it was
/// and planned for fewer live bytes, in the end for the fewest; of those that
/// fit the cheapest stays. Emits an error that names a budget which would do,
/// and fails, if nothing is found; fails if `plan` fails the first time.
llvm::FailureOr<BoundExtent> bindExtent(mlir::FunctionOpInterface function,
                                        const ExtentRequest &request,
                                        PlanWithin plan);

/// Puts `function` back as `original` was.
void putBack(mlir::FunctionOpInterface function, mlir::Operation *original);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_BINDEXTENT_H

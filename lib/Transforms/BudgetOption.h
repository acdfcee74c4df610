//===- BudgetOption.h - the budget that a pass is given ---------*- C++ -*-===//
//
// `budget`, `budget-bytes` and `budget-percent` say the same in three ways, so
// at most one of them is given; and what it means for a function.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_BUDGETOPTION_H
#define PEBBLE_LIB_TRANSFORMS_BUDGETOPTION_H

#include "pebble/Solver/Graph/Budget.h"

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"

namespace pebble {

/// What the texts of the options (empty: not given) ask for. Emits an error and
/// fails if one of them is no budget, or more than one is given.
llvm::FailureOr<std::optional<graph::Budget>>
readBudget(mlir::Location loc, llvm::StringRef any, llvm::StringRef bytes,
           llvm::StringRef percent);

/// The same of one `option` that is no least: bytes or percents, none where it
/// is not given or 0.
llvm::FailureOr<std::optional<graph::Budget>>
readLimit(mlir::Location loc, llvm::StringRef option, llvm::StringRef text);

/// The bytes that a function whose peak was `inputPeak` may take: those of
/// `budget`, which is not the least, else what the compute tier holds. Emits an
/// error and fails if there is none, or if the tier holds less.
llvm::FailureOr<int64_t> getBudget(mlir::Operation *function,
                                   std::optional<graph::Budget> budget,
                                   int64_t inputPeak);

/// What the compute tier of `function` holds; none: any number of bytes.
llvm::FailureOr<std::optional<int64_t>> getCapacity(mlir::Operation *function);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_BUDGETOPTION_H

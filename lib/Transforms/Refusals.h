//===- Refusals.h - rewrites that are not proven (private) ------*- C++ -*-===//
//
// A rewrite that nobody has asked for, and that is not proven to leave the
// program the same, is no error of the program. It is given up: the function
// stays as it is, and a remark says what differed.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_REFUSALS_H
#define PEBBLE_LIB_TRANSFORMS_REFUSALS_H

#include "pebble/Planning/PlanSchedule.h"
#include "pebble/Planning/RemarkQueue.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>
#include <string>
#include <vector>

namespace pebble {

/// Takes the errors of this context for as long as it lives.
class HeldErrors {
public:
  explicit HeldErrors(mlir::MLIRContext *context);

  /// What was taken so far, in the order of emission.
  std::vector<mlir::Diagnostic> take() { return std::move(errors); }

private:
  std::vector<mlir::Diagnostic> errors;
  mlir::ScopedDiagnosticHandler handler;
};

/// Why a rewrite is not taken.
struct Refusal {
  mlir::Location loc;
  std::string text;
};

/// Runs `rewrite`, which proves what it does. If it fails, the first error that
/// it emits becomes the refusal, and nobody hears of its errors.
llvm::LogicalResult
runOrRefuse(mlir::MLIRContext *context, std::optional<Refusal> &refusal,
            llvm::function_ref<llvm::LogicalResult()> rewrite);

/// Whether `plan`, of `block` as it stands, is proven to leave it the same
/// program. A copy of the function is tried; the block stays as it is.
bool isProvenOfCopy(mlir::Block &block, SchedulePlan plan,
                    const AnalysisOptions &options);

/// Says what becomes of `function` instead, in a remark `not-proven`.
void remarkOnRefusal(mlir::FunctionOpInterface function, const Refusal &refusal,
                     llvm::StringRef category, llvm::StringRef instead);

/// Says again what of that was said of another plan of `function`: that less
/// was found than what is now planned, and not proven.
void repeatRefusals(mlir::FunctionOpInterface function,
                    llvm::ArrayRef<PlanRemark> said);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_REFUSALS_H

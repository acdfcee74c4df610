//===- Refusals.cpp - rewrites that are not proven ------------------------===//

#include "Refusals.h"

#include "pebble/Dialect/ProgramNames.h"

using namespace mlir;

namespace pebble {

/// The name of the remark on a refusal.
static constexpr llvm::StringLiteral kNotProven = "not-proven";

HeldErrors::HeldErrors(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        errors.push_back(std::move(diagnostic));
        return success();
      }) {}

LogicalResult runOrRefuse(MLIRContext *context, std::optional<Refusal> &refusal,
                          llvm::function_ref<LogicalResult()> rewrite) {
  HeldErrors held(context);
  if (succeeded(rewrite()))
    return success();
  std::vector<Diagnostic> errors = held.take();
  if (errors.empty())
    refusal = {UnknownLoc::get(context), "the rewrite is not proven"};
  else
    refusal = {errors.front().getLocation(), errors.front().str()};
  return failure();
}

void remarkOnRefusal(FunctionOpInterface function, const Refusal &refusal,
                     StringRef category) {
  say(function, {PlanRemark::Missed,
                 refusal.loc,
                 kNotProven.str(),
                 category.str(),
                 "'" + getProgramName(function) +
                     "' stays as it is, for the plan that was found is not "
                     "proven: " +
                     refusal.text,
                 {}});
}

void repeatRefusals(FunctionOpInterface function, ArrayRef<PlanRemark> said) {
  for (const PlanRemark &remark : said)
    if (remark.name == kNotProven)
      say(function, remark);
}

} // namespace pebble

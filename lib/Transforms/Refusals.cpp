//===- Refusals.cpp - rewrites that are not proven ------------------------===//

#include "Refusals.h"

#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Planning/Equivalence.h"

#include "mlir/IR/IRMapping.h"

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

static LogicalResult proveCopy(Block &block, IRMapping &copies,
                               SchedulePlan &plan,
                               const AnalysisOptions &options) {
  ProgramContext context(options);
  auto storage = std::make_unique<StorageAnalysis>(block, context);
  for (FreeUpdate &update : plan.outOfPlace)
    update.result = cast<OpResult>(copies.lookup(update.result));
  for (BlockAction &action : plan.actions)
    if (action.content)
      action.content = copies.lookupOrDefault(action.content);
  if (failed(storage->verify()) ||
      failed(writeOutOfPlace(storage, context, plan)))
    return failure();
  EquivalenceChecker checker(*storage);
  applyActions(*storage, plan.actions);
  return checker.verify();
}

bool isProvenOfCopy(Block &block, SchedulePlan plan,
                    const AnalysisOptions &options) {
  Operation *function = block.getParentOp();
  if (!isa<FunctionOpInterface>(function))
    function = function->getParentOfType<FunctionOpInterface>();
  IRMapping copies;
  Operation *copy = OpBuilder(function).clone(*function, copies);
  std::optional<Refusal> refusal;
  LogicalResult result = runOrRefuse(copy->getContext(), refusal, [&] {
    return proveCopy(*copies.lookup(&block), copies, plan, options);
  });
  copy->erase();
  return succeeded(result);
}

void remarkOnRefusal(FunctionOpInterface function, const Refusal &refusal,
                     StringRef category, StringRef instead) {
  say(function,
      {PlanRemark::Missed,
       refusal.loc,
       kNotProven.str(),
       category.str(),
       "'" + getProgramName(function) + "' " + instead.str() +
           ", for the plan that was found is not proven: " + refusal.text,
       {}});
}

void repeatRefusals(FunctionOpInterface function, ArrayRef<PlanRemark> said) {
  for (const PlanRemark &remark : said)
    if (remark.name == kNotProven)
      say(function, remark);
}

} // namespace pebble

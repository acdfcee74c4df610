//===- PlanPasses.cpp - what the passes that plan share -------------------===//

#include "PlanPasses.h"

#include "pebble/Analysis/AroundBlocks.h"
#include "pebble/Target/CostProfile.h"
#include "pebble/Target/TargetHierarchy.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace pebble {

DictionaryAttr PlanOutcome::toAttribute(MLIRContext *context) const {
  Builder builder(context);
  auto number = [&](int64_t n) { return builder.getI64IntegerAttr(n); };
  SmallVector<NamedAttribute> entries = {
      builder.getNamedAttr("status", builder.getStringAttr(toString(status))),
      builder.getNamedAttr("cost", number(cost)),
      builder.getNamedAttr("bound", number(bound)),
      builder.getNamedAttr("peak_bytes", number(peak)),
      builder.getNamedAttr("input_peak_bytes", number(inputPeak)),
      builder.getNamedAttr("solver", builder.getStringAttr(solver))};
  if (stall)
    entries.push_back(builder.getNamedAttr("stall_ns", number(*stall)));
  if (extent)
    entries.push_back(builder.getNamedAttr("extent_bytes", number(*extent)));
  if (facts)
    entries.push_back(
        builder.getNamedAttr("summary", facts->toAttribute(context)));
  return builder.getDictionaryAttr(entries);
}

AnalysisOptions getAnalysisOptions(ArrayRef<std::string> pure,
                                   int64_t dimBound) {
  AnalysisOptions options = AnalysisOptions::getDefault();
  for (const std::string &name : pure)
    options.pure.insert(name);
  if (dimBound > 0)
    options.dynamicDimBound = dimBound;
  return options;
}

FailureOr<HierarchyAttr> getCostedHierarchy(Operation *op,
                                            const AnalysisOptions &options) {
  FailureOr<HierarchyAttr> hierarchy = getHierarchy(op);
  if (succeeded(hierarchy) && options.costs)
    hierarchy = options.costs->applyTo(*hierarchy);
  return hierarchy;
}

FailureOr<int64_t> getFunctionPeak(FunctionOpInterface function,
                                   ProgramContext &context) {
  FailureOr<std::map<std::string, int64_t>> peaks =
      getBodyPeaks(function.getFunctionBody(), context);
  if (failed(peaks))
    return failure();
  return (*peaks)[""];
}

FailureOr<llvm::DenseMap<Operation *, int64_t>>
getPeaks(ArrayRef<Operation *> functions, const AnalysisOptions &options) {
  ProgramContext context(options);
  llvm::DenseMap<Operation *, int64_t> peaks;
  for (Operation *op : functions) {
    auto function = cast<FunctionOpInterface>(op);
    if (function.isExternal())
      continue;
    FailureOr<int64_t> peak = getFunctionPeak(function, context);
    if (failed(peak))
      return failure();
    peaks[op] = *peak;
  }
  return peaks;
}

LogicalResult
forEachInnerBlock(Block &block,
                  llvm::function_ref<LogicalResult(Block &)> visit) {
  for (Operation &op : block) {
    if (!op.isRegistered() || isa<linalg::LinalgOp, FunctionOpInterface>(op) ||
        op.hasTrait<OpTrait::IsIsolatedFromAbove>())
      continue;
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        if (failed(visit(nested)))
          return failure();
  }
  return success();
}

LogicalResult runQuietly(MLIRContext *context,
                         llvm::function_ref<LogicalResult()> action) {
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() == DiagnosticSeverity::Error);
  });
  return action();
}

} // namespace pebble

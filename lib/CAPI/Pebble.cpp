//===- Pebble.cpp - Pebble for other languages ----------------------------===//

#include "pebble-c/Pebble.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/InitAll.h"
#include "pebble/Transforms/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace pebble;

void pebbleRegisterAllDialects(MlirDialectRegistry registry) {
  registerAllDialects(*unwrap(registry));
}

void pebbleRegisterUpstreamDialects(MlirDialectRegistry registry) {
  registerUpstream(*unwrap(registry));
}

void pebbleRegisterAllPasses(void) { registerAllPasses(); }

/// A pass that fails may leave anything behind, so it works on a copy.
static LogicalResult runOnCopy(ModuleOp module, PassManager &pm) {
  OwningOpRef<ModuleOp> copy = module.clone();
  if (failed(pm.run(*copy)))
    return failure();
  module.getBodyRegion().takeBody(copy->getBodyRegion());
  module->setAttrs(copy.get()->getAttrDictionary());
  return success();
}

MlirLogicalResult pebbleRunPipeline(MlirModule wrapped,
                                    MlirStringRef pipeline) {
  ModuleOp module = unwrap(wrapped);
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  StringRef text = unwrap(pipeline).trim();
  // The whole pipeline may be named with its anchor, as pass managers print it.
  if (text.consume_front("builtin.module(") && !text.consume_back(")")) {
    emitError(module.getLoc()) << "the pipeline has no ')' at its end";
    return wrap(failure());
  }
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(parsePassPipeline(text, pm, os))) {
    emitError(module.getLoc()) << StringRef(message).trim();
    return wrap(failure());
  }
  return wrap(runOnCopy(module, pm));
}

PebblePlanOptions pebblePlanOptionsGetDefault(void) {
  PebblePlanOptions options = {};
  MlirStringRef empty = wrap(StringRef(""));
  options.budget = options.target = options.solver = empty;
  options.objective = PebbleObjectiveRecompute;
  options.means = PebbleMeansRecompute;
  options.outOfPlace = true;
  options.timeLimitMs = -1;
  return options;
}

static ScheduleObjective toObjective(PebbleObjective objective) {
  switch (objective) {
  case PebbleObjectiveRecompute:
    return ScheduleObjective::Recompute;
  case PebbleObjectiveTime:
    return ScheduleObjective::Time;
  case PebbleObjectiveEnergy:
    return ScheduleObjective::Energy;
  }
  llvm_unreachable("no such objective");
}

static ScheduleMeans toMeans(PebbleMeans means) {
  switch (means) {
  case PebbleMeansNone:
    return ScheduleMeans::None;
  case PebbleMeansRecompute:
    return ScheduleMeans::Recompute;
  case PebbleMeansOffload:
    return ScheduleMeans::Offload;
  case PebbleMeansBoth:
    return ScheduleMeans::Both;
  }
  llvm_unreachable("no such means");
}

MlirLogicalResult pebblePlan(MlirModule wrapped, PebblePlanOptions options) {
  ModuleOp module = unwrap(wrapped);
  // Another language may hand over any number.
  if (unsigned(options.objective) > PebbleObjectiveEnergy ||
      unsigned(options.means) > PebbleMeansBoth) {
    emitError(module.getLoc()) << "no such objective or means";
    return wrap(failure());
  }
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  if (StringRef target = unwrap(options.target); !target.empty()) {
    AttachTargetPassOptions attach;
    attach.preset = target.str();
    pm.addPass(createAttachTargetPass(attach));
  }
  SchedulePassOptions schedule;
  schedule.budget = unwrap(options.budget).str();
  schedule.objective = toObjective(options.objective);
  schedule.means = toMeans(options.means);
  schedule.solver = unwrap(options.solver).str();
  schedule.outOfPlace = options.outOfPlace;
  schedule.seed = options.seed;
  if (options.timeLimitMs >= 0)
    schedule.timeLimitMs = std::to_string(options.timeLimitMs);
  pm.addPass(createSchedulePass(schedule));
  return wrap(runOnCopy(module, pm));
}

bool pebbleGetPlanResult(MlirOperation function, PebblePlanResult *result) {
  auto entries = unwrap(function)->getAttrOfType<DictionaryAttr>(attr::kResult);
  auto summary =
      entries ? entries.getAs<DictionaryAttr>("summary") : DictionaryAttr();
  if (!summary)
    return false;
  auto read = [](DictionaryAttr from, StringRef name, int64_t otherwise = 0) {
    auto number = from.getAs<IntegerAttr>(name);
    return number ? number.getInt() : otherwise;
  };
  auto status = entries.getAs<StringAttr>("status");
  auto solver = entries.getAs<StringAttr>("solver");
  *result = {};
  result->isOptimal = status && status.getValue() == "optimal";
  result->cost = read(entries, "cost");
  result->bound = read(entries, "bound");
  result->onceCost = read(summary, "once_cost");
  result->peakBytes = read(entries, "peak_bytes");
  result->inputPeakBytes = read(entries, "input_peak_bytes");
  result->extentBytes = read(entries, "extent_bytes", -1);
  result->keptValues = read(summary, "kept_values");
  result->keptBytes = read(summary, "kept_bytes");
  result->recomputedValues = read(summary, "recomputed_values");
  result->recomputedBytes = read(summary, "recomputed_bytes");
  result->movedValues = read(summary, "moved_values");
  result->movedBytes = read(summary, "moved_bytes");
  result->outOfPlaceValues = read(summary, "out_of_place_values");
  result->outOfPlaceBytes = read(summary, "out_of_place_bytes");
  result->solver = wrap(solver ? solver.getValue() : StringRef(""));
  return true;
}

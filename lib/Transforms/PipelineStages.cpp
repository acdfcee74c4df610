//===- PipelineStages.cpp - the pass pebble-pipeline-stages ---------------===//
//
// Has the stages found, the pipeline planned, and its programs written. What is
// written is measured; where a rank takes more than its budget, the plan is
// made again for that much less. The program of all ranks is proven to compute
// what the micro-batches compute one after the other.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "BudgetOption.h"
#include "OptionRange.h"
#include "PlanPasses.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/CallEquivalence.h"
#include "pebble/Planning/PlanLimits.h"
#include "pebble/Planning/WriteStages.h"
#include "pebble/Solver/Pipeline/PipelineSolvers.h"
#include "pebble/Target/CostProfile.h"
#include "pebble/Target/TargetHierarchy.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

namespace pebble {
#define GEN_PASS_DEF_PIPELINESTAGESPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

/// Plans that are made before a budget is given up.
static constexpr unsigned kMostPlans = 5;

namespace {
struct PipelineStagesPass
    : pebble::impl::PipelineStagesPassBase<PipelineStagesPass> {
  using PipelineStagesPassBase::PipelineStagesPassBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  /// What the module becomes.
  struct Written {
    OwningOpRef<ModuleOp> module;
    func::FuncOp whole;
    SmallVector<func::FuncOp> ranks;
    /// By rank.
    SmallVector<int64_t> peaks;
    int64_t wholePeak = 0;
  };

  LogicalResult run();
  LogicalResult readOptions();
  FailureOr<CallTreePrices> getPrices();
  FailureOr<Written> plan();
  /// Without `withRanks` the program of all ranks alone, not measured.
  FailureOr<Written> write(const pipeline::Tasks &tasks,
                           const pipeline::Timing &timing,
                           bool withRanks = true);
  FailureOr<SmallVector<int64_t>> measure(ModuleOp module,
                                          ArrayRef<func::FuncOp> functions);
  LogicalResult prove(Written &written);
  LogicalResult take(Written written);
  InFlightDiagnostic refuse(const pipeline::Answer &found);

  AnalysisOptions options;
  pipeline::Options search;
  std::optional<int64_t> most;
  std::string stepName;
  unsigned numRanks = 0;
  pipeline::Pipeline stages;
  pipeline::Answer answer;
};
} // namespace

LogicalResult PipelineStagesPass::readOptions() {
  Location loc = getOperation().getLoc();
  options = getAnalysisOptions(pure, /*dimBound=*/0);
  constexpr int64_t kMost = pipeline::kMostTasks;
  if (failed(checkRange(loc, ranks, 0, 1, kMost)) ||
      failed(checkRange(loc, microBatches, 1, 1, kMost)) ||
      failed(checkRange(loc, rank, -1, 0, kMost)) ||
      failed(checkRange(loc, latency, 0, 0)) ||
      failed(checkRange(loc, seed, 0, 0)) || failed(options.readCosts(loc)))
    return failure();
  if (!(bandwidth >= 0))
    return emitError(loc, "'bandwidth' takes a number from 0, got ")
           << std::to_string(bandwidth);
  FailureOr<std::optional<graph::Budget>> read =
      readLimit(loc, "budget", budget);
  if (failed(read))
    return failure();
  if (*read && (*read)->kind != graph::Budget::Kind::Units)
    return emitError(loc, "the budget of a rank is a number of bytes");
  if (*read)
    most = (*read)->amount;
  FailureOr<graph::Limits> limits = getPlanLimits(loc, timeLimitMs, "");
  if (failed(limits))
    return failure();
  search.limits = *limits;
  search.solver = solver;
  search.seed = seed;
  search.mayRecompute = means == ScheduleMeans::Recompute;
  return success();
}

FailureOr<CallTreePrices> PipelineStagesPass::getPrices() {
  FailureOr<HierarchyAttr> hierarchy =
      getCostedHierarchy(getOperation(), options);
  if (failed(hierarchy))
    return failure();
  return CallTreePrices{objective, CacheModel::Lru, *hierarchy};
}

/// `name`, or one like it that no symbol of `module` has.
static std::string getFreeName(ModuleOp module, std::string name) {
  while (module.lookupSymbol(name))
    name += "_";
  return name;
}

FailureOr<PipelineStagesPass::Written>
PipelineStagesPass::write(const pipeline::Tasks &tasks,
                          const pipeline::Timing &timing, bool withRanks) {
  Written written;
  written.module = getOperation().clone();
  ModuleOp module = *written.module;
  ProgramContext context(options);
  FailureOr<AdjointCalls> calls = AdjointCalls::find(module, context);
  if (failed(calls))
    return failure();
  FailureOr<StagedStep> step = StagedStep::find(module, *calls, context);
  if (failed(step))
    return failure();
  StageWriter writer(*step, *calls, options, numRanks, microBatches);
  written.whole = writer.writeWhole(getFreeName(module, stepName + ".whole"),
                                    tasks, timing);
  if (!withRanks)
    return written;
  for (unsigned each = 0; each < numRanks; ++each) {
    FailureOr<func::FuncOp> function = writer.writeRank(
        getFreeName(module, stepName + "." + std::to_string(each)), each);
    if (failed(function))
      return failure();
    written.ranks.push_back(*function);
  }
  SmallVector<func::FuncOp> measured(written.ranks);
  measured.push_back(written.whole);
  FailureOr<SmallVector<int64_t>> peaks = measure(module, measured);
  if (failed(peaks))
    return failure();
  written.wholePeak = peaks->pop_back_val();
  written.peaks = std::move(*peaks);
  return written;
}

/// The peaks of functions of `module` as they will run: with the copies that
/// calls and results need.
FailureOr<SmallVector<int64_t>>
PipelineStagesPass::measure(ModuleOp module, ArrayRef<func::FuncOp> functions) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager passes(copy->getContext());
  passes.addPass(createDecomposePass());
  passes.addPass(createMaterializeStoragePass());
  if (failed(passes.run(*copy)))
    return failure();
  ProgramContext context(options);
  SmallVector<int64_t> peaks;
  for (func::FuncOp function : functions) {
    FailureOr<int64_t> peak = getFunctionPeak(
        copy->lookupSymbol<func::FuncOp>(function.getName()), context);
    if (failed(peak))
      return failure();
    peaks.push_back(*peak);
  }
  return peaks;
}

InFlightDiagnostic PipelineStagesPass::refuse(const pipeline::Answer &found) {
  auto function = getOperation().lookupSymbol<func::FuncOp>(stepName);
  InFlightDiagnostic diagnostic = function.emitError();
  if (found.status == game::Status::Infeasible)
    diagnostic << "no schedule of the pipeline keeps to the budget of ";
  else
    diagnostic << "no schedule of the pipeline was found within the budget of ";
  diagnostic << most.value_or(0) << " bytes for each rank";
  return diagnostic;
}

FailureOr<PipelineStagesPass::Written> PipelineStagesPass::plan() {
  if (most)
    stages.budgets.assign(numRanks, *most);
  std::optional<int64_t> least;
  for (unsigned i = 0; i < kMostPlans; ++i) {
    answer = pipeline::solve(stages, search);
    if (!game::isAnswered(answer.status))
      break;
    const pipeline::Timing timing =
        pipeline::play(stages, answer.tasks, /*keepTimes=*/true);
    if (!timing.verdict.ok())
      return getOperation().emitError("internal error: the schedule of the "
                                      "pipeline was refused: ")
             << timing.verdict.message;
    FailureOr<Written> written = write(answer.tasks, timing);
    if (failed(written))
      return failure();
    const int64_t peak = *llvm::max_element(written->peaks);
    if (!most || peak <= *most)
      return written;
    least = std::min(least.value_or(peak), peak);
    // What the estimate left out.
    for (unsigned each = 0; each < numRanks; ++each)
      stages.budgets[each] -=
          std::max<int64_t>(0, written->peaks[each] - *most);
  }
  InFlightDiagnostic diagnostic = refuse(answer);
  if (least)
    diagnostic << "; a plan of " << *least << " bytes was written";
  return diagnostic;
}

LogicalResult PipelineStagesPass::prove(Written &written) {
  // One micro-batch after the other, with all tapes.
  pipeline::Options plain = search;
  plain.solver = "one-by-one";
  pipeline::Pipeline free = stages;
  free.budgets.clear();
  const pipeline::Answer given = pipeline::solve(free, plain);
  const pipeline::Timing timing =
      pipeline::play(free, given.tasks, /*keepTimes=*/true);
  FailureOr<Written> before = write(given.tasks, timing, /*withRanks=*/false);
  if (failed(before))
    return failure();
  return checkCallEquivalence(before->whole, written.whole, options);
}

/// Erases private functions that nobody names any more.
static void eraseUnused(ModuleOp module) {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function.isPrivate() &&
          SymbolTable::symbolKnownUseEmpty(function, module)) {
        function.erase();
        isChanged = true;
      }
  }
}

LogicalResult PipelineStagesPass::take(Written written) {
  ModuleOp module = *written.module;
  func::FuncOp kept =
      rank < 0 ? written.whole : written.ranks[static_cast<size_t>(rank)];
  module.lookupSymbol(stepName)->erase();
  for (func::FuncOp function : written.ranks)
    if (function != kept)
      function.erase();
  if (kept != written.whole)
    written.whole.erase();
  kept.setName(stepName);
  eraseUnused(module);
  PlanOutcome outcome;
  outcome.status = answer.status;
  outcome.cost = answer.cost;
  outcome.bound = answer.bound;
  outcome.solver = "pipeline-" + answer.solver;
  outcome.peak =
      rank < 0 ? written.wholePeak : written.peaks[static_cast<size_t>(rank)];
  outcome.inputPeak = outcome.peak;
  kept->setAttr(attr::kResult, outcome.toAttribute(&getContext()));
  Block &body = *getOperation().getBody(), &other = *module.getBody();
  body.clear();
  body.getOperations().splice(body.end(), other.getOperations());
  return success();
}

/// Whoever names the step would call something else afterwards.
static LogicalResult checkIsUnused(func::FuncOp function, ModuleOp module) {
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, module);
  if (!uses)
    return function.emitError("operations of unknown dialects may name this "
                              "step, whose type changes");
  if (!uses->empty())
    return uses->begin()->getUser()->emitError("this names '@")
           << function.getName()
           << "', which becomes the program of all micro-batches or of a rank";
  return success();
}

LogicalResult PipelineStagesPass::run() {
  if (failed(readOptions()))
    return failure();
  FailureOr<CallTreePrices> prices = getPrices();
  if (failed(prices))
    return failure();
  {
    OwningOpRef<ModuleOp> copy = getOperation().clone();
    ProgramContext context(options);
    FailureOr<AdjointCalls> calls = AdjointCalls::find(*copy, context);
    if (failed(calls))
      return failure();
    FailureOr<StagedStep> step = StagedStep::find(*copy, *calls, context);
    if (failed(step) || failed(checkIsUnused(step->function, *copy)))
      return failure();
    stepName = step->function.getName().str();
    const int64_t numStages = step->stages.size();
    numRanks = ranks ? ranks : numStages;
    if (numRanks > numStages)
      return step->function.emitError()
             << numRanks << " ranks for " << numStages
             << " stages: each rank needs one";
    if (rank >= static_cast<int64_t>(numRanks))
      return step->function.emitError()
             << "there is no rank " << rank.getValue() << " among " << numRanks;
    StageWriter writer(*step, *calls, options, numRanks, microBatches);
    FailureOr<pipeline::Pipeline> found =
        writer.buildPipeline(*prices, {latency, bandwidth});
    if (failed(found))
      return failure();
    stages = std::move(*found);
    if (game::Verdict verdict = pipeline::check(stages); !verdict.ok())
      return step->function.emitError() << verdict.message;
    if (std::string why = pipeline::refusal(stages, search); !why.empty())
      return step->function.emitError() << why;
  }
  FailureOr<Written> written = plan();
  if (failed(written) || failed(prove(*written)))
    return failure();
  return take(std::move(*written));
}

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
#include "StepSymbols.h"

#include "pebble/Analysis/AroundBlocks.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/CallEquivalence.h"
#include "pebble/Planning/PlanLimits.h"
#include "pebble/Planning/WriteStages.h"
#include "pebble/Solver/Pipeline/PipelineSolvers.h"
#include "pebble/Target/CostProfile.h"
#include "pebble/Target/OutputFile.h"
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
  /// Bytes of the compute tier, and of the one below.
  struct Peaks {
    int64_t fast = 0, slow = 0;
  };
  /// What the module becomes.
  struct Written {
    OwningOpRef<ModuleOp> module;
    func::FuncOp whole;
    SmallVector<func::FuncOp> ranks;
    /// By rank, and of all together.
    SmallVector<Peaks> peaks;
    Peaks wholePeaks;
  };

  LogicalResult run();
  LogicalResult readOptions();
  LogicalResult checkRankOptions(graph::Limits &limits);
  FailureOr<CallTreePrices> getPrices();
  LogicalResult findSlowTier(HierarchyAttr hierarchy);
  struct Plan {
    Written written;
    pipeline::Answer answer;
  };
  /// What the stages take, with the gradients of weights in the backward tasks
  /// or as tasks of their own.
  struct Form {
    bool isSplit = false;
    pipeline::Pipeline stages;
  };
  /// What was planned, and what is known where nothing was.
  struct Search {
    std::optional<Plan> best;
    pipeline::Answer failed;
    /// Of what was written, the fewest bytes.
    std::optional<int64_t> least;
    /// No schedule is faster; of all forms and all that is allowed.
    std::optional<int64_t> bound;
    /// Of the last search.
    int64_t lastBound = 0;
    bool isProven() const { return best && best->answer.cost <= *bound; }
  };
  LogicalResult findForms();
  FailureOr<pipeline::Pipeline> build(const CallTreePrices &prices,
                                      bool isSplit);
  LogicalResult checkStep(StagedStep &step, ModuleOp module);
  FailureOr<std::optional<Plan>> planWith(const Form &form,
                                          const pipeline::Options &means,
                                          std::optional<int64_t> bytes,
                                          unsigned tries, Search &state);
  LogicalResult planAll(Search &state);
  LogicalResult planWithLess(Search &state);
  FailureOr<Written> plan();
  /// Without `withRanks` the program of all ranks alone, not measured.
  FailureOr<Written> write(const pipeline::Tasks &tasks,
                           const pipeline::Timing &timing, bool isSplit,
                           bool withRanks = true);
  FailureOr<SmallVector<Peaks>> measure(ModuleOp module,
                                        ArrayRef<func::FuncOp> functions);
  LogicalResult checkCapacity(const Peaks &peaks);
  LogicalResult prove(Written &written);
  LogicalResult take(Written written);
  LogicalResult keepProgram(ModuleOp module, const Written &written,
                            int64_t number);
  LogicalResult writeRankFiles(const Written &written);
  InFlightDiagnostic refuse(const pipeline::Answer &found);

  AnalysisOptions options;
  pipeline::Options search;
  std::optional<int64_t> most;
  std::string stepName;
  unsigned numRanks = 0;
  /// Null: tapes stay. A capacity of 0 is none.
  AtAttr slowTier;
  int64_t slowCapacity = 0;
  SmallVector<Form> forms;
  pipeline::Answer answer;
};
} // namespace

LogicalResult PipelineStagesPass::readOptions() {
  Location loc = getOperation().getLoc();
  options = getAnalysisOptions(pure);
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
  if (failed(limits) || failed(checkRankOptions(*limits)))
    return failure();
  search.limits = *limits;
  search.solver = solver;
  search.seed = seed;
  search.triesLess = false;
  search.mayRecompute =
      means == ScheduleMeans::Recompute || means == ScheduleMeans::Both;
  search.mayOffload =
      means == ScheduleMeans::Offload || means == ScheduleMeans::Both;
  return success();
}

/// Each rank's program is from a run of its own, or all are from one. In runs
/// of their own all plan alike, so no clock may cut a search off.
LogicalResult PipelineStagesPass::checkRankOptions(graph::Limits &limits) {
  Location loc = getOperation().getLoc();
  if (!rankFiles.getValue().empty() &&
      !StringRef(rankFiles.getValue()).contains("%r"))
    return emitError(loc, "'rank-files' takes a name with %r, which is the "
                          "rank, got ")
           << rankFiles.getValue();
  if (rank < 0 || !rankFiles.getValue().empty())
    return success();
  if (limits.isTimed())
    return emitError(loc, "'time-limit-ms' and 'rank' do not go together: "
                          "where a clock ends the search, each rank may get "
                          "another plan; 'rank-files' writes the programs of "
                          "all ranks from one plan");
  FailureOr<graph::Limits> untimed = getPlanLimits(loc, "0", "");
  if (failed(untimed))
    return failure();
  limits = *untimed;
  return success();
}

FailureOr<CallTreePrices> PipelineStagesPass::getPrices() {
  FailureOr<HierarchyAttr> hierarchy =
      getCostedHierarchy(getOperation(), options);
  if (failed(hierarchy))
    return failure();
  if (search.mayOffload && failed(findSlowTier(*hierarchy)))
    return failure();
  return CallTreePrices{objective, CacheModel::Lru, *hierarchy};
}

/// Tapes that move away go to the tier below the compute tier.
LogicalResult PipelineStagesPass::findSlowTier(HierarchyAttr hierarchy) {
  Location loc = getOperation().getLoc();
  if (!hierarchy)
    hierarchy = getDefaultHierarchy(&getContext());
  const size_t index = hierarchy.getComputeTierIndex() + 1;
  if (index == hierarchy.getTiers().size())
    return emitError(loc, "tapes cannot be offloaded: no tier is slower than "
                          "the compute tier '")
           << hierarchy.getComputeTier().getName() << "'";
  TierAttr tier = hierarchy.getTiers()[index];
  if (objective == ScheduleObjective::Time && tier.getBandwidth() == 0)
    return emitError(loc, "a time objective needs the bandwidth of the tier "
                          "that tapes are moved to; tier '")
           << tier.getName() << "' has none";
  slowTier = AtAttr::get(&getContext(), tier.getName());
  slowCapacity = tier.getCapacity();
  return success();
}

FailureOr<PipelineStagesPass::Written>
PipelineStagesPass::write(const pipeline::Tasks &tasks,
                          const pipeline::Timing &timing, bool isSplit,
                          bool withRanks) {
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
  StageWriter writer(*step, *calls, options, numRanks, microBatches, slowTier);
  if (isSplit && failed(writer.splitWeights()))
    return failure();
  written.whole = writer.writeWhole(getFreeName(module, stepName + ".whole"),
                                    tasks, timing);
  if (!withRanks)
    return written;
  auto writeRank = [&](unsigned each, bool ahead) {
    return writer.writeRank(
        getFreeName(module, stepName + "." + std::to_string(each)), each,
        ahead);
  };
  for (unsigned each = 0; each < numRanks; ++each) {
    FailureOr<func::FuncOp> function = writeRank(each, /*ahead=*/true);
    if (failed(function))
      return failure();
    written.ranks.push_back(*function);
  }
  SmallVector<func::FuncOp> measured(written.ranks);
  measured.push_back(written.whole);
  FailureOr<SmallVector<Peaks>> peaks = measure(module, measured);
  if (failed(peaks))
    return failure();
  written.wholePeaks = peaks->pop_back_val();
  written.peaks = std::move(*peaks);
  // Where that has no room messages come in when they are read.
  for (unsigned each = 0; most && each < numRanks; ++each) {
    if (written.peaks[each].fast <= *most)
      continue;
    written.ranks[each].erase();
    written.ranks[each] = *writeRank(each, /*ahead=*/false);
    FailureOr<SmallVector<Peaks>> again = measure(module, written.ranks[each]);
    if (failed(again))
      return failure();
    written.peaks[each] = again->front();
  }
  return written;
}

/// The peaks of functions of `module` as they will run: with the copies that
/// calls and results need.
FailureOr<SmallVector<PipelineStagesPass::Peaks>>
PipelineStagesPass::measure(ModuleOp module, ArrayRef<func::FuncOp> functions) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager passes(copy->getContext());
  passes.addPass(createDecomposePass());
  passes.addPass(createMaterializeStoragePass());
  if (failed(passes.run(*copy)))
    return failure();
  ProgramContext context(options);
  SmallVector<Peaks> peaks;
  for (func::FuncOp function : functions) {
    auto written = copy->lookupSymbol<func::FuncOp>(function.getName());
    FailureOr<std::map<std::string, int64_t>> found =
        getBodyPeaks(written.getBody(), context);
    if (failed(found))
      return failure();
    peaks.push_back(
        {(*found)[""], slowTier ? (*found)[slowTier.getTier().str()] : 0});
  }
  return peaks;
}

/// Of the program that is kept.
LogicalResult PipelineStagesPass::checkCapacity(const Peaks &peaks) {
  if (slowCapacity == 0 || peaks.slow <= slowCapacity)
    return success();
  return getOperation().lookupSymbol(stepName)->emitError()
         << "tapes that were moved away take " << peaks.slow
         << " bytes of tier '" << slowTier.getTier() << "', which holds "
         << slowCapacity;
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

/// Plans with what `means` allow, writes and measures, until what is written
/// keeps to the budget: for `bytes` first, and then for what is left of them,
/// `tries` times in all. Nothing if it never does, or is no faster than the
/// best.
FailureOr<std::optional<PipelineStagesPass::Plan>>
PipelineStagesPass::planWith(const Form &form, const pipeline::Options &means,
                             std::optional<int64_t> bytes, unsigned tries,
                             Search &state) {
  pipeline::Pipeline limited = form.stages;
  if (bytes)
    limited.budgets.assign(numRanks, *bytes);
  std::optional<int64_t> bound;
  for (unsigned i = 0; i < tries; ++i) {
    pipeline::Options now = means;
    // The next one needs time, too.
    if (bytes && now.limits.isTimed())
      now.limits = now.limits.part(2);
    pipeline::Answer found = pipeline::solve(limited, now);
    // Later ones speak of smaller budgets.
    bound = bound.value_or(found.bound);
    state.lastBound = *bound;
    if (!game::isAnswered(found.status)) {
      state.failed = std::move(found);
      break;
    }
    if (state.best && found.cost >= state.best->answer.cost)
      break;
    const pipeline::Timing timing =
        pipeline::play(limited, found.tasks, /*keepTimes=*/true);
    if (!timing.verdict.ok())
      return emitError(getOperation().getLoc(),
                       "internal error: the schedule of the "
                       "pipeline was refused: ")
             << timing.verdict.message;
    FailureOr<Written> written = write(found.tasks, timing, form.isSplit);
    if (mlir::failed(written))
      return failure();
    int64_t peak = 0;
    for (const Peaks &peaks : written->peaks)
      peak = std::max(peak, peaks.fast);
    if (!most || peak <= *most)
      return std::optional<Plan>({std::move(*written), std::move(found)});
    state.least = std::min(state.least.value_or(peak), peak);
    // What the estimate left out.
    for (unsigned each = 0; each < numRanks; ++each)
      limited.budgets[each] -=
          std::max<int64_t>(0, written->peaks[each].fast - *most);
  }
  return std::optional<Plan>();
}

/// The best with what is allowed, and with less than that: more means are no
/// dearer. Of the forms each is tried.
LogicalResult PipelineStagesPass::planAll(Search &state) {
  for (auto [again, away] :
       {std::pair(true, true), {true, false}, {false, true}, {false, false}}) {
    if ((again && !search.mayRecompute) || (away && !search.mayOffload))
      continue;
    pipeline::Options means = search;
    means.mayRecompute = again;
    means.mayOffload = away;
    // A bound speaks of all that is allowed.
    const bool isFirst =
        again == search.mayRecompute && away == search.mayOffload;
    for (const Form &form : forms) {
      FailureOr<std::optional<Plan>> next =
          planWith(form, means, most, kMostPlans, state);
      if (failed(next))
        return failure();
      if (isFirst)
        state.bound =
            std::min(state.bound.value_or(state.lastBound), state.lastBound);
      if (*next)
        state.best = std::move(*next);
    }
    if (state.isProven())
      break;
  }
  return success();
}

/// What is planned for fewer bytes does for more, and may be faster: searches
/// are no proof. Each has random choices of its own.
/// pipeline::solve() does the same by what it counts; here what is written is
/// measured.
LogicalResult PipelineStagesPass::planWithLess(Search &state) {
  pipeline::Options means = search;
  for (int64_t bytes :
       pipeline::findSmallerBudgets(forms.front().stages, *most)) {
    ++means.seed;
    for (const Form &form : forms) {
      if (state.isProven() || search.limits.isOver())
        return success();
      pipeline::Pipeline smaller = form.stages;
      smaller.budgets.assign(numRanks, bytes);
      if (state.best &&
          pipeline::boundOnMakespan(smaller, search) >= state.best->answer.cost)
        continue;
      FailureOr<std::optional<Plan>> next =
          planWith(form, means, bytes, kMostPlans, state);
      if (failed(next))
        return failure();
      if (*next)
        state.best = std::move(*next);
    }
  }
  return success();
}

FailureOr<PipelineStagesPass::Written> PipelineStagesPass::plan() {
  Search state;
  if (failed(planAll(state)) ||
      (most && search.solver.empty() && failed(planWithLess(state))))
    return failure();
  if (state.best) {
    answer = std::move(state.best->answer);
    answer.bound = *state.bound;
    answer.status = answer.cost <= answer.bound ? game::Status::Optimal
                                                : game::Status::Feasible;
    return std::move(state.best->written);
  }
  InFlightDiagnostic diagnostic = refuse(state.failed);
  if (state.least)
    diagnostic << "; a plan of " << *state.least << " bytes was written";
  return diagnostic;
}

LogicalResult PipelineStagesPass::prove(Written &written) {
  // One micro-batch after the other, with all tapes.
  pipeline::Options plain = search;
  plain.solver = "one-by-one";
  pipeline::Pipeline free = forms.front().stages;
  free.budgets.clear();
  const pipeline::Answer given = pipeline::solve(free, plain);
  const pipeline::Timing timing =
      pipeline::play(free, given.tasks, /*keepTimes=*/true);
  FailureOr<Written> before = write(given.tasks, timing, /*isSplit=*/false,
                                    /*withRanks=*/false);
  if (failed(before))
    return failure();
  return checkCallEquivalence(before->whole, written.whole, options);
}

/// Makes the program of rank `number`, or of all ranks (-1), the step of
/// `module`, which is `written`'s or a copy of it.
LogicalResult PipelineStagesPass::keepProgram(ModuleOp module,
                                              const Written &written,
                                              int64_t number) {
  const bool isWhole = number < 0;
  const size_t place = isWhole ? 0 : static_cast<size_t>(number);
  const Peaks peaks = isWhole ? written.wholePeaks : written.peaks[place];
  if (failed(checkCapacity(peaks)))
    return failure();
  auto find = [&](func::FuncOp function) {
    return module.lookupSymbol<func::FuncOp>(function.getName());
  };
  SmallVector<func::FuncOp> all(llvm::map_range(written.ranks, find));
  all.push_back(find(written.whole));
  func::FuncOp kept = isWhole ? all.back() : all[place];
  module.lookupSymbol(stepName)->erase();
  for (func::FuncOp function : all)
    if (function != kept)
      function.erase();
  kept.setName(stepName);
  eraseUnused(module);
  PlanOutcome outcome;
  outcome.status = answer.status;
  outcome.cost = answer.cost;
  outcome.bound = answer.bound;
  outcome.solver = "pipeline-" + answer.solver;
  outcome.peak = peaks.fast;
  outcome.inputPeak = outcome.peak;
  kept->setAttr(attr::kResult, outcome.toAttribute(&getContext()));
  return success();
}

LogicalResult PipelineStagesPass::writeRankFiles(const Written &written) {
  for (unsigned each = 0; each < numRanks; ++each) {
    OwningOpRef<ModuleOp> copy = (*written.module).clone();
    if (failed(keepProgram(*copy, written, each)))
      return failure();
    std::string text, name = rankFiles.getValue();
    for (size_t at; (at = name.find("%r")) != std::string::npos;)
      name.replace(at, 2, std::to_string(each));
    llvm::raw_string_ostream os(text);
    copy->print(os);
    os << '\n';
    if (std::string why = writeWholeFile(name, text); !why.empty())
      return emitError(getOperation().getLoc(), "cannot write the program of ")
             << "rank " << each << " to '" << name << "': " << why;
  }
  return success();
}

LogicalResult PipelineStagesPass::take(Written written) {
  if (!rankFiles.getValue().empty() && failed(writeRankFiles(written)))
    return failure();
  ModuleOp module = *written.module;
  if (failed(keepProgram(module, written, rank)))
    return failure();
  Block &body = *getOperation().getBody(), &other = *module.getBody();
  body.clear();
  body.getOperations().splice(body.end(), other.getOperations());
  return success();
}

LogicalResult PipelineStagesPass::checkStep(StagedStep &step, ModuleOp module) {
  if (failed(checkIsUnused(step.function, module)))
    return failure();
  stepName = step.function.getName().str();
  const int64_t numStages = step.stages.size();
  numRanks = ranks ? ranks : numStages;
  if (numRanks > numStages)
    return step.function.emitError() << numRanks << " ranks for " << numStages
                                     << " stages: each rank needs one";
  if (rank >= static_cast<int64_t>(numRanks))
    return step.function.emitError()
           << "there is no rank " << rank.getValue() << " among " << numRanks;
  return success();
}

/// What the stages take, and whether the step makes sense.
FailureOr<pipeline::Pipeline>
PipelineStagesPass::build(const CallTreePrices &prices, bool isSplit) {
  OwningOpRef<ModuleOp> copy = getOperation().clone();
  ProgramContext context(options);
  FailureOr<AdjointCalls> calls = AdjointCalls::find(*copy, context);
  if (failed(calls))
    return failure();
  FailureOr<StagedStep> step = StagedStep::find(*copy, *calls, context);
  if (failed(step) || failed(checkStep(*step, *copy)))
    return failure();
  StageWriter writer(*step, *calls, options, numRanks, microBatches, slowTier);
  if (isSplit && failed(writer.splitWeights()))
    return failure();
  FailureOr<pipeline::Pipeline> found =
      writer.buildPipeline(prices, {latency, bandwidth});
  if (failed(found))
    return failure();
  if (game::Verdict verdict = pipeline::check(*found); !verdict.ok())
    return step->function.emitError() << verdict.message;
  if (std::string why = pipeline::refusal(*found, search); !why.empty())
    return step->function.emitError() << why;
  return found;
}

LogicalResult PipelineStagesPass::findForms() {
  FailureOr<CallTreePrices> prices = getPrices();
  if (failed(prices))
    return failure();
  for (bool isSplit : {false, true}) {
    if (isSplit && !splitWeights)
      continue;
    FailureOr<pipeline::Pipeline> found = build(*prices, isSplit);
    if (failed(found))
      return failure();
    forms.push_back({isSplit, std::move(*found)});
  }
  return success();
}

LogicalResult PipelineStagesPass::run() {
  forms.clear();
  if (failed(readOptions()) || failed(findForms()))
    return failure();
  FailureOr<Written> written = plan();
  if (failed(written) || failed(prove(*written)))
    return failure();
  return take(std::move(*written));
}

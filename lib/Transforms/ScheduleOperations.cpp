//===- ScheduleOperations.cpp - the pass pebble-schedule -------------------===//
//
// Reads the options and fixes storages; PlanFunctions.h does the rest.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "BudgetAdvice.h"
#include "BudgetOption.h"
#include "Fallbacks.h"
#include "OptionRange.h"
#include "PlaceBoundaries.h"
#include "PlanFunctions.h"

#include "pebble/Analysis/Remarks.h"
#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/PlanAddresses.h"
#include "pebble/Planning/PlanLimits.h"
#include "pebble/Solver/Portfolio/RematSolvers.h"
#include "pebble/Target/CostProfile.h"
#include "pebble/Target/Inverses.h"
#include "pebble/Target/TargetHierarchy.h"
#include "pebble/Transforms/MaterializeStorage.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <set>

namespace pebble {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
struct SchedulePass : pebble::impl::SchedulePassBase<SchedulePass> {
  using SchedulePassBase::SchedulePassBase;

  void runOnOperation() override {
    const auto start = graph::Limits::Clock::now();
    AnalysisOptions options = getAnalysisOptions(pure, dimBound);
    if (!costs.empty())
      options.costsFile = costs;
    eraseAllAddresses(getOperation());
    FunctionPlanOptions wanted;
    PlanScope scope;
    wanted.scope = &scope;
    if (failed(readOptions(wanted)) ||
        failed(options.readCosts(getOperation()->getLoc())))
      return signalPassFailure();
    const bool isLeast = wanted.budget && wanted.budget->isLeast();
    (void)hasFunctions(getOperation(), getArgument());
    OwningOpRef<ModuleOp> original;
    if (!isLeast)
      original = getOperation().clone();
    std::vector<Diagnostic> errors;
    bool isPlanned = false;
    {
      HeldErrors held(&getContext());
      isPlanned = succeeded(prepare(getOperation(), options));
      if (isPlanned && options.costs) {
        warnOfConflicts(*options.costs);
        warnOfOtherCosts(options);
      }
      isPlanned = isPlanned && succeeded(planModule(wanted, options));
      errors = held.take();
    }
    if (isPlanned)
      return;
    signalPassFailure();
    if (original)
      adviseOnBudget(errors,
                     {*original, getOperation(), wanted,
                      std::chrono::duration_cast<std::chrono::milliseconds>(
                          graph::Limits::Clock::now() - start),
                      options,
                      [&](ModuleOp copy) { return prepare(copy, options); }});
    for (Diagnostic &error : errors)
      getContext().getDiagEngine().emit(std::move(error));
  }

private:
  LogicalResult prepare(ModuleOp module, const AnalysisOptions &options) {
    if (failed(placeBoundaries(module)))
      return failure();
    mergeCollectives(module);
    // What an op needs inside must stand in the program, and what is written in
    // place must not depend on the order any more.
    OpPassManager decompose(module->getName());
    decompose.addPass(createDecomposePass());
    if (failed(runPipeline(decompose, module)) ||
        failed(materializeStorage(module, options)))
      return failure();
    module->walk([](FunctionOpInterface function) {
      for (Block &block : function.getFunctionBody())
        eraseTensorDrops(block);
    });
    eraseOldFallbacks(module);
    return success();
  }

  /// A machine that was measured to be another one than the program says.
  void warnOfConflicts(const CostProfile &profile) {
    std::set<std::string> said;
    getOperation()->walk([&](FunctionOpInterface function) {
      FailureOr<HierarchyAttr> hierarchy = getHierarchy(function);
      if (failed(hierarchy))
        return;
      for (const std::string &text : profile.findConflicts(*hierarchy))
        if (said.insert(text).second)
          emitWarning(getOperation().getLoc()) << text;
    });
  }

  /// Costs of another program: nothing here was measured.
  void warnOfOtherCosts(const AnalysisOptions &options) {
    const CostProfile &profile = *options.costs;
    if (profile.getOps().empty())
      return;
    bool isKnown = false, isAny = false;
    OpCostModel model({options.dynamicDimBound});
    getOperation()->walk([&](FunctionOpInterface function) {
      for (Block &block : function.getFunctionBody())
        for (Operation &op : block) {
          if (isKnown || isMoveOrMark(&op) ||
              model.estimate(&op).getWork() == 0)
            continue;
          isAny = true;
          isKnown = profile.contains(OpSignature::get(&op));
        }
    });
    if (isAny && !isKnown)
      emitWarning(getOperation().getLoc())
          << "no operation of this program was measured in '"
          << options.costsFile
          << "'; all times are scaled from those of other operations";
  }

  LogicalResult planModule(const FunctionPlanOptions &wanted,
                           const AnalysisOptions &options) {
    ProgramContext context(options);
    return planFunctions(getOperation(), wanted, context);
  }

  /// A search may take hours, and its plans are lost where their file is.
  LogicalResult checkPlanFile() {
    if (savePlan.empty())
      return success();
    StringRef path = savePlan, folder = llvm::sys::path::parent_path(path);
    if (folder.empty())
      folder = ".";
    if (std::error_code error =
            llvm::sys::fs::access(llvm::sys::fs::exists(path) ? path : folder,
                                  llvm::sys::fs::AccessMode::Write))
      return emitError(getOperation()->getLoc())
             << "cannot write the plan '" << path << "': " << error.message();
    return success();
  }

  LogicalResult readOptions(FunctionPlanOptions &wanted) {
    Location loc = getOperation()->getLoc();
    FailureOr<std::optional<graph::Budget>> read =
        readBudget(loc, budget, budgetBytes, budgetPercent);
    FailureOr<graph::Limits> limits =
        getPlanLimits(loc, timeLimitMs, memoryLimit);
    if (inversion && failed(checkDeclaredInverses(getOperation())))
      return failure();
    if (failed(read) || failed(limits) || failed(checkPlanFile()) ||
        failed(checkRange(loc, dimBound, kNotGiven, 1)))
      return failure();
    if (std::string refusal = graph::unknownSolver(solver); !refusal.empty())
      return emitError(loc) << refusal;
    wanted.budget = *read;
    wanted.limits = *limits;
    wanted.plan = plan;
    wanted.savePlan = savePlan;
    PlanOptions &blocks = wanted.blocks;
    blocks.objective = objective;
    blocks.cacheModel = cacheModel;
    blocks.means = means;
    blocks.solver = solver;
    blocks.seed = seed;
    blocks.outOfPlace = outOfPlace;
    blocks.greedyPacking = greedyPacking;
    blocks.forms = {derivedForms, inversion};
    blocks.keepsPlans = !plan.empty() || !savePlan.empty();
    blocks.category = getArgument();
    return success();
  }
};
} // namespace

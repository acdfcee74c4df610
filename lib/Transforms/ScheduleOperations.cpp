//===- ScheduleOperations.cpp - the pass pebble-schedule -------------------===//
//
// Reads the options and fixes storages; PlanFunctions.h does the rest.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "BudgetOption.h"
#include "Fallbacks.h"
#include "OptionRange.h"
#include "PlaceBoundaries.h"
#include "PlanFunctions.h"

#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/PlanAddresses.h"
#include "pebble/Planning/PlanLimits.h"
#include "pebble/Solver/Portfolio/RematSolvers.h"
#include "pebble/Transforms/MaterializeStorage.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"

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
    AnalysisOptions options = getAnalysisOptions(pure, dimBound);
    if (!costs.empty())
      options.costsFile = costs;
    eraseAllAddresses(getOperation());
    FunctionPlanOptions wanted;
    PlanScope scope;
    wanted.scope = &scope;
    if (failed(readOptions(wanted)) ||
        failed(options.readCosts(getOperation()->getLoc())) ||
        failed(placeBoundaries(getOperation())))
      return signalPassFailure();
    // What an op needs inside must stand in the program, and what is written in
    // place must not depend on the order any more.
    OpPassManager decompose(getOperation()->getName());
    decompose.addPass(createDecomposePass());
    if (failed(runPipeline(decompose, getOperation())) ||
        failed(materializeStorage(getOperation(), options)))
      return signalPassFailure();
    getOperation()->walk([](FunctionOpInterface function) {
      for (Block &block : function.getFunctionBody())
        eraseTensorDrops(block);
    });
    eraseOldFallbacks(getOperation());
    ProgramContext context(std::move(options));
    if (failed(planFunctions(getOperation(), wanted, context)))
      signalPassFailure();
  }

private:
  LogicalResult readOptions(FunctionPlanOptions &wanted) {
    Location loc = getOperation()->getLoc();
    FailureOr<std::optional<graph::Budget>> read =
        readBudget(loc, budget, budgetBytes, budgetPercent);
    FailureOr<graph::Limits> limits =
        getPlanLimits(loc, timeLimitMs, memoryLimit);
    if (failed(read) || failed(limits) ||
        failed(checkRange(loc, dimBound, 0, 1)))
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
    blocks.derivedForms = derivedForms;
    blocks.keepsPlans = !plan.empty() || !savePlan.empty();
    blocks.category = getArgument();
    return success();
  }
};
} // namespace

//===- PlanAddresses.cpp - passes that plan addresses ---------------------===//

#include "BindExtent.h"
#include "PlanPasses.h"
#include "TimeShares.h"

#include "pebble/Analysis/BufferTables.h"
#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/Remarks.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleDialect.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Planning/PlanAddresses.h"
#include "pebble/Planning/PlanLimits.h"
#include "pebble/Target/OutputFile.h"
#include "pebble/Transforms/MaterializeStorage.h"
#include "pebble/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"

namespace pebble {
#define GEN_PASS_DEF_PLANADDRESSESPASS
#define GEN_PASS_DEF_RENEWADDRESSESPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
struct PlanAddressesPass
    : pebble::impl::PlanAddressesPassBase<PlanAddressesPass> {
  using PlanAddressesPassBase::PlanAddressesPassBase;

  void runOnOperation() override {
    AnalysisOptions options = getAnalysisOptions(pure);
    Location loc = getOperation().getLoc();
    PlanScope scope;
    FailureOr<graph::Limits> limits =
        getPlanLimits(loc, timeLimitMs, memoryLimit);
    if (failed(limits))
      return signalPassFailure();
    eraseAllAddresses(getOperation());
    OpPassManager decompose(getOperation()->getName());
    decompose.addPass(createDecomposePass());
    if (failed(runPipeline(decompose, getOperation())) ||
        failed(materializeStorage(getOperation(), options)))
      return signalPassFailure();
    ProgramContext context(std::move(options));
    times = TimeShares(*limits, getPlanningWeight(getOperation()));
    taken.clear();
    (void)hasFunctions(getOperation(), getArgument());
    bool isGood = true;
    llvm::SetVector<Operation *> functions = getCalleesFirst(getOperation());
    leaveBufferTables(functions, getArgument());
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal() && functions.contains(function))
        isGood &= succeeded(plan(function, context));
    });
    if (!isGood)
      signalPassFailure();
  }

private:
  /// Of the time that there is for all.
  TimeShares times;
  /// Names of tables.
  llvm::StringSet<> taken;

  LogicalResult plan(FunctionOpInterface function, ProgramContext &context) {
    FunctionBuffers found = collectBuffers(function, context);
    if (!found.refusal.empty()) {
      remarkOnRefusal(function, found, getArgument());
      return success();
    }
    AddressRequest request;
    request.seed = seed;
    request.limits = times.next(getPlanningWeight(function));
    AddressPlan plan = planAddresses(found.buffers, request);
    writeAddresses(function, found.buffers, plan);
    remarkOnAddresses(function, plan, getArgument());
    return tables.empty() ? success() : writeTables(function, found, plan);
  }

  LogicalResult writeTables(FunctionOpInterface function,
                            const FunctionBuffers &found,
                            const AddressPlan &plan) {
    for (const TierBuffers &tier : splitByTier(found.buffers)) {
      std::vector<int64_t> offsets;
      for (size_t index : tier.indices)
        offsets.push_back(plan.offsets[index]);
      std::string path =
          tables + "/" +
          getFileName(getProgramName(function) + "." + tier.tier, taken) +
          ".csv";
      const std::string error =
          writeWholeFile(path, addresses::writeCsv(tier.buffers, offsets));
      if (!error.empty())
        return emitError(function->getLoc())
               << "cannot write '" << path << "': " << error;
    }
    return success();
  }
};

struct RenewAddressesPass
    : pebble::impl::RenewAddressesPassBase<RenewAddressesPass> {
  using RenewAddressesPassBase::RenewAddressesPassBase;

  void runOnOperation() override {
    ProgramContext context(getAnalysisOptions(pure));
    bool isGood = true, isFound = false;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (function.isExternal() || !hasAddresses(function))
        return;
      isFound = true;
      isGood &= succeeded(renew(function, context));
    });
    if (!isFound)
      remarkOnNothing(getOperation(), getArgument(),
                      "no function has pebble.extent, which planning addresses "
                      "leaves");
    if (!isGood)
      signalPassFailure();
  }

private:
  LogicalResult renew(FunctionOpInterface function, ProgramContext &context) {
    FunctionBuffers found = collectBuffers(function, context);
    auto before = function->getAttrOfType<DictionaryAttr>(attr::kExtent);
    switch (judgeAddresses(function, found)) {
    case AddressState::Hold:
      return success();
    case AddressState::HoldForOthers:
      restateAddresses(function, found.buffers);
      break;
    case AddressState::Wrong:
      return failure();
    case AddressState::Outdated:
      eraseAddresses(function);
      if (!found.refusal.empty()) {
        remarkOnRefusal(function, found, getArgument());
        break;
      }
      AddressPlan plan = planAddresses(found.buffers);
      writeAddresses(function, found.buffers, plan);
      remarkOnAddresses(function, plan, getArgument());
      warnOfGrowth(function, before, plan);
    }
    restateResult(function);
    return success();
  }

  /// Writes the extent as it is now into what a schedule says of it.
  static void restateResult(FunctionOpInterface function) {
    auto result = function->getAttrOfType<DictionaryAttr>(attr::kResult);
    if (!result || !result.contains("extent_bytes"))
      return;
    StringRef tier = "default";
    if (HierarchyAttr hierarchy = lookupHierarchy(function))
      tier = hierarchy.getComputeTier().getName();
    NamedAttrList entries(result);
    entries.erase("extent_bytes");
    if (auto extents = function->getAttrOfType<DictionaryAttr>(attr::kExtent)) {
      auto extent = extents.getAs<IntegerAttr>(tier);
      entries.set("extent_bytes",
                  extent ? extent
                         : Builder(function.getContext()).getI64IntegerAttr(0));
    }
    function->setAttr(attr::kResult,
                      entries.getDictionary(function.getContext()));
  }

  /// A budget may have rested on what was planned.
  static void warnOfGrowth(FunctionOpInterface function, DictionaryAttr before,
                           const AddressPlan &plan) {
    for (const TierExtent &tier : plan.tiers) {
      auto extent = before.getAs<IntegerAttr>(tier.tier);
      int64_t planned = extent ? extent.getInt() : 0;
      if (tier.extent > planned)
        function->emitWarning("the buffers in tier '")
            << tier.tier << "' take " << tier.extent
            << " bytes as one block, and " << planned
            << " were planned: the function has changed since";
    }
  }
};
} // namespace

//===- PlanAddresses.cpp - the pass pebble-plan-addresses -----------------===//

#include "BindExtent.h"
#include "PlanPasses.h"

#include "pebble/Dialect/PebbleDialect.h"
#include "pebble/Planning/PlanAddresses.h"
#include "pebble/Transforms/MaterializeStorage.h"
#include "pebble/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

namespace pebble {
#define GEN_PASS_DEF_PLANADDRESSESPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
struct PlanAddressesPass
    : pebble::impl::PlanAddressesPassBase<PlanAddressesPass> {
  using PlanAddressesPassBase::PlanAddressesPassBase;

  void runOnOperation() override {
    AnalysisOptions options = getAnalysisOptions(pure, /*dimBound=*/0);
    eraseAllAddresses(getOperation());
    OpPassManager decompose(getOperation()->getName());
    decompose.addPass(createDecomposePass());
    if (failed(runPipeline(decompose, getOperation())) ||
        failed(materializeStorage(getOperation(), options)))
      return signalPassFailure();
    ProgramContext context(std::move(options));
    bool isGood = true;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        isGood &= succeeded(plan(function, context));
    });
    if (!isGood)
      signalPassFailure();
  }

private:
  LogicalResult plan(FunctionOpInterface function, ProgramContext &context) {
    FunctionBuffers found = collectBuffers(function, context);
    if (!found.refusal.empty()) {
      remarkOnRefusal(found, getArgument());
      return success();
    }
    AddressRequest request;
    request.seed = seed;
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
          tables + "/" + function.getName().str() + "." + tier.tier + ".csv";
      std::error_code error;
      llvm::raw_fd_ostream os(path, error);
      if (!error)
        os << addresses::writeCsv(tier.buffers, offsets);
      if (error)
        return emitError(function->getLoc())
               << "cannot write '" << path << "': " << error.message();
    }
    return success();
  }
};
} // namespace

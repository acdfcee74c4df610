//===- BindExtent.cpp - budgets of memory that has addresses --------------===//

#include "BindExtent.h"

#include "pebble/Dialect/Placement.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace pebble {

void remarkOnRefusal(const FunctionBuffers &buffers, StringRef category) {
  auto remark =
      remark::missed(*buffers.refusedAt,
                     remark::RemarkOpts::name("addresses").category(category));
  if (remark)
    remark << "addresses are not planned: " + buffers.refusal;
}

void remarkOnAddresses(FunctionOpInterface function, const AddressPlan &plan,
                       StringRef category) {
  using Metric = remark::detail::Remark::Arg;
  for (const TierExtent &tier : plan.tiers) {
    auto remark = remark::passed(
        function->getLoc(),
        remark::RemarkOpts::name("addresses").category(category));
    if (!remark)
      return;
    remark << "the buffers in tier '" + tier.tier + "' take " +
                  std::to_string(tier.extent) + " bytes as one block, " +
                  std::to_string(tier.peak) + " are live at one time" +
                  (tier.extent == tier.bound
                       ? std::string()
                       : "; no placement takes less than " +
                             std::to_string(tier.bound))
           << Metric("Extent", tier.extent) << Metric("Peak", tier.peak)
           << Metric("Bound", tier.bound);
  }
}

namespace {
class ExtentBinder {
public:
  ExtentBinder(FunctionOpInterface function, const ExtentRequest &request,
               llvm::function_ref<FailureOr<int64_t>(int64_t)> plan)
      : function(function), request(request), plan(plan),
        original(function->clone()) {
    if (request.hierarchy)
      computeTier = request.hierarchy.getComputeTier().getName().str();
  }

  FailureOr<std::optional<int64_t>> run() {
    int64_t limit = request.budget;
    for (int round = 0; round < kRounds && limit > 0; ++round) {
      FailureOr<int64_t> peak = round ? planAgain(limit) : plan(limit);
      if (failed(peak)) {
        if (round)
          break;
        return failure();
      }
      ProgramContext context(request.options);
      FunctionBuffers found = collectBuffers(function, context);
      if (!found.refusal.empty()) {
        remarkOnRefusal(found, request.category);
        return std::optional<int64_t>();
      }
      AddressPlan addresses = place(found.buffers);
      if (failed(checkSlowTiers(addresses)))
        return failure();
      const TierExtent *tier = addresses.getTier(computeTier);
      int64_t extent = tier ? tier->extent : 0;
      if (extent <= request.budget) {
        writeAddresses(function, found.buffers, addresses);
        remarkOnAddresses(function, addresses, request.category);
        return std::optional(extent);
      }
      if (!best || extent < best->extent)
        best = *tier;
      // What lies unused between buffers is not there for live bytes; fewer of
      // them leave no less unused.
      limit =
          std::min(limit, *peak) - (extent - request.budget) / 2 * (round + 2);
      remarkOnRound(*tier, limit);
    }
    return report();
  }

private:
  FailureOr<int64_t> planAgain(int64_t limit) {
    OwningOpRef<Operation *> copy = original->clone();
    function.getFunctionBody().takeBody(
        cast<FunctionOpInterface>(*copy).getFunctionBody());
    // That nothing fits a budget that nobody asked for is no error.
    ScopedDiagnosticHandler quiet(function->getContext(),
                                  [](Diagnostic &) { return success(); });
    return plan(limit);
  }

  AddressPlan place(const std::vector<FunctionBuffer> &buffers) const {
    AddressRequest wanted;
    wanted.seed = request.seed;
    AddressPlan quick = planAddresses(buffers, wanted);
    const TierExtent *tier = quick.getTier(computeTier);
    if (!tier || tier->extent <= request.budget || tier->bound > request.budget)
      return quick;
    wanted.effort *= 4;
    wanted.tier = computeTier;
    wanted.enough = request.budget;
    return planAddresses(buffers, wanted);
  }

  LogicalResult checkSlowTiers(const AddressPlan &addresses) const {
    for (const TierExtent &tier : addresses.tiers) {
      TierAttr known =
          request.hierarchy ? request.hierarchy.getTier(tier.tier) : TierAttr();
      if (known && tier.tier != computeTier && known.isBounded() &&
          tier.extent > known.getCapacity())
        return emitError(function->getLoc())
               << "tier '" << tier.tier << "' holds " << known.getCapacity()
               << " bytes; what is planned there takes " << tier.extent
               << " bytes as one block, of which " << tier.peak
               << " are live at one time";
    }
    return success();
  }

  void remarkOnRound(const TierExtent &tier, int64_t limit) const {
    auto remark = remark::missed(
        function->getLoc(),
        remark::RemarkOpts::name("extent").category(request.category));
    if (remark)
      remark << "a schedule with " + std::to_string(tier.peak) +
                    " live bytes takes " + std::to_string(tier.extent) +
                    " bytes as one block (no placement takes less than " +
                    std::to_string(tier.bound) + "), over the budget of " +
                    std::to_string(request.budget) +
                    "; the next one may have " + std::to_string(limit);
  }

  LogicalResult report() const {
    InFlightDiagnostic error =
        emitError(function->getLoc())
        << "no addresses were found in the budget of " << request.budget
        << " bytes: the schedule that comes closest has " << best->peak
        << " live bytes, which take " << best->extent << " bytes as one block";
    if (best->bound > request.budget)
      error << " (no placement takes less than " << best->bound << ")";
    return error;
  }

  /// How often a function is planned at most.
  static constexpr int kRounds = 4;

  FunctionOpInterface function;
  const ExtentRequest &request;
  llvm::function_ref<FailureOr<int64_t>(int64_t)> plan;
  OwningOpRef<Operation *> original;
  std::string computeTier = "default";
  /// Of the compute tier, with the least extent.
  std::optional<TierExtent> best;
};
} // namespace

FailureOr<std::optional<int64_t>>
bindExtent(FunctionOpInterface function, const ExtentRequest &request,
           llvm::function_ref<FailureOr<int64_t>(int64_t)> plan) {
  return ExtentBinder(function, request, plan).run();
}

} // namespace pebble

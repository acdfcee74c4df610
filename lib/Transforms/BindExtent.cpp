//===- BindExtent.cpp - budgets of memory that has addresses --------------===//

#include "BindExtent.h"

#include "PlanPasses.h"
#include "TimeShares.h"

#include "pebble/Dialect/Placement.h"
#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Planning/RemarkQueue.h"
#include "pebble/Planning/Shortage.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;

namespace pebble {

void putBack(FunctionOpInterface function, Operation *original) {
  OwningOpRef<Operation *> copy = original->clone();
  function.getFunctionBody().takeBody(
      cast<FunctionOpInterface>(*copy).getFunctionBody());
  function->setAttrs(original->getAttrDictionary());
}

void remarkOnRefusal(FunctionOpInterface function,
                     const FunctionBuffers &buffers, StringRef category) {
  say(function, {PlanRemark::Missed,
                 *buffers.refusedAt,
                 "addresses",
                 category.str(),
                 "addresses are not planned: " + buffers.refusal,
                 {}});
}

void remarkOnAddresses(FunctionOpInterface function, const AddressPlan &plan,
                       StringRef category) {
  for (const TierExtent &tier : plan.tiers)
    say(function,
        {PlanRemark::Passed,
         function->getLoc(),
         "addresses",
         category.str(),
         "the buffers in tier '" + tier.tier + "' take " +
             std::to_string(tier.extent) + " bytes as one block, " +
             std::to_string(tier.peak) + " are live at one time" +
             (tier.extent == tier.bound ? std::string()
                                        : "; no placement takes less than " +
                                              std::to_string(tier.bound)) +
             (tier.limited ? "; the time limit ended the search" : ""),
         {{"Extent", tier.extent},
          {"Peak", tier.peak},
          {"Bound", tier.bound}}});
}

namespace {
class ExtentBinder {
public:
  ExtentBinder(FunctionOpInterface function, const ExtentRequest &request,
               PlanWithin plan)
      : function(function), request(request), planWithin(plan),
        original(function->clone()) {
    if (request.hierarchy)
      computeTier = request.hierarchy.getComputeTier().getName().str();
  }

  FailureOr<BoundExtent> run() {
    if (request.isLeanest)
      return planLeanest();
    int64_t limit = request.budget;
    for (int round = 0; round < kRounds && limit > 0; ++round) {
      startRound(round);
      if (failed(plan(limit))) {
        if (round)
          break;
        return failure();
      }
      if (Settled settled = settle(); settled != Settled::Over)
        return round && settled == Settled::Yes ? fill(limit)
                                                : getAnswer(settled);
      // What lies unused between buffers is not there for live bytes; fewer of
      // them leave no less unused.
      tooMany = std::min(limit, planned.peak);
      limit = tooMany - (last.extent - request.budget) / 2 * (round + 2);
    }
    // What an error names must be found when it is asked for, so the schedule
    // of fewest live bytes has the last word.
    std::optional<int64_t> leanest;
    limits = afterInterrupt(request.limits);
    if (succeeded(plan(request.budget, /*isLeanest=*/true))) {
      if (Settled settled = settle(); settled != Settled::Over)
        return getAnswer(settled);
      leanest = last.extent;
    }
    return report(leanest);
  }

private:
  FailureOr<BoundExtent> planLeanest() {
    limits = request.limits;
    if (failed(plan(request.budget, /*isLeanest=*/true)))
      return failure();
    Settled settled = settle();
    if (settled == Settled::Over)
      return report(last.extent);
    return getAnswer(settled);
  }

  /// A schedule within `limit` has its addresses. Looks halfway between it and
  /// the fewest live bytes that did not fit for one that costs less: steps from
  /// one schedule to the next are wide where buffers are large.
  FailureOr<BoundExtent> fill(int64_t limit) {
    FilledPlan cheapest{function->clone(), planned, {extent, tries - 1}};
    const int64_t enough = std::max<int64_t>(1, request.budget / kFinestPart);
    for (int round = 0; round < kFillRounds; ++round) {
      if (cheapest.plan.isOptimal || tooMany - limit <= enough ||
          request.limits.isInterrupted())
        break;
      startRound(round + 1);
      const int64_t middle = limit + (tooMany - limit) / 2;
      if (failed(plan(middle)))
        break;
      Settled settled = Settled::Failed;
      // One fits already, so that this one does not is no error.
      (void)runQuietly(function->getContext(), [&] {
        settled = settle();
        return success();
      });
      if (settled == Settled::Failed)
        break;
      if (settled == Settled::Over) {
        tooMany = std::min(middle, planned.peak);
        continue;
      }
      limit = middle;
      if (planned.cost < cheapest.plan.cost)
        cheapest = {function->clone(), planned, {extent, tries - 1}};
    }
    putBack(function, *cheapest.function);
    return cheapest.answer;
  }

  /// Where there are addresses to be planned, the first round leaves half of
  /// the time, and the others two thirds each, to those that follow: the
  /// fewest live bytes have the last word and need time for it.
  void startRound(int round) {
    limits = afterInterrupt(request.limits);
    if (round)
      limits = limits.part(3);
    else if (mayHaveAddresses())
      limits = limits.part(2);
  }

  bool mayHaveAddresses() const {
    ProgramContext context(request.options);
    return collectBuffers(function, context).refusal.empty();
  }

  /// What planning may take of a round: one part in ten is for addresses.
  graph::Limits getPlanLimits() const { return limits.share(9, 10); }

  /// Plans the function as it was given; `planned` is then what it takes.
  LogicalResult plan(int64_t limit, bool isLeanest = false) {
    ExtentTry next{limit, isLeanest, getPlanLimits()};
    FailureOr<PlannedWithin> found =
        isPlanned ? planAgain(next) : planWithin(next);
    isPlanned = true;
    if (failed(found))
      return failure();
    planned = *found;
    ++tries;
    return success();
  }

  FailureOr<PlannedWithin> planAgain(const ExtentTry &next) {
    putBack(function, *original);
    // That nothing fits a budget that nobody asked for is no error.
    ScopedDiagnosticHandler quiet(
        function->getContext(), [](Diagnostic &diagnostic) {
          return success(diagnostic.getSeverity() == DiagnosticSeverity::Error);
        });
    return planWithin(next);
  }

  enum class Settled { Yes, Over, Failed };

  /// Places the buffers of what was planned: `extent` is then the answer. Over:
  /// they take more than the budget, as `last` says.
  Settled settle() {
    ProgramContext context(request.options);
    FunctionBuffers found = collectBuffers(function, context);
    if (!found.refusal.empty()) {
      remarkOnRefusal(function, found, request.category);
      extent = std::nullopt;
      return Settled::Yes;
    }
    AddressPlan addresses = place(found.buffers);
    if (failed(checkSlowTiers(addresses)))
      return Settled::Failed;
    const TierExtent *tier = addresses.getTier(computeTier);
    extent = tier ? tier->extent : 0;
    if (*extent <= request.budget) {
      writeAddresses(function, found.buffers, addresses);
      remarkOnAddresses(function, addresses, request.category);
      return Settled::Yes;
    }
    last = *tier;
    if (!best || last.extent < best->extent)
      best = last;
    return Settled::Over;
  }

  FailureOr<BoundExtent> getAnswer(Settled settled) const {
    if (settled == Settled::Failed)
      return failure();
    return BoundExtent{extent, tries - 1};
  }

  AddressPlan place(const std::vector<FunctionBuffer> &buffers) const {
    AddressRequest wanted;
    wanted.seed = request.seed;
    wanted.limits = limits;
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

  /// `leanest`: the extent of the schedule of fewest live bytes. A budget of
  /// that is met whatever cheaper schedules then take.
  LogicalResult report(std::optional<int64_t> leanest) {
    InFlightDiagnostic error =
        emitError(function->getLoc())
        << "no addresses were found in the budget of " << request.budget
        << " bytes: the schedule that comes closest has " << best->peak
        << " live bytes, which take " << best->extent << " bytes as one block";
    if (best->bound > request.budget)
      error << " (no placement takes less than " << best->bound << ")";
    const int64_t needed = leanest.value_or(best->extent);
    error << "; the smallest feasible budget found is " << needed << " bytes";
    describeShortage(
        *error.getUnderlyingDiagnostic(),
        {StringAttr::get(function->getContext(), getProgramName(function)),
         request.budget, request.inputPeak, needed});
    return error;
  }

  /// How often a function is planned at most, before it is planned for the
  /// fewest live bytes.
  static constexpr int kRounds = 4;
  /// How often a cheaper schedule is looked for once one fits.
  static constexpr int kFillRounds = 3;
  /// One part in so many of the budget is not worth another round.
  static constexpr int64_t kFinestPart = 64;

  /// A schedule that has its addresses.
  struct FilledPlan {
    OwningOpRef<Operation *> function;
    PlannedWithin plan;
    BoundExtent answer;
  };

  FunctionOpInterface function;
  const ExtentRequest &request;
  PlanWithin planWithin;
  OwningOpRef<Operation *> original;
  std::string computeTier = "default";
  /// Of the planning under way.
  graph::Limits limits;
  /// What stands in the function, how many plans did so far, and whether any
  /// was asked for.
  PlannedWithin planned;
  unsigned tries = 0;
  bool isPlanned = false;
  /// The fewest live bytes of a schedule whose buffers took too much.
  int64_t tooMany = 0;
  /// Of the compute tier; none: it has no addresses.
  std::optional<int64_t> extent;
  /// Of the compute tier: of the last schedule that took too much, and of the
  /// one with the least extent.
  TierExtent last;
  std::optional<TierExtent> best;
};
} // namespace

FailureOr<BoundExtent> bindExtent(FunctionOpInterface function,
                                  const ExtentRequest &request,
                                  PlanWithin plan) {
  return ExtentBinder(function, request, plan).run();
}

} // namespace pebble

//===- BudgetOption.cpp - the budget that a pass is given -----------------===//

#include "BudgetOption.h"

#include "pebble/Target/TargetHierarchy.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

namespace pebble {

/// A whole order is all that a share can be of.
static constexpr int64_t kHundredPercent = 100000;

static FailureOr<graph::Budget>
readOne(Location loc, StringRef option, StringRef text,
        std::optional<graph::Budget> (*parse)(const std::string &),
        const char *forms) {
  std::optional<graph::Budget> budget = parse(text.str());
  if (!budget)
    return emitError(loc) << "'" << option << "' takes " << forms << ", got "
                          << text;
  bool isPercent = budget->kind == graph::Budget::Kind::Percent;
  if (!budget->isLeast() && budget->amount == 0)
    return emitError(loc) << "'" << option << "' must be above 0, got " << text;
  if (isPercent && budget->amount > kHundredPercent)
    return emitError(loc) << "'" << option << "' takes at most 100%, got "
                          << text;
  return *budget;
}

FailureOr<std::optional<graph::Budget>>
readBudget(Location loc, StringRef any, StringRef bytes, StringRef percent) {
  if (!any.empty() + !bytes.empty() + !percent.empty() > 1)
    return emitError(loc, "give one of budget, budget-bytes and "
                          "budget-percent, not two");
  FailureOr<graph::Budget> read = failure();
  if (!any.empty())
    read = readOne(loc, "budget", any, graph::parseBudget, graph::kBudgetForms);
  else if (!bytes.empty())
    read = readOne(loc, "budget-bytes", bytes, graph::parseBudget,
                   graph::kBudgetForms);
  else if (!percent.empty())
    read = readOne(loc, "budget-percent", percent, graph::parsePercent,
                   graph::kPercentForms);
  else
    return std::optional<graph::Budget>();
  if (failed(read))
    return failure();
  return std::optional(*read);
}

static std::optional<graph::Budget> parseLimit(const std::string &text) {
  std::optional<graph::Budget> limit = graph::parseBudget(text);
  return limit && limit->isLeast() ? std::nullopt : limit;
}

FailureOr<std::optional<graph::Budget>>
readLimit(Location loc, StringRef option, StringRef text) {
  if (text.empty() || text == "0")
    return std::optional<graph::Budget>();
  FailureOr<graph::Budget> read =
      readOne(loc, option, text, parseLimit,
              "a whole number, with KB, MB, GB, KiB, MiB or GiB behind it or "
              "not, or a percentage as 50%");
  if (failed(read))
    return failure();
  return std::optional(*read);
}

FailureOr<std::optional<int64_t>> getCapacity(Operation *function) {
  FailureOr<HierarchyAttr> hierarchy = getHierarchy(function);
  if (failed(hierarchy))
    return failure();
  TierAttr tier = *hierarchy ? (*hierarchy).getComputeTier() : TierAttr();
  if (!tier || !tier.isBounded())
    return std::optional<int64_t>();
  return std::optional<int64_t>(tier.getCapacity());
}

FailureOr<int64_t> getBudget(Operation *function,
                             std::optional<graph::Budget> budget,
                             int64_t inputPeak) {
  FailureOr<std::optional<int64_t>> capacity = getCapacity(function);
  if (failed(capacity))
    return failure();
  if (!budget && !*capacity)
    return emitError(function->getLoc())
           << "no budget: give budget, or a memory hierarchy whose compute "
              "tier has a capacity";
  if (!budget)
    return **capacity;
  int64_t bytes = budget->of(inputPeak);
  if (budget->kind == graph::Budget::Kind::Percent)
    return std::min(bytes, capacity->value_or(bytes));
  if (*capacity && bytes > **capacity)
    return emitError(function->getLoc())
           << "the budget of " << bytes << " bytes is more than the "
           << **capacity << " bytes of tier '"
           << (*getHierarchy(function)).getComputeTier().getName() << "'";
  return bytes;
}

} // namespace pebble

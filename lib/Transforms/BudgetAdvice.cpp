//===- BudgetAdvice.cpp - what else would reach a budget ------------------===//

#include "BudgetAdvice.h"

#include "PlanPasses.h"
#include "ReuseOperands.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/ValueNames.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Planning/Shortage.h"
#include "pebble/Target/TargetHierarchy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;

namespace pebble {

namespace {
/// Something to be done to a program, or to what is asked of it.
struct Remedy {
  std::string text;
  /// Does it to a copy; false if there is nothing to be done.
  std::function<bool(ModuleOp, FunctionPlanOptions &)> apply;
};

/// A remedy that was tried.
struct Tried {
  std::string text;
  llvm::StringMap<int64_t> leasts;
  /// The clock ended the try: there may be less.
  bool isCut = false;
};

class Advisor {
public:
  explicit Advisor(const AdviceRequest &asked) : request(asked) {
    constexpr int64_t kLeastMs = 2000;
    graph::Limits &limits = request.options.limits;
    limits = limits.within(
        std::max<int64_t>(kLeastMs, request.searched.count() / 3));
    request.parent.walk([&](FunctionOpInterface function) {
      namesInside[getProgramName(function)] =
          getProgramName(function, request.parent);
    });
    findSlowTier();
    addMeans();
    remedies.push_back(
        {"pebble-reuse-operands first",
         [this](ModuleOp copy, FunctionPlanOptions &) { return reuse(copy); }});
    addBoundaries();
  }

  /// Tries each remedy, and all together where none is enough by itself.
  void run(ArrayRef<Shortage> wanted) {
    shortages = wanted;
    const size_t count = remedies.size();
    for (size_t i = 0; i < count; ++i)
      attempt(remedies[i].text, ArrayRef(remedies).slice(i, 1), count + 1 - i);
    bool isMet = llvm::any_of(tried, [&](const Tried &entry) {
      return llvm::all_of(shortages, [&](const Shortage &shortage) {
        return fits(entry, shortage);
      });
    });
    if (!isMet && tried.size() > 1)
      attempt("all of these together", remedies, 1);
  }

  /// What there is to say of `shortage`; empty if nothing was tried.
  std::string describe(const Shortage &shortage) const {
    std::string met = list(shortage, true), unmet = list(shortage, false);
    std::string text;
    if (!met.empty())
      text = "the budget is met with " + met;
    if (!unmet.empty())
      text +=
          (met.empty() ? "the budget is not met with " : "; not with ") + unmet;
    if (!untried.empty())
      text += (text.empty() ? "no time was left to try "
                            : "; no time was left to try ") +
              llvm::join(untried, ", ");
    return text;
  }

private:
  //===--------------------------------------------------------------------===//
  // Remedies
  //===--------------------------------------------------------------------===//

  /// The first tier behind the compute tier of the program's machine, or one
  /// that copies get.
  void findSlowTier() {
    FailureOr<HierarchyAttr> found = getHierarchyOrDefault(request.program);
    if (failed(found))
      return;
    hierarchy = *found;
    const unsigned next = hierarchy.getComputeTierIndex() + 1;
    if (next < hierarchy.getTiers().size()) {
      slowTier = hierarchy.getTiers()[next].getName().str();
      return;
    }
    slowTier = "slower";
    MLIRContext *context = request.program.getContext();
    SmallVector<TierAttr> tiers(hierarchy.getTiers());
    tiers.push_back(TierAttr::get(context, slowTier, TierKind::Explicit,
                                  kUnboundedCapacity, 0, 0, 0, 0));
    hierarchy = HierarchyAttr::get(
        context, tiers, hierarchy.getInclusion(), hierarchy.getCompute(),
        hierarchy.getSpeed(), hierarchy.getName(), hierarchy.getTopology());
    onSlowTier = " on a machine with a slower tier";
  }

  /// Gives `copy` the slower tier that its machine has not.
  void giveSlowTier(ModuleOp copy) {
    if (!onSlowTier.empty())
      copy->setAttr(attr::kHierarchy, hierarchy);
  }

  void addMeans() {
    const ScheduleMeans means = request.options.blocks.means;
    auto add = [&](StringRef text, ScheduleMeans wanted, bool needsTier) {
      remedies.push_back({text.str() + (needsTier ? onSlowTier : ""),
                          [this, wanted, needsTier](
                              ModuleOp copy, FunctionPlanOptions &options) {
                            if (needsTier)
                              giveSlowTier(copy);
                            options.blocks.means = wanted;
                            return true;
                          }});
    };
    if (means == ScheduleMeans::None)
      add("means=recompute", ScheduleMeans::Recompute, false);
    if (means != ScheduleMeans::Both && hierarchy)
      add("means=both", ScheduleMeans::Both, true);
  }

  bool reuse(ModuleOp copy) {
    if (failed(request.prepare(copy)))
      return false;
    ProgramContext context(request.analysis);
    FailureOr<unsigned> reused = reuseOperands(copy, context);
    return succeeded(reused) && *reused > 0;
  }

  /// Arguments of the functions that nobody in the module calls: given away,
  /// and kept in the slower tier.
  void addBoundaries() {
    std::vector<std::string> owned, all;
    forEachArgument(request.program, [&](func::FuncOp function, unsigned i) {
      std::string name = getValueName(function.getArgument(i));
      if (!isDonatedArgument(function, i))
        owned.push_back(name);
      if (!function.getArgAttr(i, attr::kTier))
        all.push_back(name);
    });
    if (!owned.empty())
      remedies.push_back(
          {"pebble.donated on " + nameArguments(owned),
           [](ModuleOp copy, FunctionPlanOptions &) {
             forEachArgument(copy, [](func::FuncOp function, unsigned i) {
               if (!isDonatedArgument(function, i))
                 function.setArgAttr(i, attr::kDonated,
                                     UnitAttr::get(function.getContext()));
             });
             return true;
           }});
    if (!all.empty() && hierarchy)
      remedies.push_back({"pebble.tier on " + nameArguments(all) + onSlowTier,
                          [this](ModuleOp copy, FunctionPlanOptions &) {
                            giveSlowTier(copy);
                            moveArguments(copy);
                            return true;
                          }});
  }

  void moveArguments(ModuleOp copy) const {
    forEachArgument(copy, [&](func::FuncOp function, unsigned i) {
      if (!function.getArgAttr(i, attr::kTier))
        function.setArgAttr(i, attr::kTier,
                            StringAttr::get(function.getContext(), slowTier));
    });
  }

  static void
  forEachArgument(ModuleOp program,
                  llvm::function_ref<void(func::FuncOp, unsigned)> visit) {
    program.walk([&](func::FuncOp function) {
      if (function.isExternal() || isReferenced(function) ||
          !function.getBody().hasOneBlock())
        return;
      for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
        if (auto tensor = dyn_cast<RankedTensorType>(type);
            tensor && !tensor.getEncoding())
          visit(function, i);
    });
  }

  static std::string nameArguments(ArrayRef<std::string> names) {
    constexpr size_t kNamed = 3;
    if (names.size() <= kNamed)
      return llvm::join(names, " and ");
    return std::to_string(names.size()) + " arguments";
  }

  //===--------------------------------------------------------------------===//
  // Tries
  //===--------------------------------------------------------------------===//

  /// Does `together` to a copy and looks for its least budgets, in one part in
  /// `parts` of the time that is left.
  void attempt(const std::string &text, ArrayRef<Remedy> together,
               size_t parts) {
    graph::Limits limits = request.options.limits;
    if (limits.isOver()) {
      untried.push_back(text);
      return;
    }
    FunctionPlanOptions options = request.options;
    options.limits = limits.part(static_cast<int64_t>(parts));
    options.plan.clear();
    options.savePlan.clear();
    // What fits does so at any price, and a tier that is only thought of has
    // none.
    options.blocks.objective = ScheduleObjective::Recompute;
    MLIRContext *context = request.program.getContext();
    OpBuilder builder(context);
    builder.setInsertionPointToEnd(request.parent.getBody());
    ModuleOp copy = cast<ModuleOp>(builder.clone(*request.program));
    FailureOr<llvm::StringMap<int64_t>> found = failure();
    HeldErrors quiet(context);
    bool isDone = false;
    for (const Remedy &remedy : together)
      isDone |= remedy.apply(copy, options);
    if (isDone && succeeded(request.prepare(copy))) {
      ProgramContext fresh(request.analysis);
      found = findLeastBudgets(copy, options, fresh);
    }
    copy.erase();
    const bool isCut = options.limits.isOver();
    if (succeeded(found))
      tried.push_back({text, std::move(*found), isCut});
    else if (isCut)
      untried.push_back(text);
  }

  /// What the module that is planned calls the function of `shortage`.
  StringRef getNameInside(const Shortage &shortage) const {
    auto found = namesInside.find(shortage.function.getValue());
    return found == namesInside.end() ? StringRef() : found->second;
  }

  bool fits(const Tried &entry, const Shortage &shortage) const {
    auto found = entry.leasts.find(getNameInside(shortage));
    return found != entry.leasts.end() && found->second <= shortage.budget;
  }

  /// `least`, which a try has come down to. A search that the clock ended may
  /// not have found what is known to do without the remedy.
  std::string writeLeast(int64_t least, const Tried &entry,
                         const Shortage &shortage) const {
    if (shortage.needed && least >= *shortage.needed)
      return entry.isCut ? "no fewer bytes found in time"
                         : "no fewer bytes found";
    std::string text = std::to_string(least) + " bytes";
    if (shortage.inputPeak > 0)
      text += ", " + writeShareUp(least, shortage.inputPeak);
    if (entry.isCut && !fits(entry, shortage))
      text += " when time was up";
    return text;
  }

  /// What was tried and fits, or does not, with what it takes.
  std::string list(const Shortage &shortage, bool isMet) const {
    std::string text;
    for (const Tried &entry : tried) {
      auto found = entry.leasts.find(getNameInside(shortage));
      if (found == entry.leasts.end() || fits(entry, shortage) != isMet)
        continue;
      text += (text.empty() ? "" : ", ") + entry.text + " (" +
              writeLeast(found->second, entry, shortage) + ")";
    }
    return text;
  }

  AdviceRequest request;
  /// Of functions: what the module that is planned calls them, by what they are
  /// called in all that it stands in.
  llvm::StringMap<std::string> namesInside;
  /// The program's, with a slower tier in any case; null: it is in error.
  HierarchyAttr hierarchy;
  std::string slowTier;
  /// What has to be said of a slower tier that the machine has not.
  std::string onSlowTier;
  std::vector<Remedy> remedies;
  std::vector<Shortage> shortages;
  std::vector<Tried> tried;
  /// For want of time.
  std::vector<std::string> untried;
};
} // namespace

void adviseOnBudget(MutableArrayRef<Diagnostic> errors,
                    const AdviceRequest &request) {
  std::vector<Shortage> shortages;
  for (Diagnostic &error : errors)
    if (std::optional<Shortage> shortage = getShortage(error))
      shortages.push_back(*shortage);
  if (shortages.empty())
    return;
  Advisor advisor(request);
  advisor.run(shortages);
  for (Diagnostic &error : errors)
    if (std::optional<Shortage> shortage = getShortage(error))
      if (std::string text = advisor.describe(*shortage); !text.empty())
        error.attachNote() << text;
}

} // namespace pebble

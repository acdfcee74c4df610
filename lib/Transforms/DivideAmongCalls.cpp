//===- DivideAmongCalls.cpp - callees in several versions -----------------===//

#include "DivideAmongCalls.h"

#include "BindExtent.h"
#include "Fallbacks.h"
#include "FunctionBlocks.h"
#include "PlanPasses.h"
#include "Rooms.h"
#include "TimeShares.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Planning/CallEquivalence.h"
#include "pebble/Solver/Calls/DivideBudget.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace pebble {

namespace {
/// A function as it was planned once.
struct KeptPlan {
  OwningOpRef<Operation *> function;
  ScheduleOutcome outcome;
  RemarkQueue::Remarks remarks;
};

/// A function as it came in.
struct OriginalFunction {
  Operation *function = nullptr;
  int64_t peak = 0;
  /// Of every step once: nothing costs less.
  int64_t onceCost = 0;
};

class CallDivider {
public:
  /// By function, callees before callers.
  using Originals = llvm::MapVector<Operation *, OriginalFunction>;

  CallDivider(Originals originals, const CallPlanner &planner)
      : originals(std::move(originals)), planner(planner) {}

  /// Plans `root` for less than `cost` within `budget`. False: it is as it was.
  bool improve(func::FuncOp root, int64_t budget, int64_t cost);

  /// Erases versions, and functions that have some, that nobody calls, and
  /// names those that are left.
  void finish();

  /// How the calls below `root` run, as a sentence.
  std::string getText(func::FuncOp root);

private:
  struct Version {
    func::FuncOp function;
    int64_t peak = 0, cost = 0;
  };
  /// By rising peak and falling cost.
  struct Versions {
    std::string name;
    SmallVector<Version> all;
  };
  /// A call in a function as it came in: its number, and what it calls.
  using Site = std::pair<unsigned, Operation *>;

  void makeVersions(func::FuncOp function, int64_t most);
  std::optional<Version> makeVersion(func::FuncOp function,
                                     std::optional<int64_t> budget);
  Operation *getCallee(func::CallOp call);
  SmallVector<Site> getSites(func::FuncOp function);
  void putBack(func::FuncOp function, Operation *original, ArrayRef<Site> sites,
               const calls::Versions &chosen);
  std::optional<int64_t> planWithin(func::FuncOp function, int64_t budget,
                                    size_t mostTrials);
  void spendRooms(func::FuncOp function, int64_t budget);
  bool isProven(func::FuncOp root);
  std::optional<int64_t> getPeak(func::FuncOp function);
  LogicalResult plan(func::FuncOp function, std::optional<int64_t> budget);
  std::optional<int64_t> getCost(func::FuncOp function);
  KeptPlan keep(func::FuncOp function);
  void restore(func::FuncOp function, KeptPlan kept);
  void erase(func::FuncOp function);

  Originals originals;
  const CallPlanner &planner;
  llvm::MapVector<Operation *, Versions> versions;
  /// The program as it came in, and what became its part there.
  OwningOpRef<Operation *> program;
  IRMapping came;
};
} // namespace

/// Versions of a function besides the leanest one, and choices of versions that
/// are tried for a function: fewer where each takes long.
static int64_t getMostVersions(func::FuncOp function) {
  return std::clamp<int64_t>(
      500 / getPlanningWeight(FunctionOpInterface(function)), 3, 12);
}
static size_t getMostTrials(func::FuncOp function, int64_t most) {
  return std::clamp<int64_t>(
      3000 / getPlanningWeight(FunctionOpInterface(function)), 4, most);
}

std::optional<int64_t> CallDivider::getPeak(func::FuncOp function) {
  ProgramContext fresh(planner.options);
  FailureOr<int64_t> peak = getFunctionPeak(function, fresh);
  return succeeded(peak) ? std::optional(*peak) : std::nullopt;
}

/// The function that `call` calls, or a version of it; null: there are none.
Operation *CallDivider::getCallee(func::CallOp call) {
  Operation *callee =
      SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr());
  if (versions.contains(callee))
    return callee;
  for (auto &[function, known] : versions)
    if (llvm::any_of(known.all, [&](const Version &version) {
          return version.function == callee;
        }))
      return function;
  return nullptr;
}

SmallVector<CallDivider::Site> CallDivider::getSites(func::FuncOp function) {
  SmallVector<Site> sites;
  unsigned number = 0;
  function.walk([&](func::CallOp call) {
    if (Operation *callee = getCallee(call))
      sites.push_back({number, callee});
    ++number;
  });
  return sites;
}

/// `function` is as it came in, but for its name, and calls the chosen
/// versions.
void CallDivider::putBack(func::FuncOp function, Operation *original,
                          ArrayRef<Site> sites, const calls::Versions &chosen) {
  StringAttr name = function.getSymNameAttr();
  const SymbolTable::Visibility visibility = function.getVisibility();
  pebble::putBack(function, original);
  function.setSymNameAttr(name);
  function.setVisibility(visibility);
  unsigned number = 0, site = 0;
  function.walk([&](func::CallOp call) {
    if (site < sites.size() && sites[site].first == number++) {
      Versions &known = versions.find(sites[site].second)->second;
      call.setCallee(known.all[chosen[site++]].function.getSymName());
    }
  });
}

/// What is left at a call goes to it, where that makes it cost less.
void CallDivider::spendRooms(func::FuncOp function, int64_t budget) {
  ProgramContext fresh(planner.options);
  SmallVector<std::pair<func::CallOp, StringRef>> better;
  function.walk([&](func::CallOp call) {
    Operation *callee = getCallee(call);
    if (!callee)
      return;
    MutableArrayRef<Version> all = versions.find(callee)->second.all;
    Version *now = llvm::find_if(all, [&](Version &version) {
      return FlatSymbolRefAttr::get(version.function) == call.getCalleeAttr();
    });
    if (now == all.end())
      return;
    const int64_t most = now->peak + getRoom(call, budget, fresh);
    Version *best = now;
    while (best + 1 != all.end() && best[1].peak <= most)
      ++best;
    if (best != now)
      better.push_back({call, best->function.getSymName()});
  });
  SmallVector<StringAttr> before;
  for (auto &[call, name] : better) {
    before.push_back(call.getCalleeAttr().getAttr());
    call.setCallee(name);
  }
  std::optional<int64_t> peak = getPeak(function);
  if (peak && *peak <= budget)
    return;
  for (auto [entry, name] : llvm::zip(better, before))
    entry.first.setCallee(name);
}

/// Leaves `function` as the cheapest plan has it that is found; returns its
/// cost.
std::optional<int64_t> CallDivider::planWithin(func::FuncOp function,
                                               int64_t budget,
                                               size_t mostTrials) {
  const OriginalFunction &original = originals.find(function)->second;
  pebble::putBack(function, original.function);
  const SmallVector<Site> sites = getSites(function);
  std::optional<KeptPlan> best;
  std::optional<int64_t> least;
  calls::DivisionTask task;
  task.mostTrials = mostTrials;
  task.bound = original.onceCost;
  llvm::MapVector<Operation *, unsigned> numbers;
  for (const Site &site : sites) {
    auto number = numbers.insert({site.second, numbers.size()}).first;
    task.callees.push_back(number->second);
    task.counts.push_back(versions.find(site.second)->second.all.size());
  }
  task.price = [&](const calls::Versions &chosen) -> std::optional<int64_t> {
    // The first one is tried whatever time there is.
    if (best && planner.limits.isOver())
      return std::nullopt;
    putBack(function, original.function, sites, chosen);
    if (failed(plan(function, budget)))
      return std::nullopt;
    spendRooms(function, budget);
    std::optional<int64_t> cost = getCost(function);
    if (cost && (!least || *cost < *least)) {
      least = cost;
      best = keep(function);
    }
    return cost;
  };
  if (!calls::divideBudget(task))
    return std::nullopt;
  restore(function, std::move(*best));
  return least;
}

/// Planned in the place of the function, which others call, and then copied.
std::optional<CallDivider::Version>
CallDivider::makeVersion(func::FuncOp function, std::optional<int64_t> budget) {
  const OriginalFunction &original = originals.find(function)->second;
  std::optional<int64_t> cost;
  if (budget) {
    cost = planWithin(function, *budget, getMostTrials(function, /*most=*/12));
  } else {
    pebble::putBack(function, original.function);
    const SmallVector<Site> sites = getSites(function);
    putBack(function, original.function, sites,
            calls::Versions(sites.size(), 0));
    if (succeeded(plan(function, std::nullopt)))
      cost = getCost(function);
  }
  std::optional<int64_t> peak = getPeak(function);
  if (!cost || !peak)
    return std::nullopt;
  Version version{cast<func::FuncOp>(function->clone()), *peak, *cost};
  version.function.setPrivate();
  SymbolTable(function->getParentOp())
      .insert(version.function, std::next(function->getIterator()));
  planner.functions.insert(version.function);
  planner.outcomes[version.function] =
      ScheduleOutcome(planner.outcomes[function]);
  planner.inputPeaks[version.function] = original.peak;
  planner.onceCosts[version.function] = original.onceCost;
  planner.budgets[version.function] = budget.value_or(*peak);
  planner.remarks.put(version.function, planner.remarks.take(function));
  return version;
}

void CallDivider::erase(func::FuncOp function) {
  planner.functions.remove(function);
  planner.outcomes.erase(function);
  planner.remarks.take(function);
  function.erase();
}

LogicalResult CallDivider::plan(func::FuncOp function,
                                std::optional<int64_t> budget) {
  planner.remarks.take(function);
  return runQuietly(function->getContext(), [&] {
    return planner.plan(function, budget, planner.limits.share(1, 8));
  });
}

std::optional<int64_t> CallDivider::getCost(func::FuncOp function) {
  FailureOr<HierarchyAttr> hierarchy =
      getCostedHierarchy(function, planner.options);
  if (failed(hierarchy))
    return std::nullopt;
  PlanOptions blocks = planner.blocks;
  blocks.analysis = planner.options;
  blocks.hierarchy = *hierarchy;
  FailureOr<int64_t> cost = getCostOnce(function, blocks);
  return succeeded(cost) ? std::optional(*cost) : std::nullopt;
}

KeptPlan CallDivider::keep(func::FuncOp function) {
  KeptPlan kept{function->clone(), planner.outcomes[function],
                planner.remarks.take(function)};
  planner.remarks.put(function, kept.remarks);
  return kept;
}

void CallDivider::restore(func::FuncOp function, KeptPlan kept) {
  pebble::putBack(function, *kept.function);
  planner.outcomes[function] = std::move(kept.outcome);
  planner.remarks.put(function, std::move(kept.remarks));
}

/// From the cheapest one on that takes no more than `most`, each takes less
/// than the one before. The function stays as it is.
void CallDivider::makeVersions(func::FuncOp function, int64_t most) {
  KeptPlan before = keep(function);
  SmallVector<Version> all;
  if (std::optional<Version> leanest = makeVersion(function, std::nullopt)) {
    all.push_back(*leanest);
    most = std::min(most, originals.find(function)->second.peak);
    const int64_t least = leanest->peak;
    const int64_t step =
        std::max<int64_t>(1, (most - least) / getMostVersions(function));
    for (int64_t budget = most; budget >= least && !planner.limits.isOver();) {
      std::optional<Version> next = makeVersion(function, budget);
      if (next)
        all.push_back(*next);
      if (!next || budget == least || next->peak <= least)
        break;
      budget = std::max(least, std::min(next->peak - 1, budget - step));
    }
  }
  restore(function, std::move(before));
  if (all.empty())
    return;
  llvm::sort(all, [](const Version &a, const Version &b) {
    return std::pair(a.peak, a.cost) < std::pair(b.peak, b.cost);
  });
  Versions known{function.getSymName().str(), {}};
  for (Version &version : all)
    if (known.all.empty() || version.cost < known.all.back().cost)
      known.all.push_back(version);
    else
      erase(version.function);
  versions.insert({function, std::move(known)});
}

bool CallDivider::improve(func::FuncOp root, int64_t budget, int64_t cost) {
  const llvm::SetVector<Operation *> below = getCallees(root);
  for (auto &[function, original] : originals)
    if (function != root && below.contains(function) &&
        !versions.contains(function))
      makeVersions(cast<func::FuncOp>(function), budget);
  KeptPlan before = keep(root);
  std::optional<int64_t> found =
      planWithin(root, budget, getMostTrials(root, /*most=*/64));
  const bool isCheaper = found && *found < cost;
  if (isCheaper && isProven(root))
    return true;
  restore(root, std::move(before));
  if (isCheaper)
    say(root, {PlanRemark::Missed,
               root.getLoc(),
               "calls",
               planner.blocks.category.str(),
               "calls keep one version of their callees: that others do the "
               "same is not proven",
               {}});
  return false;
}

/// Each function is proven where it is planned. That calls run versions of what
/// they called is proven here, of the whole program. Forms of values have
/// proofs of their own.
bool CallDivider::isProven(func::FuncOp root) {
  if (planner.blocks.forms)
    return true;
  if (!program) {
    Operation *top = root;
    while (Operation *parent = top->getParentOp())
      top = parent;
    program = top->clone(came);
    for (auto &[function, original] : originals)
      pebble::putBack(cast<func::FuncOp>(came.lookup(function)),
                      original.function);
  }
  auto before = cast<func::FuncOp>(came.lookup(root.getOperation()));
  return succeeded(runQuietly(root->getContext(), [&] {
    return checkCallEquivalence(before, root, planner.options);
  }));
}

void CallDivider::finish() {
  // Callers before callees.
  for (auto &entry : llvm::reverse(versions)) {
    Operation *function = entry.first;
    Versions &known = entry.second;
    llvm::erase_if(known.all, [&](Version &version) {
      const bool isUnused = !isReferenced(version.function);
      if (isUnused)
        erase(version.function);
      return isUnused;
    });
    auto first = cast<func::FuncOp>(function);
    SymbolTable symbols(first->getParentOp());
    unsigned number = 0;
    const bool isUnused =
        !known.all.empty() && first.isPrivate() && !isReferenced(first);
    if (isUnused) {
      symbols.remove(first);
      erase(first);
    }
    for (Version &version : known.all) {
      std::string name = known.name;
      while (symbols.lookup(name))
        name = known.name + "." + std::to_string(++number);
      (void)symbols.rename(version.function, name);
    }
  }
}

std::string CallDivider::getText(func::FuncOp root) {
  std::string text;
  for (auto &[function, known] : versions)
    for (Version &version : known.all) {
      unsigned count = 0;
      for (Operation *caller : getCallees(root))
        caller->walk([&](func::CallOp call) {
          count +=
              call.getCalleeAttr() == FlatSymbolRefAttr::get(version.function);
        });
      if (count)
        text += (text.empty() ? "@" : ", @") +
                version.function.getSymName().str() + " (" +
                std::to_string(version.peak) + " bytes) at " +
                std::to_string(count) + (count == 1 ? " call" : " calls");
    }
  return "what is left at each call goes to its callee: " + text;
}

void divideAmongCalls(const CallPlanner &planner,
                      ArrayRef<FunctionOpInterface> linked,
                      ArrayRef<OwningOpRef<Operation *>> originals) {
  CallDivider::Originals known;
  for (auto [function, original] : llvm::zip(linked, originals))
    if (isa<func::FuncOp>(function))
      known[function] = {*original, planner.inputPeaks[function],
                         planner.onceCosts[function]};
  const llvm::DenseSet<Operation *> before(planner.functions.begin(),
                                           planner.functions.end());
  CallDivider divider(std::move(known), planner);
  SmallVector<func::FuncOp> better;
  for (FunctionOpInterface function : linked)
    if (auto root = dyn_cast<func::FuncOp>(function.getOperation());
        root && root.getBody().hasOneBlock() && planner.callers[root].empty() &&
        !needsFallback(root, planner.options) &&
        planner.outcomes[root].cost > planner.onceCosts[root] &&
        divider.improve(root, planner.budgets[root],
                        planner.outcomes[root].cost))
      better.push_back(root);
  divider.finish();
  for (Operation *op : planner.functions)
    if (!before.contains(op))
      planner.finish(op);
  for (func::FuncOp root : better) {
    planner.finish(root);
    say(root, {PlanRemark::Passed,
               root.getLoc(),
               "calls",
               planner.blocks.category.str(),
               divider.getText(root),
               {}});
  }
}

} // namespace pebble

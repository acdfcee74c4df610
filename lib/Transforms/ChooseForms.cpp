//===- ChooseForms.cpp - with or without derived forms --------------------===//

#include "ChooseForms.h"

#include "TimeShares.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Planning/Equivalence.h"

using namespace mlir;

namespace pebble {

/// A form that saves less than this part of the peak is not worth a step.
static constexpr int64_t kSmallestPart = 256;

static int64_t getLeastBytes(const StorageAnalysis &storage) {
  return std::max<int64_t>(1, LifetimeAnalysis(storage).getPeakBytes() /
                                  kSmallestPart);
}

namespace {
/// Holds back what is said while it lives.
class HeldBack {
public:
  explicit HeldBack(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          said.push_back(std::move(diagnostic));
          return success();
        }) {}

  std::vector<Diagnostic> said;

private:
  ScopedDiagnosticHandler handler;
};
} // namespace

static void emitAll(MLIRContext *context, std::vector<Diagnostic> said) {
  for (Diagnostic &diagnostic : said)
    context->getDiagEngine().emit(std::move(diagnostic));
}

//===----------------------------------------------------------------------===//
// Of a block
//===----------------------------------------------------------------------===//

namespace {
class FormChooser {
public:
  FormChooser(const FormTask &task, AnalysedBlock &analysed)
      : task(task), analysed(analysed) {}

  FailureOr<SchedulePlan> run() {
    StorageAnalysis storage(task.block, task.context);
    if (failed(storage.verify()))
      return failure();
    DerivedForms found(storage, getLeastBytes(storage), task.kinds);
    forms = &found;
    if (found.size() == 0)
      return take(plan(llvm::BitVector()));
    checker.emplace(storage);
    Try best = planWith(llvm::BitVector(found.size(), true));
    if (task.kinds.undone)
      tryFewer(best);
    if (!isWrong && succeeded(best.plan)) {
      forms->use(best.forms);
      llvm::BitVector helpful =
          found.findHelpful(*best.analysed.storage, best.plan->runs);
      if (helpful != best.forms)
        tryAlso(helpful, best);
    }
    if (isWrong)
      return failure();
    return take(std::move(best));
  }

private:
  /// A plan of the block with some of the forms, or why there is none.
  struct Try {
    llvm::BitVector forms;
    AnalysedBlock analysed;
    FailureOr<SchedulePlan> plan = failure();
    std::vector<Diagnostic> said;
    int64_t leastKnown = std::numeric_limits<int64_t>::max();
  };

  Try plan(const llvm::BitVector &with) {
    Try result;
    result.forms = with;
    HeldBack heldBack(getContext());
    result.plan = task.plan(result.analysed, result.leastKnown);
    result.said = std::move(heldBack.said);
    return result;
  }

  /// Proves first that the block computes the same with these forms.
  Try planWith(const llvm::BitVector &with) {
    forms->use(with);
    if (failed(checker->verify())) {
      isWrong = true;
      return Try();
    }
    Try result = plan(with);
    if (succeeded(result.plan))
      for (unsigned index : with.set_bits())
        result.plan->derived.push_back(forms->getForm(index));
    return result;
  }

  bool tryAlso(const llvm::BitVector &with, Try &best) {
    if (isWrong || with.none())
      return false;
    Try other = planWith(with);
    if (!isBetter(other, best))
      return false;
    best = std::move(other);
    return true;
  }

  /// What comes back costs the steps that give it back. The first values are
  /// kept for the longest time.
  void tryFewer(Try &best) {
    llvm::BitVector all(forms->size(), true);
    if (llvm::BitVector without = forms->findWithoutAgain(); without != all)
      tryAlso(without, best);
    constexpr unsigned kParts = 8;
    unsigned part = kParts;
    for (unsigned less = kParts / 2; less > 0; less /= 2) {
      llvm::BitVector fewer = forms->findEarliest(part - less, kParts);
      if (fewer != forms->findEarliest(part, kParts) && tryAlso(fewer, best))
        part -= less;
    }
  }

  bool isBetter(const Try &one, const Try &other) const {
    if (failed(one.plan) || failed(other.plan))
      return failed(one.plan) == failed(other.plan)
                 ? one.leastKnown < other.leastKnown
                 : succeeded(one.plan);
    auto getKey = [&](const SchedulePlan &plan) {
      return task.isLeanest ? std::pair(plan.peak, plan.cost)
                            : std::pair(plan.cost, plan.peak);
    };
    return getKey(*one.plan) < getKey(*other.plan);
  }

  FailureOr<SchedulePlan> take(Try best) {
    forms->use(best.forms);
    analysed = std::move(best.analysed);
    emitAll(getContext(), std::move(best.said));
    return std::move(best.plan);
  }

  MLIRContext *getContext() const {
    return task.block.getParentOp()->getContext();
  }

  const FormTask &task;
  AnalysedBlock &analysed;
  DerivedForms *forms = nullptr;
  std::optional<EquivalenceChecker> checker;
  /// The proof of a form has failed.
  bool isWrong = false;
};
} // namespace

FailureOr<SchedulePlan> chooseForms(const FormTask &task,
                                    AnalysedBlock &analysed) {
  return FormChooser(task, analysed).run();
}

//===----------------------------------------------------------------------===//
// Of a function
//===----------------------------------------------------------------------===//

/// Whether `block`, or one inside of it, has values with forms.
static bool hasForms(Block &block, FormKinds kinds, ProgramContext &context) {
  StorageAnalysis storage(block, context);
  if (succeeded(storage.verify()) &&
      DerivedForms(storage, getLeastBytes(storage), kinds).size() > 0)
    return true;
  return failed(forEachInnerBlock(block, [&](Block &inner) {
    return failure(hasForms(inner, kinds, context));
  }));
}

static bool hasForms(FunctionOpInterface function, FormKinds kinds,
                     const AnalysisOptions &options) {
  ProgramContext context(options);
  return llvm::any_of(function.getFunctionBody(), [&](Block &block) {
    return hasForms(block, kinds, context);
  });
}

static void sayThatNoneHas(FunctionOpInterface function,
                           const PlanOptions &options) {
  std::string means =
      options.forms.smaller ? "smaller form" : "way to come back";
  if (options.forms.smaller && options.forms.undone)
    means += ", or way to come back";
  say(function,
      {PlanRemark::Missed,
       function.getLoc(),
       "no-forms",
       options.category.str(),
       "no value of '" + getProgramName(function) + "' has a " + means +
           ": linalg's operations on tensors of known shape may "
           "have one, if their value is read late",
       {}});
}

/// Plans `function` anew from `original`, with forms. The plan takes the place
/// of `best` if it is better, and true is returned; otherwise the function is
/// what it was.
static bool planAgainWithForms(FunctionOpInterface function,
                               Operation *original, const FunctionTask &task,
                               const ExtentRequest &request,
                               const PlanScope *scope, RemarkQueue &remarks,
                               FailureOr<PlannedFunction> &best) {
  OwningOpRef<Operation *> without = function->clone();
  RemarkQueue::Remarks saidOfBest = remarks.take(function);
  putBack(function, original);
  PlanFile start;
  FunctionTask with = task;
  if (succeeded(best)) {
    start.addAll(function, best->kept);
    with.plans = &start;
    with.blocks.keepsPlans = true;
  }
  FailureOr<PlannedFunction> other = failure();
  (void)runQuietly(function->getContext(), [&] {
    other = planFunctionInExtent(function, with, request, scope, remarks);
    return success(succeeded(other));
  });
  auto getKey = [&](const ScheduleOutcome &outcome) {
    const int64_t bytes = outcome.extent.value_or(outcome.peak);
    return request.isLeanest ? std::pair(bytes, outcome.cost)
                             : std::pair(outcome.cost, bytes);
  };
  if (succeeded(other) &&
      (failed(best) || getKey(other->outcome) < getKey(best->outcome))) {
    best = std::move(other);
    return true;
  }
  (void)remarks.take(function);
  putBack(function, *without);
  remarks.put(function, std::move(saidOfBest));
  return false;
}

FailureOr<PlannedFunction>
planFunctionWithForms(FunctionOpInterface function, const FunctionTask &task,
                      const ExtentRequest &request, const PlanScope *scope,
                      RemarkQueue &remarks, int64_t once) {
  MLIRContext *context = function->getContext();
  FunctionTask plain = task;
  plain.blocks.forms = FormKinds::none();
  if (!task.blocks.forms ||
      !hasForms(function, task.blocks.forms, request.options)) {
    FailureOr<PlannedFunction> planned =
        planFunctionInExtent(function, plain, request, scope, remarks);
    if (task.blocks.forms && succeeded(planned))
      sayThatNoneHas(function, task.blocks);
    return planned;
  }
  OwningOpRef<Operation *> original = function->clone();
  plain.blocks.keepsPlans = true;
  // With a form it may be that less is needed: nothing is proven without.
  plain.calleesAreLeast = false;
  ExtentRequest most = request;
  most.limits = request.limits.share(3, 4);
  std::vector<Diagnostic> said;
  FailureOr<PlannedFunction> best = failure();
  {
    HeldBack heldBack(context);
    best = planFunctionInExtent(function, plain, most, scope, remarks);
    said = std::move(heldBack.said);
  }
  // Nothing costs less than every step once.
  const bool isSettled =
      succeeded(best) && !request.isLeanest && best->outcome.cost <= once;
  if (!isSettled) {
    ExtentRequest rest = request;
    rest.limits = afterInterrupt(request.limits);
    if (planAgainWithForms(function, *original, task, rest, scope, remarks,
                           best))
      said.clear();
  }
  emitAll(context, std::move(said));
  if (failed(best))
    return failure();
  // What other forms would cost nobody has searched.
  ScheduleOutcome &outcome = best->outcome;
  game::certify(outcome, once);
  outcome.isLeast = false;
  return best;
}

} // namespace pebble

//===- ChooseForms.cpp - a block with or without derived forms ------------===//

#include "ChooseForms.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Planning/Equivalence.h"

using namespace mlir;

namespace pebble {

/// A form that saves less than this part of the peak is not worth a step.
static constexpr int64_t kSmallestPart = 256;

namespace {
class FormChooser {
public:
  FormChooser(const FormTask &task, AnalysedBlock &analysed)
      : task(task), analysed(analysed) {}

  FailureOr<SchedulePlan> run() {
    StorageAnalysis storage(task.block, task.context);
    if (failed(storage.verify()))
      return failure();
    DerivedForms found(storage, LifetimeAnalysis(storage).getPeakBytes() /
                                    kSmallestPart);
    forms = &found;
    const llvm::BitVector none(found.size());
    Try best = plan(none);
    // Nothing costs less than every step once.
    if (found.size() == 0 ||
        (succeeded(best.plan) && best.plan->isOrder() && !task.isLeanest))
      return take(std::move(best));
    checker.emplace(storage);
    Try all = planWith(llvm::BitVector(found.size(), true));
    if (isWrong)
      return failure();
    llvm::BitVector helpful(none);
    if (succeeded(all.plan))
      helpful = found.findHelpful(*all.analysed.storage, all.plan->runs);
    const bool isSome = helpful.any() && !helpful.all();
    keepBetter(best, std::move(all));
    if (isSome) {
      keepBetter(best, planWith(helpful));
      if (isWrong)
        return failure();
    }
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
    ScopedDiagnosticHandler holdBack(
        task.block.getParentOp()->getContext(), [&](Diagnostic &diagnostic) {
          result.said.push_back(std::move(diagnostic));
          return success();
        });
    result.plan =
        task.plan(result.analysed, forms->size() == 0, result.leastKnown);
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

  void keepBetter(Try &best, Try other) const {
    if (isBetter(other, best))
      best = std::move(other);
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
    MLIRContext *context = task.block.getParentOp()->getContext();
    for (Diagnostic &diagnostic : best.said)
      context->getDiagEngine().emit(std::move(diagnostic));
    if (failed(best.plan) || forms->size() == 0)
      return std::move(best.plan);
    // What other forms would cost nobody has searched.
    SchedulePlan &plan = *best.plan;
    plan.bound = std::min(task.once, plan.cost);
    plan.status = plan.bound == plan.cost ? game::Status::Optimal
                                          : game::Status::Feasible;
    plan.isLeast = false;
    return std::move(best.plan);
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

} // namespace pebble

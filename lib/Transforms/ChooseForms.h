//===- ChooseForms.h - a block with or without derived forms ----*- C++ -*-===//
//
// Plans a block as it is, with every derived form that may help, and with those
// that did, and leaves it in the form of the best plan.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_CHOOSEFORMS_H
#define PEBBLE_LIB_TRANSFORMS_CHOOSEFORMS_H

#include "pebble/Planning/DictatedOrder.h"
#include "pebble/Planning/PlanSchedule.h"

namespace pebble {

/// Plans that are made of one block at most.
inline constexpr int64_t kFormPlans = 3;

struct FormTask {
  mlir::Block &block;
  ProgramContext &context;
  /// The fewest live bytes are wanted, whatever they cost.
  bool isLeanest = false;
  /// Of every step once, without derived forms.
  int64_t once = 0;
  /// Analyses the block as it stands and plans it. `isAll`: there are no other
  /// forms of the block, so that what is proven of this one holds. Notes the
  /// least budget that is known to do where it fails.
  std::function<llvm::FailureOr<SchedulePlan>(AnalysedBlock &into, bool isAll,
                                              int64_t &leastKnown)>
      plan;
};

/// The best plan of the block, which is then as `analysed` says. Emits the
/// errors of the plan that needs the least, and fails, if there is none; or if
/// a derived form is not proven to leave the program what it is.
llvm::FailureOr<SchedulePlan> chooseForms(const FormTask &task,
                                          AnalysedBlock &analysed);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_CHOOSEFORMS_H

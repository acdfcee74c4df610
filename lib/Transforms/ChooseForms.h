//===- ChooseForms.h - a block with or without derived forms ----*- C++ -*-===//
//
// Plans a function as it is and with derived forms of its values, and leaves it
// as the better plan has it. Of forms all that may help are tried first, and
// then those that did.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_CHOOSEFORMS_H
#define PEBBLE_LIB_TRANSFORMS_CHOOSEFORMS_H

#include "FunctionBlocks.h"

#include "pebble/Planning/DictatedOrder.h"
#include "pebble/Planning/PlanSchedule.h"

namespace pebble {

/// Plans that are made of one block with forms at most.
inline constexpr int64_t kFormPlans = 2, kFormAndInversePlans = 6;

struct FormTask {
  mlir::Block &block;
  ProgramContext &context;
  FormKinds kinds;
  /// The fewest live bytes are wanted, whatever they cost.
  bool isLeanest = false;
  /// Analyses the block as it stands and plans it. Notes the least budget that
  /// is known to do where it fails.
  std::function<llvm::FailureOr<SchedulePlan>(AnalysedBlock &into,
                                              int64_t &leastKnown)>
      plan;
};

/// The best plan of the block with derived forms, which it then holds as
/// `analysed` says. Emits the errors of the plan that needs the least, and
/// fails, if there is none; or if a form is not proven to leave the program
/// what it is.
llvm::FailureOr<SchedulePlan> chooseForms(const FormTask &task,
                                          AnalysedBlock &analysed);

/// As planFunctionInExtent; where `task` allows for derived forms, a plan with
/// them is taken if it is better than the one without. `once` is what every
/// step costs once.
llvm::FailureOr<PlannedFunction>
planFunctionWithForms(mlir::FunctionOpInterface function,
                      const FunctionTask &task, const ExtentRequest &request,
                      const PlanScope *scope, RemarkQueue &remarks,
                      int64_t once);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_CHOOSEFORMS_H

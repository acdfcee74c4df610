//===- Faults.h - mistakes that a checker must find -------------*- C++ -*-===//
//
// Every way in which a scheduled program, or a schedule, can be wrong that we
// can think of, as changes that are wrong by construction: each looks for
// places where what it does changes what is returned, reads what is gone, or
// breaks the plan. What is dead or merely different is no place.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TEST_LIB_FAULTS_H
#define PEBBLE_TEST_LIB_FAULTS_H

#include "pebble/Analysis/Storage.h"
#include "pebble/Solver/Game/Schedule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>

namespace pebble {

/// One place for a fault; makes the change when called, once.
using Fault = std::function<void()>;

/// A kind of fault in the IR of one planned function.
struct ProgramFaultKind {
  llvm::StringRef name;
  /// All places, in the order in which they stand. Nothing is changed yet.
  std::function<std::vector<Fault>(mlir::func::FuncOp, const StorageAnalysis &)>
      find;

  /// A kind whose places need no storage analysis to be found.
  static ProgramFaultKind get(llvm::StringRef name,
                              std::vector<Fault> (*find)(mlir::func::FuncOp)) {
    return {name, [find](mlir::func::FuncOp function, const StorageAnalysis &) {
              return find(function);
            }};
  }
};
std::vector<ProgramFaultKind> getProgramFaults();
/// Those inside of loops, branches and payloads.
std::vector<ProgramFaultKind> getRegionFaults();
/// Those of stores and loads.
std::vector<ProgramFaultKind> getTransferFaults();
/// Those of planned addresses.
std::vector<ProgramFaultKind> getAddressFaults();

/// A kind of fault in a schedule of `problem`: all wrong variants of `moves`,
/// each with the budget that it is judged by.
struct ScheduleFaultKind {
  llvm::StringRef name;
  std::function<std::vector<std::pair<std::vector<game::Move>, int64_t>>(
      const game::Problem &problem, const std::vector<game::Move> &moves,
      int64_t peak)>
      find;
};
std::vector<ScheduleFaultKind> getScheduleFaults();

} // namespace pebble

#endif // PEBBLE_TEST_LIB_FAULTS_H

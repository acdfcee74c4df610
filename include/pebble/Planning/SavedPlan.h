//===- SavedPlan.h - plans that outlive the compiler run --------*- C++ -*-===//
//
// Keeps schedules in a file, keyed by what each step computes and not by its
// place, so that they find their steps again: exactly where the program is the
// same, and as a start for the solvers where it has changed a little. What
// comes out of a file is judged like any other schedule.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_SAVEDPLAN_H
#define PEBBLE_PLANNING_SAVEDPLAN_H

#include "pebble/Analysis/Storage.h"
#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/MoveSequence.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <map>

namespace pebble {

/// What a step is known by: the same on every machine and in every run.
struct StepKey {
  /// What it computes, back to the arguments of the block.
  uint64_t whole = 0;
  /// The op alone: name, attributes, types, regions.
  uint64_t own = 0;
};

/// Time linear in operations, attributes printed.
std::vector<StepKey> getStepKeys(const StorageAnalysis &storage);

/// The plan of one block.
struct SavedPlan {
  /// Of everything that the plan rests on: steps in their order, costs, sizes.
  uint64_t signature = 0;
  std::vector<StepKey> steps;
  /// Indices of `steps`.
  std::vector<unsigned> runs;
  /// The same with transfers and drops, values by their place in the problem;
  /// empty if there are runs alone.
  std::vector<game::Move> moves;
  /// Values of the problem whose updates are out of place.
  std::vector<game::Id> outOfPlace;
  game::Status status = game::Status::Feasible;
  int64_t cost = 0, bound = 0, budget = 0;
  std::string solver;
  /// Nobody has changed it since it was written, so what it claims was found by
  /// a solver. A plan that was changed is a start and proves nothing.
  bool isSealed = true;
};

/// The signature of a block's problem, costs included; with `moveCosts` of one
/// whose values may be moved.
uint64_t getSignature(const std::vector<StepKey> &steps,
                      const game::Problem &problem,
                      const graph::MoveCosts *moveCosts = nullptr);

/// The runs of `saved` whose steps are found again by their keys, as steps of a
/// block. They need not make a schedule.
std::vector<game::Id> matchRuns(const SavedPlan &saved,
                                const std::vector<StepKey> &steps);

/// The plans of a program, by the function's name in it (ProgramNames.h) and
/// the block's number.
class PlanFile {
public:
  /// Emits an error at `loc` and fails if there is no such file or if it holds
  /// no plans.
  static llvm::FailureOr<PlanFile> read(llvm::StringRef path,
                                        mlir::Location loc);
  /// The same, with a warning if there is no plan for any of `functions`.
  static llvm::FailureOr<PlanFile>
  readFor(llvm::ArrayRef<mlir::Operation *> functions, llvm::StringRef path,
          mlir::Location loc);
  llvm::LogicalResult write(llvm::StringRef path, mlir::Location loc) const;

  /// Null if there is none.
  const SavedPlan *find(mlir::FunctionOpInterface function,
                        unsigned block) const;
  /// True if there is a plan for one of the blocks of `function`.
  bool isFor(mlir::FunctionOpInterface function) const;
  /// Of each of its blocks, in their order.
  void addAll(mlir::FunctionOpInterface function,
              std::vector<SavedPlan> blocks);

private:
  std::map<std::pair<std::string, unsigned>, SavedPlan> plans;
};

} // namespace pebble

#endif // PEBBLE_PLANNING_SAVEDPLAN_H

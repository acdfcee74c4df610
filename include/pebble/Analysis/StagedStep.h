//===- StagedStep.h - a training step that is cut into stages ---*- C++ -*-===//
//
// A function computes a step for one micro-batch. Its calls of functions with
// adjoints are stages of a pipeline (`pebble.stage`). This finds the stages,
// and says with which of their two tasks each other op runs.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_STAGEDSTEP_H
#define PEBBLE_ANALYSIS_STAGEDSTEP_H

#include "pebble/Analysis/AdjointCalls.h"

namespace pebble {

/// The forward or backward task of a stage.
struct StageTask {
  unsigned stage = 0;
  bool isBackward = false;

  bool operator==(const StageTask &other) const {
    return stage == other.stage && isBackward == other.isBackward;
  }
};

struct StagedStep {
  /// Finds the one function of `module` with calls that are stages, among the
  /// pairs of `calls`. Emits an error at the function or call, and fails, where
  /// there is none, stages are missing, something has effects, or values go
  /// back from a later stage to an earlier one.
  static llvm::FailureOr<StagedStep>
  find(mlir::ModuleOp module, AdjointCalls &calls, ProgramContext &context);

  mlir::func::FuncOp function;
  /// By number.
  std::vector<CallPair> stages;
  /// Of the first results of a forward call, how many are no tape.
  std::vector<unsigned> numResults;
  /// With which task an op runs. Those that need nothing of any stage are not
  /// listed: they run wherever their results are needed.
  llvm::DenseMap<mlir::Operation *, StageTask> tasks;

  mlir::Block &getBody() const {
    return const_cast<mlir::func::FuncOp &>(function).getBody().front();
  }
  bool isOfMicroBatch(mlir::BlockArgument argument) const;
  bool isResultOfMicroBatch(unsigned result) const;
  /// Whether `value` differs between micro-batches.
  bool differs(mlir::Value value) const { return differing.contains(value); }

private:
  llvm::DenseSet<mlir::Value> differing;

  llvm::LogicalResult placeOps(ProgramContext &context);
  llvm::LogicalResult checkInterface() const;
  llvm::LogicalResult checkStacksAndSums() const;
  unsigned getOrder(const StageTask &task) const {
    return task.isBackward ? 2 * stages.size() - 1 - task.stage : task.stage;
  }
};

/// All values that `op` reads, those that its regions capture included.
llvm::SmallVector<mlir::Value> getAllOperands(mlir::Operation *op);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_STAGEDSTEP_H

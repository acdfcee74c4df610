//===- SplitWeights.h - gradients of weights as tasks of their own -*- C++ -*-===//
//
// Private. Other stages wait for the gradient of a stage's input, and nobody
// waits for those of its weights. This finds out which results of a backward
// function are such, and writes the function in two: `first` has what others
// wait for, `weights` the rest. What both need is computed by the first, and
// handed over.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_SPLITWEIGHTS_H
#define PEBBLE_LIB_PLANNING_SPLITWEIGHTS_H

#include "pebble/Analysis/StagedStep.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/BitVector.h"

#include <optional>

namespace pebble {

/// A backward function in two. Numbers are those of its arguments and results.
struct BackwardParts {
  mlir::func::FuncOp first, weights;
  llvm::SmallVector<unsigned> firstArguments, weightArguments;
  llvm::SmallVector<unsigned> firstResults, weightResults;
  /// Results of `first` after its own, which `weights` takes after its
  /// arguments.
  unsigned numHeld = 0;
};

/// What no other task of the step waits for.
struct LateOps {
  /// Of the backward call.
  llvm::BitVector results;
  /// Ops of the step that run with the backward task.
  llvm::DenseSet<mlir::Operation *> ops;
};

LateOps findLateOps(StagedStep &step, unsigned stage);

/// Splits `backward`, of whose results `late` are those that nobody waits for.
/// Nothing where that is no use, or not possible: `why` says so.
std::optional<BackwardParts> splitBackward(mlir::func::FuncOp backward,
                                           const llvm::BitVector &late,
                                           mlir::SymbolTable &symbols,
                                           const AnalysisOptions &options,
                                           std::string &why);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_SPLITWEIGHTS_H

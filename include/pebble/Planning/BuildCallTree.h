//===- BuildCallTree.h - a program as a call tree ---------------*- C++ -*-===//
//
// Measures the functions of a program that have adjoints, and one block that
// calls them, and writes down what the choice between split and joint calls
// rests on (Solver/Calls/CallTree.h).
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_BUILDCALLTREE_H
#define PEBBLE_PLANNING_BUILDCALLTREE_H

#include "pebble/Analysis/AdjointCalls.h"
#include "pebble/Planning/StepCosts.h"
#include "pebble/Solver/Calls/CallTree.h"

namespace pebble {

struct CallTreePrices {
  ScheduleObjective objective = ScheduleObjective::Recompute;
  CacheModel cacheModel = CacheModel::Lru;
  HierarchyAttr hierarchy;
  /// Where snapshots of buffers are; null: in the compute tier.
  AtAttr snapshotTier = {};
};

/// The tree of the pairs of a root: block `number` of `function`. Functions are
/// numbered as AdjointCalls::halves has them. Works on a copy of `module`.
/// Bytes are those of the calls as one after the other runs in the order that
/// came in; where a copy is needed because a value lives longer they may be
/// off. Emits errors and fails where sizes or prices are not known.
llvm::FailureOr<calls::CallTree>
buildCallTree(mlir::ModuleOp module, llvm::StringRef function, unsigned number,
              const AnalysisOptions &options, const CallTreePrices &prices);

/// What all steps of `function` cost once, callees included.
llvm::FailureOr<int64_t> getCostOnce(mlir::func::FuncOp function,
                                     ProgramContext &context,
                                     const CallTreePrices &prices);

} // namespace pebble

#endif // PEBBLE_PLANNING_BUILDCALLTREE_H

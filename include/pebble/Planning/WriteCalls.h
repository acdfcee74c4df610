//===- WriteCalls.h - functions for split and joint calls -------*- C++ -*-===//
//
// Carries the choices of a call tree (Solver/Calls/CallTree.h) into the IR. A
// function that runs without its tape gets a plain form. One that runs with it
// gets a form of both halves for each variant that is asked for: the tape holds
// what those choices keep and nothing else. Where the two run one after the
// other they become one function, whose steps a planner of blocks may then
// choose between.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_WRITECALLS_H
#define PEBBLE_PLANNING_WRITECALLS_H

#include "pebble/Analysis/AdjointCalls.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Solver/Calls/CallTree.h"

#include <map>

namespace pebble {

/// Both halves of a function, written for one variant.
struct WrittenHalves {
  mlir::func::FuncOp forward, backward;
  /// Of the forward half: its own results, after which the tape comes.
  unsigned numResults = 0;
  /// Arguments of the forward half that the backward half takes after the tape.
  llvm::SmallVector<unsigned> needs;
  /// By site, in the order of AdjointHalves::calls: the calls of the callee's
  /// halves that belong together.
  llvm::SmallVector<std::pair<mlir::func::CallOp, mlir::func::CallOp>> calls;
};

class CallWriter {
public:
  /// Writes into `module`, in which `calls` were found. Snapshots go to
  /// `snapshotTier` (null: the compute tier).
  CallWriter(mlir::ModuleOp module, AdjointCalls &calls,
             const AnalysisOptions &options, AtAttr snapshotTier = {})
      : module(module), symbols(module), calls(calls), options(options),
        snapshotTier(snapshotTier) {}

  /// The variant that keeps all tapes.
  std::shared_ptr<const calls::Variant> getSplit(mlir::Operation *forward);

  /// `forward` without its tape. Operations that only the tape needs are gone.
  mlir::func::FuncOp getPlain(mlir::Operation *forward);

  const WrittenHalves &getHalves(mlir::Operation *forward,
                                 const calls::Variant &variant);

  /// Both halves as one function: the arguments of the forward half and those
  /// of the backward half after the tape, and the results of the latter.
  mlir::func::FuncOp getWhole(mlir::Operation *forward,
                              const calls::Variant &variant);

  /// Writes the pairs of a root, in their order, as `choices` say. Returns the
  /// calls that belong together.
  llvm::SmallVector<std::pair<mlir::func::CallOp, mlir::func::CallOp>>
  writeRoot(CallRoot &root, const std::vector<calls::Choice> &choices);

  /// Snapshots that were written, and the bytes that they hold.
  unsigned getNumSnapshots() const { return numSnapshots; }
  int64_t getSnapshotBytes() const { return snapshotBytes; }

  /// Erases functions that were replaced, where nobody else needs them.
  void eraseUnused();

private:
  class Crossing;
  using Calls = std::pair<mlir::func::CallOp, mlir::func::CallOp>;
  mlir::func::FuncOp clone(mlir::func::FuncOp function, const llvm::Twine &name,
                           mlir::IRMapping &mapping);
  Calls rewrite(mlir::func::CallOp forward, mlir::func::CallOp backward,
                const calls::Choice &choice, Crossing &crossing,
                llvm::ArrayRef<ArgumentSnapshot> snapshots);
  llvm::SmallVector<mlir::Value>
  dropInnerTapes(AdjointHalves &halves, mlir::IRMapping &mapping,
                 mlir::Operation *end, llvm::ArrayRef<mlir::Value> old);
  void replaceTape(WrittenHalves &out, const Crossing &crossing,
                   mlir::Operation *end, llvm::ArrayRef<mlir::Value> old);
  WrittenHalves write(AdjointHalves &halves, const calls::Variant &variant);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  AdjointCalls &calls;
  const AnalysisOptions &options;
  AtAttr snapshotTier;
  unsigned numSnapshots = 0;
  int64_t snapshotBytes = 0;
  llvm::DenseMap<mlir::Operation *, std::shared_ptr<const calls::Variant>>
      splits;
  llvm::DenseMap<mlir::Operation *, mlir::func::FuncOp> plains;
  using Key = std::pair<mlir::Operation *, const calls::Variant *>;
  std::map<Key, WrittenHalves> written;
  std::map<Key, mlir::func::FuncOp> wholes;
};

} // namespace pebble

#endif // PEBBLE_PLANNING_WRITECALLS_H

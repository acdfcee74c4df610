//===- SymbolicExecution.h - a block as expressions (private) ---*- C++ -*-===//
//
// Runs a block once over expression ids. Equivalence.cpp compares two runs.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_SYMBOLICEXECUTION_H
#define PEBBLE_LIB_PLANNING_SYMBOLICEXECUTION_H

#include "Expressions.h"

#include "pebble/Analysis/Storage.h"

#include "llvm/ADT/DenseSet.h"

#include <map>

namespace pebble {

/// One step as it ran.
struct ExecutedStep {
  mlir::Operation *op;
  ExpressionTable::Id expression;
  /// What each operand was, and who wrote its content last (null: nobody).
  llvm::SmallVector<ExpressionTable::Id, 4> operands;
  llvm::SmallVector<mlir::Operation *, 4> writers;
};

/// A storage used after its content was gone.
struct Hazard {
  mlir::Operation *reader = nullptr;
  /// The op that overwrote or freed the storage, or makes the value only later.
  mlir::Operation *writer = nullptr;
  /// UnderWay: `writer` is the start of a collective that was not waited for.
  enum Kind { Overwritten, Freed, NotYetMade, UnderWay } kind = Overwritten;
  std::string storage;
  explicit operator bool() const { return reader; }
};

/// What a run left behind.
struct Execution {
  using Id = ExpressionTable::Id;
  std::vector<ExecutedStep> steps;
  /// Barriers in the order in which they ran.
  std::vector<std::pair<Id, mlir::Operation *>> effects;
  /// Writes of memory that others may see, with the epoch (the effects before).
  std::vector<std::pair<Id, mlir::Operation *>> exposedWrites;
  /// The terminator's operands, and the terminator itself.
  std::vector<Id> results;
  Id terminator = 0;
  /// Final content of storages that outlive the block, by initial content.
  std::map<Id, std::pair<Id, mlir::Operation *>> finals;
  /// Results written in place, by expression, with the op.
  std::multimap<Id, mlir::Operation *> inPlace;
  /// Ops that run as often as they did, and those of them that keep their order
  /// (HiddenEffects.h).
  std::vector<std::pair<Id, mlir::Operation *>> once, ordered;
  /// Ops that hold a loop that is not known to end.
  std::vector<std::pair<Id, mlir::Operation *>> endless;
  /// Ops that may reach beyond the end of a buffer: extents or places that
  /// their types leave open.
  std::vector<std::pair<Id, mlir::Operation *>> reaching;
  /// Ops that may fail, by expression: effects that had happened when one first
  /// ran.
  std::map<Id, std::pair<size_t, mlir::Operation *>> guarded;
  /// What values that other blocks use are.
  std::vector<std::pair<mlir::Value, Id>> crossing;
  /// Uses, by expression, of values that name one of several storages, some of
  /// which were freed: no hazard if it came in so.
  std::map<Id, size_t> doubtful;
  /// What is promised and nobody checks: effects that had happened before.
  std::map<Id, std::pair<size_t, mlir::Operation *>> promises;
  Hazard hazard;
};

/// How what is not made in a block is recognised.
struct ExecutionScope {
  /// False: one block before and after a rewrite, where values are who they
  /// are. True: two functions, where buffers that blocks make are told apart by
  /// their order.
  bool byPosition = false;
  /// By position: the number of the block.
  unsigned block = 0;
  /// By position: what values of the blocks before were; each run adds its own.
  llvm::DenseMap<mlir::Value, ExpressionTable::Id> crossing;
};

/// Runs `block`. `analysis` is of this block as it stands.
Execution execute(mlir::Block &block, const StorageAnalysis &analysis,
                  ExpressionTable &table, ExecutionScope &scope);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_SYMBOLICEXECUTION_H

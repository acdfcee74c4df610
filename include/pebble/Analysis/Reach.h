//===- Reach.h - which memory a value may lead to ---------------*- C++ -*-===//
//
// Follows buffers through a block, its regions and its calls: from the op that
// makes one, or from the argument, global or tensor behind it, along views,
// casts, pointers, integers that hold addresses, and the edges of control flow,
// to a fixed point. The order of operations plays no part.
//
// The rule: what is not known to be fresh may be anything that it could be made
// of. An op that nobody speaks for (OpKnowledge.h) hands on all its operands
// and whatever its regions capture, and lets all of it escape. Memory that
// escaped may come back as the result of any such op, and from any pointer that
// is loaded from memory: it is `Anywhere`.
//
// Near-linear in operations for a given depth of nesting; blocks without
// memrefs or pointers cost one look at each type.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_REACH_H
#define PEBBLE_ANALYSIS_REACH_H

#include "pebble/Analysis/ProgramContext.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace pebble {

/// A place where a buffer comes from, as the block sees it.
struct Origin {
  enum Kind {
    Anywhere, ///< memory that escaped, or that nobody here knows
    Made,     ///< `value`, a result, is a buffer that its op makes
    Named,    ///< `value`: an argument, a tensor, a value from outside
    Global    ///< the global `symbol`
  };
  Kind kind = Anywhere;
  mlir::Value value;
  mlir::StringAttr symbol;
  /// Something that is not looked through has got hold of it.
  bool escaped = false;
  /// A buffer or pointer leads to it (of interest where `value` is a tensor).
  bool isNamedByMemory = false;

  /// A buffer that `op`, or an op in its regions, makes.
  bool isMadeInside(mlir::Operation *op) const {
    return kind == Made && op->isAncestor(value.getDefiningOp());
  }
};

class ReachAnalysis {
public:
  using Id = unsigned;
  /// The origin of kind Anywhere.
  static constexpr Id kAnywhere = 0;

  ReachAnalysis(mlir::Block &block, ProgramContext &context);

  /// The origins of the memory that `value`, of the block or nested in it, may
  /// lead to; empty for data. Their order is that in which they are met on the
  /// way from them to `value`: it does not depend on where the ops of the block
  /// stand.
  llvm::ArrayRef<Id> get(mlir::Value value) const;
  const Origin &getOrigin(Id id) const { return origins[id]; }
  size_t size() const { return origins.size(); }

  /// True if values of this type hold data and no way to memory: numbers, and
  /// vectors of numbers. An address that was turned into an integer is found by
  /// where it came from.
  static bool isData(mlir::Type type);

private:
  class Solver;
  std::vector<Origin> origins;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Id, 2>> reach;
};

} // namespace pebble

#endif // PEBBLE_ANALYSIS_REACH_H

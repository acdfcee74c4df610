//===- TensorOrigins.h - whose storage tensors are in (private) -*- C++ -*-===//
//
// While a program runs over expressions, a tensor is known by its content. A
// buffer that shows it is known by its storage as well: two tensors of one
// content are two. An origin is the op that made a storage, counted as ops run.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_TENSORORIGINS_H
#define PEBBLE_LIB_PLANNING_TENSORORIGINS_H

#include "pebble/Analysis/Storage.h"

#include "mlir/IR/Operation.h"

namespace pebble {

class TensorOrigins {
public:
  uint64_t makeNew() { return ++count; }
  uint64_t getCount() const { return count; }

  uint64_t get(mlir::Value tensor) {
    auto [found, isNew] = known.try_emplace(tensor, 0);
    return isNew ? found->second = makeNew() : found->second;
  }

  /// `to` has the storage of `from`; null: one of its own.
  void set(mlir::Value to, mlir::Value from = {}) {
    if (mlir::isa<mlir::TensorType>(to.getType())) {
      const uint64_t origin =
          from && mlir::isa<mlir::TensorType>(from.getType()) ? get(from)
                                                              : makeNew();
      known[to] = origin;
    }
  }

  /// Notes what `op` makes.
  void visit(mlir::Operation &op) {
    for (mlir::Value result : op.getResults())
      set(result, StorageAnalysis::getViewSource(&op));
  }

private:
  llvm::DenseMap<mlir::Value, uint64_t> known;
  uint64_t count = 0;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_TENSORORIGINS_H

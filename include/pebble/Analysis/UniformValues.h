//===- UniformValues.h - what is the same on all ranks ----------*- C++ -*-===//
//
// Finds the values of a program that are the same on every rank that runs it,
// whatever its inputs are: constants, what all ranks together have put together
// or gathered (`pebble.collective` in a group of all ranks), and what is
// computed of such values alone. Where a branch or a loop asks for one, all
// ranks take the same way. Arguments of functions that others call, and what is
// read from memory, may differ.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_UNIFORMVALUES_H
#define PEBBLE_ANALYSIS_UNIFORMVALUES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace pebble {

class UniformValues {
public:
  /// Looks at all of `root`: a module. Time linear in its ops, for each time
  /// that a value around a loop turns out to differ.
  explicit UniformValues(mlir::Operation *root);

  bool contains(mlir::Value value) const { return !differing.contains(value); }

private:
  llvm::DenseSet<mlir::Value> differing;
};

} // namespace pebble

#endif // PEBBLE_ANALYSIS_UNIFORMVALUES_H

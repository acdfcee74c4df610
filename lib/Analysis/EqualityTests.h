//===- EqualityTests.h - numbers tested for being equal ---------*- C++ -*-===//
//
// The derivative of a maximum asks which operand the result is equal to. That
// holds while both sides of the test come from one computation: a backend that
// computes a sum of products twice, each time fused with other operations, may
// round it in two ways, and then nothing is equal.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_ANALYSIS_EQUALITYTESTS_H
#define PEBBLE_LIB_ANALYSIS_EQUALITYTESTS_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseSet.h"

namespace pebble {

/// The operations of StableHLO in `block` that round, and whose result stands
/// behind both sides of a test of floating point numbers for being equal: as it
/// is, or by way of operations that do not round. Takes time in the number of
/// tests times the operations between them and what rounds.
llvm::DenseSet<mlir::Operation *> findTestedForEquality(mlir::Block &block);

} // namespace pebble

#endif // PEBBLE_LIB_ANALYSIS_EQUALITYTESTS_H

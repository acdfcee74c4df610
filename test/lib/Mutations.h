//===- Mutations.h - changes that may or may not matter ---------*- C++ -*-===//
//
// Random small changes of a program, anywhere in it: nested regions, callees
// and functions of several blocks too. Unlike a fault (Faults.h), a mutation
// need not be wrong; what a checker lets pass is run.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TEST_LIB_MUTATIONS_H
#define PEBBLE_TEST_LIB_MUTATIONS_H

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <random>

namespace pebble {

struct MutationKind {
  llvm::StringRef name;
  /// Changes `op`, if it can. Returns false, and leaves it, if it cannot.
  std::function<bool(mlir::Operation *op, std::mt19937 &random)> apply;
};
llvm::ArrayRef<MutationKind> getMutationKinds();

} // namespace pebble

#endif // PEBBLE_TEST_LIB_MUTATIONS_H

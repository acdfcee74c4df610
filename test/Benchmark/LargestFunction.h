//===- LargestFunction.h - the function to look at --------------*- C++ -*-===//

#ifndef PEBBLE_TEST_BENCHMARK_LARGESTFUNCTION_H
#define PEBBLE_TEST_BENCHMARK_LARGESTFUNCTION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {

/// The function with the most operations; null if none has a body.
inline mlir::FunctionOpInterface getLargest(mlir::ModuleOp module) {
  mlir::FunctionOpInterface largest;
  size_t most = 0;
  module.walk([&](mlir::FunctionOpInterface function) {
    if (function.isExternal())
      return;
    size_t count = llvm::range_size(function.getFunctionBody().front());
    if (count > most) {
      most = count;
      largest = function;
    }
  });
  return largest;
}

} // namespace pebble

#endif // PEBBLE_TEST_BENCHMARK_LARGESTFUNCTION_H

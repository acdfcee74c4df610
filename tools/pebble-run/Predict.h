//===- Predict.h - what the meter will read ---------------------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_PREDICT_H
#define PEBBLE_TOOLS_PEBBLE_RUN_PREDICT_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <map>
#include <string>

namespace pebble {

struct Prediction {
  /// Peak bytes by tier and bytes moved by "from->to"; zeros are left out.
  std::map<std::string, int64_t> peak;
  std::map<std::string, int64_t> moved;
};

/// Asks the analyses what running `entry` will take, in the order in which its
/// operations stand. Fails, with an error at the op, if they cannot tell.
mlir::FailureOr<Prediction> predict(mlir::FunctionOpInterface entry);

/// Name of the compute tier of `op`'s hierarchy, "default" without one.
std::string getComputeTierName(mlir::Operation *op);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_PREDICT_H

//===- Fit.h - a program that its tier cannot hold --------------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_FIT_H
#define PEBBLE_TOOLS_PEBBLE_RUN_FIT_H

#include "Predict.h"

namespace pebble {

/// Where a program needs more than its tier holds, and what is live there.
struct Misfit {
  mlir::Location loc;
  std::string text;
  std::vector<std::pair<mlir::Location, std::string>> buffers;
};

/// The first such place of a function of one block, as `prediction` has its
/// peaks; nothing if there is none, or if nobody can tell.
std::optional<Misfit> findMisfit(mlir::FunctionOpInterface entry,
                                 const AnalysisOptions &options,
                                 const Prediction &prediction);

/// Emits an error that says where the program needs how much, what the largest
/// buffers there are, and what would do.
void explainMisfit(const Misfit &misfit);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_FIT_H

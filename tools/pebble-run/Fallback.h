//===- Fallback.h - which schedule the data will choose ---------*- C++ -*-===//
//
// A plan of a function with dynamic dimensions rests on a bound. The compiled
// function chooses for itself (GuardFallbacks.cpp); what the meter will read
// depends on its choice, which the data decides before the run.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_FALLBACK_H
#define PEBBLE_TOOLS_PEBBLE_RUN_FALLBACK_H

#include "Npy.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <map>

namespace pebble {

/// The function that will run on `arrays`, data by argument: `entry`, or what
/// its `pebble.fallback` names if a dimension of the data is over the bound
/// there. Analyses then take the largest dimension for every dynamic one, or
/// the bound where the command line gives none.
mlir::FunctionOpInterface
findScheduleFor(mlir::ModuleOp module, mlir::FunctionOpInterface entry,
                const std::map<unsigned, NpyArray> &arrays);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_FALLBACK_H

//===- Rooms.h - what a caller leaves for a call ----------------*- C++ -*-===//
//
// The bytes that stand free while an op runs, inside of loops and branches too:
// what a callee may take beyond what it takes now.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_ROOMS_H
#define PEBBLE_LIB_TRANSFORMS_ROOMS_H

#include "pebble/Analysis/ProgramContext.h"

#include <map>

namespace pebble {

/// Bytes of the compute tier by which `op` may take more than it does before
/// the function around it takes more than `limit`. Sizes must be known.
int64_t getRoom(mlir::Operation *op, int64_t limit, ProgramContext &context);

/// Bytes that slower tiers hold while `op` runs, without what it makes there
/// itself, by tier.
std::map<std::string, int64_t> getSlowTaken(mlir::Operation *op,
                                            ProgramContext &context);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_ROOMS_H

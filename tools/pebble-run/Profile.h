//===- Profile.h - measure a program's operations and tiers -----*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_PROFILE_H
#define PEBBLE_TOOLS_PEBBLE_RUN_PROFILE_H

#include "Jit.h"

#include "pebble/Target/CostProfile.h"

namespace pebble {

/// Measures on this machine how long each operation of `module` takes, each
/// kind and shape by itself, and how fast data moves between its compute tier
/// and its slower tiers, as they stand in the runtime. `module` has been
/// through the storage pipeline and is not changed; nothing may be live in the
/// runtime. The program has `liveBytes` bytes live. What cannot be measured is
/// named on stderr. Operations of `known`, if it is of this machine, are taken
/// from there.
llvm::Expected<CostProfile> measure(mlir::ModuleOp module,
                                    const JitOptions &options,
                                    int64_t liveBytes,
                                    const CostProfile *known);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_PROFILE_H

//===- Jumps.h - what jumps hand to the blocks behind them ------*- C++ -*-===//
//
// The analysis that counts what is live in several blocks and the pass that
// frees it ask the same questions here.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_JUMPS_H
#define PEBBLE_ANALYSIS_JUMPS_H

#include "pebble/Analysis/BlockLiveness.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace pebble {

/// Calls `visit` with each operand that `jump` hands to one of its successors,
/// and the argument that takes it.
void forEachPassed(
    mlir::BranchOpInterface jump,
    llvm::function_ref<void(mlir::OpOperand &, mlir::BlockArgument)> visit);

/// True if `argument`, into which the buffer that `root` names flows, must own
/// what it is given. It may name a buffer from outside, or one that the first
/// block makes: these exist on every way to the argument's block. A buffer that
/// another block, `maker`, makes may not exist there.
bool mustOwn(mlir::BlockArgument argument, mlir::Value root,
             mlir::Block *maker);

/// True if the buffer that `root` names stays with its owner when a jump hands
/// it to `argument`, which owns what else flows into it: the buffer is needed
/// behind the jump under an old name as well.
bool staysWithOwner(mlir::BlockArgument argument, mlir::Value root,
                    const BlockLiveness &liveness);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_JUMPS_H

//===- CopiedOperands.h - operands that go once they are copied -*- C++ -*-===//

#ifndef PEBBLE_LIB_TRANSFORMS_COPIEDOPERANDS_H
#define PEBBLE_LIB_TRANSFORMS_COPIEDOPERANDS_H

#include "pebble/Analysis/ProgramContext.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Target/Backends.h"

namespace pebble {

/// `scratch` was measured with all that `step` reads in memory. A convolution
/// that copies both of its operands needs less: the first one that is copied
/// may go before the other one is. So its place is made a result of the step,
/// which the step writes over the operand; where others still need the
/// operand, that result has a place of its own, and all is as it was measured.
/// What remains is the new scratch. Returns the step, which may be a new one.
StepOp freeCopiedOperand(StepOp step, int64_t &scratch, const Backend &backend,
                         ProgramContext &context);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_COPIEDOPERANDS_H

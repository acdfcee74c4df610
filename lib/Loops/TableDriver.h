//===- TableDriver.h - loops reversed as a table says -----------*- C++ -*-===//
//
// Writes the driver that follows a chain::TierTable: states in slots of two
// tiers, with the least cost of steps and transfers.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_LOOPS_TABLEDRIVER_H
#define PEBBLE_LIB_LOOPS_TABLEDRIVER_H

#include "Loops/LoopReverser.h"

namespace pebble {

/// The driver of a plan with ReversalPlan::Tiers; its results are those of the
/// loop.
Values writeTable(LoopReverser &loop);

} // namespace pebble

#endif // PEBBLE_LIB_LOOPS_TABLEDRIVER_H

//===- HostMemory.h - how the process gets its memory -----------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_HOSTMEMORY_H
#define PEBBLE_TOOLS_PEBBLE_RUN_HOSTMEMORY_H

#include "Predict.h"

namespace pebble {

/// Has the C library keep what is freed and hand it out again. By default it
/// returns large buffers to the system, and every new one costs a page fault
/// for each of its pages: more than many an operation on it, and in one order
/// of operations more than in another. What calls the same step again and again
/// does as this does.
void keepFreedMemory();

/// Touches as many bytes as the program is going to keep in tiers of memory, so
/// that a run which is timed finds them as a later call of the same function
/// does.
void warmUpMemory(const Prediction &prediction);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_HOSTMEMORY_H

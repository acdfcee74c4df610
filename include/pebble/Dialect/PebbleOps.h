//===- PebbleOps.h - moves, drops, and the opaque identity ------*- C++ -*-===//

#ifndef PEBBLE_DIALECT_PEBBLEOPS_H
#define PEBBLE_DIALECT_PEBBLEOPS_H

#include "pebble/Dialect/PebbleDialect.h"

#define GET_OP_CLASSES
#include "pebble/Dialect/PebbleOps.h.inc"

#endif // PEBBLE_DIALECT_PEBBLEOPS_H

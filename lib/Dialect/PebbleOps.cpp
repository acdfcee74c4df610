//===- PebbleOps.cpp - moves, drops, and the opaque identity
//---------------===//

#include "pebble/Dialect/PebbleOps.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "pebble/Dialect/PebbleOps.cpp.inc"

void pebble::PebbleDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "pebble/Dialect/PebbleOps.cpp.inc"
      >();
}

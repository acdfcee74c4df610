//===- PebbleDialect.cpp - the pebble dialect -----------------------------===//

#include "pebble/Dialect/PebbleDialect.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "pebble/Dialect/PebbleDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "pebble/Dialect/PebbleTypes.cpp.inc"

void pebble::PebbleDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOps();
}

void pebble::PebbleDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "pebble/Dialect/PebbleTypes.cpp.inc"
      >();
}

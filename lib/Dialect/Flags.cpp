//===- Flags.cpp - what flags leave open ----------------------------------===//

#include "pebble/Dialect/Flags.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

bool pebble::hasFlags(Operation *op) {
  auto overflow = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  arith::FastMathFlagsAttr flags =
      fast ? fast.getFastMathFlagsAttr() : arith::FastMathFlagsAttr();
  std::optional<Attribute> exact = op->getInherentAttr("isExact");
  return (overflow && overflow.getOverflowAttr().getValue() !=
                          arith::IntegerOverflowFlags::none) ||
         (flags && flags.getValue() != arith::FastMathFlags::none) ||
         (exact && *exact);
}

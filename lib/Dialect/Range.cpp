//===- Range.cpp - what pebble.range means for integers -------------------===//

#include "pebble/Dialect/Range.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace pebble;

/// Bits of an end: more than those of an element, whatever its sign.
static constexpr unsigned kWidth = 128;

/// The least integer that is not below `bound`.
static std::optional<llvm::APInt> roundUp(Attribute bound) {
  if (auto integer = dyn_cast<IntegerAttr>(bound)) {
    bool isUnsigned = integer.getType().isUnsignedInteger() ||
                      integer.getType().isSignlessInteger(1);
    llvm::APInt value = integer.getValue();
    if (value.getBitWidth() >= kWidth)
      return std::nullopt;
    return isUnsigned ? value.zext(kWidth) : value.sext(kWidth);
  }
  auto number = dyn_cast<FloatAttr>(bound);
  if (!number)
    return std::nullopt;
  llvm::APSInt integer(kWidth, /*isUnsigned=*/false);
  bool isExact;
  if (number.getValue().convertToInteger(integer, APFloat::rmTowardPositive,
                                         &isExact) == APFloat::opInvalidOp)
    return std::nullopt;
  return integer;
}

std::optional<IntegerRange> pebble::getIntegerRange(Attribute lo,
                                                    Attribute hi) {
  std::optional<llvm::APInt> first = roundUp(lo), end = roundUp(hi);
  if (!first || !end)
    return std::nullopt;
  return IntegerRange{*first, *end};
}

bool IntegerRange::fits(Type type) const {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (isEmpty() || width + 1 >= kWidth)
    return isEmpty();
  llvm::APInt last = end - 1;
  bool fitsSigned = first.isSignedIntN(width) && last.isSignedIntN(width);
  bool fitsUnsigned = first.isNonNegative() && last.isIntN(width);
  if (type.isSignedInteger())
    return fitsSigned;
  if (type.isUnsignedInteger())
    return fitsUnsigned;
  return fitsSigned || fitsUnsigned;
}

//===- DimBounds.cpp - sizes of shaped types -------------------------------===//

#include "pebble/Dialect/DimBounds.h"

#include "pebble/Dialect/Placement.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pebble;

int64_t pebble::addCounts(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? INT64_MAX : sum;
}

int64_t pebble::multiplyCounts(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? INT64_MAX : product;
}

std::optional<int64_t> pebble::getElementBytes(Type type) {
  if (type.isIndex())
    return 8;
  if (type.isIntOrFloat())
    return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  if (auto complex = dyn_cast<ComplexType>(type)) {
    std::optional<int64_t> part = getElementBytes(complex.getElementType());
    return part ? std::optional<int64_t>(2 * *part) : std::nullopt;
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    std::optional<int64_t> element = getElementBytes(vector.getElementType());
    if (element && !vector.isScalable())
      return multiplyCounts(*element, vector.getNumElements());
  }
  return std::nullopt;
}

std::optional<int64_t> pebble::getStaticElements(Type type,
                                                 const DimBounds &bounds) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return std::nullopt;
  int64_t elements = 1;
  for (int64_t dim : shaped.getShape()) {
    std::optional<int64_t> size = bounds.getSize(dim);
    if (!size)
      return std::nullopt;
    elements = multiplyCounts(elements, *size);
  }
  return elements;
}

std::optional<int64_t> pebble::getStaticBytes(Type type,
                                              const DimBounds &bounds) {
  std::optional<int64_t> elements = getStaticElements(type, bounds);
  if (!elements)
    return std::nullopt;
  std::optional<int64_t> element =
      getElementBytes(cast<ShapedType>(type).getElementType());
  if (!element)
    return std::nullopt;
  AtAttr at = getPlacement(type);
  if (!at || !at.isCompressed())
    return multiplyCounts(*elements, *element);
  int64_t rows = 1;
  if (at.getRows())
    rows = *bounds.getSize(cast<ShapedType>(type).getDimSize(0));
  if (rows == 0)
    return 0;
  return multiplyCounts(rows, at.getSlotBytes(*elements / rows, *element));
}

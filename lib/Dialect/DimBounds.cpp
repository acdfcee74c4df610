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

std::optional<ByteReach> pebble::getReach(ArrayRef<int64_t> sizes,
                                          ArrayRef<int64_t> strides,
                                          int64_t offset, int64_t width) {
  if (llvm::is_contained(sizes, 0))
    return ByteReach{};
  int64_t low = offset, high = offset;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    int64_t span;
    if (llvm::MulOverflow(size - 1, stride, span))
      return std::nullopt;
    int64_t &end = span < 0 ? low : high;
    if (llvm::AddOverflow(end, span, end))
      return std::nullopt;
  }
  ByteReach reach;
  if (llvm::AddOverflow(high, int64_t(1), high) ||
      llvm::MulOverflow(low, width, reach.begin) ||
      llvm::MulOverflow(high, width, reach.end))
    return std::nullopt;
  int64_t bytes;
  if (llvm::SubOverflow(reach.end, getMemoryBegin(reach), bytes))
    return std::nullopt;
  return reach;
}

int64_t pebble::getMemoryBegin(ByteReach reach) {
  constexpr int64_t kGranule = 64;
  // Rounded down, of negative numbers too; the lowest one is a multiple.
  return reach.begin & ~(kGranule - 1);
}

bool pebble::getLaidOut(MemRefType type, ArrayRef<int64_t> sizes,
                        SmallVectorImpl<int64_t> &strides, int64_t &offset) {
  SmallVector<int64_t> given;
  if (failed(type.getStridesAndOffset(given, offset)))
    return false;
  strides.assign(sizes.size(), 1);
  for (auto dim = static_cast<int64_t>(sizes.size()) - 2; dim >= 0; --dim)
    if (llvm::MulOverflow(strides[dim + 1],
                          std::max<int64_t>(sizes[dim + 1], 1), strides[dim]))
      return false;
  for (auto [stride, known] : llvm::zip_equal(strides, given))
    if (!ShapedType::isDynamic(known))
      stride = known;
  if (ShapedType::isDynamic(offset))
    offset = 0;
  return true;
}

std::optional<int64_t> pebble::getReachedBytes(MemRefType type,
                                               const DimBounds &bounds) {
  SmallVector<int64_t> sizes, strides;
  for (int64_t dim : type.getShape()) {
    std::optional<int64_t> size = bounds.getSize(dim);
    if (!size)
      return std::nullopt;
    sizes.push_back(*size);
  }
  std::optional<int64_t> width = getElementBytes(type.getElementType());
  int64_t offset;
  if (!width || !getLaidOut(type, sizes, strides, offset))
    return std::nullopt;
  std::optional<ByteReach> reach = getReach(sizes, strides, offset, *width);
  if (!reach)
    return std::nullopt;
  return reach->end - getMemoryBegin(*reach);
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

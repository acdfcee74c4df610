//===- DimBounds.cpp - sizes of shaped types -------------------------------===//

#include "pebble/Dialect/DimBounds.h"

#include "pebble/Dialect/Placement.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "llvm/ADT/Sequence.h"
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

std::optional<SmallVector<unsigned>> pebble::getDimOrder(MemRefType type) {
  AffineMap map = type.getLayout().getAffineMap();
  if (type.isStrided() || map.getNumSymbols() != 0 || !map.isPermutation())
    return std::nullopt;
  SmallVector<unsigned> order;
  for (unsigned place = 0; place < map.getNumResults(); ++place)
    order.push_back(map.getDimPosition(place));
  return order;
}

bool pebble::getLaidOut(MemRefType type, ArrayRef<int64_t> sizes,
                        SmallVectorImpl<int64_t> &strides, int64_t &offset) {
  SmallVector<int64_t> given(sizes.size(), ShapedType::kDynamic);
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(0, sizes.size()));
  if (std::optional<SmallVector<unsigned>> permuted = getDimOrder(type)) {
    order = *permuted;
    offset = 0;
  } else if (given.clear(); failed(type.getStridesAndOffset(given, offset))) {
    return false;
  }
  strides.assign(sizes.size(), 1);
  for (auto place = static_cast<int64_t>(sizes.size()) - 2; place >= 0;
       --place) {
    unsigned inner = order[place + 1];
    if (llvm::MulOverflow(strides[inner], std::max<int64_t>(sizes[inner], 1),
                          strides[order[place]]))
      return false;
  }
  for (auto [stride, known] : llvm::zip_equal(strides, given))
    if (!ShapedType::isDynamic(known))
      stride = known;
  if (ShapedType::isDynamic(offset))
    offset = 0;
  return true;
}

/// Where the elements of a memref lie that is laid out as getLaidOut says.
static std::optional<ByteReach> getReachOf(MemRefType type,
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
  return getReach(sizes, strides, offset, *width);
}

std::optional<int64_t> pebble::getReachedBytes(MemRefType type,
                                               const DimBounds &bounds) {
  std::optional<ByteReach> reach = getReachOf(type, bounds);
  if (!reach)
    return std::nullopt;
  return reach->end - getMemoryBegin(*reach);
}

std::optional<int64_t> pebble::getAllocatedBytes(MemRefType type,
                                                 const DimBounds &bounds) {
  // What is no strided layout is one in another space of dimensions.
  if (!type.isStrided() && !getDimOrder(type)) {
    MemRefType other = affine::normalizeMemRefType(type);
    return other.getLayout().isIdentity() ? getStaticBytes(other, bounds)
                                          : std::nullopt;
  }
  std::optional<ByteReach> reach = getReachOf(type, bounds);
  if (!reach || reach->begin < 0)
    return std::nullopt;
  return reach->end;
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

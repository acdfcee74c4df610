//===- DimBounds.h - sizes of shaped types ----------------------*- C++ -*-===//
//
// Sizes in bytes and elements. A dynamic dimension has a size only where the
// user has given a bound.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_DIMBOUNDS_H
#define PEBBLE_DIALECT_DIMBOUNDS_H

#include "mlir/IR/BuiltinTypes.h"

#include <cstdint>
#include <optional>

namespace pebble {

/// What dynamic dimensions are taken to be.
struct DimBounds {
  /// Size of every dynamic dimension; without one they have none.
  std::optional<int64_t> dynamicDim;

  /// The size of a dimension; nothing if it is dynamic and has no bound.
  std::optional<int64_t> getSize(int64_t dim) const {
    return mlir::ShapedType::isDynamic(dim) ? dynamicDim
                                            : std::optional<int64_t>(dim);
  }
};

/// `a + b` and `a * b` of counts; INT64_MAX instead of an overflow.
int64_t addCounts(int64_t a, int64_t b);
int64_t multiplyCounts(int64_t a, int64_t b);

/// Elements of a ranked shaped type; nothing if a dynamic dimension has no
/// bound, or if the type is not ranked.
std::optional<int64_t> getStaticElements(mlir::Type type,
                                         const DimBounds &bounds = {});

/// Bytes of a ranked shaped type, elements packed row-major (an element of less
/// than a byte takes a whole one, an index takes 8), unrounded; what is
/// reserved for it where its placement says that it is kept compressed. Nothing
/// if a dynamic dimension has no bound or the element has no size.
std::optional<int64_t> getStaticBytes(mlir::Type type,
                                      const DimBounds &bounds = {});

/// Where the elements of a strided layout lie, in bytes from the place that its
/// offset counts from: from the start of the lowest one to the end of the
/// highest one. Strides may be negative, and leave gaps.
struct ByteReach {
  int64_t begin = 0;
  int64_t end = 0;
};

/// The reach of elements of `width` bytes; nothing if it is beyond what 64 bits
/// count. Of no elements it is empty.
std::optional<ByteReach> getReach(llvm::ArrayRef<int64_t> sizes,
                                  llvm::ArrayRef<int64_t> strides,
                                  int64_t offset, int64_t width);

/// The dimensions of a memref as they lie in memory, the outermost first, if
/// its layout is a map that puts them in another order and does nothing else.
std::optional<llvm::SmallVector<unsigned>> getDimOrder(mlir::MemRefType type);

/// How a memref of these sizes is laid out if somebody allocates it as its type
/// says: strides and an offset that the type leaves open are row-major and 0.
/// False if its layout is not strided and does more than put dimensions in
/// another order, or if 64 bits do not count it.
bool getLaidOut(mlir::MemRefType type, llvm::ArrayRef<int64_t> sizes,
                llvm::SmallVectorImpl<int64_t> &strides, int64_t &offset);

/// Bytes of memory that hold a memref laid out so, which begin where a granule
/// of 64 bytes does; nothing as in getStaticBytes, or if they cannot be
/// counted.
std::optional<int64_t> getReachedBytes(mlir::MemRefType type,
                                       const DimBounds &bounds = {});

/// Bytes that an allocation of a memref takes: from the place that its offset
/// counts from to the end of the highest element. Nothing as in
/// getReachedBytes, or if elements lie before that place.
std::optional<int64_t> getAllocatedBytes(mlir::MemRefType type,
                                         const DimBounds &bounds = {});

/// The first byte of the memory that holds what reaches so far: the place that
/// the offset counts from keeps its alignment.
int64_t getMemoryBegin(ByteReach reach);

/// Bytes of one scalar, complex or vector; nothing if it has no size.
std::optional<int64_t> getElementBytes(mlir::Type type);

} // namespace pebble

#endif // PEBBLE_DIALECT_DIMBOUNDS_H

//===- StridedBuffers.cpp - allocations with gaps -------------------------===//

#include "StridedBuffers.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace pebble;

namespace {
/// Numbers of LLVM.
class Numbers {
public:
  Numbers(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc), type(type) {}

  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  }
  Value add(Value a, Value b) {
    return LLVM::AddOp::create(builder, loc, a, b);
  }
  /// From the first of `size` elements to the last; 0 where that is backwards.
  Value spanUp(Value size, Value stride) {
    Value steps = LLVM::SubOp::create(builder, loc, size, constant(1));
    Value span = LLVM::MulOp::create(builder, loc, steps, stride);
    return LLVM::SMaxOp::create(builder, loc, span, constant(0));
  }
  /// `value`, but 0 where `size` is.
  Value unlessEmpty(Value size, Value value) {
    Value isEmpty = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                         size, constant(0));
    return LLVM::SelectOp::create(builder, loc, isEmpty, constant(0), value);
  }

private:
  OpBuilder &builder;
  Location loc;
  Type type;
};
} // namespace

StridedBuffer pebble::layOutBuffer(OpBuilder &builder, Location loc,
                                   MemRefType type, ValueRange dynamicSizes,
                                   ValueRange symbols, Type index) {
  Numbers numbers(builder, loc, index);
  // An offset comes before strides.
  auto take = [&](int64_t known, ValueRange &open) {
    if (!ShapedType::isDynamic(known))
      return numbers.constant(known);
    Value first = open.front();
    open = open.drop_front();
    return first;
  };
  auto [strides, offset] = type.getStridesAndOffset();
  StridedBuffer buffer;
  buffer.offset = take(offset, symbols);
  for (int64_t size : type.getShape())
    buffer.sizes.push_back(take(size, dynamicSizes));
  for (int64_t stride : strides)
    buffer.strides.push_back(take(stride, symbols));
  buffer.elements = numbers.add(buffer.offset, numbers.constant(1));
  for (auto [size, stride] : llvm::zip_equal(buffer.sizes, buffer.strides))
    buffer.elements =
        numbers.add(buffer.elements, numbers.spanUp(size, stride));
  for (auto [known, size] : llvm::zip_equal(type.getShape(), buffer.sizes))
    if (known == 0 || ShapedType::isDynamic(known))
      buffer.elements = numbers.unlessEmpty(size, buffer.elements);
  return buffer;
}

//===- LoopWriter.cpp - writes loops over states --------------------------===//

#include "Loops/LoopWriter.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace pebble {

Values join(std::initializer_list<ValueRange> lists) {
  Values all;
  for (ValueRange list : lists)
    llvm::append_range(all, list);
  return all;
}

Values take(ValueRange &rest, size_t count) {
  Values taken = llvm::to_vector(rest.take_front(count));
  rest = rest.drop_front(count);
  return taken;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Values LoopWriter::loop(Value low, Value high, ValueRange carried, Body body) {
  auto loop = scf::ForOp::create(b, low, high, constant(1), carried);
  OpBuilder::InsertionGuard guard(b);
  if (carried.empty())
    b.setInsertionPoint(loop.getBody()->getTerminator());
  else
    b.setInsertionPointToEnd(loop.getBody());
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(b, next);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

Values LoopWriter::onlyIf(Value condition, ValueRange carried,
                          llvm::function_ref<Values(ValueRange)> body) {
  Value times = arith::IndexCastUIOp::create(b, b.getIndexType(), condition);
  return loop(constant(0), times, carried,
              [&](Value, ValueRange inside) { return body(inside); });
}

Values LoopWriter::inlineRegion(Region &region, ValueRange arguments) {
  IRMapping mapping;
  mapping.map(region.getArguments(), arguments);
  for (Operation &op : region.front().without_terminator())
    b.clone(op, mapping);
  return llvm::map_to_vector(
      region.front().getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

Value LoopWriter::copyInto(Value target, Value source) {
  if (!isa<RankedTensorType>(target.getType()))
    return source;
  return linalg::CopyOp::create(b, source, target).getResult(0);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

Value StateArray::make(OpFoldResult count) {
  std::optional<int64_t> fixed = getConstantIntValue(count);
  SmallVector<int64_t> shape = {fixed.value_or(ShapedType::kDynamic)};
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor)
    llvm::append_range(shape, tensor.getShape());
  auto array =
      RankedTensorType::get(shape, tensor ? tensor.getElementType() : type, at);
  Values sizes;
  if (!fixed)
    sizes.push_back(cast<Value>(count));
  return bufferization::AllocTensorOp::create(w->b, array, sizes);
}

Value StateArray::save(Value array, Value value, Value number,
                       std::optional<int64_t> times) {
  if (!isa<RankedTensorType>(type))
    return tensor::InsertOp::create(w->b, value, array, number);
  if (at)
    return SaveOp::create(w->b, value, array, number, times);
  return tensor::InsertSliceOp::create(w->b, value, array, getOffsets(number),
                                       getSizes(), getStrides());
}

Value StateArray::restore(Value array, Value number, Value into,
                          std::optional<int64_t> times) {
  if (at)
    return RestoreOp::create(w->b, array, into, number, times);
  return w->copyInto(into, view(array, number));
}

Value StateArray::view(Value array, Value number) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return tensor::ExtractOp::create(w->b, array, number);
  return tensor::ExtractSliceOp::create(w->b, tensor, array, getOffsets(number),
                                        getSizes(), getStrides());
}

SmallVector<OpFoldResult> StateArray::getOffsets(Value number) {
  SmallVector<OpFoldResult> offsets = {number};
  offsets.append(cast<ShapedType>(type).getRank(), w->b.getIndexAttr(0));
  return offsets;
}

SmallVector<OpFoldResult> StateArray::getSizes() {
  SmallVector<OpFoldResult> sizes = {w->b.getIndexAttr(1)};
  for (int64_t size : cast<ShapedType>(type).getShape())
    sizes.push_back(w->b.getIndexAttr(size));
  return sizes;
}

SmallVector<OpFoldResult> StateArray::getStrides() {
  return SmallVector<OpFoldResult>(cast<ShapedType>(type).getRank() + 1,
                                   w->b.getIndexAttr(1));
}

} // namespace pebble

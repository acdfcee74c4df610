//===- CallSnapshots.cpp - arguments for a second run ---------------------===//

#include "CallSnapshots.h"

#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace pebble {

/// Dimensions of `buffer` that its type does not tell.
static SmallVector<Value> getSizes(OpBuilder &builder, Location loc,
                                   Value buffer) {
  SmallVector<Value> sizes;
  auto type = cast<MemRefType>(buffer.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(builder, loc, buffer, dim));
  return sizes;
}

Value CallSnapshots::keep(Value value) {
  auto type = cast<ShapedType>(value.getType());
  ++count;
  bytes += getStaticBytes(type, bounds).value_or(0);
  return isa<TensorType>(value.getType()) ? keepTensor(value)
                                          : keepBuffer(value);
}

/// In the compute tier the second run works on the snapshot itself. What is in
/// a slower tier comes back into a buffer of its own.
Value CallSnapshots::keepBuffer(Value value) {
  OpBuilder before(forward), after(backward);
  Location loc = forward.getLoc();
  auto type = cast<MemRefType>(value.getType());
  // What is in a slower tier already may be copied there.
  if (!tier || getPlacement(type)) {
    Value copy = memref::AllocOp::create(before, loc, type,
                                         getSizes(before, loc, value));
    memref::CopyOp::create(before, loc, value, copy);
    made.push_back(copy);
    return copy;
  }
  Value away = memref::AllocOp::create(
      before, loc, cast<MemRefType>(withPlacement(type, tier)),
      getSizes(before, loc, value));
  auto store = StoreOp::create(before, loc, value, away);
  WaitOp::create(before, loc, store.getToken());
  Value back =
      memref::AllocOp::create(after, loc, type, getSizes(after, loc, value));
  auto load = LoadOp::create(after, loc, away, back);
  WaitOp::create(after, loc, load.getToken());
  memref::DeallocOp::create(after, loc, away);
  made.push_back(back);
  return back;
}

/// A tensor ends by itself. One that was read from a buffer lies there as long
/// as nobody overwrites that.
Value CallSnapshots::keepTensor(Value value) {
  OpBuilder before(forward), after(backward);
  Location loc = forward.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  if (!tier || getPlacement(type) || !withPlacement(type, tier))
    return bufferization::AllocTensorOp::create(before, loc, type,
                                                /*dynamicSizes=*/ValueRange(),
                                                /*copy=*/value);
  auto store = StoreOp::create(before, loc, value, withPlacement(type, tier));
  Value away = WaitOp::create(before, loc, store.getToken(), store.getCopy())
                   .getResult();
  auto load = LoadOp::create(after, loc, away, type);
  return WaitOp::create(after, loc, load.getToken(), load.getCopy())
      .getResult();
}

Value CallSnapshots::replace(Value value) {
  OpBuilder after(backward);
  Location loc = forward.getLoc();
  Value buffer =
      memref::AllocOp::create(after, loc, cast<MemRefType>(value.getType()),
                              getSizes(after, loc, value));
  made.push_back(buffer);
  return buffer;
}

void CallSnapshots::finish(Operation *last) {
  OpBuilder builder(last->getContext());
  builder.setInsertionPointAfter(last);
  for (Value buffer : made)
    memref::DeallocOp::create(builder, forward.getLoc(), buffer);
}

} // namespace pebble

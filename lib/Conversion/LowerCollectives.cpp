//===- LowerCollectives.cpp - what ranks do together becomes calls --------===//

#include "Messages.h"
#include "RuntimeCalls.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace pebble;

/// How many rows of parts lie behind each other: the elements of the dimensions
/// in front of the axis. Of a broadcast, which has no axis, the root.
static Value getRowsOrRoot(OpBuilder &builder, CollectiveOp op) {
  Location loc = op.getLoc();
  const auto axis = static_cast<int64_t>(op.getAxis());
  if (op.getKind() == CollectiveKind::Broadcast)
    return arith::ConstantIndexOp::create(builder, loc, axis);
  Value rows = arith::ConstantIndexOp::create(builder, loc, 1);
  for (int64_t dim = 0; dim < axis; ++dim)
    rows = arith::MulIOp::create(
        builder, loc, rows,
        memref::DimOp::create(builder, loc, op.getInput(), dim));
  return rows;
}

static LogicalResult lower(CollectiveOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  if (isa<TensorType>(op.getInput().getType()))
    return op.emitError("is still on tensors");
  FailureOr<Message> from = getMessage(builder, op, op.getInput());
  FailureOr<Message> to = getMessage(builder, op, op.getInit());
  if (failed(from) || failed(to))
    return failure();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Type element = cast<MemRefType>(op.getInput().getType()).getElementType();
  callRuntime(builder, loc, "pebble_mpi_collective", TypeRange(),
              {number(static_cast<int64_t>(op.getKind())), from->address,
               to->address, from->count, number(from->bits),
               number(isa<FloatType>(element)),
               number(static_cast<int64_t>(op.getReduction())),
               number(op.getGroup()), number(op.getStride()),
               number(op.getRanks()), getRowsOrRoot(builder, op)});
  op.erase();
  return success();
}

LogicalResult pebble::lowerCollectives(ModuleOp module) {
  SmallVector<CollectiveOp> ops;
  module.walk([&](CollectiveOp op) { ops.push_back(op); });
  for (CollectiveOp op : ops)
    if (failed(lower(op)))
      return failure();
  return success();
}

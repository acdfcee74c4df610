//===- LowerCollectives.cpp - what ranks do together becomes calls --------===//

#include "Messages.h"
#include "RuntimeCalls.h"

#include "pebble/Dialect/PebbleStarts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace pebble;

/// How many rows of parts lie behind each other: the elements of the dimensions
/// in front of the axis. Of a broadcast, which has no axis, the root.
static Value getRowsOrRoot(OpBuilder &builder, Location loc,
                           const CollectiveParts &parts) {
  if (parts.kind == CollectiveKind::Broadcast)
    return arith::ConstantIndexOp::create(builder, loc, parts.axis);
  Value rows = arith::ConstantIndexOp::create(builder, loc, 1);
  for (int64_t dim = 0; dim < parts.axis; ++dim)
    rows = arith::MulIOp::create(
        builder, loc, rows,
        memref::DimOp::create(builder, loc, parts.input, dim));
  return rows;
}

/// Calls `name` with what `op`, a collective or the start of one, says.
static FailureOr<func::CallOp> call(Operation *op, StringRef name,
                                    TypeRange results) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  const CollectiveParts parts = *getCollective(op);
  if (isa<TensorType>(parts.input.getType()))
    return op->emitError("is still on tensors");
  FailureOr<Message> from = getMessage(builder, op, parts.input);
  FailureOr<Message> to = getMessage(builder, op, parts.init);
  if (failed(from) || failed(to))
    return failure();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Type element = cast<MemRefType>(parts.input.getType()).getElementType();
  return callRuntime(builder, loc, name, results,
                     {number(static_cast<int64_t>(parts.kind)), from->address,
                      to->address, from->count, number(from->bits),
                      number(isa<FloatType>(element)),
                      number(static_cast<int64_t>(parts.reduction)),
                      number(parts.group), number(parts.stride),
                      number(parts.ranks), getRowsOrRoot(builder, loc, parts)});
}

static LogicalResult lower(CollectiveOp op) {
  if (failed(call(op, "pebble_mpi_collective", TypeRange())))
    return failure();
  op.erase();
  return success();
}

static LogicalResult lower(CollectiveStartOp op) {
  Type request = IntegerType::get(op.getContext(), 64);
  FailureOr<func::CallOp> started =
      call(op, "pebble_mpi_collective_start", request);
  if (failed(started))
    return failure();
  CollectiveWaitOp wait = getWait(op);
  OpBuilder builder(wait);
  callRuntime(builder, wait.getLoc(), "pebble_mpi_collective_wait", TypeRange(),
              started->getResults());
  wait.erase();
  op.erase();
  return success();
}

template <typename Op>
static LogicalResult lowerAll(ModuleOp module) {
  SmallVector<Op> ops;
  module.walk([&](Op op) { ops.push_back(op); });
  for (Op op : ops)
    if (failed(lower(op)))
      return failure();
  return success();
}

LogicalResult pebble::lowerCollectiveStarts(ModuleOp module) {
  return lowerAll<CollectiveStartOp>(module);
}

LogicalResult pebble::lowerCollectives(ModuleOp module) {
  return success(succeeded(lowerCollectiveStarts(module)) &&
                 succeeded(lowerAll<CollectiveOp>(module)));
}

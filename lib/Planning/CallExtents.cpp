//===- CallExtents.cpp - how large values of a program that runs are ------===//

#include "CallValues.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace pebble {

CallValues::Id CallValues::getExtent(Value value, int64_t dim, Values &values) {
  const Id id = values.lookup(value);
  auto type = cast<ShapedType>(value.getType());
  std::optional<Place> place;
  if (isa<BaseMemRefType>(type))
    place = getPlace(value, values);
  else if (auto tensor = memory.findTensor(id))
    place = tensor->first;
  if (!place) {
    auto known = extents.find(id);
    if (known != extents.end() && known->second[dim])
      return known->second[dim];
    return table.get(ExpressionTable::Extent, {uint64_t(dim), id});
  }
  // What a buffer that was made here has along a dimension is what it was made
  // with.
  auto known = sizes.find(place->buffer);
  if (memory.isWhole(*place) && known != sizes.end())
    return known->second[type.getDynamicDimIndex(dim)];
  SmallVector<uint64_t> words = {uint64_t(dim), place->path};
  if (known != sizes.end())
    llvm::append_range(words, known->second);
  else
    words.push_back(memory.getBirth(place->buffer));
  return table.get(ExpressionTable::Extent, words);
}

void CallValues::addExtents(Value value, Values &values,
                            SmallVectorImpl<uint64_t> &words) {
  auto type = cast<ShapedType>(value.getType());
  if (!type.hasRank()) {
    words.push_back(isa<BaseMemRefType>(type)
                        ? memory.getBirth(getPlace(value, values).buffer)
                        : values.lookup(value));
    return;
  }
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      words.push_back(getExtent(value, dim, values));
}

void CallValues::noteExtents(OpResult result, Id made, Values &values) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || type.hasStaticShape())
    return;
  Operation *op = result.getOwner();
  Value source;
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    if (OpOperand *tied = dps.getTiedOpOperand(result))
      source = tied->get();
  if (isa<tensor::CastOp>(op))
    source = op->getOperand(0);
  auto sourceType = source ? dyn_cast<RankedTensorType>(source.getType())
                           : RankedTensorType();
  const bool isSized = isa<tensor::EmptyOp, bufferization::AllocTensorOp>(op);
  if (!isSized && !sourceType)
    return;
  SmallVector<Id, 4> known(type.getRank(), 0);
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    if (isSized)
      known[dim] = values.lookup(op->getOperand(type.getDynamicDimIndex(dim)));
    else if (sourceType.isDynamicDim(dim))
      known[dim] = getExtent(source, dim, values);
  }
  extents[made] = std::move(known);
}

bool CallValues::runDim(Operation &op, Values &values) {
  auto type = dyn_cast<ShapedType>(op.getOperand(0).getType());
  std::optional<int64_t> index = getConstantIntValue(op.getOperand(1));
  if (!type || !type.hasRank() || !index || *index < 0 ||
      *index >= type.getRank() || !type.isDynamicDim(*index))
    return false;
  const Id extent = getExtent(op.getOperand(0), *index, values);
  values[op.getResult(0)] = extent;
  measured.insert(extent);
  return true;
}

void CallValues::guardSizes(Operation &op, Values &values) {
  ValueRange sizes;
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    sizes = alloc.getDynamicSizes();
  else if (auto alloca = dyn_cast<memref::AllocaOp>(op))
    sizes = alloca.getDynamicSizes();
  else if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    sizes = empty.getDynamicSizes();
  else if (auto tensor = dyn_cast<bufferization::AllocTensorOp>(op))
    sizes = tensor.getDynamicSizes();
  for (Value size : sizes) {
    const Id id = values.lookup(size);
    std::optional<int64_t> known = getConstantIntValue(size);
    if (!measured.contains(id) && !(known && *known >= 0))
      guard(op, table.get(ExpressionTable::Extent, {id}));
  }
}

} // namespace pebble

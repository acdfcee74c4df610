//===- CallValues.cpp - values of a program that runs ---------------------===//

#include "CallValues.h"

#include "pebble/Analysis/HiddenEffects.h"
#include "pebble/Analysis/RunAgain.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace pebble {

CallValues::Id CallValues::getTensor(const std::pair<Place, Type> &tensor) {
  return table.get(ExpressionTable::Crossing,
                   {toWord(tensor.second), memory.read(tensor.first)});
}

CallValues::Id CallValues::getContent(Value value, Values &values) {
  Id id = values.lookup(value);
  if (auto tensor = memory.findTensor(id))
    return getTensor(*tensor);
  return isa<TensorType>(value.getType()) ? lookAt(value, id) : id;
}

CallValues::Id CallValues::lookAt(Value tensor, Id id) {
  if (memory.findTensor(id))
    return id;
  if (std::optional<Id> now = memory.useTensor(origins.get(tensor)))
    return table.get(ExpressionTable::Crossing, {id, *now, 0});
  return id;
}

std::optional<CallValues::Risk>
CallValues::findRisk(const CallValues &before) const {
  for (const auto &[id, here] : guarded) {
    auto found = before.guarded.find(id);
    const bool isNew = found == before.guarded.end();
    if (isNew ||
        (here.kind == RiskKind::Fails && here.effects < found->second.effects))
      return Risk{here.op, here.kind, isNew};
  }
  return std::nullopt;
}

void CallValues::guard(Operation &op, Id id, RiskKind kind) {
  guarded.insert(
      {table.get(ExpressionTable::Guard, {where, id, uint64_t(kind)}),
       {effects.size(), &op, kind}});
}

CallValues::Place CallValues::getPlace(Value value, Values &values) {
  Id id = values.lookup(value);
  if (auto place = memory.find(id))
    return *place;
  return *memory.find(values[value] = memory.addNamed(id));
}

CallValues::Place CallValues::getElement(Value buffer, ValueRange indices,
                                         Values &values) {
  SmallVector<uint64_t> words = {toWord(buffer.getType())};
  SmallVector<CallMemory::Range> box;
  for (Value index : indices) {
    words.push_back(values.lookup(index));
    if (std::optional<int64_t> known = getConstantIntValue(index))
      box.push_back({*known, 1});
  }
  const Place place = getPlace(buffer, values);
  if (box.size() != indices.size() || !isDivided(buffer, place))
    box.clear();
  return *memory.find(memory.getView(place, words, box));
}

/// Whether a layout has a place of its own for each element.
static bool isOneToOne(MemRefType type) {
  if (type.getLayout().isIdentity())
    return true;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  SmallVector<std::pair<int64_t, int64_t>> dims;
  for (auto [stride, size] : llvm::zip(strides, type.getShape())) {
    if (ShapedType::isDynamic(stride))
      return false;
    if (size != 1)
      dims.push_back({std::abs(stride), size});
  }
  llvm::sort(dims);
  // Each step leads over all that the smaller ones reach.
  int64_t reach = 0;
  for (auto [number, dim] : llvm::enumerate(dims)) {
    auto [stride, size] = dim;
    if (stride <= reach)
      return false;
    if (ShapedType::isDynamic(size))
      return number + 1 == dims.size();
    int64_t added;
    if (llvm::MulOverflow(stride, std::max<int64_t>(size - 1, 0), added) ||
        llvm::AddOverflow(reach, added, reach))
      return false;
  }
  return true;
}

bool CallValues::isDivided(Value buffer, const Place &place) const {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return !memory.isWhole(place) || (type && isOneToOne(type));
}

static bool hasKnownStrides(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         llvm::none_of(strides, ShapedType::isDynamic);
}

/// Which part of its source a view shows, if that is known: by dimension.
static SmallVector<CallMemory::Range> getBox(Operation &op) {
  SmallVector<CallMemory::Range> box;
  auto slice = dyn_cast<memref::SubViewOp>(op);
  if (!slice || slice.getSourceType().getRank() != slice.getType().getRank())
    return box;
  for (auto [offset, size, stride] :
       llvm::zip(slice.getMixedOffsets(), slice.getMixedSizes(),
                 slice.getMixedStrides())) {
    std::optional<int64_t> begin = getConstantIntValue(offset),
                           count = getConstantIntValue(size);
    if (!begin || !count || getConstantIntValue(stride) != 1)
      return {};
    box.push_back({*begin, *count});
  }
  return box;
}

CallValues::Id CallValues::getGlobal(Operation *from, StringAttr symbol) {
  Id name =
      table.get(ExpressionTable::Global, {toWord(symbol.getAsOpaquePointer())});
  return isConstantGlobal(from, symbol, context) ? memory.addConstant(name)
                                                 : memory.addNamed(name);
}

/// An access that relies on an alignment promises it, as an assumption does.
void CallValues::guardAlignment(Operation &op, Values &values) {
  std::optional<uint64_t> alignment = getReliedAlignment(&op);
  if (!alignment)
    return;
  for (Value operand : op.getOperands()) {
    if (!isa<BaseMemRefType>(operand.getType()))
      continue;
    Place place = getPlace(operand, values);
    SmallVector<uint64_t> words = {*alignment, place.path,
                                   memory.getBirth(place.buffer)};
    for (Value index : op.getOperands())
      if (isa<IndexType>(index.getType()))
        words.push_back(values.lookup(index));
    guard(op, table.get(ExpressionTable::Guard, words), RiskKind::Promise);
  }
}

bool CallValues::runTransparent(Operation &op, Values &values) {
  guardAlignment(op, values);
  if (auto opaque = dyn_cast<OpaqueOp>(op)) {
    values[opaque.getResult()] = values.lookup(opaque.getInput());
    return true;
  }
  if (runAccess(op, values))
    return true;
  if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
    SmallVector<uint64_t> words = {toWord(op.getResult(0).getType())};
    for (Value operand : op.getOperands())
      words.push_back(values.lookup(operand));
    const Id content = table.get(ExpressionTable::Undefined, words);
    // Who is handed its address sees how it is aligned, and when it ends.
    addMaking(&op, words);
    values[op.getResult(0)] =
        memory.addOwn(content, table.get(ExpressionTable::Undefined, words));
    // Sizes come first, then what the layout asks for.
    const unsigned buffer = getPlace(op.getResult(0), values).buffer;
    if (isa<memref::AllocaOp>(op))
      onStack.push_back(buffer);
    auto &known = sizes[buffer];
    for (Value operand : op.getOperands())
      known.push_back(values.lookup(operand));
    return true;
  }
  if (isa<memref::DimOp, tensor::DimOp>(op))
    return runDim(op, values);
  if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    values[global] = getGlobal(&op, global.getNameAttr().getAttr());
    return true;
  }
  if (isa<memref::DeallocOp, bufferization::DeallocTensorOp, DropOp>(op)) {
    Value ended = op.getOperand(0);
    if (isa<BaseMemRefType>(ended.getType()))
      runFree(op, getPlace(ended, values));
    else
      memory.endTensor(origins.get(ended));
    return true;
  }
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op)) {
    if (alloc.getCopy())
      values[alloc] = getContent(alloc.getCopy(), values);
    return static_cast<bool>(alloc.getCopy());
  }
  return runCopy(op, values);
}

void CallValues::runFree(Operation &op, const Place &place) {
  // In a region it may have ended by then, or not.
  if (memory.isFromOutside(place.buffer))
    memory.escape(place.buffer, memory.getIdentity(place.buffer));
  // Who else names a buffer sees its end.
  if (std::optional<Id> name = memory.getName(place.buffer)) {
    effects.push_back({table.get(ExpressionTable::Freed, {*name}), &op});
    hasInnerEffects = true;
  }
  memory.free(place);
}

bool CallValues::runCopy(Operation &op, Values &values) {
  auto isBuffer = [](Value value) {
    return isa<BaseMemRefType>(value.getType());
  };
  if (isa<memref::CopyOp>(op) ||
      (isCopy(&op) && isa<linalg::CopyOp>(op) && isBuffer(op.getOperand(1)))) {
    Place from = getPlace(op.getOperand(0), values),
          to = getPlace(op.getOperand(1), values);
    // Of memory that may overlap it reads what it has written.
    if (from.buffer == to.buffer ||
        (memory.getName(from.buffer) && memory.getName(to.buffer)))
      return false;
    memory.write(to, memory.read(from));
    return true;
  }
  return runTransfer(op, values);
}

bool CallValues::runView(Operation &op, Values &values) {
  Value source = StorageAnalysis::getViewSource(&op);
  if (!source || op.getNumResults() != 1)
    return false;
  Value result = op.getResult(0);
  std::optional<Place> place;
  if (isa<BaseMemRefType>(source.getType()))
    place = getPlace(source, values);
  else if (auto tensor = memory.findTensor(values.lookup(source)))
    place = tensor->first;
  if (!place)
    return false;
  // A tensor that shows a buffer is shown as that buffer.
  if (isa<bufferization::ToBufferOp>(op)) {
    values[result] = memory.getPlace(*place);
    return true;
  }
  SmallVector<uint64_t> words;
  addIdentity(&op, words);
  words.push_back(toWord(source.getType()));
  words.push_back(toWord(result.getType()));
  for (Value operand : op.getOperands().drop_front())
    words.push_back(isa<BaseMemRefType>(operand.getType())
                        ? memory.read(getPlace(operand, values))
                        : getContent(operand, values));
  // What lies where depends on strides that nobody knows.
  if (auto type = dyn_cast<MemRefType>(source.getType());
      type && isa<memref::ReinterpretCastOp>(op) &&
      !type.getLayout().isIdentity() && !hasKnownStrides(type))
    words.push_back(memory.getBirth(place->buffer));
  if (isa<memref::AssumeAlignmentOp>(op)) {
    SmallVector<uint64_t> promise(words);
    promise.push_back(place->path);
    promise.push_back(memory.getBirth(place->buffer));
    guard(op, table.get(ExpressionTable::Guard, promise), RiskKind::Promise);
  }
  // That it may be written in place, or that no other tensor shows it.
  if (auto shown = dyn_cast<bufferization::ToTensorOp>(op);
      shown && (shown.getWritable() || shown.getRestrict()))
    guard(op,
          table.get(ExpressionTable::Guard,
                    {table.get(ExpressionTable::View, words), place->path,
                     memory.getName(place->buffer).value_or(0)}),
          RiskKind::Promise);
  if (isa<bufferization::ToTensorOp>(op)) {
    values[result] = memory.getTensor(*place, result.getType());
    return true;
  }
  SmallVector<CallMemory::Range> box;
  if (isDivided(source, *place))
    box = getBox(op);
  Id view = memory.getView(*place, words, box);
  values[result] = isa<BaseMemRefType>(result.getType())
                       ? view
                       : memory.getTensor(*memory.find(view), result.getType());
  return true;
}

bool CallValues::runTransfer(Operation &op, Values &values) {
  if (isa<StoreOp, LoadOp>(op)) {
    Value token = op.getResults().back();
    if (op.getNumResults() > 1) {
      values[op.getResult(0)] = getContent(op.getOperand(0), values);
      values[token] = 0;
    } else {
      values[token] = memory.start(getPlace(op.getOperand(0), values),
                                   getPlace(op.getOperand(1), values));
    }
    return true;
  }
  auto wait = dyn_cast<WaitOp>(op);
  if (!wait)
    return false;
  if (wait.getCopy())
    values[wait.getResult()] = values.lookup(wait.getCopy());
  else
    memory.wait(values.lookup(wait.getToken()));
  return true;
}

/// An access to an element that may not be there. Two buffers of the same
/// extents have it both, or none.
void CallValues::guardAccess(Operation &op, Value buffer, const Place &element,
                             Values &values) {
  if (!collectHiddenEffects(&op, context).mayFail)
    return;
  SmallVector<uint64_t> words = {element.path};
  addExtents(buffer, values, words);
  guard(op, table.get(ExpressionTable::Guard, words));
}

/// Loads and stores of one element.
bool CallValues::runAccess(Operation &op, Values &values) {
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    Place place = getElement(load.getMemRef(), load.getIndices(), values);
    guardAccess(op, load.getMemRef(), place, values);
    values[load] = table.get(ExpressionTable::Use, {memory.read(place)});
    return true;
  }
  if (auto store = dyn_cast<memref::StoreOp>(op);
      store && !isa<BaseMemRefType>(store.getValue().getType())) {
    Place place = getElement(store.getMemRef(), store.getIndices(), values);
    guardAccess(op, store.getMemRef(), place, values);
    memory.write(place, values.lookup(store.getValue()));
    return true;
  }
  return false;
}

} // namespace pebble

//===- RolledLoops.cpp - writes unrolled steps as loops -------------------===//

#include "Loops/RolledLoops.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace pebble {

/// By how much an operand grows from step to step, if it is a number.
static int64_t getStride(const UnrolledSide &side, size_t position,
                         size_t operand) {
  const StepOperand &one = side.operands[side.first][position][operand];
  const StepOperand &next = side.operands[side.first + 1][position][operand];
  return one.constant && next.constant ? *next.constant - *one.constant : 0;
}

/// `first` + `stride` * `step`.
static Value makeLinear(OpBuilder &b, Location loc, int64_t first,
                        int64_t stride, Value step) {
  Value factor = arith::ConstantIndexOp::create(b, loc, stride);
  Value offset = arith::ConstantIndexOp::create(b, loc, first);
  Value product = b.createOrFold<arith::MulIOp>(loc, step, factor);
  return b.createOrFold<arith::AddIOp>(loc, product, offset);
}

/// The type of a tape of `count` values, if there is one.
static RankedTensorType getTapeType(Type type, int64_t count) {
  SmallVector<int64_t> shape = {count};
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (!tensor.hasStaticShape() || tensor.getEncoding())
      return {};
    llvm::append_range(shape, tensor.getShape());
    return RankedTensorType::get(shape, tensor.getElementType());
  }
  if (type.isIntOrIndexOrFloat())
    return RankedTensorType::get(shape, type);
  return {};
}

//===----------------------------------------------------------------------===//
// Tapes
//===----------------------------------------------------------------------===//

static bool isRead(const UnrolledSide &side, size_t position, size_t operand) {
  StepOperand::Kind kind = side.operands[side.first][position][operand].kind;
  bool isMirror =
      kind == StepOperand::Mirror || kind == StepOperand::MirrorBefore;
  return isMirror && !side.isHandedOn(position, operand);
}

void RolledPair::listTapes() {
  const UnrolledSide &side = pair.backward;
  for (size_t position = 0; position < side.groups.period; ++position)
    for (auto [k, each] : llvm::enumerate(side.operands[side.first][position]))
      if (isRead(side, position, k) && findTape(position, k) == tapes.size()) {
        // The adjoint of the first step reads the initial state.
        Value last = side.operands[side.last - 1][position][k].value;
        tapes.push_back({each.kind, each.position, each.result,
                         each.kind == StepOperand::Mirror ? Value() : last,
                         each.value.getType()});
      }
}

size_t RolledPair::findTape(size_t position, size_t operand) const {
  const UnrolledSide &side = pair.backward;
  const StepOperand &each = side.operands[side.first][position][operand];
  Value last = side.operands[side.last - 1][position][operand].value;
  return llvm::find_if(tapes,
                       [&](const Tape &tape) {
                         return tape.kind == each.kind &&
                                tape.position == each.position &&
                                tape.result == each.result &&
                                (!tape.init || tape.init == last);
                       }) -
         tapes.begin();
}

std::optional<std::string> RolledPair::check() {
  listTapes();
  int64_t count = pair.forward.getCount();
  for (const Tape &tape : tapes) {
    if (!getTapeType(tape.type, count))
      return "its adjoint reads a value of no known size";
    if (tape.kind == StepOperand::MirrorBefore &&
        pair.forward.findHandedOn(tape.position, tape.result, tape.init) ==
            pair.forward.handedOn.size())
      return "its adjoint reads a value of the step before that is no state";
  }
  for (const UnrolledSide *side : {&pair.forward, &pair.backward})
    for (size_t position = 0; position < side->groups.period; ++position)
      for (auto [k, each] :
           llvm::enumerate(side->operands[side->first][position]))
        if (getStride(*side, position, k) != 0 && each.value &&
            !each.value.getType().isIndex() &&
            !each.value.getType().isSignlessInteger())
          return "a number in it changes from step to step that is no integer";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Puts offsets that change from step to step into a slice that has them as
/// numbers.
Operation *RolledPair::setOffsets(UnrolledSide &side, size_t position,
                                  Operation *clone, OpBuilder &b, Value step) {
  const auto &operands = side.operands[side.first][position];
  size_t k = clone->getNumOperands();
  auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(clone);
  if (!slice || k == operands.size())
    return clone;
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
  bool changes = false;
  for (OpFoldResult &offset : offsets) {
    if (!isa<Attribute>(offset))
      continue;
    if (int64_t stride = getStride(side, position, k)) {
      offset =
          makeLinear(b, clone->getLoc(), *operands[k].constant, stride, step);
      changes = true;
    }
    ++k;
  }
  if (!changes)
    return clone;
  Operation *moving;
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(clone))
    moving = tensor::ExtractSliceOp::create(
        b, clone->getLoc(), extract.getType(), extract.getSource(), offsets,
        extract.getMixedSizes(), extract.getMixedStrides());
  else {
    auto insert = cast<tensor::InsertSliceOp>(clone);
    moving = tensor::InsertSliceOp::create(
        b, clone->getLoc(), insert.getSource(), insert.getDest(), offsets,
        insert.getMixedSizes(), insert.getMixedStrides());
  }
  moving->setDiscardableAttrs(clone->getDiscardableAttrDictionary());
  clone->erase();
  return moving;
}

/// Clones what makes `value` of nothing, so that each step has storage of its
/// own as it had before.
static Value cloneMadeOfNothing(Value value, OpBuilder &b, IRMapping &made) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<linalg::FillOp, tensor::EmptyOp>(op) ||
      !StepText::isMadeOfNothing(op))
    return value;
  if (Value known = made.lookupOrNull(value))
    return known;
  for (Value operand : op->getOperands())
    made.map(operand, cloneMadeOfNothing(operand, b, made));
  b.clone(*op, made);
  return made.lookup(value);
}

/// Clones the ops of the first step of `side` into the body of its loop.
void RolledPair::cloneSteps(UnrolledSide &side, OpBuilder &b, Value step,
                            ValueRange carried, ValueRange read,
                            std::vector<Operation *> &clones) {
  IRMapping own;
  for (size_t position = 0; position < side.groups.period; ++position) {
    Operation *op = side.getOp(side.first, position);
    const auto &operands = side.operands[side.first][position];
    const auto &nexts = side.operands[side.first + 1][position];
    Operation *clone = b.clone(*op, own);
    clone->removeAttr(attr::kName); // that of one step
    b.setInsertionPoint(clone);
    IRMapping made;
    for (auto [k, operand] : llvm::enumerate(getOutsideOperands(clone))) {
      const StepOperand &each = operands[k];
      if (side.isHandedOn(position, k)) {
        operand->set(carried[side.findHandedOn(nexts[k].position,
                                               nexts[k].result, each.value)]);
      } else if (isRead(side, position, k)) {
        operand->set(read[findTape(position, k)]);
      } else if (each.kind != StepOperand::Own) {
        if (int64_t stride = getStride(side, position, k)) {
          Value number =
              makeLinear(b, op->getLoc(), *each.constant, stride, step);
          if (!operand->get().getType().isIndex())
            number = arith::IndexCastOp::create(
                b, op->getLoc(), operand->get().getType(), number);
          operand->set(number);
        } else {
          operand->set(cloneMadeOfNothing(each.value, b, made));
        }
      }
    }
    clone = setOffsets(side, position, clone, b, step);
    b.setInsertionPointAfter(clone);
    own.map(op->getResults(), clone->getResults());
    clones.push_back(clone);
  }
}

/// What the loop returns takes the place of what the last step made.
void RolledPair::replaceResults(UnrolledSide &side, Operation *loop) {
  Block *block = loop->getBlock();
  for (auto [each, result] : llvm::zip(side.handedOn, loop->getResults()))
    for (OpOperand &use : llvm::make_early_inc_range(
             side.getResult(side.last - 1, each).getUses())) {
      Operation *user = block->findAncestorOpInBlock(*use.getOwner());
      if (pair.forward.isWithin(user) || pair.backward.isWithin(user))
        continue;
      replaced.push_back({&use, use.get()});
      use.set(result);
    }
}

namespace {
struct TapeSlice {
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

/// The slice at `index` of a tape of values of `type`.
static TapeSlice getTapeSlice(OpBuilder &b, Type type, Value index) {
  auto tensor = cast<RankedTensorType>(type);
  TapeSlice slice;
  slice.offsets.assign(tensor.getRank() + 1, b.getIndexAttr(0));
  slice.offsets[0] = index;
  slice.sizes.assign(1, b.getIndexAttr(1));
  for (int64_t size : tensor.getShape())
    slice.sizes.push_back(b.getIndexAttr(size));
  slice.strides.assign(slice.offsets.size(), b.getIndexAttr(1));
  return slice;
}

static Value writeTape(ImplicitLocOpBuilder &b, Value value, Value tape,
                       Value step) {
  if (!isa<RankedTensorType>(value.getType()))
    return tensor::InsertOp::create(b, value, tape, step);
  TapeSlice slice = getTapeSlice(b, value.getType(), step);
  return tensor::InsertSliceOp::create(b, value, tape, slice.offsets,
                                       slice.sizes, slice.strides);
}

static Value readTape(ImplicitLocOpBuilder &b, Type type, Value tape,
                      Value step) {
  if (!isa<RankedTensorType>(type))
    return tensor::ExtractOp::create(b, tape, step);
  TapeSlice slice = getTapeSlice(b, type, step);
  return tensor::ExtractSliceOp::create(b, cast<RankedTensorType>(type), tape,
                                        slice.offsets, slice.sizes,
                                        slice.strides);
}

Value RolledPair::keep(Operation *op) {
  made.push_back(op);
  if (isa<arith::ConstantIndexOp>(op))
    constants.push_back(op);
  return op->getResult(0);
}

/// A final state is what the forward loop returns.
Value RolledPair::getFinal(Value value) {
  const UnrolledSide &front = pair.forward;
  for (auto [each, result] : llvm::zip(front.handedOn, forward->getResults()))
    if (front.getResult(front.last - 1, each) == value)
      return result;
  return value;
}

void RolledPair::write() {
  const UnrolledSide &front = pair.forward, &back = pair.backward;
  int64_t count = front.getCount();
  Operation *end = front.getOp(front.last - 1, front.groups.period - 1);
  ImplicitLocOpBuilder b(end->getLoc(), end->getContext());
  b.setInsertionPointAfter(end);
  Bounds bounds;
  bounds.zero = keep(arith::ConstantIndexOp::create(b, 0));
  bounds.one = keep(arith::ConstantIndexOp::create(b, 1));
  bounds.trips = keep(arith::ConstantIndexOp::create(b, count));
  bounds.last = keep(arith::ConstantIndexOp::create(b, count - 1));
  writeForward(b, bounds);
  end = back.getOp(back.last - 1, back.groups.period - 1);
  b.setLoc(end->getLoc());
  b.setInsertionPointAfter(end);
  writeBackward(b, bounds);
}

void RolledPair::writeForward(ImplicitLocOpBuilder &b, const Bounds &bounds) {
  UnrolledSide &front = pair.forward;
  SmallVector<Value> inits;
  for (const HandedOn &each : front.handedOn)
    inits.push_back(each.init);
  for (const Tape &tape : tapes) {
    RankedTensorType type = getTapeType(tape.type, front.getCount());
    inits.push_back(keep(
        tensor::EmptyOp::create(b, type.getShape(), type.getElementType())));
  }
  auto loop =
      scf::ForOp::create(b, bounds.zero, bounds.trips, bounds.one, inits);
  made.push_back(loop);
  forward = loop;

  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(loop.getBody());
  Value step = loop.getInductionVar();
  size_t states = front.handedOn.size();
  std::vector<Operation *> clones;
  ValueRange carried = loop.getRegionIterArgs();
  cloneSteps(front, b, step, carried.take_front(states), {}, clones);
  SmallVector<Value> yielded;
  for (const HandedOn &each : front.handedOn)
    yielded.push_back(clones[each.position]->getResult(each.result));
  for (auto [tape, whole] : llvm::zip(tapes, carried.drop_front(states))) {
    Value value = tape.kind == StepOperand::Mirror
                      ? clones[tape.position]->getResult(tape.result)
                      : carried[front.findHandedOn(tape.position, tape.result,
                                                   tape.init)];
    yielded.push_back(writeTape(b, value, whole, step));
  }
  scf::YieldOp::create(b, yielded);
  replaceResults(front, loop);
}

void RolledPair::writeBackward(ImplicitLocOpBuilder &b, const Bounds &bounds) {
  UnrolledSide &back = pair.backward;
  SmallVector<Value> inits;
  for (const HandedOn &each : back.handedOn)
    inits.push_back(getFinal(each.init));
  auto loop =
      scf::ForOp::create(b, bounds.zero, bounds.trips, bounds.one, inits);
  made.push_back(loop);
  backward = loop;

  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(loop.getBody());
  Value step = arith::SubIOp::create(b, bounds.last, loop.getInductionVar());
  size_t states = pair.forward.handedOn.size();
  SmallVector<Value> read;
  for (auto [tape, whole] :
       llvm::zip(tapes, forward->getResults().drop_front(states)))
    read.push_back(readTape(b, tape.type, whole, step));
  std::vector<Operation *> clones;
  cloneSteps(back, b, loop.getInductionVar(), loop.getRegionIterArgs(), read,
             clones);
  loop.getBody()->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      operand.set(getFinal(operand.get()));
  });
  SmallVector<Value> yielded;
  for (const HandedOn &each : back.handedOn)
    yielded.push_back(clones[each.position]->getResult(each.result));
  scf::YieldOp::create(b, yielded);
  replaceResults(back, loop);
}

void RolledPair::undo() {
  for (auto [use, value] : llvm::reverse(replaced))
    use->set(value);
  for (Operation *op : llvm::reverse(made))
    op->erase();
}

void RolledPair::eraseSteps() {
  llvm::SetVector<Operation *> madeOfNothing;
  for (UnrolledSide *side : {&pair.backward, &pair.forward})
    for (size_t group = side->last; group-- > side->first;)
      for (size_t position = side->groups.period; position-- > 0;) {
        Operation *op = side->getOp(group, position);
        for (OpOperand *operand : getOutsideOperands(op))
          if (Operation *maker = operand->get().getDefiningOp();
              maker && StepText::isMadeOfNothing(maker))
            madeOfNothing.insert(maker);
        op->erase();
      }
  while (!madeOfNothing.empty()) {
    Operation *op = madeOfNothing.pop_back_val();
    if (!op->use_empty())
      continue;
    for (Value operand : op->getOperands())
      madeOfNothing.insert(operand.getDefiningOp());
    op->erase();
  }
  for (Operation *op : constants)
    if (op->use_empty())
      op->erase();
}

} // namespace pebble

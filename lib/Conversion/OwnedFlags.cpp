//===- OwnedFlags.cpp - whose a buffer is, at run time --------------------===//

#include "OwnedFlags.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace pebble;

static Value negate(OpBuilder &builder, Location loc, Value flag) {
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  return arith::XOrIOp::create(builder, loc, flag, yes);
}

/// `flag` and not `other`; a null flag is a true one.
static Value exclude(OpBuilder &builder, Location loc, Value flag,
                     Value other) {
  Value rest = negate(builder, loc, other);
  return flag ? arith::AndIOp::create(builder, loc, flag, rest).getResult()
              : rest;
}

/// Stands for a flag until the op that brings it has been made anew.
static Value createPlaceholder(OpBuilder &builder, Location loc) {
  return UnrealizedConversionCastOp::create(
             builder, loc, TypeRange{builder.getI1Type()}, ValueRange())
      .getResult(0);
}

static void replacePlaceholder(Value placeholder, Value flag) {
  placeholder.replaceAllUsesWith(flag);
  placeholder.getDefiningOp()->erase();
}

/// Whether `operand` gives its buffer to its user on every run.
bool OwnedFlags::isAlwaysGiven(OpOperand &operand) const {
  ArrayRef<Value> roots = ownership.getRoots(operand.get());
  Ownership::Roots given = ownership.getGiven(operand);
  if (roots.size() != 1 || given.size() != 1 || isFlagged(given[0]))
    return false;
  MutableArrayRef<OpOperand> all = operand.getOwner()->getOpOperands();
  return llvm::none_of(
      all.take_front(operand.getOperandNumber()), [&](OpOperand &earlier) {
        return llvm::is_contained(ownership.getGiven(earlier), given[0]);
      });
}

/// A call's result is the caller's unless it is what the callee was given, or a
/// global, or an earlier result.
LogicalResult OwnedFlags::findFlaggedResults() {
  WalkResult walked = module.walk([&](func::CallOp call) {
    OpBuilder builder(call->getContext());
    builder.setInsertionPointAfter(call);
    for (OpResult value : call->getResults()) {
      const Ownership::Result *result =
          ownership.getResult(call, value.getResultNumber());
      if (!result || !result->owned || result->same >= 0)
        continue;
      if (result->unknown) {
        call->emitError("cannot tell who frees this result: it may be a buffer "
                        "that nobody knows");
        return WalkResult::interrupt();
      }
      Value flag;
      auto compare = [&](Value other) {
        flag = exclude(builder, call.getLoc(), flag,
                       SameBufferOp::create(builder, call.getLoc(),
                                            builder.getI1Type(), value, other));
      };
      for (unsigned argument : result->arguments)
        compare(call.getOperand(argument));
      for (memref::GetGlobalOp global : result->globals)
        compare(builder.clone(*global)->getResult(0));
      for (unsigned earlier : result->shared)
        compare(call.getResult(earlier));
      if (flag)
        flags[value] = flag;
    }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

/// The flag that goes along with `operand`: one of the buffers that it gives
/// away is the one that it names, and no operand before it gave that.
Value OwnedFlags::passOn(OpOperand &operand, OpBuilder &builder) const {
  Location loc = operand.getOwner()->getLoc();
  Value value = operand.get(), any;
  Ownership::Roots given = ownership.getGiven(operand);
  ArrayRef<Value> roots = ownership.getRoots(value);
  for (Value root : given) {
    Value flag = get(root);
    if (root != value && roots.size() > 1) {
      Value same =
          SameBufferOp::create(builder, loc, builder.getI1Type(), root, value);
      flag = flag ? arith::AndIOp::create(builder, loc, flag, same) : same;
    }
    if (!flag)
      flag = arith::ConstantIntOp::create(builder, loc, 1, 1);
    any = any ? arith::OrIOp::create(builder, loc, any, flag) : flag;
  }
  if (!any)
    return arith::ConstantIntOp::create(builder, loc, 0, 1);
  MutableArrayRef<OpOperand> all = operand.getOwner()->getOpOperands();
  for (OpOperand &earlier : all.take_front(operand.getOperandNumber()))
    if (llvm::any_of(ownership.getGiven(earlier), [&](Value root) {
          return llvm::is_contained(given, root);
        }))
      any = exclude(builder, loc, any,
                    SameBufferOp::create(builder, loc, builder.getI1Type(),
                                         earlier.get(), value));
  return any;
}

LogicalResult OwnedFlags::create() {
  if (failed(findFlaggedResults()))
    return failure();
  OpBuilder builder(module.getContext());
  bool changed;
  do {
    changed = false;
    for (OpOperand *operand : ownership.getSources()) {
      if (isAlwaysGiven(*operand))
        continue;
      for (Value input : ownership.getOwnedInputs(*operand)) {
        if (isFlagged(input))
          continue;
        builder.setInsertionPointAfterValue(input);
        flags[input] = createPlaceholder(builder, input.getLoc());
        changed = true;
      }
    }
  } while (changed);
  for (OpOperand *operand : ownership.getSources()) {
    ArrayRef<Value> inputs = ownership.getOwnedInputs(*operand);
    if (inputs.empty() || !isFlagged(inputs.front()))
      continue;
    builder.setInsertionPoint(operand->getOwner());
    passed[operand->getOwner()].push_back(passOn(*operand, builder));
  }
  return success();
}

/// Gives `op` more operands to pass on to what it enters.
static LogicalResult append(Operation *op, ArrayRef<Value> values) {
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    if (op->getNumSuccessors() != 1)
      return op->emitError("cannot tell who owns a buffer that goes along "
                           "here: the branch makes values of its own");
    branch.getSuccessorOperands(0).append(values);
    return success();
  }
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    loop.getProperties().operandSegmentSizes.back() +=
        static_cast<int32_t>(values.size());
  else if (op->hasTrait<OpTrait::AttrSizedOperandSegments>())
    return op->emitError("cannot carry who owns the buffers that it takes");
  op->insertOperands(op->getNumOperands(), values);
  return success();
}

void OwnedFlags::addArguments() {
  SmallVector<BlockArgument> flagged;
  module.walk<WalkOrder::PreOrder>([&](Block *block) {
    for (BlockArgument argument : block->getArguments())
      if (isFlagged(argument))
        flagged.push_back(argument);
  });
  for (BlockArgument argument : flagged) {
    Value placeholder = flags.lookup(argument);
    replacePlaceholder(placeholder,
                       argument.getOwner()->addArgument(placeholder.getType(),
                                                        argument.getLoc()));
  }
}

/// Makes `op` anew with a flag after its results for each that needs one.
void OwnedFlags::addResults(Operation *op) {
  SmallVector<Value> placeholders;
  for (Value result : op->getResults())
    if (isFlagged(result))
      placeholders.push_back(flags.lookup(result));
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  state.addTypes(ValueRange(placeholders).getTypes());
  state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  OpBuilder builder(op);
  Operation *fresh = builder.create(state);
  unsigned number = op->getNumResults();
  op->replaceAllUsesWith(fresh->getResults().take_front(number));
  op->erase();
  for (auto [placeholder, flag] :
       llvm::zip(placeholders, fresh->getResults().drop_front(number)))
    replacePlaceholder(placeholder, flag);
}

LogicalResult OwnedFlags::carry() {
  for (auto &[op, values] : passed)
    if (failed(append(op, values)))
      return failure();
  addArguments();
  SmallVector<Operation *> ops;
  module.walk([&](RegionBranchOpInterface op) {
    if (llvm::any_of(op->getResults(),
                     [&](Value result) { return isFlagged(result); }))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    addResults(op);
  return success();
}

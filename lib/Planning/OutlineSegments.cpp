//===- OutlineSegments.cpp - functions of segments and their adjoints -----===//

#include "pebble/Planning/OutlineSegments.h"

#include "pebble/Analysis/AdjointCalls.h"
#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/RunAgain.h"
#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace pebble {

void inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  Block &body = callee.getBody().front();
  IRMapping mapping;
  mapping.map(body.getArguments(), call.getOperands());
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, value] :
       llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

bool SegmentOutliner::Segment::has(Operation *op) const {
  Operation *here = first->getBlock()->findAncestorOpInBlock(*op);
  return here && !here->isBeforeInBlock(first) && !last->isBeforeInBlock(here);
}

void SegmentOutliner::Segment::add(Operation *op) {
  if (!first)
    first = last = op;
  else if (op->isBeforeInBlock(first))
    first = op;
  else if (last->isBeforeInBlock(op))
    last = op;
}

static std::string getText(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return "the call of '@" + call.getCallee().str() + "'";
  return "'" + op->getName().getStringRef().str() + "'";
}

/// The function that `call` calls, where it has an adjoint.
static func::FuncOp getForward(Operation *op) {
  auto call = dyn_cast_if_present<func::CallOp>(op);
  auto callee = call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                           call, call.getCalleeAttr())
                     : func::FuncOp();
  return callee && callee->hasAttr(attr::kAdjoint) && !callee.isExternal()
             ? callee
             : func::FuncOp();
}

static ResultRange getTape(func::CallOp call, func::FuncOp callee) {
  auto adjoint = callee->getAttrOfType<DictionaryAttr>(attr::kAdjoint);
  const int64_t own = adjoint.getAs<IntegerAttr>("results").getInt();
  return call.getResults().drop_front(own);
}

/// The call, in the same block, of the adjoint of what `call` calls.
static func::CallOp getBackwardCall(func::CallOp call, func::FuncOp callee) {
  auto adjoint = callee->getAttrOfType<DictionaryAttr>(attr::kAdjoint);
  auto name = adjoint.getAs<FlatSymbolRefAttr>("backward");
  ResultRange tape = getTape(call, callee);
  if (tape.empty())
    return {};
  for (OpOperand &use : tape[0].getUses())
    if (auto user = dyn_cast<func::CallOp>(use.getOwner()))
      if (user.getCallee() == name.getValue() &&
          user->getBlock() == call->getBlock() && use.getOperandNumber() == 0)
        return user;
  return {};
}

/// The call of the forward function whose tape `op`, a call, takes.
static func::CallOp getForwardCall(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  if (!call || call.getNumOperands() == 0)
    return {};
  auto forward =
      dyn_cast_if_present<func::CallOp>(call.getOperand(0).getDefiningOp());
  func::FuncOp callee = getForward(forward);
  return callee && getBackwardCall(forward, callee) == call ? forward
                                                            : func::CallOp();
}

//===----------------------------------------------------------------------===//
// Operations with regions
//===----------------------------------------------------------------------===//

/// What stands for `use`, by the end of a forward half, in its adjoint; null:
/// it is no part of a tape.
Value SegmentOutliner::findInBackward(OpOperand &use) {
  Operation *end = use.getOwner();
  auto function = dyn_cast<func::FuncOp>(end->getParentOp());
  auto adjoint = function
                     ? function->getAttrOfType<DictionaryAttr>(attr::kAdjoint)
                     : DictionaryAttr();
  if (!adjoint || end->getBlock() != &function.getBody().front())
    return {};
  auto backward = module.lookupSymbol<func::FuncOp>(
      adjoint.getAs<FlatSymbolRefAttr>("backward").getAttr());
  const int64_t at = int64_t(use.getOperandNumber()) -
                     adjoint.getAs<IntegerAttr>("results").getInt();
  return at >= 0 && backward && !backward.isExternal() &&
                 backward.getBody().hasOneBlock() &&
                 at < backward.getNumArguments()
             ? backward.getArgument(at)
             : Value();
}

/// Adds what reads `value`, of a tape, to the adjoint of `pair`.
std::string SegmentOutliner::addUses(Value value, Pair &pair) {
  Block *block = pair.forward.first->getBlock();
  SmallVector<Value> names = {value};
  for (size_t i = 0; i < names.size(); ++i)
    for (OpOperand &use : names[i].getUses()) {
      if (use.getOwner()->hasTrait<OpTrait::ReturnLike>() && i == 0 &&
          value.hasOneUse())
        if (Value there = findInBackward(use)) {
          names.push_back(there);
          continue;
        }
      Block *expected = i == 0 ? block : names[i].getParentBlock();
      Operation *user = expected->findAncestorOpInBlock(*use.getOwner());
      Segment &adjoint = pair.backward;
      if (!user || user->hasTrait<OpTrait::IsTerminator>() ||
          (adjoint.first && adjoint.first->getBlock() != expected))
        return "its tape does not go to one adjoint and nowhere else";
      adjoint.add(user);
    }
  return "";
}

std::string SegmentOutliner::findAdjoint(Operation *op, Pair &pair) {
  pair.forward = {op, op};
  auto adjoint = op->getAttrOfType<DictionaryAttr>(attr::kAdjoint);
  const int64_t own = adjoint.getAs<IntegerAttr>("results").getInt();
  for (Value value : op->getResults().drop_front(own))
    if (std::string reason = addUses(value, pair); !reason.empty())
      return reason;
  if (!pair.backward.first)
    return "it hands out no tape";
  return "";
}

/// The first op with an adjoint that is not in `refused`.
static Operation *findTied(ModuleOp module,
                           const llvm::DenseSet<Operation *> &refused) {
  Operation *found = nullptr;
  for (auto function : module.getOps<func::FuncOp>()) {
    function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!op->hasAttr(attr::kAdjoint) || refused.contains(op))
        return WalkResult::advance();
      found = op;
      return WalkResult::interrupt();
    });
    if (found)
      break;
  }
  return found;
}

void SegmentOutliner::outlineRegions() {
  // Those outside first: what is inside of one may then stand in the halves of
  // a function.
  llvm::DenseSet<Operation *> refused;
  while (Operation *op = findTied(module, refused)) {
    Pair pair;
    pair.name = (op->getParentOfType<func::FuncOp>().getName() + "." +
                 op->getName().stripDialect())
                    .str();
    std::string reason = findAdjoint(op, pair);
    if (reason.empty())
      reason = checkOthers(pair);
    if (!reason.empty())
      refusals.push_back({op->getLoc(), getText(op), reason});
    if (!reason.empty() || !outline(pair, op))
      refused.insert(op);
  }
}

//===----------------------------------------------------------------------===//
// Segments that grow
//===----------------------------------------------------------------------===//

/// Whether `op`, or what it calls, frees `buffer`.
static bool frees(Operation *op, Value buffer) {
  if (auto free = dyn_cast<memref::DeallocOp>(op))
    return free.getMemref() == buffer;
  auto call = dyn_cast<func::CallOp>(op);
  auto callee = call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                           call, call.getCalleeAttr())
                     : func::FuncOp();
  if (!callee || callee.isExternal())
    return false;
  for (auto [operand, argument] :
       llvm::zip(call.getOperands(), callee.getArguments()))
    if (operand == buffer)
      for (Operation *user : argument.getUsers())
        if (isa<memref::DeallocOp>(user))
          return true;
  return false;
}

/// Makes room for what `op`, of `pair`, opens and closes.
std::string SegmentOutliner::growOver(Operation *op, Pair &pair,
                                      bool isForward) {
  Segment &segment = isForward ? pair.forward : pair.backward;
  Block *block = op->getBlock();
  for (Value result : op->getResults())
    for (Operation *user : result.getUsers()) {
      Operation *here = block->findAncestorOpInBlock(*user);
      const bool isEnd = isTokenType(result.getType()) ||
                         (here == user && frees(user, result) &&
                          (!isForward || !isa<func::CallOp>(op)));
      if (isEnd && (!here || here->hasTrait<OpTrait::IsTerminator>()))
        return getText(op) + " starts what ends in another block";
      if (isEnd)
        segment.add(here);
    }
  for (Value operand : op->getOperands()) {
    Operation *made = operand.getDefiningOp();
    const bool isBegin = isTokenType(operand.getType()) ||
                         (isForward && isa<BaseMemRefType>(operand.getType()) &&
                          frees(op, operand));
    if (isBegin && (!made || made->getBlock() != block))
      return getText(op) + " ends what began outside of its block";
    if (isBegin && !(isForward ? pair.backward : pair.forward).has(made))
      segment.add(made);
  }
  // Both calls of a pair, or none; what frees the tape goes with the adjoint.
  if (func::FuncOp callee = getForward(op))
    if (func::CallOp other = getBackwardCall(cast<func::CallOp>(op), callee)) {
      pair.backward.add(other);
      for (Value value : getTape(cast<func::CallOp>(op), callee))
        for (Operation *user : value.getUsers())
          if (isa<memref::DeallocOp>(user) && user->getBlock() == block)
            pair.backward.add(user);
    }
  if (func::CallOp other = getForwardCall(op))
    pair.forward.add(other);
  return "";
}

std::string SegmentOutliner::grow(Pair &pair) {
  auto getKey = [&] {
    return std::tuple(pair.forward.first, pair.forward.last,
                      pair.backward.first, pair.backward.last);
  };
  for (;;) {
    auto before = getKey();
    for (bool isForward : {true, false}) {
      Segment segment = isForward ? pair.forward : pair.backward;
      for (Operation *op = segment.first;; op = op->getNextNode()) {
        std::string reason = growOver(op, pair, isForward);
        if (!reason.empty())
          return reason;
        if (op == segment.last)
          break;
      }
    }
    if (!pair.forward.last->isBeforeInBlock(pair.backward.first))
      return getText(pair.forward.last) +
             " ends what it starts, and stands behind its adjoint";
    if (getKey() == before)
      return "";
  }
}

/// The tape of other calls must not end in the middle of a segment.
std::string SegmentOutliner::checkOthers(Pair &pair) {
  for (Segment *segment : {&pair.forward, &pair.backward})
    for (Operation *op = segment->first;; op = op->getNextNode()) {
      func::FuncOp callee = getForward(op);
      func::CallOp backward =
          callee ? getBackwardCall(cast<func::CallOp>(op), callee)
                 : func::CallOp();
      func::CallOp forward = getForwardCall(op);
      const bool isCut =
          (backward && !pair.backward.has(backward)) ||
          (forward && !pair.forward.has(forward)) ||
          (op->hasAttr(attr::kAdjoint) && op != pair.forward.first);
      if (isCut)
        return getText(op) + " has an adjoint, and stands between what is one";
      if (op == segment->last)
        break;
    }
  return "";
}

/// Whether the segment of `call` grew. `mayGrow`: by callee, what is known.
bool SegmentOutliner::growCall(func::CallOp call,
                               llvm::DenseMap<Operation *, bool> &mayGrow,
                               ProgramContext &context) {
  func::FuncOp callee = getForward(call);
  func::CallOp backward = getBackwardCall(call, callee);
  if (!backward)
    return false;
  auto [known, isNew] = mayGrow.try_emplace(callee, true);
  if (isNew) {
    RunOnceReason why =
        getRunOnceReason(callee.getBody(), OuterMemory::Restored, context,
                         /*mayAssert=*/true);
    // What must run once does so however large it is.
    known->second = !why || why.isOpen;
  }
  if (!known->second)
    return false;
  Pair pair{{call, call}, {backward, backward}, {}};
  pair.name = (callee.getName() + ".whole").str();
  std::string reason = grow(pair);
  if (reason.empty())
    reason = checkOthers(pair);
  if (!reason.empty()) {
    refusals.push_back({call.getLoc(), getText(call), reason});
    return false;
  }
  if ((pair.forward.first == pair.forward.last &&
       pair.backward.first == pair.backward.last) ||
      !outline(pair, call))
    return false;
  for (StringRef name : {made[made.size() - 2], made.back()})
    inlineHalves(module.lookupSymbol<func::FuncOp>(name));
  return true;
}

void SegmentOutliner::growCalls() {
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  llvm::DenseMap<Operation *, bool> mayGrow;
  for (func::FuncOp function : functions) {
    llvm::DenseSet<Operation *> done;
    // A segment that grew may hold calls that need not grow any more.
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      ProgramContext context(options);
      SmallVector<func::CallOp> calls;
      function.walk([&](func::CallOp call) {
        if (getForward(call) && !done.contains(call))
          calls.push_back(call);
      });
      for (func::CallOp call : calls) {
        done.insert(call);
        if ((isChanged = growCall(call, mayGrow, context)))
          break;
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Whether `op` costs nothing, so that a function has one of its own.
static bool isMadeAnywhere(Operation *op) {
  if (!op || op->getNumOperands())
    return false;
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<tensor::EmptyOp, bufferization::AllocTensorOp>(op);
}

static SmallVector<Operation *> getOps(Operation *first, Operation *last) {
  SmallVector<Operation *> ops = {first};
  while (ops.back() != last)
    ops.push_back(ops.back()->getNextNode());
  return ops;
}

/// Values from outside that `ops` use, in the order of their uses.
static llvm::SetVector<Value> getInputs(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 8> inside(ops.begin(), ops.end());
  llvm::SetVector<Value> inputs;
  Block *block = ops.front()->getBlock();
  for (Operation *top : ops)
    top->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Value value : op->getOperands()) {
        Operation *around = block->findAncestorOpInBlock(
            *(value.getDefiningOp() ? value.getDefiningOp()
                                    : value.getParentBlock()->getParentOp()));
        if (!around || !inside.contains(around))
          inputs.insert(value);
      }
    });
  return inputs;
}

/// Values of the segment that are used outside of it.
static SmallVector<Value> getOutputs(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 8> inside(ops.begin(), ops.end());
  Block *block = ops.front()->getBlock();
  SmallVector<Value> outputs;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            Operation *around = block->findAncestorOpInBlock(*user);
            return !around || !inside.contains(around);
          }))
        outputs.push_back(result);
  return outputs;
}

/// What stands in an scf.execute_region stands in the function itself, where
/// calls of it are found.
static void cloneInto(OpBuilder &builder, Operation *op, IRMapping &mapping) {
  auto region = dyn_cast<scf::ExecuteRegionOp>(op);
  if (!region || !region.getRegion().hasOneBlock()) {
    builder.clone(*op, mapping);
    return;
  }
  Block &body = region.getRegion().front();
  for (Operation &nested : body.without_terminator())
    builder.clone(nested, mapping);
  for (auto [result, value] :
       llvm::zip(op->getResults(), body.getTerminator()->getOperands()))
    mapping.map(result, mapping.lookupOrDefault(value));
}

/// Puts a call of a new function in the place of `segment`. The function takes
/// `first` before its other arguments, and returns `results`.
func::FuncOp SegmentOutliner::outline(Segment segment, ArrayRef<Value> first,
                                      ArrayRef<Value> results,
                                      const Twine &name) {
  SmallVector<Operation *> ops = getOps(segment.first, segment.last);
  llvm::SetVector<Value> given(first.begin(), first.end());
  SmallVector<Operation *> own;
  for (Value value : getInputs(ops))
    if (Operation *made = value.getDefiningOp();
        isMadeAnywhere(made) && !given.contains(value))
      own.push_back(made);
    else
      given.insert(value);
  auto around = segment.first->getParentOfType<func::FuncOp>();
  OpBuilder builder(segment.first);
  Location loc = segment.first->getLoc();
  auto function = func::FuncOp::create(
      loc, name.str(),
      builder.getFunctionType(TypeRange(given.getArrayRef()),
                              TypeRange(ValueRange(results))));
  function.setPrivate();
  SymbolTable(module).insert(function, std::next(Block::iterator(around)));
  made.push_back(function.getName().str());
  auto call = func::CallOp::create(builder, loc, function, given.getArrayRef());
  Block *body = function.addEntryBlock();
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  IRMapping mapping;
  mapping.map(given.getArrayRef(), body->getArguments());
  for (Operation *op : own)
    if (!mapping.contains(op->getResult(0)))
      inner.clone(*op, mapping);
  for (Operation *op : ops)
    cloneInto(inner, op, mapping);
  SmallVector<Value> returned;
  for (auto [value, result] : llvm::zip(results, call.getResults())) {
    returned.push_back(mapping.lookup(value));
    Value(value).replaceAllUsesWith(result);
  }
  func::ReturnOp::create(inner, loc, returned);
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  for (Operation *op : own)
    if (op->use_empty())
      op->erase();
  return function;
}

/// Bodies of the halves of calls, and of what starts something that ends
/// elsewhere, stand side by side: so what is open between them is whole.
void SegmentOutliner::inlineHalves(func::FuncOp function) {
  llvm::DenseSet<StringRef> halves;
  for (auto other : module.getOps<func::FuncOp>())
    if (auto adjoint = other->getAttrOfType<DictionaryAttr>(attr::kAdjoint)) {
      halves.insert(other.getName());
      halves.insert(adjoint.getAs<FlatSymbolRefAttr>("backward").getValue());
    }
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls) {
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    const bool isOpen =
        halves.contains(call.getCallee()) ||
        llvm::any_of(call.getOperandTypes(), isTokenType) ||
        llvm::any_of(call.getResultTypes(), isTokenType) ||
        llvm::any_of(call.getOperands(), [&](Value operand) {
          return isa<BaseMemRefType>(operand.getType()) && frees(call, operand);
        });
    if (isOpen && callee && !callee.isExternal() &&
        callee.getBody().hasOneBlock())
      inlineCall(call, callee);
  }
}

bool SegmentOutliner::outline(Pair &pair, Operation *like) {
  SmallVector<Operation *> ops = getOps(pair.forward.first, pair.forward.last);
  SmallVector<Value> own, tape, taken;
  llvm::SmallPtrSet<Value, 8> isTape;
  for (Value value : getOutputs(ops)) {
    // All uses outside are in the adjoint.
    Value there = value;
    bool isInAdjoint = true;
    for (OpOperand &use : value.getUses()) {
      if (pair.forward.has(use.getOwner()))
        continue;
      if (pair.backward.first->getBlock() == pair.forward.first->getBlock()) {
        isInAdjoint &= pair.backward.has(use.getOwner());
        continue;
      }
      there = value.hasOneUse() ? findInBackward(use) : Value();
      isInAdjoint &=
          there && llvm::all_of(there.getUsers(), [&](Operation *op) {
            return pair.backward.has(op);
          });
    }
    (isInAdjoint ? tape : own).push_back(value);
    if (isInAdjoint)
      taken.push_back(there);
  }
  if (tape.empty()) {
    refusals.push_back({like->getLoc(), getText(like), "it hands out no tape"});
    return false;
  }
  Attribute mode = like->getAttr(attr::kCallMode);
  // Inside of the function it is no tape any more.
  if (!isa<func::CallOp>(like)) {
    like->removeAttr(attr::kAdjoint);
    like->removeAttr(attr::kCallMode);
  }
  const unsigned numResults = own.size();
  llvm::append_range(own, tape);
  SmallVector<Value> results =
      getOutputs(getOps(pair.backward.first, pair.backward.last));
  func::FuncOp backward =
      outline(pair.backward, taken, results, pair.name + "_back");
  func::FuncOp forward = outline(pair.forward, {}, own, pair.name);
  setAdjoint(forward, backward, numResults);
  if (mode)
    forward->setAttr(attr::kCallMode, mode);
  return true;
}

void SegmentOutliner::undo() {
  // What holds others comes after them.
  for (const std::string &name : llvm::reverse(made)) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function)
      continue;
    SmallVector<func::CallOp> calls;
    module.walk([&](func::CallOp call) {
      if (call.getCallee() == name)
        calls.push_back(call);
    });
    for (func::CallOp call : calls)
      inlineCall(call, function);
    if (SymbolTable::symbolKnownUseEmpty(function, module))
      function.erase();
  }
}

} // namespace pebble

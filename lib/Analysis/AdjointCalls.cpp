//===- AdjointCalls.cpp - calls, and the calls of their adjoints ----------===//

#include "pebble/Analysis/AdjointCalls.h"

#include "pebble/Analysis/BufferSnapshots.h"
#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/RunAgain.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Analysis/Views.h"
#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace pebble {

void setAdjoint(func::FuncOp forward, func::FuncOp backward,
                unsigned numResults) {
  Builder builder(forward.getContext());
  forward->setAttr(
      attr::kAdjoint,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("backward", FlatSymbolRefAttr::get(backward)),
           builder.getNamedAttr("results",
                                builder.getI64IntegerAttr(numResults))}));
}

static LogicalResult checkTypes(AdjointHalves &halves) {
  func::FuncOp forward = halves.forward, backward = halves.backward;
  const unsigned saved = halves.getNumSaved();
  if (backward.getNumArguments() < saved)
    return forward.emitError("the adjoint '@")
           << backward.getName() << "' has " << backward.getNumArguments()
           << " arguments and cannot take a tape of " << saved << " values";
  for (unsigned i = 0; i != saved; ++i) {
    Type made = forward.getResultTypes()[halves.numResults + i];
    Type taken = backward.getArgumentTypes()[i];
    if (made != taken)
      return forward.emitError("result ")
             << halves.numResults + i << ", of the tape, is " << made
             << ", and argument " << i << " of the adjoint '@"
             << backward.getName() << "' is " << taken;
  }
  return success();
}

/// A forward function that runs inside of itself has no largest tape.
static LogicalResult refuseRecursion(func::FuncOp forward) {
  for (Operation *callee : getCallees(forward)) {
    bool callsItself = false;
    SymbolTableCollection symbols;
    callee->walk([&](CallOpInterface call) {
      callsItself |=
          call.resolveCallableInTable(&symbols) == forward.getOperation();
    });
    if (callsItself)
      return forward.emitError(
          "this function has an adjoint and calls itself, directly or not, so "
          "that nothing bounds its tape; pebble-expand-recursion writes it out "
          "where 'pebble.recursion_depth' says how deep it goes");
  }
  return success();
}

LogicalResult AdjointCalls::findHalves(ModuleOp module) {
  for (Operation *op : getCalleesFirst(module)) {
    // A module inside of this one is a world of its own.
    auto forward = op->getParentOp() == module ? dyn_cast<func::FuncOp>(op)
                                               : func::FuncOp();
    auto adjoint = forward
                       ? forward->getAttrOfType<DictionaryAttr>(attr::kAdjoint)
                       : DictionaryAttr();
    if (!adjoint)
      continue;
    AdjointHalves found;
    found.forward = forward;
    found.numResults = adjoint.getAs<IntegerAttr>("results").getInt();
    auto name = adjoint.getAs<FlatSymbolRefAttr>("backward");
    Operation *target = SymbolTable::lookupNearestSymbolFrom(forward, name);
    found.backward = dyn_cast_if_present<func::FuncOp>(target);
    if (!found.backward)
      return forward.emitError("'pebble.adjoint' names '@")
             << name.getValue() << "', which is no function of this module";
    if (found.backward == forward)
      return forward.emitError("'pebble.adjoint' names the function itself");
    if (failed(checkTypes(found)) || failed(refuseRecursion(forward)))
      return failure();
    for (func::FuncOp half : {found.forward, found.backward})
      if (!half.getBody().hasOneBlock())
        return half.emitError("a function with an adjoint, and its adjoint, "
                              "have one block");
    halves.insert({forward, std::move(found)});
  }
  return success();
}

/// Where the only use of `value` is an operand of a call: that operand.
static OpOperand *getOnlyUse(Value value) {
  return value.hasOneUse() ? &*value.getUses().begin() : nullptr;
}

func::CallOp AdjointCalls::findBackward(func::CallOp call,
                                        AdjointHalves &callee,
                                        AdjointHalves *caller,
                                        std::string &reason) {
  ResultRange saved = call.getResults().drop_front(callee.numResults);
  if (saved.empty()) {
    reason = "its callee hands out no tape";
    return {};
  }
  func::CallOp backward;
  for (auto [i, result] : llvm::enumerate(saved)) {
    OpOperand *use = getOnlyUse(result);
    if (use && caller &&
        use->getOwner() == caller->forward.getBody().front().getTerminator() &&
        use->getOperandNumber() >= caller->numResults)
      use = getOnlyUse(caller->backward.getArgument(use->getOperandNumber() -
                                                    caller->numResults));
    auto user = use ? dyn_cast<func::CallOp>(use->getOwner()) : func::CallOp();
    if (!user || user.getCallee() != callee.backward.getSymName() ||
        use->getOperandNumber() != i || (backward && user != backward)) {
      reason = "result " + std::to_string(result.getResultNumber()) +
               ", of the tape, does not go to one call of '@" +
               callee.backward.getSymName().str() + "' and nowhere else";
      return {};
    }
    backward = user;
  }
  Block *expected = backward->getBlock() == call->getBlock() ? call->getBlock()
                    : caller ? &caller->backward.getBody().front()
                             : nullptr;
  if (backward->getBlock() == expected)
    return backward;
  reason = "its adjoint stands in a region of its own";
  return {};
}

/// Whether `top` reads a tensor from a buffer; `except` left out.
static bool readsTensors(Operation *top, Operation *except = nullptr) {
  return top
      ->walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (op == except)
          return WalkResult::skip();
        return isa<bufferization::ToTensorOp>(op) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `tensor`, in `function`, may lie in a buffer that has a name.
static bool mayLieInBuffer(Value tensor, func::FuncOp function,
                           ModuleOp module) {
  if (!readsTensors(module))
    return false;
  const bool othersRead = readsTensors(module, function);
  const bool isCalled = !SymbolTable::symbolKnownUseEmpty(function, module);
  SmallVector<Value> open = {tensor};
  llvm::DenseSet<Value> seen;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!isa<TensorType>(value.getType()) || !seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (!op) {
      Block *block = cast<BlockArgument>(value).getOwner();
      op = block->getParentOp();
      if (op == function) {
        // The caller may read it; from other blocks it is not followed.
        if (isCalled || !block->isEntryBlock())
          return true;
        continue;
      }
    }
    if (isa<bufferization::ToTensorOp>(op) ||
        (isa<CallOpInterface>(op) && othersRead))
      return true;
    if (op->hasTrait<OpTrait::Elementwise>())
      continue;
    llvm::append_range(open, op->getOperands());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!block.empty())
          llvm::append_range(open, block.back().getOperands());
  }
  return false;
}

/// Whether an operation in [first, last) writes a buffer.
static bool writesBuffers(Block::iterator first, Block::iterator last,
                          ProgramContext &context) {
  return std::any_of(first, last, [&](Operation &op) {
    OpEffects effects = collectEffects(&op, context);
    return (!effects.barrier.empty() && !hasOnlyAssertions(&op, context)) ||
           llvm::any_of(effects.accesses, [](const MemoryAccess &access) {
             return access.isWrite &&
                    !(access.value && isa<TensorType>(access.value.getType()));
           });
  });
}

/// Whether a buffer is written before what `call` was given is last needed. A
/// tensor that was read from a buffer may lie there.
static bool writesBetween(func::CallOp call, func::CallOp backward,
                          ProgramContext &context) {
  Block *here = call->getBlock(), *there = backward->getBlock();
  auto afterCall = std::next(call->getIterator());
  auto afterBackward = std::next(backward->getIterator());
  if (here == there)
    return writesBuffers(afterCall, afterBackward, context);
  return writesBuffers(afterCall, here->end(), context) ||
         writesBuffers(there->begin(), afterBackward, context);
}

static std::string getName(func::FuncOp function) {
  return "'@" + function.getSymName().str() + "'";
}

static std::string getText(const RunOnceReason &reason, func::FuncOp callee) {
  return reason.text + " in " + getName(callee) +
         (reason.way.empty() ? "" : "; " + reason.way);
}

static bool hasBuffers(func::FuncOp function) {
  return llvm::any_of(llvm::concat<const Type>(function.getArgumentTypes(),
                                               function.getResultTypes()),
                      llvm::IsaPred<BaseMemRefType>);
}

/// Why a function must not run again in the place where it stands. Its adjoint
/// stands elsewhere, so that nobody knows what happens to buffers in between.
static std::string getRunOnceText(func::FuncOp callee,
                                  ProgramContext &context) {
  if (hasBuffers(callee))
    return getName(callee) + " works on buffers, and its adjoint stands in "
                             "another function";
  RunOnceReason reason =
      getRunOnceReason(callee.getBody(), OuterMemory::Changes, context,
                       /*mayAssert=*/true);
  return reason ? getText(reason, callee) : std::string();
}

/// The global that `value` is, if it is one.
static StringAttr getGlobal(Value value) {
  auto global = value.getDefiningOp<memref::GetGlobalOp>();
  return global ? global.getNameAttr().getAttr() : StringAttr();
}

/// Whether `function`, or one that it calls, names `global` itself.
static bool namesGlobal(func::FuncOp function, StringAttr global) {
  return llvm::any_of(getCallees(function), [&](Operation *callee) {
    return callee
        ->walk([&](memref::GetGlobalOp op) {
          return getGlobal(op) == global ? WalkResult::interrupt()
                                         : WalkResult::advance();
        })
        .wasInterrupted();
  });
}

/// Adds a snapshot of `buffer`, which the call is given as one argument; says
/// why there is none.
static std::string addSnapshot(CallPair &pair, func::FuncOp callee,
                               Value buffer, bool isKept) {
  StringAttr global = getGlobal(buffer);
  auto isBuffer = [&](Value operand) {
    Value given = getViewed(operand);
    return given == buffer || (global && getGlobal(given) == global);
  };
  std::optional<unsigned> found;
  for (auto [index, operand] : llvm::enumerate(pair.forward.getOperands())) {
    if (!isa<BaseMemRefType>(operand.getType()) || !isBuffer(operand))
      continue;
    if (found)
      return "it is given one buffer twice, which it, or what follows, "
             "overwrites";
    found = index;
  }
  if (!found || (global && namesGlobal(callee, global)))
    return "it works on a buffer that is no argument of it, and somebody "
           "overwrites that";
  auto type = dyn_cast<MemRefType>(pair.forward.getOperand(*found).getType());
  if (!type || !type.getLayout().isIdentity())
    return "argument " + std::to_string(*found) +
           " needs a snapshot, and no allocation has its type";
  pair.snapshots.push_back({*found, isKept});
  return "";
}

/// What a second run of `pair`'s function finds no more; returns why it must
/// not run again.
static std::string findSnapshots(CallPair &pair, func::FuncOp callee,
                                 unsigned numSaved, ProgramContext &context) {
  RunOnceReason reason =
      getRunOnceReason(callee.getBody(), OuterMemory::Changes, context,
                       /*mayAssert=*/true);
  if (!reason && !hasBuffers(callee))
    return "";
  if (reason)
    reason = getRunOnceReason(callee.getBody(), OuterMemory::Restored, context,
                              /*mayAssert=*/true);
  if (reason)
    return getText(reason, callee);
  auto begin = pair.forward->getIterator();
  SmallVector<Value> saved(pair.forward.getResults().take_back(numSaved));
  BufferSnapshots found = findBufferSnapshots(
      begin, std::next(begin), pair.backward->getIterator(), saved);
  if (found.unknown)
    return getName(callee) + " works on buffers, and " + found.reason;
  if (found.overlapping)
    return getName(callee) +
           " works on two buffers that may be one: 'llvm.noalias' on an "
           "argument says that it is no other";
  std::string text;
  for (auto [buffers, isKept] :
       {std::pair(&found.own, true), std::pair(&found.behind, true),
        std::pair(&found.changed, true), std::pair(&found.replaced, false)})
    for (Value buffer : *buffers)
      if (text.empty())
        text = addSnapshot(pair, callee, buffer, isKept);
  return text;
}

static CallMode getMode(func::CallOp call, func::FuncOp callee) {
  auto wish = call->getAttrOfType<StringAttr>(attr::kCallMode);
  if (!wish)
    wish = callee->getAttrOfType<StringAttr>(attr::kCallMode);
  if (!wish)
    return CallMode::Free;
  return wish.getValue() == "split" ? CallMode::Split : CallMode::Joint;
}

CallRoot *AdjointCalls::findRoot(StringRef function, unsigned number) {
  for (CallRoot &root : roots)
    if (root.function.getName() == function && root.number == number)
      return &root;
  return nullptr;
}

CallRoot &AdjointCalls::getRoot(func::CallOp call) {
  for (CallRoot &root : roots)
    if (root.block == call->getBlock())
      return root;
  CallRoot root{call->getParentOfType<func::FuncOp>(), call->getBlock(), 0, {}};
  bool isFound = false;
  root.function.walk<WalkOrder::PreOrder>([&](Block *block) {
    isFound |= block == root.block;
    root.number += !isFound;
  });
  roots.push_back(std::move(root));
  return roots.back();
}

void AdjointCalls::findPairs(func::FuncOp function, ProgramContext &context) {
  auto own = halves.find(function);
  AdjointHalves *caller = own == halves.end() ? nullptr : &own->second;
  function.walk([&](func::CallOp call) {
    auto callee = halves.find(context.resolveCallee(call));
    if (callee == halves.end())
      return;
    std::string reason;
    func::CallOp backward = findBackward(call, callee->second, caller, reason);
    if (!backward) {
      loose.push_back({call, reason});
      return;
    }
    CallPair pair{
        call, backward, {}, getMode(call, callee->second.forward), {}};
    addPair(std::move(pair), callee->second, caller, context);
  });
}

void AdjointCalls::addPair(CallPair pair, AdjointHalves &callee,
                           AdjointHalves *caller, ProgramContext &context) {
  func::CallOp call = pair.forward;
  auto function = call->getParentOfType<func::FuncOp>();
  auto module = function->getParentOfType<ModuleOp>();
  const bool isInOneBlock = pair.backward->getBlock() == call->getBlock();
  SmallVector<unsigned> stale;
  if (writesBetween(call, pair.backward, context))
    for (auto [index, operand] : llvm::enumerate(call.getOperands()))
      if (isa<TensorType>(operand.getType()) &&
          mayLieInBuffer(operand, function, module))
        stale.push_back(index);
  if (!stale.empty() && !isInOneBlock) {
    loose.push_back({call, "what it is given may lie in a buffer that is "
                           "written before its adjoint has run"});
    return;
  }
  // Inside of a half, what is apart from the half's own tape stays.
  if (isInOneBlock && caller) {
    loose.push_back({call, "its adjoint stands in the same half"});
    return;
  }
  pair.runsOnce = isInOneBlock ? findSnapshots(pair, callee.forward,
                                               callee.getNumSaved(), context)
                               : getRunOnceText(callee.forward, context);
  if (!pair.runsOnce.empty())
    pair.snapshots.clear();
  for (unsigned argument : stale)
    pair.snapshots.push_back({argument, /*isKept=*/true});
  llvm::sort(pair.snapshots,
             [](const ArgumentSnapshot &a, const ArgumentSnapshot &b) {
               return a.argument < b.argument;
             });
  if (isInOneBlock)
    getRoot(call).pairs.push_back(std::move(pair));
  else
    caller->calls.push_back(std::move(pair));
}

FailureOr<AdjointCalls> AdjointCalls::find(ModuleOp module,
                                           ProgramContext &context) {
  AdjointCalls found;
  if (failed(found.findHalves(module)))
    return failure();
  if (found.halves.empty())
    return found;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      found.findPairs(function, context);
  for (auto &[op, halves] : found.halves)
    for (const CallPair &pair : halves.calls)
      if (pair.mode == CallMode::Joint && !pair.runsOnce.empty())
        return pair.forward->emitError("'pebble.call_mode' asks for a second "
                                       "run, and ")
               << pair.runsOnce;
  for (const CallRoot &root : found.roots)
    for (const CallPair &pair : root.pairs)
      if (pair.mode == CallMode::Joint && !pair.runsOnce.empty())
        return pair.forward->emitError("'pebble.call_mode' asks for a second "
                                       "run, and ")
               << pair.runsOnce;
  return found;
}

} // namespace pebble

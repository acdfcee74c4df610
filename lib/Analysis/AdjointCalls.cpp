//===- AdjointCalls.cpp - calls, and the calls of their adjoints ----------===//

#include "pebble/Analysis/AdjointCalls.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/RunAgain.h"
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
          "that nothing bounds its tape");
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

/// Whether a tensor that `call` is given may lie in a buffer that has a name.
static bool mayTakeBuffers(func::CallOp call, ModuleOp module) {
  auto function = call->getParentOfType<func::FuncOp>();
  if (!readsTensors(module))
    return false;
  const bool othersRead = readsTensors(module, function);
  const bool isCalled = !SymbolTable::symbolKnownUseEmpty(function, module);
  SmallVector<Value> open(call.getOperands());
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
    return !effects.barrier.empty() ||
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

/// The first operation in `function`, or in what it calls, that makes or writes
/// a buffer.
static Operation *findBufferUse(func::FuncOp function, ProgramContext &context,
                                llvm::DenseSet<Operation *> &seen) {
  Operation *found = nullptr;
  function.walk([&](Operation *op) {
    auto call = dyn_cast<CallOpInterface>(op);
    auto callee =
        call ? dyn_cast_if_present<func::FuncOp>(context.resolveCallee(call))
             : func::FuncOp();
    if (callee && seen.insert(callee).second)
      found = findBufferUse(callee, context, seen);
    else if (llvm::any_of(op->getResultTypes(),
                          llvm::IsaPred<BaseMemRefType>) &&
             !isa<memref::GetGlobalOp>(op))
      found = op;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// Why `call` must not run again. What it makes must be values: of memory there
/// is no snapshot.
static std::string getRunOnceText(func::CallOp call, func::FuncOp callee,
                                  ProgramContext &context) {
  for (Type type : llvm::concat<const Type>(callee.getArgumentTypes(),
                                            callee.getResultTypes()))
    if (isa<BaseMemRefType>(type))
      return "'@" + callee.getSymName().str() + "' works on buffers";
  RunOnceReason reason =
      getRunOnceReason(callee.getBody(), OuterMemory::Changes, context);
  if (reason)
    return reason.text + " in '@" + callee.getSymName().str() + "'";
  // The proof does not tell such a buffer from those of others.
  llvm::DenseSet<Operation *> seen = {callee};
  if (Operation *op = findBufferUse(callee, context, seen))
    return "'" + op->getName().getStringRef().str() + "' makes a buffer in '@" +
           callee.getSymName().str() + "'";
  return "";
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
    if (mayTakeBuffers(call, function->getParentOfType<ModuleOp>()) &&
        writesBetween(call, backward, context)) {
      loose.push_back({call, "what it is given may lie in a buffer that is "
                             "written before its adjoint has run"});
      return;
    }
    CallPair pair{call, backward, {}, getMode(call, callee->second.forward)};
    pair.runsOnce = getRunOnceText(call, callee->second.forward, context);
    if (backward->getBlock() == call->getBlock()) {
      // Inside of a half, what is apart from the half's own tape stays.
      if (caller)
        loose.push_back({call, "its adjoint stands in the same half"});
      else
        getRoot(call).pairs.push_back(pair);
    } else {
      caller->calls.push_back(pair);
    }
  });
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

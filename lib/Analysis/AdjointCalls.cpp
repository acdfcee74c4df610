//===- AdjointCalls.cpp - calls, and the calls of their adjoints ----------===//

#include "pebble/Analysis/AdjointCalls.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/RunAgain.h"
#include "pebble/Dialect/PebbleAttrNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace pebble {

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
    auto forward = dyn_cast<func::FuncOp>(op);
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
  return reason ? reason.text + " in '@" + callee.getSymName().str() + "'" : "";
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

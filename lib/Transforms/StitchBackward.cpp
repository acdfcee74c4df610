//===- StitchBackward.cpp - forward and backward as one function ----------===//
//
// Wires what a forward function saves to the arguments of its backward
// function, so that one schedule can decide for both. Moves no operation past
// another: forward's stand first, then backward's. SplitBackward.cpp is the way
// back.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "Halves.h"

#include "pebble/Analysis/ProgramContext.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/PlanAddresses.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace pebble {
#define GEN_PASS_DEF_STITCHBACKWARDPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
/// For each argument of the backward function the result of the forward
/// function that it is, or nothing if it stays an argument.
using Pairing = SmallVector<std::optional<unsigned>>;

struct StitchBackwardPass
    : pebble::impl::StitchBackwardPassBase<StitchBackwardPass> {
  using StitchBackwardPassBase::StitchBackwardPassBase;

  void runOnOperation() override {
    eraseAllAddresses(getOperation());
    if (failed(stitch()))
      signalPassFailure();
  }

private:
  LogicalResult stitch();
  FailureOr<func::FuncOp> lookUp(StringRef option, StringRef name);
  FailureOr<Pairing> pair();
  FailureOr<Pairing> pairByName();
  FailureOr<Pairing> pairByPosition();
  /// What the new function takes and returns, as far as its body asks.
  struct Signature {
    llvm::SmallBitVector isSaved; ///< results of forward: read by backward
    SmallVector<unsigned> ownArguments; ///< of backward, not paired
    unsigned numForwardResults = 0;
  };
  Signature makeSignature(const Pairing &pairing);
  func::FuncOp build(const Pairing &pairing);
  void writeBody(func::FuncOp function, const Pairing &pairing,
                 const Signature &signature);
  void addArgument(func::FuncOp from, unsigned argument,
                   ArrayRef<std::optional<unsigned>> newResults);

  func::FuncOp forwardFunction, backwardFunction;
  /// Of the function that is made.
  SmallVector<Type> argumentTypes, resultTypes;
  SmallVector<Attribute> argumentAttrs, resultAttrs;
};
} // namespace

FailureOr<func::FuncOp> StitchBackwardPass::lookUp(StringRef option,
                                                   StringRef name) {
  ModuleOp module = getOperation();
  if (name.empty())
    return emitError(module.getLoc())
           << "name the " << option << " function by " << option << "=NAME";
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function)
    return emitError(module.getLoc())
           << "there is no function '" << name << "'";
  if (function.isExternal())
    return emitError(function.getLoc())
           << "'" << name << "' has no body to stitch";
  if (!function.getBody().hasOneBlock())
    return emitError(function.getLoc())
           << "'" << name << "' has several blocks, and one function is made "
           << "of single blocks only; structured control flow (scf) is inside "
              "of one";
  return function;
}

static StringAttr getNameOf(DictionaryAttr attrs) {
  return attrs ? attrs.getAs<StringAttr>(attr::kName) : StringAttr();
}

FailureOr<Pairing> StitchBackwardPass::pairByName() {
  llvm::StringMap<unsigned> results;
  for (unsigned i = 0, e = forwardFunction.getNumResults(); i != e; ++i)
    if (StringAttr name = getNameOf(forwardFunction.getResultAttrDict(i)))
      if (!results.try_emplace(name.getValue(), i).second)
        return emitError(forwardFunction.getLoc())
               << "two results of '" << forwardFunction.getName()
               << "' are called '" << name.getValue() << "'";
  Pairing pairing(backwardFunction.getNumArguments());
  bool hasNames = false;
  for (auto [i, result] : llvm::enumerate(pairing)) {
    StringAttr name = getNameOf(backwardFunction.getArgAttrDict(i));
    if (!name)
      continue;
    hasNames = true;
    auto found = results.find(name.getValue());
    if (found == results.end())
      return emitError(backwardFunction.getLoc())
             << "argument " << i << " is called '" << name.getValue()
             << "', as no result of '" << forwardFunction.getName()
             << "' is; what is no saved value has no pebble.name";
    result = found->second;
  }
  if (!hasNames)
    return emitError(backwardFunction.getLoc())
           << "no argument of '" << backwardFunction.getName()
           << "' has a pebble.name; name what is saved, or use "
              "pair-by=position";
  return pairing;
}

FailureOr<Pairing> StitchBackwardPass::pairByPosition() {
  unsigned numResults = forwardFunction.getNumResults();
  unsigned numArguments = backwardFunction.getNumArguments();
  if (firstSavedResult >= numResults)
    return emitError(forwardFunction.getLoc())
           << "'" << forwardFunction.getName() << "' saves nothing: it has "
           << numResults << " result(s), and first-saved-result is "
           << firstSavedResult.getValue();
  unsigned numSaved = numResults - firstSavedResult;
  if (firstSavedArgument > numArguments ||
      numSaved > numArguments - firstSavedArgument)
    return emitError(backwardFunction.getLoc())
           << "'" << forwardFunction.getName() << "' saves " << numSaved
           << " value(s), and '" << backwardFunction.getName() << "' has only "
           << numArguments << " argument(s), of which "
           << firstSavedArgument.getValue()
           << " stand before the first saved one";
  Pairing pairing(numArguments);
  for (unsigned i = 0; i < numSaved; ++i)
    pairing[firstSavedArgument + i] = firstSavedResult + i;
  return pairing;
}

FailureOr<Pairing> StitchBackwardPass::pair() {
  FailureOr<Pairing> pairing =
      pairBy == SavedPairing::Name ? pairByName() : pairByPosition();
  if (failed(pairing))
    return failure();
  for (auto [i, result] : llvm::enumerate(*pairing)) {
    if (!result)
      continue;
    Type saved = forwardFunction.getResultTypes()[*result];
    Type expected = backwardFunction.getArgumentTypes()[i];
    if (saved == expected)
      continue;
    InFlightDiagnostic error =
        emitError(backwardFunction.getLoc())
        << "argument " << i << " of '" << backwardFunction.getName() << "' is "
        << expected << ", and what is saved for it is " << saved;
    error.attachNote(forwardFunction.getLoc())
        << "result " << *result << " of '" << forwardFunction.getName() << "'";
    return failure();
  }
  return pairing;
}

DictionaryAttr pebble::carryArgumentAttrs(
    func::FuncOp from, unsigned argument,
    llvm::function_ref<std::optional<unsigned>(unsigned)> getResult) {
  MLIRContext *context = from.getContext();
  NamedAttrList attrs(from.getArgAttrDict(argument));
  if (auto alias =
          dyn_cast_or_null<IntegerAttr>(attrs.get(attr::kAliasingOutput))) {
    attrs.erase(attr::kAliasingOutput);
    std::optional<unsigned> result;
    if (alias.getInt() >= 0 && alias.getInt() < from.getNumResults())
      result = getResult(alias.getInt());
    if (result)
      attrs.set(attr::kAliasingOutput,
                IntegerAttr::get(alias.getType(), *result));
    else
      attrs.set(attr::kDonated, UnitAttr::get(context));
  }
  return attrs.getDictionary(context);
}

/// `newResults` tells for each result of `from` which one it becomes.
void StitchBackwardPass::addArgument(
    func::FuncOp from, unsigned argument,
    ArrayRef<std::optional<unsigned>> newResults) {
  argumentTypes.push_back(from.getArgumentTypes()[argument]);
  argumentAttrs.push_back(carryArgumentAttrs(
      from, argument, [&](unsigned result) { return newResults[result]; }));
}

/// Gives the new function its signature: results of forward that nobody of
/// backward reads, then those of backward; arguments of forward, then those of
/// backward that no result of forward is paired with.
StitchBackwardPass::Signature
StitchBackwardPass::makeSignature(const Pairing &pairing) {
  Signature signature;
  signature.isSaved.resize(forwardFunction.getNumResults());
  for (std::optional<unsigned> result : pairing)
    if (result)
      signature.isSaved.set(*result);
  SmallVector<std::optional<unsigned>> newResults(
      forwardFunction.getNumResults());
  auto addResult = [&](func::FuncOp from, unsigned result) {
    resultTypes.push_back(from.getResultTypes()[result]);
    DictionaryAttr attrs = from.getResultAttrDict(result);
    resultAttrs.push_back(attrs ? attrs : DictionaryAttr::get(&getContext()));
    return resultTypes.size() - 1;
  };
  for (unsigned i = 0, e = signature.isSaved.size(); i != e; ++i)
    if (!signature.isSaved.test(i))
      newResults[i] = addResult(forwardFunction, i);
  signature.numForwardResults = resultTypes.size();
  for (unsigned i = 0, e = forwardFunction.getNumArguments(); i != e; ++i)
    addArgument(forwardFunction, i, newResults);
  newResults.assign(backwardFunction.getNumResults(), std::nullopt);
  for (auto [i, result] : llvm::enumerate(newResults))
    result = addResult(backwardFunction, i);
  for (auto [i, result] : llvm::enumerate(pairing))
    if (!result) {
      signature.ownArguments.push_back(i);
      addArgument(backwardFunction, i, newResults);
    }
  return signature;
}

func::FuncOp StitchBackwardPass::build(const Pairing &pairing) {
  Signature signature = makeSignature(pairing);
  OpBuilder builder(forwardFunction);
  auto function =
      func::FuncOp::create(builder, forwardFunction.getLoc(), into,
                           builder.getFunctionType(argumentTypes, resultTypes));
  for (NamedAttribute attribute : forwardFunction->getDiscardableAttrs())
    if (attribute.getName() != attr::kResult)
      function->setAttr(attribute.getName(), attribute.getValue());
  function.setAllArgAttrs(argumentAttrs);
  function.setAllResultAttrs(resultAttrs);
  auto number = [&](int64_t n) { return builder.getI64IntegerAttr(n); };
  function->setAttr(
      attr::kStitched,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("forward",
                                builder.getStringAttr(forward.getValue())),
           builder.getNamedAttr("backward",
                                builder.getStringAttr(backward.getValue())),
           builder.getNamedAttr("arguments",
                                number(forwardFunction.getNumArguments())),
           builder.getNamedAttr("results",
                                number(signature.numForwardResults))}));
  writeBody(function, pairing, signature);
  return function;
}

void StitchBackwardPass::writeBody(func::FuncOp function,
                                   const Pairing &pairing,
                                   const Signature &signature) {
  Block *body = function.addEntryBlock();
  auto builder = OpBuilder::atBlockEnd(body);
  IRMapping mapping;
  auto inlineBody = [&](func::FuncOp from) {
    for (Operation &op : from.getBody().front().without_terminator())
      builder.clone(op, mapping);
    SmallVector<Value> returned;
    for (Value value : from.getBody().front().getTerminator()->getOperands())
      returned.push_back(mapping.lookup(value));
    return returned;
  };
  auto bindArgument = [&](BlockArgument from, BlockArgument to) {
    to.setLoc(from.getLoc());
    mapping.map(from, to);
  };
  unsigned numForwardArguments = forwardFunction.getNumArguments();
  for (unsigned i = 0; i != numForwardArguments; ++i)
    bindArgument(forwardFunction.getArgument(i), body->getArgument(i));
  SmallVector<Value> forwardResults = inlineBody(forwardFunction);
  for (auto [i, argument] : llvm::enumerate(signature.ownArguments))
    bindArgument(backwardFunction.getArgument(argument),
                 body->getArgument(numForwardArguments + i));
  for (auto [i, result] : llvm::enumerate(pairing))
    if (result)
      mapping.map(backwardFunction.getArgument(i), forwardResults[*result]);
  SmallVector<Value> results;
  for (auto [i, value] : llvm::enumerate(forwardResults))
    if (!signature.isSaved.test(i))
      results.push_back(value);
  llvm::append_range(results, inlineBody(backwardFunction));
  func::ReturnOp::create(builder, backwardFunction.getLoc(), results);
}

/// Erases the operations of the block without effects whose results nobody
/// uses; returns how many.
static unsigned removeUnused(Block &block, ProgramContext &context) {
  unsigned removed = 0;
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops)) {
    if (!op->use_empty() ||
        !(isOpTriviallyDead(op) || context.isDeclaredPure(op)))
      continue;
    op->erase();
    ++removed;
  }
  return removed;
}

/// True if anything in `module` names `function`. Upstream's search for uses of
/// a symbol gives up where it meets an unregistered operation with a region.
static bool isReferredTo(func::FuncOp function, ModuleOp module) {
  WalkResult found = module.walk([&](Operation *op) {
    return op->getAttrDictionary().walk([&](SymbolRefAttr symbol) {
      return symbol.getLeafReference() == function.getNameAttr()
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
  });
  return found.wasInterrupted();
}

LogicalResult StitchBackwardPass::stitch() {
  ModuleOp module = getOperation();
  argumentTypes.clear();
  resultTypes.clear();
  argumentAttrs.clear();
  resultAttrs.clear();
  FailureOr<func::FuncOp> first = lookUp("forward", forward);
  if (failed(first))
    return failure();
  FailureOr<func::FuncOp> second = lookUp("backward", backward);
  if (failed(second))
    return failure();
  forwardFunction = *first;
  backwardFunction = *second;
  if (forwardFunction == backwardFunction)
    return emitError(module.getLoc())
           << "'" << forward << "' cannot be its own backward function";
  if (into.empty())
    return emitError(module.getLoc(), "name the function to make by into=NAME");
  if (module.lookupSymbol(into))
    return emitError(module.getLoc())
           << "there is a symbol '" << into << "' already";

  FailureOr<Pairing> pairing = pair();
  if (failed(pairing))
    return failure();
  func::FuncOp function = build(*pairing);
  ProgramContext context;
  unsigned removed = removeUnused(function.getBody().front(), context);

  // What nobody else calls has become part of the new function.
  for (func::FuncOp half : {forwardFunction, backwardFunction})
    if (!isReferredTo(half, module))
      half.erase();

  unsigned numSaved = llvm::count_if(
      *pairing, [](const std::optional<unsigned> &r) { return bool(r); });
  if (auto remark = remark::passed(
          function.getLoc(),
          remark::RemarkOpts::name("stitched").category(getArgument())))
    remark << "'" + into.getValue() + "' wires " + std::to_string(numSaved) +
                  " saved value(s); " + std::to_string(removed) +
                  " unused operation(s) removed";
  return success();
}

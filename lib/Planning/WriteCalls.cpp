//===- WriteCalls.cpp - functions for split and joint calls ---------------===//

#include "pebble/Planning/WriteCalls.h"

#include "CallSnapshots.h"
#include "DeadResults.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/HiddenEffects.h"
#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace pebble {

/// How values of the forward half reach the backward half. Where both calls of
/// a pair stand in one block they need not.
class CallWriter::Crossing {
public:
  Crossing() = default;
  Crossing(func::FuncOp forward, func::FuncOp backward)
      : forward(forward), backward(backward) {}

  /// `value` of the forward half in the backward half.
  Value get(Value value) {
    if (!forward)
      return value;
    Value &known = there[value];
    if (known)
      return known;
    Operation *made = value.getDefiningOp();
    if (made && made->hasTrait<OpTrait::ConstantLike>()) {
      OpBuilder builder(&backward.getBody().front(),
                        backward.getBody().front().begin());
      return known = builder.clone(*made)->getResult(
                 cast<OpResult>(value).getResultNumber());
    }
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument &&
        !forward.getArgAttr(argument.getArgNumber(), attr::kDonated)) {
      known = insert(kept.size() + needs.size(), value, {});
      needs.push_back(argument.getArgNumber());
      return known;
    }
    NamedAttrList attributes;
    if (isa<TensorType>(value.getType()))
      attributes.append(attr::kDonated, UnitAttr::get(value.getContext()));
    known = insert(kept.size(), value, attributes);
    kept.push_back(value);
    return known;
  }

  func::FuncOp forward, backward;
  /// What the forward half hands out for the backward half.
  SmallVector<Value> kept;
  SmallVector<unsigned> needs;

private:
  Value insert(unsigned at, Value value, const NamedAttrList &attributes) {
    (void)backward.insertArgument(at, value.getType(),
                                  attributes.getDictionary(value.getContext()),
                                  value.getLoc());
    return backward.getArgument(at);
  }
  llvm::DenseMap<Value, Value> there;
};

std::shared_ptr<const calls::Variant> CallWriter::getSplit(Operation *forward) {
  if (auto known = splits.lookup(forward))
    return known;
  auto split = std::make_shared<calls::Variant>();
  for (const CallPair &pair : calls.halves.find(forward)->second.calls)
    split->choices.push_back(
        {calls::Mode::Split,
         getSplit(symbols.lookup(func::CallOp(pair.forward).getCallee()))});
  return splits[forward] = split;
}

func::FuncOp CallWriter::clone(func::FuncOp function, const Twine &name,
                               IRMapping &mapping) {
  auto copy = cast<func::FuncOp>(function->clone(mapping));
  copy.setName(name.str());
  copy.setPrivate();
  copy->removeAttr(attr::kAdjoint);
  copy->removeAttr(attr::kResult);
  symbols.insert(copy, std::next(Block::iterator(function)));
  return copy;
}

/// Whether nobody would miss `op`, whose results nobody uses.
static bool hasNoEffects(Operation *op, ProgramContext &context) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return false;
  OpEffects effects = collectEffects(op, context);
  return effects.barrier.empty() &&
         llvm::none_of(
             effects.accesses,
             [](const MemoryAccess &access) { return access.isWrite; }) &&
         !collectHiddenEffects(op, context).runsOnce;
}

/// Adds to `users` the ops that use `buffer`, its views among them, if they all
/// only write there or end it: nobody ever looks at what is there. Writes
/// inside of a branch or a loop stay: what it leaves in one buffer is told
/// together with all that it does (CallEquivalence.h).
static bool isUnread(Value buffer, ProgramContext &context,
                     llvm::SetVector<Operation *> &users) {
  llvm::DenseSet<Value> names = {buffer};
  SmallVector<Value> open = {buffer};
  while (!open.empty())
    for (Operation *op : open.pop_back_val().getUsers()) {
      if (op->getBlock() != buffer.getParentBlock())
        return false;
      users.insert(op);
      if (auto view = dyn_cast<ViewLikeOpInterface>(op);
          view && names.contains(view.getViewSource())) {
        for (Value result : op->getResults())
          if (names.insert(result).second)
            open.push_back(result);
        continue;
      }
      if (isa<memref::DeallocOp>(op))
        continue;
      OpEffects effects = collectEffects(op, context);
      if (op->hasTrait<OpTrait::IsTerminator>() || op->getNumResults() ||
          isa<CallOpInterface>(op) || !effects.barrier.empty() ||
          collectHiddenEffects(op, context).runsOnce ||
          llvm::any_of(effects.accesses, [&](const MemoryAccess &access) {
            return access.isWrite && !names.contains(access.value);
          }))
        return false;
    }
  return true;
}

/// Buffers that held a tape which nobody asks for go away.
static void eraseUnreadBuffers(func::FuncOp function, ProgramContext &context) {
  SmallVector<Operation *> allocs;
  for (auto alloc : function.getBody().getOps<memref::AllocOp>())
    allocs.push_back(alloc);
  for (Operation *alloc : llvm::reverse(allocs)) {
    llvm::SetVector<Operation *> users;
    if (!isUnread(alloc->getResult(0), context, users))
      continue;
    // Views after those that use them.
    for (Operation *op : llvm::reverse(users))
      if (op->use_empty())
        op->erase();
    if (alloc->use_empty())
      alloc->erase();
  }
}

static void eraseUnusedOps(func::FuncOp function,
                           const AnalysisOptions &options) {
  ProgramContext context(options);
  Block &body = function.getBody().front();
  eraseUnreadBuffers(function, context);
  auto eraseUnused = [&] {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (op.use_empty() && hasNoEffects(&op, context))
        op.erase();
  };
  eraseUnused();
  // Tapes that branches and loops hand out, beside results that are needed.
  eraseDeadResults(body, context);
  eraseUnused();
}

func::FuncOp CallWriter::getPlain(Operation *op) {
  func::FuncOp &plain = plains[op];
  if (plain)
    return plain;
  AdjointHalves &halves = calls.halves.find(op)->second;
  SmallVector<func::FuncOp> callees;
  for (CallPair &pair : halves.calls)
    callees.push_back(getPlain(symbols.lookup(pair.forward.getCallee())));
  IRMapping mapping;
  func::FuncOp copy =
      clone(halves.forward, halves.forward.getName() + ".plain", mapping);
  Operation *end = copy.getBody().front().getTerminator();
  end->eraseOperands(halves.numResults, halves.getNumSaved());
  BitVector tape(copy.getNumResults());
  tape.set(halves.numResults, copy.getNumResults());
  (void)copy.eraseResults(tape);
  for (auto [pair, callee] : llvm::zip(halves.calls, callees)) {
    Operation *call = mapping.lookup(pair.forward.getOperation());
    OpBuilder builder(call);
    auto plainCall = func::CallOp::create(builder, call->getLoc(), callee,
                                          call->getOperands());
    for (auto [old, result] :
         llvm::zip_first(plainCall.getResults(), call->getResults()))
      result.replaceAllUsesWith(old);
    call->erase();
  }
  eraseUnusedOps(copy, options);
  // The map may have grown since.
  return plains[op] = copy;
}

/// What the second call gets for argument `number`, which is `operand`. The
/// adjoint of a split call reads buffers as they are by then.
static Value getGiven(Value operand, unsigned number, bool isJoint,
                      ArrayRef<ArgumentSnapshot> snapshots,
                      CallSnapshots &taken) {
  for (const ArgumentSnapshot &snapshot : snapshots)
    if (snapshot.argument == number &&
        (isJoint || isa<TensorType>(operand.getType())))
      return snapshot.isKept ? taken.keep(operand) : taken.replace(operand);
  return operand;
}

CallWriter::Calls CallWriter::rewrite(func::CallOp forward,
                                      func::CallOp backward,
                                      const calls::Choice &choice,
                                      Crossing &crossing,
                                      ArrayRef<ArgumentSnapshot> snapshots) {
  Operation *callee = symbols.lookup(forward.getCallee());
  AdjointHalves &halves = calls.halves.find(callee)->second;
  const WrittenHalves &with = getHalves(callee, *choice.variant);
  OpBuilder before(forward), after(backward);
  const bool isJoint = choice.mode == calls::Mode::Joint;
  // Snapshots are taken before the first call.
  CallSnapshots taken(forward, backward, snapshotTier,
                      {options.dynamicDimBound});
  SmallVector<Value> given;
  for (unsigned i = 0, e = forward.getNumOperands(); i != e; ++i)
    if (isJoint || llvm::is_contained(with.needs, i))
      given.push_back(
          getGiven(forward.getOperand(i), i, isJoint, snapshots, taken));
    else
      given.push_back({});
  auto first = func::CallOp::create(before, forward.getLoc(),
                                    isJoint ? getPlain(callee) : with.forward,
                                    forward.getOperands());
  SmallVector<Value> passed;
  if (isJoint) {
    for (Value operand : given)
      passed.push_back(crossing.get(operand));
  } else {
    for (Value saved : first.getResults().drop_front(halves.numResults))
      passed.push_back(crossing.get(saved));
    for (unsigned need : with.needs)
      passed.push_back(crossing.get(given[need]));
  }
  llvm::append_range(passed,
                     backward.getOperands().drop_front(halves.getNumSaved()));
  auto second = func::CallOp::create(
      after, backward.getLoc(),
      isJoint ? getWhole(callee, *choice.variant) : with.backward, passed);
  taken.finish(second);
  numSnapshots += taken.count;
  snapshotBytes += taken.bytes;
  for (unsigned i = 0; i != halves.numResults; ++i)
    forward.getResult(i).replaceAllUsesWith(first.getResult(i));
  backward.replaceAllUsesWith(second.getResults());
  backward.erase();
  forward.erase();
  auto mode = StringAttr::get(module.getContext(), isJoint ? "joint" : "split");
  // On the call that makes the tape.
  (isJoint ? second : first)->setAttr(attr::kCallMode, mode);
  return {first, second};
}

/// What LLVM is promised of an argument of one half does not hold while the
/// other one runs. `isShared`: the other one may be given the same buffer.
static DictionaryAttr withoutPromises(DictionaryAttr attributes,
                                      bool isShared) {
  if (!attributes)
    return attributes;
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute attribute : attributes)
    if (StringRef name = attribute.getName();
        !name.starts_with("llvm.") || (name == "llvm.noalias" && !isShared))
      kept.push_back(attribute);
  return DictionaryAttr::get(attributes.getContext(), kept);
}

func::FuncOp CallWriter::getWhole(Operation *callee,
                                  const calls::Variant &variant) {
  auto found = wholes.find({callee, &variant});
  if (found != wholes.end())
    return found->second;
  WrittenHalves halves = getHalves(callee, variant);
  func::FuncOp forward = halves.forward, backward = halves.backward;
  const unsigned given = backward.getNumArguments() - forward.getNumResults() +
                         halves.numResults - halves.needs.size();
  const unsigned taken = backward.getNumArguments() - given;
  SmallVector<Type> arguments(forward.getArgumentTypes());
  llvm::append_range(arguments, backward.getArgumentTypes().take_back(given));
  OpBuilder builder(module.getContext());
  auto whole = func::FuncOp::create(
      forward.getLoc(),
      (cast<func::FuncOp>(callee).getName() + ".adjoint").str(),
      builder.getFunctionType(arguments, backward.getResultTypes()));
  whole.setPrivate();
  Block *body = whole.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping mapping;
  const bool isShared =
      llvm::any_of(forward.getArgumentTypes(), llvm::IsaPred<BaseMemRefType>) &&
      llvm::any_of(backward.getArgumentTypes().take_back(given),
                   llvm::IsaPred<BaseMemRefType>);
  for (unsigned i = 0, e = forward.getNumArguments(); i != e; ++i) {
    mapping.map(forward.getArgument(i), body->getArgument(i));
    whole.setArgAttrs(i, withoutPromises(forward.getArgAttrDict(i), isShared));
  }
  for (unsigned i = 0; i != given; ++i) {
    unsigned argument = forward.getNumArguments() + i;
    mapping.map(backward.getArgument(taken + i), body->getArgument(argument));
    whole.setArgAttrs(
        argument,
        withoutPromises(backward.getArgAttrDict(taken + i), isShared));
  }
  for (Operation &op : forward.getBody().front().without_terminator())
    builder.clone(op, mapping);
  Operation *end = forward.getBody().front().getTerminator();
  const unsigned kept = taken - halves.needs.size();
  for (unsigned i = 0; i != taken; ++i)
    mapping.map(
        backward.getArgument(i),
        mapping.lookup(i < kept ? end->getOperand(halves.numResults + i)
                                : forward.getArgument(halves.needs[i - kept])));
  for (Operation &op : backward.getBody().front())
    builder.clone(op, mapping);
  for (unsigned i = 0, e = backward.getNumResults(); i != e; ++i)
    if (DictionaryAttr attributes = backward.getResultAttrDict(i))
      whole.setResultAttrs(i, attributes);
  symbols.insert(whole, std::next(Block::iterator(backward)));
  eraseUnusedOps(whole, options);
  return wholes[{callee, &variant}] = whole;
}

const WrittenHalves &CallWriter::getHalves(Operation *forward,
                                           const calls::Variant &variant) {
  auto found = written.find({forward, &variant});
  if (found == written.end())
    found = written
                .emplace(std::pair(forward, &variant),
                         write(calls.halves.find(forward)->second, variant))
                .first;
  return found->second;
}

WrittenHalves CallWriter::write(AdjointHalves &halves,
                                const calls::Variant &variant) {
  IRMapping mapping;
  WrittenHalves out;
  out.numResults = halves.numResults;
  const unsigned saved = halves.getNumSaved();
  std::string suffix =
      "." + std::to_string(llvm::count_if(written, [&](auto &entry) {
        return entry.first.first == halves.forward.getOperation();
      }));
  out.forward =
      clone(halves.forward, halves.forward.getName() + suffix, mapping);
  out.backward =
      clone(halves.backward, halves.backward.getName() + suffix, mapping);
  Crossing crossing(out.forward, out.backward);
  Operation *end = out.forward.getBody().front().getTerminator();

  SmallVector<Value> old(out.backward.getArguments().take_front(saved));
  SmallVector<Value> ours = dropInnerTapes(halves, mapping, end, old);

  for (auto [pair, choice] : llvm::zip(halves.calls, variant.choices))
    out.calls.push_back(rewrite(
        cast<func::CallOp>(mapping.lookup(pair.forward.getOperation())),
        cast<func::CallOp>(mapping.lookup(pair.backward.getOperation())),
        choice, crossing, /*snapshots=*/{}));
  for (auto [i, argument] : llvm::enumerate(ours))
    if (!argument.use_empty())
      argument.replaceAllUsesWith(
          crossing.get(end->getOperand(halves.numResults + i)));

  replaceTape(out, crossing, end, old);
  return out;
}

/// The tapes of calls are theirs from now on, and are not returned by `end`.
/// Returns those arguments of the backward half, of `old`, that are left.
SmallVector<Value> CallWriter::dropInnerTapes(AdjointHalves &halves,
                                              IRMapping &mapping,
                                              Operation *end,
                                              ArrayRef<Value> old) {
  llvm::DenseSet<Value> tapes;
  for (CallPair &pair : halves.calls) {
    Operation *callee = symbols.lookup(pair.forward.getCallee());
    Operation *call = mapping.lookup(pair.forward.getOperation());
    for (Value result : call->getResults().drop_front(
             calls.halves.find(callee)->second.numResults))
      tapes.insert(result);
  }
  SmallVector<Value> ours;
  for (size_t i = old.size(); i-- > 0;)
    if (tapes.contains(end->getOperand(halves.numResults + i)))
      end->eraseOperand(halves.numResults + i);
    else
      ours.push_back(old[i]);
  std::reverse(ours.begin(), ours.end());
  return ours;
}

/// The old tape makes room for the new one.
void CallWriter::replaceTape(WrittenHalves &out, const Crossing &crossing,
                             Operation *end, ArrayRef<Value> old) {
  BitVector results(out.forward.getNumResults());
  results.set(out.numResults, out.forward.getNumResults());
  (void)out.forward.eraseResults(results);
  end->eraseOperands(out.numResults, end->getNumOperands() - out.numResults);
  for (Value value : crossing.kept) {
    (void)out.forward.insertResult(out.forward.getNumResults(), value.getType(),
                                   DictionaryAttr::get(module.getContext()));
    end->insertOperands(end->getNumOperands(), value);
  }
  BitVector arguments(out.backward.getNumArguments());
  for (Value argument : old)
    arguments.set(cast<BlockArgument>(argument).getArgNumber());
  (void)out.backward.eraseArguments(arguments);
  out.needs = crossing.needs;
  setAdjoint(out.forward, out.backward, out.numResults);
}

SmallVector<CallWriter::Calls>
CallWriter::writeRoot(CallRoot &root,
                      const std::vector<calls::Choice> &choices) {
  SmallVector<Calls> result;
  Crossing none;
  for (auto [pair, choice] : llvm::zip(root.pairs, choices))
    result.push_back(
        rewrite(pair.forward, pair.backward, choice, none, pair.snapshots));
  return result;
}

void CallWriter::eraseUnused() {
  SmallVector<func::FuncOp> candidates;
  for (auto &[op, halves] : llvm::reverse(calls.halves)) {
    candidates.push_back(halves.forward);
    candidates.push_back(halves.backward);
  }
  for (auto &[key, halves] : written) {
    candidates.push_back(halves.forward);
    candidates.push_back(halves.backward);
  }
  llvm::DenseSet<Operation *> gone;
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (func::FuncOp function : candidates)
      if (!gone.contains(function) && function.isPrivate() &&
          SymbolTable::symbolKnownUseEmpty(function, module)) {
        gone.insert(function);
        symbols.erase(function);
        isChanged = true;
      }
  }
}

} // namespace pebble

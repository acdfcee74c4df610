//===- LoopPairs.cpp - a loop that writes a tape, one that reads it -------===//

#include "pebble/Analysis/LoopPairs.h"

#include "pebble/Analysis/Effects.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace pebble {

static bool isNamed(Operation *op, StringRef name) {
  return op && op->getName().getStringRef() == name;
}
static bool isPush(Operation *op) { return isNamed(op, "enzyme.push"); }
static bool isPop(Operation *op) { return isNamed(op, "enzyme.pop"); }
static bool isCache(Operation *op) { return isNamed(op, "enzyme.init"); }

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

static bool holdsLoop(Operation *loop) {
  bool found = false;
  loop->walk([&](Operation *op) {
    found |= op != loop && RecurrenceAnalysis::isLoop(op);
  });
  return found;
}

namespace {
class PairFinder {
public:
  PairFinder(RecurrenceAnalysis &analysis, ProgramContext &context,
             LoopPair &pair)
      : analysis(analysis), context(context), pair(pair) {}

  std::optional<std::string> run();
  void findTensorTapes();

private:
  using Problem = std::optional<std::string>;
  Problem findTensorTape(const CarriedValue &carried, bool &isTape);
  Problem findCaches();
  Problem findMemoryTapes();
  Problem findMemoryTape(const SliceAccess &write);
  Problem sortCarried();
  Problem checkEffects(const Recurrence &loop);
  Problem sortBetween();
  Problem sort(Value value);
  Problem sortRead(Value value);
  bool isStack(const CarriedValue &carried);
  bool isMirrored(const SliceAccess &write, const SliceAccess &read);
  bool isPure(Operation *op);
  bool dependsOnForward(Operation *op);

  RecurrenceAnalysis &analysis;
  ProgramContext &context;
  LoopPair &pair;
  llvm::DenseMap<Operation *, bool> dependent;
  llvm::DenseSet<Value> tapes;
};
} // namespace

/// Whether what is written at step k of the forward loop is what the backward
/// loop reads at step n - 1 - k, and nothing has overwritten it by then.
bool PairFinder::isMirrored(const SliceAccess &write, const SliceAccess &read) {
  if (write.sizes != read.sizes ||
      write.offsets.size() != read.offsets.size() ||
      write.value.getType() != read.value.getType())
    return false;
  bool moves = false;
  for (auto [size, w, r] :
       llvm::zip(write.sizes, write.offsets, read.offsets)) {
    int64_t stride = w.getCoefficient(pair.forward->op);
    if (r.getCoefficient(pair.backward->op) != -stride)
      return false;
    LinearForm last = (pair.forward->trips - LinearForm{1, {}}) * stride;
    if (!(r.without(pair.backward->op) == w.without(pair.forward->op) + last))
      return false;
    moves |= std::abs(stride) >= size && stride != 0;
  }
  return moves;
}

/// A tensor that is written once a step and read by the backward loop alone. If
/// others read it as well, it is an output, and the backward loop reads that.
PairFinder::Problem PairFinder::findTensorTape(const CarriedValue &carried,
                                               bool &isTape) {
  isTape = false;
  Operation *writer = carried.yielded.getDefiningOp();
  if (!writer || writer->getBlock() != pair.forward->body ||
      !carried.argument.hasOneUse() || !carried.yielded.hasOneUse())
    return std::nullopt;
  std::optional<SliceAccess> write = SliceAccess::getWrite(writer, analysis);
  if (!write || write->container != carried.argument)
    return std::nullopt;
  // It is read under its own name, or under that of a value that the backward
  // loop hands on.
  SmallVector<Value> names = {carried.result};
  auto handsOn = [&](const CarriedValue &each) {
    return each.init == carried.result &&
           each.kind == CarriedValue::Invariant && each.result.use_empty();
  };
  for (const CarriedValue &each : pair.backward->carried)
    if (handsOn(each))
      names.push_back(each.argument);
  SmallVector<Operation *> readers;
  // An adjoint that begins with it, or becomes it, needs all of it.
  bool isUsedElsewhere =
      llvm::any_of(pair.backward->carried, [&](const CarriedValue &each) {
        return !handsOn(each) && (each.init == carried.result ||
                                  llvm::is_contained(names, each.yielded));
      });
  for (Value name : names)
    for (Operation *user : name.getUsers()) {
      bool isHandedOn = user == pair.backward->op ||
                        user == pair.backward->body->getTerminator();
      if (user->getBlock() == pair.backward->body && !isHandedOn)
        readers.push_back(user);
      else
        isUsedElsewhere |= !isHandedOn;
    }
  if (readers.empty() || isUsedElsewhere)
    return std::nullopt;
  for (Operation *reader : readers) {
    std::optional<SliceAccess> read = SliceAccess::getRead(reader, analysis);
    if (!read || !isMirrored(*write, *read))
      return "a tape is not read in the reverse of the order in which it is "
             "written";
  }
  for (Operation *reader : readers)
    pair.reads[reader] = write->value;
  isTape = true;
  tapes.insert(carried.result);
  pair.pushes.push_back(writer);
  return std::nullopt;
}

/// Whether the forward loop writes into a tensor without ever reading it.
bool PairFinder::isStack(const CarriedValue &carried) {
  Operation *writer = carried.yielded.getDefiningOp();
  if (!writer || !carried.argument.hasOneUse())
    return false;
  std::optional<SliceAccess> write = SliceAccess::getWrite(writer, analysis);
  return write && write->container == carried.argument;
}

PairFinder::Problem PairFinder::findCaches() {
  for (Operation &push : *pair.forward->body) {
    if (!isPush(&push))
      continue;
    if (push.getNumOperands() != 2 ||
        !isCache(push.getOperand(0).getDefiningOp()))
      return "it pushes on a cache from elsewhere";
    Value cache = push.getOperand(0);
    Operation *pop = nullptr;
    for (Operation *user : cache.getUsers()) {
      if (user == &push)
        continue;
      if (pop || !isPop(user) || user->getBlock() != pair.backward->body ||
          user->getNumResults() != 1 ||
          user->getResult(0).getType() != push.getOperand(1).getType())
        return "a cache is not popped once in each step of the backward loop";
      pop = user;
    }
    if (!pop)
      continue;
    pair.reads[pop] = push.getOperand(1);
    pair.pushes.push_back(&push);
    pair.caches.push_back(cache.getDefiningOp());
  }
  return std::nullopt;
}

/// The users of a buffer, those of its parts in place of the parts.
static void listUsers(Value buffer, SmallVectorImpl<Operation *> &users) {
  for (Operation *user : buffer.getUsers())
    if (auto view = dyn_cast<memref::SubViewOp>(user))
      listUsers(view, users);
    else
      users.push_back(user);
}

/// A buffer that is allocated for it, written once a step, and read by the
/// backward loop alone.
PairFinder::Problem PairFinder::findMemoryTape(const SliceAccess &write) {
  SmallVector<Operation *> users;
  listUsers(write.container, users);
  Block *forward = pair.forward->body, *backward = pair.backward->body;
  if (llvm::none_of(users, [&](Operation *user) {
        return pair.backward->op->isAncestor(user);
      }))
    return std::nullopt;
  Operation *allocation = write.container.getDefiningOp();
  if (!isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(allocation))
    return "a tape in memory is not allocated for it alone, so others may read "
           "or write it";
  SmallVector<Operation *> frees;
  for (Operation *user : users) {
    if (user == write.op)
      continue;
    std::string name = user->getName().getStringRef().str();
    if (isa<memref::DeallocOp>(user)) {
      frees.push_back(user);
      continue;
    }
    std::optional<SliceAccess> read = user->getBlock() == backward
                                          ? SliceAccess::getRead(user, analysis)
                                          : std::nullopt;
    if (!read && user->getBlock() == forward)
      return "a tape in memory is used twice in a step of the forward loop: '" +
             name + "'";
    if (!read)
      return "a tape in memory is read or written by a '" + name +
             "' that is no read of a part of it in the backward loop";
    if (read->container != write.container || !isMirrored(write, *read))
      return "a tape is not read in the reverse of the order in which it is "
             "written";
    pair.reads[user] = write.value;
  }
  pair.pushes.push_back(write.op);
  llvm::append_range(pair.caches, frees);
  pair.caches.push_back(allocation);
  return std::nullopt;
}

PairFinder::Problem PairFinder::findMemoryTapes() {
  for (Operation &op : *pair.forward->body) {
    std::optional<SliceAccess> write = SliceAccess::getWrite(&op, analysis);
    if (write && isa<MemRefType>(write->container.getType()))
      if (Problem problem = findMemoryTape(*write))
        return problem;
  }
  return std::nullopt;
}

PairFinder::Problem PairFinder::sortCarried() {
  for (const CarriedValue &each : pair.forward->carried) {
    if (each.kind != CarriedValue::State)
      continue;
    bool isTape = false;
    if (Problem problem = findTensorTape(each, isTape))
      return problem;
    if (isTape)
      continue;
    if (isStack(each))
      pair.outputs.push_back(&each);
    else
      pair.states.push_back(&each);
  }
  if (!pair.outputs.empty() && !canDropCarried(pair.forward->op))
    return "outputs of its steps are read outside of the two loops, and what "
           "'" +
           pair.forward->op->getName().getStringRef().str() +
           "' forwards cannot be told from what it carries";
  for (const CarriedValue &each : pair.backward->carried)
    if (each.kind == CarriedValue::State)
      pair.adjoints.push_back(&each);
  if (Problem problem = findCaches())
    return problem;
  if (Problem problem = findMemoryTapes())
    return problem;
  if (pair.reads.empty())
    return std::string("nothing goes over a tape from one to the other") +
           (holdsLoop(pair.forward->op) && holdsLoop(pair.backward->op)
                ? ": a loop inside of each writes, or reads, many places in a "
                  "step, and a step has one place on a tape"
                : "");
  auto isInMemory = [](const CarriedValue *each) {
    return isa<BaseMemRefType>(each->init.getType());
  };
  if (llvm::any_of(pair.states, isInMemory))
    return "a state is a memref, which no slot can keep";
  if (llvm::any_of(pair.adjoints, isInMemory))
    return "an adjoint is a memref, and not a value";
  if (pair.states.empty())
    return "the forward loop carries no state as a value";
  if (pair.adjoints.empty())
    return "the backward loop carries no adjoint as a value";
  return std::nullopt;
}

bool PairFinder::isPure(Operation *op) {
  if (llvm::is_contained(pair.pushes, op) || pair.reads.count(op))
    return true;
  if (isPush(op) || isPop(op))
    return false;
  if (op->hasTrait<OpTrait::IsTerminator>() && op->getNumSuccessors() == 0)
    return true;
  if (!op->isRegistered())
    return context.isDeclaredPure(op) &&
           llvm::all_of(op->getRegions(), [&](Region &region) {
             return llvm::all_of(region.getOps(), [&](Operation &nested) {
               return nested.getNumResults() == 0 || isPure(&nested);
             });
           });
  OpEffects effects = collectEffects(op, context);
  return effects.barrier.empty() && effects.accesses.empty();
}

PairFinder::Problem PairFinder::checkEffects(const Recurrence &loop) {
  for (Operation &op : *loop.body)
    if (&op != loop.body->getTerminator() && !isPure(&op))
      return "'" + op.getName().getStringRef().str() +
             "' in it may have effects";
  return std::nullopt;
}

/// Whether `op`, which stands between the loops, needs a result of the first.
bool PairFinder::dependsOnForward(Operation *op) {
  if (op == pair.forward->op)
    return true;
  if (op->getBlock() != pair.forward->op->getBlock() ||
      op->isBeforeInBlock(pair.forward->op))
    return false;
  if (auto known = dependent.find(op); known != dependent.end())
    return known->second;
  bool depends = false;
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        if (!op->isProperAncestor(maker) && maker != op)
          depends |= dependsOnForward(maker);
  });
  return dependent[op] = depends;
}

/// Sorts what makes `value`, which the backward loop needs: a tape, something
/// that is known before the forward loop ends, or something made of its final
/// state.
PairFinder::Problem PairFinder::sort(Value value) {
  Operation *op = value.getDefiningOp();
  Block *block = pair.forward->op->getBlock();
  if (!op || op->getBlock() != block || op->isBeforeInBlock(pair.forward->op) ||
      pair.before.contains(op) || pair.turn.contains(op))
    return std::nullopt;
  if (op == pair.forward->op) {
    if (tapes.contains(value))
      return std::nullopt;
    return std::nullopt;
  }
  if (!isPure(op))
    return "the backward loop needs a '" + op->getName().getStringRef().str() +
           "' between the loops that may have effects";
  bool depends = dependsOnForward(op);
  Problem problem;
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      bool isInside =
          maker ? op->isAncestor(maker)
                : op->isAncestor(operand.getParentBlock()->getParentOp());
      if (!problem && !isInside)
        problem = sort(operand);
    }
  });
  (depends ? pair.turn : pair.before).insert(op);
  return problem;
}

/// Sorts a value that each step of the backward loop reads.
PairFinder::Problem PairFinder::sortRead(Value value) {
  if (Problem problem = sort(value))
    return problem;
  Operation *op = value.getDefiningOp();
  if (!op || tapes.contains(value) || !dependsOnForward(op))
    return std::nullopt;
  const CarriedValue *carried =
      op == pair.forward->op ? pair.forward->find(value) : nullptr;
  if (!carried || carried->kind == CarriedValue::State)
    pair.ends.insert(value);
  return std::nullopt;
}

PairFinder::Problem PairFinder::sortBetween() {
  // Where the forward loop stays, all that is between the loops does.
  if (!pair.outputs.empty())
    return std::nullopt;
  Problem problem;
  pair.backward->body->walk([&](Operation *op) {
    if (pair.reads.count(op))
      return;
    for (Value operand : op->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      if (!problem && maker && !pair.backward->op->isAncestor(maker))
        problem = sortRead(operand);
    }
  });
  if (problem)
    return problem;
  for (const CarriedValue &each : pair.backward->carried) {
    bool isState = each.kind == CarriedValue::State;
    if ((problem = isState ? sort(each.init) : sortRead(each.init)))
      return problem;
    if (each.kind == CarriedValue::Counter && pair.ends.contains(each.init))
      return "the backward loop counts from what is made of the final state";
  }
  return std::nullopt;
}

std::optional<std::string> PairFinder::run() {
  if (!(pair.forward->trips == pair.backward->trips))
    return "the two loops are not known to run equally often";
  if (Problem problem = sortCarried())
    return problem;
  for (const Recurrence *loop : {pair.forward, pair.backward})
    if (Problem problem = checkEffects(*loop))
      return problem;
  return sortBetween();
}

/// Those that are tapes; what is none stays as it is.
void PairFinder::findTensorTapes() {
  for (const CarriedValue &each : pair.forward->carried) {
    bool isTape = false;
    if (each.kind == CarriedValue::State)
      (void)findTensorTape(each, isTape);
  }
}

/// Whether `value`, or what is made of it by writing into it, is read in
/// `backward`.
static bool isReadIn(Operation *backward, Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (backward->isAncestor(user))
      return true;
    bool isWritten = isa<tensor::InsertSliceOp, tensor::InsertOp>(user) ||
                     isNamed(user, "stablehlo.dynamic_update_slice");
    return isWritten && user->getBlock() == backward->getBlock() &&
           isReadIn(backward, user->getResult(0));
  });
}

/// The buffer that `op` writes to, without the views between.
static Value getWrittenBuffer(Operation *op) {
  Value buffer;
  if (auto store = dyn_cast<memref::StoreOp>(op))
    buffer = store.getMemRef();
  else if (auto write = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
    buffer = write.getDest();
  else if (auto copy = dyn_cast<memref::CopyOp>(op))
    buffer = copy.getTarget();
  while (auto view =
             buffer ? buffer.getDefiningOp<memref::SubViewOp>() : nullptr)
    buffer = view.getSource();
  return buffer && isa<MemRefType>(buffer.getType()) ? buffer : Value();
}

bool shareTape(Operation *forward, Operation *backward) {
  for (Value result : forward->getResults())
    if (isa<TensorType>(result.getType()) && isReadIn(backward, result))
      return true;
  bool shares = false;
  forward->walk([&](Operation *op) {
    SmallVector<Operation *> users;
    if (isPush(op))
      for (Operation *user : op->getOperand(0).getUsers())
        shares |= isPop(user) && backward->isAncestor(user);
    else if (Value buffer = getWrittenBuffer(op))
      listUsers(buffer, users);
    for (Operation *user : users)
      shares |= backward->isAncestor(user) && !isa<memref::StoreOp>(user);
  });
  return shares;
}

static std::optional<std::string> findLoops(Operation *forward,
                                            Operation *backward,
                                            RecurrenceAnalysis &analysis,
                                            LoopPair &pair) {
  std::string why;
  pair.forward = analysis.get(forward, &why);
  if (!pair.forward)
    return "the loop that writes the tape is not understood: " + why;
  pair.backward = analysis.get(backward, &why);
  if (!pair.backward)
    return "the loop that reads the tape is not understood: " + why;
  return std::nullopt;
}

std::optional<std::string> findPair(Operation *forward, Operation *backward,
                                    RecurrenceAnalysis &analysis,
                                    ProgramContext &context, LoopPair &pair) {
  if (std::optional<std::string> why =
          findLoops(forward, backward, analysis, pair))
    return why;
  return PairFinder(analysis, context, pair).run();
}

std::optional<std::string> findTapes(Operation *forward, Operation *backward,
                                     RecurrenceAnalysis &analysis,
                                     ProgramContext &context, LoopPair &pair) {
  if (std::optional<std::string> why =
          findLoops(forward, backward, analysis, pair))
    return why;
  if (!(pair.forward->trips == pair.backward->trips))
    return "the two loops are not known to run equally often";
  PairFinder(analysis, context, pair).findTensorTapes();
  if (pair.reads.empty())
    return "nothing goes over a tensor from one to the other that is written "
           "and read slice by slice, and that nobody else reads";
  return std::nullopt;
}

} // namespace pebble

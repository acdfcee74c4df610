//===- RaiseLoops.cpp - the pass pebble-raise-loops -----------------------===//
//
// Looks for pairs of loops with tapes between them, and writes each that is a
// loop and its adjoint as the one op that says so. Loops that were unrolled are
// written as loops again first.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "OptionRange.h"
#include "PlanPasses.h"

#include "Loops/RolledLoops.h"
#include "pebble/Analysis/LoopPairs.h"
#include "pebble/Analysis/Remarks.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Planning/OutlineSegments.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace pebble {
#define GEN_PASS_DEF_RAISELOOPSPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {

/// Writes the op for a pair, and erases the loops.
class PairWriter {
public:
  PairWriter(LoopPair &pair, RecurrenceAnalysis &analysis)
      : pair(pair), analysis(analysis),
        b(pair.forward->op->getLoc(),
          keepsForward() ? pair.backward->op : pair.forward->op) {}

  /// Why it cannot be written, before anything has changed.
  std::optional<std::string> check();
  AdjointLoopOp write();

private:
  Value makeTrips();
  Value convert(Value value, Type type);
  Value makeLinear(Value first, int64_t stride, Value step, Type type);
  void mapCarried(const Recurrence &loop, Value step,
                  ArrayRef<const CarriedValue *> states, ValueRange values,
                  IRMapping &mapping);
  void cloneFor(Value value, Block *from, IRMapping &mapping);
  /// The forward loop stays for its outputs, and what is between the loops is
  /// known before the op.
  bool keepsForward() const { return !pair.outputs.empty(); }
  bool isMadeByTurn(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && !keepsForward() &&
           (op == pair.forward->op || pair.turn.contains(op));
  }
  Value makeInit(Value init);
  void mapResults(Value trips);
  void replaceResults(const Recurrence &loop,
                      ArrayRef<const CarriedValue *> kept, ResultRange results,
                      Value trips);
  void writePrimal(Region &region);
  void writeTurn(Region &region);
  void writeAdjoint(Region &region, Value trips);
  Block *makeBlock(Region &region, bool isStep, bool hasStates,
                   bool hasAdjoints);

  LoopPair &pair;
  RecurrenceAnalysis &analysis;
  ImplicitLocOpBuilder b;
  /// What the forward loop returns that is known without running it.
  IRMapping known;
};

struct RaiseLoopsPass : pebble::impl::RaiseLoopsPassBase<RaiseLoopsPass> {
  using RaiseLoopsPassBase::RaiseLoopsPassBase;

  void runOnOperation() override {
    if (failed(checkRange(getOperation().getLoc(), unrolled, 0, kFewestSteps)))
      return signalPassFailure();
    ProgramContext context(getAnalysisOptions(pure, 0));
    // Inner blocks first, so that the loops of an inner pair are one op when
    // the outer ones are looked at.
    for (Block *block : listBlocks())
      while (raiseOne(*block, context)) {
      }
    // Listed anew: those of the loops that were raised are gone.
    if (unrolled)
      for (Block *block : listBlocks())
        if (!isa<ModuleOp>(block->getParentOp()))
          while (raiseUnrolled(*block, context)) {
          }
    if (!isRaised && told.empty())
      remarkOnNothing(getOperation(), getArgument(),
                      "there are no two loops in one block of which the second "
                      "one reads a tape that the first one writes" +
                          StringRef(unrolled ? ", and no steps that were "
                                               "written out and their adjoints"
                                             : ""));
  }

private:
  /// Of which it is seen that they repeat.
  static constexpr int64_t kFewestSteps = 3;

  SmallVector<Block *> listBlocks() {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) { blocks.push_back(block); });
    return blocks;
  }

  bool raiseOne(Block &block, ProgramContext &context);
  bool raiseUnrolled(Block &block, ProgramContext &context);
  void raise(LoopPair &pair, RecurrenceAnalysis &analysis,
             ProgramContext &context, const Twine &what);
  void remark(Operation *backward, const Twine &why);
  llvm::DenseSet<Operation *> told;
  bool isRaised = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Numbers that `convert` can make of an index, and an index of.
static bool isConvertible(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getRank() == 0 && isConvertible(tensor.getElementType());
  return type.isIndex() || type.isSignlessInteger();
}

std::optional<std::string> PairWriter::check() {
  for (auto [symbol, coefficient] : pair.forward->trips.terms) {
    if (analysis.isStep(symbol))
      return "how often it runs depends on the step of another loop";
    if (!isConvertible(Value::getFromOpaquePointer(symbol).getType()))
      return "how often it runs is not a signless integer";
  }
  if (pair.forward->trips.isConstant() && pair.forward->trips.constant < 0)
    return "it never runs";
  for (const Recurrence *loop : {pair.forward, pair.backward})
    for (const CarriedValue &each : loop->carried)
      if (each.kind == CarriedValue::Counter &&
          !isConvertible(each.argument.getType()))
        return "it counts in integers that are not signless";
  auto hasInit = [](Value value) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    return tensor ? tensor.hasStaticShape()
                  : value.getType().isIntOrIndexOrFloat();
  };
  for (const CarriedValue *each : pair.adjoints)
    if (!hasInit(each->init))
      return "an adjoint has no known shape";
  if (!llvm::all_of(pair.ends, hasInit))
    return "what its steps read of the final state has no known shape";
  return std::nullopt;
}

Value PairWriter::convert(Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<RankedTensorType>(value.getType()))
    value = tensor::ExtractOp::create(b, value, ValueRange());
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = tensor ? tensor.getElementType() : type;
  if (value.getType() != element) {
    if (!value.getType().isIndex() && !element.isIndex())
      value = arith::IndexCastOp::create(b, b.getIndexType(), value);
    value = arith::IndexCastOp::create(b, element, value);
  }
  if (!tensor)
    return value;
  return tensor::FromElementsOp::create(b, tensor, value);
}

/// How often the loops run, as an index; not at all if that is negative.
Value PairWriter::makeTrips() {
  const LinearForm &form = pair.forward->trips;
  Value sum;
  for (auto [symbol, coefficient] : form.terms) {
    Value term = convert(Value::getFromOpaquePointer(symbol), b.getIndexType());
    if (coefficient != 1)
      term = arith::MulIOp::create(
          b, term, arith::ConstantIndexOp::create(b, coefficient));
    sum = sum ? arith::AddIOp::create(b, sum, term) : term;
  }
  if (!sum)
    return arith::ConstantIndexOp::create(b, form.constant);
  if (form.constant != 0)
    sum = arith::AddIOp::create(
        b, sum, arith::ConstantIndexOp::create(b, form.constant));
  return arith::MaxSIOp::create(b, sum, arith::ConstantIndexOp::create(b, 0));
}

/// `first` + `stride` * `step`, as a value of type `type`.
Value PairWriter::makeLinear(Value first, int64_t stride, Value step,
                             Type type) {
  Value sum = step;
  if (stride != 1)
    sum = b.createOrFold<arith::MulIOp>(
        sum, arith::ConstantIndexOp::create(b, stride));
  LinearForm known = analysis.evaluate(first);
  Value offset = known.isConstant()
                     ? arith::ConstantIndexOp::create(b, known.constant)
                     : convert(first, b.getIndexType());
  if (!(known == LinearForm{}))
    sum = b.createOrFold<arith::AddIOp>(sum, offset);
  return convert(sum, type);
}

/// Maps what `loop` carries to what it is at `step`.
void PairWriter::mapCarried(const Recurrence &loop, Value step,
                            ArrayRef<const CarriedValue *> states,
                            ValueRange values, IRMapping &mapping) {
  for (const CarriedValue &each : loop.carried) {
    if (each.kind == CarriedValue::Invariant)
      mapping.map(each.argument, each.init);
    else if (each.kind == CarriedValue::Counter && !each.argument.use_empty())
      mapping.map(each.argument, makeLinear(each.init, each.increment, step,
                                            each.argument.getType()));
  }
  for (auto [state, value] : llvm::zip(states, values))
    mapping.map(state->argument, value);
  if (loop.induction && !loop.induction.use_empty())
    mapping.map(loop.induction, makeLinear(loop.first, loop.stride, step,
                                           loop.induction.getType()));
}

/// Clones what makes `value` in block `from`, and maps it.
void PairWriter::cloneFor(Value value, Block *from, IRMapping &mapping) {
  Operation *op = value.getDefiningOp();
  if (!op || mapping.contains(value) || op->getBlock() != from)
    return;
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      cloneFor(operand, from, mapping);
  });
  b.clone(*op, mapping);
}

Block *PairWriter::makeBlock(Region &region, bool isStep, bool hasStates,
                             bool hasAdjoints) {
  Block *block = &region.emplaceBlock();
  if (isStep)
    block->addArgument(b.getIndexType(), b.getLoc());
  if (hasStates)
    for (const CarriedValue *each : pair.states)
      block->addArgument(each->init.getType(), each->argument.getLoc());
  if (hasAdjoints) {
    for (const CarriedValue *each : pair.adjoints)
      block->addArgument(each->init.getType(), each->argument.getLoc());
    for (Value end : pair.ends)
      block->addArgument(end.getType(), end.getLoc());
  }
  b.setInsertionPointToEnd(block);
  return block;
}

/// Maps the results of the forward loop that are no states, where the turn or
/// the backward loop uses them.
void PairWriter::mapResults(Value trips) {
  auto isUser = [&](Operation *user) {
    return pair.backward->op->isAncestor(user) ||
           llvm::any_of(pair.turn,
                        [&](Operation *op) { return op->isAncestor(user); });
  };
  for (const CarriedValue &each : pair.forward->carried) {
    if (each.kind == CarriedValue::Invariant)
      known.map(each.result, each.init);
    else if (each.kind == CarriedValue::Counter &&
             llvm::any_of(each.result.getUsers(), isUser))
      known.map(each.result, makeLinear(each.init, each.increment, trips,
                                        each.result.getType()));
  }
}

void PairWriter::writePrimal(Region &region) {
  Block *block = makeBlock(region, true, true, false);
  IRMapping mapping;
  mapCarried(*pair.forward, block->getArgument(0), pair.states,
             block->getArguments().drop_front(), mapping);
  SmallVector<Value> yielded;
  for (const CarriedValue *each : pair.states) {
    cloneFor(each->yielded, pair.forward->body, mapping);
    yielded.push_back(mapping.lookupOrDefault(each->yielded));
  }
  YieldOp::create(b, yielded);
}

void PairWriter::writeTurn(Region &region) {
  Block *block = makeBlock(region, false, true, true);
  IRMapping mapping = known;
  for (auto [state, value] : llvm::zip(pair.states, block->getArguments()))
    mapping.map(state->result, value);
  for (Operation *op : pair.turn)
    b.clone(*op, mapping);
  SmallVector<Value> yielded;
  // What the turn does not make, it is given.
  for (auto [each, argument] : llvm::zip(
           pair.adjoints, block->getArguments().drop_front(pair.states.size())))
    yielded.push_back(isMadeByTurn(each->init)
                          ? mapping.lookupOrDefault(each->init)
                          : Value(argument));
  for (Value end : pair.ends)
    yielded.push_back(mapping.lookup(end));
  YieldOp::create(b, yielded);
}

/// The steps of the backward loop, with what it reads of tapes computed again.
void PairWriter::writeAdjoint(Region &region, Value trips) {
  Block *block = makeBlock(region, true, true, true);
  Value step = block->getArgument(0);
  auto arguments = block->getArguments().drop_front();
  auto ends = arguments.take_back(pair.ends.size());
  IRMapping forward, backward = known;
  backward.map(pair.ends.getArrayRef(), ends);
  mapCarried(*pair.forward, step, pair.states,
             arguments.take_front(pair.states.size()), forward);
  for (auto [read, value] : pair.reads) {
    cloneFor(value, pair.forward->body, forward);
    backward.map(read->getResult(0), forward.lookupOrDefault(value));
  }
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value last = b.createOrFold<arith::SubIOp>(trips, one);
  mapCarried(*pair.backward, arith::SubIOp::create(b, last, step),
             pair.adjoints, arguments.drop_front(pair.states.size()), backward);
  for (const CarriedValue &each : pair.backward->carried)
    if (each.kind == CarriedValue::Invariant)
      backward.map(each.argument, backward.lookupOrDefault(each.init));
  SmallVector<Value> yielded;
  for (const CarriedValue *each : pair.adjoints) {
    cloneFor(each->yielded, pair.backward->body, backward);
    yielded.push_back(backward.lookupOrDefault(each->yielded));
  }
  llvm::append_range(yielded, ends);
  YieldOp::create(b, yielded);
}

/// What the adjoint begins with where the turn makes that: anything.
Value PairWriter::makeInit(Value init) {
  if (!isMadeByTurn(init))
    return init;
  Type type = init.getType();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor::EmptyOp::create(
        b, tensor.getShape(), tensor.getElementType(), tensor.getEncoding());
  return arith::ConstantOp::create(b, b.getZeroAttr(type));
}

void PairWriter::replaceResults(const Recurrence &loop,
                                ArrayRef<const CarriedValue *> kept,
                                ResultRange results, Value trips) {
  for (auto [each, result] : llvm::zip(kept, results))
    Value(each->result).replaceAllUsesWith(result);
  for (const CarriedValue &each : loop.carried) {
    Value result = each.result;
    if (each.kind == CarriedValue::Invariant)
      result.replaceAllUsesWith(each.init);
    else if (each.kind == CarriedValue::Counter && !result.use_empty())
      result.replaceAllUsesWith(
          makeLinear(each.init, each.increment, trips, result.getType()));
  }
}

AdjointLoopOp PairWriter::write() {
  Operation *forward = pair.forward->op, *backward = pair.backward->op;
  for (Operation *op : pair.before)
    op->moveBefore(forward);
  Value trips = makeTrips();
  if (!keepsForward())
    mapResults(trips);
  SmallVector<Value> states, adjoints;
  bool needsTurn = !pair.turn.empty() || !pair.ends.empty();
  for (const CarriedValue *each : pair.states)
    states.push_back(each->init);
  for (const CarriedValue *each : pair.adjoints) {
    needsTurn |= each->init.getDefiningOp() == forward && !keepsForward();
    adjoints.push_back(makeInit(each->init));
  }
  // The turn makes them, and the steps of the adjoint hand them on.
  for (Value end : pair.ends)
    adjoints.push_back(makeInit(end));
  SmallVector<Type> types(ValueRange(states).getTypes());
  llvm::append_range(types, ValueRange(adjoints).getTypes());
  auto op =
      AdjointLoopOp::create(b, types, trips, states, adjoints, ValueRange());
  writePrimal(op.getPrimal());
  if (needsTurn)
    writeTurn(op.getTurn());
  writeAdjoint(op.getAdjoint(), trips);
  // Places on tapes and numbers of steps that nobody asks for any more.
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &each :
           llvm::make_early_inc_range(llvm::reverse(block.getOperations())))
        if (isOpTriviallyDead(&each))
          each.erase();

  b.setInsertionPointAfter(op);
  replaceResults(*pair.backward, pair.adjoints, op.getInitialAdjoints(), trips);
  backward->dropAllReferences();
  backward->erase();
  if (keepsForward())
    return op;
  replaceResults(*pair.forward, pair.states, op.getFinalStates(), trips);
  forward->erase();
  for (Operation *cache : pair.caches)
    cache->erase();
  return op;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Inlines what the steps of `loop` call, where that is one block; recursion is
/// left alone at some depth.
static void inlineCalls(Operation *loop) {
  constexpr int kDepth = 8;
  for (int depth = 0; depth < kDepth; ++depth) {
    SmallVector<std::pair<func::CallOp, func::FuncOp>> calls;
    loop->walk([&](func::CallOp call) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      if (callee && !callee.isExternal() && callee.getBody().hasOneBlock() &&
          isa<func::ReturnOp>(callee.getBody().front().getTerminator()) &&
          !callee->isAncestor(call))
        calls.push_back({call, callee});
    });
    if (calls.empty())
      return;
    for (auto [call, callee] : calls)
      inlineCall(call, callee);
  }
}

void RaiseLoopsPass::remark(Operation *backward, const Twine &why) {
  if (!told.insert(backward).second)
    return;
  auto missed =
      remark::missed(backward->getLoc(),
                     remark::RemarkOpts::name("raise").category(getArgument()));
  if (missed)
    missed << why.str();
}

/// Erases what nobody uses any more: the empty tapes. Each may be listed more
/// than once.
static void eraseUnused(SmallVector<Operation *> ops,
                        const ProgramContext &context) {
  llvm::SetVector<Operation *> list(ops.begin(), ops.end());
  while (!list.empty()) {
    Operation *op = list.pop_back_val();
    bool isPure =
        op->isRegistered() ? isOpTriviallyDead(op) : context.isDeclaredPure(op);
    if (!op->use_empty() || !isPure)
      continue;
    for (Value operand : op->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        list.insert(maker);
    op->erase();
  }
}

/// Writes a forward loop that stays for its outputs again, without its tapes.
static void dropTapes(const LoopPair &pair, const ProgramContext &context) {
  llvm::BitVector dead;
  for (const CarriedValue &each : pair.forward->carried)
    dead.push_back(
        llvm::is_contained(pair.pushes, each.yielded.getDefiningOp()));
  dropCarried(pair.forward->op, dead, context);
}

/// Writes the pair, and erases what nobody needs any more.
void RaiseLoopsPass::raise(LoopPair &pair, RecurrenceAnalysis &analysis,
                           ProgramContext &context, const Twine &what) {
  SmallVector<Operation *> unused;
  for (const CarriedValue &each : pair.forward->carried)
    if (Operation *init = each.init.getDefiningOp())
      unused.push_back(init);
  llvm::append_range(unused, pair.turn);
  AdjointLoopOp op = PairWriter(pair, analysis).write();
  isRaised = true;
  if (!pair.outputs.empty())
    dropTapes(pair, context);
  eraseUnused(std::move(unused), context);
  if (auto passed = remark::passed(
          op.getLoc(),
          remark::RemarkOpts::name("raise").category(getArgument())))
    passed << "raised from " + what.str();
}

/// Raises one pair of the block; false if there is none left.
bool RaiseLoopsPass::raiseOne(Block &block, ProgramContext &context) {
  SmallVector<Operation *> loops;
  for (Operation &op : block)
    if (RecurrenceAnalysis::isLoop(&op))
      loops.push_back(&op);
  for (size_t j = 1; j < loops.size(); ++j)
    for (size_t i = j; i-- > 0;) {
      if (!shareTape(loops[i], loops[j]))
        continue;
      inlineCalls(loops[i]);
      inlineCalls(loops[j]);
      RecurrenceAnalysis analysis;
      LoopPair pair;
      std::optional<std::string> why =
          findPair(loops[i], loops[j], analysis, context, pair);
      if (!why)
        why = PairWriter(pair, analysis).check();
      if (why) {
        remark(loops[j],
               "not the adjoint of the loop that it reads from: " + *why);
        continue;
      }
      raise(pair, analysis, context,
            "two loops with " + std::to_string(pair.reads.size()) +
                " reads of tapes between them");
      return true;
    }
  return false;
}

/// Raises one pair of unrolled loops; false if there is none left.
bool RaiseLoopsPass::raiseUnrolled(Block &block, ProgramContext &context) {
  StepText text(block);
  std::vector<PeriodicRun> runs = text.findRuns(unrolled);
  for (const PeriodicRun &backward : runs)
    for (const PeriodicRun &forward : runs) {
      if (forward.start + forward.length > backward.start)
        continue;
      Operation *place = text.getOp(backward.start);
      UnrolledPair found;
      std::optional<std::string> why =
          findUnrolledPair(text, forward, backward, unrolled, found);
      RolledPair rolled(found);
      if (!why)
        why = rolled.check();
      if (!why) {
        size_t count = found.forward.getCount();
        rolled.write();
        RecurrenceAnalysis analysis;
        LoopPair pair;
        why =
            findPair(rolled.forward, rolled.backward, analysis, context, pair);
        if (!why)
          why = PairWriter(pair, analysis).check();
        if (!why) {
          raise(pair, analysis, context,
                std::to_string(count) + " steps of " +
                    std::to_string(found.forward.groups.period) + " and " +
                    std::to_string(found.backward.groups.period) +
                    " operations");
          rolled.eraseSteps();
          return true;
        }
        rolled.undo();
      }
      if (!why->empty())
        remark(place, "steps that repeat here, and read from steps that repeat "
                      "before them, are not raised: " +
                          *why);
    }
  return false;
}

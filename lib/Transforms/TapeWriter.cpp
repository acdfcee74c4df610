//===- TapeWriter.cpp - writes loops with other tapes between them --------===//

#include "TapeWriter.h"

#include "pebble/Planning/TapeGraph.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace pebble {

namespace {
class TapeWriter {
public:
  TapeWriter(const LoopPair &pair, RecurrenceAnalysis &analysis,
             const ProgramContext &context)
      : pair(pair), analysis(analysis), context(context),
        forward(pair.forward->op), backward(pair.backward->op),
        body(*pair.forward->body), adjoint(*pair.backward->body),
        trips(pair.forward->trips.constant), b(forward) {}

  void run(llvm::function_ref<bool(Value)> isKept);

private:
  /// A tape that there is, or will be: by what is written, the place among what
  /// the forward loop carries, and the operation that writes.
  struct Tape {
    unsigned index;
    Operation *push;
  };

  Value make(StringRef name, ValueRange operands, Type type,
             ArrayRef<NamedAttribute> attributes = {});
  Value makeNumber(Type type, int64_t number);
  Value makeLinear(int64_t constant, int64_t factor, Value counter, Type type);
  int64_t getFirst(const CarriedValue &counter) {
    return analysis.evaluate(counter.init).constant;
  }
  /// Whether the step at hand knows it without a tape.
  bool isKnown(const CarriedValue &each) {
    return each.kind == CarriedValue::Invariant ||
           (each.kind == CarriedValue::Counter &&
            analysis.evaluate(each.init).isConstant());
  }
  void listKept(llvm::function_ref<bool(Value)> isKept);
  void addTapes();
  void mapForward();
  void cloneFor(Value value, IRMapping &mapping);
  Value read(const Tape &tape, Value value);
  bool isScanned(Value value);
  void findScanned(Value value, llvm::SetVector<Value> &parts,
                   llvm::DenseSet<Value> &seen);
  void writeReads();
  void finishReads(IRMapping mapping);
  void drop();

  const LoopPair &pair;
  RecurrenceAnalysis &analysis;
  const ProgramContext &context;
  Operation *forward, *backward;
  Block &body, &adjoint;
  int64_t trips;
  OpBuilder b;
  /// In the order of the program.
  llvm::MapVector<Value, Tape> kept;
  SmallVector<Value> added;
  llvm::DenseMap<Value, bool> scanned;
  /// From values of the forward loop's step to those of the same step in the
  /// backward loop.
  IRMapping known;
};
} // namespace

Value TapeWriter::make(StringRef name, ValueRange operands, Type type,
                       ArrayRef<NamedAttribute> attributes) {
  OperationState state(forward->getLoc(), ("stablehlo." + name).str());
  state.addOperands(operands);
  state.addTypes(type);
  if (!attributes.empty())
    state.propertiesAttr = b.getDictionaryAttr(attributes);
  return b.create(state)->getResult(0);
}

Value TapeWriter::makeNumber(Type type, int64_t number) {
  auto tensor = cast<RankedTensorType>(type);
  auto element = cast<IntegerType>(tensor.getElementType());
  APInt bits = APInt(64, number, true).sextOrTrunc(element.getWidth());
  return make("constant", {}, type,
              b.getNamedAttr("value", DenseElementsAttr::get(
                                          tensor, ArrayRef<APInt>(bits))));
}

/// `constant` + `factor` * `counter`, where the factor is 1 or -1 times what
/// the other loop counts by.
Value TapeWriter::makeLinear(int64_t constant, int64_t factor, Value counter,
                             Type type) {
  Value value = counter;
  if (value.getType() != type)
    value = make("convert", value, type);
  if (factor == -1)
    return make("subtract", {makeNumber(type, constant), value}, type);
  if (factor != 1)
    value = make("multiply", {value, makeNumber(type, factor)}, type);
  if (constant == 0)
    return value;
  return make("add", {value, makeNumber(type, constant)}, type);
}

/// What is kept of a step, with the tapes that there are for it.
void TapeWriter::listKept(llvm::function_ref<bool(Value)> isKept) {
  constexpr unsigned kNew = std::numeric_limits<unsigned>::max();
  auto note = [&](Value value) {
    if (isKept(value))
      kept[value] = {kNew, nullptr};
  };
  for (const CarriedValue &each : pair.forward->carried)
    if (!isKnown(each))
      note(each.argument);
  for (Operation &op : body)
    for (Value result : op.getResults())
      note(result);
  ValueRange next = body.getTerminator()->getOperands();
  for (Operation *push : pair.pushes) {
    auto found = kept.find(push->getOperand(1));
    if (found == kept.end() || found->second.push)
      continue;
    auto place = llvm::find(next, push->getResult(0));
    found->second = {unsigned(place - next.begin()), push};
  }
  for (auto &[value, tape] : kept)
    if (!tape.push)
      added.push_back(value);
}

/// Gives the forward loop tapes for what has none yet.
void TapeWriter::addTapes() {
  if (added.empty())
    return;
  b.setInsertionPoint(forward);
  SmallVector<Value> inits(forward->getOperands());
  unsigned first = inits.size();
  for (Value value : added) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape = {trips};
    llvm::append_range(shape, type.getShape());
    auto zero = RankedTensorType::get({}, type.getElementType());
    TypedAttr attribute = b.getZeroAttr(zero);
    Value number =
        make("constant", {}, zero, b.getNamedAttr("value", attribute));
    inits.push_back(make(
        "broadcast_in_dim", number, type.clone(shape),
        b.getNamedAttr("broadcast_dimensions", b.getDenseI64ArrayAttr({}))));
  }
  OperationState state(forward->getLoc(), forward->getName());
  state.addOperands(inits);
  state.addTypes(ValueRange(inits).getTypes());
  state.addAttributes(forward->getAttrs());
  state.addRegion();
  state.addRegion();
  Operation *made = b.create(state);
  for (auto [region, old] :
       llvm::zip(made->getRegions(), forward->getRegions())) {
    region.takeBody(old);
    for (Value init : ValueRange(inits).drop_front(first))
      region.front().addArgument(init.getType(), forward->getLoc());
  }
  Operation *end = body.getTerminator();
  b.setInsertionPoint(end);
  const CarriedValue &clock = *findClock(*pair.forward, analysis);
  Type counts = clock.argument.getType();
  Value step = makeLinear(-clock.increment * getFirst(clock), clock.increment,
                          clock.argument, counts);
  Value zero = makeNumber(counts, 0);
  for (auto [i, value] : llvm::enumerate(added)) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape = {1};
    llvm::append_range(shape, type.getShape());
    Value tape = body.getArgument(first + i);
    SmallVector<Value> operands = {
        tape, make("reshape", value, type.clone(shape)), step};
    operands.append(type.getRank(), zero);
    Value pushed = make("dynamic_update_slice", operands, tape.getType());
    end->insertOperands(first + i, pushed);
    kept[value] = {unsigned(first + i), pushed.getDefiningOp()};
  }
  for (auto [old, result] :
       llvm::zip(forward->getResults(), made->getResults()))
    old.replaceAllUsesWith(result);
  forward->erase();
  forward = made;
}

/// What a step of the forward loop knows without a tape, in the backward loop.
void TapeWriter::mapForward() {
  const CarriedValue &clock = *findClock(*pair.backward, analysis);
  // The step that is gone back through in iteration j of the backward loop is
  // the one of number trips - 1 - j.
  int64_t last = trips - 1 + clock.increment * getFirst(clock);
  for (const CarriedValue &each : pair.forward->carried) {
    unsigned index = each.argument.getArgNumber();
    if (each.kind == CarriedValue::Invariant)
      known.map(each.argument, forward->getOperand(index));
    else if (isKnown(each))
      known.map(each.argument,
                makeLinear(getFirst(each) + each.increment * last,
                           -each.increment * clock.increment, clock.argument,
                           each.argument.getType()));
  }
}

/// Clones what makes `value` in the forward loop, and maps it.
void TapeWriter::cloneFor(Value value, IRMapping &mapping) {
  Operation *op = value.getDefiningOp();
  if (mapping.contains(value) || value.getParentBlock() != &body)
    return;
  assert(op && "a state that is not kept");
  for (Value each : getValuesRead(op))
    cloneFor(each, mapping);
  b.clone(*op, mapping);
}

/// What the forward loop wrote to `tape` in the step at hand.
Value TapeWriter::read(const Tape &tape, Value value) {
  Value whole = forward->getResult(tape.index);
  // Under the name that the backward loop has for it, if it has one.
  for (const CarriedValue &each : pair.backward->carried)
    if (each.kind == CarriedValue::Invariant &&
        backward->getOperand(each.argument.getArgNumber()) == whole) {
      whole = each.argument;
      break;
    }
  auto part = cast<RankedTensorType>(tape.push->getOperand(1).getType());
  SmallVector<Value> operands = {whole};
  IRMapping places = known;
  for (Value place : tape.push->getOperands().drop_front(2)) {
    cloneFor(place, places);
    operands.push_back(places.lookupOrDefault(place));
  }
  Value slice = make(
      "dynamic_slice", operands, part,
      b.getNamedAttr("slice_sizes", b.getDenseI64ArrayAttr(part.getShape())));
  return part == value.getType() ? slice
                                 : make("reshape", slice, value.getType());
}

/// Whether the step at hand makes `value` of what both loops are given, by no
/// more than looking at a part of it: its part of what is scanned.
bool TapeWriter::isScanned(Value value) {
  if (value.getParentBlock() != &body)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return known.contains(value);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  const hlo::Op *row = hlo::lookup(op);
  if (!type || !row || op->getNumRegions() || kept.contains(value))
    return false;
  if (auto seen = scanned.find(value); seen != scanned.end())
    return seen->second;
  // Numbers say where a part begins.
  bool isPart = row->kind == hlo::Kind::View ||
                op->getName().stripDialect() == "dynamic_slice" ||
                (type.getRank() == 0 && type.getElementType().isInteger());
  bool isMade = isPart && llvm::all_of(op->getOperands(), [&](Value each) {
                  return isScanned(each);
                });
  return scanned[value] = isMade;
}

/// The parts of scanned arrays that `value` is made of.
void TapeWriter::findScanned(Value value, llvm::SetVector<Value> &parts,
                             llvm::DenseSet<Value> &seen) {
  if (value.getParentBlock() != &body || kept.contains(value) ||
      !seen.insert(value).second)
    return;
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (type && type.getRank() > 0 && op->getNumOperands() && isScanned(value)) {
    parts.insert(value);
    return;
  }
  for (Value each : getValuesRead(op))
    findScanned(each, parts, seen);
}

/// Reads what is kept, and makes the rest of what tapes gave. What is made
/// again reads through a barrier, so that nobody takes the two runs for one.
/// What the step is given goes through it too, as jax.checkpoint has it: then
/// XLA puts all that follows in an order that needs less.
void TapeWriter::writeReads() {
  b.setInsertionPointToStart(&adjoint);
  mapForward();
  llvm::SetVector<Value> values;
  llvm::DenseSet<Value> seen;
  for (auto &[value, tape] : kept)
    values.insert(value);
  for (auto [old, value] : pair.reads)
    findScanned(value, values, seen);
  SmallVector<Value> parts;
  IRMapping before = known;
  for (Value value : values) {
    auto tape = kept.find(value);
    if (tape == kept.end())
      cloneFor(value, before);
    parts.push_back(tape == kept.end() ? before.lookup(value)
                                       : read(tape->second, value));
  }
  for (const CarriedValue &each : pair.backward->carried)
    if (each.kind == CarriedValue::State)
      parts.push_back(each.argument);
  if (parts.empty())
    return finishReads(known);
  OperationState state(forward->getLoc(), "stablehlo.optimization_barrier");
  state.addOperands(parts);
  state.addTypes(ValueRange(parts).getTypes());
  Operation *barrier = b.create(state);
  for (auto [part, result] : llvm::zip(parts, barrier->getResults()))
    if (isa<BlockArgument>(part))
      part.replaceAllUsesExcept(result, barrier);
  IRMapping again = known;
  for (auto [value, result] : llvm::zip(values, barrier->getResults()))
    again.map(value, result);
  finishReads(again);
}

/// Has what tapes gave made of what `mapping` knows.
void TapeWriter::finishReads(IRMapping mapping) {
  for (auto [old, value] : pair.reads) {
    cloneFor(value, mapping);
    old->getResult(0).replaceAllUsesWith(mapping.lookupOrDefault(value));
  }
}

/// Takes the tapes out that nobody reads any more.
void TapeWriter::drop() {
  llvm::BitVector deadTapes(forward->getNumResults());
  for (Operation *push : pair.pushes) {
    auto found = kept.find(push->getOperand(1));
    if (found != kept.end() && found->second.push == push)
      continue;
    auto next = body.getTerminator()->getOperands();
    deadTapes.set(llvm::find(next, push->getResult(0)) - next.begin());
  }
  llvm::BitVector deadNames(backward->getNumResults());
  for (const CarriedValue &each : pair.backward->carried) {
    unsigned index = each.argument.getArgNumber();
    auto init = dyn_cast<OpResult>(backward->getOperand(index));
    if (init && init.getOwner() == forward &&
        deadTapes.test(init.getResultNumber()))
      deadNames.set(index);
  }
  // Two tapes may begin with one value.
  llvm::SetVector<Operation *> inits;
  for (unsigned index : deadTapes.set_bits())
    if (Operation *init = forward->getOperand(index).getDefiningOp())
      inits.insert(init);
  // Reads of tapes stand between these and their being without a use.
  for (auto [old, value] : pair.reads)
    old->erase();
  dropCarried(backward, deadNames, context);
  dropCarried(forward, deadTapes, context);
  for (Operation *init : inits)
    if (init->use_empty() && context.isDeclaredPure(init))
      init->erase();
}

void TapeWriter::run(llvm::function_ref<bool(Value)> isKept) {
  listKept(isKept);
  addTapes();
  writeReads();
  drop();
}

static bool isNumber(const CarriedValue &each) {
  auto tensor = dyn_cast<RankedTensorType>(each.argument.getType());
  return tensor && tensor.getRank() == 0;
}

std::optional<std::string> whyTapesStay(const LoopPair &pair,
                                        RecurrenceAnalysis &analysis) {
  for (const Recurrence *loop : {pair.forward, pair.backward}) {
    if (loop->op->getName().getStringRef() != "stablehlo.while")
      return "only loops of StableHLO are given other tapes";
    if (!findClock(*loop, analysis))
      return "a loop has no counter that begins with a number and goes up or "
             "down by one";
    for (const CarriedValue &each : loop->carried) {
      auto element = getElementTypeOrSelf(each.argument.getType());
      if (each.kind == CarriedValue::Counter && !element.isSignlessInteger())
        return "it counts in integers that are not signless";
    }
  }
  if (!pair.forward->trips.isConstant() || pair.forward->trips.constant < 2)
    return "how often it runs is not known to be twice or more";
  // The block that decides whether a loop goes on is not given other values.
  for (const Recurrence *loop : {pair.forward, pair.backward})
    for (const CarriedValue &each : loop->carried)
      if (each.kind != CarriedValue::Counter && !isNumber(each) &&
          !loop->op->getRegion(0)
               .getArgument(each.argument.getArgNumber())
               .use_empty())
        return "whether a loop goes on depends on an array";
  return std::nullopt;
}

void writeTapes(const LoopPair &pair, RecurrenceAnalysis &analysis,
                const ProgramContext &context,
                llvm::function_ref<bool(Value)> isKept) {
  TapeWriter(pair, analysis, context).run(isKept);
}

} // namespace pebble

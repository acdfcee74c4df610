//===- Recurrence.cpp - loops as recurrences ------------------------------===//

#include "pebble/Analysis/Recurrence.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace pebble {

//===----------------------------------------------------------------------===//
// Linear forms
//===----------------------------------------------------------------------===//

// Wraps around like the integers of the program do.
static int64_t wrap(uint64_t value) { return static_cast<int64_t>(value); }

LinearForm LinearForm::operator+(const LinearForm &other) const {
  LinearForm sum = *this;
  sum.constant = wrap(uint64_t(constant) + uint64_t(other.constant));
  for (auto [symbol, coefficient] : other.terms) {
    int64_t &mine = sum.terms[symbol];
    mine = wrap(uint64_t(mine) + uint64_t(coefficient));
    if (mine == 0)
      sum.terms.erase(symbol);
  }
  return sum;
}

LinearForm LinearForm::operator*(int64_t factor) const {
  LinearForm product;
  if (factor == 0)
    return product;
  product.constant = wrap(uint64_t(constant) * uint64_t(factor));
  for (auto [symbol, coefficient] : terms)
    product.terms[symbol] = wrap(uint64_t(coefficient) * uint64_t(factor));
  return product;
}

int64_t LinearForm::getCoefficient(const void *symbol) const {
  auto found = terms.find(symbol);
  return found == terms.end() ? 0 : found->second;
}

LinearForm LinearForm::without(const void *symbol) const {
  LinearForm rest = *this;
  rest.terms.erase(symbol);
  return rest;
}

const CarriedValue *Recurrence::find(Value value) const {
  for (const CarriedValue &each : carried)
    if (each.argument == value || each.result == value)
      return &each;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static bool isInteger(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getRank() == 0 && tensor.getElementType().isIntOrIndex();
  return type.isIntOrIndex();
}

/// The name of an op without its dialect, for those whose dialect counts.
static StringRef getShortName(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "arith" && dialect != "stablehlo" && dialect != "mhlo" &&
      dialect != "tensor" && dialect != "index")
    return "";
  return op->getName().stripDialect();
}

static std::optional<int64_t> getConstant(Operation *op) {
  Attribute value;
  if (getShortName(op) == "constant")
    value = op->getAttr("value");
  if (auto number = dyn_cast_or_null<IntegerAttr>(value))
    return number.getValue().getSExtValue();
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(value);
  if (elements && elements.getNumElements() == 1)
    return (*elements.begin()).getSExtValue();
  return std::nullopt;
}

LinearForm RecurrenceAnalysis::evaluate(Value value) {
  const void *symbol = value.getAsOpaquePointer();
  if (!isInteger(value.getType()))
    return LinearForm::of(symbol);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (argument.getOwner() == open || !isLoop(parent))
      return LinearForm::of(symbol);
    const Recurrence *loop = get(parent);
    if (!loop)
      return LinearForm::of(symbol);
    LinearForm step = LinearForm::of(parent);
    if (value == loop->induction)
      return evaluate(loop->first) + step * loop->stride;
    const CarriedValue *carried = loop->find(value);
    // Of the block that decides whether a while goes on, by its number.
    if (!carried && argument.getArgNumber() < loop->carried.size())
      carried = &loop->carried[argument.getArgNumber()];
    if (!carried || carried->kind == CarriedValue::State)
      return LinearForm::of(symbol);
    return evaluate(carried->init) + step * carried->increment;
  }
  Operation *op = value.getDefiningOp();
  if (isLoop(op)) {
    const Recurrence *loop = op->getBlock() == open ? nullptr : get(op);
    const CarriedValue *carried = loop ? loop->find(value) : nullptr;
    if (!carried || carried->kind == CarriedValue::State)
      return LinearForm::of(symbol);
    return evaluate(carried->init) + loop->trips * carried->increment;
  }
  if (!evaluating.insert(op).second)
    return LinearForm::of(symbol);
  std::optional<LinearForm> form = evaluateOp(op);
  evaluating.erase(op);
  return form.value_or(LinearForm::of(symbol));
}

std::optional<LinearForm> RecurrenceAnalysis::evaluateOp(Operation *op) {
  if (std::optional<int64_t> constant = getConstant(op))
    return LinearForm{*constant, {}};
  enum Kind { Add, Sub, Mul, Div, Same, Select, Other };
  Kind kind = llvm::StringSwitch<Kind>(getShortName(op))
                  .Cases({"addi", "add"}, Add)
                  .Cases({"subi", "sub", "subtract"}, Sub)
                  .Cases({"muli", "mul", "multiply"}, Mul)
                  .Cases({"divsi", "divs", "divide"}, Div)
                  .Cases({"index_cast", "casts", "extsi", "trunci", "convert",
                          "reshape", "extract", "from_elements"},
                         Same)
                  .Case("select", Select)
                  .Default(Other);
  if (kind == Other || op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !isInteger(op->getOperand(0).getType()))
    return std::nullopt;
  if (kind == Select)
    return evaluateSelect(op);
  LinearForm first = evaluate(op->getOperand(0));
  if (kind == Same)
    return op->getNumOperands() == 1 ? std::optional(first) : std::nullopt;
  if (op->getNumOperands() != 2)
    return std::nullopt;
  LinearForm second = evaluate(op->getOperand(1));
  switch (kind) {
  case Add:
    return first + second;
  case Sub:
    return first - second;
  case Mul:
    if (second.isConstant())
      return first * second.constant;
    if (first.isConstant())
      return second * first.constant;
    return std::nullopt;
  default:
    if (second == LinearForm{1, {}})
      return first;
    if (first.isConstant() && second.isConstant() && second.constant > 0)
      return LinearForm{first.constant / second.constant, {}};
    return std::nullopt;
  }
}

/// The least that a form of the steps of loops of known lengths can be.
std::optional<int64_t> RecurrenceAnalysis::getLeast(const LinearForm &form) {
  int64_t least = form.constant;
  for (auto [symbol, coefficient] : form.terms) {
    auto entry =
        entries.find(static_cast<Operation *>(const_cast<void *>(symbol)));
    if (entry == entries.end() || !entry->second.loop ||
        !entry->second.loop->trips.isConstant())
      return std::nullopt;
    if (coefficient < 0)
      least += coefficient * (entry->second.loop->trips.constant - 1);
  }
  return least;
}

/// `i < 0 ? i + n : i`, as JAX writes each index, is i where that is never
/// negative.
std::optional<LinearForm> RecurrenceAnalysis::evaluateSelect(Operation *op) {
  if (op->getNumOperands() != 3)
    return std::nullopt;
  Operation *test = op->getOperand(0).getDefiningOp();
  Value kept = op->getOperand(2);
  if (!test || test->getNumOperands() != 2 || test->getOperand(0) != kept ||
      !(evaluate(test->getOperand(1)) == LinearForm{}))
    return std::nullopt;
  auto compare = dyn_cast<arith::CmpIOp>(test);
  bool isLess = compare && compare.getPredicate() == arith::CmpIPredicate::slt;
  if (getShortName(test) == "compare") {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (Attribute direction = test->getAttr("comparison_direction"))
      direction.print(os);
    isLess = StringRef(text).contains("LT");
  }
  LinearForm form = evaluate(kept);
  std::optional<int64_t> least = getLeast(form);
  if (!isLess || !least || *least < 0)
    return std::nullopt;
  return form;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static bool isWhile(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return isa<scf::WhileOp>(op) || name == "stablehlo.while" ||
         name == "mhlo.while";
}

bool RecurrenceAnalysis::isLoop(Operation *op) {
  return isa<scf::ForOp>(op) || isWhile(op);
}

const Recurrence *RecurrenceAnalysis::get(Operation *op, std::string *why) {
  auto [found, isNew] = entries.try_emplace(op);
  Entry &entry = found->second;
  if (isNew) {
    Recurrence loop;
    loop.op = op;
    entry.why = "it is a part of itself"; // until it is known
    std::optional<std::string> problem =
        isWhile(op) ? analyzeWhile(loop) : analyzeFor(loop);
    entry.why = problem.value_or("");
    if (!problem)
      entry.loop = std::move(loop);
  }
  if (why)
    *why = entry.why;
  return entry.loop ? &*entry.loop : nullptr;
}

void RecurrenceAnalysis::classify(Recurrence &loop) {
  Block *outer = std::exchange(open, loop.body);
  for (CarriedValue &each : loop.carried) {
    if (each.yielded == each.argument) {
      each.kind = CarriedValue::Invariant;
      continue;
    }
    if (!isInteger(each.argument.getType()))
      continue;
    LinearForm more = evaluate(each.yielded) -
                      LinearForm::of(each.argument.getAsOpaquePointer());
    if (!more.isConstant())
      continue;
    each.kind = CarriedValue::Counter;
    each.increment = more.constant;
  }
  open = outer;
}

std::optional<std::string> RecurrenceAnalysis::analyzeFor(Recurrence &loop) {
  auto op = cast<scf::ForOp>(loop.op);
  loop.body = op.getBody();
  for (auto [argument, init, yielded, result] :
       llvm::zip(op.getRegionIterArgs(), op.getInitArgs(),
                 op.getYieldedValues(), op.getResults()))
    loop.carried.push_back({argument, init, yielded, cast<OpResult>(result)});
  classify(loop);
  loop.induction = op.getInductionVar();
  loop.first = op.getLowerBound();
  LinearForm stride = evaluate(op.getStep());
  if (!stride.isConstant() || stride.constant <= 0)
    return "its step is not known";
  loop.stride = stride.constant;
  loop.trips = evaluate(op.getUpperBound()) - evaluate(op.getLowerBound());
  if (loop.stride == 1)
    return std::nullopt;
  if (!loop.trips.isConstant())
    return "how often it runs is not known, for its step is not 1";
  loop.trips.constant =
      (std::max<int64_t>(loop.trips.constant, 0) + loop.stride - 1) /
      loop.stride;
  return std::nullopt;
}

/// True if `test` asks whether its first operand is less than its second one:
/// `arith.cmpi slt`, or `compare` with the direction LT.
static bool isLessThan(Operation *test) {
  if (!test)
    return false;
  if (getShortName(test) == "compare") {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (Attribute direction = test->getAttr("comparison_direction"))
      direction.print(os);
    return StringRef(text).contains("LT");
  }
  auto compare = dyn_cast<arith::CmpIOp>(test);
  return compare && compare.getPredicate() == arith::CmpIPredicate::slt;
}

std::optional<std::string> RecurrenceAnalysis::analyzeWhile(Recurrence &loop) {
  Operation *op = loop.op;
  if (op->getNumRegions() != 2 || !op->getRegion(0).hasOneBlock() ||
      !op->getRegion(1).hasOneBlock())
    return "it has not the two blocks of a while";
  Block *condition = &op->getRegion(0).front();
  loop.body = &op->getRegion(1).front();
  Operation *goesOn = condition->getTerminator();
  Operation *end = loop.body->getTerminator();
  size_t count = op->getNumOperands();
  bool forwards =
      !isa<scf::WhileOp>(op) || llvm::equal(goesOn->getOperands().drop_front(),
                                            condition->getArguments());
  if (!forwards || condition->getNumArguments() != count ||
      loop.body->getNumArguments() != count || end->getNumOperands() != count ||
      op->getNumResults() != count || goesOn->getNumOperands() == 0)
    return "its body is given other values than its condition";
  for (size_t i = 0; i < count; ++i)
    loop.carried.push_back({loop.body->getArgument(i), op->getOperand(i),
                            end->getOperand(i), op->getResult(i)});
  classify(loop);

  Operation *test = goesOn->getOperand(0).getDefiningOp();
  auto counter =
      isLessThan(test) ? dyn_cast<BlockArgument>(test->getOperand(0)) : nullptr;
  if (!counter || counter.getOwner() != condition)
    return "its condition does not ask whether a counter is below a bound";
  const CarriedValue &counted = loop.carried[counter.getArgNumber()];
  if (counted.kind != CarriedValue::Counter || counted.increment != 1)
    return "what its condition compares does not count by one";
  return countTrips(loop, condition, test->getOperand(1), counted.init);
}

/// The trips of a while that counts from `first` as long as it is below
/// `limit`. What the condition reads of the carried values must not change.
std::optional<std::string> RecurrenceAnalysis::countTrips(Recurrence &loop,
                                                          Block *condition,
                                                          Value limit,
                                                          Value first) {
  std::map<const void *, LinearForm> inits;
  for (auto [argument, carried] :
       llvm::zip(condition->getArguments(), loop.carried))
    if (carried.kind == CarriedValue::Invariant)
      inits[argument.getAsOpaquePointer()] = evaluate(carried.init);
  Block *outer = std::exchange(open, condition);
  LinearForm bound = evaluate(limit);
  open = outer;
  auto isMadeInside = [&](const void *symbol) {
    auto isSymbol = [&](Value value) {
      return value.getAsOpaquePointer() == symbol;
    };
    return llvm::any_of(condition->getArguments(), isSymbol) ||
           llvm::any_of(*condition, [&](Operation &each) {
             return llvm::any_of(each.getResults(), isSymbol);
           });
  };
  LinearForm known{bound.constant, {}};
  for (auto [symbol, coefficient] : bound.terms) {
    auto init = inits.find(symbol);
    known =
        known + (init == inits.end() ? LinearForm::of(symbol) : init->second) *
                    coefficient;
    if (init == inits.end() && isMadeInside(symbol))
      return "the bound of its counter changes";
  }
  loop.trips = known - evaluate(first);
  return std::nullopt;
}

} // namespace pebble

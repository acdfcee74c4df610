//===- SameRuns.cpp - do two functions with loops agree? ------------------===//

#include "pebble/Analysis/SameRuns.h"

#include "RunValues.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <deque>

using namespace mlir;

namespace pebble {

namespace {
class Runner {
public:
  Runner(Expressions &expressions, ProgramContext &context, int64_t most)
      : expressions(expressions), context(context), most(most) {}

  SmallVector<Known> run(FunctionOpInterface function);
  bool isTooLong() const { return evaluated > most; }
  Expressions::Id getEffects() const { return effects; }

private:
  using Values = SmallVector<Known>;

  Known make(Expressions::Id id) const { return {id, id, nullptr, {}, {}}; }
  Known makeNumber(int64_t number) {
    Known known = make(expressions.get("number", number));
    known.number = number;
    return known;
  }
  Known get(Value value) const { return env.lookup(value); }
  Values getAll(ValueRange values) const {
    return llvm::map_to_vector(values, [&](Value each) { return get(each); });
  }
  void set(ValueRange values, ArrayRef<Known> known) {
    for (auto [value, each] : llvm::zip(values, known))
      env[value] = each;
  }

  Values runBlock(Block &block);
  void evaluate(Operation *op);
  bool evaluateControl(Operation *op);
  bool evaluateWhile(Operation *op);
  bool evaluateCall(Operation *op);
  bool evaluateNumber(Operation *op);
  bool evaluateArray(Operation *op);
  void evaluateOther(Operation *op, ArrayRef<Known> operands);
  std::optional<int64_t> compute(Operation *op, ArrayRef<int64_t> numbers);
  std::optional<SmallVector<int64_t, 4>> getPlace(Operation *op, unsigned from,
                                                  ArrayRef<int64_t> sizes);
  Known read(const Known &array, ArrayRef<int64_t> extents,
             ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes);
  Expressions::Id getRegion(Region &region);
  Expressions::Id getSymbol(Operation *symbol);
  StringRef getText(Operation *op);

  Expressions &expressions;
  ProgramContext &context;
  int64_t most;
  int64_t evaluated = 0;
  llvm::DenseMap<Value, Known> env;
  std::deque<Write> writes;
  /// What tells an operation from others but for its operands.
  llvm::DenseMap<Operation *, std::string> texts;
  llvm::DenseMap<Operation *, Expressions::Id> symbols;
  llvm::SmallPtrSet<Operation *, 8> active;
  unsigned depth = 0;
  Expressions::Id effects = 0;
};
} // namespace

static bool isNumber(Type type) {
  return type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 64;
}

/// A signless integer in a tensor of one element.
static IntegerType getNumberType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 1 &&
                 isNumber(tensor.getElementType())
             ? cast<IntegerType>(tensor.getElementType())
             : IntegerType();
}

/// The number as one of `type`, with a sign but for bits.
static int64_t wrap(int64_t number, IntegerType type) {
  APInt wrapped = APInt(64, number, true).trunc(type.getWidth());
  return type.getWidth() == 1 ? int64_t(wrapped.getZExtValue())
                              : wrapped.getSExtValue();
}

static Attribute getInherent(Operation *op, StringRef name) {
  if (Attribute attribute = op->getAttr(name))
    return attribute;
  auto properties =
      dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  return properties ? properties.get(name) : Attribute();
}

static std::string printAttribute(Operation *op, StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (Attribute attribute = getInherent(op, name))
    os << attribute;
  return text;
}

static std::optional<int64_t> compare(StringRef how, int64_t x, int64_t y) {
  if (how.contains("EQ"))
    return x == y;
  if (how.contains("NE"))
    return x != y;
  if (how.contains("LT"))
    return x < y;
  if (how.contains("LE"))
    return x <= y;
  if (how.contains("GT"))
    return x > y;
  if (how.contains("GE"))
    return x >= y;
  return std::nullopt;
}

/// What an operation on numbers gives; nothing where it is none.
std::optional<int64_t> Runner::compute(Operation *op,
                                       ArrayRef<int64_t> numbers) {
  StringRef name = op->getName().stripDialect();
  // Of bits, a sum is true where one of them is, and each number but 0 is true.
  bool isBit = getNumberType(op->getResult(0).getType()).getWidth() == 1;
  if (numbers.size() == 1) {
    if (name == "convert" && isBit)
      return numbers[0] != 0;
    if (name == "convert" || name == "broadcast_in_dim")
      return numbers[0];
    if (name == "negate")
      return int64_t(0 - uint64_t(numbers[0]));
    if (name == "not")
      return ~numbers[0];
    return std::nullopt;
  }
  if (numbers.size() != 2)
    return std::nullopt;
  int64_t x = numbers[0], y = numbers[1];
  if (name == "compare") {
    bool isUnsigned =
        StringRef(printAttribute(op, "compare_type")).contains("UNSIGNED");
    if (isUnsigned && (x < 0 || y < 0))
      return std::nullopt;
    return compare(printAttribute(op, "comparison_direction"), x, y);
  }
  if (name == "add" && isBit)
    return x | y;
  if (name == "add")
    return int64_t(uint64_t(x) + uint64_t(y));
  if (name == "subtract")
    return int64_t(uint64_t(x) - uint64_t(y));
  if (name == "multiply")
    return int64_t(uint64_t(x) * uint64_t(y));
  if (name == "maximum")
    return std::max(x, y);
  if (name == "minimum")
    return std::min(x, y);
  if (name == "and")
    return x & y;
  if (name == "or")
    return x | y;
  if (y == 0 || y == -1)
    return std::nullopt;
  if (name == "divide")
    return x / y;
  if (name == "remainder")
    return x % y;
  return std::nullopt;
}

/// Integers; false if `op` or its operands are something else.
bool Runner::evaluateNumber(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return false;
  StringRef name = op->getName().stripDialect();
  Value result = op->getResult(0);
  if (name == "select") {
    std::optional<int64_t> which = get(op->getOperand(0)).number;
    if (!which)
      return false;
    env[result] = get(op->getOperand(*which ? 1 : 2));
    return true;
  }
  IntegerType type = getNumberType(result.getType());
  if (!type)
    return false;
  if (name == "constant") {
    auto value =
        dyn_cast_or_null<DenseIntElementsAttr>(getInherent(op, "value"));
    if (!value)
      return false;
    env[result] =
        makeNumber(wrap((*value.value_begin<APInt>()).getSExtValue(), type));
    return true;
  }
  SmallVector<int64_t> numbers;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> number = get(operand).number;
    if (!number || !getNumberType(operand.getType()))
      return false;
    numbers.push_back(*number);
  }
  std::optional<int64_t> number = compute(op, numbers);
  if (!number)
    return false;
  env[result] = makeNumber(wrap(*number, type));
  return true;
}

/// Where a part of the first operand begins; nothing if that is not known.
std::optional<SmallVector<int64_t, 4>>
Runner::getPlace(Operation *op, unsigned from, ArrayRef<int64_t> sizes) {
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  ValueRange starts = op->getOperands().drop_front(from);
  if (!type || !type.hasStaticShape() || starts.size() != sizes.size())
    return std::nullopt;
  SmallVector<int64_t, 4> offsets;
  for (auto [start, size, extent] : llvm::zip(starts, sizes, type.getShape())) {
    std::optional<int64_t> number = get(start).number;
    if (!number)
      return std::nullopt;
    offsets.push_back(
        std::max<int64_t>(0, std::min<int64_t>(*number, extent - size)));
  }
  return offsets;
}

static bool areApart(const Write &write, ArrayRef<int64_t> offsets,
                     ArrayRef<int64_t> sizes) {
  for (auto [a, length, b, other] :
       llvm::zip(write.offsets, write.sizes, offsets, sizes))
    if (a + length <= b || b + other <= a)
      return true;
  return false;
}

/// An array has one expression under all its shapes, so that in which it is
/// read is part of what is read.
Known Runner::read(const Known &array, ArrayRef<int64_t> extents,
                   ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes) {
  Expressions::Id from = array.base;
  for (const Write *write = array.writes; write; write = write->before) {
    if (ArrayRef(write->offsets) == offsets && ArrayRef(write->sizes) == sizes)
      return write->value;
    if (!areApart(*write, offsets, sizes)) {
      from = array.id;
      break;
    }
  }
  if (array.numbers && from == array.base &&
      llvm::all_of(sizes, [](int64_t size) { return size == 1; })) {
    SmallVector<uint64_t> place(offsets.begin(), offsets.end());
    return makeNumber(
        wrap(array.numbers.getValues<APInt>()[place].getSExtValue(),
             cast<IntegerType>(array.numbers.getElementType())));
  }
  SmallVector<int64_t> parts = {int64_t(from)};
  llvm::append_range(parts, extents);
  llvm::append_range(parts, offsets);
  llvm::append_range(parts, sizes);
  return make(expressions.get("read", parts));
}

/// Parts of arrays, and arrays under another shape; false if `op` is something
/// else, or the place is not known.
bool Runner::evaluateArray(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (op->getNumResults() != 1)
    return false;
  Value result = op->getResult(0);
  if (name == "reshape") {
    Known known = get(op->getOperand(0));
    if (result.getType() != op->getOperand(0).getType())
      known.base = known.id, known.writes = nullptr, known.numbers = {};
    env[result] = known;
    return true;
  }
  if (name == "constant") {
    evaluateOther(op, {});
    auto numbers =
        dyn_cast_or_null<DenseIntElementsAttr>(getInherent(op, "value"));
    if (numbers && isNumber(numbers.getElementType()))
      env[result].numbers = numbers;
    return true;
  }
  bool isWrite = name == "dynamic_update_slice";
  if (!isWrite && name != "dynamic_slice")
    return false;
  auto part = dyn_cast<RankedTensorType>(isWrite ? op->getOperand(1).getType()
                                                 : result.getType());
  if (!part || !part.hasStaticShape())
    return false;
  auto offsets = getPlace(op, isWrite ? 2 : 1, part.getShape());
  if (!offsets)
    return false;
  Known array = get(op->getOperand(0));
  ArrayRef<int64_t> extents =
      cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
  if (!isWrite) {
    env[result] = read(array, extents, *offsets, part.getShape());
    return true;
  }
  Known value = get(op->getOperand(1));
  SmallVector<int64_t> parts = {int64_t(array.id), int64_t(value.id)};
  llvm::append_range(parts, extents);
  llvm::append_range(parts, *offsets);
  llvm::append_range(parts, part.getShape());
  writes.push_back({*offsets, SmallVector<int64_t, 4>(part.getShape()), value,
                    array.writes});
  Known written = make(expressions.get("write", parts));
  written.base = array.base;
  written.writes = &writes.back();
  written.numbers = array.numbers;
  env[result] = written;
  return true;
}

/// What the attributes of `op` name.
static llvm::SetVector<Operation *> listSymbols(Operation *op) {
  llvm::SetVector<Operation *> named;
  for (Attribute each :
       {Attribute(op->getAttrDictionary()), op->getPropertiesAsAttribute()})
    if (each)
      each.walk([&](SymbolRefAttr name) {
        named.insert(SymbolTable::lookupNearestSymbolFrom(op, name));
      });
  named.remove(nullptr);
  return named;
}

/// A function is what it does. All else is its text, and that of what it names.
Expressions::Id Runner::getSymbol(Operation *symbol) {
  if (auto known = symbols.find(symbol); known != symbols.end())
    return known->second;
  auto function = dyn_cast<FunctionOpInterface>(symbol);
  if (function && function.getFunctionBody().hasOneBlock() &&
      active.insert(function).second) {
    unsigned outer = std::exchange(depth, 0);
    Expressions::Id id = getRegion(function.getFunctionBody());
    depth = outer;
    active.erase(function);
    return symbols[symbol] = id;
  }
  llvm::SetVector<Operation *> named;
  named.insert(symbol);
  std::string text;
  llvm::raw_string_ostream os(text);
  for (size_t next = 0; next < named.size(); ++next) {
    named[next]->print(os, OpPrintingFlags().useLocalScope());
    named[next]->walk(
        [&](Operation *op) { named.insert_range(listSymbols(op)); });
  }
  return symbols[symbol] = expressions.get("symbol " + text, {});
}

/// Name, attributes, with what they name, and types.
StringRef Runner::getText(Operation *op) {
  if (auto known = texts.find(op); known != texts.end())
    return known->second;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName().getStringRef();
  auto print = [&](DictionaryAttr attributes) {
    for (NamedAttribute each : attributes)
      if (!each.getName().strref().contains('.'))
        os << ' ' << each.getName().strref() << '=' << each.getValue();
  };
  print(op->getAttrDictionary());
  if (auto properties =
          dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    print(properties);
  for (Operation *symbol : listSymbols(op))
    os << " #" << getSymbol(symbol);
  os << op->getOperandTypes() << "->" << op->getResultTypes();
  return texts[op] = std::move(text);
}

/// What a region hands on for unknown arguments, its end, and its effects.
Expressions::Id Runner::getRegion(Region &region) {
  if (!region.hasOneBlock())
    return expressions.get("blocks", int64_t(&region));
  ++depth;
  for (BlockArgument argument : region.getArguments())
    env[argument] = make(
        expressions.get("argument", {int64_t(depth), argument.getArgNumber()}));
  Expressions::Id outer =
      std::exchange(effects, expressions.get("no effects", {}));
  SmallVector<int64_t> parts;
  for (const Known &each : runBlock(region.front()))
    parts.push_back(each.id);
  std::string kind = "region";
  if (region.front().mightHaveTerminator()) {
    Operation *end = region.front().getTerminator();
    kind += " that ends with " + getText(end).str();
    for (Region &each : end->getRegions())
      parts.push_back(getRegion(each));
  }
  parts.push_back(effects);
  effects = outer;
  --depth;
  return expressions.get(kind, parts);
}

/// What gives the same for the same operands, or stands among effects.
void Runner::evaluateOther(Operation *op, ArrayRef<Known> operands) {
  SmallVector<int64_t> parts;
  for (const Known &each : operands)
    parts.push_back(each.id);
  bool isPure =
      op->isRegistered() ? isFreeOfEffects(op) : context.isDeclaredPure(op);
  // A block without an end says what it does by operations without results.
  isPure &= op->getNumResults() > 0 || op->getBlock()->mightHaveTerminator();
  if (!isPure)
    parts.push_back(effects);
  for (Region &region : op->getRegions())
    parts.push_back(getRegion(region));
  std::string text = getText(op).str();
  if (!isPure)
    effects = expressions.get("effect " + text, parts);
  parts.push_back(0);
  for (OpResult result : op->getResults()) {
    parts.back() = result.getResultNumber();
    env[result] = make(expressions.get(text, parts));
  }
}

/// Runs a while as long as it is known to go on. The rest is like other ops.
bool Runner::evaluateWhile(Operation *op) {
  Region &condition = op->getRegion(0), &body = op->getRegion(1);
  if (!condition.hasOneBlock() || !body.hasOneBlock())
    return false;
  Values carried = getAll(op->getOperands());
  while (!isTooLong()) {
    set(condition.getArguments(), carried);
    Values goesOn = runBlock(condition.front());
    if (goesOn.size() != 1)
      return false;
    if (!goesOn[0].number) {
      evaluateOther(op, carried);
      return true;
    }
    if (!*goesOn[0].number)
      break;
    set(body.getArguments(), carried);
    carried = runBlock(body.front());
  }
  set(op->getResults(), carried);
  return true;
}

bool Runner::evaluateCall(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  auto callee =
      call ? dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable())
           : FunctionOpInterface();
  if (!callee || callee.isExternal() ||
      !callee.getFunctionBody().hasOneBlock() || !active.insert(callee).second)
    return false;
  Block &block = callee.getFunctionBody().front();
  set(block.getArguments(), getAll(call.getArgOperands()));
  Values results = runBlock(block);
  set(op->getResults(), results);
  active.erase(callee);
  return true;
}

bool Runner::evaluateControl(Operation *op) {
  const hlo::Op *row = hlo::lookup(op);
  if (!row)
    return evaluateCall(op);
  switch (row->kind) {
  case hlo::Kind::Loop:
    return op->getNumRegions() == 2 && evaluateWhile(op);
  case hlo::Kind::CustomCall:
    // The same value in another memory.
    if (hlo::getCallTarget(op) != hlo::kPlacementCall)
      return false;
    [[fallthrough]];
  case hlo::Kind::Identity:
    if (op->getNumOperands() != op->getNumResults())
      return false;
    set(op->getResults(), getAll(op->getOperands()));
    return true;
  case hlo::Kind::Branch: {
    if (op->getNumOperands() != 1 || op->getNumRegions() == 0)
      return false;
    std::optional<int64_t> which = get(op->getOperand(0)).number;
    if (!which)
      return false;
    int64_t last = op->getNumRegions() - 1;
    bool isIf = op->getName().stripDialect() == "if";
    // A case that there is not is the last one.
    int64_t taken =
        isIf ? (*which ? 0 : 1) : (*which < 0 || *which > last ? last : *which);
    Region &region = op->getRegion(taken);
    if (!region.hasOneBlock())
      return false;
    set(op->getResults(), runBlock(region.front()));
    return true;
  }
  default:
    return false;
  }
}

void Runner::evaluate(Operation *op) {
  ++evaluated;
  if (evaluateControl(op))
    return;
  if (hlo::lookup(op) && (evaluateNumber(op) || evaluateArray(op)))
    return;
  evaluateOther(op, getAll(op->getOperands()));
}

/// What the terminator of `block` hands on.
SmallVector<Known> Runner::runBlock(Block &block) {
  Operation *end =
      block.mightHaveTerminator() ? block.getTerminator() : nullptr;
  for (Operation &op : block) {
    if (&op == end || isTooLong())
      break;
    evaluate(&op);
  }
  return end ? getAll(end->getOperands()) : Values();
}

SmallVector<Known> Runner::run(FunctionOpInterface function) {
  active.insert(function);
  for (BlockArgument argument : function.getArguments())
    env[argument] =
        make(expressions.get("given", int64_t(argument.getArgNumber())));
  return runBlock(function.getFunctionBody().front());
}

LogicalResult checkSameRuns(Operation *before, Operation *after,
                            ProgramContext &context, int64_t most,
                            bool &isTooLong) {
  if (cast<FunctionOpInterface>(before).getFunctionType() !=
      cast<FunctionOpInterface>(after).getFunctionType())
    return after->emitError("takes or returns values of other types than the "
                            "function that it was made of");
  Expressions expressions;
  Runner old(expressions, context, most), made(expressions, context, most);
  SmallVector<Known> expected = old.run(cast<FunctionOpInterface>(before));
  isTooLong = old.isTooLong();
  if (isTooLong)
    return success();
  SmallVector<Known> returned = made.run(cast<FunctionOpInterface>(after));
  isTooLong = made.isTooLong();
  if (isTooLong)
    return success();
  for (auto [index, pair] : llvm::enumerate(llvm::zip(expected, returned)))
    if (std::get<0>(pair).id != std::get<1>(pair).id)
      return after->emitError("is not proven to return what the function that "
                              "it was made of does: result #")
             << index << " is another expression of its arguments";
  if (old.getEffects() != made.getEffects())
    return after->emitError("is not proven to have the effects of the function "
                            "that it was made of, in their order");
  return success();
}

} // namespace pebble

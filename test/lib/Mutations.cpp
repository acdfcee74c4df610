//===- Mutations.cpp - changes that may or may not matter -----------------===//

#include "Mutations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace pebble;

static unsigned pick(std::mt19937 &random, size_t count) {
  return random() % count;
}

/// Values of `type` that are there before `op`, in its block and around it.
static SmallVector<Value> getVisible(Operation *op, Type type) {
  SmallVector<Value> values;
  auto add = [&](Value value) {
    if (value.getType() == type)
      values.push_back(value);
  };
  for (Operation *at = op; at && at->getBlock(); at = at->getParentOp()) {
    for (Value argument : at->getBlock()->getArguments())
      add(argument);
    for (Operation &before : *at->getBlock()) {
      if (&before == at)
        break;
      for (Value result : before.getResults())
        add(result);
    }
    // What the first block of a function makes, the others see.
    Block *entry = &at->getBlock()->getParent()->front();
    if (entry != at->getBlock()) {
      for (Value argument : entry->getArguments())
        add(argument);
      for (Operation &before : *entry)
        for (Value result : before.getResults())
          add(result);
    }
    if (isa_and_nonnull<FunctionOpInterface>(at->getParentOp()))
      break;
  }
  return values;
}

static bool changeOperand(Operation *op, std::mt19937 &random) {
  if (!op->getNumOperands())
    return false;
  OpOperand &operand = op->getOpOperand(pick(random, op->getNumOperands()));
  SmallVector<Value> others = getVisible(op, operand.get().getType());
  llvm::erase(others, operand.get());
  if (others.empty())
    return false;
  operand.set(others[pick(random, others.size())]);
  return true;
}

static bool swapOperands(Operation *op, std::mt19937 &random) {
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    for (unsigned j = i + 1; j < op->getNumOperands(); ++j)
      if (op->getOperand(i).getType() == op->getOperand(j).getType() &&
          op->getOperand(i) != op->getOperand(j))
        pairs.push_back({i, j});
  if (pairs.empty())
    return false;
  auto [i, j] = pairs[pick(random, pairs.size())];
  Value first = op->getOperand(i);
  op->setOperand(i, op->getOperand(j));
  op->setOperand(j, first);
  return true;
}

/// Another list of the same kind; null if there is none.
static Attribute getOtherList(Attribute attribute, std::mt19937 &random) {
  MLIRContext *context = attribute.getContext();
  if (auto list = dyn_cast<DenseI64ArrayAttr>(attribute); list && list.size()) {
    SmallVector<int64_t> values(list.asArrayRef());
    int64_t &value = values[pick(random, values.size())];
    value = std::max<int64_t>(0, value + (pick(random, 2) ? 1 : -1));
    return DenseI64ArrayAttr::get(context, values);
  }
  if (auto list = dyn_cast<DenseBoolArrayAttr>(attribute);
      list && list.size()) {
    SmallVector<bool> values(list.asArrayRef());
    bool &value = values[pick(random, values.size())];
    value = !value;
    return DenseBoolArrayAttr::get(context, values);
  }
  if (auto list = dyn_cast<ArrayAttr>(attribute); list && list.size() > 1) {
    SmallVector<Attribute> values(list.getValue());
    std::swap(values[0], values[1 + pick(random, values.size() - 1)]);
    return ArrayAttr::get(context, values);
  }
  return {};
}

/// The same elements but for one; null if there is none.
static Attribute getOtherElements(DenseElementsAttr dense,
                                  std::mt19937 &random) {
  if (dense.empty())
    return {};
  unsigned place = pick(random, dense.size());
  if (isa<DenseFPElementsAttr>(dense)) {
    SmallVector<APFloat> values(dense.getValues<APFloat>());
    values[place].changeSign();
    return DenseElementsAttr::get(dense.getType(), values);
  }
  if (isa<DenseIntElementsAttr>(dense)) {
    SmallVector<APInt> values(dense.getValues<APInt>());
    values[place] += 1; // flips a bit of a mask
    return DenseElementsAttr::get(dense.getType(), values);
  }
  return {};
}

/// Another attribute of the same kind; null if there is none.
static Attribute getOther(Attribute attribute, std::mt19937 &random) {
  int step = pick(random, 2) ? 1 : -1;
  if (auto number = dyn_cast<IntegerAttr>(attribute)) {
    if (number.getType().isInteger(1))
      return BoolAttr::get(number.getContext(),
                           !number.getValue().getBoolValue());
    return IntegerAttr::get(number.getType(), number.getValue() + step);
  }
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return FloatAttr::get(number.getType(), number.getValueAsDouble() + step);
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute))
    return getOtherElements(dense, random);
  if (auto flags = dyn_cast<arith::FastMathFlagsAttr>(attribute))
    return arith::FastMathFlagsAttr::get(
        flags.getContext(), flags.getValue() ^ arith::FastMathFlags::nnan);
  if (auto map = dyn_cast<AffineMapAttr>(attribute)) {
    AffineMap value = map.getValue();
    if (value.getNumResults() < 2)
      return {};
    SmallVector<AffineExpr> results(value.getResults());
    std::swap(results[0], results[1]);
    return AffineMapAttr::get(AffineMap::get(
        value.getNumDims(), value.getNumSymbols(), results, map.getContext()));
  }
  return getOtherList(attribute, random);
}

static bool changeAttributeOf(Operation *op, std::mt19937 &random,
                              bool isConstant, bool isView) {
  if (isa<arith::ConstantOp>(op) != isConstant ||
      isa<OffsetSizeAndStrideOpInterface>(op) != isView)
    return false;
  SmallVector<NamedAttribute> attributes;
  for (NamedAttribute attribute : op->getAttrs())
    if (attribute.getName() != "operandSegmentSizes" &&
        !attribute.getName().strref().contains('.'))
      attributes.push_back(attribute);
  if (attributes.empty())
    return false;
  NamedAttribute chosen = attributes[pick(random, attributes.size())];
  Attribute other = getOther(chosen.getValue(), random);
  if (!other || other == chosen.getValue())
    return false;
  op->setAttr(chosen.getName(), other);
  // A number that stands for a word need not be one of those that there are.
  if (op->getAttr(chosen.getName()) == other)
    return true;
  op->setAttr(chosen.getName(), chosen.getValue());
  return false;
}

static bool moveOp(Operation *op, std::mt19937 &random) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<FunctionOpInterface>(op))
    return false;
  SmallVector<Operation *> places;
  for (Operation &other : *op->getBlock())
    if (&other != op && &other != op->getNextNode())
      places.push_back(&other);
  // Mostly near by.
  Operation *place = pick(random, 2) && op->getPrevNode() ? op->getPrevNode()
                     : places.empty() ? nullptr
                                      : places[pick(random, places.size())];
  if (!place)
    return false;
  op->moveBefore(place);
  return true;
}

static bool duplicate(Operation *op, std::mt19937 &random) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<FunctionOpInterface>(op))
    return false;
  SmallVector<Operation *> places;
  for (Operation *at = op->getNextNode(); at; at = at->getNextNode())
    places.push_back(at);
  if (places.empty()) // the last of a block without a terminator
    return false;
  Operation *place = places[pick(random, places.size())];
  Operation *copy = OpBuilder(place).clone(*op);
  bool takesOver = pick(random, 2);
  for (auto [was, is] : llvm::zip(op->getResults(), copy->getResults()))
    was.replaceUsesWithIf(is, [&](OpOperand &use) {
      Operation *user =
          copy->getBlock()->findAncestorOpInBlock(*use.getOwner());
      return takesOver && user && user != copy && copy->isBeforeInBlock(user);
    });
  return true;
}

static bool omit(Operation *op, std::mt19937 &random) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<FunctionOpInterface>(op))
    return false;
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    SmallVector<Value> others = getVisible(op, result.getType());
    if (others.empty())
      return false;
    // An operand rather than something else.
    Value other = others[pick(random, others.size())];
    for (Value operand : op->getOperands())
      if (operand.getType() == result.getType())
        other = operand;
    result.replaceAllUsesWith(other);
  }
  op->erase();
  return true;
}

static bool swapRegions(Operation *op, std::mt19937 &) {
  if (op->getNumRegions() < 2 || op->getRegion(0).empty() ||
      op->getRegion(1).empty() ||
      op->getRegion(0).getArgumentTypes() !=
          op->getRegion(1).getArgumentTypes())
    return false;
  Region spare;
  spare.takeBody(op->getRegion(0));
  op->getRegion(0).takeBody(op->getRegion(1));
  op->getRegion(1).takeBody(spare);
  return true;
}

static void exchangeUses(Value a, Value b) {
  SmallVector<OpOperand *> ofA, ofB;
  for (OpOperand &use : a.getUses())
    ofA.push_back(&use);
  for (OpOperand &use : b.getUses())
    ofB.push_back(&use);
  for (OpOperand *use : ofA)
    use->set(b);
  for (OpOperand *use : ofB)
    use->set(a);
}

/// Uses of two block arguments of one type exchanged.
static bool swapArguments(Operation *op, std::mt19937 &random) {
  SmallVector<std::pair<BlockArgument, BlockArgument>> pairs;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument a : block.getArguments())
        for (BlockArgument b : block.getArguments())
          if (a.getArgNumber() < b.getArgNumber() && a.getType() == b.getType())
            pairs.push_back({a, b});
  if (pairs.empty() || isa<FunctionOpInterface>(op))
    return false;
  auto [a, b] = pairs[pick(random, pairs.size())];
  if (a.use_empty() && b.use_empty())
    return false;
  exchangeUses(a, b);
  return true;
}

static bool changeCallee(Operation *op, std::mt19937 &) {
  auto call = dyn_cast<CallOpInterface>(op);
  auto module = op->getParentOfType<ModuleOp>();
  if (!call || !module)
    return false;
  auto name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  for (auto function : module.getOps<FunctionOpInterface>())
    if (TypeRange(function.getArgumentTypes()) ==
            TypeRange(op->getOperandTypes()) &&
        TypeRange(function.getResultTypes()) ==
            TypeRange(op->getResultTypes()) &&
        name.getLeafReference() != function.getNameAttr() &&
        op->getParentOfType<FunctionOpInterface>() != function) {
      call.setCalleeFromCallable(SymbolRefAttr::get(function.getNameAttr()));
      return true;
    }
  return false;
}

/// Uses of two results of one type exchanged.
static bool swapResults(Operation *op, std::mt19937 &random) {
  SmallVector<std::pair<Value, Value>> pairs;
  for (OpResult a : op->getResults())
    for (OpResult b : op->getResults())
      if (a.getResultNumber() < b.getResultNumber() &&
          a.getType() == b.getType() && !(a.use_empty() && b.use_empty()))
        pairs.push_back({a, b});
  if (pairs.empty())
    return false;
  auto [a, b] = pairs[pick(random, pairs.size())];
  exchangeUses(a, b);
  return true;
}

/// One call of a function calls another one, which differs by one operation.
static bool changeOneCall(Operation *op, std::mt19937 &random) {
  auto call = dyn_cast<CallOpInterface>(op);
  auto callee =
      call ? dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable())
           : FunctionOpInterface();
  if (!callee || callee.isExternal())
    return false;
  auto copy = cast<FunctionOpInterface>(OpBuilder(callee).clone(*callee));
  copy.setName((callee.getName() + ".changed").str());
  SmallVector<Operation *> places;
  copy.getFunctionBody().walk(
      [&](Operation *inner) { places.push_back(inner); });
  ArrayRef<MutationKind> kinds = getMutationKinds();
  const MutationKind &kind = kinds[pick(random, kinds.size())];
  // Copies of copies have no end.
  if (kind.name == "callee of one call" ||
      !kind.apply(places[pick(random, places.size())], random)) {
    copy->erase();
    return false;
  }
  call.setCalleeFromCallable(SymbolRefAttr::get(copy.getNameAttr()));
  return true;
}

/// Another operation on the same operands.
static bool changeName(Operation *op, std::mt19937 &random) {
  static const StringRef families[][4] = {
      {"arith.addf", "arith.subf", "arith.mulf", "arith.maximumf"},
      {"arith.addi", "arith.subi", "arith.muli", "arith.maxsi"},
      {"math.sin", "math.cos", "math.tanh", "math.absf"},
      {"linalg.add", "linalg.sub", "linalg.mul", "linalg.max"},
      {"linalg.exp", "linalg.abs", "linalg.negf", "linalg.tanh"}};
  for (const auto &family : families) {
    if (!llvm::is_contained(family, op->getName().getStringRef()) ||
        op->getNumRegions())
      continue;
    OpBuilder builder(op);
    Operation *other = builder.create(
        op->getLoc(),
        StringAttr::get(op->getContext(), family[pick(random, 4)]),
        op->getOperands(), op->getResultTypes(), op->getAttrs());
    if (other->getName() == op->getName()) {
      other->erase();
      return false;
    }
    op->replaceAllUsesWith(other->getResults());
    op->erase();
    return true;
  }
  return false;
}

static bool swapSuccessors(Operation *op, std::mt19937 &) {
  if (op->getNumSuccessors() != 2 || op->getSuccessor(0) == op->getSuccessor(1))
    return false;
  Block *first = op->getSuccessor(0);
  op->setSuccessor(op->getSuccessor(1), 0);
  op->setSuccessor(first, 1);
  return true;
}

llvm::ArrayRef<MutationKind> pebble::getMutationKinds() {
  auto attribute = [](bool isConstant, bool isView) {
    return [=](Operation *op, std::mt19937 &random) {
      return changeAttributeOf(op, random, isConstant, isView);
    };
  };
  static const MutationKind kinds[] = {
      {"operand", changeOperand},
      {"operands swapped", swapOperands},
      {"attribute", attribute(false, false)},
      {"constant", attribute(true, false)},
      {"view offset", attribute(false, true)},
      {"order", moveOp},
      {"duplicate", duplicate},
      {"omission", omit},
      {"regions swapped", swapRegions},
      {"block arguments swapped", swapArguments},
      {"callee", changeCallee},
      {"operation", changeName},
      {"results swapped", swapResults},
      {"callee of one call", changeOneCall},
      {"successors swapped", swapSuccessors}};
  return kinds;
}

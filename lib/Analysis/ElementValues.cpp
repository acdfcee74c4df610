//===- ElementValues.cpp - which values elements may take -----------------===//

#include "pebble/Analysis/ElementValues.h"

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace pebble {

/// Operations that are followed back from a destination.
static constexpr unsigned kMaxDepth = 4;
/// Rounds until what a reduction leaves behind no longer grows.
static constexpr unsigned kMaxRounds = 4;

Attribute getConstantValue(Value value) {
  while (auto opaque = value.getDefiningOp<OpaqueOp>())
    value = opaque->getOperand(0);
  Attribute constant;
  return matchPattern(value, m_Constant(&constant)) ? constant : Attribute();
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

/// Whether `op` may round twice: a machine makes a narrow float of a f32.
/// Folding rounds once.
static bool mayRoundTwice(Operation *op) {
  if (!isa<arith::SIToFPOp, arith::UIToFPOp, arith::TruncFOp>(op))
    return false;
  Type from = getElementTypeOrSelf(op->getOperand(0));
  Type to = getElementTypeOrSelf(op->getResult(0));
  if (to.isF32() || to.isF64())
    return false;
  constexpr unsigned kExactBits = 24, kFloatBits = 32;
  return !from.isIntOrFloat() ||
         from.getIntOrFloatBitWidth() >
             (from.isInteger() ? kExactBits : kFloatBits);
}

/// Whether all machines compute what `op` folds to: no library of functions has
/// a say in it, and no flag lets a compiler compute something else.
static bool isExact(Operation *op) {
  if (mayRoundTwice(op))
    return false;
  // A rounding mode is for the machine to know.
  if (auto rounding = dyn_cast<arith::ArithRoundingModeInterface>(op);
      rounding && rounding.getRoundingModeAttr())
    return false;
  if (op->getDialect() && isa<math::MathDialect>(op->getDialect()) &&
      !isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
           math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::CtPopOp,
           math::FloorOp, math::IPowIOp, math::RoundEvenOp, math::RoundOp,
           math::SqrtOp, math::TruncOp>(op))
    return false;
  // Which zero is the larger one is open.
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(op))
    return false;
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  return !fast || !fast.getFastMathFlagsAttr() ||
         fast.getFastMathFlagsAttr().getValue() == arith::FastMathFlags::none;
}

PayloadEvaluator::PayloadEvaluator(Block &block) : block(block) {
  for (Operation &op : block.without_terminator()) {
    if (op.getNumRegions() != 0 || op.getNumResults() != 1 || !isPure(&op) ||
        !isExact(&op))
      continue;
    Operation *copy = op.clone();
    for (OpOperand &operand : copy->getOpOperands())
      operand.set(others.addArgument(operand.get().getType(), op.getLoc()));
    copies[&op] = copy;
  }
}

PayloadEvaluator::~PayloadEvaluator() {
  for (auto [op, copy] : copies)
    copy->destroy();
}

Attribute PayloadEvaluator::fold(Operation *op,
                                 ArrayRef<Attribute> operands) const {
  Operation *copy = copies.lookup(op);
  if (!copy || llvm::is_contained(operands, Attribute()))
    return {};
  SmallVector<OpFoldResult, 1> results;
  if (failed(copy->fold(operands, results)) || results.size() != 1)
    return {};
  if (auto value = dyn_cast<Value>(results[0])) {
    for (auto [operand, known] : llvm::zip(copy->getOperands(), operands))
      if (operand == value)
        return known;
    return {};
  }
  // Machines make other NaNs than folding does.
  auto number = dyn_cast<FloatAttr>(cast<Attribute>(results[0]));
  return number && number.getValue().isNaN() ? Attribute()
                                             : cast<Attribute>(results[0]);
}

std::optional<SmallVector<Attribute>> PayloadEvaluator::run(
    ArrayRef<Attribute> arguments,
    llvm::function_ref<Attribute(Operation *)> getKnown) const {
  llvm::SmallDenseMap<Value, Attribute, 16> known;
  for (auto [argument, attribute] : llvm::zip(block.getArguments(), arguments))
    known[argument] = attribute;
  auto lookUp = [&](Value value) {
    auto found = known.find(value);
    return found != known.end() ? found->second : getConstantValue(value);
  };
  SmallVector<Attribute, 4> operands;
  for (Operation &op : block.without_terminator()) {
    if (op.getNumResults() != 1)
      return std::nullopt;
    operands = llvm::map_to_vector<4>(op.getOperands(), lookUp);
    Attribute given = getKnown(&op);
    known[op.getResult(0)] = given ? given : fold(&op, operands);
  }
  SmallVector<Attribute> results;
  for (Value operand : block.getTerminator()->getOperands()) {
    results.push_back(lookUp(operand));
    if (!results.back())
      return std::nullopt;
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Values of elements
//===----------------------------------------------------------------------===//

static std::optional<ElementValues> getValuesFrom(OpResult result,
                                                  unsigned depth);

namespace {
class ValueFinder {
public:
  ValueFinder(linalg::LinalgOp op, unsigned depth)
      : op(op), depth(depth), evaluator(*op.getBlock()),
        ranges(op.getStaticLoopRanges()) {}

  std::optional<ElementValues> find(unsigned result) {
    assumeDestinations();
    return getValues(getYielded(result));
  }

private:
  Value getYielded(unsigned result) {
    return op.getBlock()->getTerminator()->getOperand(result);
  }

  BlockArgument getDestinationArgument(unsigned result) {
    return op.getBlock()->getArgument(op.getNumDpsInputs() + result);
  }

  /// The constant that each element of an input is, or that a value is.
  Attribute getConstant(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != op.getBlock())
      return getConstantValue(value);
    if (argument.getArgNumber() >= op.getNumDpsInputs())
      return {};
    Attribute whole =
        getConstantValue(op.getDpsInputOperand(argument.getArgNumber())->get());
    auto elements = dyn_cast_or_null<DenseElementsAttr>(whole);
    if (!elements)
      return whole;
    return elements.isSplat() ? elements.getSplatValue<Attribute>()
                              : Attribute();
  }

  //===--------------------------------------------------------------------===//
  // Ranges of integers
  //===--------------------------------------------------------------------===//

  static ConstantIntRanges getAnything(Type type) {
    return ConstantIntRanges::maxRange(
        ConstantIntRanges::getStorageBitwidth(type));
  }

  /// What destinations hold whenever the payload reads them: what they held at
  /// first, and what the payload makes of that. Anything if that keeps growing.
  void assumeDestinations() {
    SmallVector<unsigned, 2> read;
    for (unsigned i = 0; i < op->getNumResults(); ++i) {
      BlockArgument argument = getDestinationArgument(i);
      if (!argument.use_empty() && argument.getType().isIntOrIndex()) {
        assumed.try_emplace(argument, getInitialRange(i));
        read.push_back(i);
      }
    }
    for (unsigned round = 0; round < kMaxRounds; ++round) {
      bool isStable = true;
      for (unsigned i : read) {
        ConstantIntRanges &was = assumed.at(getDestinationArgument(i));
        known.clear();
        ConstantIntRanges is = was.rangeUnion(getRange(getYielded(i)));
        isStable &= is == was;
        was = is;
      }
      if (isStable)
        return;
    }
    known.clear();
    assumed.clear();
  }

  ConstantIntRanges getInitialRange(unsigned result) {
    Type type = getDestinationArgument(result).getType();
    Value first = op.getDpsInitOperand(result)->get();
    while (auto opaque = first.getDefiningOp<OpaqueOp>())
      first = opaque->getOperand(0);
    auto init = dyn_cast<OpResult>(first);
    if (!init || depth == kMaxDepth)
      return getAnything(type);
    // What the filler leaves of its own destination may be anything.
    std::optional<ElementValues> values = getValuesFrom(init, depth + 1);
    if (!values || values->empty())
      return getAnything(type);
    auto toRange = [](Attribute value) {
      return ConstantIntRanges::constant(cast<IntegerAttr>(value).getValue());
    };
    ConstantIntRanges all = toRange(values->front());
    for (Attribute value : *values)
      all = all.rangeUnion(toRange(value));
    return all;
  }

  ConstantIntRanges getRange(Value value) {
    if (auto found = known.find(value); found != known.end())
      return found->second;
    ConstantIntRanges range = computeRange(value);
    known.try_emplace(value, range);
    return range;
  }

  ConstantIntRanges computeRange(Value value) {
    if (auto number = dyn_cast_or_null<IntegerAttr>(getConstant(value)))
      return ConstantIntRanges::constant(number.getValue());
    if (auto found = assumed.find(value); found != assumed.end())
      return found->second;
    Operation *maker = value.getDefiningOp();
    if (!maker || maker->getBlock() != op.getBlock())
      return getAnything(value.getType());
    if (auto index = dyn_cast<linalg::IndexOp>(maker)) {
      int64_t size = ranges[index.getDim()];
      if (ShapedType::isDynamic(size) || size == 0)
        return getAnything(value.getType());
      return ConstantIntRanges::fromUnsigned(APInt(64, 0), APInt(64, size - 1));
    }
    auto inferring = dyn_cast<InferIntRangeInterface>(maker);
    if (!inferring)
      return getAnything(value.getType());
    SmallVector<ConstantIntRanges> operands;
    for (Value operand : maker->getOperands())
      operands.push_back(getRange(operand));
    ConstantIntRanges range = getAnything(value.getType());
    inferring.inferResultRanges(
        operands, [&](Value result, const ConstantIntRanges &found) {
          if (result == value)
            range = found;
        });
    return range;
  }

  /// All numbers of a range, where they are few.
  static std::optional<ElementValues> list(const ConstantIntRanges &range,
                                           Type type) {
    auto listFrom = [&](const APInt &first,
                        const APInt &last) -> std::optional<ElementValues> {
      APInt steps = last - first;
      if (steps.uge(kMaxElementValues))
        return std::nullopt;
      ElementValues values;
      for (APInt at = first;; ++at) {
        values.push_back(IntegerAttr::get(type, at));
        if (at == last)
          return values;
      }
    };
    if (range.umin().getBitWidth() == 0)
      return std::nullopt;
    auto values = listFrom(range.smin(), range.smax());
    return values ? values : listFrom(range.umin(), range.umax());
  }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  std::optional<ElementValues> getValues(Value value) {
    if (Attribute constant = getConstant(value))
      return isa<IntegerAttr, FloatAttr>(constant)
                 ? std::optional(ElementValues{constant})
                 : std::nullopt;
    if (value.getType().isIntOrIndex())
      if (auto values = list(getRange(value), value.getType()))
        return values;
    Operation *maker = value.getDefiningOp();
    if (!maker || maker->getBlock() != op.getBlock())
      return std::nullopt;
    if (auto select = dyn_cast<arith::SelectOp>(maker)) {
      auto values = getValues(select.getTrueValue());
      auto others = getValues(select.getFalseValue());
      if (!values || !others)
        return std::nullopt;
      values->append(*others);
      return reduce(std::move(*values));
    }
    return foldFrom(maker);
  }

  static std::optional<ElementValues> reduce(ElementValues values) {
    llvm::SmallDenseSet<Attribute> seen;
    llvm::erase_if(values,
                   [&](Attribute value) { return !seen.insert(value).second; });
    if (values.size() > size_t(kMaxElementValues))
      return std::nullopt;
    return values;
  }

  /// What `maker` makes of the values of the one operand that is no constant.
  std::optional<ElementValues> foldFrom(Operation *maker) {
    SmallVector<Attribute, 4> operands;
    std::optional<unsigned> open;
    for (auto [index, operand] : llvm::enumerate(maker->getOperands())) {
      operands.push_back(getConstant(operand));
      if (operands.back())
        continue;
      if (open)
        return std::nullopt;
      open = index;
    }
    if (!open)
      return std::nullopt;
    std::optional<ElementValues> values = getValues(maker->getOperand(*open));
    if (!values)
      return std::nullopt;
    for (Attribute &value : *values) {
      operands[*open] = value;
      value = evaluator.fold(maker, operands);
      if (!value)
        return std::nullopt;
    }
    return reduce(std::move(*values));
  }

  linalg::LinalgOp op;
  /// Destinations that were followed back to get here.
  unsigned depth;
  PayloadEvaluator evaluator;
  SmallVector<int64_t> ranges;
  llvm::DenseMap<Value, ConstantIntRanges> known, assumed;
};
} // namespace

bool isWrittenInFull(OpResult result) {
  auto op = dyn_cast<linalg::LinalgOp>(result.getOwner());
  return op && op.hasPureTensorSemantics() &&
         op.getBlock()->getTerminator()->getNumOperands() ==
             op->getNumResults() &&
         op.getIndexingMapMatchingResult(result).isProjectedPermutation() &&
         llvm::all_of(op.getStaticLoopRanges(), [](int64_t size) {
           return !ShapedType::isDynamic(size) && size > 0;
         });
}

static std::optional<ElementValues> getValuesFrom(OpResult result,
                                                  unsigned depth) {
  if (!isWrittenInFull(result))
    return std::nullopt;
  return ValueFinder(cast<linalg::LinalgOp>(result.getOwner()), depth)
      .find(result.getResultNumber());
}

std::optional<ElementValues> getElementValues(OpResult result) {
  return getValuesFrom(result, 0);
}

} // namespace pebble

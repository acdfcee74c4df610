//===- PackOps.cpp - operations that pack and unpack ----------------------===//

#include "PackOps.h"

#include "pebble/Dialect/DimBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;

namespace pebble {

/// Values that single comparisons tell apart, where they are no row of numbers.
static constexpr size_t kMaxCompared = 4;

//===----------------------------------------------------------------------===//
// Which form
//===----------------------------------------------------------------------===//

/// The number that `value` is, if it is a whole one.
static std::optional<int64_t> getWholeNumber(Attribute value) {
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    if (number.getType().isInteger(1))
      return number.getValue().getZExtValue();
    return number.getValue().trySExtValue();
  }
  APSInt whole(/*BitWidth=*/32, /*isUnsigned=*/false);
  bool isExact = false;
  if (cast<FloatAttr>(value).getValue().convertToInteger(
          whole, APFloat::rmTowardZero, &isExact) != APFloat::opOK ||
      !isExact)
    return std::nullopt;
  return whole.getExtValue();
}

/// The first of the whole numbers that `values` are, which lie close together.
static std::optional<int64_t> getFirst(ArrayRef<Attribute> values,
                                       int64_t &count) {
  int64_t first = std::numeric_limits<int64_t>::max(), last = -first;
  for (Attribute value : values) {
    std::optional<int64_t> number = getWholeNumber(value);
    if (!number || std::abs(*number) > (int64_t(1) << 30))
      return std::nullopt;
    first = std::min(first, *number);
    last = std::max(last, *number);
  }
  count = last - first + 1;
  if (count > kMaxElementValues)
    return std::nullopt;
  return first;
}

/// As many elements in a byte as fit and as some dimension is a multiple of.
static Packing choosePacking(ArrayRef<int64_t> shape, unsigned bits) {
  for (int64_t count = 8 / bits; count > 1; count /= 2)
    for (unsigned dim = shape.size(); dim-- > 0;)
      if (shape[dim] % count == 0)
        return {dim, count};
  return {0, 1};
}

/// The operation that widens what `value` is made of.
static Operation *findWidening(OpResult value) {
  auto op = dyn_cast<linalg::LinalgOp>(value.getOwner());
  if (!op || !isWrittenInFull(value))
    return nullptr;
  Operation *last = op.getBlock()
                        ->getTerminator()
                        ->getOperand(value.getResultNumber())
                        .getDefiningOp();
  return last && isExactWidening(last) && last->getBlock() == op.getBlock()
             ? last
             : nullptr;
}

std::optional<SmallForm> SmallForm::find(OpResult value) {
  auto as = dyn_cast<RankedTensorType>(value.getType());
  if (!as || !as.hasStaticShape() || as.getEncoding() ||
      !as.getElementType().isIntOrIndexOrFloat())
    return std::nullopt;
  SmallForm form;
  std::optional<ElementValues> values = getElementValues(value);
  if (values && values->size() > 1) {
    int64_t count = values->size();
    form.first = getFirst(*values, count);
    if (!form.first && values->size() > kMaxCompared)
      return std::nullopt;
    for (form.bits = 1; int64_t(1) << form.bits < count; form.bits *= 2) {
    }
    form.values = std::move(*values);
    form.packing = choosePacking(as.getShape(), form.bits);
    form.bits = 8 / form.packing.count;
    SmallVector<int64_t> shape(as.getShape());
    if (form.packing.count > 1)
      shape[form.packing.dim] /= form.packing.count;
    form.type =
        RankedTensorType::get(shape, IntegerType::get(value.getContext(), 8));
  } else if (Operation *widening = findWidening(value)) {
    form.widening = widening->getName();
    form.type = as.clone(widening->getOperand(0).getType());
  } else {
    return std::nullopt;
  }
  std::optional<int64_t> bytes = getStaticBytes(as),
                         least = getStaticBytes(form.type);
  if (!bytes || !least || *least >= *bytes)
    return std::nullopt;
  return form;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static Value makeInteger(OpBuilder &builder, Location loc, Type type,
                         int64_t number) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return arith::ConstantOp::create(
      builder, loc,
      IntegerAttr::get(type, APInt(width, number, /*isSigned=*/true,
                                   /*implicitTrunc=*/true)));
}

/// `value` as an integer of type `as`, cut off or filled up with zeros.
static Value resize(OpBuilder &builder, Location loc, Value value, Type as) {
  Type type = value.getType();
  if (type == as)
    return value;
  if (type.isIndex() || as.isIndex())
    return arith::IndexCastUIOp::create(builder, loc, as, value);
  if (type.getIntOrFloatBitWidth() < as.getIntOrFloatBitWidth())
    return arith::ExtUIOp::create(builder, loc, as, value);
  return arith::TruncIOp::create(builder, loc, as, value);
}

Value SmallForm::encode(OpBuilder &builder, Location loc, Value element) const {
  Type byte = builder.getI8Type(), as = element.getType();
  if (first) {
    if (isa<FloatType>(as))
      element =
          arith::FPToSIOp::create(builder, loc, builder.getI32Type(), element);
    if (*first != 0)
      element = arith::SubIOp::create(
          builder, loc, element,
          makeInteger(builder, loc, element.getType(), *first));
    return resize(builder, loc, element, byte);
  }
  Value code = makeInteger(builder, loc, byte, 0);
  for (size_t i = 1; i < values.size(); ++i) {
    Value value =
        arith::ConstantOp::create(builder, loc, cast<TypedAttr>(values[i]));
    Value is =
        isa<FloatType>(as)
            ? Value(arith::CmpFOp::create(
                  builder, loc, arith::CmpFPredicate::OEQ, element, value))
            : Value(arith::CmpIOp::create(
                  builder, loc, arith::CmpIPredicate::eq, element, value));
    if (values.size() == 2)
      return arith::ExtUIOp::create(builder, loc, byte, is);
    code = arith::SelectOp::create(builder, loc, is,
                                   makeInteger(builder, loc, byte, i), code);
  }
  return code;
}

Value SmallForm::decode(OpBuilder &builder, Location loc, Value code,
                        Type as) const {
  if (first) {
    Type number = isa<FloatType>(as) ? builder.getI32Type() : as;
    Value element = resize(builder, loc, code, number);
    if (*first != 0)
      element = arith::AddIOp::create(
          builder, loc, element, makeInteger(builder, loc, number, *first));
    return isa<FloatType>(as)
               ? Value(arith::SIToFPOp::create(builder, loc, as, element))
               : element;
  }
  Value element =
      arith::ConstantOp::create(builder, loc, cast<TypedAttr>(values[0]));
  for (size_t i = 1; i < values.size(); ++i) {
    Value value =
        arith::ConstantOp::create(builder, loc, cast<TypedAttr>(values[i]));
    Value is = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, code,
        makeInteger(builder, loc, builder.getI8Type(), i));
    element = arith::SelectOp::create(builder, loc, is, value, element);
  }
  return element;
}

/// The code of the element that the loops are at.
Value SmallForm::getCode(OpBuilder &builder, Location loc, Value byte,
                         Type as) const {
  if (packing.count == 1)
    return byte;
  Type type = byte.getType(), index = builder.getIndexType();
  Value at = linalg::IndexOp::create(builder, loc, packing.dim);
  at = arith::RemUIOp::create(builder, loc, at,
                              makeInteger(builder, loc, index, packing.count));
  at = arith::IndexCastUIOp::create(builder, loc, type, at);
  if (bits > 1)
    at = arith::MulIOp::create(builder, loc, at,
                               makeInteger(builder, loc, type, bits));
  Value code = arith::ShRUIOp::create(builder, loc, byte, at);
  // What is above the last bit is cut off anyway.
  if (bits == 1 && as.isInteger(1))
    return code;
  return arith::AndIOp::create(
      builder, loc, code,
      makeInteger(builder, loc, type, (int64_t(1) << bits) - 1));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// `wide`, a float or an integer, in the narrow type that it was widened from.
static Value narrow(OpBuilder &builder, Location loc, Value wide, Type as) {
  if (isa<IntegerType>(as))
    return arith::TruncIOp::create(builder, loc, as, wide);
  if (!as.isBF16())
    return arith::TruncFOp::create(builder, loc, as, wide);
  // Rounding would make one NaN of all.
  Type word = builder.getI32Type();
  Value bits = arith::BitcastOp::create(builder, loc, word, wide);
  bits = arith::ShRUIOp::create(builder, loc, bits,
                                makeInteger(builder, loc, word, 16));
  bits = arith::TruncIOp::create(builder, loc, builder.getI16Type(), bits);
  return arith::BitcastOp::create(builder, loc, as, bits);
}

static Value makeElementwise(
    OpBuilder &builder, Location loc, RankedTensorType type, ValueRange inputs,
    ArrayRef<AffineMap> inputMaps,
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> compute) {
  Value destination = bufferization::AllocTensorOp::create(
      builder, loc, type, ValueRange(), Value());
  SmallVector<AffineMap> maps(inputMaps);
  maps.push_back(builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), inputs, destination, maps, loops,
             [&](OpBuilder &inside, Location at, ValueRange arguments) {
               linalg::YieldOp::create(inside, at,
                                       compute(inside, at, arguments));
             })
      ->getResult(0);
}

Value SmallForm::pack(OpBuilder &builder, Location loc, Value value) const {
  unsigned rank = type.getRank();
  SmallVector<AffineMap> maps;
  for (int64_t i = 0; i < packing.count; ++i)
    maps.push_back(getPackMap(builder.getContext(), rank, packing, i));
  auto compute = [&](OpBuilder &inside, Location at,
                     ValueRange elements) -> Value {
    if (widening)
      return narrow(inside, at, elements[0], type.getElementType());
    Value all = encode(inside, at, elements[0]);
    for (int64_t i = 1; i < packing.count; ++i) {
      Value code = arith::ShLIOp::create(
          inside, at, encode(inside, at, elements[i]),
          makeInteger(inside, at, type.getElementType(), i * bits));
      all = arith::OrIOp::create(inside, at, all, code);
    }
    return all;
  };
  return makeElementwise(builder, loc, type,
                         SmallVector<Value>(packing.count, value), maps,
                         compute);
}

Value SmallForm::unpack(OpBuilder &builder, Location loc, Value packed,
                        RankedTensorType as) const {
  auto compute = [&](OpBuilder &inside, Location at,
                     ValueRange elements) -> Value {
    if (!widening)
      return decode(inside, at,
                    getCode(inside, at, elements[0], as.getElementType()),
                    as.getElementType());
    return inside
        .create(at, widening->getIdentifier(), elements[0],
                TypeRange(as.getElementType()))
        ->getResult(0);
  };
  return makeElementwise(
      builder, loc, as, packed,
      getUnpackMap(builder.getContext(), type.getRank(), packing), compute);
}

} // namespace pebble

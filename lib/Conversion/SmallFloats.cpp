//===- SmallFloats.cpp - floats that no machine computes with -------------===//
//
// A float of 8 bits is computed with as one of 32 and rounded afterwards, as
// upstream emulates it; the sum, product, quotient and root of two such floats
// are the same as those rounded once. For the conversions themselves upstream
// has calls of a library of its own. Here they become some twenty operations on
// integers, for vectors as for single numbers.
//
//===----------------------------------------------------------------------===//

#include "SmallFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace pebble;

bool pebble::isSmallFloat(Type type) {
  auto number = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return number && number.getWidth() <= 8;
}

/// What is scaled becomes a product and a conversion.
static void expandScalings(Operation *top) {
  SmallVector<Operation *> scalings;
  top->walk([&](Operation *op) {
    if (isa<arith::ScalingExtFOp, arith::ScalingTruncFOp>(op))
      scalings.push_back(op);
  });
  RewritePatternSet patterns(top->getContext());
  arith::populateExpandScalingExtTruncPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps)
      .enableFolding(false);
  if (!scalings.empty())
    (void)applyOpPatternsGreedily(scalings, std::move(patterns), config);
}

void pebble::emulateSmallFloats(Operation *top) {
  MLIRContext *context = top->getContext();
  expandScalings(top);
  const Type types[] = {
      Float8E5M2Type::get(context),     Float8E4M3Type::get(context),
      Float8E4M3FNType::get(context),   Float8E5M2FNUZType::get(context),
      Float8E4M3FNUZType::get(context), Float8E4M3B11FNUZType::get(context),
      Float8E3M4Type::get(context),     Float8E8M0FNUType::get(context),
      Float6E2M3FNType::get(context),   Float6E3M2FNType::get(context),
      Float4E2M1FNType::get(context)};
  TypeConverter converter;
  arith::populateEmulateUnsupportedFloatsConversions(converter, types,
                                                     Float32Type::get(context));
  RewritePatternSet patterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, converter);
  // What stays is told when it is lowered.
  (void)applyPartialConversion(top, target, std::move(patterns));
}

/// Powers of two alone: no sign, no digits, no zero.
static bool isScale(Type type) {
  return isa<Float8E8M0FNUType>(getElementTypeOrSelf(type));
}

namespace {

/// What the bits of a kind of float mean.
struct Format {
  explicit Format(Type type)
      : semantics(
            cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics()),
        width(APFloat::semanticsSizeInBits(semantics)),
        mantissa(APFloat::semanticsPrecision(semantics) - 1),
        minExponent(APFloat::semanticsMinExponent(semantics)),
        hasInf(APFloat::semanticsHasInf(semantics)),
        hasNaN(APFloat::semanticsHasNaN(semantics)),
        hasMinusZero(APFloat::getZero(semantics, true).isNegative()) {}

  int64_t bits(const APFloat &value) const {
    return static_cast<int64_t>(value.bitcastToAPInt().getZExtValue());
  }
  int64_t largest() const { return bits(APFloat::getLargest(semantics)); }
  int64_t infinity() const { return bits(APFloat::getInf(semantics)); }
  int64_t nan() const { return bits(APFloat::getQNaN(semantics)); }
  int64_t sign() const { return int64_t(1) << (width - 1); }
  int64_t quietBit() const { return int64_t(1) << (mantissa - 1); }
  /// What the exponent of a normal number is stored above.
  int64_t bias() const { return 1 - minExponent; }

  const llvm::fltSemantics &semantics;
  int64_t width, mantissa, minExponent;
  bool hasInf, hasNaN, hasMinusZero;
};

/// Operations on integers of one width, or on vectors of them.
class Bits {
public:
  Bits(OpBuilder &builder, Location loc, Type like, unsigned width)
      : builder(builder), loc(loc), like(like), width(width) {}

  /// The type that is like the converted one, but of `element`.
  Type in(Type element) const {
    auto shaped = dyn_cast<ShapedType>(like);
    return shaped ? Type(shaped.clone(element)) : element;
  }
  Type ofWidth(unsigned bits) const { return in(builder.getIntegerType(bits)); }
  Value constant(int64_t value) const {
    Type type = ofWidth(width);
    TypedAttr attr = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
    if (auto shaped = dyn_cast<ShapedType>(type))
      attr = DenseElementsAttr::get(shaped, Attribute(attr));
    return arith::ConstantOp::create(builder, loc, attr);
  }
  template <typename Op>
  Value make(Value a, Value b) const {
    return Op::create(builder, loc, a, b);
  }
  template <typename Op>
  Value make(Value a, int64_t b) const {
    return Op::create(builder, loc, a, constant(b));
  }
  Value is(arith::CmpIPredicate how, Value a, int64_t b) const {
    return arith::CmpIOp::create(builder, loc, how, a, constant(b));
  }
  Value select(Value condition, Value a, Value b) const {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value bitcast(Type element, Value value) const {
    return arith::BitcastOp::create(builder, loc, in(element), value);
  }

  OpBuilder &builder;
  Location loc;
  Type like;
  unsigned width;
};

} // namespace

/// The magnitude `to` that the magnitude `from` rounds to, ties to even, as if
/// neither had special values.
static Value roundMagnitude(const Bits &ops, Value magnitude,
                            const Format &from, const Format &to) {
  using namespace arith;
  Value stored = ops.make<ShRUIOp>(magnitude, from.mantissa);
  Value fraction = ops.make<AndIOp>(magnitude, from.quietBit() * 2 - 1);
  Value isNormal = ops.is(CmpIPredicate::ne, stored, 0);
  Value whole = ops.make<OrIOp>(fraction, from.quietBit() * 2);
  whole = ops.select(isNormal, whole, fraction);
  // How far the exponent is above the least one of `to`.
  Value above = ops.make<SubIOp>(ops.make<MaxUIOp>(stored, 1),
                                 from.bias() + to.minExponent);
  Value below = ops.make<SubIOp>(ops.constant(0), above);
  Value shift = ops.make<AddIOp>(ops.make<MaxSIOp>(below, 0),
                                 from.mantissa - to.mantissa);
  shift = ops.make<MinUIOp>(shift, from.mantissa + 2); // all is gone by then
  Value half = ops.make<ShLIOp>(ops.constant(1), ops.make<SubIOp>(shift, 1));
  Value isOdd = ops.make<AndIOp>(ops.make<ShRUIOp>(whole, shift), 1);
  Value sum = ops.make<AddIOp>(whole, ops.make<SubIOp>(half, 1));
  Value rounded = ops.make<ShRUIOp>(ops.make<AddIOp>(sum, isOdd), shift);
  Value exponent = ops.make<ShLIOp>(ops.make<MaxSIOp>(above, 0), to.mantissa);
  return ops.make<AddIOp>(rounded, exponent);
}

/// The bits of the small float `to` that a float of `from` with the bits
/// `value` becomes.
static Value truncateBits(const Bits &ops, Value value, const Format &from,
                          const Format &to) {
  using namespace arith;
  Value sign = ops.make<ShRUIOp>(ops.make<AndIOp>(value, from.sign()),
                                 from.width - to.width);
  Value magnitude = ops.make<AndIOp>(value, from.sign() - 1);
  Value result = roundMagnitude(ops, magnitude, from, to);
  // What is too large for `to`.
  Value tooLarge = ops.is(CmpIPredicate::ugt, result, to.largest());
  Value special = ops.constant(to.hasInf   ? to.infinity()
                               : to.hasNaN ? to.nan() & (to.sign() - 1)
                                           : to.largest());
  bool oneNaN = to.hasNaN && !to.hasMinusZero;
  if (oneNaN)
    special = ops.constant(to.nan());
  result = ops.select(tooLarge, special, result);
  if (to.hasInf) {
    // Of a NaN, the upper digits stay.
    Value digits = ops.make<ShRUIOp>(magnitude, from.mantissa - to.mantissa);
    digits = ops.make<AndIOp>(digits, to.quietBit() * 2 - 1);
    Value nan = ops.make<OrIOp>(digits, to.infinity() | to.quietBit());
    result = ops.select(ops.is(CmpIPredicate::ugt, magnitude, from.infinity()),
                        nan, result);
  }
  Value isSigned = ops.make<OrIOp>(result, sign);
  if (to.hasMinusZero)
    return isSigned;
  // The bits of minus zero are those of the one NaN.
  Value isZero = ops.is(CmpIPredicate::eq, result, 0);
  return ops.select(isZero, result, isSigned);
}

/// The f32 with the value of the small float `from` with the bits `value`.
static Value extendBits(const Bits &ops, Value value, const Format &from) {
  using namespace arith;
  const Format to(ops.builder.getF32Type());
  Type f32 = ops.builder.getF32Type();
  Value sign = ops.make<ShLIOp>(ops.make<AndIOp>(value, from.sign()),
                                to.width - from.width);
  Value magnitude = ops.make<AndIOp>(value, from.sign() - 1);
  // Read as an f32 the bits mean a number that is smaller by a power of two,
  // which may have no normal form.
  Value shifted = ops.make<ShLIOp>(magnitude, to.mantissa - from.mantissa);
  APFloat power = scalbn(APFloat::getOne(APFloat::IEEEsingle()),
                         static_cast<int>(to.bias() - from.bias()),
                         APFloat::rmNearestTiesToEven);
  Value scale = ops.bitcast(f32, ops.constant(to.bits(power)));
  Value scaled =
      MulFOp::create(ops.builder, ops.loc, ops.bitcast(f32, shifted), scale);
  Value result = ops.bitcast(ops.builder.getI32Type(), scaled);
  if (from.hasInf) {
    Value isSpecial = ops.is(CmpIPredicate::uge, magnitude, from.infinity());
    Value special = ops.make<OrIOp>(shifted, to.infinity());
    Value isNaN = ops.is(CmpIPredicate::ugt, magnitude, from.infinity());
    special =
        ops.select(isNaN, ops.make<OrIOp>(special, to.quietBit()), special);
    result = ops.select(isSpecial, special, result);
  } else if (from.hasNaN && from.hasMinusZero) {
    // All digits of the one NaN are ones, and stay.
    Value isNaN =
        ops.is(CmpIPredicate::eq, magnitude, from.nan() & (from.sign() - 1));
    result = ops.select(isNaN, ops.make<OrIOp>(shifted, to.nan()), result);
  }
  result = ops.make<OrIOp>(result, sign);
  if (from.hasNaN && !from.hasMinusZero)
    result = ops.select(ops.is(CmpIPredicate::eq, value, from.nan()),
                        ops.constant(to.nan()), result);
  return ops.bitcast(f32, result);
}

/// The exponent, as a scale stores it, that an f64 with the bits `value` rounds
/// to: what lies in the middle goes up. Signs are dropped, and what is smaller
/// than the least scale becomes that one.
static Value truncateToScale(const Bits &ops, Value value, const Format &from) {
  using namespace arith;
  constexpr int64_t kBias = 127, kNaN = 255;
  Value magnitude = ops.make<AndIOp>(value, from.sign() - 1);
  Value rounded = ops.make<ShRUIOp>(
      ops.make<AddIOp>(magnitude, from.quietBit()), from.mantissa);
  Value exponent = ops.make<SubIOp>(rounded, from.bias() - kBias);
  return ops.make<MinSIOp>(ops.make<MaxSIOp>(exponent, 0), kNaN);
}

/// The f32 with the value of the scale with the bits `value`.
static Value extendScale(const Bits &ops, Value value) {
  using namespace arith;
  constexpr int64_t kNaN = 255;
  const Format to(ops.builder.getF32Type());
  // The least one has no normal form.
  Value least = ops.constant(to.quietBit());
  Value result = ops.make<ShLIOp>(value, to.mantissa);
  result = ops.select(ops.is(CmpIPredicate::eq, value, 0), least, result);
  result = ops.select(ops.is(CmpIPredicate::eq, value, kNaN),
                      ops.constant(to.nan()), result);
  return ops.bitcast(ops.builder.getF32Type(), result);
}

/// From a small float to f32, and from there.
static void expandExtension(arith::ExtFOp op) {
  OpBuilder builder(op);
  const bool isOfScale = isScale(op.getIn().getType());
  Bits ops(builder, op.getLoc(), op.getType(), /*width=*/32);
  auto small = cast<FloatType>(getElementTypeOrSelf(op.getIn().getType()));
  Value bits =
      ops.bitcast(builder.getIntegerType(small.getWidth()), op.getIn());
  bits = arith::ExtUIOp::create(builder, op.getLoc(), ops.ofWidth(32), bits);
  Value result =
      isOfScale ? extendScale(ops, bits) : extendBits(ops, bits, Format(small));
  auto type = cast<FloatType>(getElementTypeOrSelf(op.getType()));
  if (type.getWidth() > 32)
    result = arith::ExtFOp::create(builder, op.getLoc(), op.getType(), result);
  else if (type.getWidth() < 32)
    result =
        arith::TruncFOp::create(builder, op.getLoc(), op.getType(), result);
  op.replaceAllUsesWith(result);
  op.erase();
}

/// From f64, or anything that is exactly an f32, to a small float.
static void expandTruncation(arith::TruncFOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value input = op.getIn();
  auto type = cast<FloatType>(getElementTypeOrSelf(input.getType()));
  const bool isToScale = isScale(op.getType());
  auto by = cast<FloatType>(type.isF64() || isToScale ? builder.getF64Type()
                                                      : builder.getF32Type());
  Bits ops(builder, loc, op.getType(), by.getWidth());
  if (type != by)
    input = arith::ExtFOp::create(builder, loc, ops.in(by), input);
  const Format from(by);
  Value bits = ops.bitcast(builder.getIntegerType(by.getWidth()), input);
  Value result = isToScale
                     ? truncateToScale(ops, bits, from)
                     : truncateBits(ops, bits, from, Format(op.getType()));
  auto small = cast<FloatType>(getElementTypeOrSelf(op.getType()));
  result = arith::TruncIOp::create(builder, loc, ops.ofWidth(small.getWidth()),
                                   result);
  result = arith::BitcastOp::create(builder, loc, op.getType(), result);
  op.replaceAllUsesWith(result);
  op.erase();
}

void pebble::expandSmallFloats(Operation *top) {
  SmallVector<arith::TruncFOp> truncations;
  top->walk([&](arith::TruncFOp op) {
    auto type = cast<FloatType>(getElementTypeOrSelf(op.getIn().getType()));
    auto rounding = op.getRoundingmode();
    if (isSmallFloat(op.getType()) && type.getWidth() <= 64 &&
        (!rounding || *rounding == arith::RoundingMode::to_nearest_even))
      truncations.push_back(op);
  });
  for (arith::TruncFOp op : truncations)
    expandTruncation(op);
  SmallVector<arith::ExtFOp> extensions;
  top->walk([&](arith::ExtFOp op) {
    if (isSmallFloat(op.getIn().getType()))
      extensions.push_back(op);
  });
  for (arith::ExtFOp op : extensions)
    expandExtension(op);
}

//===- Packing.cpp - what a packed tensor gives back ----------------------===//

#include "Packing.h"

#include "pebble/Analysis/ElementValues.h"
#include "pebble/Dialect/Flags.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace pebble {

AffineMap getPackMap(MLIRContext *context, unsigned rank, Packing packing,
                     int64_t i) {
  SmallVector<AffineExpr> places;
  for (unsigned dim = 0; dim < rank; ++dim)
    places.push_back(getAffineDimExpr(dim, context));
  if (packing.count > 1)
    places[packing.dim] = places[packing.dim] * packing.count + i;
  return AffineMap::get(rank, 0, places, context);
}

AffineMap getUnpackMap(MLIRContext *context, unsigned rank, Packing packing) {
  SmallVector<AffineExpr> places;
  for (unsigned dim = 0; dim < rank; ++dim)
    places.push_back(getAffineDimExpr(dim, context));
  if (packing.count > 1)
    places[packing.dim] = places[packing.dim].floorDiv(packing.count);
  return AffineMap::get(rank, 0, places, context);
}

/// Whether all that the payload of `op` reads from outside is constant. A
/// tensor may be overwritten between two operations that read it.
static bool capturesConstants(linalg::GenericOp op) {
  Block *payload = op.getBlock();
  return llvm::all_of(*payload, [&](Operation &inner) {
    return inner.getNumRegions() == 0 &&
           llvm::all_of(inner.getOperands(), [&](Value value) {
             return value.getParentBlock() == payload ||
                    getConstantValue(value);
           });
  });
}

/// One result that is written in full, element by element, from static tensors
/// of its rank and from constants.
static bool isElementwise(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumResults() != 1 ||
      op.getNumDpsInputs() == 0 || op.getNumLoops() != op.getNumParallelLoops())
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() ||
      !op.getIndexingMapsArray().back().isIdentity() ||
      !op.getBlock()->getArguments().back().use_empty() ||
      !capturesConstants(op))
    return false;
  return llvm::all_of(op.getInputs(), [&](Value input) {
    auto other = dyn_cast<RankedTensorType>(input.getType());
    return other && other.hasStaticShape() && other.getRank() == type.getRank();
  });
}

/// The packing for which the maps of all inputs are those that `getMap` says.
static std::optional<Packing>
findPacking(linalg::GenericOp op, int64_t count,
            llvm::function_ref<AffineMap(Packing, int64_t)> getMap) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // A number alone has no neighbours that a byte could hold.
  if (op.getNumLoops() == 0 && count > 1)
    return std::nullopt;
  for (unsigned dim = 0; dim < std::max(1u, op.getNumLoops()); ++dim) {
    bool isSame = true;
    for (int64_t i = 0; i < op.getNumDpsInputs(); ++i)
      isSame &= maps[i] == getMap({dim, count}, i);
    if (isSame)
      return Packing{dim, count};
  }
  return std::nullopt;
}

/// Whether `wide` has the shape of `narrow`, with `packing.count` elements for
/// each one.
static bool isShapeOf(Type wide, Type narrow, Packing packing) {
  SmallVector<int64_t> shape(cast<ShapedType>(narrow).getShape());
  if (packing.count > 1)
    shape[packing.dim] *= packing.count;
  return cast<ShapedType>(wide).getShape() == ArrayRef<int64_t>(shape);
}

std::optional<Packing> matchPack(linalg::GenericOp op) {
  if (!isElementwise(op) || op.getNumDpsInputs() > 8)
    return std::nullopt;
  std::optional<Packing> packing =
      findPacking(op, op.getNumDpsInputs(), [&](Packing packing, int64_t i) {
        return getPackMap(op.getContext(), op.getNumLoops(), packing, i);
      });
  if (!packing || !llvm::all_of(op.getInputs(), [&](Value input) {
        return isShapeOf(input.getType(), op->getResult(0).getType(), *packing);
      }))
    return std::nullopt;
  return packing;
}

std::optional<Packing> matchUnpack(linalg::GenericOp op) {
  if (!isElementwise(op) || op.getNumDpsInputs() != 1)
    return std::nullopt;
  for (int64_t count : {1, 2, 4, 8}) {
    std::optional<Packing> packing =
        findPacking(op, count, [&](Packing packing, int64_t) {
          return getUnpackMap(op.getContext(), op.getNumLoops(), packing);
        });
    if (packing && isShapeOf(op->getResult(0).getType(),
                             op.getInputs()[0].getType(), *packing))
      return packing;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The proof
//===----------------------------------------------------------------------===//

static bool haveFlags(Block &payload) {
  return llvm::any_of(payload, [](Operation &op) { return hasFlags(&op); });
}

/// The one operation of a payload, whose operand is the first argument and
/// whose result is handed out; null if there is more.
static Operation *getOnlyOp(Block &payload) {
  if (!llvm::hasNItems(payload, 2))
    return nullptr;
  Operation *op = &payload.front();
  bool isAll = op->getNumOperands() == 1 && op->getNumResults() == 1 &&
               op->getOperand(0) == payload.getArgument(0) &&
               payload.getTerminator()->getOperand(0) == op->getResult(0);
  return isAll ? op : nullptr;
}

bool isExactWidening(Operation *op) {
  if (isa<arith::ExtSIOp, arith::ExtUIOp>(op))
    return true;
  if (!isa<arith::ExtFOp>(op))
    return false;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  // A machine rounds these itself, and keeps the bits of a NaN. bf16 it cuts.
  auto isNative = [](Type type) {
    return type.isF16() || type.isF32() || type.isF64();
  };
  return isNative(to) && (isNative(from) || (from.isBF16() && to.isF32()));
}

/// Whether `payload` makes a bf16 of the upper half of the bits of a f32.
static bool cutsToBF16(Block &payload) {
  if (!llvm::all_of(payload.without_terminator(), [](Operation &op) {
        return isPure(&op) && !hasFlags(&op);
      }))
    return false;
  auto back =
      payload.getTerminator()->getOperand(0).getDefiningOp<arith::BitcastOp>();
  auto cut = back ? back.getIn().getDefiningOp<arith::TruncIOp>() : nullptr;
  auto shift = cut ? cut.getIn().getDefiningOp<arith::ShRUIOp>() : nullptr;
  auto bits =
      shift ? shift.getLhs().getDefiningOp<arith::BitcastOp>() : nullptr;
  auto count =
      shift ? dyn_cast_or_null<IntegerAttr>(getConstantValue(shift.getRhs()))
            : nullptr;
  return bits && bits.getIn() == payload.getArgument(0) &&
         bits.getIn().getType().isF32() && back.getType().isBF16() && count &&
         count.getInt() == 16;
}

/// Whether `payload` gives back, to the bit, what `wide` has widened.
static bool narrows(Block &payload, Operation *wide) {
  if (!isExactWidening(wide))
    return false;
  if (wide->getOperand(0).getType().isBF16())
    return cutsToBF16(payload);
  Operation *narrow = getOnlyOp(payload);
  return narrow && !hasFlags(narrow) &&
         (isa<arith::ExtFOp>(wide) ? isa<arith::TruncFOp>(narrow)
                                   : isa<arith::TruncIOp>(narrow));
}

bool isNarrowedAgain(linalg::GenericOp pack, linalg::GenericOp unpack,
                     OpResult maker) {
  auto makes = dyn_cast<linalg::LinalgOp>(maker.getOwner());
  Operation *wide = getOnlyOp(*unpack.getBlock());
  if (!makes || !wide || hasFlags(wide) || !isWrittenInFull(maker) ||
      !narrows(*pack.getBlock(), wide))
    return false;
  Operation *first = makes.getBlock()
                         ->getTerminator()
                         ->getOperand(maker.getResultNumber())
                         .getDefiningOp();
  Type narrow = pack.getBlock()->getTerminator()->getOperand(0).getType();
  return first && first->getName() == wide->getName() &&
         first->getOperand(0).getType() == narrow &&
         wide->getOperand(0).getType() == narrow &&
         first->getResult(0).getType() == wide->getResult(0).getType();
}

namespace {
/// Packs and unpacks numbers.
class Trial {
public:
  Trial(linalg::GenericOp pack, linalg::GenericOp unpack, Packing packing)
      : packing(packing), packer(*pack.getBlock()),
        unpacker(*unpack.getBlock()) {}

  /// Whether all elements come back.
  bool survive(ArrayRef<Attribute> elements) const {
    SmallVector<Attribute> arguments(elements);
    arguments.push_back({});
    auto packed =
        packer.run(arguments, [](Operation *) { return Attribute(); });
    if (!packed)
      return false;
    for (size_t i = 0; i < elements.size(); ++i) {
      auto unpacked = unpacker.run({(*packed)[0], {}}, [&](Operation *op) {
        return getPosition(op, i);
      });
      if (!unpacked || (*unpacked)[0] != elements[i])
        return false;
    }
    return true;
  }

private:
  /// The place in a packed element, if that is what `op` asks for.
  Attribute getPosition(Operation *op, int64_t position) const {
    if (!isa<arith::RemUIOp, arith::RemSIOp>(op))
      return {};
    auto index = op->getOperand(0).getDefiningOp<linalg::IndexOp>();
    auto count =
        dyn_cast_or_null<IntegerAttr>(getConstantValue(op->getOperand(1)));
    if (!index || index.getDim() != packing.dim || !count ||
        count.getInt() != packing.count)
      return {};
    return IntegerAttr::get(op->getResult(0).getType(), position);
  }

  Packing packing;
  PayloadEvaluator packer, unpacker;
};
} // namespace

bool isPair(linalg::GenericOp pack, linalg::GenericOp unpack) {
  std::optional<Packing> packing = matchPack(pack);
  return packing && packing == matchUnpack(unpack) &&
         pack.getInputs()[0].getType() == unpack->getResult(0).getType() &&
         pack->getResult(0).getType() == unpack.getInputs()[0].getType();
}

bool isUndone(linalg::GenericOp pack, linalg::GenericOp unpack,
              ArrayRef<Attribute> values) {
  std::optional<Packing> packing = matchPack(pack);
  if (!packing || values.empty() || haveFlags(*pack.getBlock()) ||
      haveFlags(*unpack.getBlock()))
    return false;
  int64_t trials = 1;
  for (int64_t i = 0; i < packing->count; ++i)
    if (trials *= values.size(); trials > kMaxElementValues)
      return false;
  Trial trial(pack, unpack, *packing);
  for (int64_t number = 0; number < trials; ++number) {
    SmallVector<Attribute, 8> elements;
    for (int64_t i = 0, rest = number; i < packing->count; ++i) {
      elements.push_back(values[rest % values.size()]);
      rest /= values.size();
    }
    if (!trial.survive(elements))
      return false;
  }
  return true;
}

} // namespace pebble

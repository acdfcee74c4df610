//===- InverseModels.cpp - what upstream operations can undo --------------===//
//
// Scalar operations say so one by one. A structured operation of linalg can be
// undone where it moves each element to one place of its result, by what undoes
// its payload from the end to the element. A call can where the function says
// so.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/Flags.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Target/Inverses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace pebble;

namespace {

//===----------------------------------------------------------------------===//
// arith
//===----------------------------------------------------------------------===//

/// a + b: either is the sum without the other.
template <typename AddOp, typename SubOp, Inversion exactness>
struct AddInverse : public InvertibleOpInterface::ExternalModel<
                        AddInverse<AddOp, SubOp, exactness>, AddOp> {
  Inversion getInversion(Operation *, OpOperand &) const { return exactness; }
  Value buildInverse(Operation *op, OpBuilder &builder, Location loc,
                     OpOperand &operand, ValueRange results) const {
    return SubOp::create(builder, loc, results[0],
                         op->getOperand(1 - operand.getOperandNumber()));
  }
};

/// a - b: a is the difference and b, and b is a without the difference.
template <typename AddOp, typename SubOp, Inversion exactness>
struct SubInverse : public InvertibleOpInterface::ExternalModel<
                        SubInverse<AddOp, SubOp, exactness>, SubOp> {
  Inversion getInversion(Operation *, OpOperand &) const { return exactness; }
  Value buildInverse(Operation *op, OpBuilder &builder, Location loc,
                     OpOperand &operand, ValueRange results) const {
    if (operand.getOperandNumber() == 0)
      return AddOp::create(builder, loc, results[0], op->getOperand(1));
    return SubOp::create(builder, loc, op->getOperand(0), results[0]);
  }
};

struct XOrInverse
    : public InvertibleOpInterface::ExternalModel<XOrInverse, arith::XOrIOp> {
  Inversion getInversion(Operation *, OpOperand &) const {
    return Inversion::Exact;
  }
  Value buildInverse(Operation *op, OpBuilder &builder, Location loc,
                     OpOperand &operand, ValueRange results) const {
    return arith::XOrIOp::create(
        builder, loc, results[0],
        op->getOperand(1 - operand.getOperandNumber()));
  }
};

/// Twice the other sign. Of a NaN in a narrow float, which is computed with in
/// f32, not all bits come back.
struct NegInverse
    : public InvertibleOpInterface::ExternalModel<NegInverse, arith::NegFOp> {
  Inversion getInversion(Operation *, OpOperand &operand) const {
    Type type = getElementTypeOrSelf(operand.get());
    return type.isF16() || type.isF32() || type.isF64() ? Inversion::Exact
                                                        : Inversion::Rounded;
  }
  Value buildInverse(Operation *, OpBuilder &builder, Location loc, OpOperand &,
                     ValueRange results) const {
    return arith::NegFOp::create(builder, loc, results[0]);
  }
};

/// What undoes a conversion.
template <typename Op, typename Back>
struct ConversionInverse
    : public InvertibleOpInterface::ExternalModel<ConversionInverse<Op, Back>,
                                                  Op> {
  Inversion getInversion(Operation *, OpOperand &) const {
    return Inversion::Exact;
  }
  Value buildInverse(Operation *, OpBuilder &builder, Location loc,
                     OpOperand &operand, ValueRange results) const {
    return Back::create(builder, loc, operand.get().getType(), results[0]);
  }
};

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

/// What leads from an element that an operation reads to one that it writes.
struct Path {
  SmallVector<OpOperand *> steps;
  unsigned result = 0;
  Inversion inversion = Inversion::None;
};

/// None where the element is read by more than one operation, or by one that
/// cannot be undone.
Path findPath(Value element) {
  Path path;
  Block *payload = element.getParentBlock();
  for (Inversion worst = Inversion::Exact; element.hasOneUse();) {
    OpOperand &use = *element.use_begin();
    Operation *op = use.getOwner();
    if (op == payload->getTerminator()) {
      path.result = use.getOperandNumber();
      path.inversion = worst;
      break;
    }
    worst = getWorse(worst, pebble::getInversion(use));
    if (worst == Inversion::None || op->getBlock() != payload ||
        op->getNumResults() != 1)
      break;
    path.steps.push_back(&use);
    element = op->getResult(0);
  }
  return path;
}

struct LinalgInverse
    : public InvertibleOpInterface::FallbackModel<LinalgInverse> {
  Inversion getInversion(Operation *self, OpOperand &operand) const {
    auto op = cast<linalg::LinalgOp>(self);
    if (!op.hasPureTensorSemantics() || !op.isDpsInput(&operand) ||
        op.getNumLoops() != op.getNumParallelLoops() ||
        !op.getMatchingIndexingMap(&operand).isPermutation() ||
        !isPlain(op, operand))
      return Inversion::None;
    const Path path = findPath(op.getMatchingBlockArgument(&operand));
    if (path.inversion == Inversion::None)
      return Inversion::None;
    AffineMap written = getWrittenMap(op, path);
    // A copy is what it was made of.
    bool isMoved = written != op.getMatchingIndexingMap(&operand);
    return written.isPermutation() && (isMoved || !path.steps.empty())
               ? path.inversion
               : Inversion::None;
  }

  Value buildInverse(Operation *self, OpBuilder &builder, Location loc,
                     OpOperand &operand, ValueRange results) const {
    auto op = cast<linalg::LinalgOp>(self);
    const Path path = findPath(op.getMatchingBlockArgument(&operand));
    SmallVector<Operation *> kept = collectOthers(op, path);
    SmallVector<Value> inputs = {results[path.result]};
    SmallVector<AffineMap> maps = {getWrittenMap(op, path)};
    SmallVector<BlockArgument> elements;
    for (OpOperand *input : op.getDpsInputOperands()) {
      BlockArgument element = op.getMatchingBlockArgument(input);
      bool isRead = llvm::any_of(element.getUsers(), [&](Operation *user) {
        return llvm::is_contained(kept, user) ||
               llvm::any_of(path.steps, [&](OpOperand *step) {
                 return step->getOwner() == user;
               });
      });
      if (input == &operand || !isRead)
        continue;
      inputs.push_back(input->get());
      maps.push_back(op.getMatchingIndexingMap(input));
      elements.push_back(element);
    }
    maps.push_back(op.getMatchingIndexingMap(&operand));
    auto type = cast<RankedTensorType>(operand.get().getType());
    Value destination = bufferization::AllocTensorOp::create(
        builder, loc, type, ValueRange(), Value());
    auto generic = linalg::GenericOp::create(
        builder, loc, TypeRange(type), inputs, destination, maps,
        op.getIteratorTypesArray(),
        [&](OpBuilder &inside, Location at, ValueRange arguments) {
          IRMapping mapping;
          for (auto [index, element] : llvm::enumerate(elements))
            mapping.map(element, arguments[index + 1]);
          writePayload(inside, at, path, kept, arguments[0], mapping);
        });
    return generic->getResult(0);
  }

private:
  static AffineMap getWrittenMap(linalg::LinalgOp op, const Path &path) {
    return op.getMatchingIndexingMap(op.getDpsInitOperand(path.result));
  }

  /// Static sizes, a payload of single operations without effects or flags that
  /// reads nothing of what the destinations hold, and captures numbers alone.
  /// The inverse computes some of it again, beside other operations.
  static bool isPlain(linalg::LinalgOp op, OpOperand &operand) {
    auto isStatic = [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return !tensor || tensor.hasStaticShape();
    };
    Block &payload = *op.getBlock();
    return isa<RankedTensorType>(operand.get().getType()) &&
           llvm::all_of(op->getOperandTypes(), isStatic) &&
           llvm::all_of(op.getRegionOutputArgs(),
                        [](Value held) { return held.use_empty(); }) &&
           llvm::all_of(payload.without_terminator(), [](Operation &inner) {
             return inner.getNumRegions() == 0 && isPure(&inner) &&
                    !hasFlags(&inner) &&
                    llvm::none_of(inner.getOperandTypes(),
                                  llvm::IsaPred<ShapedType>);
           });
  }

  /// What the steps of `path` read besides, and what that is made of, in order.
  static SmallVector<Operation *> collectOthers(linalg::LinalgOp op,
                                                const Path &path) {
    Block *payload = op.getBlock();
    llvm::SmallPtrSet<Operation *, 8> wanted, steps;
    auto want = [&](Value value) {
      Operation *maker = value.getDefiningOp();
      if (maker && maker->getBlock() == payload)
        wanted.insert(maker);
    };
    for (OpOperand *step : path.steps)
      steps.insert(step->getOwner());
    for (OpOperand *step : path.steps)
      for (OpOperand &other : step->getOwner()->getOpOperands())
        if (&other != step)
          want(other.get());
    SmallVector<Operation *> kept;
    for (Operation &inner : llvm::reverse(payload->without_terminator()))
      if (wanted.contains(&inner) && !steps.contains(&inner)) {
        kept.push_back(&inner);
        llvm::for_each(inner.getOperands(), want);
      }
    return llvm::to_vector(llvm::reverse(kept));
  }

  /// From the element `last` that was written back to the one that was read.
  static void writePayload(OpBuilder &builder, Location loc, const Path &path,
                           ArrayRef<Operation *> kept, Value last,
                           IRMapping &mapping) {
    for (Operation *inner : kept)
      builder.clone(*inner, mapping);
    for (OpOperand *step : llvm::reverse(path.steps)) {
      Operation *undone =
          pebble::buildInverse(builder, loc, *step, last).getDefiningOp();
      for (OpOperand &read : undone->getOpOperands())
        if (read.get() != last)
          read.set(mapping.lookupOrDefault(read.get()));
      last = undone->getResult(0);
    }
    linalg::YieldOp::create(builder, loc, last);
  }
};

/// A multiplication of whole numbers by an odd constant loses no bit.
struct MulInverse
    : public InvertibleOpInterface::ExternalModel<MulInverse, arith::MulIOp> {
  static std::optional<APInt> findFactor(Operation *op, OpOperand &operand) {
    APInt factor;
    if (isa<IntegerType>(operand.get().getType()) &&
        matchPattern(op->getOperand(1 - operand.getOperandNumber()),
                     m_ConstantInt(&factor)) &&
        factor[0])
      return factor;
    return std::nullopt;
  }
  Inversion getInversion(Operation *op, OpOperand &operand) const {
    return findFactor(op, operand) ? Inversion::Exact : Inversion::None;
  }
  Value buildInverse(Operation *op, OpBuilder &builder, Location loc,
                     OpOperand &operand, ValueRange results) const {
    // Newton's iteration doubles the bits that are right.
    const APInt factor = *findFactor(op, operand);
    APInt inverse = factor;
    for (unsigned bits = 3; bits < factor.getBitWidth(); bits *= 2)
      inverse *= APInt(factor.getBitWidth(), 2, false, true) - factor * inverse;
    Value constant = arith::ConstantOp::create(
        builder, loc, IntegerAttr::get(operand.get().getType(), inverse));
    return arith::MulIOp::create(builder, loc, results[0], constant);
  }
};

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

struct CallInverse
    : public InvertibleOpInterface::ExternalModel<CallInverse, func::CallOp> {
  static DictionaryAttr getDeclared(Operation *op) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
        op, cast<func::CallOp>(op).getCalleeAttr());
    return callee ? callee->getAttrOfType<DictionaryAttr>(attr::kInverse)
                  : DictionaryAttr();
  }
  Inversion getInversion(Operation *op, OpOperand &operand) const {
    DictionaryAttr declared = getDeclared(op);
    return declared && declared.getAs<IntegerAttr>("operand").getInt() ==
                           operand.getOperandNumber()
               ? Inversion::Exact
               : Inversion::None;
  }
  Value buildInverse(Operation *op, OpBuilder &builder, Location loc,
                     OpOperand &operand, ValueRange results) const {
    SmallVector<Value> inputs(results);
    for (OpOperand &other : op->getOpOperands())
      if (&other != &operand)
        inputs.push_back(other.get());
    return func::CallOp::create(
               builder, loc,
               getDeclared(op).getAs<FlatSymbolRefAttr>("function"),
               TypeRange(operand.get().getType()), inputs)
        .getResult(0);
  }
};

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void attachToArith(MLIRContext *context, arith::ArithDialect *) {
  constexpr Inversion kExact = Inversion::Exact, kRounded = Inversion::Rounded;
  using arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp;
  AddIOp::attachInterface<AddInverse<AddIOp, SubIOp, kExact>>(*context);
  AddFOp::attachInterface<AddInverse<AddFOp, SubFOp, kRounded>>(*context);
  SubIOp::attachInterface<SubInverse<AddIOp, SubIOp, kExact>>(*context);
  SubFOp::attachInterface<SubInverse<AddFOp, SubFOp, kRounded>>(*context);
  arith::XOrIOp::attachInterface<XOrInverse>(*context);
  arith::MulIOp::attachInterface<MulInverse>(*context);
  arith::NegFOp::attachInterface<NegInverse>(*context);
  arith::BitcastOp::attachInterface<
      ConversionInverse<arith::BitcastOp, arith::BitcastOp>>(*context);
  arith::ExtSIOp::attachInterface<
      ConversionInverse<arith::ExtSIOp, arith::TruncIOp>>(*context);
  arith::ExtUIOp::attachInterface<
      ConversionInverse<arith::ExtUIOp, arith::TruncIOp>>(*context);
}

void attachInversesToLinalg(MLIRContext *context, linalg::LinalgDialect *) {
  // An inverse has a destination, also in a program that has none.
  context->loadDialect<bufferization::BufferizationDialect>();
  // As for costs: MLIR 22 does not list the operations of one dialect.
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (name.getDialectNamespace() ==
            linalg::LinalgDialect::getDialectNamespace() &&
        name.hasInterface<linalg::LinalgOp>() &&
        !name.hasInterface<InvertibleOpInterface>())
      name.attachInterface<LinalgInverse>();
}

void attachToFunc(MLIRContext *context, func::FuncDialect *) {
  func::CallOp::attachInterface<CallInverse>(*context);
}

} // namespace

void pebble::registerInverseModels(DialectRegistry &registry) {
  registry.addExtension(attachToArith);
  registry.addExtension(attachInversesToLinalg);
  registry.addExtension(attachToFunc);
}

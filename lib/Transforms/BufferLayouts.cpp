//===- BufferLayouts.cpp - layouts of buffers as strides ------------------===//
//
// A layout is a map to one or several dimensions of memory. A map that upstream
// knows the strides of, or that puts dimensions in another order, becomes these
// strides. For other maps, tiles say, upstream rewrites the accesses where they
// are affine.
//
//===----------------------------------------------------------------------===//

#include "BufferLayouts.h"

#include "pebble/Dialect/DimBounds.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace pebble;

/// `type` with its layout as strides; null if it has the identity, has strides
/// already, or cannot have any.
static MemRefType inStrides(MemRefType type) {
  if (!isa<AffineMapAttr>(type.getLayout()) || type.getLayout().isIdentity())
    return {};
  SmallVector<int64_t> strides, sizes(type.getShape());
  int64_t offset = 0;
  if (std::optional<SmallVector<unsigned>> order = getDimOrder(type)) {
    strides.assign(sizes.size(), 1);
    for (size_t place = order->size() - 1; place > 0; --place) {
      unsigned inner = (*order)[place], outer = (*order)[place - 1];
      bool isKnown = !ShapedType::isDynamic(strides[inner]) &&
                     !ShapedType::isDynamic(sizes[inner]);
      strides[outer] = isKnown ? multiplyCounts(strides[inner], sizes[inner])
                               : ShapedType::kDynamic;
    }
  } else if (failed(type.getStridesAndOffset(strides, offset))) {
    return {};
  }
  auto layout = StridedLayoutAttr::get(type.getContext(), offset, strides);
  return MemRefType::get(type.getShape(), type.getElementType(), layout,
                         type.getMemorySpace());
}

/// Whether no strides say where the elements lie.
static bool isNotStrided(MemRefType type) {
  return !type.isStrided() && !getDimOrder(type);
}

/// The offset and the strides that `type` leaves open, as the layout that `map`
/// is has them: the operands of an allocation in strides.
static SmallVector<Value> getOpenNumbers(OpBuilder &builder, Location loc,
                                         MemRefType type, AffineMap map,
                                         ValueRange symbols) {
  MLIRContext *context = builder.getContext();
  // What is known stays known.
  SmallVector<AffineExpr> known;
  for (auto [i, symbol] : llvm::enumerate(symbols)) {
    std::optional<int64_t> number = getConstantIntValue(symbol);
    known.push_back(number ? getAffineConstantExpr(*number, context)
                           : getAffineSymbolExpr(i, context));
  }
  map = map.replaceDimsAndSymbols({}, known, map.getNumDims(), symbols.size());
  auto at = [&](std::optional<int64_t> dim) {
    SmallVector<AffineExpr> dims(map.getNumDims(),
                                 getAffineConstantExpr(0, context));
    if (dim)
      dims[*dim] = getAffineConstantExpr(1, context);
    return map.getResult(0).replaceDims(dims);
  };
  auto strided = cast<StridedLayoutAttr>(type.getLayout());
  SmallVector<Value> numbers;
  auto add = [&](AffineExpr expr) {
    expr = simplifyAffineExpr(expr, 0, map.getNumSymbols());
    numbers.push_back(
        affine::expandAffineExpr(builder, loc, expr, {}, symbols));
  };
  AffineExpr offset = at(std::nullopt);
  if (ShapedType::isDynamic(strided.getOffset()))
    add(offset);
  for (auto [dim, stride] : llvm::enumerate(strided.getStrides()))
    if (ShapedType::isDynamic(stride))
      add(at(dim) - offset);
  return numbers;
}

/// Allocates the dimensions as they lie in memory, and shows them in the order
/// that `op` has them in. Else gives what a layout leaves open.
template <typename Alloc>
static Value allocateInStrides(Alloc op, RewriterBase &rewriter) {
  MemRefType type = op.getType();
  MemRefType strided = inStrides(type);
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  auto allocate = [&](MemRefType as, ValueRange sizes, ValueRange numbers) {
    auto made =
        Alloc::create(rewriter, loc, as, sizes, numbers, op.getAlignmentAttr());
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    return made.getResult();
  };
  std::optional<SmallVector<unsigned>> order = getDimOrder(type);
  if (!order)
    return allocate(strided, op.getDynamicSizes(),
                    getOpenNumbers(rewriter, loc, strided,
                                   type.getLayout().getAffineMap(),
                                   op.getSymbolOperands()));
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  for (unsigned dim : *order) {
    shape.push_back(type.getDimSize(dim));
    if (type.isDynamicDim(dim))
      sizes.push_back(op.getDynamicSizes()[type.getDynamicDimIndex(dim)]);
  }
  auto plain = MemRefType::get(shape, type.getElementType(), AffineMap(),
                               type.getMemorySpace());
  // Dimension i of a transposed buffer is dimension map(i) of the buffer.
  AffineMap back = inversePermutation(type.getLayout().getAffineMap());
  return memref::TransposeOp::create(rewriter, loc, allocate(plain, sizes, {}),
                                     AffineMapAttr::get(back));
}

/// Where an allocation would not hold all of its elements, they are others'.
static LogicalResult checkReach(Operation *op) {
  auto type = cast<MemRefType>(op->getResult(0).getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides))
    return success();
  std::optional<ByteReach> reach =
      getReach(type.getShape(), strides, offset, /*width=*/1);
  if (!reach)
    return op->emitError("the layout reaches further than can be counted in "
                         "bytes");
  if (reach->begin < 0)
    return op->emitError("elements lie before the buffer that is allocated "
                         "for them");
  return success();
}

/// Whether `module` has a memref whose layout is such a map.
static bool hasLayout(ModuleOp module,
                      llvm::function_ref<bool(MemRefType)> is) {
  auto isOne = [&](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return memref && is(memref);
  };
  WalkResult result = module.walk([&](Operation *op) {
    bool found = llvm::any_of(op->getResultTypes(), isOne);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        found |= llvm::any_of(block.getArgumentTypes(), isOne);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

LogicalResult pebble::lowerLayouts(
    ModuleOp module, RewriterBase &rewriter,
    llvm::function_ref<LogicalResult(OpPassManager &, Operation *)> run) {
  if (hasLayout(module, isNotStrided)) {
    OpPassManager normalize(ModuleOp::getOperationName());
    normalize.addPass(memref::createNormalizeMemRefsPass());
    if (failed(run(normalize, module)))
      return failure();
  }
  SmallVector<Operation *> allocations;
  WalkResult result = module.walk([&](Operation *op) {
    if (!isa<memref::AllocOp, memref::AllocaOp>(op))
      return WalkResult::advance();
    if (inStrides(cast<MemRefType>(op->getResult(0).getType())))
      allocations.push_back(op);
    return WalkResult(checkReach(op));
  });
  if (result.wasInterrupted())
    return failure();
  auto hasStrides = [](MemRefType type) { return bool(inStrides(type)); };
  if (!hasLayout(module, hasStrides))
    return success();
  for (Operation *op : allocations) {
    Value made = isa<memref::AllocOp>(op)
                     ? allocateInStrides(cast<memref::AllocOp>(op), rewriter)
                     : allocateInStrides(cast<memref::AllocaOp>(op), rewriter);
    rewriter.replaceOp(op, made);
  }
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    MemRefType strided = inStrides(type);
    return strided ? std::optional<Type>(strided) : std::nullopt;
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return success();
}

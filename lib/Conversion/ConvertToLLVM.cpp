//===- ConvertToLLVM.cpp - the last step: everything to LLVM --------------===//
//
// Upstream's patterns, except for what the meter must see and what must end the
// program in order: allocations, frees, copies and assertions call
// libpebble_runtime.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "AtomicUpdates.h"
#include "CannotRun.h"
#include "Kernels.h"
#include "StridedBuffers.h"
#include "TierCalls.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Runtime/Runtime.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringSet.h"

namespace pebble {
#define GEN_PASS_DEF_CONVERTTOLLVMPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

/// Calls a function of the runtime, which is declared where it is not yet. Null
/// if something else has its name.
static LLVM::CallOp callRuntime(OpBuilder &builder, Operation *op,
                                StringRef name, Type result,
                                ValueRange arguments) {
  auto module = op->getParentOfType<ModuleOp>();
  FailureOr<LLVM::LLVMFuncOp> callee = LLVM::lookupOrCreateFn(
      builder, module, name, llvm::to_vector(arguments.getTypes()), result);
  if (failed(callee))
    return {};
  return LLVM::CallOp::create(builder, op->getLoc(), *callee, arguments);
}

/// A string of C that lasts as long as the program.
static Value createText(Operation *op, const Twine &text, OpBuilder &builder) {
  std::string string = text.str();
  string.push_back('\0');
  auto module = op->getParentOfType<ModuleOp>();
  std::string name;
  unsigned i = 0;
  do
    name = "pebble_message_" + std::to_string(i++);
  while (module.lookupSymbol(name));
  return LLVM::createGlobalString(op->getLoc(), builder, name, string,
                                  LLVM::Linkage::Internal);
}

/// `pointer` in the address space of number `space`; the runtime knows 0 alone.
static Value inSpace(OpBuilder &builder, Location loc, Value pointer,
                     unsigned space) {
  if (cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() == space)
    return pointer;
  return LLVM::AddrSpaceCastOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), space),
      pointer);
}

/// The start of the buffer that `descriptor` names, or a part of: the first
/// pointer of its descriptor.
static Value getBuffer(OpBuilder &builder, Location loc, Type type,
                       Value descriptor) {
  if (!isa<UnrankedMemRefType>(type))
    return inSpace(builder, loc,
                   MemRefDescriptor(descriptor).allocatedPtr(builder, loc), 0);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value ranked =
      UnrankedMemRefDescriptor(descriptor).memRefDescPtr(builder, loc);
  return UnrankedMemRefDescriptor::allocatedPtr(builder, loc, ranked, pointer);
}

namespace {

/// Patterns of the runtime go before upstream's.
constexpr unsigned kBenefit = 10;

struct AllocPattern : ConvertOpToLLVMPattern<memref::AllocOp> {
  AllocPattern(const LLVMTypeConverter &converter, int32_t computeTier)
      : ConvertOpToLLVMPattern(converter, kBenefit), computeTier(computeTier) {}

  LogicalResult
  matchAndRewrite(memref::AllocOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MemRefType type = op.getType();
    if (!type.isStrided() || !getTypeConverter()->convertType(type))
      return rewriter.notifyMatchFailure(op, "layout is not strided");
    Location loc = op.getLoc();
    StridedBuffer buffer;
    Value bytes = getBytes(op, adaptor, buffer, rewriter);
    int32_t tier = computeTier;
    if (auto number = op->getAttrOfType<IntegerAttr>(kTierNumberAttr))
      tier = static_cast<int32_t>(number.getInt());
    Type pointer = LLVM::LLVMPointerType::get(getContext());
    Type i32 = rewriter.getI32Type();
    Value number = LLVM::ConstantOp::create(rewriter, loc, i32, tier);
    LLVM::CallOp call;
    if (auto how = op->getAttrOfType<DenseI64ArrayAttr>(kCompressionAttr)) {
      call =
          callCompressed(op, number, buffer.sizes, how.asArrayRef(), rewriter);
    } else if (auto offset = op->getAttrOfType<IntegerAttr>(kOffsetAttr)) {
      Value place = LLVM::ConstantOp::create(
          rewriter, loc, rewriter.getI64Type(), offset.getInt());
      call = callRuntime(rewriter, op, "pebble_rt_alloc_at", pointer,
                         {number, place, bytes});
    } else if (op.getAlignment().value_or(0) > PEBBLE_RT_GRANULE) {
      Value alignment =
          LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64Type(),
                                   static_cast<int64_t>(*op.getAlignment()));
      call = callRuntime(rewriter, op, "pebble_rt_alloc_aligned", pointer,
                         {number, alignment, bytes});
    } else {
      call = callRuntime(rewriter, op, "pebble_rt_alloc", pointer,
                         {number, bytes});
    }
    if (!call)
      return failure();
    Value data = call.getResult();
    if (auto name = op->getAttrOfType<StringAttr>(kValueNameAttr))
      if (failed(callName(op, data, name.getValue(), rewriter)))
        return failure();
    data = inSpace(rewriter, loc, data,
                   *getTypeConverter()->getMemRefAddressSpace(type));
    MemRefDescriptor made = createMemRefDescriptor(
        loc, type, data, data, buffer.sizes, buffer.strides, rewriter);
    if (buffer.offset)
      made.setOffset(rewriter, loc, buffer.offset);
    rewriter.replaceOp(op, Value(made));
    return success();
  }

private:
  /// How `op` is laid out, and the bytes that it takes. No offset is 0.
  Value getBytes(memref::AllocOp op, OpAdaptor adaptor, StridedBuffer &buffer,
                 ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    MemRefType type = op.getType();
    Value bytes;
    if (type.getLayout().isIdentity()) {
      getMemRefDescriptorSizes(loc, type, adaptor.getDynamicSizes(), rewriter,
                               buffer.sizes, buffer.strides, bytes);
      return bytes;
    }
    buffer = layOutBuffer(rewriter, loc, type, adaptor.getDynamicSizes(),
                          adaptor.getSymbolOperands(), getIndexType());
    return LLVM::MulOp::create(
        rewriter, loc, buffer.elements,
        getSizeInBytes(loc, type.getElementType(), rewriter));
  }

  /// Asks for a buffer of compressed values: all of it is one, or each row. It
  /// lies at a planned offset if there is one.
  LLVM::CallOp callCompressed(memref::AllocOp op, Value tier,
                              ArrayRef<Value> sizes, ArrayRef<int64_t> how,
                              ConversionPatternRewriter &rewriter) const {
    static_assert(int(Compression::Bitmask) == int(PEBBLE_RT_BITMASK) &&
                  int(Compression::Bits) == int(PEBBLE_RT_BITS));
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type(), i64 = rewriter.getI64Type();
    auto constant = [&](Type type, int64_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc, type,
                                      rewriter.getIntegerAttr(type, value));
    };
    bool rows = how[2];
    Value count = rows ? sizes.front() : constant(i64, 1);
    Value elements = constant(i64, 1);
    for (Value size : sizes.drop_front(rows))
      elements = LLVM::MulOp::create(rewriter, loc, elements, size);
    Type type = op.getType().getElementType();
    int64_t width = *getElementBytes(type);
    uint64_t one = 1;
    if (auto real = dyn_cast<FloatType>(type))
      one = APFloat::getOne(real.getFloatSemantics())
                .bitcastToAPInt()
                .getZExtValue();
    SmallVector<Value> arguments = {tier};
    auto offset = op->getAttrOfType<IntegerAttr>(kOffsetAttr);
    if (offset)
      arguments.push_back(constant(i64, offset.getInt()));
    arguments.append({count, elements, constant(i32, width),
                      constant(i32, how[0]), constant(i32, how[1]),
                      constant(i64, static_cast<int64_t>(one))});
    return callRuntime(rewriter, op,
                       offset ? "pebble_rt_alloc_compressed_at"
                              : "pebble_rt_alloc_compressed",
                       LLVM::LLVMPointerType::get(getContext()), arguments);
  }

  /// Tells the runtime what value the buffer holds.
  LogicalResult callName(Operation *op, Value data, StringRef name,
                         ConversionPatternRewriter &rewriter) const {
    Value text = createText(op, name, rewriter);
    return success(callRuntime(rewriter, op, "pebble_rt_name",
                               LLVM::LLVMVoidType::get(getContext()),
                               {data, text}) != nullptr);
  }

  /// Of an allocation that LowerTiers has not seen.
  int32_t computeTier;
};

struct FreePattern : ConvertOpToLLVMPattern<memref::DeallocOp> {
  explicit FreePattern(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern(converter, kBenefit) {}

  LogicalResult
  matchAndRewrite(memref::DeallocOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value data =
        getBuffer(rewriter, loc, op.getMemref().getType(), adaptor.getMemref());
    if (!callRuntime(rewriter, op, "pebble_rt_free",
                     LLVM::LLVMVoidType::get(getContext()), data))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

struct SameBufferPattern : ConvertOpToLLVMPattern<SameBufferOp> {
  explicit SameBufferPattern(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern(converter, kBenefit) {}

  LogicalResult
  matchAndRewrite(SameBufferOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(
        op, LLVM::ICmpPredicate::eq,
        getBuffer(rewriter, loc, op.getFirst().getType(), adaptor.getFirst()),
        getBuffer(rewriter, loc, op.getSecond().getType(),
                  adaptor.getSecond()));
    return success();
  }
};

/// A copy within a tier; contiguous, the others are loops by now.
struct CopyPattern : ConvertOpToLLVMPattern<memref::CopyOp> {
  explicit CopyPattern(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern(converter, kBenefit) {}

  LogicalResult
  matchAndRewrite(memref::CopyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<MemRefType>(op.getSource().getType());
    auto target = dyn_cast<MemRefType>(op.getTarget().getType());
    if (!type || !target)
      return rewriter.notifyMatchFailure(op, "rank is not known");
    Location loc = op.getLoc();
    MemRefDescriptor from(adaptor.getSource()), to(adaptor.getTarget());
    Value bytes = getBytes(loc, type, from, rewriter);
    const LLVMTypeConverter &converter = *getTypeConverter();
    LLVM::MemmoveOp::create(rewriter, loc,
                            to.bufferPtr(rewriter, loc, converter, target),
                            from.bufferPtr(rewriter, loc, converter, type),
                            bytes, /*isVolatile=*/false);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// One constant where the type says it all: long programs are full of copies.
  Value getBytes(Location loc, MemRefType type, MemRefDescriptor descriptor,
                 ConversionPatternRewriter &rewriter) const {
    auto constant = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc, getIndexType(),
                                      rewriter.getIndexAttr(value));
    };
    Type element = type.getElementType();
    int64_t factor = 1;
    for (int64_t size : type.getShape())
      factor *= ShapedType::isDynamic(size) ? 1 : size;
    bool isPlain = element.isIntOrFloat() &&
                   llvm::isPowerOf2_64(element.getIntOrFloatBitWidth()) &&
                   element.getIntOrFloatBitWidth() <= 64;
    if (isPlain)
      factor *= llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
    Value bytes = constant(factor);
    if (!isPlain)
      bytes = LLVM::MulOp::create(rewriter, loc, bytes,
                                  getSizeInBytes(loc, element, rewriter));
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (type.isDynamicDim(i))
        bytes = LLVM::MulOp::create(rewriter, loc, bytes,
                                    descriptor.size(rewriter, loc, i));
    return bytes;
  }
};

/// What the program asserts stops it as an error of the runtime does, with the
/// message and the place: upstream's pattern aborts the process.
struct AssertPattern : ConvertOpToLLVMPattern<cf::AssertOp> {
  explicit AssertPattern(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern(converter, kBenefit) {}

  LogicalResult
  matchAndRewrite(cf::AssertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Block *before = op->getBlock();
    Block *after = rewriter.splitBlock(before, std::next(op->getIterator()));
    Block *broken = rewriter.createBlock(before->getParent());
    Value message = createText(op, getText(op), rewriter);
    if (!callRuntime(rewriter, op, "pebble_rt_fail",
                     LLVM::LLVMVoidType::get(getContext()), message))
      return failure();
    LLVM::UnreachableOp::create(rewriter, loc);
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<LLVM::CondBrOp>(op, adaptor.getArg(), after,
                                                broken);
    return success();
  }

private:
  /// The message, its place in front.
  static std::string getText(cf::AssertOp op) {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
      os << place.getFilename().getValue() << ":" << place.getLine() << ":"
         << place.getColumn() << ": ";
    os << "assertion failed: " << op.getMsg();
    return text;
  }
};

/// Asks which kind of number a float is, where upstream has no pattern: `kBits`
/// are those of llvm.is.fpclass.
template <typename Op, uint32_t kBits>
struct ClassPattern : ConvertOpToLLVMPattern<Op> {
  explicit ClassPattern(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern<Op>(converter, kBenefit) {}

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = this->getTypeConverter()->convertType(op.getType());
    if (!type || isa<LLVM::LLVMArrayType>(type))
      return rewriter.notifyMatchFailure(op, "is of several dimensions");
    rewriter.replaceOpWithNewOp<LLVM::IsFPClass>(op, type, adaptor.getOperand(),
                                                 kBits);
    return success();
  }
};
using IsInfPattern = ClassPattern<math::IsInfOp, 0x204>;
using IsNormalPattern = ClassPattern<math::IsNormalOp, 0x108>;

struct ConvertToLLVMPass
    : pebble::impl::ConvertToLLVMPassBase<ConvertToLLVMPass> {
  void runOnOperation() override;
};

} // namespace

/// What was said about the program for Pebble and its like means nothing to
/// LLVM, which asks for every argument's attributes.
static void eraseWords(ModuleOp module) {
  auto isLLVMs = [](NamedAttribute attribute) {
    return attribute.getName().strref().starts_with("llvm.");
  };
  auto keep = [&](DictionaryAttr attributes) {
    SmallVector<NamedAttribute> kept;
    for (NamedAttribute attribute : attributes)
      if (isLLVMs(attribute))
        kept.push_back(attribute);
    return DictionaryAttr::get(module.getContext(), kept);
  };
  module.walk([&](Operation *op) {
    for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
      if (attribute.getName().strref().starts_with("pebble."))
        op->removeAttr(attribute.getName());
    auto func = dyn_cast<func::FuncOp>(op);
    if (!func)
      return;
    for (unsigned i = 0, e = func.getNumArguments(); i != e; ++i)
      if (DictionaryAttr attributes = func.getArgAttrDict(i))
        func.setArgAttrs(i, keep(attributes));
    for (unsigned i = 0, e = func.getNumResults(); i != e; ++i)
      if (DictionaryAttr attributes = func.getResultAttrDict(i))
        func.setResultAttrs(i, keep(attributes));
  });
}

/// Tells LLVM what is known about a kernel.
static void finishKernels(ModuleOp module) {
  module.walk([&](LLVM::LLVMFuncOp func) {
    auto pointers = func->getAttrOfType<DenseI64ArrayAttr>(kKernelAttr);
    if (!pointers)
      return;
    func->removeAttr(kKernelAttr);
    func.setNoInline(true);
    func.setLinkage(LLVM::Linkage::Internal);
    for (int64_t i : pointers.asArrayRef())
      func.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                      UnitAttr::get(module.getContext()));
  });
}

/// Hands over what descriptors hold without them, and keeps the part a function
/// of its own.
static void finishPart(LLVM::LLVMFuncOp part) {
  part->removeAttr(kPartAttr);
  part.setNoInline(true);
  part.setLinkage(LLVM::Linkage::Internal);
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  (void)applyPatternsGreedily(part, {}, config);
}

/// True if a step along `type` may lead to a lower address.
static bool mayStepBack(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer)
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  return failed(buffer.getStridesAndOffset(strides, offset)) ||
         llvm::any_of(strides, [](int64_t stride) {
           return stride < 0 || ShapedType::isDynamic(stride);
         });
}

/// The functions of `module` that go through a buffer in strides that may be
/// negative.
static llvm::StringSet<> findStepsBack(ModuleOp module) {
  llvm::StringSet<> names;
  for (auto func : module.getOps<FunctionOpInterface>()) {
    WalkResult found = func->walk([](Operation *op) {
      return llvm::any_of(op->getOperandTypes(), mayStepBack)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (found.wasInterrupted())
      names.insert(func.getName());
  }
  return names;
}

/// Upstream says of each sum that makes an address that it does not wrap as an
/// unsigned one. With a negative stride it does, and would mean anything.
static void dropUnsignedPromises(LLVM::LLVMFuncOp func) {
  func.walk([](Operation *op) {
    if (auto sum = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op))
      sum.setOverflowFlags(sum.getOverflowFlags() &
                           ~LLVM::IntegerOverflowFlags::nuw);
    else if (auto address = dyn_cast<LLVM::GEPOp>(op))
      address.setNoWrapFlags(address.getNoWrapFlags() &
                             ~LLVM::GEPNoWrapFlags::nuw);
  });
}

/// Upstream writes log(1 + x) and exp(x) - 1 for functions that are there for a
/// small x, of which that loses all digits. The C library has them.
static void addExactNearZero(RewritePatternSet &patterns) {
  RewritePatternSet all(patterns.getContext());
  populateMathToLibmConversionPatterns(all, kBenefit);
  for (std::unique_ptr<RewritePattern> &pattern : all.getNativePatterns()) {
    std::optional<OperationName> root = pattern->getRootKind();
    if (root && (root->getStringRef() == math::Log1pOp::getOperationName() ||
                 root->getStringRef() == math::ExpM1Op::getOperationName()))
      patterns.add(std::move(pattern));
  }
}

/// A function that returns a memref of unknown rank puts what is known of it on
/// the heap, by upstream's lowering. That is no buffer of the program: it comes
/// from another function than those that the meter sees.
static void keepDescriptorsOffMeter(ModuleOp module) {
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) {
    if (call.getCallee() == "malloc" && call->getNumOperands() == 1)
      calls.push_back(call);
  });
  for (LLVM::CallOp call : calls) {
    OpBuilder builder(call);
    Value bytes = call->getOperand(0);
    Value one =
        LLVM::ConstantOp::create(builder, call.getLoc(), bytes.getType(), 1);
    LLVM::CallOp made = callRuntime(builder, call, "calloc",
                                    call->getResult(0).getType(), {one, bytes});
    if (!made)
      continue;
    call->getResult(0).replaceAllUsesWith(made.getResult());
    call.erase();
  }
}

/// Converts one function of `module` after the other: what a conversion has to
/// remember is gone before the next.
static LogicalResult convertFunctions(ModuleOp module, ConversionTarget &target,
                                      const FrozenRewritePatternSet &patterns) {
  llvm::StringSet<> stepsBack = findStepsBack(module);
  const bool callsMalloc = module.lookupSymbol("malloc") != nullptr;
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    if (isa<ModuleOp>(op))
      continue;
    StringAttr part =
        op.hasAttr(kPartAttr) ? SymbolTable::getSymbolName(&op) : StringAttr();
    if (failed(applyFullConversion(&op, target, patterns)))
      return failure();
    if (part)
      finishPart(module.lookupSymbol<LLVM::LLVMFuncOp>(part));
  }
  if (!callsMalloc)
    keepDescriptorsOffMeter(module);
  for (auto func : module.getOps<LLVM::LLVMFuncOp>())
    if (stepsBack.contains(func.getName()))
      dropUnsignedPromises(func);
  return success();
}

void ConvertToLLVMPass::runOnOperation() {
  ModuleOp module = getOperation();
  MLIRContext *context = &getContext();
  // Upstream's collection of patterns presumes that every dialect is known.
  WalkResult known = module.walk([](Operation *op) {
    // A linker's names end there.
    auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    if (name && name.getValue().contains('\0')) {
      op->emitError("a name with a NUL byte in it cannot be lowered");
      return WalkResult::interrupt();
    }
    if (op->getDialect())
      return WalkResult::advance();
    InFlightDiagnostic error =
        op->emitError("an operation of an unknown dialect cannot be lowered");
    error.attachNote() << CannotRunNotes::kText;
    return WalkResult::interrupt();
  });
  if (known.wasInterrupted())
    return signalPassFailure();
  LowerToLLVMOptions options(context);
  LLVMTypeConverter converter(context, options);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  RewritePatternSet patterns(context);
  patterns.add<AllocPattern>(converter,
                             computeTierNumber(lookupHierarchy(module)));
  patterns.add<FreePattern, SameBufferPattern, CopyPattern, AssertPattern,
               IsInfPattern, IsNormalPattern>(converter);
  eraseWords(module);
  if (failed(prepareUpdates(module)))
    return signalPassFailure();
  populateConversionTargetFromOperation(module, target, converter, patterns);
  // What other lowerings leave behind, whether or not the program has it now.
  // Functions of vectors are called element by element.
  for (StringRef name : {"arith", "cf", "func", "memref", "vector"})
    if (Dialect *dialect = context->getLoadedDialect(name))
      if (auto *interface =
              dialect->getRegisteredInterface<ConvertToLLVMPatternInterface>())
        interface->populateConvertToLLVMConversionPatterns(target, converter,
                                                           patterns);
  // Functions of mathematics that are no instructions of LLVM.
  populateMathToLibmConversionPatterns(patterns, /*benefit=*/0);
  addExactNearZero(patterns);
  // An op that nobody lowers is reported at its place.
  CannotRunNotes notes(context);
  const FrozenRewritePatternSet frozen(std::move(patterns));
  for (ModuleOp each : getModules(module))
    if (failed(convertFunctions(each, target, frozen)))
      return signalPassFailure();
  // Lowerings that ran before this one left casts for it to meet.
  SmallVector<UnrealizedConversionCastOp> casts, remaining;
  module.walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  reconcileUnrealizedCasts(casts, &remaining);
  if (!remaining.empty()) {
    remaining.front().emitError("a cast between types is left that nobody "
                                "lowers");
    return signalPassFailure();
  }
  finishKernels(module);
}

//===- LowerMpi.cpp - messages become calls -------------------------------===//
//
// Operations of the mpi dialect, and collectives, become calls of libpebble_mpi
// (Runtime/Mpi.h). Communicators and requests become numbers. Upstream lowers
// some of them for one MPI library that is known when the program is compiled.
//
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "RuntimeCalls.h"

#include "pebble/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace pebble {
#define GEN_PASS_DEF_LOWERMPIPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

FailureOr<Message> pebble::getMessage(OpBuilder &builder, Operation *op,
                                      Value buffer) {
  Location loc = op->getLoc();
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !type.getElementType().isIntOrIndexOrFloat())
    return op->emitError("a message is a ranked buffer of numbers, got ")
           << buffer.getType();
  SmallVector<int64_t> strides;
  int64_t offset;
  bool isDense = succeeded(type.getStridesAndOffset(strides, offset)) &&
                 type.areTrailingDimsContiguous(type.getRank());
  isDense |= type.getLayout().isIdentity();
  if (!isDense)
    return op->emitError("a message is a dense buffer, got ") << type;
  Message message;
  Type element = type.getElementType();
  message.bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  // In memory a bit takes a byte.
  message.bits = (message.bits + 7) / 8 * 8;
  message.count = arith::ConstantIndexOp::create(builder, loc, 1);
  for (int64_t i = 0; i < type.getRank(); ++i)
    message.count =
        arith::MulIOp::create(builder, loc, message.count,
                              memref::DimOp::create(builder, loc, buffer, i));
  auto view = memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  Value bytes = arith::ConstantIndexOp::create(builder, loc, message.bits / 8);
  message.address = arith::AddIOp::create(
      builder, loc,
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer),
      arith::MulIOp::create(builder, loc, view.getOffset(), bytes));
  return message;
}

namespace {
template <typename Op>
struct Lowering : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  using Adaptor = typename Op::Adaptor;

protected:
  static Value call(ConversionPatternRewriter &rewriter, Operation *op,
                    StringRef name, unsigned bits, ValueRange operands) {
    return callRuntime(rewriter, op->getLoc(), ("pebble_mpi_" + name).str(),
                       rewriter.getIntegerType(bits), operands)
        .getResult(0);
  }
  static Value constant(ConversionPatternRewriter &rewriter, Operation *op,
                        int32_t number) {
    return arith::ConstantIntOp::create(rewriter, op->getLoc(), number, 32);
  }
  /// A code where the operation has one, which is success, and then `result`.
  static void replace(ConversionPatternRewriter &rewriter, Operation *op,
                      Value result = {}) {
    SmallVector<Value> results;
    if (op->getNumResults() > (result ? 1 : 0))
      results.push_back(constant(rewriter, op, 0));
    if (result)
      results.push_back(result);
    rewriter.replaceOp(op, results);
  }
};

/// Calls that take what the operation takes, and give a number of `Bits` or,
/// where that is 0, a code.
template <typename Op, unsigned Bits>
struct Simple : Lowering<Op> {
  using Lowering<Op>::Lowering;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    StringRef name = op->getName().stripDialect();
    Value result =
        this->call(rewriter, op, name, Bits ? Bits : 32, adaptor.getOperands());
    this->replace(rewriter, op, Bits ? result : Value());
    return success();
  }
};

/// Sends and receives. Those that return at once give a request.
template <typename Op, bool HasRequest>
struct Transfer : Lowering<Op> {
  using Lowering<Op>::Lowering;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<Message> message = getMessage(rewriter, op, adaptor.getRef());
    if (failed(message))
      return failure();
    Location loc = op.getLoc();
    Value bytes = arith::MulIOp::create(
        rewriter, loc, message->count,
        arith::ConstantIndexOp::create(rewriter, loc, message->bits / 8));
    Value result = this->call(rewriter, op, op->getName().stripDialect(),
                              HasRequest ? 64 : 32,
                              {message->address, bytes, adaptor.getTag(),
                               adaptor.getOperands()[2], adaptor.getComm()});
    this->replace(rewriter, op, HasRequest ? result : Value());
    return success();
  }
};

/// Bits of an integer that may have a sign; 0 for other types.
unsigned getSignedBits(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && !integer.isUnsigned() ? integer.getWidth() : 0;
}

struct AllReduce : Lowering<mpi::AllReduceOp> {
  using Lowering::Lowering;
  LogicalResult
  matchAndRewrite(mpi::AllReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<MemRefType>(op.getSendbuf().getType());
    if (!type || type != op.getRecvbuf().getType())
      return op.emitError("both buffers are of one type");
    Type element = type.getElementType();
    const bool isFloat = isa<Float32Type, Float64Type>(element);
    if (!isFloat && !element.isIndex() &&
        !llvm::is_contained({8u, 16u, 32u, 64u}, getSignedBits(element)))
      return op.emitError("MPI has no reduction of elements of type ")
             << element;
    const auto kind = static_cast<int32_t>(op.getOp());
    if (kind < 1 || kind > 4)
      return op.emitError("reductions are MPI_MAX, MPI_MIN, MPI_SUM and "
                          "MPI_PROD");
    FailureOr<Message> from = getMessage(rewriter, op, adaptor.getSendbuf());
    FailureOr<Message> to = getMessage(rewriter, op, adaptor.getRecvbuf());
    if (failed(from) || failed(to))
      return failure();
    call(rewriter, op, "allreduce", 32,
         {from->address, to->address, from->count,
          constant(rewriter, op, static_cast<int32_t>(from->bits)),
          constant(rewriter, op, isFloat), constant(rewriter, op, kind),
          adaptor.getComm()});
    replace(rewriter, op);
    return success();
  }
};

/// What a branch chooses, once it is simplified.
struct Select : Lowering<arith::SelectOp> {
  using Lowering::Lowering;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, adaptor.getOperands());
    return success();
  }
};

/// A program that goes on has had no error.
struct Check : Lowering<mpi::RetvalCheckOp> {
  using Lowering::Lowering;
  LogicalResult
  matchAndRewrite(mpi::RetvalCheckOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    bool isSuccess = op.getErrclass() == mpi::MPI_ErrorClassEnum::MPI_SUCCESS;
    rewriter.replaceOpWithNewOp<arith::ConstantIntOp>(op, isSuccess, 1);
    return success();
  }
};

struct ErrorClass : Lowering<mpi::ErrorClassOp> {
  using Lowering::Lowering;
  LogicalResult
  matchAndRewrite(mpi::ErrorClassOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getVal());
    return success();
  }
};

struct LowerMpi : pebble::impl::LowerMpiPassBase<LowerMpi> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(lowerCollectives(module)))
      return signalPassFailure();
    // Upstream leaves the grid of ranks that it has lowered all uses of.
    for (auto grid : llvm::make_early_inc_range(module.getOps<shard::GridOp>()))
      if (SymbolTable::symbolKnownUseEmpty(grid, module))
        grid.erase();
    WalkResult found = module.walk([](Operation *op) {
      return isa_and_present<mpi::MPIDialect>(op->getDialect())
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (!found.wasInterrupted())
      return;
    MLIRContext *context = &getContext();
    TypeConverter types;
    types.addConversion([](Type type) { return type; });
    types.addConversion([](mpi::CommType type) {
      return IntegerType::get(type.getContext(), 64);
    });
    types.addConversion([](mpi::RequestType type) {
      return IntegerType::get(type.getContext(), 64);
    });
    types.addConversion([](mpi::RetvalType type) {
      return IntegerType::get(type.getContext(), 32);
    });
    RewritePatternSet patterns(context);
    ConversionTarget target(*context);
    target.addIllegalDialect<mpi::MPIDialect>();
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return types.isLegal(op); });
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp function) {
      return types.isSignatureLegal(function.getFunctionType()) &&
             types.isLegal(&function.getBody());
    });
    patterns.add<Simple<mpi::InitOp, 0>, Simple<mpi::FinalizeOp, 0>,
                 Simple<mpi::Barrier, 0>, Simple<mpi::Wait, 0>,
                 Simple<mpi::CommWorldOp, 64>, Simple<mpi::CommRankOp, 32>,
                 Simple<mpi::CommSizeOp, 32>, Simple<mpi::CommSplitOp, 64>,
                 Transfer<mpi::SendOp, false>, Transfer<mpi::RecvOp, false>,
                 Transfer<mpi::ISendOp, true>, Transfer<mpi::IRecvOp, true>,
                 AllReduce, Select, Check, ErrorClass>(types, context);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   types);
    populateCallOpTypeConversionPattern(patterns, types);
    populateReturnOpTypeConversionPattern(patterns, types);
    cf::populateCFStructuralTypeConversionsAndLegality(types, patterns, target);
    scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns,
                                                         target);
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

//===- LowerSome.cpp - upstream's passes, only where they are needed ------===//
//
// Upstream's passes also fold what they meet, and a program that has nothing
// for them is to run as it stands.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "SmallFloats.h"
#include "VectorAccesses.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace pebble {
#define GEN_PASS_DEF_LOWERTOSAPASS
#define GEN_PASS_DEF_LOWERCOMPLEXPASS
#define GEN_PASS_DEF_LOWERPOWERSPASS
#define GEN_PASS_DEF_LOWERSMALLFLOATSPASS
#define GEN_PASS_DEF_LOWERVECTORSPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
/// Runs the passes that `Derived` adds over each `OpTy` (a function, or a whole
/// module) that has an operation for them, in modules inside as well.
template <typename Derived, typename Base, typename OpTy = func::FuncOp>
struct LowerSome : Base {
  LowerSome() : pipeline(OpTy::getOperationName()) {
    Derived::addPasses(pipeline);
  }
  LowerSome(const LowerSome &other) : Base(other), pipeline(other.pipeline) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    pipeline.getDependentDialects(registry);
  }
  void runOnOperation() override {
    SmallVector<OpTy> all;
    this->getOperation().walk([&](OpTy op) { all.push_back(op); });
    for (OpTy op : all) {
      if (!isForIt(op))
        continue;
      Derived::prepare(op);
      if (failed(this->runPipeline(pipeline, op)))
        return this->signalPassFailure();
      Derived::cleanUp(op);
    }
  }
  /// Rewrites what the passes do not take.
  static void prepare(OpTy) {}
  /// Takes away what the passes leave behind.
  static void cleanUp(OpTy) {}

  /// A module is asked about what stands in no module inside of it.
  static bool isForIt(OpTy top) {
    auto isOne = [&](Operation *op) {
      if (op != top && isa<OpTy>(op))
        return WalkResult::skip();
      return Derived::isForIt(op) ? WalkResult::interrupt()
                                  : WalkResult::advance();
    };
    return top->template walk<WalkOrder::PreOrder>(isOne).wasInterrupted();
  }

  OpPassManager pipeline;
};

struct LowerTosa
    : LowerSome<LowerTosa, pebble::impl::LowerTosaPassBase<LowerTosa>> {
  /// Operations of tosa become those of linalg, tensor and arith. Its control
  /// flow goes first: the passes for the others refuse what ends its regions.
  static void addPasses(OpPassManager &pm) {
    pm.addPass(createTosaToSCFPass());
    pm.addPass(tosa::createTosaMakeBroadcastablePass());
    pm.addPass(tosa::createTosaToLinalgNamed());
    pm.addPass(tosa::createTosaToLinalg());
    TosaToArithPassOptions withScales;
    withScales.includeApplyRescale = true; // what a rescale becomes
    pm.addPass(createTosaToArithPass(withScales));
    pm.addPass(createTosaToTensorPass());
  }
  /// The passes take no transposed convolution: it becomes others.
  static void prepare(func::FuncOp function) {
    SmallVector<Operation *> transposed;
    function.walk(
        [&](tosa::TransposeConv2DOp op) { transposed.push_back(op); });
    RewritePatternSet patterns(function.getContext());
    tosa::populateTosaDecomposeTransposeConv(function.getContext(), patterns);
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    (void)applyOpPatternsGreedily(transposed, std::move(patterns), config);
  }
  /// Shapes that operations were given stay when nobody reads them any more.
  static void cleanUp(func::FuncOp function) {
    SmallVector<Operation *> shapes;
    function.walk([&](Operation *op) {
      if (isForIt(op))
        shapes.push_back(op);
    });
    for (Operation *op : llvm::reverse(shapes))
      if (isOpTriviallyDead(op))
        op->erase();
  }
  static bool isForIt(Operation *op) {
    return op->getName().getDialectNamespace() == "tosa";
  }
};

/// What stands under a mask gets it as an operand, reductions of several
/// dimensions become those of one, and accesses those that upstream lowers.
struct LowerVectors
    : LowerSome<LowerVectors,
                pebble::impl::LowerVectorsPassBase<LowerVectors>> {
  static void addPasses(OpPassManager &pm) {
    pm.addPass(vector::createLowerVectorMultiReductionPass());
    pm.addPass(vector::createLowerVectorMaskPass());
  }
  /// The passes take no scan.
  static void prepare(func::FuncOp function) {
    SmallVector<Operation *> scans;
    function.walk([&](vector::ScanOp op) { scans.push_back(op); });
    RewritePatternSet patterns(function.getContext());
    vector::populateVectorScanLoweringPatterns(patterns);
    if (!scans.empty())
      (void)applyOpPatternsGreedily(scans, std::move(patterns));
  }
  static void cleanUp(func::FuncOp function) { rewriteAccesses(function); }
  static bool isForIt(Operation *op) {
    return isa<vector::MaskOp, vector::MultiDimReductionOp, vector::ScanOp>(
               op) ||
           isAccessToRewrite(op);
  }
};

/// The bits of `value` as an integer; the real part of a complex number is the
/// lower half, as it is in memory.
static Value getBits(OpBuilder &builder, Location loc, Value value) {
  auto whole = dyn_cast<ComplexType>(value.getType());
  if (!whole)
    return isa<IntegerType>(value.getType())
               ? value
               : arith::BitcastOp::create(
                     builder, loc,
                     builder.getIntegerType(
                         value.getType().getIntOrFloatBitWidth()),
                     value);
  const unsigned bits = whole.getElementType().getIntOrFloatBitWidth();
  Type wide = builder.getIntegerType(2 * bits);
  auto extend = [&](Value part) -> Value {
    return arith::ExtUIOp::create(builder, loc, wide,
                                  getBits(builder, loc, part));
  };
  Value low = extend(complex::ReOp::create(builder, loc, value));
  Value high = extend(complex::ImOp::create(builder, loc, value));
  Value by = arith::ConstantIntOp::create(builder, loc, wide, bits);
  return arith::OrIOp::create(builder, loc, low,
                              arith::ShLIOp::create(builder, loc, high, by));
}

/// The value of `type` with these bits.
static Value getValue(OpBuilder &builder, Location loc, Type type, Value bits) {
  if (type == bits.getType())
    return bits;
  auto whole = dyn_cast<ComplexType>(type);
  if (!whole)
    return arith::BitcastOp::create(builder, loc, type, bits);
  const unsigned half = whole.getElementType().getIntOrFloatBitWidth();
  auto getPart = [&](Value from) {
    Value part = arith::TruncIOp::create(builder, loc,
                                         builder.getIntegerType(half), from);
    return getValue(builder, loc, whole.getElementType(), part);
  };
  Value by = arith::ConstantIntOp::create(builder, loc, bits.getType(), half);
  Value high = arith::ShRUIOp::create(builder, loc, bits, by);
  return complex::CreateOp::create(builder, loc, whole, getPart(bits),
                                   getPart(high));
}

/// Functions of complex numbers become those of their parts. The others are
/// instructions of LLVM.
struct LowerComplex
    : LowerSome<LowerComplex,
                pebble::impl::LowerComplexPassBase<LowerComplex>> {
  static void addPasses(OpPassManager &pm) {
    pm.addPass(createConvertComplexToStandardPass());
  }
  static void prepare(func::FuncOp function) {
    function.walk([](complex::BitcastOp op) {
      OpBuilder builder(op);
      Value bits = getBits(builder, op.getLoc(), op.getOperand());
      op.replaceAllUsesWith(getValue(builder, op.getLoc(), op.getType(), bits));
      op.erase();
    });
  }
  static bool isForIt(Operation *op) {
    return op->getName().getDialectNamespace() == "complex" &&
           !isa<complex::AbsOp, complex::AddOp, complex::ConstantOp,
                complex::CreateOp, complex::DivOp, complex::ImOp,
                complex::MulOp, complex::ReOp, complex::SubOp>(op);
  }
};

/// Powers of integers become functions of the module, and clamps comparisons.
/// LLVM knows powers of floats whose one exponent has 32 bits: shorter ones are
/// extended, and longer ones, and those of vectors, become functions too.
struct LowerPowers
    : LowerSome<LowerPowers, pebble::impl::LowerPowersPassBase<LowerPowers>,
                ModuleOp> {
  static constexpr unsigned kExponentBits = 32;

  static void addPasses(OpPassManager &pm) {
    ConvertMathToFuncsOptions options;
    options.minWidthOfFPowIExponent = kExponentBits + 1;
    pm.addPass(createConvertMathToFuncs(options));
    math::MathExpandOpsPassOptions expand;
    expand.opMnemonics = {"clampf"};
    pm.addPass(math::createMathExpandOpsPass(expand));
  }
  static void prepare(ModuleOp module) {
    module.walk([](math::FPowIOp op) {
      Type type = op.getRhs().getType();
      auto vector = dyn_cast<VectorType>(type);
      // LLVM takes one exponent for all.
      unsigned bits = vector ? 2 * kExponentBits : kExponentBits;
      if (getExponentBits(op) >= bits)
        return;
      OpBuilder builder(op);
      Type wide = builder.getIntegerType(bits);
      op.getRhsMutable().assign(arith::ExtSIOp::create(
          builder, op.getLoc(), vector ? Type(vector.clone(wide)) : wide,
          op.getRhs()));
    });
  }
  static unsigned getExponentBits(math::FPowIOp op) {
    return getElementTypeOrSelf(op.getRhs().getType()).getIntOrFloatBitWidth();
  }
  static bool isForIt(Operation *op) {
    auto power = dyn_cast<math::FPowIOp>(op);
    return isa<math::IPowIOp, math::ClampFOp>(op) ||
           (power && (isa<VectorType>(power.getType()) ||
                      getExponentBits(power) != kExponentBits));
  }
};

/// What is computed with floats of 8 bits and less is computed in f32.
struct LowerSmallFloats
    : LowerSome<LowerSmallFloats,
                pebble::impl::LowerSmallFloatsPassBase<LowerSmallFloats>> {
  static void addPasses(OpPassManager &pm) {
    math::MathExtendToSupportedTypesOptions functions;
    // Left to others.
    functions.extraTypeStrs = {"f16", "bf16", "f80", "f128"};
    pm.addPass(math::createMathExtendToSupportedTypes(functions));
  }
  static void prepare(func::FuncOp function) { emulateSmallFloats(function); }
  static void cleanUp(func::FuncOp function) { expandSmallFloats(function); }
  /// Other operations merely move them.
  static bool isForIt(Operation *op) {
    return isa_and_present<arith::ArithDialect, math::MathDialect,
                           vector::VectorDialect>(op->getDialect()) &&
           (llvm::any_of(op->getOperandTypes(), isSmallFloat) ||
            llvm::any_of(op->getResultTypes(), isSmallFloat));
  }
};
} // namespace

//===- ShardModels.cpp - how arithmetic is divided between ranks ----------===//
//
// Upstream's sharding propagation knows linalg and tosa; of arith it knows
// constants alone, and nothing of math.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/ShardModels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterfaceImpl.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

template <typename... Ops>
static void attach(MLIRContext *context) {
  (Ops::template attachInterface<shard::ElementwiseShardingInterface<Ops>>(
       *context),
   ...);
}

void pebble::registerShardModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attach<arith::AddFOp, arith::AddIOp, arith::AndIOp, arith::CeilDivSIOp,
           arith::CmpFOp, arith::CmpIOp, arith::DivFOp, arith::DivSIOp,
           arith::DivUIOp, arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp,
           arith::FPToSIOp, arith::FPToUIOp, arith::FloorDivSIOp,
           arith::IndexCastOp, arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp,
           arith::MaximumFOp, arith::MinNumFOp, arith::MinSIOp, arith::MinUIOp,
           arith::MinimumFOp, arith::MulFOp, arith::MulIOp, arith::NegFOp,
           arith::OrIOp, arith::RemFOp, arith::RemSIOp, arith::RemUIOp,
           arith::SIToFPOp, arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp,
           arith::SubFOp, arith::SubIOp, arith::TruncFOp, arith::TruncIOp,
           arith::UIToFPOp, arith::XOrIOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attach<math::AbsFOp, math::AbsIOp, math::AtanOp, math::Atan2Op,
           math::CbrtOp, math::CeilOp, math::CosOp, math::CoshOp,
           math::CopySignOp, math::ErfOp, math::ErfcOp, math::Exp2Op,
           math::ExpM1Op, math::ExpOp, math::FloorOp, math::FmaOp,
           math::Log10Op, math::Log1pOp, math::Log2Op, math::LogOp,
           math::PowFOp, math::RoundEvenOp, math::RoundOp, math::RsqrtOp,
           math::SinOp, math::SinhOp, math::SqrtOp, math::TanOp, math::TanhOp,
           math::TruncOp>(context);
  });
}

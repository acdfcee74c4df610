//===- CollectiveRules.h - what two ops share (private) ---------*- C++ -*-===//

#ifndef PEBBLE_LIB_DIALECT_COLLECTIVERULES_H
#define PEBBLE_LIB_DIALECT_COLLECTIVERULES_H

#include "pebble/Dialect/PebbleStarts.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

namespace pebble {

/// Rules D64 to D67 of `op`, which is a collective or starts one; `result` is
/// null on memrefs.
llvm::LogicalResult verifyCollective(mlir::Operation *op, mlir::Value result);

/// `To` does with `input` and `init` what `from` does with its own; `results`
/// are its result types. Both are one of the two ops.
template <typename To, typename From, typename... Types>
To createLike(mlir::OpBuilder &builder, From from, mlir::Value input,
              mlir::Value init, Types... results) {
  auto op = To::create(builder, from.getLoc(), results..., from.getKind(),
                       input, init, from.getGroup(), from.getStride(),
                       from.getRanks(), from.getAxis(), from.getReduction());
  op->setDiscardableAttrs(from->getDiscardableAttrDictionary());
  return op;
}

/// On buffers: the input is read, the destination written, among all ranks.
template <typename Op, typename Effects>
void addBufferEffects(Op op, Effects &effects) {
  using namespace mlir::MemoryEffects;
  if (mlir::isa<mlir::TensorType>(op.getInit().getType()))
    return;
  effects.emplace_back(Read::get(), &op.getInputMutable());
  effects.emplace_back(Write::get(), &op.getInitMutable());
  effects.emplace_back(Write::get(), RanksResource::get());
}

/// The same op on the buffers of its operands, before it; `results` are those
/// beside that of the tensor.
template <typename Op, typename... Types>
llvm::FailureOr<Op>
bufferizeCollective(Op op, mlir::RewriterBase &rewriter,
                    const mlir::bufferization::BufferizationOptions &options,
                    mlir::bufferization::BufferizationState &state,
                    Types... results) {
  mlir::OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  using mlir::bufferization::getBuffer;
  llvm::FailureOr<mlir::Value> from =
      getBuffer(rewriter, op.getInput(), options, state);
  llvm::FailureOr<mlir::Value> to =
      getBuffer(rewriter, op.getInit(), options, state);
  if (failed(from) || failed(to))
    return llvm::failure();
  return createLike<Op>(rewriter, op, *from, *to, mlir::Type(), results...);
}

} // namespace pebble

#endif // PEBBLE_LIB_DIALECT_COLLECTIVERULES_H

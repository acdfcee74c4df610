//===- Journal.cpp - snapshots of loops that may be killed ----------------===//
//
// The effects of pebble.resume, pebble.resume_number and pebble.snapshot, and
// what becomes of them on memrefs. They keep their order and run as often as
// the program says, because the journal is outside of it.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/PebbleOps.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace pebble;

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addJournal(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), JournalResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), JournalResource::get());
}

static bool isMemRef(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Resume
//===----------------------------------------------------------------------===//

LogicalResult ResumeOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                         ValueRange operands, DictionaryAttr,
                                         OpaqueProperties, RegionRange,
                                         SmallVectorImpl<Type> &inferred) {
  if (!isMemRef(operands[0]))
    inferred.push_back(operands[0].getType());
  return success();
}

void ResumeOp::getEffects(Effects &effects) {
  addJournal(effects);
  if (!isMemRef(getState()))
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &getStateMutable(),
                       SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getStateMutable(),
                       SideEffects::DefaultResource::get());
}

void ResumeNumberOp::getEffects(Effects &effects) { addJournal(effects); }

/// A value that is not in a snapshot stays.
bool ResumeOp::bufferizesToMemoryRead(OpOperand &, const AnalysisState &) {
  return true;
}

bool ResumeOp::bufferizesToMemoryWrite(OpOperand &, const AnalysisState &) {
  return true;
}

AliasingValueList ResumeOp::getAliasingValues(OpOperand &,
                                              const AnalysisState &) {
  if (!getResult())
    return {};
  return {{getResult(), BufferRelation::Equivalent}};
}

LogicalResult ResumeOp::bufferize(RewriterBase &rewriter,
                                  const BufferizationOptions &options,
                                  BufferizationState &state) {
  FailureOr<Value> buffer = getBuffer(rewriter, getState(), options, state);
  if (failed(buffer))
    return failure();
  auto onBuffers =
      ResumeOp::create(rewriter, getLoc(), *buffer, getLoop(), getValue());
  onBuffers->setDiscardableAttrs((*this)->getDiscardableAttrDictionary());
  replaceOpWithBufferizedValues(rewriter, *this, *buffer);
  return success();
}

//===----------------------------------------------------------------------===//
// Snapshot
//===----------------------------------------------------------------------===//

void TakeSnapshotOp::getEffects(Effects &effects) {
  addJournal(effects);
  for (OpOperand &operand : getStateMutable())
    if (isMemRef(operand.get()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand,
                           SideEffects::DefaultResource::get());
}

bool TakeSnapshotOp::bufferizesToMemoryRead(OpOperand &,
                                            const AnalysisState &) {
  return true;
}

bool TakeSnapshotOp::bufferizesToMemoryWrite(OpOperand &,
                                             const AnalysisState &) {
  return false;
}

AliasingValueList TakeSnapshotOp::getAliasingValues(OpOperand &,
                                                    const AnalysisState &) {
  return {};
}

LogicalResult TakeSnapshotOp::bufferize(RewriterBase &rewriter,
                                        const BufferizationOptions &options,
                                        BufferizationState &state) {
  SmallVector<Value> buffers;
  for (Value value : getState()) {
    if (!isa<TensorType>(value.getType())) {
      buffers.push_back(value);
      continue;
    }
    FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
    if (failed(buffer))
      return failure();
    buffers.push_back(*buffer);
  }
  auto onBuffers = TakeSnapshotOp::create(rewriter, getLoc(), buffers,
                                          getLoop(), getEvery(), getLast());
  onBuffers->setDiscardableAttrs((*this)->getDiscardableAttrDictionary());
  rewriter.eraseOp(*this);
  return success();
}

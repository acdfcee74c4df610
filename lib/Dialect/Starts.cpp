//===- Starts.cpp - what ranks do together, in two ------------------------===//
//
// Rules D90 to D93 of docs/PebbleGame.md, and how the ops become ops on
// buffers.
//
//===----------------------------------------------------------------------===//

#include "CollectiveRules.h"
#include "WaitSyntax.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace pebble;

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

#define GET_OP_CLASSES
#include "pebble/Dialect/PebbleStarts.cpp.inc"

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

/// The op of the block of `op` that `user` is, or stands in; null elsewhere.
static Operation *getBeside(Operation *op, Operation *user) {
  return op->getBlock()->findAncestorOpInBlock(*user);
}

/// D92: what is under way is left alone.
static LogicalResult verifyUnderWay(CollectiveStartOp op,
                                    CollectiveWaitOp wait) {
  auto isUnderWay = [&](Operation *user) {
    Operation *at = getBeside(op, user);
    return at && op->isBeforeInBlock(at) && at->isBeforeInBlock(wait);
  };
  auto refuse = [&](Operation *user, StringRef what) {
    InFlightDiagnostic error = user->emitError("[D92] ")
                               << what << " before the collective has ended";
    error.attachNote(op->getLoc()) << "it starts here";
    return error;
  };
  if (Value result = op.getResult())
    for (Operation *user : result.getUsers())
      if (user != wait)
        return refuse(user, "the result is used");
  if (!op.getResult())
    for (Operation *user : op.getInit().getUsers())
      if (user != op && isUnderWay(user))
        return refuse(user, "the destination is used");
  for (OpOperand &use : op.getInput().getUses()) {
    Operation *user = use.getOwner();
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    if (user == op || !isUnderWay(user))
      continue;
    if (isa<DropOp>(user))
      return refuse(user, "the input is dropped");
    if (effects && isa<MemRefType>(use.get().getType()) &&
        (effects.getEffectOnValue<MemoryEffects::Write>(use.get()) ||
         effects.getEffectOnValue<MemoryEffects::Free>(use.get())))
      return refuse(user, "the input is written");
  }
  return success();
}

CollectiveWaitOp pebble::getWait(CollectiveStartOp start) {
  Value token = start.getToken();
  return token.hasOneUse() ? dyn_cast<CollectiveWaitOp>(*token.user_begin())
                           : CollectiveWaitOp();
}

Value pebble::getWaitedFor(Operation *op) {
  if (auto wait = dyn_cast<WaitOp>(op))
    return wait.getCopy();
  if (auto wait = dyn_cast<CollectiveWaitOp>(op))
    return wait.getCopy();
  return {};
}

LogicalResult CollectiveStartOp::verify() {
  if (failed(verifyCollective(*this, getResult())))
    return failure();
  if (getKind() == CollectiveKind::AllSlice)
    return emitOpError("[D90] an all_slice sends nothing that could be waited "
                       "for");
  CollectiveWaitOp wait = getWait(*this);
  if (!wait || wait->getBlock() != (*this)->getBlock())
    return emitOpError("[D91] is waited for exactly once, in the block in "
                       "which it starts");
  return verifyUnderWay(*this, wait);
}

void CollectiveStartOp::getEffects(Effects &effects) {
  // Two that are alike are two.
  effects.emplace_back(MemoryEffects::Write::get(), TransferResource::get());
  addBufferEffects(*this, effects);
}

bool CollectiveStartOp::bufferizesToMemoryRead(OpOperand &operand,
                                               const AnalysisState &) {
  return &operand == &getInputMutable();
}

bool CollectiveStartOp::bufferizesToMemoryWrite(OpOperand &operand,
                                                const AnalysisState &) {
  return &operand == &getInitMutable();
}

AliasingValueList CollectiveStartOp::getAliasingValues(OpOperand &operand,
                                                       const AnalysisState &) {
  if (&operand != &getInitMutable())
    return {};
  return {{getResult(), BufferRelation::Equivalent}};
}

LogicalResult CollectiveStartOp::bufferize(RewriterBase &rewriter,
                                           const BufferizationOptions &options,
                                           BufferizationState &state) {
  FailureOr<CollectiveStartOp> onBuffers = bufferizeCollective(
      *this, rewriter, options, state, getToken().getType());
  if (failed(onBuffers))
    return failure();
  replaceOpWithBufferizedValues(rewriter, *this,
                                {onBuffers->getInit(), onBuffers->getToken()});
  return success();
}

CollectiveStartOp pebble::splitCollective(RewriterBase &rewriter,
                                          CollectiveOp op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto start = createLike<CollectiveStartOp>(
      rewriter, op, op.getInput(), op.getInit(), op.getResult().getType(),
      TokenType::get(op.getContext()));
  auto wait =
      CollectiveWaitOp::create(rewriter, op.getLoc(), op.getResult().getType(),
                               start.getToken(), start.getResult());
  rewriter.replaceOp(op, wait.getResult());
  return start;
}

void pebble::mergeCollectives(Operation *op) {
  SmallVector<CollectiveStartOp> starts;
  op->walk([&](CollectiveStartOp start) {
    if (start.getResult())
      starts.push_back(start);
  });
  IRRewriter rewriter(op->getContext());
  for (CollectiveStartOp start : starts) {
    CollectiveWaitOp wait = getWait(start);
    rewriter.setInsertionPoint(wait);
    auto merged =
        createLike<CollectiveOp>(rewriter, start, start.getInput(),
                                 start.getInit(), start.getResult().getType());
    rewriter.replaceOp(wait, merged.getResult());
    rewriter.eraseOp(start);
  }
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

ParseResult CollectiveWaitOp::parse(OpAsmParser &parser,
                                    OperationState &state) {
  return parseWait(parser, state);
}

void CollectiveWaitOp::print(OpAsmPrinter &printer) {
  printWait(*this, printer);
}

LogicalResult CollectiveWaitOp::verify() {
  if (static_cast<bool>(getCopy()) != static_cast<bool>(getResult()) ||
      (getCopy() && getCopy().getType() != getResult().getType()))
    return emitOpError("[D93] returns what it takes");
  CollectiveStartOp start = getStart(*this);
  if (!start)
    return emitOpError("[D93] takes the token of a pebble.collective_start");
  if (getCopy() != start.getResult())
    return emitOpError("[D93] ")
           << (start.getResult()
                   ? "takes what its token came with: 'for'"
                   : "takes the token alone, where the start is on memrefs");
  return success();
}

void CollectiveWaitOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), TransferResource::get());
  if (getCopy())
    return;
  // Accesses of the two buffers may not cross the end.
  effects.emplace_back(MemoryEffects::Read::get(),
                       SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(),
                       SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), RanksResource::get());
}

bool CollectiveWaitOp::bufferizesToMemoryRead(OpOperand &,
                                              const AnalysisState &) {
  return false;
}

bool CollectiveWaitOp::bufferizesToMemoryWrite(OpOperand &,
                                               const AnalysisState &) {
  return false;
}

AliasingValueList CollectiveWaitOp::getAliasingValues(OpOperand &,
                                                      const AnalysisState &) {
  return {{getResult(), BufferRelation::Equivalent}};
}

LogicalResult CollectiveWaitOp::bufferize(RewriterBase &rewriter,
                                          const BufferizationOptions &options,
                                          BufferizationState &state) {
  FailureOr<Value> buffer = getBuffer(rewriter, getCopy(), options, state);
  if (failed(buffer))
    return failure();
  auto onBuffers =
      CollectiveWaitOp::create(rewriter, getLoc(), Type(), getToken(), Value());
  onBuffers->setDiscardableAttrs((*this)->getDiscardableAttrDictionary());
  replaceOpWithBufferizedValues(rewriter, *this, *buffer);
  return success();
}

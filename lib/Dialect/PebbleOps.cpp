//===- PebbleOps.cpp - moves, drops, and the opaque identity --------------===//
//
// Syntax, effects and rules D21 to D32 of docs/PebbleGame.md. The rules look at
// SSA values alone; what needs to know storages is the storage analysis's to
// check.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/PebbleOps.h"

#include "WaitSyntax.h"

#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Dialect/Placement.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace pebble;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// `SOURCE -> TARGET`, where the target is the type of the destination and, on
/// tensors, of the copy.
static ParseResult
parseTransferTypes(OpAsmParser &parser, Type &source, Type &dest, Type &copy,
                   const std::optional<OpAsmParser::UnresolvedOperand> &into) {
  Type target;
  if (parser.parseType(source) || parser.parseArrow() ||
      parser.parseType(target))
    return failure();
  if (into)
    dest = target;
  if (isa<TensorType>(target))
    copy = target;
  return success();
}

static void printTransferTypes(OpAsmPrinter &printer, Operation *op,
                               Type source, Type dest, Type copy, Value into) {
  printer << source << " -> " << (copy ? copy : dest);
}

#define GET_OP_CLASSES
#include "pebble/Dialect/PebbleOps.cpp.inc"

ParseResult pebble::parseWait(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand token, copy;
  Type tokenType = TokenType::get(parser.getContext());
  if (parser.parseOperand(token) ||
      parser.resolveOperand(token, tokenType, state.operands))
    return failure();
  bool hasCopy = succeeded(parser.parseOptionalKeyword("for"));
  if (hasCopy && parser.parseOperand(copy))
    return failure();
  if (parser.parseOptionalAttrDict(state.attributes))
    return failure();
  if (!hasCopy)
    return success();
  Type copyType;
  if (parser.parseColonType(copyType) ||
      parser.resolveOperand(copy, copyType, state.operands))
    return failure();
  state.addTypes(copyType);
  return success();
}

ParseResult WaitOp::parse(OpAsmParser &parser, OperationState &state) {
  return parseWait(parser, state);
}

void WaitOp::print(OpAsmPrinter &printer) { printWait(*this, printer); }

/// `INPUT attributes : TYPE`. By hand, so that operand and result are not tied
/// before the verifier can speak (rule D32).
ParseResult OpaqueOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand input;
  Type type;
  if (parser.parseOperand(input) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(input, type, state.operands))
    return failure();
  state.addTypes(type);
  return success();
}

void OpaqueOp::print(OpAsmPrinter &printer) {
  printer << " " << getInput();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getInput().getType();
}

void PebbleDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "pebble/Dialect/PebbleOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "pebble/Dialect/PebbleStarts.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

static void buildTransfer(OpBuilder &builder, OperationState &state,
                          Value source, Value dest, Type copyType) {
  state.addOperands(source);
  if (dest)
    state.addOperands(dest);
  if (copyType)
    state.addTypes(copyType);
  state.addTypes(TokenType::get(builder.getContext()));
}

static Type copyTypeInto(Value dest) {
  return isa<TensorType>(dest.getType()) ? dest.getType() : Type();
}

void StoreOp::build(OpBuilder &builder, OperationState &state, Value source,
                    Type copyType) {
  buildTransfer(builder, state, source, {}, copyType);
}

void StoreOp::build(OpBuilder &builder, OperationState &state, Value source,
                    Value dest) {
  buildTransfer(builder, state, source, dest, copyTypeInto(dest));
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value source,
                   Type copyType) {
  buildTransfer(builder, state, source, {}, copyType);
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value source,
                   Value dest) {
  buildTransfer(builder, state, source, dest, copyTypeInto(dest));
}

void WaitOp::build(OpBuilder &builder, OperationState &state, Value token,
                   Value copy) {
  state.addOperands(token);
  if (!copy)
    return;
  state.addOperands(copy);
  state.addTypes(copy.getType());
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

template <typename TransferOp>
static void getTransferEffects(TransferOp op, Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), TransferResource::get());
  if (isa<TensorType>(op.getSource().getType()))
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &op.getSourceMutable(),
                       SideEffects::DefaultResource::get());
  for (OpOperand &dest : op.getDestMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &dest,
                         SideEffects::DefaultResource::get());
}

void StoreOp::getEffects(Effects &effects) {
  getTransferEffects(*this, effects);
}

void LoadOp::getEffects(Effects &effects) {
  getTransferEffects(*this, effects);
}

void WaitOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), TransferResource::get());
  if (getCopy())
    return;
  // Accesses of the two buffers may not cross the end of the transfer.
  effects.emplace_back(MemoryEffects::Read::get(),
                       SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(),
                       SideEffects::DefaultResource::get());
}

void DropOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Free::get(), &getValueMutable(),
                       SideEffects::DefaultResource::get());
}

void OpaqueOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), RecomputeResource::get());
}

Value OpaqueOp::getViewSource() { return getInput(); }

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

Operation *pebble::getTransfer(Value token) {
  Operation *op = token.getDefiningOp();
  return isa_and_present<StoreOp, LoadOp>(op) ? op : nullptr;
}

Value pebble::getSlowSide(Operation *transfer) {
  if (auto load = dyn_cast<LoadOp>(transfer))
    return load.getSource();
  auto store = cast<StoreOp>(transfer);
  return store.getCopy() ? store.getCopy() : store.getDest();
}

WaitOp pebble::getWait(Operation *transfer) {
  Value token = transfer->getResults().back();
  return token.hasOneUse() ? dyn_cast<WaitOp>(*token.user_begin()) : WaitOp();
}

/// The op of `block` that uses a value by `user`: the user, or what it is
/// nested in. Null if it stands elsewhere.
static Operation *inBlock(Block *block, Operation *user) {
  return user->getBlock() == block ? user : block->findAncestorOpInBlock(*user);
}

/// D21: either both sides are tensors and there is a copy, or both are memrefs
/// and there is a destination.
static LogicalResult verifyTransferForm(Operation *op, Value source, Value dest,
                                        Value copy) {
  bool isTensor = isa<TensorType>(source.getType());
  if (isTensor != bool(copy))
    return op->emitError("[D21] ") << (isTensor ? "a transfer of a tensor "
                                                  "returns the copy"
                                                : "a transfer of a memref "
                                                  "returns its token alone");
  if (!isTensor && !dest)
    return op->emitError(
        "[D21] a transfer of a memref needs a destination: 'into'");
  if (dest && isTensor && dest.getType() != copy.getType())
    return op->emitError("[D21] the copy has type ")
           << copy.getType() << ", but its destination has " << dest.getType();
  if (dest && isa<TensorType>(dest.getType()) != isTensor)
    return op->emitError(
        "[D21] source and destination must both be tensors or both memrefs");
  return success();
}

/// D22: a transfer copies bytes, it changes nothing about them.
static LogicalResult verifyTransferShape(Operation *op, Value source,
                                         Value target) {
  auto from = cast<ShapedType>(source.getType());
  auto to = cast<ShapedType>(target.getType());
  if (from.getElementType() != to.getElementType() ||
      failed(verifyCompatibleShape(from, to)))
    return op->emitError("[D22] a transfer cannot turn ")
           << from << " into " << to;
  return success();
}

/// D23: the fast side is in the compute tier and the slow side in a slower
/// explicit one. Without a hierarchy only the slow side's placement is known.
static LogicalResult verifyTransferTiers(Operation *op, Value fast,
                                         Value slow) {
  StringRef fastTier = getTierName(fast), slowTier = getTierName(slow);
  if (slowTier.empty() || fastTier == slowTier)
    return op->emitError("[D23] ")
           << (isa<StoreOp>(op) ? "a store goes to" : "a load comes from")
           << " a tier slower than the compute tier, which its type must name";
  HierarchyAttr hierarchy = lookupHierarchy(op);
  if (!hierarchy)
    return success();
  StringRef compute = hierarchy.getComputeTier().getName();
  std::optional<unsigned> slowIndex = hierarchy.getTierIndex(slowTier);
  // An unknown name is the module's to report (rule D9).
  if (slowIndex && *slowIndex <= hierarchy.getComputeTierIndex())
    return op->emitError("[D23] ")
           << (isa<StoreOp>(op) ? "a store goes to" : "a load comes from")
           << " a tier slower than the compute tier '" << compute << "', and '"
           << slowTier << "' is not";
  if (!fastTier.empty() && fastTier != compute)
    return op->emitError("[D23] ")
           << (isa<StoreOp>(op) ? "a store starts from" : "a load ends in")
           << " the compute tier '" << compute << "', not in '" << fastTier
           << "'";
  return success();
}

/// D48: a transfer moves one value.
static LogicalResult verifyTransferValue(Operation *op, Value slow) {
  AtAttr at = getPlacement(slow.getType());
  if (at && at.getRows())
    return op->emitError("[D48] a transfer moves one value, and the rows of ")
           << slow.getType() << " are compressed one by one";
  return success();
}

/// D24, D25, D27: one wait in the same block, and nothing touches either end
/// of the transfer before it.
static LogicalResult verifyTransferLife(Operation *op, Value source, Value dest,
                                        Value copy) {
  WaitOp wait = getWait(op);
  if (!wait || wait->getBlock() != op->getBlock())
    return op->emitError("[D24] a transfer is waited for exactly once, in the "
                         "block in which it starts");
  if (copy) {
    for (Operation *user : copy.getUsers())
      if (user != wait)
        return user->emitError("[D25] the copy is under way; only the "
                               "pebble.wait for it may use it")
                   .attachNote(op->getLoc())
               << "the transfer starts here";
  }
  auto isUnderWay = [&](Operation *user) {
    Operation *at = inBlock(op->getBlock(), user);
    return at && op->isBeforeInBlock(at) && at->isBeforeInBlock(wait);
  };
  for (Operation *user : source.getUsers())
    if (isa<DropOp>(user) && isUnderWay(user))
      return user->emitError("[D27] the value is dropped while a transfer "
                             "reads it")
                 .attachNote(op->getLoc())
             << "the transfer starts here";
  if (!copy) {
    for (Operation *user : dest.getUsers())
      if (isUnderWay(user))
        return user->emitError("[D27] the destination is used before the "
                               "transfer into it has ended")
                   .attachNote(op->getLoc())
               << "the transfer starts here";
  }
  return success();
}

template <typename TransferOp>
static LogicalResult verifyTransfer(TransferOp op) {
  Value source = op.getSource(), dest = op.getDest(), copy = op.getCopy();
  if (failed(verifyTransferForm(op, source, dest, copy)))
    return failure();
  Value target = copy ? copy : dest;
  bool isStore = std::is_same_v<TransferOp, StoreOp>;
  if (failed(verifyTransferShape(op, source, target)) ||
      failed(verifyTransferValue(op, isStore ? target : source)) ||
      failed(verifyTransferTiers(op, isStore ? source : target,
                                 isStore ? target : source)))
    return failure();
  return verifyTransferLife(op, source, dest, copy);
}

LogicalResult StoreOp::verify() { return verifyTransfer(*this); }
LogicalResult LoadOp::verify() { return verifyTransfer(*this); }

LogicalResult WaitOp::verify() {
  if (bool(getCopy()) != bool(getResult()) ||
      (getCopy() && getCopy().getType() != getResult().getType()))
    return emitError("[D26] a wait returns the copy that it takes");
  Operation *transfer = getTransfer(getToken());
  if (!transfer)
    return emitError("[D26] a wait takes the token of a pebble.store or a "
                     "pebble.load");
  Value copy =
      transfer->getNumResults() == 2 ? transfer->getResult(0) : Value();
  if (getCopy() != copy)
    return emitError("[D26] ")
           << (copy ? "a wait for a transfer of a tensor takes the copy: 'for'"
                    : "a wait for a transfer of a memref takes the token alone")
           << (copy && getCopy() ? " that its own token came with" : "");
  return success();
}

namespace {
/// Why a value may not be dropped where it is; None if it may.
enum class DropFault { None, Argument, Constant, Region, Used };
} // namespace

/// `user` is the op that uses the value after the drop, if that is the fault.
static DropFault findFault(DropOp drop, Operation *&user) {
  Value value = drop.getValue();
  if (isFunctionArgument(value)) {
    auto argument = cast<BlockArgument>(value);
    if (!isDonatedArgument(argument.getOwner()->getParentOp(),
                           argument.getArgNumber()))
      return DropFault::Argument;
  }
  if (Operation *producer = value.getDefiningOp())
    if (producer->hasTrait<OpTrait::ConstantLike>() ||
        isa<memref::GetGlobalOp>(producer))
      return DropFault::Constant;
  if (value.getParentRegion() != drop->getParentRegion())
    return DropFault::Region;
  for (Operation *other : value.getUsers()) {
    if (other == drop)
      continue;
    Operation *at = inBlock(drop->getBlock(), other);
    if (at && drop->isBeforeInBlock(at)) {
      user = other;
      return DropFault::Used;
    }
  }
  return DropFault::None;
}

LogicalResult DropOp::verify() {
  Operation *user = nullptr;
  switch (findFault(*this, user)) {
  case DropFault::None:
    return success();
  case DropFault::Argument:
    return emitError("[D30] argument ")
           << cast<BlockArgument>(getValue()).getArgNumber()
           << " belongs to the caller; only a donated argument may be dropped";
  case DropFault::Constant:
    return emitError("[D31] a constant may not be dropped: its storage is "
                     "the program's own");
  case DropFault::Region:
    return emitError("[D29] a value is dropped in the region that defines it, "
                     "not in one that may run twice or never");
  case DropFault::Used:
    return (user->emitError("[D28] the value was dropped before this ")
            << (isa<DropOp>(user) ? "second drop" : "use"))
               .attachNote(getLoc())
           << "it is dropped here";
  }
  llvm_unreachable("every fault has a message");
}

/// Canonicalisation replaces what only hands a value on by that value, whose
/// life is another one. A drop that speaks of the old one goes: the way down
/// finds the end of the new one by itself.
LogicalResult DropOp::canonicalize(DropOp drop, PatternRewriter &rewriter) {
  Operation *user = nullptr;
  if (findFault(drop, user) == DropFault::None)
    return failure();
  rewriter.eraseOp(drop);
  return success();
}

LogicalResult OpaqueOp::verify() {
  if (getInput().getType() != getResult().getType())
    return emitError("[D32] an identity returns the type that it takes");
  return success();
}

//===----------------------------------------------------------------------===//
// Folding the identity
//===----------------------------------------------------------------------===//

namespace {
struct FoldIdentity : public OpRewritePattern<OpaqueOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(OpaqueOp op,
                                PatternRewriter &rewriter) const override {
    auto isOnTensors = [](Operation *user) {
      return llvm::any_of(user->getOperandTypes(), llvm::IsaPred<TensorType>) ||
             llvm::any_of(user->getResultTypes(), llvm::IsaPred<TensorType>);
    };
    if (isa<TensorType>(op.getType()) ||
        llvm::any_of(op->getUsers(), isOnTensors))
      return rewriter.notifyMatchFailure(op, "still on tensors");
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
};
} // namespace

void pebble::populateFoldIdentityPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldIdentity>(patterns.getContext());
}

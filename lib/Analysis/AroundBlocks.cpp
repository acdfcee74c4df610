//===- AroundBlocks.cpp - what is live around a block ---------------------===//

#include "pebble/Analysis/AroundBlocks.h"

#include "pebble/Analysis/BlockLiveness.h"
#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/Jumps.h"
#include "pebble/Analysis/Reach.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace pebble {

/// Frees of the program say when a buffer may end; they do not use it, and the
/// way down places them anew.
static bool isFreeOf(Operation *op) {
  return isa<DropOp, memref::DeallocOp, bufferization::DeallocTensorOp>(op);
}

/// A tensor or a buffer, which a block's storages are asked about.
static bool isShaped(Type type) {
  return isa<TensorType, BaseMemRefType, TupleType>(type);
}

/// True for values that may lead to a buffer although they are none: tokens,
/// pointers, and integers that may be addresses.
static bool mayLeadToBuffer(Type type) {
  return !isShaped(type) && (isa<IndexType>(type) || type.isInteger(64) ||
                             isTokenType(type) || !ReachAnalysis::isData(type));
}

/// Buffers by number, in the order in which they were met.
using Numbers = llvm::SmallSetVector<unsigned, 2>;

class AroundBlocks::Builder {
public:
  Builder(AroundBlocks &around, Region &body, ProgramContext &context)
      : around(around), body(body) {
    for (Block &block : body) {
      storages[&block] = std::make_unique<StorageAnalysis>(block, context);
      reach[&block] = std::make_unique<ReachAnalysis>(block, context);
    }
  }

  void run() {
    // An argument that owns, or an operand that leaves its buffer where it is,
    // changes what values name: start again with what was found so far.
    do {
      buffers.clear();
      held.clear();
      names.clear();
      foreign = getBuffer({}, 0, {&body.front(), 0, {}});
      follow();
      findNames();
    } while (findOwning() || findKept());
    count();
    findReturnedCopies();
  }

private:
  struct Buffer {
    /// Where it is made, or handed over to.
    Block *maker;
    int64_t footprint;
    StringRef tier;
    /// Made by no step, so that its block does not count it.
    bool isUntouched = false;
  };

  //===--------------------------------------------------------------------===//
  // Which value names which buffer
  //===--------------------------------------------------------------------===//

  void follow() {
    do {
      hasChanged = false;
      for (Block &block : body) {
        for (BlockArgument argument : block.getArguments())
          visitArgument(argument);
        for (Operation &op : block)
          for (Value result : op.getResults())
            add(result, getNamed(op, result));
        visitPassed(block, [&](OpOperand &operand, BlockArgument to) {
          pass(operand, to);
        });
      }
    } while (hasChanged);
  }

  void add(Value value, const Numbers &more) {
    if (more.empty())
      return;
    Numbers &mine = held[value];
    for (unsigned number : more)
      hasChanged |= mine.insert(number);
  }

  unsigned getBuffer(Value root, unsigned element, const Buffer &buffer) {
    auto [it, isNew] = buffers.insert({{root, element}, buffer});
    if (isNew)
      hasChanged = true;
    return static_cast<unsigned>(it - buffers.begin());
  }

  void visitArgument(BlockArgument argument) {
    Block *block = argument.getOwner();
    if (!block->isEntryBlock() && !owning.contains(argument))
      return;
    for (auto [index, id] :
         llvm::enumerate(storages[block]->lookup(argument))) {
      const Storage &entry = storages[block]->getStorage(id);
      // What is the caller's is live throughout.
      bool isForeign =
          block->isEntryBlock() && entry.kind == StorageKind::Argument;
      Numbers own;
      own.insert(isForeign
                     ? foreign
                     : getBuffer(argument, index,
                                 {block, entry.getFootprint(), entry.tier}));
      add(argument, own);
    }
  }

  /// The buffers of storage `id` of `block`: those that its root names, if the
  /// block did not make it.
  Numbers getNamed(Block *block, StorageId id) {
    const Storage &entry = storages[block]->getStorage(id);
    Numbers named;
    if (entry.kind != StorageKind::Argument &&
        (!entry.isCounted() || entry.mayBeOurs))
      named.insert(foreign);
    if (!entry.isCounted() || !entry.root)
      return named;
    Value root = entry.root;
    if (isFrom(root) &&
        (isa<BlockArgument>(root) || root.getParentBlock() != block))
      return held.lookup(root);
    named.insert(getBuffer(root, entry.element.value_or(0),
                           {block, entry.getFootprint(), entry.tier}));
    return named;
  }

  /// True for values of the blocks themselves.
  bool isFrom(Value value) const { return value.getParentRegion() == &body; }

  Numbers getNamed(Operation &op, Value result) {
    Block *block = op.getBlock();
    const StorageAnalysis &storage = *storages[block];
    Numbers named;
    if (isShaped(result.getType())) {
      bool isUnknown = false;
      for (StorageId id : storage.lookup(result)) {
        StorageKind kind = storage.getStorage(id).kind;
        isUnknown |=
            kind == StorageKind::Unknown || kind == StorageKind::Anywhere;
        Numbers more = getNamed(block, id);
        named.insert(more.begin(), more.end());
      }
      if (isUnknown)
        addOperands(op, named);
      if (storage.lookup(result).empty() && isUsedElsewhere(result))
        addUntouched(result, named);
    } else if (mayLeadToBuffer(result.getType())) {
      for (ReachAnalysis::Id id : reach[block]->get(result))
        addOrigin(block, reach[block]->getOrigin(id), named);
      addOperands(op, named);
    }
    return named;
  }

  void addOrigin(Block *block, const Origin &origin, Numbers &named) {
    if (!origin.value)
      return;
    ArrayRef<StorageId> ids = storages[block]->lookup(origin.value);
    for (StorageId id : ids) {
      Numbers more = getNamed(block, id);
      named.insert(more.begin(), more.end());
    }
    if (ids.empty() && isFrom(origin.value)) {
      const Numbers &more = held[origin.value];
      named.insert(more.begin(), more.end());
    }
  }

  /// Pointers, tokens and addresses hand on what they lead to, and a token
  /// keeps all that its op was given.
  void addOperands(Operation &op, Numbers &named) {
    bool makesToken = llvm::any_of(op.getResultTypes(), isTokenType);
    for (Value operand : op.getOperands()) {
      if (!makesToken && !mayLeadToBuffer(operand.getType()))
        continue;
      Numbers more = held.lookup(operand);
      named.insert(more.begin(), more.end());
    }
  }

  bool isUsedElsewhere(Value value) const {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return body.findAncestorBlockInRegion(*user->getBlock()) !=
             value.getParentBlock();
    });
  }

  /// A destination that only another block looks at.
  void addUntouched(Value value, Numbers &named) {
    for (Operation *user : value.getUsers()) {
      Block *block = body.findAncestorBlockInRegion(*user->getBlock());
      if (!block || block == value.getParentBlock())
        continue;
      for (StorageId id : storages[block]->lookup(value)) {
        const Storage &entry = storages[block]->getStorage(id);
        if (entry.root == value && entry.isCounted())
          named.insert(getBuffer(value, 0,
                                 {value.getParentBlock(), entry.getFootprint(),
                                  entry.tier, /*isUntouched=*/true}));
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // What branches bring
  //===--------------------------------------------------------------------===//

  void pass(OpOperand &operand, BlockArgument to) {
    Numbers given = held.lookup(operand.get());
    if (!owning.contains(to))
      return add(to, given);
    Numbers stay;
    if (kept.contains(&operand))
      stay = given;
    else if (given.contains(foreign))
      stay.insert(foreign);
    add(to, stay);
    // What `to` owns is as large as the largest that it may be given.
    Numbers own = held.lookup(to);
    for (unsigned number : own) {
      Buffer &mine = getAt(number);
      if (mine.maker != to.getOwner() || getRoot(number) != to)
        continue;
      for (unsigned other : given)
        if (getAt(other).footprint > mine.footprint) {
          mine.footprint = getAt(other).footprint;
          hasChanged = true;
        }
    }
  }

  Buffer &getAt(unsigned number) { return (buffers.begin() + number)->second; }
  Value getRoot(unsigned number) {
    return (buffers.begin() + number)->first.first;
  }

  using Visit = llvm::function_ref<void(OpOperand &, BlockArgument)>;

  static void visitPassed(Block &block, Visit visit) {
    if (block.empty())
      return;
    if (auto jump = dyn_cast<BranchOpInterface>(block.back()))
      forEachPassed(jump, visit);
  }

  void visitAllPassed(Visit visit) {
    for (Block &block : body)
      visitPassed(block, visit);
  }

  /// Whether another argument turns out to own what flows into it.
  bool findOwning() {
    size_t before = owning.size();
    visitAllPassed([&](OpOperand &operand, BlockArgument to) {
      if (isShaped(to.getType()) &&
          llvm::any_of(held.lookup(operand.get()), [&](unsigned number) {
            return mustOwn(to, getRoot(number), getAt(number).maker);
          }))
        owning.insert(to);
    });
    return owning.size() != before;
  }

  /// Whether another operand turns out to leave its buffer with its owner: the
  /// buffer is needed by its old names as well.
  bool findKept() {
    size_t before = kept.size();
    visitAllPassed([&](OpOperand &operand, BlockArgument to) {
      if (!owning.contains(to))
        return;
      for (unsigned number : held.lookup(operand.get()))
        if (number != foreign &&
            staysWithOwner(
                to, getRoot(number),
                BlockLiveness(getAt(number).maker, names[number], isFreeOf)))
          kept.insert(&operand);
    });
    return kept.size() != before;
  }

  void findNames() {
    names.resize(buffers.size());
    auto note = [&](Value value) {
      if (auto found = held.find(value); found != held.end())
        for (unsigned number : found->second)
          names[number].push_back(value);
    };
    for (Block &block : body) {
      for (Value argument : block.getArguments())
        note(argument);
      for (Operation &op : block)
        for (Value result : op.getResults())
          note(result);
    }
  }

  //===--------------------------------------------------------------------===//
  // Bytes
  //===--------------------------------------------------------------------===//

  void count() {
    for (auto [entry, list] : llvm::zip(buffers, names)) {
      const Buffer &buffer = entry.second;
      if (!entry.first.first) // foreign ones are counted below
        continue;
      BlockLiveness liveness(buffer.maker, list, isFreeOf);
      bool isGiven = isa<BlockArgument>(entry.first.first) &&
                     !buffer.maker->isEntryBlock();
      for (Block &block : body) {
        bool isMaker = &block == buffer.maker;
        if (isMaker
                ? isGiven || (buffer.isUntouched && liveness.isLiveOut(&block))
                : liveness.isLiveIn(&block)) {
          around.live[&block][buffer.tier] += buffer.footprint;
          around.owned[&block][buffer.tier] += buffer.footprint;
        }
      }
    }
    for (Block &block : llvm::drop_begin(body)) {
      for (const Storage &entry : storages[&body.front()]->getStorages())
        if (entry.kind == StorageKind::Argument && entry.isCounted())
          around.live[&block][entry.tier] += entry.getFootprint();
      // What the block counts as given was counted above, each buffer once.
      bool hasSteps = !storages[&block]->getSteps().empty();
      for (const Storage &entry : storages[&block]->getStorages())
        if (entry.kind == StorageKind::Argument && entry.isCounted() &&
            (entry.tier.empty() || hasSteps))
          around.live[&block][entry.tier] -= entry.getFootprint();
    }
  }

  //===--------------------------------------------------------------------===//
  // Returns
  //===--------------------------------------------------------------------===//

  void findReturnedCopies() {
    SmallVector<Operation *> returns;
    llvm::SmallDenseSet<unsigned> given;
    for (Block &block : body)
      if (!block.empty() && block.back().hasTrait<OpTrait::ReturnLike>())
        returns.push_back(&block.back());
    for (Operation *end : returns)
      for (OpOperand &operand : end->getOpOperands())
        for (unsigned number : held.lookup(operand.get()))
          if (number != foreign)
            given.insert(operand.getOperandNumber());
    for (Operation *end : returns) {
      llvm::SmallDenseSet<unsigned> gone;
      for (OpOperand &operand : end->getOpOperands()) {
        if (!isa<RankedTensorType>(operand.get().getType()) ||
            !given.contains(operand.getOperandNumber()))
          continue;
        Numbers named = held.lookup(operand.get());
        if (named.size() != 1 || named[0] == foreign ||
            !gone.insert(named[0]).second)
          around.copies.push_back(&operand);
      }
    }
  }

  AroundBlocks &around;
  Region &body;
  llvm::DenseMap<Block *, std::unique_ptr<StorageAnalysis>> storages;
  llvm::DenseMap<Block *, std::unique_ptr<ReachAnalysis>> reach;
  /// By root, and place in it where that is a tuple.
  llvm::MapVector<std::pair<Value, unsigned>, Buffer> buffers;
  llvm::DenseMap<Value, Numbers> held;
  std::vector<SmallVector<Value>> names;
  /// Stands for all buffers that are the caller's, or nobody's here.
  unsigned foreign = 0;
  llvm::DenseSet<Value> owning;
  llvm::DenseSet<OpOperand *> kept;
  bool hasChanged = false;
};

AroundBlocks::AroundBlocks(Region &body, ProgramContext &context) {
  if (!body.hasOneBlock())
    Builder(*this, body, context).run();
}

int64_t AroundBlocks::lookup(const Table &table, Block &block, StringRef tier) {
  auto found = table.find(&block);
  if (found == table.end())
    return 0;
  auto bytes = found->second.find(tier);
  return bytes == found->second.end() ? 0 : bytes->second;
}

SmallVector<StringRef> AroundBlocks::getTiers(Block &block) const {
  SmallVector<StringRef> tiers;
  if (auto found = live.find(&block); found != live.end())
    for (auto [tier, bytes] : found->second)
      tiers.push_back(tier);
  return tiers;
}

bool isFunctionBlock(Block &block) {
  return isa<FunctionOpInterface>(block.getParentOp());
}

FailureOr<std::map<std::string, int64_t>>
getBodyPeaks(Region &body, ProgramContext &context) {
  std::map<std::string, int64_t> peaks;
  AroundBlocks around(body, context);
  for (Block &block : body) {
    StorageAnalysis storage(block, context);
    if (failed(storage.verify()))
      return failure();
    LifetimeAnalysis lifetime(storage);
    SmallVector<StringRef> tiers = lifetime.getTiers();
    llvm::append_range(tiers, around.getTiers(block));
    for (StringRef tier : tiers) {
      int64_t &peak = peaks[tier.str()];
      peak = std::max(peak, addCounts(lifetime.getPeakBytes(tier),
                                      around.getBytes(block, tier)));
    }
  }
  return peaks;
}

} // namespace pebble

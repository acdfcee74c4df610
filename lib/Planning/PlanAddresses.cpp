//===- PlanAddresses.cpp - where the buffers of a function lie ------------===//

#include "pebble/Planning/PlanAddresses.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/Lifetime.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace pebble {

static constexpr int64_t kAlignment = 64;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Location FunctionBuffer::getLoc() const {
  return allocation ? allocation->getLoc() : argument.getLoc();
}

std::optional<int64_t> FunctionBuffer::getOffset() const {
  IntegerAttr offset;
  if (allocation)
    offset = allocation->getAttrOfType<IntegerAttr>(attr::kOffset);
  else
    offset = cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
                 .getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                attr::kOffset);
  return offset ? std::optional(offset.getInt()) : std::nullopt;
}

/// Transfers that make room for the copy themselves are allocations too.
static bool isAllocation(Operation *op) {
  return isa<bufferization::AllocTensorOp, tensor::EmptyOp, memref::AllocOp,
             memref::AllocaOp>(op) ||
         (isa<StoreOp, LoadOp>(op) && op->getNumResults() == 2 &&
          op->getNumOperands() == 1);
}

namespace {
class BufferCollector {
public:
  BufferCollector(FunctionOpInterface function, ProgramContext &context)
      : function(function), context(context) {}

  FunctionBuffers run() {
    if (!refuseFunction() && !function.getFunctionBody().empty())
      collect(function.getFunctionBody().front());
    return std::move(result);
  }

private:
  bool refuse(Location loc, const Twine &reason) {
    result.buffers.clear();
    result.refusal = reason.str();
    result.refusedAt = loc;
    return true;
  }

  /// What can be said without an analysis.
  bool refuseFunction() {
    if (function.isExternal())
      return refuse(function.getLoc(), "the function has no body");
    if (!function.getFunctionBody().hasOneBlock())
      return refuse(function.getLoc(), "the function has several blocks");
    SymbolTableCollection symbols;
    WalkResult calls = function->walk([&](CallOpInterface call) {
      auto callee = dyn_cast_or_null<FunctionOpInterface>(
          call.resolveCallableInTable(&symbols));
      if (callee && callee.isExternal())
        return WalkResult::advance();
      refuse(call.getLoc(), "what the function calls here may allocate");
      return WalkResult::interrupt();
    });
    if (calls.wasInterrupted())
      return true;
    // Where it is called from, its arguments lie elsewhere.
    if (isReferenced(function))
      return refuse(function.getLoc(), "other functions call the function");
    return false;
  }

  void collect(Block &block) {
    StorageAnalysis storage(block, context);
    // Sizes that are not known are told by the analysis, as errors; ask first.
    for (const Storage &entry : storage.getStorages())
      if (entry.isCounted() && refuseType(entry))
        return;
    LifetimeAnalysis lifetime(storage);
    for (const Step &step : storage.getSteps())
      if (refuseStep(step))
        return;
    if (!findAllocations(block, storage))
      return;
    computeTier = "default";
    if (HierarchyAttr hierarchy = lookupHierarchy(function))
      computeTier = hierarchy.getComputeTier().getName().str();
    for (StorageId id = 0; id < storage.getStorages().size(); ++id)
      if (storage.getStorage(id).isCounted())
        if (!addBuffer(storage, lifetime, id))
          return;
    extendToSizes(block, storage);
  }

  bool refuseType(const Storage &entry) {
    auto type = dyn_cast<ShapedType>(entry.root.getType());
    if (!type)
      return refuse(entry.root.getLoc(), "a tuple has no address");
    if (!type.hasRank() || !type.hasStaticShape())
      return refuse(entry.root.getLoc(),
                    "the size of a buffer depends on the data");
    auto memref = dyn_cast<MemRefType>(type);
    if (memref && !memref.getLayout().isIdentity())
      return refuse(entry.root.getLoc(), "the layout of a buffer leaves gaps");
    if (!context.getBytes(type))
      return refuse(entry.root.getLoc(), "the size of a buffer is not known");
    constexpr uint64_t kGranule = 64;
    auto alloc = entry.root.getDefiningOp<memref::AllocOp>();
    auto alloca = entry.root.getDefiningOp<memref::AllocaOp>();
    auto alignment = alloc    ? alloc.getAlignment()
                     : alloca ? alloca.getAlignment()
                              : std::nullopt;
    if (alignment.value_or(0) > kGranule)
      return refuse(entry.root.getLoc(),
                    "a buffer is aligned to more than 64 bytes");
    return false;
  }

  /// An operation that allocates while it runs, or whose lowering does.
  bool refuseStep(const Step &step) {
    Operation *op = step.op;
    if (isa<ml_program::GlobalLoadOp>(op))
      return refuse(op->getLoc(), "what is loaded from a global is copied");
    if (op->getNumRegions() == 0 || isa<linalg::LinalgOp>(op))
      return false;
    WalkResult inside = op->walk([&](Operation *nested) {
      return nested != op && isAllocation(nested) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
    });
    return (inside.wasInterrupted() || step.scratch > 0 ||
            !step.slowScratch.empty()) &&
           refuse(op->getLoc(),
                  "'" + op->getName().getStringRef() + "' allocates inside");
  }

  /// The storage that begins in what `value` allocates; none if nothing is ever
  /// in it. False and a refusal if there is no telling.
  bool findStorage(Value value, const StorageAnalysis &storage,
                   std::optional<StorageId> &found) {
    ArrayRef<StorageId> ids = storage.lookup(value);
    if (ids.size() > 1)
      return false;
    auto take = [&](StorageId id) {
      if (found && *found != id)
        return false;
      found = id;
      return true;
    };
    if (ids.size() == 1)
      return take(ids[0]);
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (StorageAnalysis::isFree(user)) {
        if (StorageAnalysis::getViewSource(user) == value &&
            !findStorage(user->getResult(0), storage, found))
          return false;
        continue;
      }
      OpResult tied;
      if (auto dps = dyn_cast<DestinationStyleOpInterface>(user);
          dps && dps.isDpsInit(&use))
        tied = dps.getTiedOpResult(&use);
      else if (auto loop = dyn_cast<LoopLikeOpInterface>(user))
        tied = loop.getTiedLoopResult(&use);
      else if (isa<StoreOp, LoadOp>(user) && use.getOperandNumber() == 1)
        tied = user->getResult(0);
      if (!tied || user->getBlock() != storage.getBlock() ||
          storage.lookup(tied).size() != 1 || !take(storage.lookup(tied)[0]))
        return false;
    }
    return true;
  }

  bool findAllocations(Block &block, const StorageAnalysis &storage) {
    for (Operation &op : block) {
      if (!isAllocation(&op) || op.use_empty())
        continue;
      std::optional<StorageId> id;
      if (!findStorage(op.getResult(0), storage, id) ||
          (id && !allocations.try_emplace(*id, &op).second))
        return !refuse(op.getLoc(), "several buffers may begin here");
    }
    return true;
  }

  /// Whether a donated argument is used at all.
  static bool isTouched(const StorageAnalysis &storage, StorageId id) {
    return llvm::any_of(storage.getSteps(), [&](const Step &step) {
      return llvm::any_of(step.accesses, [&](const Access &access) {
        return access.storage == id;
      });
    });
  }

  bool addBuffer(const StorageAnalysis &storage,
                 const LifetimeAnalysis &lifetime, StorageId id) {
    const Storage &entry = storage.getStorage(id);
    FunctionBuffer buffer;
    buffer.size = entry.getFootprint();
    buffer.tier = entry.tier.empty() ? computeTier : entry.tier.str();
    LiveRange range = lifetime.getRange(id);
    int64_t end = static_cast<int64_t>(storage.getSteps().size()) + 1;
    if (entry.kind == StorageKind::Local) {
      buffer.allocation = allocations.lookup(id);
      if (!buffer.allocation)
        return !refuse(entry.root.getLoc(),
                       "what is made here has no allocation of its own");
      // What is returned unwritten, or not even that, is there at the end.
      buffer.lower = range.isEmpty() ? end - 1 : range.first + 1;
      buffer.upper = range.isEmpty() ? end : range.last + 2;
    } else {
      buffer.argument = dyn_cast<BlockArgument>(entry.root);
      if (!buffer.argument || buffer.argument.getOwner() != storage.getBlock())
        return !refuse(entry.root.getLoc(),
                       "a buffer from outside of the function");
      buffer.upper = 1;
      if (entry.outlives)
        buffer.upper = end;
      else if (!range.isEmpty() && isTouched(storage, id))
        buffer.upper = range.last + 2;
    }
    indexOf[id] = result.buffers.size();
    result.buffers.push_back(std::move(buffer));
    return true;
  }

  /// Whoever asks for the size of a buffer keeps it, and is no step.
  void extendToSizes(Block &block, const StorageAnalysis &storage) {
    int64_t steps = 0;
    for (Operation &op : block) {
      if (!StorageAnalysis::isFree(&op)) {
        ++steps;
        continue;
      }
      if (!isa<tensor::DimOp, memref::DimOp>(op))
        continue;
      for (StorageId id : storage.lookup(op.getOperand(0)))
        if (auto found = indexOf.find(id); found != indexOf.end()) {
          FunctionBuffer &buffer = result.buffers[found->second];
          buffer.lower = std::min(buffer.lower, steps + 1);
          buffer.upper = std::max(buffer.upper, steps + 2);
        }
    }
  }

  FunctionOpInterface function;
  ProgramContext &context;
  FunctionBuffers result;
  std::string computeTier;
  llvm::DenseMap<StorageId, Operation *> allocations;
  llvm::DenseMap<StorageId, size_t> indexOf;
};
} // namespace

FunctionBuffers collectBuffers(FunctionOpInterface function,
                               ProgramContext &context) {
  return BufferCollector(function, context).run();
}

std::vector<TierBuffers>
splitByTier(const std::vector<FunctionBuffer> &buffers) {
  std::vector<TierBuffers> tiers;
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    auto found = llvm::find_if(tiers, [&, &buffer = buffer](TierBuffers &tier) {
      return tier.tier == buffer.tier;
    });
    if (found == tiers.end()) {
      tiers.push_back({buffer.tier, {}, {}});
      found = std::prev(tiers.end());
    }
    found->buffers.push_back(
        {std::to_string(index), buffer.lower, buffer.upper, buffer.size});
    found->indices.push_back(index);
  }
  return tiers;
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

const TierExtent *AddressPlan::getTier(StringRef name) const {
  for (const TierExtent &tier : tiers)
    if (tier.tier == name)
      return &tier;
  return nullptr;
}

addresses::Placement placeInTier(const std::vector<addresses::Buffer> &buffers,
                                 const AddressRequest &request) {
  addresses::PlaceOptions options;
  options.alignment = kAlignment;
  options.effort = request.effort;
  options.seed = request.seed;
  options.enough = request.enough;
  options.limits = request.limits;
  return addresses::placeBuffers(buffers, options);
}

AddressPlan planAddresses(const std::vector<FunctionBuffer> &buffers,
                          const AddressRequest &request) {
  AddressPlan plan;
  plan.offsets.resize(buffers.size());
  for (const TierBuffers &tier : splitByTier(buffers)) {
    AddressRequest wanted = request;
    if (tier.tier != request.tier)
      wanted.enough = 0;
    addresses::Placement placement = placeInTier(tier.buffers, wanted);
    for (auto [index, offset] : llvm::zip(tier.indices, placement.offsets))
      plan.offsets[index] = offset;
    plan.tiers.push_back({tier.tier, addresses::getPeak(tier.buffers),
                          placement.extent, placement.bound, placement.solver,
                          placement.limited && request.limits.isOver()});
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Memory whose content nobody looks at (a window's shape, say) may still be a
/// tensor.empty, which common subexpression elimination merges with others.
static Operation *takeAsAllocation(Operation *op) {
  auto empty = dyn_cast<tensor::EmptyOp>(op);
  if (!empty)
    return op;
  OpBuilder builder(op);
  auto alloc = bufferization::AllocTensorOp::create(
      builder, op->getLoc(), empty.getType(), empty.getDynamicSizes());
  op->replaceAllUsesWith(alloc);
  op->erase();
  return alloc;
}

/// What offsets are planned for, in a few letters: which buffers there are, and
/// in which steps they live. The same on every machine.
static std::string digestLives(const std::vector<FunctionBuffer> &buffers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const FunctionBuffer &buffer : buffers) {
    if (buffer.argument)
      os << buffer.argument.getArgNumber();
    os << ' ' << buffer.tier << ' ' << buffer.size << ' ' << buffer.lower << ' '
       << buffer.upper << '\n';
  }
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true,
                         /*Width=*/16);
}

/// Writes where in each tier the last buffer ends, and which buffers there are.
static void writeExtents(FunctionOpInterface function,
                         const NamedAttrList &extents,
                         const std::vector<FunctionBuffer> &buffers) {
  MLIRContext *context = function.getContext();
  function->setAttr(attr::kExtent, extents.getDictionary(context));
  function->setAttr(attr::kLives,
                    StringAttr::get(context, digestLives(buffers)));
}

void writeAddresses(FunctionOpInterface function,
                    const std::vector<FunctionBuffer> &buffers,
                    const AddressPlan &plan) {
  Builder builder(function.getContext());
  // Arguments' attributes all at once: each change makes a new array of all.
  SmallVector<NamedAttrList> attributes;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    attributes.emplace_back(function.getArgAttrDict(i));
  for (auto [buffer, offset] : llvm::zip(buffers, plan.offsets)) {
    IntegerAttr value = builder.getI64IntegerAttr(offset);
    if (buffer.allocation)
      takeAsAllocation(buffer.allocation)->setAttr(attr::kOffset, value);
    else
      attributes[buffer.argument.getArgNumber()].set(attr::kOffset, value);
  }
  SmallVector<DictionaryAttr> all;
  for (const NamedAttrList &list : attributes)
    all.push_back(list.getDictionary(function.getContext()));
  if (!all.empty())
    function.setAllArgAttrs(all);
  NamedAttrList extents;
  for (const TierExtent &tier : plan.tiers)
    extents.set(tier.tier, builder.getI64IntegerAttr(tier.extent));
  writeExtents(function, extents, buffers);
}

void eraseAddresses(FunctionOpInterface function) {
  function->removeAttr(attr::kExtent);
  function->removeAttr(attr::kLives);
  function->walk([](Operation *op) { op->removeAttr(attr::kOffset); });
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    function.removeArgAttr(i, attr::kOffset);
}

void eraseAllAddresses(Operation *module) {
  module->walk([](FunctionOpInterface function) {
    if (hasAddresses(function))
      eraseAddresses(function);
  });
}

bool hasAddresses(FunctionOpInterface function) {
  return function->hasAttr(attr::kExtent);
}

//===----------------------------------------------------------------------===//
// Whether they hold
//===----------------------------------------------------------------------===//

namespace {
/// What is wrong with addresses, and where that is said.
struct AddressFault {
  Location loc;
  std::string text;
  std::optional<Location> otherLoc;
  std::string otherText;

  InFlightDiagnostic emit() const {
    InFlightDiagnostic error = emitError(loc) << "[D44] " << text;
    if (otherLoc)
      error.attachNote(*otherLoc) << otherText;
    return error;
  }
};
} // namespace

/// Two of `buffers`, which are in one tier, that lie upon each other.
static std::optional<AddressFault>
findOverlap(ArrayRef<const FunctionBuffer *> buffers) {
  for (auto [index, one] : llvm::enumerate(buffers))
    for (const FunctionBuffer *other : buffers.take_front(index)) {
      int64_t a = *one->getOffset(), b = *other->getOffset();
      bool together = one->lower < other->upper && other->lower < one->upper;
      if (!together || a >= b + other->size || b >= a + one->size)
        continue;
      return AddressFault{
          one->getLoc(),
          llvm::formatv("a buffer of {0} bytes at offset {1} of tier '{2}' "
                        "overlaps another one that is live at the same time",
                        one->size, a, one->tier),
          other->getLoc(),
          llvm::formatv("which has {0} bytes at offset {1}", other->size, b)};
    }
  return std::nullopt;
}

static std::optional<AddressFault> findFault(FunctionOpInterface function,
                                             const FunctionBuffers &found) {
  auto fault = [](Location loc, const Twine &text) {
    return AddressFault{loc, text.str(), std::nullopt, {}};
  };
  if (!found.refusal.empty())
    return fault(*found.refusedAt, "the function has '" + attr::kExtent +
                                       "', but " + found.refusal);
  auto extents = function->getAttrOfType<DictionaryAttr>(attr::kExtent);
  for (const FunctionBuffer &buffer : found.buffers)
    if (!buffer.getOffset())
      return fault(buffer.getLoc(),
                   "a buffer without '" + attr::kOffset +
                       "' in a function that has '" + attr::kExtent +
                       "': something changed after addresses were planned; "
                       "plan them again by pebble-plan-addresses");
  for (const TierBuffers &tier : splitByTier(found.buffers)) {
    auto extent = extents.getAs<IntegerAttr>(tier.tier);
    if (!extent)
      return fault(function->getLoc(),
                   "'" + attr::kExtent + "' lacks tier '" + tier.tier + "'");
    std::vector<int64_t> offsets;
    SmallVector<const FunctionBuffer *> pointers;
    for (size_t index : tier.indices) {
      pointers.push_back(&found.buffers[index]);
      offsets.push_back(*pointers.back()->getOffset());
    }
    addresses::Judgement judgement =
        addresses::verify(tier.buffers, offsets, kAlignment, extent.getInt());
    if (judgement.error.empty())
      continue;
    if (std::optional<AddressFault> overlap = findOverlap(pointers))
      return overlap;
    return fault(function->getLoc(),
                 "tier '" + tier.tier + "': " + judgement.error);
  }
  return std::nullopt;
}

/// Whether `function` is known to have had other buffers, or other lives of
/// them, when its addresses were planned.
static bool hasChanged(FunctionOpInterface function,
                       const FunctionBuffers &found) {
  auto lives = function->getAttrOfType<StringAttr>(attr::kLives);
  // What cannot be planned now could be planned then.
  return lives && (!found.refusal.empty() ||
                   lives.getValue() != digestLives(found.buffers));
}

AddressState judgeAddresses(FunctionOpInterface function,
                            const FunctionBuffers &found) {
  std::optional<AddressFault> fault = findFault(function, found);
  if (!fault)
    return hasChanged(function, found) ? AddressState::HoldForOthers
                                       : AddressState::Hold;
  if (hasChanged(function, found))
    return AddressState::Outdated;
  fault->emit();
  return AddressState::Wrong;
}

void restateAddresses(FunctionOpInterface function,
                      const std::vector<FunctionBuffer> &buffers) {
  llvm::StringMap<int64_t> ends;
  llvm::DenseSet<Operation *> placed;
  for (const FunctionBuffer &buffer : buffers) {
    int64_t &end = ends[buffer.tier];
    end = std::max(end, *buffer.getOffset() + buffer.size);
    placed.insert(buffer.allocation);
  }
  // What is no buffer any more (nobody uses it) has no place either.
  function->walk([&](Operation *op) {
    if (!placed.contains(op))
      op->removeAttr(attr::kOffset);
  });
  Builder builder(function.getContext());
  NamedAttrList extents;
  for (const auto &tier : ends)
    extents.set(tier.getKey(), builder.getI64IntegerAttr(tier.getValue()));
  writeExtents(function, extents, buffers);
}

LogicalResult verifyAddresses(FunctionOpInterface function,
                              ProgramContext &context) {
  FunctionBuffers found = collectBuffers(function, context);
  std::optional<AddressFault> fault = findFault(function, found);
  if (!fault)
    return success();
  InFlightDiagnostic error = fault->emit();
  if (hasChanged(function, found))
    error.attachNote(function->getLoc())
        << "the function has changed after its addresses were planned; "
           "pebble-renew-addresses plans them again";
  return error;
}

} // namespace pebble

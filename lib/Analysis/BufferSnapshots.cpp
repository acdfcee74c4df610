//===- BufferSnapshots.cpp - what a segment finds again -------------------===//

#include "pebble/Analysis/BufferSnapshots.h"

#include "pebble/Analysis/Destinations.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/Trips.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace pebble {

namespace {

/// Elements from `begin` on, without `end`.
struct Elements {
  int64_t begin = 0, end = 0;
  bool isEmpty() const { return begin >= end; }
};

/// Sets of elements: ranges in order, apart from each other.
class ElementSet {
public:
  void add(Elements more) {
    if (more.isEmpty())
      return;
    SmallVector<Elements> merged;
    for (const Elements &range : ranges) {
      if (range.end < more.begin || more.end < range.begin) {
        merged.push_back(range);
        continue;
      }
      more = {std::min(more.begin, range.begin), std::max(more.end, range.end)};
    }
    merged.push_back(more);
    llvm::sort(merged, [](const Elements &a, const Elements &b) {
      return a.begin < b.begin;
    });
    ranges = std::move(merged);
  }
  void add(const ElementSet &other) {
    for (const Elements &range : other.ranges)
      add(range);
  }
  /// What of `range` is not in the set.
  SmallVector<Elements> without(Elements range) const {
    SmallVector<Elements> rest;
    for (const Elements &known : ranges) {
      if (known.end <= range.begin || known.begin >= range.end)
        continue;
      if (known.begin > range.begin)
        rest.push_back({range.begin, known.begin});
      range.begin = known.end;
    }
    if (!range.isEmpty())
      rest.push_back(range);
    return rest;
  }
  bool isEmpty() const { return ranges.empty(); }
  bool meets(const ElementSet &other) const {
    return llvm::any_of(ranges, [&](const Elements &one) {
      return llvm::any_of(other.ranges, [&](const Elements &two) {
        return one.begin < two.end && two.begin < one.end;
      });
    });
  }
  void keepCommon(const ElementSet &other) {
    ElementSet common;
    for (const Elements &one : ranges)
      for (const Elements &two : other.ranges)
        common.add(
            {std::max(one.begin, two.begin), std::min(one.end, two.end)});
    ranges = std::move(common.ranges);
  }

private:
  SmallVector<Elements> ranges;
};

using Sets = llvm::MapVector<Value, ElementSet>;

/// What some operations read and write, of each buffer.
struct Accesses {
  /// Read before it was written; written perhaps, and for certain.
  Sets used, written, overwritten;
  /// What the first op that touches the buffer overwrites all of, whatever the
  /// program does.
  llvm::DenseSet<Value> replaced;
  llvm::DenseSet<Value> freed;
};

/// Where a value points to.
struct Place {
  Value buffer;
  Elements elements;
  /// These elements and no others.
  bool isExact = true;
};

class AccessCollector {
public:
  /// False, with getUnknown(), where it cannot be told.
  bool run(Block::iterator from, Block::iterator to, Accesses &into) {
    for (Operation &op : llvm::make_range(from, to))
      if (!visit(&op, into))
        return false;
    return true;
  }
  Operation *getUnknown() const { return unknown; }
  const std::string &getReason() const { return reason; }

  /// The buffer that `value` is of, or lies in; null: a tensor that is in none
  /// that anybody knows.
  Value getBuffer(Value value) {
    if (auto found = given.find(value); found != given.end())
      return found->second.buffer;
    if (isa<BaseMemRefType>(value.getType()))
      return resolve(value).buffer;
    while (Operation *op = value.getDefiningOp()) {
      if (auto read = dyn_cast<bufferization::ToTensorOp>(op))
        return getBuffer(read.getBuffer());
      Value source = StorageAnalysis::getViewSource(op);
      if (!source)
        break;
      value = source;
    }
    return {};
  }

private:
  bool giveUp(Operation *op, const Twine &why) {
    unknown = op;
    reason = ("'" + op->getName().getStringRef() + "' " + why).str();
    return false;
  }

  static Elements getAll(Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    // A buffer of no elements is one that somebody works on, all the same.
    return {0, memref && memref.hasStaticShape()
                   ? std::max<int64_t>(1, memref.getNumElements())
                   : std::numeric_limits<int64_t>::max()};
  }

  /// Where the elements of `value` lie in its buffer, through views and calls.
  Place resolve(Value value) {
    if (auto found = given.find(value); found != given.end())
      return found->second;
    Operation *op = value.getDefiningOp();
    auto view = dyn_cast_or_null<ViewLikeOpInterface>(op);
    // Whoever names a global names the same buffer.
    if (auto global = dyn_cast_or_null<memref::GetGlobalOp>(op))
      value = globals.try_emplace(global.getNameAttr(), value).first->second;
    if (!view)
      return {value, getAll(value.getType()), true};
    Place source = resolve(view.getViewSource());
    auto from = dyn_cast<MemRefType>(view.getViewSource().getType());
    auto to = dyn_cast<MemRefType>(value.getType());
    const bool isSameSize = from && to && from.hasStaticShape() &&
                            to.hasStaticShape() &&
                            from.getNumElements() == to.getNumElements();
    // A cast has the elements of its source, whatever the two types tell.
    if (from && to && isa<memref::CastOp>(op))
      return source;
    if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(op) && isSameSize)
      return source;
    source.isExact &= narrow(op, from, source.elements);
    return source;
  }

  /// `elements` of the source of a slice become those of the slice; false where
  /// they may be fewer than that.
  static bool narrow(Operation *op, MemRefType from, Elements &elements) {
    auto slice = dyn_cast<memref::SubViewOp>(op);
    if (!slice || !from || !from.hasStaticShape() ||
        elements.end - elements.begin != from.getNumElements())
      return false;
    // All dimensions but the first that is cut must be whole, or of one
    // element before that.
    int64_t begin = 0, count = 1, stride = 1;
    bool isCut = false;
    for (unsigned dim = from.getRank(); dim-- > 0;) {
      std::optional<int64_t> offset =
          getConstantIntValue(slice.getMixedOffsets()[dim]);
      std::optional<int64_t> size =
          getConstantIntValue(slice.getMixedSizes()[dim]);
      std::optional<int64_t> step =
          getConstantIntValue(slice.getMixedStrides()[dim]);
      if (!offset || !size || step != 1 || (isCut && *size != 1))
        return false;
      begin += *offset * stride;
      count *= *size;
      isCut |= *size != from.getDimSize(dim);
      stride *= from.getDimSize(dim);
    }
    elements = {elements.begin + begin, elements.begin + begin + count};
    return true;
  }

  static void use(const Place &place, Accesses &into) {
    for (Elements range :
         into.overwritten[place.buffer].without(place.elements))
      into.used[place.buffer].add(range);
  }

  void write(const Place &place, bool isFull, Accesses &into) {
    const Elements all = getAll(place.buffer.getType());
    if (isFull && place.isExact && depth == 0 && place.elements.begin == 0 &&
        place.elements.end == all.end && into.used[place.buffer].isEmpty() &&
        into.written[place.buffer].isEmpty())
      into.replaced.insert(place.buffer);
    into.written[place.buffer].add(place.elements);
    if (isFull && place.isExact)
      into.overwritten[place.buffer].add(place.elements);
  }

  /// One element of a buffer, where the indices are constants.
  Place getElement(Value buffer, ValueRange indices) {
    Place place = resolve(buffer);
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type || !type.hasStaticShape() || !place.isExact ||
        place.elements.end - place.elements.begin != type.getNumElements())
      return {place.buffer, place.elements, false};
    int64_t at = 0;
    for (auto [dim, index] : llvm::enumerate(indices)) {
      std::optional<int64_t> known = getConstantIntValue(index);
      if (!known)
        return {place.buffer, place.elements, false};
      at = at * type.getDimSize(dim) + *known;
    }
    at += place.elements.begin;
    return {place.buffer, {at, at + 1}, true};
  }

  bool visit(Operation *op, Accesses &into) {
    for (Value operand : op->getOperands())
      if (isa<BaseMemRefType>(operand.getType()) &&
          !isBuffer(resolve(operand).buffer))
        return giveUp(op, "is given a buffer that is not known");
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      use(getElement(load.getMemRef(), load.getIndices()), into);
      return true;
    }
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      write(getElement(store.getMemRef(), store.getIndices()), true, into);
      return true;
    }
    if (auto call = dyn_cast<CallOpInterface>(op))
      return visitCall(call, into);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return visitLoop(loop, into);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return visitBranch(branch, into);
    if (isa<scf::ExecuteRegionOp, scf::WhileOp, scf::IndexSwitchOp>(op))
      return visitRegions(op, into);
    // An assertion that held holds again.
    if (isa<ViewLikeOpInterface, cf::AssertOp>(op) ||
        op->hasTrait<OpTrait::IsTerminator>())
      return true;
    return visitEffects(op, into);
  }

  bool visitEffects(Operation *op, Accesses &into) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects)
      return isPure(op) || giveUp(op, "does not say what it does to memory");
    // What the body of an op looks at besides its operands.
    if (op->getNumRegions() && !visitRegions(op, into))
      return false;
    SmallVector<MemoryEffects::EffectInstance> all;
    effects.getEffects(all);
    for (const auto &effect : all) {
      if (!effect.getValue())
        return giveUp(op, "has effects beyond its operands");
      if (isa<MemoryEffects::Read>(effect.getEffect()) &&
          readsBefore(op, effect))
        use(resolve(effect.getValue()), into);
    }
    for (const auto &effect : all)
      if (isa<MemoryEffects::Free>(effect.getEffect())) {
        Place place = resolve(effect.getValue());
        into.freed.insert(place.buffer);
        write(place, /*isFull=*/false, into);
      } else if (isa<MemoryEffects::Write>(effect.getEffect())) {
        OpOperand *operand = effect.getEffectValue<OpOperand *>();
        write(resolve(effect.getValue()), operand && overwritesInFull(*operand),
              into);
      }
    return true;
  }

  /// A destination that is overwritten in full is not read.
  static bool readsBefore(Operation *op,
                          const MemoryEffects::EffectInstance &effect) {
    OpOperand *operand = effect.getEffectValue<OpOperand *>();
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    return !operand || !dps || !dps.isDpsInit(operand) ||
           !overwritesInFull(*operand);
  }

  /// What the first run has not written later ones may read, but they read no
  /// more than it: what is written for certain only grows.
  bool visitLoop(scf::ForOp loop, Accesses &into) {
    std::optional<llvm::APInt> trips = getStaticTrips(loop);
    if (trips && trips->isZero())
      return true;
    const Sets before = into.overwritten;
    Block &body = *loop.getBody();
    ++depth;
    const bool isKnown = run(body.begin(), body.end(), into);
    --depth;
    if (!isKnown)
      return false;
    if (!trips)
      into.overwritten = before;
    return true;
  }

  bool visitBranch(scf::IfOp branch, Accesses &into) {
    const Sets before = into.overwritten;
    Sets common;
    for (Region &region : branch->getRegions()) {
      into.overwritten = before;
      if (!visitRegion(region, into))
        return false;
      if (region.getRegionNumber() == 0)
        common = into.overwritten;
      for (auto &[buffer, elements] : common)
        elements.keepCommon(into.overwritten[buffer]);
    }
    into.overwritten = std::move(common);
    return true;
  }

  bool visitRegion(Region &region, Accesses &into) {
    if (region.empty())
      return true;
    ++depth;
    const bool isKnown =
        run(region.front().begin(), region.front().end(), into);
    --depth;
    return isKnown;
  }

  /// Regions of which it is not known whether, or in which order, they run:
  /// each may read what was there before, and nothing is written for certain.
  /// The body of an scf.execute_region runs once.
  bool visitRegions(Operation *op, Accesses &into) {
    const Sets before = into.overwritten;
    for (Region &region : op->getRegions()) {
      if (!region.empty() && !region.hasOneBlock())
        return giveUp(op, "has several blocks");
      into.overwritten = before;
      if (!visitRegion(region, into))
        return false;
    }
    if (!isa<scf::ExecuteRegionOp>(op))
      into.overwritten = before;
    return true;
  }

  bool visitCall(CallOpInterface call, Accesses &into) {
    auto name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    auto callee =
        name ? SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(call,
                                                                         name)
             : FunctionOpInterface();
    if (!callee || callee.isExternal() ||
        !callee.getFunctionBody().hasOneBlock())
      return giveUp(call, "calls what is not known");
    if (!active.insert(callee).second)
      return giveUp(call, "calls a function that calls itself");
    SmallVector<std::pair<Value, Place>> places;
    for (auto [argument, value] :
         llvm::zip(callee.getArguments(), call.getArgOperands()))
      if (isa<BaseMemRefType>(value.getType()))
        places.push_back({argument, resolve(value)});
    // Another call of the function is given other buffers.
    auto outer = given;
    for (auto &[argument, place] : places)
      given[argument] = place;
    Block &body = callee.getFunctionBody().front();
    const bool isKnown = run(body.begin(), body.end(), into);
    handOut(call, callee, outer);
    given = std::move(outer);
    active.erase(callee);
    return isKnown;
  }

  /// What a call hands out is what the callee says there. What the callee made
  /// itself is another buffer for each call.
  void handOut(CallOpInterface call, FunctionOpInterface callee,
               llvm::DenseMap<Value, Place> &outer) {
    llvm::DenseMap<Value, Value> fresh;
    Operation *end = callee.getFunctionBody().front().getTerminator();
    for (auto [result, value] :
         llvm::zip(call->getResults(), end->getOperands())) {
      Value buffer = getBuffer(value);
      if (!buffer)
        continue;
      Operation *maker = buffer.getDefiningOp();
      const bool isNamed = isa<BaseMemRefType>(result.getType());
      const bool isFresh = maker && !isa<memref::GetGlobalOp>(maker) &&
                           callee->isProperAncestor(maker);
      if (!isFresh) {
        outer[result] = isNamed
                            ? resolve(value)
                            : Place{buffer, getAll(buffer.getType()), false};
      } else if (isNamed) {
        auto [known, isNew] = fresh.try_emplace(buffer, result);
        handedOut.insert(known->second);
        outer[result] = {known->second, getAll(known->second.getType()),
                         isNew && value == buffer};
      }
    }
  }

  /// Whether it is known which buffer `value` is.
  bool isBuffer(Value value) const {
    if (handedOut.contains(value))
      return true;
    auto argument = dyn_cast<BlockArgument>(value);
    return argument
               ? isa<FunctionOpInterface>(argument.getOwner()->getParentOp())
               : isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(
                     value.getDefiningOp());
  }

  /// By symbol, the first that names it.
  llvm::DenseMap<Attribute, Value> globals;
  /// Results of calls that stand for what their callees made.
  llvm::DenseSet<Value> handedOut;
  /// What arguments of callees are.
  llvm::DenseMap<Value, Place> given;
  llvm::SmallPtrSet<Operation *, 4> active;
  /// Regions of the segment around what is looked at.
  unsigned depth = 0;
  Operation *unknown = nullptr;
  std::string reason;
};

} // namespace

static std::string getOpText(Operation *op) {
  return ("'" + op->getName().getStringRef() + "'").str();
}

/// Whether `buffer` is there before the segment that begins at `begin`.
static bool isThereBefore(Value buffer, Operation &begin) {
  Operation *op = buffer.getDefiningOp();
  // A global is there whoever names it first.
  if (!op || isa<memref::GetGlobalOp>(op))
    return true;
  Operation *around = begin.getBlock()->findAncestorOpInBlock(*op);
  // What stands in no block around is made by a callee.
  if (around)
    return around == op && op->isBeforeInBlock(&begin);
  return op->getParentRegion()->isAncestor(begin.getParentRegion());
}

/// Whether no other value names `buffer`.
static bool isAlone(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  if (!argument)
    return !isa<memref::GetGlobalOp>(buffer.getDefiningOp());
  auto function = cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return llvm::any_of(ArrayRef<StringRef>{"llvm.noalias", attr::kDonated},
                      [&](StringRef name) {
                        return static_cast<bool>(
                            function.getArgAttr(argument.getArgNumber(), name));
                      });
}

/// Whether something of `used`, of `buffer`, is written.
static bool isWritten(Value buffer, const ElementSet &used, Sets &written) {
  if (used.meets(written[buffer]))
    return true;
  // Two arguments may be one buffer.
  return !used.isEmpty() && !isAlone(buffer) &&
         llvm::any_of(written, [&](auto &other) {
           return other.first != buffer && !other.second.isEmpty() &&
                  !isAlone(other.first);
         });
}

/// Buffers that the segment works on, writes one of, and that may be one.
static std::optional<std::pair<Value, Value>> findOverlap(Accesses &own,
                                                          Operation &begin) {
  SmallVector<Value> named;
  llvm::DenseSet<Value> seen;
  for (Sets *sets : {&own.written, &own.used})
    for (auto &[buffer, elements] : *sets)
      if (!elements.isEmpty() && isThereBefore(buffer, begin) &&
          !isAlone(buffer) && seen.insert(buffer).second)
        named.push_back(buffer);
  if (named.size() < 2 || own.written[named[0]].isEmpty())
    return std::nullopt;
  return std::pair(named[0], named[1]);
}

/// Whether the adjoint `*end` would be handed something else by a second run:
/// as part of a sentence, why; empty: it is not.
static std::string findOtherTape(const BufferSnapshots &found,
                                 Block::iterator begin, Block::iterator end,
                                 ArrayRef<Value> saved,
                                 AccessCollector &collector, Sets &behind) {
  llvm::DenseSet<Value> tape;
  for (Value value : saved)
    if (Value buffer = collector.getBuffer(value))
      tape.insert(buffer);
  for (const auto *buffers :
       {&found.own, &found.behind, &found.changed, &found.replaced})
    for (Value buffer : *buffers)
      if (tape.contains(buffer))
        return "its tape is a buffer that needs a snapshot";
  for (Value buffer : tape)
    if (!isThereBefore(buffer, *begin) && !behind[buffer].isEmpty())
      return "its tape is a buffer that others overwrite";
  // Others may look at what the adjoint writes there.
  Accesses last;
  auto isShared = [&](Value result) {
    Value buffer = llvm::is_contained(saved, result)
                       ? Value()
                       : collector.getBuffer(result);
    return buffer && tape.contains(buffer) && !isThereBefore(buffer, *begin) &&
           !last.written[buffer].isEmpty();
  };
  if (!tape.empty() && begin->getNumResults() > saved.size() &&
      (!collector.run(end, std::next(end), last) ||
       llvm::any_of(begin->getResults(), isShared)))
    return "its tape is a buffer that its adjoint overwrites and others see";
  return "";
}

BufferSnapshots findBufferSnapshots(Block::iterator begin,
                                    Block::iterator middle, Block::iterator end,
                                    ArrayRef<Value> saved) {
  BufferSnapshots result;
  if (begin == middle)
    return result;
  Accesses own, behind;
  AccessCollector collector;
  if (!collector.run(begin, middle, own) ||
      !collector.run(middle, end, behind)) {
    result.unknown = collector.getUnknown();
    result.reason = collector.getReason();
    return result;
  }
  for (Value buffer : own.freed)
    if (isThereBefore(buffer, *begin)) {
      result.unknown = &*begin;
      result.reason = getOpText(&*begin) + " frees a buffer that was there";
      return result;
    }
  llvm::DenseSet<Value> members;
  for (auto &[buffer, used] : own.used) {
    if (!isThereBefore(buffer, *begin))
      continue;
    const bool isOwn = isWritten(buffer, used, own.written);
    if (!isOwn && !isWritten(buffer, used, behind.written))
      continue;
    (isOwn ? result.own : result.behind).push_back(buffer);
    members.insert(buffer);
  }
  for (auto &[buffer, written] : own.written)
    if (!written.isEmpty() && isThereBefore(buffer, *begin) &&
        !members.contains(buffer))
      (own.replaced.contains(buffer) ? result.replaced : result.changed)
          .push_back(buffer);
  result.overlapping = findOverlap(own, *begin);
  result.reason =
      findOtherTape(result, begin, end, saved, collector, behind.written);
  if (!result.reason.empty())
    result.unknown = &*begin;
  return result;
}

} // namespace pebble

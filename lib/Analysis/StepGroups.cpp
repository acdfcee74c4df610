//===- StepGroups.cpp - which operations a backend runs as one ------------===//

#include "pebble/Analysis/StepGroups.h"

#include "EqualityTests.h"

#include "pebble/Analysis/Carried.h"
#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace pebble {

/// Calls `visit` for each value from outside that `op` reads, what its regions
/// capture included.
static void forEachInput(Operation *op, llvm::function_ref<void(Value)> visit) {
  for (Value operand : op->getOperands())
    visit(operand);
  if (op->getNumRegions() == 0)
    return;
  op->walk([&](Operation *nested) {
    if (nested != op)
      for (Value operand : nested->getOperands())
        if (!op->isAncestor(operand.getParentRegion()->getParentOp()))
          visit(operand);
  });
}

namespace {
class Grouping {
public:
  Grouping(Block &block, const Backend &backend, ProgramContext &context)
      : block(block), backend(backend), context(context),
        tested(findTestedForEquality(block)) {}

  SmallVector<StepGroup, 0> run() {
    for (auto [index, op] : llvm::enumerate(block.without_terminator()))
      facts.try_emplace(&op, describe(&op, index));
    choose();
    countFromKept();
    choose();
    for (Operation &op : block.without_terminator())
      if (facts[&op].isKept)
        groups.push_back(collect(&op));
    merge();
    for (StepGroup &group : groups) {
      tie(group);
      addConsumed(group);
    }
    return std::move(groups);
  }

private:
  struct Facts {
    unsigned position = 0;
    hlo::Kind kind = hlo::Kind::CustomCall;
    BackendRule rule;
    bool isKept = false;
    /// Kept for no other reason than that it is dear, and that several need it.
    bool isKeptAsDear = false;
    /// Has an effect, so that it runs once and whether or not it is asked for.
    bool hasEffect = false;
    /// The block returns it.
    bool isReturned = false;
    /// Reads nothing but what can be made from nothing.
    bool isTrivial = false;
    /// Operations for one element, those of what is fused into it included.
    int64_t operations = 0;
    /// What must be in memory for it besides arguments, which always are: what
    /// steps made, by way of what is fused into it.
    llvm::SmallSetVector<Value, 4> reads;
    /// The steps that need it: none, one, or more.
    Operation *neededBy = nullptr;
    bool isNeededByMany = false;
  };

  /// More are not told apart.
  static constexpr unsigned kManyReads = 16;

  Facts describe(Operation *op, unsigned position) {
    Facts entry;
    entry.position = position;
    const hlo::Op *row = hlo::lookup(op);
    bool isPlainConstant =
        !row && StorageAnalysis::isFree(op) && op->getNumOperands() == 0;
    if (row || isPlainConstant)
      entry.kind = row ? row->kind : hlo::Kind::Constant;
    entry.rule = backend.getRule(entry.kind);
    entry.hasEffect = !collectEffects(op, context).barrier.empty();
    bool isFusible = entry.rule.result != BackendRule::Kept;
    entry.isKept = !isFusible || entry.hasEffect;
    entry.isTrivial = isFusible;
    addReads(op, entry);
    entry.operations = countOperations(op);
    forEachInput(op, [&](Value input) {
      Facts *maker = getMaker(input);
      entry.isTrivial &= maker && maker->isTrivial;
    });
    return entry;
  }

  int64_t countOperations(Operation *op) {
    const hlo::Op *row = hlo::lookup(op);
    int64_t operations = row ? row->operations : 0;
    forEachInput(op, [&](Value input) {
      if (Facts *maker = getMaker(input); maker && !maker->isKept)
        operations = addCounts(operations, maker->operations);
    });
    return operations;
  }

  /// A sum of many arrays, made at once, waits for the last of them with all
  /// the others in memory. So where more than two come together, those sums of
  /// two or more that are in it are kept, each in place of what it was made of.
  void addReads(Operation *op, Facts &entry) {
    auto collect = [&] {
      entry.reads.clear();
      forEachInput(op, [&](Value input) {
        Facts *maker = getMaker(input);
        if (!maker || entry.reads.size() > kManyReads)
          return;
        if (maker->isKept)
          entry.reads.insert(input);
        else
          entry.reads.insert_range(maker->reads);
      });
    };
    collect();
    if (entry.reads.size() <= 2)
      return;
    forEachInput(op, [&](Value input) {
      if (Facts *maker = getMaker(input); maker && isSmallerThanItsReads(input))
        maker->isKept = true;
    });
    collect();
  }

  bool isSmallerThanItsReads(Value value) {
    Facts *maker = getMaker(value);
    if (maker->isKept || maker->kind != hlo::Kind::Elementwise ||
        maker->rule.result != BackendRule::Shared || maker->reads.size() < 2)
      return false;
    std::optional<int64_t> bytes = getSize(value);
    int64_t all = 0;
    for (Value read : maker->reads)
      all = addCounts(all, getSize(read).value_or(0));
    return bytes && *bytes <= all / 2;
  }

  std::optional<int64_t> getSize(Value value) {
    return context.getBytes(value.getType());
  }

  Facts *getMaker(Value value) {
    auto found = facts.find(value.getDefiningOp());
    return found == facts.end() ? nullptr : &found->second;
  }

  //===--------------------------------------------------------------------===//
  // What is kept
  //===--------------------------------------------------------------------===//

  /// From the last operation back, so that whoever reads a value has been
  /// looked at before it.
  void choose() {
    for (Value returned : block.getTerminator()->getOperands())
      if (Facts *maker = getMaker(returned))
        maker->isKept = maker->isReturned = true;
    for (Operation &op : llvm::reverse(block.without_terminator())) {
      Facts &entry = facts[&op];
      entry.isKept |= isTestedAndShared(&op, entry);
      if (!entry.isKept && isDearAndShared(entry))
        entry.isKept = entry.isKeptAsDear = true;
      if (!entry.neededBy && !entry.isReturned && !entry.hasEffect) {
        entry.isKept = false; // nobody asks for it
        continue;
      }
      forEachInput(&op, [&](Value input) {
        Facts *maker = getMaker(input);
        if (!maker)
          return;
        if (entry.isKept)
          addNeed(*maker, &op);
        else
          addNeeds(*maker, entry);
      });
      if (entry.rule.readsMemory)
        forEachInput(&op, [&](Value input) { keepBehind(input); });
    }
  }

  /// Counts operations for one element again, now from what is kept. What is
  /// made of a dear value by a few operations is not dear where that value is
  /// kept as well. It is given up, and choose() has to look at needs once more.
  void countFromKept() {
    for (Operation &op : block.without_terminator()) {
      Facts &entry = facts[&op];
      entry.neededBy = nullptr;
      entry.isNeededByMany = false;
      entry.operations = countOperations(&op);
      if (entry.isKeptAsDear && entry.operations < backend.dear)
        entry.isKept = entry.isKeptAsDear = false;
    }
  }

  static void addNeed(Facts &entry, Operation *step) {
    entry.isNeededByMany |= entry.neededBy && entry.neededBy != step;
    entry.neededBy = step;
  }
  static void addNeeds(Facts &entry, const Facts &reader) {
    addNeed(entry, reader.neededBy);
    entry.isNeededByMany |= reader.isNeededByMany;
  }

  /// What was needed by kept readers alone was counted with them; what is dear
  /// is not computed in each.
  bool isDearAndShared(const Facts &entry) const {
    return entry.rule.result == BackendRule::Shared && entry.isNeededByMany &&
           !entry.isTrivial && entry.operations >= backend.dear;
  }

  /// In each of several steps it would be fused otherwise, and could be rounded
  /// otherwise, so that a test for being equal would fail.
  bool isTestedAndShared(Operation *op, const Facts &entry) const {
    return entry.isNeededByMany && tested.contains(op);
  }

  /// Keeps what an operation that reads memory reads: the first value behind
  /// views and layouts that was computed.
  void keepBehind(Value value) {
    Facts *maker = getMaker(value);
    while (maker && !maker->isKept && !maker->isTrivial &&
           isSeenThrough(value.getDefiningOp(), *maker)) {
      value = value.getDefiningOp()->getOperand(0);
      maker = getMaker(value);
    }
    if (maker && !maker->isTrivial)
      maker->isKept = true;
  }

  static bool isSeenThrough(Operation *op, const Facts &entry) {
    if (entry.kind == hlo::Kind::View)
      return true;
    StringRef name = op->getName().stripDialect();
    return entry.kind == hlo::Kind::Layout &&
           (name == "transpose" || name == "slice" || name == "reverse");
  }

  //===--------------------------------------------------------------------===//
  // Steps
  //===--------------------------------------------------------------------===//

  StepGroup collect(Operation *root) {
    StepGroup group;
    group.root = root;
    llvm::SmallSetVector<Value, 8> inputs;
    llvm::SmallSetVector<Operation *, 16> ops;
    ops.insert(root);
    for (unsigned i = 0; i < ops.size(); ++i)
      forEachInput(ops[i], [&](Value input) {
        Facts *maker = getMaker(input);
        if (!maker || maker->isKept)
          inputs.insert(input);
        else
          ops.insert(input.getDefiningOp());
      });
    group.inputs.assign(inputs.begin(), inputs.end());
    setOps(group, ops.getArrayRef());
    for (Value result : root->getResults())
      if (!result.use_empty())
        group.results.push_back(result);
    return group;
  }

  void setOps(StepGroup &group, ArrayRef<Operation *> ops) {
    llvm::SmallSetVector<Operation *, 16> unique(ops.begin(), ops.end());
    group.ops.assign(unique.begin(), unique.end());
    llvm::sort(group.ops, [&](Operation *a, Operation *b) {
      return facts[a].position < facts[b].position;
    });
  }

  /// Whether `group` reads `value`, and what it computes of it, element by
  /// element, in arrays of its shape.
  bool readsElementwise(const StepGroup &group, Value value) {
    auto shape = dyn_cast<RankedTensorType>(value.getType());
    if (!shape)
      return false;
    llvm::SmallDenseSet<Value> derived = {value};
    for (Operation *op : group.ops) {
      bool reads = false;
      forEachInput(op, [&](Value input) { reads |= derived.contains(input); });
      if (!reads)
        continue;
      if (facts[op].kind != hlo::Kind::Elementwise || op->getNumRegions())
        return false;
      for (Value result : op->getResults()) {
        auto type = dyn_cast<RankedTensorType>(result.getType());
        if (!type || type.getShape() != shape.getShape())
          return false;
        derived.insert(result);
      }
    }
    return true;
  }

  //===--------------------------------------------------------------------===//
  // In place
  //===--------------------------------------------------------------------===//

  /// Makes one step of a step and the only one that reads it, where that works
  /// in its buffer. The last made of what it reads is the one.
  void merge() {
    llvm::DenseMap<Value, unsigned> maker, readers;
    for (auto [index, group] : llvm::enumerate(groups)) {
      for (Value result : group.results)
        maker[result] = index;
      for (Value input : group.inputs)
        ++readers[input];
    }
    for (Value returned : block.getTerminator()->getOperands())
      readers[returned] += 2;
    std::vector<bool> isGone(groups.size(), false);
    for (StepGroup &group : groups) {
      std::optional<unsigned> best;
      for (Value input : group.inputs) {
        auto found = maker.find(input);
        if (found == maker.end() || readers[input] != 1 ||
            !canMerge(groups[found->second], group, input))
          continue;
        if (!best || found->second > *best)
          best = found->second;
      }
      if (!best)
        continue;
      take(group, groups[*best]);
      isGone[*best] = true;
    }
    SmallVector<StepGroup, 0> left;
    for (auto [index, group] : llvm::enumerate(groups))
      if (!isGone[index])
        left.push_back(std::move(group));
    groups = std::move(left);
  }

  bool canMerge(const StepGroup &maker, const StepGroup &reader, Value value) {
    return maker.results.size() == 1 && reader.results.size() == 1 &&
           facts[reader.root].kind == hlo::Kind::Elementwise &&
           facts[reader.root].rule.isInPlace && !facts[maker.root].hasEffect &&
           !facts[reader.root].hasEffect &&
           value.getType() == reader.results[0].getType() &&
           !isLongSum(maker, reader, value) && readsElementwise(reader, value);
  }

  /// Whether a sum and what is added to it have more than two arrays to wait
  /// for: see addReads().
  bool isLongSum(const StepGroup &maker, const StepGroup &reader, Value value) {
    if (facts[maker.root].kind != hlo::Kind::Elementwise)
      return false;
    llvm::SmallDenseSet<Value> made;
    for (const StepGroup *group : {&maker, &reader})
      for (Value input : group->inputs)
        if (input != value && getMaker(input))
          made.insert(input);
    return made.size() > 2;
  }

  void take(StepGroup &reader, const StepGroup &maker) {
    Value value = maker.results[0];
    Value first = merged.lookup(maker.root);
    merged[reader.root] = first ? first : value;
    llvm::SmallSetVector<Value, 8> inputs;
    for (Value input : maker.inputs)
      inputs.insert(input);
    for (Value input : reader.inputs)
      if (input != value)
        inputs.insert(input);
    reader.inputs.assign(inputs.begin(), inputs.end());
    SmallVector<Operation *> ops = maker.ops;
    llvm::append_range(ops, reader.ops);
    setOps(reader, ops);
  }

  /// What the owner gave away, the step that updates it may overwrite; what
  /// updates a part of an array works in the array, and a loop in what it is
  /// given to begin with.
  void tie(StepGroup &group) {
    group.overwrites.assign(group.results.size(), -1);
    llvm::SmallDenseSet<int64_t> taken;
    for (auto [result, overwritten] :
         llvm::zip(group.results, group.overwrites)) {
      // What works in the buffer of another value has that value's place.
      Value first = merged.lookup(group.root);
      Value made = first ? first : result;
      const Facts &maker = facts[made.getDefiningOp()];
      if (!maker.rule.isInPlace)
        continue;
      std::optional<int64_t> input;
      if (maker.kind != hlo::Kind::Elementwise)
        input = findInput(group, cast<OpResult>(made));
      else if (!first)
        input = findDonated(group, result);
      if (input && taken.insert(*input).second)
        overwritten = *input;
    }
  }

  /// A loop overwrites what it is given to begin with, also where nobody asks
  /// what became of it. As a result it has a place: that of the input, or one
  /// of its own where others still need the input.
  void addConsumed(StepGroup &group) {
    for (Operation *op : group.ops) {
      if (facts[op].kind != hlo::Kind::Loop)
        continue;
      for (OpResult result : op->getResults()) {
        if (!result.use_empty() || isCarriedUnchanged(result))
          continue;
        std::optional<int64_t> input = findInput(group, result);
        if (!input || llvm::is_contained(group.overwrites, *input))
          continue;
        group.results.push_back(result);
        group.overwrites.push_back(*input);
      }
    }
  }

  /// The input that an update or a loop is given for `result`, if it reads that
  /// but once, and nothing of the step reads it later.
  std::optional<int64_t> findInput(const StepGroup &group, OpResult result) {
    Operation *op = result.getOwner();
    if (result.getResultNumber() >= op->getNumOperands())
      return std::nullopt;
    Value operand = op->getOperand(result.getResultNumber());
    llvm::SmallDenseSet<Operation *> earlier;
    unsigned reads = 0;
    for (Operation *each : llvm::reverse(group.ops))
      forEachInput(each, [&](Value input) {
        if (each == op || earlier.contains(each))
          earlier.insert(input.getDefiningOp());
        if (input == operand && !earlier.contains(each))
          ++reads;
      });
    if (reads != 1)
      return std::nullopt;
    for (auto [index, input] : llvm::enumerate(group.inputs))
      if (input == operand && input.getType() == result.getType())
        return index;
    return std::nullopt;
  }

  std::optional<int64_t> findDonated(const StepGroup &group, Value result) {
    Operation *function = block.getParentOp();
    if (!isa<FunctionOpInterface>(function))
      return std::nullopt;
    std::optional<int64_t> found;
    for (auto [index, input] : llvm::enumerate(group.inputs)) {
      auto argument = dyn_cast<BlockArgument>(input);
      if (!argument || argument.getOwner() != &block ||
          argument.getType() != result.getType() ||
          !isDonatedArgument(function, argument.getArgNumber()) ||
          !readsElementwise(group, argument))
        continue;
      if (isReturnedAs(argument, result))
        return index;
      if (!found)
        found = index;
    }
    return found;
  }

  /// Whether the caller wants `result` in the buffer of `argument`.
  bool isReturnedAs(BlockArgument argument, Value result) {
    auto function = cast<FunctionOpInterface>(block.getParentOp());
    auto output = function.getArgAttrOfType<IntegerAttr>(
        argument.getArgNumber(), attr::kAliasingOutput);
    ValueRange returned = block.getTerminator()->getOperands();
    return output && output.getInt() >= 0 &&
           output.getInt() < static_cast<int64_t>(returned.size()) &&
           returned[output.getInt()] == result;
  }

  Block &block;
  const Backend &backend;
  ProgramContext &context;
  llvm::DenseSet<Operation *> tested;
  llvm::DenseMap<Operation *, Facts> facts;
  SmallVector<StepGroup, 0> groups;
  /// For the root of a step that took others in, the result of the first of
  /// them: all work in its buffer.
  llvm::DenseMap<Operation *, Value> merged;
};
} // namespace

SmallVector<StepGroup, 0> groupSteps(Block &block, const Backend &backend,
                                     ProgramContext &context) {
  return Grouping(block, backend, context).run();
}

bool hasInnerBlocks(Operation *op) {
  if (op->getNumRegions() == 0)
    return false;
  const hlo::Op *row = hlo::lookup(op);
  return !row || row->kind == hlo::Kind::Loop || row->kind == hlo::Kind::Branch;
}

bool hasPlace(StepOp step, OpResult result) {
  OpOperand *place = step.getOverwritten(result);
  return place &&
         step.getBlock().getArgument(place->getOperandNumber()).use_empty();
}

SmallVector<OpResult> getInnerResults(StepOp step) {
  SmallVector<OpResult> inner;
  bool hasBlocks = llvm::any_of(step.getBlock(), [](Operation &op) {
    return hlo::isOfTable(&op) && hasInnerBlocks(&op);
  });
  if (!hasBlocks)
    return inner;
  for (OpResult result : step->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (type && type.getRank() > 0 && type.hasStaticShape() &&
        type.getNumElements() > 0 && !hasPlace(step, result))
      inner.push_back(result);
  }
  return inner;
}

/// Leaves out where the results of `step` lie.
static void erasePlaces(StepOp step) {
  llvm::BitVector places(step->getNumOperands());
  for (OpResult result : step->getResults())
    if (hasPlace(step, result))
      places.set(step.getOverwritten(result)->getOperandNumber());
  step.removeOverwritesAttr();
  step->eraseOperands(places);
  step.getBlock().eraseArguments(places);
}

std::string getStepDigest(StepOp step) {
  Block outside;
  IRMapping mapping;
  for (Value operand : step->getOperands())
    if (!mapping.contains(operand))
      mapping.map(operand,
                  outside.addArgument(operand.getType(), operand.getLoc()));
  auto clone = cast<StepOp>(step->clone(mapping));
  clone->setDiscardableAttrs(DictionaryAttr::get(step->getContext()));
  clone.removeScratchAttr();
  erasePlaces(clone);
  std::string text;
  llvm::raw_string_ostream os(text);
  clone->print(os, OpPrintingFlags().useLocalScope().printGenericOpForm());
  for (OpResult result : getInnerResults(step))
    os << " inner " << result.getResultNumber();
  clone->destroy();
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true,
                         /*Width=*/16);
}

} // namespace pebble

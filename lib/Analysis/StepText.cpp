//===- StepText.cpp - the ops of a block as a text ------------------------===//

#include "pebble/Analysis/UnrolledLoops.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace pebble {

std::vector<OpOperand *> getOutsideOperands(Operation *op) {
  std::vector<OpOperand *> operands;
  op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    for (OpOperand &operand : nested->getOpOperands()) {
      Operation *owner = operand.get().getParentBlock()->getParentOp();
      if (nested == op || !op->isAncestor(owner))
        operands.push_back(&operand);
    }
  });
  return operands;
}

ArrayRef<int64_t> getWrittenOffsets(Operation *op) {
  if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
    return cast<OffsetSizeAndStrideOpInterface>(op).getStaticOffsets();
  return {};
}

/// The attributes without those offsets, and without a name.
static DictionaryAttr getLetterAttributes(Operation *op) {
  NamedAttrList attributes(op->getAttrDictionary());
  attributes.erase(attr::kName);
  if (!getWrittenOffsets(op).empty())
    attributes.erase("static_offsets");
  return attributes.getDictionary(op->getContext());
}

/// Whether two ops do the same with other operands.
static bool isSameLetter(Operation *a, Operation *b) {
  if (a->getName() != b->getName() ||
      a->getNumRegions() != b->getNumRegions() || a->getNumSuccessors() != 0 ||
      b->getNumSuccessors() != 0 ||
      !llvm::equal(a->getOperandTypes(), b->getOperandTypes()) ||
      !llvm::equal(a->getResultTypes(), b->getResultTypes()) ||
      getLetterAttributes(a) != getLetterAttributes(b))
    return false;
  auto isWritten = [](int64_t offset) {
    return !ShapedType::isDynamic(offset);
  };
  if (!llvm::equal(llvm::map_range(getWrittenOffsets(a), isWritten),
                   llvm::map_range(getWrittenOffsets(b), isWritten)))
    return false;
  // Within the regions all must be the same; what they read from around the op
  // is an operand of it.
  llvm::DenseMap<Value, Value> inside;
  auto isEqual = [&](Value left, Value right) {
    if (left.getType() != right.getType())
      return failure();
    Operation *owner = left.getParentBlock()->getParentOp();
    if (!a->isAncestor(owner))
      return success(!b->isAncestor(right.getParentBlock()->getParentOp()));
    return success(inside.lookup(left) == right);
  };
  auto areEqual = [&](ValueRange left, ValueRange right) {
    return success(left.size() == right.size() &&
                   llvm::all_of(llvm::zip(left, right), [&](auto each) {
                     auto [l, r] = each;
                     return succeeded(isEqual(l, r));
                   }));
  };
  auto mark = [&](Value left, Value right) { inside[left] = right; };
  for (auto [left, right] : llvm::zip(a->getRegions(), b->getRegions()))
    if (!OperationEquivalence::isRegionEquivalentTo(
            &left, &right, isEqual, mark, OperationEquivalence::IgnoreLocations,
            areEqual))
      return false;
  return true;
}

static llvm::hash_code getLetterHash(Operation *op) {
  llvm::hash_code hash = llvm::hash_combine(
      op->getName(), getLetterAttributes(op), op->getNumRegions());
  for (Type type : op->getOperandTypes())
    hash = llvm::hash_combine(hash, type);
  for (Type type : op->getResultTypes())
    hash = llvm::hash_combine(hash, type);
  return hash;
}

bool StepText::isMadeOfNothing(Operation *op) {
  if (!isMemoryEffectFree(op) || op->getNumRegions() > 1)
    return false;
  if (op->getNumOperands() == 0)
    return op->getNumRegions() == 0;
  if (!isa<linalg::FillOp, tensor::SplatOp>(op))
    return false;
  return llvm::all_of(op->getOperands(), [](Value operand) {
    Operation *maker = operand.getDefiningOp();
    return maker && isMadeOfNothing(maker);
  });
}

StepText::StepText(Block &block) {
  llvm::DenseMap<size_t, SmallVector<std::pair<Operation *, unsigned>>> known;
  llvm::DenseMap<size_t, SmallVector<Operation *>> madeOfNothing;
  unsigned count = 0;
  for (Operation &op : block.without_terminator()) {
    size_t hash = getLetterHash(&op);
    if (isMadeOfNothing(&op)) {
      auto &likes = madeOfNothing[hash];
      auto *like = llvm::find_if(likes, [&](Operation *other) {
        return isSameLetter(other, &op) &&
               llvm::all_of(llvm::zip(other->getOperands(), op.getOperands()),
                            [&](auto each) {
                              auto [l, r] = each;
                              return getSame(l) == getSame(r);
                            });
      });
      if (like == likes.end()) {
        likes.push_back(&op);
        continue;
      }
      for (auto [mine, other] :
           llvm::zip(op.getResults(), (*like)->getResults()))
        same[mine] = other;
      continue;
    }
    auto &likes = known[hash];
    auto *like = llvm::find_if(
        likes, [&](auto &each) { return isSameLetter(each.first, &op); });
    if (like == likes.end()) {
      likes.push_back({&op, count++});
      like = std::prev(likes.end());
    }
    places[&op] = ops.size();
    ops.push_back(&op);
    letters.push_back(like->second);
  }
}

std::optional<size_t> StepText::getPlace(Operation *op) const {
  auto found = places.find(op);
  if (found == places.end())
    return std::nullopt;
  return found->second;
}

Value StepText::getSame(Value value) const {
  auto found = same.find(value);
  return found == same.end() ? value : found->second;
}

std::vector<PeriodicRun> StepText::findRuns(size_t least) const {
  // Longer steps are not looked for: it takes time in their length.
  constexpr size_t kLongestPeriod = 1000;
  std::vector<PeriodicRun> runs;
  size_t longest = std::min(kLongestPeriod, letters.size() / least);
  for (size_t period = 1; period <= longest; ++period) {
    size_t start = 0;
    for (size_t i = 0; i + period <= letters.size(); ++i) {
      bool goesOn =
          i + period < letters.size() && letters[i] == letters[i + period];
      if (goesOn)
        continue;
      if (i + period - start >= least * period)
        runs.push_back({start, i + period - start, period});
      start = i + 1;
    }
  }
  llvm::sort(runs, [](const PeriodicRun &a, const PeriodicRun &b) {
    return std::tuple(b.length, a.period, a.start) <
           std::tuple(a.length, b.period, b.start);
  });
  std::vector<PeriodicRun> kept;
  for (const PeriodicRun &run : runs)
    if (llvm::none_of(kept, [&](const PeriodicRun &other) {
          return other.start <= run.start &&
                 run.start + run.length <= other.start + other.length;
        }))
      kept.push_back(run);
  return kept;
}

} // namespace pebble

//===- DerivedForms.cpp - less that says as much --------------------------===//

#include "pebble/Planning/DerivedForms.h"

#include "PackOps.h"

#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace pebble {

struct DerivedForms::Form {
  /// What is packed.
  OpResult value;
  std::string name;
  int64_t bytes = 0, formBytes = 0;
  /// Right behind the maker of the value, and right before the first reader
  /// that takes what is read back.
  SmallVector<Operation *, 2> packing, unpacking;
  /// Late readers, with what they read of the value, and of what is read back.
  struct Use {
    OpOperand *operand;
    Value before, after;
  };
  SmallVector<Use, 2> uses;
  bool isUsed = false;
};

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

/// True if somebody has a wish for `op`.
static bool isAskedFor(Operation *op) {
  return llvm::any_of(
      ArrayRef{attr::kKeep, attr::kRecompute, attr::kOffload, attr::kOrder},
      [&](StringRef name) { return op->hasAttr(name); });
}

class DerivedForms::Finder {
public:
  Finder(const StorageAnalysis &storage, int64_t leastBytes, DerivedForms &to)
      : storage(storage), leastBytes(leastBytes), to(to) {
    for (Operation &op : to.block)
      position.try_emplace(&op, position.size());
  }

  void run() {
    for (const Step &step : storage.getSteps())
      for (OpResult result : step.op->getResults())
        packValue(result);
  }

private:
  using Use = Form::Use;

  /// Whether only this block holds `value`, and nobody asked for anything.
  bool isFree(OpResult value) const {
    ArrayRef<StorageId> ids = storage.lookup(value);
    if (ids.size() != 1 || isAskedFor(value.getOwner()))
      return false;
    const Storage &entry = storage.getStorage(ids[0]);
    return entry.kind == StorageKind::Local && !entry.isMemory &&
           !entry.outlives && !entry.mayBeMissing && entry.tier.empty();
  }

  /// Collects who reads `value`, be it through views; false if one of them
  /// needs the value itself.
  bool collectUses(Value value, SmallVectorImpl<OpOperand *> &uses) const {
    for (OpOperand &use : value.getUses()) {
      Operation *op = use.getOwner();
      if (op->getBlock() != &to.block || op->hasTrait<OpTrait::IsTerminator>())
        return false;
      if (StorageAnalysis::isFree(op)) {
        if (StorageAnalysis::getViewSource(op) != value ||
            op->getNumOperands() != 1 || op->getNumResults() != 1 ||
            !collectUses(op->getResult(0), uses))
          return false;
        continue;
      }
      auto dps = dyn_cast<DestinationStyleOpInterface>(op);
      if (StorageAnalysis::getViewSource(op) || (dps && dps.isDpsInit(&use)))
        return false;
      uses.push_back(&use);
    }
    return true;
  }

  unsigned getPosition(Operation *op) const { return position.lookup(op); }

  /// The readers behind the longest time in which nobody reads the value; none
  /// where one comes right after the other.
  SmallVector<OpOperand *> getLate(OpResult value,
                                   SmallVector<OpOperand *> uses) const {
    llvm::sort(uses, [&](OpOperand *a, OpOperand *b) {
      return std::pair(getPosition(a->getOwner()), a->getOperandNumber()) <
             std::pair(getPosition(b->getOwner()), b->getOperandNumber());
    });
    unsigned last = getPosition(value.getOwner()), longest = 2;
    size_t begin = uses.size();
    for (auto [index, use] : llvm::enumerate(uses)) {
      const unsigned now = getPosition(use->getOwner());
      if (now - last > longest) {
        longest = now - last;
        begin = index;
      }
      last = now;
    }
    return SmallVector<OpOperand *>(llvm::drop_begin(uses, begin));
  }

  /// Whether somebody packs `value` already, or just made it of something
  /// packed.
  static bool isPacked(OpResult value) {
    auto unpack = dyn_cast<linalg::GenericOp>(value.getOwner());
    if (unpack && matchUnpack(unpack))
      if (auto pack = unpack.getInputs()[0].getDefiningOp<linalg::GenericOp>();
          pack && matchPack(pack) && isPair(pack, unpack))
        return true;
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      auto pack = dyn_cast<linalg::GenericOp>(user);
      return pack && matchPack(pack) &&
             getStaticBytes(pack->getResult(0).getType()).value_or(0) <
                 getStaticBytes(value.getType()).value_or(0);
    });
  }

  void packValue(OpResult value) {
    SmallVector<OpOperand *> uses;
    if (!isFree(value) || isPacked(value) || !collectUses(value, uses))
      return;
    uses = getLate(value, std::move(uses));
    std::optional<SmallForm> small =
        uses.empty() ? std::nullopt : SmallForm::find(value);
    if (!small)
      return;
    const StorageId id = storage.lookup(value)[0];
    Form form;
    form.value = value;
    form.name = storage.getStorageName(id);
    form.bytes = storage.getStorage(id).getFootprint();
    form.formBytes = getFootprint(*getStaticBytes(small->getType()));
    if (form.bytes - form.formBytes < leastBytes)
      return;
    writeSteps(*small, uses, form);
    if (isRight(form))
      to.forms.push_back(std::move(form));
  }

  void writeSteps(const SmallForm &small, ArrayRef<OpOperand *> uses,
                  Form &form) {
    OpBuilder builder(form.value.getContext());
    builder.setInsertionPointToEnd(to.parked.get());
    Location loc = form.value.getLoc();
    auto note = [&](Operation *from, SmallVectorImpl<Operation *> &to) {
      for (Operation *op = from; op; op = op->getNextNode())
        to.push_back(op);
    };
    Value packed = small.pack(builder, loc, form.value);
    note(packed.getDefiningOp<linalg::GenericOp>()
             .getOutputs()[0]
             .getDefiningOp(),
         form.packing);
    Value whole =
        small.unpack(builder, uses.front()->getOwner()->getLoc(), packed,
                     cast<RankedTensorType>(form.value.getType()));
    Operation *first = whole.getDefiningOp<linalg::GenericOp>()
                           .getOutputs()[0]
                           .getDefiningOp();
    IRMapping views;
    views.map(form.value, whole);
    for (OpOperand *use : uses)
      form.uses.push_back(
          {use, use->get(), cloneViews(builder, use->get(), views)});
    note(first, form.unpacking);
  }

  /// `seen`, a view of the value or itself, of what is read back.
  static Value cloneViews(OpBuilder &builder, Value seen, IRMapping &views) {
    if (!views.contains(seen)) {
      Operation *view = seen.getDefiningOp();
      cloneViews(builder, view->getOperand(0), views);
      builder.clone(*view, views);
    }
    return views.lookup(seen);
  }

  static bool isRight(const Form &form) {
    auto pack = cast<linalg::GenericOp>(form.packing.back());
    auto unpack = form.uses.front().after;
    while (!unpack.getDefiningOp<linalg::GenericOp>())
      unpack = unpack.getDefiningOp()->getOperand(0);
    auto op = unpack.getDefiningOp<linalg::GenericOp>();
    if (!isPair(pack, op))
      return false;
    if (isNarrowedAgain(pack, op, form.value))
      return true;
    std::optional<ElementValues> values = getElementValues(form.value);
    return values && isUndone(pack, op, *values);
  }

  const StorageAnalysis &storage;
  const int64_t leastBytes;
  DerivedForms &to;
  llvm::DenseMap<Operation *, unsigned> position;
};

DerivedForms::DerivedForms(const StorageAnalysis &storage, int64_t leastBytes)
    : block(*storage.getBlock()), parked(std::make_unique<Block>()) {
  Finder(storage, leastBytes, *this).run();
}

DerivedForms::~DerivedForms() = default;

unsigned DerivedForms::size() const { return forms.size(); }

DerivedForm DerivedForms::getForm(unsigned index) const {
  const Form &form = forms[index];
  return {form.name, form.value.getLoc(), form.bytes, form.formBytes};
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void DerivedForms::setPacked(Form &form, bool isUsed) {
  if (form.isUsed == isUsed)
    return;
  form.isUsed = isUsed;
  for (const Form::Use &use : form.uses)
    use.operand->set(isUsed ? use.after : use.before);
  auto park = [&](ArrayRef<Operation *> ops) {
    for (Operation *op : ops)
      op->moveBefore(parked.get(), parked->end());
  };
  if (!isUsed) {
    park(form.packing);
    park(form.unpacking);
    return;
  }
  Operation *last = form.value.getOwner();
  for (Operation *op : form.packing) {
    op->moveAfter(last);
    last = op;
  }
  Operation *reader = nullptr;
  for (const Form::Use &use : form.uses) {
    Operation *op = use.operand->getOwner();
    if (op->getBlock() == &block && (!reader || op->isBeforeInBlock(reader)))
      reader = op;
  }
  for (Operation *op : form.unpacking)
    op->moveBefore(reader);
}

void DerivedForms::use(const llvm::BitVector &which) {
  for (auto [index, form] : llvm::enumerate(forms))
    if (!which.test(index))
      setPacked(form, false);
  for (auto [index, form] : llvm::enumerate(forms))
    if (which.test(index))
      setPacked(form, true);
}

llvm::BitVector DerivedForms::findHelpful(const StorageAnalysis &storage,
                                          ArrayRef<unsigned> runs) const {
  llvm::BitVector helpful(forms.size());
  for (auto [index, form] : llvm::enumerate(forms)) {
    if (!form.isUsed)
      continue;
    const StorageId source = storage.lookup(form.value)[0];
    auto getIndex = [&](ArrayRef<Operation *> ops) {
      for (Operation *op : ops)
        if (std::optional<unsigned> step = storage.getStepIndex(op))
          return *step;
      return ~0u;
    };
    const unsigned pack = getIndex(form.packing);
    const unsigned unpack = getIndex(form.unpacking);
    // Backward: whether somebody still reads what is there.
    bool isRead = false;
    for (unsigned run : llvm::reverse(runs)) {
      if (run == unpack && !isRead)
        helpful.set(index);
      if (run == pack)
        continue;
      for (const Access &access : storage.getSteps()[run].accesses)
        if (access.storage == source && access.kind != AccessKind::Hold) {
          isRead = access.kind == AccessKind::Read;
          if (isRead)
            break;
        }
    }
  }
  return helpful;
}

} // namespace pebble

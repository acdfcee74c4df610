//===- DerivedForms.cpp - less that says as much --------------------------===//

#include "pebble/Planning/DerivedForms.h"

#include "FormFinder.h"
#include "InverseForms.h"
#include "PackOps.h"
#include "SplitReader.h"

#include "pebble/Analysis/ValueNames.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/RemarkQueue.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace pebble {

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

class DerivedForms::Finder : FormFinder {
public:
  Finder(const StorageAnalysis &storage, int64_t leastBytes, DerivedForms &to)
      : FormFinder(storage), leastBytes(leastBytes), to(to) {}

  void run() {
    for (auto [index, step] : llvm::enumerate(storage.getSteps()))
      if (auto reader = dyn_cast<linalg::GenericOp>(step.op);
          reader && !isAskedFor(reader) && !reader->hasAttr(attr::kCost))
        split(reader, index);
    for (const Step &step : storage.getSteps())
      if (!isSplit.contains(step.op))
        for (OpResult result : step.op->getResults())
          packValue(result);
  }

private:
  using Use = Form::Use;

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

  //===--------------------------------------------------------------------===//
  // Readers that compare
  //===--------------------------------------------------------------------===//

  /// Whether `value` is kept for `reader` alone after a while.
  bool isKeptFor(Value value, unsigned reader) const {
    if (!isFree(value))
      return false;
    ArrayRef<unsigned> all = touches[storage.lookup(value)[0]];
    const unsigned *at = llvm::lower_bound(all, reader);
    return at != all.begin() && reader - at[-1] >= kLongAgo;
  }

  void split(linalg::GenericOp reader, unsigned index) {
    OpBuilder builder = getParkedBuilder(reader);
    std::optional<SplitReader> parts = splitReader(
        builder, reader, [&](Value value) { return isKeptFor(value, index); });
    if (!parts)
      return;
    Form form;
    form.value = cast<OpResult>(parts->mask->getResult(0));
    form.spared = parts->spared;
    llvm::SmallDenseSet<StorageId> ids;
    for (Value value : form.spared)
      if (StorageId id = storage.lookup(value)[0]; ids.insert(id).second) {
        form.facts.value +=
            (ids.size() > 1 ? " and " : "") + storage.getStorageName(id);
        form.facts.bytes += storage.getStorage(id).getFootprint();
      }
    form.facts.loc = reader.getLoc();
    form.facts.formBytes = getFootprint(*getStaticBytes(form.value.getType()));
    form.reader = reader;
    form.rest = parts->rest;
    form.masking = {parts->mask.getOutputs()[0].getDefiningOp(), parts->mask};
    SmallVector<OpOperand *> uses;
    if (form.rest)
      uses.push_back(parts->use);
    else if (!isFree(reader->getResult(0)) ||
             !collectUses(reader->getResult(0), uses) || uses.empty())
      return;
    if (std::optional<SmallForm> small = SmallForm::find(form.value))
      addPacking(*small, uses, form);
    if (form.facts.bytes - form.facts.formBytes < leastBytes ||
        (!form.rest && form.packing.empty()))
      return;
    isSplit.insert(reader);
    if (form.rest)
      position[form.rest] = position.lookup(reader);
    unsigned &begin = position[form.masking.back()];
    for (Value input : parts->mask.getInputs())
      if (Operation *maker = input.getDefiningOp())
        begin = std::max(begin, position.lookup(maker));
    to.forms.push_back(std::move(form));
  }

  //===--------------------------------------------------------------------===//
  // Values that are packed
  //===--------------------------------------------------------------------===//

  OpBuilder getParkedBuilder(Operation *op) const {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointToEnd(to.parked.get());
    return builder;
  }

  /// Whether the maker of `value` reads something that is kept for it, so that
  /// it may as well run earlier.
  bool followsLateRead(OpResult value) const {
    Operation *maker = value.getOwner();
    std::optional<unsigned> step = storage.getStepIndex(maker);
    return step && llvm::any_of(maker->getOperands(), [&](Value operand) {
             return isShapedLarge(operand, value) && isKeptFor(operand, *step);
           });
  }

  static bool isShapedLarge(Value operand, Value value) {
    return isa<RankedTensorType>(operand.getType()) &&
           getStaticBytes(operand.getType()).value_or(0) >=
               getStaticBytes(value.getType()).value_or(0);
  }

  void packValue(OpResult value) {
    SmallVector<OpOperand *> uses;
    if (!isFree(value) || isPacked(value) || !collectUses(value, uses))
      return;
    if (!followsLateRead(value))
      uses = getLate(value, std::move(uses));
    std::optional<SmallForm> small =
        uses.empty() ? std::nullopt : SmallForm::find(value);
    if (!small)
      return;
    const StorageId id = storage.lookup(value)[0];
    Form form;
    form.value = value;
    form.spared = {value};
    form.facts.value = getValueName(value);
    form.facts.loc = value.getLoc();
    form.facts.bytes = storage.getStorage(id).getFootprint();
    addPacking(*small, uses, form);
    if (!form.packing.empty() &&
        form.facts.bytes - form.facts.formBytes >= leastBytes)
      to.forms.push_back(std::move(form));
  }

  /// Adds the steps that pack and unpack the value of `form`, unless what is
  /// read back might be another value.
  void addPacking(const SmallForm &small, ArrayRef<OpOperand *> uses,
                  Form &form) {
    writeSteps(small, uses, form);
    if (isRight(form)) {
      form.facts.formBytes = getFootprint(*getStaticBytes(small.getType()));
      return;
    }
    form.packing.clear();
    form.unpacking.clear();
    form.uses.clear();
  }

  void writeSteps(const SmallForm &small, ArrayRef<OpOperand *> uses,
                  Form &form) {
    OpBuilder builder = getParkedBuilder(form.value.getOwner());
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
    if (form.reader && !form.rest)
      views.map(form.reader->getResult(0), whole);
    for (OpOperand *use : uses)
      form.uses.push_back(
          {use, use->get(), cloneViews(builder, use->get(), views)});
    note(first, form.unpacking);
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

  const int64_t leastBytes;
  DerivedForms &to;
  llvm::DenseSet<Operation *> isSplit;
};

DerivedForms::DerivedForms(const StorageAnalysis &storage, int64_t leastBytes,
                           FormKinds kinds)
    : block(*storage.getBlock()), parked(std::make_unique<Block>()) {
  if (kinds.smaller)
    Finder(storage, leastBytes, *this).run();
  if (kinds.undone)
    Inverses(storage, leastBytes, *this).run();
}

DerivedForms::~DerivedForms() = default;

unsigned DerivedForms::size() const { return forms.size(); }

DerivedForm DerivedForms::getForm(unsigned index) const {
  return forms[index].facts;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void DerivedForms::park(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    op->moveBefore(parked.get(), parked->end());
}

void DerivedForms::setSplit(Form &form, bool isUsed) {
  if (form.rest) {
    Operation *from = isUsed ? form.reader : form.rest;
    Operation *to = isUsed ? form.rest : form.reader;
    to->moveBefore(from);
    from->replaceAllUsesWith(to);
    park(from);
  }
  if (!isUsed)
    return park(form.masking);
  // As early as what is compared is there.
  Operation *last = nullptr;
  for (Value input : form.masking.back()->getOperands().drop_back())
    if (Operation *maker = input.getDefiningOp();
        maker && maker->getBlock() == &block &&
        (!last || last->isBeforeInBlock(maker)))
      last = maker;
  for (Operation *op : form.masking) {
    if (last)
      op->moveAfter(last);
    else
      op->moveBefore(&block, block.begin());
    last = op;
  }
}

void DerivedForms::setPacked(Form &form, bool isUsed) {
  for (const Form::Use &use : form.uses)
    use.operand->set(isUsed ? use.after : use.before);
  if (!isUsed) {
    if (form.reader && !form.rest && form.reader->getBlock() == parked.get())
      form.reader->moveBefore(form.unpacking.front());
    park(form.packing);
    return park(form.unpacking);
  }
  Operation *reader = nullptr;
  for (const Form::Use &use : form.uses) {
    Operation *op = use.operand->getOwner();
    if (op->getBlock() == &block && (!reader || op->isBeforeInBlock(reader)))
      reader = op;
  }
  // What is left of a reader that is split may not read it any more.
  if (!reader)
    return;
  Operation *last = form.value.getOwner();
  for (Operation *op : form.packing) {
    op->moveAfter(last);
    last = op;
  }
  for (Operation *op : form.unpacking)
    op->moveBefore(reader);
  if (form.reader && !form.rest)
    park(form.reader);
}

void DerivedForms::use(const llvm::BitVector &which) {
  auto set = [&](bool isUsed, bool isSplit) {
    for (auto [index, form] : llvm::enumerate(forms)) {
      if (form.isUsed == isUsed || which.test(index) != isUsed)
        continue;
      if (isSplit && form.reader)
        setSplit(form, isUsed);
      else if (!isSplit && !form.packing.empty())
        setPacked(form, isUsed);
    }
  };
  // Values come back before those who read them, which have to stand first.
  for (Form &form : forms)
    if (form.isUsed && form.facts.kind != DerivedForm::Smaller)
      setPacked(form, false);
  // A reader that is split may stand where packed values are read back.
  set(false, false);
  set(false, true);
  set(true, true);
  set(true, false);
  for (auto [index, form] : llvm::enumerate(forms))
    if (which.test(index) && form.facts.kind != DerivedForm::Smaller)
      setPacked(form, true);
  for (auto [index, form] : llvm::enumerate(forms))
    form.isUsed = which.test(index);
}

/// Whether nobody is to read what is in `source` when the reader of `form`
/// runs.
bool DerivedForms::isSparing(const Form &form, const StorageAnalysis &storage,
                             StorageId source, ArrayRef<unsigned> runs) {
  auto getStep = [&](ArrayRef<Operation *> ops) {
    for (Operation *op : ops)
      if (std::optional<unsigned> step = storage.getStepIndex(op))
        return *step;
    return ~0u;
  };
  const unsigned maker = getStep(form.reader ? form.masking : form.packing);
  const unsigned reader =
      form.rest ? getStep(form.rest) : getStep(form.unpacking);
  // Backward: whether somebody still reads what is there.
  bool isRead = false;
  for (unsigned run : llvm::reverse(runs)) {
    if (run == reader && !isRead)
      return true;
    if (run == maker)
      continue;
    for (const Access &access : storage.getSteps()[run].accesses) {
      if (access.storage != source || access.kind == AccessKind::Hold)
        continue;
      isRead = access.kind == AccessKind::Read;
      if (isRead)
        break;
    }
  }
  return false;
}

llvm::BitVector DerivedForms::findHelpful(const StorageAnalysis &storage,
                                          ArrayRef<unsigned> runs) const {
  llvm::BitVector helpful(forms.size());
  for (auto [index, form] : llvm::enumerate(forms)) {
    if (!form.isUsed)
      continue;
    for (Value spared : form.spared)
      if (isSparing(form, storage, storage.lookup(spared)[0], runs))
        helpful.set(index);
  }
  addNeeded(helpful);
  return helpful;
}

/// Forms stand before those that they need.
void DerivedForms::addNeeded(llvm::BitVector &which) const {
  for (auto [index, form] : llvm::enumerate(forms))
    if (which.test(index))
      for (unsigned other : form.needs)
        which.set(other);
}

llvm::BitVector DerivedForms::findWithoutAgain() const {
  llvm::BitVector without(forms.size(), true);
  for (unsigned index = forms.size(); index-- > 0;)
    if (forms[index].facts.kind == DerivedForm::Again ||
        llvm::any_of(forms[index].needs,
                     [&](unsigned other) { return !without.test(other); }))
      without.reset(index);
  return without;
}

llvm::BitVector DerivedForms::findEarliest(unsigned part,
                                           unsigned parts) const {
  SmallVector<unsigned> back;
  llvm::BitVector earliest(forms.size(), true);
  for (auto [index, form] : llvm::enumerate(forms))
    if (form.facts.kind != DerivedForm::Smaller)
      back.push_back(index);
  llvm::sort(back, [&](unsigned one, unsigned other) {
    Operation *first = forms[one].value.getOwner();
    Operation *second = forms[other].value.getOwner();
    return first == second ? one < other : first->isBeforeInBlock(second);
  });
  for (unsigned index : llvm::drop_begin(back, back.size() * part / parts))
    earliest.reset(index);
  return earliest;
}

std::string describeForm(const DerivedForm &form) {
  const std::string bytes = std::to_string(form.bytes);
  switch (form.kind) {
  case DerivedForm::Smaller:
    return form.value + " is kept in a form of " +
           std::to_string(form.formBytes) + " bytes instead of " + bytes;
  case DerivedForm::Undone:
    return form.value + " (" + bytes + " bytes) comes back by undoing " +
           form.source;
  case DerivedForm::Rounded:
    return form.value + " (" + bytes + " bytes) comes back by undoing " +
           form.source + ", up to rounding";
  case DerivedForm::Again:
    return form.value + " (" + bytes +
           " bytes) is computed again of values that come back";
  }
  llvm_unreachable("no such form");
}

void remarkOnForms(Operation *function, ArrayRef<DerivedForm> forms,
                   StringRef category) {
  for (const DerivedForm &form : forms)
    say(function, {PlanRemark::Passed,
                   Location(form.loc),
                   "derived-form",
                   category.str(),
                   describeForm(form),
                   {{"Bytes", form.bytes}, {"FormBytes", form.formBytes}}});
}

} // namespace pebble

//===- Movable.cpp - which contents may move between tiers ----------------===//

#include "pebble/Planning/Movable.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace pebble {

namespace {
class Contents {
public:
  Contents(const StorageAnalysis &storage, const game::Problem &problem)
      : storage(storage), p(problem),
        renamed(storage.getStorages().size(), false),
        moved(storage.getStorages().size(), false) {
    for (const Storage &entry : storage.getStorages())
      ++members[entry.aliasClass];
  }

  std::vector<Content> run() {
    findNames();
    std::vector<Content> contents(p.values.size());
    for (auto [value, content] : llvm::zip(p.values, contents)) {
      // What was added to the problem besides the block's storages.
      if (value.storage >= storage.getStorages().size()) {
        content.refusal = "it is no storage of the program";
        continue;
      }
      content.storage = value.storage;
      content.name = getName(value);
      content.refusal = getRefusal(value, content.name);
    }
    return contents;
  }

private:
  void findNames() {
    for (const Step &step : storage.getSteps()) {
      bool isMove = isMoveOrMark(step.op);
      for (const Access &access : step.accesses)
        if (isMove)
          moved[access.storage] = true;
      for (Value result : step.op->getResults())
        for (StorageId id : storage.lookup(result))
          if (llvm::none_of(step.accesses, [&](const Access &access) {
                return access.kind == AccessKind::Write &&
                       access.value == result;
              }))
            renamed[id] = true;
    }
  }

  Value getName(const game::Value &value) const {
    const Storage &entry = storage.getStorage(value.storage);
    if (value.producer == game::kNone)
      return entry.root;
    const Step &step = storage.getSteps()[value.producer];
    for (const Access &access : llvm::reverse(step.accesses))
      if (access.kind == AccessKind::Write && access.storage == value.storage &&
          access.value && access.value.getDefiningOp() == step.op)
        return access.value;
    return {};
  }

  std::string getRefusal(const game::Value &value, Value name) const {
    const Storage &entry = storage.getStorage(value.storage);
    if (!entry.isCounted())
      return "it is a constant, or memory that others own";
    if (!entry.tier.empty() || moved[value.storage])
      return "the program moves it itself";
    if (entry.kind == StorageKind::Argument)
      return "it belongs to the caller";
    if (entry.kind == StorageKind::Donated &&
        !isa<FunctionOpInterface>(storage.getBlock()->getParentOp()))
      return "the loop carries it";
    if (entry.bytes == 0)
      return "it takes no memory";
    if (entry.isMemory && members.lookup(entry.aliasClass) > 1)
      return "a buffer shows it, which may be other memory as well";
    if (!entry.root || !isa<TensorType>(entry.root.getType()))
      return "it is a buffer that has a name of its own, or part of a tuple";
    auto type =
        name ? dyn_cast<RankedTensorType>(name.getType()) : RankedTensorType();
    if (!type || storage.lookup(name).size() != 1 ||
        storage.getContext().getBytes(type) != entry.bytes)
      return "no value of the program names all of it";
    if (type.getEncoding())
      return "its type has an encoding already";
    if (renamed[value.storage])
      return "an op hands it on under another name";
    if (llvm::any_of(name.getUsers(), [&](Operation *user) {
          return !storage.getBlock()->findAncestorOpInBlock(*user);
        }))
      return "another block uses it";
    if (value.producer != game::kNone) {
      Operation *op = storage.getSteps()[value.producer].op;
      if (op->hasAttr(attr::kKeep))
        return "pebble.keep asks for it";
      if (op->hasAttr(attr::kRecompute))
        return "pebble.recompute asks for something else";
    }
    return "";
  }

  const StorageAnalysis &storage;
  const game::Problem &p;
  /// By storage: some value names it that did not write it; a transfer of the
  /// program touches it.
  std::vector<bool> renamed, moved;
  /// By alias class: how many storages may be one.
  llvm::DenseMap<unsigned, unsigned> members;
};
} // namespace

std::vector<Content> getContents(const StorageAnalysis &storage,
                                 const game::Problem &problem) {
  return Contents(storage, problem).run();
}

} // namespace pebble

//===- Roles.cpp - what each storage is for -------------------------------===//
//
// Arguments and results are known. What lies between is divided at the turning
// point, where a training step stops going forward and starts going back. It is
// found by name if ops are named (bwd, backward, grad, JAX's "transpose(jvp"),
// otherwise by shape: what forward keeps for backward is made in one order and
// used up in the reverse one, so that at the turning point more bytes are
// waiting than anywhere else. Weight gradients wait too, for the updates, and
// are not counted: what reads them last writes a result or an argument.
//
// What is handed out behind the turning point is the gradient of an argument if
// it has the argument's type and is no update: nothing of that type leads from
// the argument to it.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include <numeric>

using namespace mlir;

namespace pebble {

namespace {
class RoleFinder {
public:
  RoleFinder(FunctionReport &report, const LifetimeAnalysis &lifetime)
      : report(report), lifetime(lifetime), storage(lifetime.getStorage()) {}

  void run() {
    for (auto [index, step] : llvm::enumerate(storage.getSteps()))
      for (const Access &access : step.accesses)
        if (access.kind == AccessKind::Write)
          writers[access.storage].push_back(index);
    report.turningPoint = findByName();
    if (!report.turningPoint && updatesItsArguments())
      report.turningPoint = findByShape();
    for (auto [id, entry] : llvm::enumerate(report.storages)) {
      entry.role = getRole(entry, id);
      entry.isSaved = report.turningPoint && entry.role == Role::Activation &&
                      entry.range.first < *report.turningPoint &&
                      entry.range.last >= *report.turningPoint;
    }
  }

private:
  Role getRole(const StorageEntry &entry, StorageId id) const {
    const Storage &given = storage.getStorage(id);
    if (given.kind != StorageKind::Local)
      return Role::Argument;
    const bool isBackward =
        report.turningPoint && entry.range.first >= *report.turningPoint;
    if (given.outlives)
      return isBackward && isHandedOutGradient(id) ? Role::Gradient
                                                   : Role::Result;
    return isBackward ? Role::Gradient : Role::Activation;
  }

  /// Has the type of an argument that is not updated, and does not come from
  /// one: back from storage to storage of the same type, no argument is met.
  bool isHandedOutGradient(StorageId result) const {
    Value root = storage.getStorage(result).root;
    if (!root || !hasArgument(root.getType()))
      return false;
    Type type = root.getType();
    SmallVector<StorageId> left = {result};
    llvm::SmallDenseSet<StorageId> seen = {result};
    while (!left.empty()) {
      StorageId id = left.pop_back_val();
      for (unsigned step : writers.lookup(id)) {
        for (const Access &access : storage.getSteps()[step].accesses) {
          const Storage &from = storage.getStorage(access.storage);
          if (access.kind != AccessKind::Read || !from.root ||
              from.root.getType() != type)
            continue;
          if (isArgument(from))
            return false;
          if (from.kind == StorageKind::Local &&
              seen.insert(access.storage).second)
            left.push_back(access.storage);
        }
      }
    }
    return true;
  }

  bool hasArgument(Type type) const {
    return llvm::any_of(storage.getStorages(), [&](const Storage &entry) {
      return isArgument(entry) && entry.root && entry.root.getType() == type;
    });
  }

  static bool isArgument(const Storage &entry) {
    return entry.kind == StorageKind::Argument ||
           entry.kind == StorageKind::Donated;
  }

  std::optional<unsigned> findByName() const {
    for (auto [at, step] : llvm::enumerate(report.steps)) {
      StringRef name = step.name;
      if (name.starts_with("bwd") || name.contains_insensitive("backward") ||
          name.contains_insensitive("_bwd") || name.contains("transpose(jvp"))
        return at;
    }
    return std::nullopt;
  }

  /// A training step hands out, or writes in place, values of its arguments'
  /// types: two at least, and half of all that it hands out.
  bool updatesItsArguments() const {
    llvm::DenseMap<Type, int64_t> given;
    int64_t updated = 0, results = 0;
    llvm::DenseSet<StorageId> written;
    for (const Step &step : storage.getSteps())
      for (const Access &access : step.accesses)
        if (access.kind == AccessKind::Write)
          written.insert(access.storage);
    for (auto [id, entry] : llvm::enumerate(storage.getStorages())) {
      if (entry.kind != StorageKind::Argument &&
          entry.kind != StorageKind::Donated)
        continue;
      if (written.contains(id)) {
        ++updated;
        ++results;
      } else {
        ++given[entry.root.getType()];
      }
    }
    for (const Storage &entry : storage.getStorages()) {
      if (entry.kind != StorageKind::Local || !entry.outlives)
        continue;
      ++results;
      auto found = given.find(entry.root.getType());
      if (found != given.end() && found->second-- > 0)
        ++updated;
    }
    return updated >= 2 && 2 * updated >= results;
  }

  /// Writes a result or an argument: an update.
  bool isUpdate(unsigned position) const {
    unsigned step = lifetime.getOrder()[position];
    return llvm::any_of(
        storage.getSteps()[step].accesses, [&](const Access &access) {
          const Storage &entry = storage.getStorage(access.storage);
          return access.kind == AccessKind::Write &&
                 (entry.outlives || entry.kind == StorageKind::Donated);
        });
  }

  std::optional<unsigned> findByShape() const {
    unsigned count = report.steps.size();
    // Short lives are steps within one half.
    unsigned least = std::max(2u, count / 8);
    std::vector<int64_t> waiting(count + 1);
    for (auto [id, entry] : llvm::enumerate(report.storages)) {
      const Storage &given = storage.getStorage(id);
      LiveRange range = entry.range;
      if (given.kind != StorageKind::Local || given.outlives ||
          range.isEmpty() || range.last - range.first < least ||
          isUpdate(range.last))
        continue;
      waiting[range.first + 1] += entry.footprint;
      waiting[range.last] -= entry.footprint;
    }
    std::partial_sum(waiting.begin(), waiting.end(), waiting.begin());
    auto most = std::max_element(waiting.begin(), waiting.end());
    if (*most == 0)
      return std::nullopt;
    // What is kept no longer than that lies around it: the middle.
    auto end = std::find_if(most, waiting.end(),
                            [&](int64_t bytes) { return bytes != *most; });
    return (most - waiting.begin() + end - waiting.begin()) / 2;
  }

  FunctionReport &report;
  const LifetimeAnalysis &lifetime;
  const StorageAnalysis &storage;
  /// Steps that write each storage.
  llvm::DenseMap<StorageId, SmallVector<unsigned>> writers;
};
} // namespace

void assignRoles(FunctionReport &report, const LifetimeAnalysis &lifetime) {
  RoleFinder(report, lifetime).run();
}

} // namespace pebble

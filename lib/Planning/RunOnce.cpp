//===- RunOnce.cpp - steps that must not run a second time ----------------===//

#include "pebble/Planning/RunOnce.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/HiddenEffects.h"
#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace pebble {

namespace {
class RunOnceReasons {
public:
  explicit RunOnceReasons(const StorageAnalysis &storage) : storage(storage) {
    for (const Step &step : storage.getSteps()) {
      hasBarrier |= !step.barrier.empty();
      for (const Access &access : step.accesses)
        if (access.kind == AccessKind::Write)
          written.insert(getClass(access.storage));
      findHandedOn(step);
    }
  }

  std::string get(const Step &step) const {
    Operation *op = step.op;
    if (!step.barrier.empty())
      return "it has effects: " + step.barrier;
    if (collectHiddenEffects(op, storage.getContext()).runsOnce)
      return "it draws random numbers or communicates";
    if (isMoveOrMark(op))
      return "it is a move";
    for (Value result : op->getResults())
      if (std::string reason = getReason(result); !reason.empty())
        return reason;
    if (auto call = dyn_cast<CallOpInterface>(op))
      for (OpOperand &operand : call.getArgOperandsMutable())
        if (storage.isConsumed(operand))
          return "it consumes an operand";
    for (const Access &access : step.accesses)
      if (access.kind == AccessKind::Write && handedOn.contains(access.storage))
        return "an op hands on what it makes under another name";
    return getReason(step);
  }

private:
  /// A call may return its argument. Who reads the result reads the buffer that
  /// the call was given, and not one that was made since.
  void findHandedOn(const Step &step) {
    for (Value result : step.op->getResults()) {
      if (!isa<TensorType>(result.getType()) || result.use_empty())
        continue;
      for (StorageId id : storage.lookup(result))
        if (llvm::none_of(step.accesses, [&](const Access &access) {
              return access.kind == AccessKind::Write && access.storage == id &&
                     access.value == result;
            }))
          handedOn.insert(id);
    }
  }

  unsigned getClass(StorageId id) const {
    return storage.getStorage(id).aliasClass;
  }
  bool isMemory(StorageId id) const { return storage.getStorage(id).isMemory; }

  bool isUnwrittenView(StorageId id) const {
    Value root = storage.getStorage(id).root;
    Operation *op = root ? root.getDefiningOp() : nullptr;
    return op && storage.getStorage(id).kind == StorageKind::Local &&
           static_cast<bool>(StorageAnalysis::getViewSource(op));
  }

  std::string getReason(Value result) const {
    Type type = result.getType();
    if (isa<BaseMemRefType>(type))
      return "its result is a buffer that has a name of its own";
    if (isa<TupleType>(type) || isTokenType(type))
      return "its result is a tuple or a token";
    if (!isa<TensorType>(type))
      return "";
    for (Operation *user : result.getUsers())
      if (StorageAnalysis::isFree(user) &&
          llvm::any_of(user->getResultTypes(), llvm::IsaPred<TupleType>))
        return "its result is part of a tuple";
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (!ranked || storage.lookup(result).size() != 1)
      return "the storage of its result is not known";
    auto producer = cast<OpResult>(result);
    Destination destination = storage.getDestination(producer);
    if (destination.copies)
      return "the copy that its destination needs is not written down";
    auto dps = dyn_cast<DestinationStyleOpInterface>(producer.getOwner());
    OpOperand *tied = dps ? dps.getTiedOpOperand(producer) : nullptr;
    bool ownsDestination =
        tied && !destination.overwrites &&
        !isa_and_present<bufferization::AllocTensorOp, tensor::EmptyOp>(
            tied->get().getDefiningOp());
    if (ownsDestination && !ranked.hasStaticShape())
      return "its destination is not written down";
    return "";
  }

  /// Memory that is read must be as it was the first time.
  std::string getReason(const Step &step) const {
    for (const Access &access : step.accesses) {
      if (isUnwrittenView(access.storage))
        return "it reads a view of memory that nobody wrote";
      if (!isMemory(access.storage))
        continue;
      if (access.kind == AccessKind::Write)
        return "it writes a buffer that has a name of its own";
      if (access.kind == AccessKind::Read &&
          (hasBarrier || written.contains(getClass(access.storage))))
        return "it reads memory that may have changed since";
    }
    return "";
  }

  const StorageAnalysis &storage;
  bool hasBarrier = false;
  llvm::DenseSet<unsigned> written;
  /// Storages that a result names which did not make them.
  llvm::DenseSet<StorageId> handedOn;
};
} // namespace

std::vector<std::string> getRunOnceReasons(const StorageAnalysis &storage) {
  RunOnceReasons reasons(storage);
  std::vector<std::string> result;
  for (const Step &step : storage.getSteps())
    result.push_back(reasons.get(step));
  return result;
}

} // namespace pebble

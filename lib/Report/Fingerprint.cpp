//===- Fingerprint.cpp - which ops of two programs are the same one -------===//
//
// Numbers values by the expressions that make them: an op is told by its name,
// its attributes and what it reads; a buffer's content by the op that wrote it
// last. Moves, opaque identities and destinations are looked through, so that
// an op has one fingerprint before and after Pebble rewrote its block. A match
// is for people to read; whether two programs mean the same is judged elsewhere
// (Planning/Equivalence).
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;

namespace pebble {

namespace {
class Fingerprinter {
public:
  explicit Fingerprinter(const StorageAnalysis &storage)
      : storage(storage), versions(storage.getStorages().size(), 0) {}

  std::vector<uint64_t> run() {
    std::vector<uint64_t> result;
    for (Operation &op : *storage.getBlock()) {
      std::optional<unsigned> step = storage.getStepIndex(&op);
      uint64_t key = step ? hashStep(&op) : 0;
      for (OpResult value : op.getResults())
        keys[value] = step ? hashResult(value, key) : hashFree(value);
      if (!step)
        continue;
      result.push_back(key);
      for (const Access &access : storage.getSteps()[*step].accesses)
        if (access.kind == AccessKind::Write)
          versions[access.storage] = key;
    }
    return result;
  }

private:
  static bool isTransfer(Operation *op) {
    StringRef name = op->getName().getStringRef();
    return name == "pebble.store" || name == "pebble.load" ||
           name == "pebble.wait";
  }

  static uint64_t combine(uint64_t a, uint64_t b) {
    return llvm::hash_combine(a, b);
  }

  uint64_t hashResult(OpResult result, uint64_t step) {
    Operation *op = result.getOwner();
    if (isTransfer(op) && isa<ShapedType>(result.getType()))
      for (Value operand : op->getOperands())
        if (isa<ShapedType>(operand.getType()))
          return getKey(operand);
    return combine(step, result.getResultNumber());
  }

  uint64_t hashFree(OpResult result) {
    Operation *op = result.getOwner();
    if (op->getName().getStringRef() == "pebble.opaque")
      return getKey(op->getOperand(0));
    if (isa<tensor::EmptyOp, bufferization::AllocTensorOp, memref::AllocOp,
            memref::AllocaOp>(op))
      return 0;
    return hashStep(op);
  }

  /// Values that nothing gave a key yet come from outside or from a region.
  uint64_t getKey(Value value) {
    if (auto found = keys.find(value); found != keys.end())
      return found->second;
    if (auto argument = dyn_cast<BlockArgument>(value))
      return llvm::hash_combine("argument", argument.getArgNumber());
    return llvm::hash_combine("outside", value.getDefiningOp()->getName());
  }

  uint64_t hashOperand(OpOperand &operand) {
    Value value = operand.get();
    uint64_t key = getKey(value);
    // A destination whose content the op does not read is no input.
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(operand.getOwner()))
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(operand.getOwner()))
        if (dps.isDpsInit(&operand) &&
            !linalgOp.payloadUsesValueFromOperand(&operand))
          return isa<TensorType>(value.getType()) ? 0 : key;
    if (isa<BaseMemRefType>(value.getType()))
      for (StorageId id : storage.lookup(value))
        key = combine(key, versions[id]);
    return key;
  }

  uint64_t hashAttributes(Operation *op) {
    uint64_t key = 0;
    for (NamedAttribute attribute : op->getAttrs())
      if (!attr::isBookkeeping(attribute.getName()))
        key =
            llvm::hash_combine(key, attribute.getName(), attribute.getValue());
    return key;
  }

  uint64_t hashStep(Operation *top) {
    uint64_t key = 0;
    // Inner values are numbered in the order in which they stand.
    top->walk<WalkOrder::PreOrder>([&](Operation *op) {
      key = llvm::hash_combine(key, op->getName(), hashAttributes(op));
      for (OpOperand &operand : op->getOpOperands())
        key = combine(key, hashOperand(operand));
      if (op == top) {
        for (Region &region : op->getRegions())
          numberArguments(region);
        return;
      }
      for (OpResult result : op->getResults())
        keys[result] = ++inner;
      for (Region &region : op->getRegions())
        numberArguments(region);
    });
    inner = 0;
    return key;
  }

  void numberArguments(Region &region) {
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        keys[argument] = ++inner;
  }

  const StorageAnalysis &storage;
  llvm::DenseMap<Value, uint64_t> keys;
  std::vector<uint64_t> versions;
  uint64_t inner = 0;
};
} // namespace

std::vector<uint64_t> fingerprintSteps(const StorageAnalysis &storage) {
  return Fingerprinter(storage).run();
}

} // namespace pebble

//===- TransferFaults.cpp - mistakes in moves between tiers ---------------===//

#include "Faults.h"

#include "pebble/Dialect/PebbleOps.h"

using namespace mlir;
using namespace pebble;

namespace {
/// Stores or loads of the function, and the wait for each.
template <typename TransferOp>
struct Transfer {
  TransferOp start;
  WaitOp wait;
};

template <typename TransferOp>
SmallVector<Transfer<TransferOp>> getTransfers(func::FuncOp function) {
  SmallVector<Transfer<TransferOp>> transfers;
  for (auto start : function.getBody().front().getOps<TransferOp>())
    for (Operation *user : start.getToken().getUsers())
      if (auto wait = dyn_cast<WaitOp>(user))
        transfers.push_back({start, wait});
  return transfers;
}

/// What came back read as if it had been there since the load began.
std::vector<Fault> readBeforeWait(func::FuncOp function) {
  std::vector<Fault> faults;
  for (auto [load, wait] : getTransfers<LoadOp>(function))
    for (OpOperand &use : wait.getResult().getUses())
      if (!isa<DropOp>(use.getOwner()))
        faults.push_back(
            [use = &use, copy = load.getCopy()] { use->set(copy); });
  return faults;
}

/// The copy of something else brought back: both are away at that time.
std::vector<Fault> otherCopy(func::FuncOp function) {
  std::vector<Fault> faults;
  auto stores = getTransfers<StoreOp>(function);
  for (auto load : function.getBody().front().getOps<LoadOp>())
    for (auto [store, wait] : stores) {
      Value copy = wait.getResult(), wanted = load->getOperand(0);
      auto source = wanted.getDefiningOp<WaitOp>();
      if (copy == wanted || copy.getType() != wanted.getType() || !source ||
          !wait->isBeforeInBlock(load))
        continue;
      // Two stores of one content are no mistake.
      auto first = source.getToken().getDefiningOp<StoreOp>();
      if (first && first->getOperand(0) != store->getOperand(0))
        faults.push_back([load = load, copy] { load->setOperand(0, copy); });
    }
  return faults;
}

/// What is under way dropped before it has arrived.
std::vector<Fault> dropUnderWay(func::FuncOp function) {
  std::vector<Fault> faults;
  auto add = [&](Operation *start, Value value) {
    for (Operation *user : value.getUsers())
      if (auto drop = dyn_cast<DropOp>(user);
          drop && start->isBeforeInBlock(drop))
        faults.push_back([drop, start] { drop->moveAfter(start); });
  };
  for (auto [store, wait] : getTransfers<StoreOp>(function))
    add(store, store->getOperand(0));
  for (auto [load, wait] : getTransfers<LoadOp>(function))
    add(load, load->getOperand(0));
  return faults;
}

/// Another content stored than the one that is fetched later.
std::vector<Fault> otherStored(func::FuncOp function) {
  std::vector<Fault> faults;
  SmallVector<Value> arguments(function.getArguments());
  for (auto [store, wait] : getTransfers<StoreOp>(function))
    for (Value other : arguments)
      if (Value stored = store->getOperand(0);
          other != stored && other.getType() == stored.getType() &&
          llvm::any_of(wait.getResult().getUsers(), llvm::IsaPred<LoadOp>))
        faults.push_back(
            [store = store, other] { store->setOperand(0, other); });
  return faults;
}
} // namespace

std::vector<ProgramFaultKind> pebble::getTransferFaults() {
  auto kind = ProgramFaultKind::get;
  return {kind("read before the wait", readBeforeWait),
          kind("copy of another value", otherCopy),
          kind("drop under way", dropUnderWay),
          kind("other value stored", otherStored)};
}

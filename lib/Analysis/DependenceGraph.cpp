//===- DependenceGraph.cpp - what must come before what -------------------===//

#include "pebble/Analysis/DependenceGraph.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/HiddenEffects.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace mlir;

namespace pebble {

StringRef toString(DependenceKind kind) {
  switch (kind) {
  case DependenceKind::Flow:
    return "flow";
  case DependenceKind::Anti:
    return "anti";
  case DependenceKind::Output:
    return "output";
  case DependenceKind::Effect:
    return "effect";
  }
  llvm_unreachable("covered switch");
}

DependenceGraph::DependenceGraph(Operation *op, AnalysisManager &manager)
    : storage(&manager.getAnalysis<StorageAnalysis>()) {
  run();
}

DependenceGraph::DependenceGraph(const StorageAnalysis &storage)
    : storage(&storage) {
  run();
}

namespace {
/// Walks the steps once in block order and keeps, per alias class, the last
/// writer and the readers since; per barrier, what came since the last one.
class GraphBuilder {
public:
  GraphBuilder(const StorageAnalysis &storage,
               std::vector<Dependence> &dependences)
      : storage(storage), dependences(dependences) {}

  void build() {
    for (unsigned step = 0; step < storage.getSteps().size(); ++step) {
      addValueFlow(step);
      addStorageOrder(step);
      addEffectOrder(step);
      addHiddenOrder(step);
    }
  }

private:
  struct ClassState {
    std::optional<unsigned> writer;
    SmallVector<std::pair<unsigned, StorageId>, 4> readers;
  };

  void add(unsigned before, unsigned after, DependenceKind kind,
           std::optional<StorageId> id) {
    if (before != after)
      dependences.push_back({before, after, kind, id});
  }

  /// SSA operands, nested ones included, traced through what is no step.
  void addValueFlow(unsigned step) {
    Operation *op = storage.getSteps()[step].op;
    llvm::SmallDenseSet<Value, 8> seen;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (nested == op || !isNestedIn(operand, op))
          trace(operand, step, seen);
    });
  }

  static bool isNestedIn(Value value, Operation *op) {
    return op->isAncestor(value.getParentRegion()->getParentOp());
  }

  void trace(Value value, unsigned step, llvm::SmallDenseSet<Value, 8> &seen) {
    if (!seen.insert(value).second)
      return;
    Operation *op = value.getDefiningOp();
    if (!op)
      return;
    std::optional<unsigned> producer = storage.getStepIndex(op);
    if (producer) {
      ArrayRef<StorageId> ids = storage.lookup(value);
      add(*producer, step, DependenceKind::Flow,
          ids.empty() ? std::nullopt : std::optional(ids.front()));
      return;
    }
    if (op->getBlock() == storage.getBlock())
      for (Value operand : op->getOperands())
        trace(operand, step, seen);
  }

  void addStorageOrder(unsigned step) {
    ArrayRef<Access> accesses = storage.getSteps()[step].accesses;
    for (const Access &access : accesses) {
      ClassState &state = getState(access.storage);
      if (access.kind == AccessKind::Read && state.writer)
        add(*state.writer, step, DependenceKind::Flow, access.storage);
      if (access.kind != AccessKind::Write)
        continue;
      if (state.writer)
        add(*state.writer, step, DependenceKind::Output, access.storage);
      for (auto [reader, id] : state.readers)
        add(reader, step, DependenceKind::Anti, id);
    }
    for (const Access &access : accesses) {
      ClassState &state = getState(access.storage);
      if (access.kind == AccessKind::Write) {
        state.writer = step;
        state.readers.clear();
      }
    }
    // A transfer reads its source, and fills its destination, until it has been
    // waited for.
    bool isWait = llvm::any_of(storage.getSteps()[step].op->getOperandTypes(),
                               isTokenType);
    for (const Access &access : accesses) {
      ClassState &state = getState(access.storage);
      bool isRead = access.kind == AccessKind::Read ||
                    (isWait && access.kind == AccessKind::Hold);
      if (isRead && state.writer != step &&
          (state.readers.empty() || state.readers.back().first != step ||
           state.readers.back().second != access.storage))
        state.readers.push_back({step, access.storage});
    }
  }

  ClassState &getState(StorageId id) {
    return classes[storage.getStorage(id).aliasClass];
  }

  /// Barriers keep their order among each other and with every access of memory
  /// that others may name (memrefs and globals; a tensor is named by its SSA
  /// value alone).
  void addEffectOrder(unsigned step) {
    const Step &current = storage.getSteps()[step];
    bool isBarrier = !current.barrier.empty();
    bool touchesMemory =
        isBarrier || llvm::any_of(current.accesses, [&](const Access &access) {
          return storage.getStorage(access.storage).isMemory;
        });
    if (!touchesMemory)
      return;
    if (lastBarrier)
      add(*lastBarrier, step, DependenceKind::Effect, std::nullopt);
    if (!isBarrier) {
      sinceBarrier.push_back(step);
      return;
    }
    for (unsigned before : sinceBarrier)
      add(before, step, DependenceKind::Effect, std::nullopt);
    sinceBarrier.clear();
    lastBarrier = step;
  }

  /// What may fail stays behind the effect that may guard it, and what moves a
  /// hidden state behind the one before.
  void addHiddenOrder(unsigned step) {
    Operation *op = storage.getSteps()[step].op;
    HiddenEffects hidden = collectHiddenEffects(op, storage.getContext());
    if (hidden.mayFail && lastBarrier)
      add(*lastBarrier, step, DependenceKind::Effect, std::nullopt);
    if (!hidden.movesState)
      return;
    if (lastMover)
      add(*lastMover, step, DependenceKind::Effect, std::nullopt);
    lastMover = step;
  }

  const StorageAnalysis &storage;
  std::vector<Dependence> &dependences;
  llvm::DenseMap<unsigned, ClassState> classes;
  std::optional<unsigned> lastMover;
  std::optional<unsigned> lastBarrier;
  std::vector<unsigned> sinceBarrier;
};
} // namespace

static auto getKey(const Dependence &edge) {
  return std::make_tuple(edge.after, edge.before, edge.kind,
                         edge.storage ? int64_t(*edge.storage) : -1);
}

void DependenceGraph::run() {
  GraphBuilder(*storage, dependences).build();
  llvm::sort(dependences, [](const Dependence &a, const Dependence &b) {
    return getKey(a) < getKey(b);
  });
  dependences.erase(std::unique(dependences.begin(), dependences.end(),
                                [](const Dependence &a, const Dependence &b) {
                                  return getKey(a) == getKey(b);
                                }),
                    dependences.end());
}

int64_t DependenceGraph::count(DependenceKind kind) const {
  return llvm::count_if(
      dependences, [&](const Dependence &edge) { return edge.kind == kind; });
}

std::optional<Dependence>
DependenceGraph::findViolation(ArrayRef<unsigned> order) const {
  std::vector<unsigned> position(order.size());
  for (auto [at, step] : llvm::enumerate(order))
    position[step] = at;
  for (const Dependence &edge : dependences)
    if (position[edge.before] > position[edge.after])
      return edge;
  return std::nullopt;
}

} // namespace pebble

//===- DictatedOrder.cpp - the order that a user asks for ------------------===//

#include "pebble/Planning/DictatedOrder.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/Equivalence.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

#include <queue>

using namespace mlir;

namespace pebble {

std::string describe(const Dependence &edge, const StorageAnalysis &storage) {
  std::string before = "'" + storage.getStepName(edge.before) + "'";
  std::string after = "'" + storage.getStepName(edge.after) + "'";
  std::string name =
      edge.storage ? storage.getStorageName(*edge.storage) : "a value";
  switch (edge.kind) {
  case DependenceKind::Flow:
    return "the flow dependence on " + name + ": " + before + " must write " +
           name + " before " + after + " reads it";
  case DependenceKind::Anti:
    return "the anti-dependence on " + name + ": " + before + " must read " +
           name + " before " + after + " overwrites it";
  case DependenceKind::Output:
    return "the output dependence on " + name + ": " + before + " must write " +
           name + " before " + after + " writes it again";
  case DependenceKind::Effect:
    return "the order of effects: " + before + " must come before " + after;
  }
  llvm_unreachable("covered switch");
}

namespace {
class Dictation {
public:
  explicit Dictation(const DependenceGraph &dependences)
      : dependences(dependences), storage(dependences.getStorage()),
        rank(storage.getSteps().size(), -1) {}

  FailureOr<std::optional<DictatedOrder>> run() {
    if (failed(readRanks()))
      return failure();
    if (dictated.empty())
      return std::optional<DictatedOrder>();
    if (failed(checkPairs()))
      return failure();
    for (size_t i = 1; i < dictated.size(); ++i)
      result.pairs.push_back({dictated[i - 1], dictated[i]});
    if (!sortSteps())
      return reportDetour();
    return std::optional<DictatedOrder>(std::move(result));
  }

private:
  Operation *getOp(unsigned step) const { return storage.getSteps()[step].op; }
  std::string getName(unsigned step) const {
    return "'" + storage.getStepName(step) + "'";
  }

  LogicalResult readRanks() {
    for (Operation &op : *storage.getBlock())
      if (op.hasAttr(attr::kOrder) && !storage.getStepIndex(&op))
        return emitError(op.getLoc())
               << "'" << op.getName()
               << "' has no place of its own in an order: it "
                  "stands where the ops around it need it";
    for (unsigned step = 0; step < rank.size(); ++step)
      if (auto place = getOp(step)->getAttrOfType<IntegerAttr>(attr::kOrder)) {
        rank[step] = place.getInt();
        dictated.push_back(step);
      }
    llvm::sort(dictated, [&](unsigned a, unsigned b) {
      return std::pair(rank[a], a) < std::pair(rank[b], b);
    });
    for (size_t i = 1; i < dictated.size(); ++i) {
      unsigned one = dictated[i - 1], other = dictated[i];
      if (rank[one] != rank[other])
        continue;
      InFlightDiagnostic error = emitError(getOp(other)->getLoc())
                                 << "two ops claim place " << rank[one]
                                 << " of the dictated order: " << getName(one)
                                 << " and " << getName(other);
      error.attachNote(getOp(one)->getLoc()) << getName(one) << " is here";
      return failure();
    }
    return success();
  }

  void attachNotes(InFlightDiagnostic &error, const Dependence &edge) const {
    for (unsigned step : {edge.before, edge.after}) {
      Diagnostic &note = error.attachNote(getOp(step)->getLoc());
      note << getName(step) << " is here";
      if (rank[step] >= 0)
        note << ", dictated to place " << rank[step];
    }
  }

  /// Dependences between two dictated ops. Hazards that SSA form hides are
  /// reported first: a broken flow dependence is seldom news.
  LogicalResult checkPairs() const {
    const Dependence *broken = nullptr;
    auto isHidden = [](const Dependence &edge) {
      return edge.kind == DependenceKind::Anti ||
             edge.kind == DependenceKind::Output;
    };
    for (const Dependence &edge : dependences.getDependences())
      if (rank[edge.before] >= 0 && rank[edge.after] >= 0 &&
          rank[edge.before] > rank[edge.after] &&
          (!broken || (isHidden(edge) && !isHidden(*broken))))
        broken = &edge;
    if (!broken)
      return success();
    InFlightDiagnostic error = emitError(getOp(broken->after)->getLoc())
                               << "the dictated order breaks "
                               << describe(*broken, storage);
    attachNotes(error, *broken);
    return failure();
  }

  /// Topological order of dependences and dictated pairs; what came in first
  /// goes first.
  bool sortSteps() {
    size_t count = rank.size();
    std::vector<SmallVector<unsigned, 2>> after(count);
    std::vector<unsigned> waiting(count, 0);
    auto add = [&](unsigned a, unsigned b) {
      after[a].push_back(b);
      ++waiting[b];
    };
    for (const Dependence &edge : dependences.getDependences())
      add(edge.before, edge.after);
    for (auto [a, b] : result.pairs)
      add(a, b);
    std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
    for (unsigned step = 0; step < count; ++step)
      if (waiting[step] == 0)
        ready.push(step);
    while (!ready.empty()) {
      unsigned step = ready.top();
      ready.pop();
      result.order.push_back(step);
      for (unsigned next : after[step])
        if (--waiting[next] == 0)
          ready.push(next);
    }
    return result.order.size() == count;
  }

  /// A dictated op depends, through others, on one that is to come after it.
  LogicalResult reportDetour() const {
    std::vector<SmallVector<const Dependence *, 2>> out(rank.size());
    for (const Dependence &edge : dependences.getDependences())
      out[edge.before].push_back(&edge);
    for (unsigned start : llvm::reverse(dictated)) {
      std::vector<const Dependence *> cameBy(rank.size(), nullptr);
      std::vector<unsigned> queue = {start};
      for (size_t i = 0; i < queue.size(); ++i)
        for (const Dependence *edge : out[queue[i]]) {
          unsigned next = edge->after;
          if (next == start || cameBy[next])
            continue;
          cameBy[next] = edge;
          queue.push_back(next);
          if (rank[next] < 0 || rank[next] > rank[start])
            continue;
          InFlightDiagnostic error = emitError(getOp(next)->getLoc());
          error << "the dictated order puts " << getName(next) << " before "
                << getName(start) << ", on which it depends";
          SmallVector<const Dependence *> path;
          for (unsigned at = next; at != start; at = cameBy[at]->before)
            path.push_back(cameBy[at]);
          for (const Dependence *step : llvm::reverse(path))
            error.attachNote(getOp(step->after)->getLoc())
                << "by " << describe(*step, storage);
          return failure();
        }
    }
    return getOp(dictated.front())->emitError()
           << "the dictated order breaks a dependence";
  }

  const DependenceGraph &dependences;
  const StorageAnalysis &storage;
  std::vector<int64_t> rank;
  std::vector<unsigned> dictated;
  DictatedOrder result;
};
} // namespace

FailureOr<std::optional<DictatedOrder>>
readDictatedOrder(const DependenceGraph &dependences) {
  return Dictation(dependences).run();
}

LogicalResult applyDictatedOrder(AnalysedBlock &block,
                                 ProgramContext &context) {
  block.dependences = std::make_unique<DependenceGraph>(*block.storage);
  FailureOr<std::optional<DictatedOrder>> dictated =
      readDictatedOrder(*block.dependences);
  if (failed(dictated))
    return failure();
  if (!*dictated)
    return success();
  ArrayRef<unsigned> order = (*dictated)->order;
  applyOrder(*block.storage, order);
  std::vector<unsigned> place(order.size());
  for (auto [at, step] : llvm::enumerate(order))
    place[step] = at;
  for (auto [before, after] : (*dictated)->pairs)
    block.dictated.push_back({place[before], place[after]});
  block.storage =
      std::make_unique<StorageAnalysis>(*block.storage->getBlock(), context);
  block.dependences = std::make_unique<DependenceGraph>(*block.storage);
  return success();
}

LogicalResult takeDictatedOrder(AnalysedBlock &analysed,
                                ProgramContext &context) {
  bool isDictated =
      llvm::any_of(*analysed.storage->getBlock(),
                   [](Operation &op) { return op.hasAttr(attr::kOrder); });
  std::optional<EquivalenceChecker> checker;
  if (isDictated)
    checker.emplace(*analysed.storage);
  if (failed(applyDictatedOrder(analysed, context)))
    return failure();
  return success(!checker || succeeded(checker->verify()));
}

} // namespace pebble

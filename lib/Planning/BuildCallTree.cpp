//===- BuildCallTree.cpp - a program as a call tree -----------------------===//
//
// Writes the program with all tapes kept, and the functions without a tape, and
// looks at their live bytes. What tapes and callees take is subtracted, since
// that is what the choices decide.
//
//===----------------------------------------------------------------------===//

#include "pebble/Planning/BuildCallTree.h"

#include "pebble/Analysis/AroundBlocks.h"
#include "pebble/Analysis/Lifetime.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/WriteCalls.h"
#include "pebble/Solver/Graph/MoveSequence.h"

#include "mlir/IR/OwningOpRef.h"

#include <numeric>

using namespace mlir;

namespace pebble {

FailureOr<int64_t> getCostOnce(func::FuncOp function, ProgramContext &context,
                               const CallTreePrices &prices) {
  StorageAnalysis storage(function.getBody().front(), context);
  if (failed(storage.verify()))
    return failure();
  return getCostOnce(storage, prices.objective, prices.hierarchy,
                     prices.cacheModel);
}

namespace {
/// Live bytes of a block, step by step.
class Measured {
public:
  Measured(Block &block, ProgramContext &context, bool isRoot)
      : storage(block, context), lifetime(storage) {
    for (unsigned i = 0, e = storage.getSteps().size(); i != e; ++i)
      live.push_back(isRoot ? lifetime.getLiveBytes(i)
                            : lifetime.getOwnedBytes(i));
  }

  LogicalResult verify() const { return storage.verify(); }
  unsigned getStep(Operation *op) const { return *storage.getStepIndex(op); }
  unsigned size() const { return live.size(); }

  int64_t getFootprint(Value value) const {
    int64_t bytes = 0;
    for (StorageId id : storage.lookup(value))
      if (storage.getStorage(id).isCounted())
        bytes += storage.getStorage(id).getFootprint();
    return bytes;
  }

  /// The callee's own part of a call goes away.
  void removeCallee(func::CallOp call, ProgramContext &context) {
    live[getStep(call)] -= context.getSummary(call).localPeak;
  }
  /// Something that is live in [first, last] goes away.
  void remove(int64_t bytes, unsigned first, unsigned last) {
    for (unsigned i = first; i <= last && i < live.size(); ++i)
      live[i] -= bytes;
  }
  int64_t get(unsigned step) const { return live[step]; }
  int64_t getOwnedPeak() const { return lifetime.getOwnedPeakBytes(); }
  /// The most in [first, last).
  int64_t getMost(unsigned first, unsigned last) const {
    int64_t most = calls::Site::kNone;
    for (unsigned i = first; i < last; ++i)
      most = std::max(most, live[i]);
    return most;
  }

  StorageAnalysis storage;

private:
  LifetimeAnalysis lifetime;
  std::vector<int64_t> live;
};

class TreeBuilder {
public:
  TreeBuilder(ModuleOp module, AdjointCalls &found,
              const AnalysisOptions &options, const CallTreePrices &prices)
      : found(found), writer(module, found, options, prices.snapshotTier),
        context(options), prices(prices) {
    for (auto &entry : found.halves)
      numbers.try_emplace(entry.first, numbers.size());
  }

  FailureOr<calls::CallTree> run(CallRoot &root) {
    SmallVector<CallPair, 0> pairs = root.pairs;
    // Write everything before anything is measured: symbol tables are cached.
    std::vector<calls::Choice> choices;
    for (CallPair &pair : pairs) {
      callees.push_back(getCallee(pair.forward));
      choices.push_back({calls::Mode::Split, writer.getSplit(callees.back())});
    }
    for (auto &[op, halves] : found.halves) {
      (void)writer.getHalves(op, *writer.getSplit(op));
      (void)writer.getPlain(op);
      if (halves.calls.empty())
        (void)writer.getWhole(op, *writer.getSplit(op));
    }
    auto written = writer.writeRoot(root, choices);
    calls::CallTree tree;
    for (auto &[op, halves] : found.halves) {
      FailureOr<calls::Function> function = measure(op, halves);
      if (failed(function))
        return failure();
      tree.functions.push_back(std::move(*function));
    }
    if (failed(measureRoot(*root.block, pairs, written, tree)))
      return failure();
    return tree;
  }

private:
  using Calls = std::pair<func::CallOp, func::CallOp>;
  AdjointCalls &found;
  CallWriter writer;
  ProgramContext context;
  const CallTreePrices &prices;
  llvm::DenseMap<Operation *, unsigned> numbers;
  /// Of the pairs of the root, whose calls are replaced.
  SmallVector<Operation *> callees;

  /// Not by the context, whose symbol tables must not know less than is there.
  static Operation *getCallee(func::CallOp call) {
    return SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr());
  }

  /// What the choices about `pair` rest on, besides the bytes around it.
  calls::Site getSite(CallPair &pair, Operation *callee, Measured &in,
                      func::CallOp call, bool mayPass,
                      const llvm::DenseSet<Value> &tape) {
    calls::Site site;
    site.callee = numbers.lookup(callee);
    site.mayJoin = pair.mode != CallMode::Split && pair.runsOnce.empty();
    site.maySplit = pair.mode != CallMode::Joint;
    auto function = call->getParentOfType<func::FuncOp>();
    Block *body = &function.getBody().front();
    for (Value operand : call.getOperands()) {
      calls::Site::Argument argument;
      auto own = dyn_cast<BlockArgument>(operand);
      // What a loop carries ends with the step.
      if (own && own.getOwner() != body)
        own = {};
      Operation *made = operand.getDefiningOp();
      const bool isDonated =
          own && function.getArgAttr(own.getArgNumber(), attr::kDonated);
      if (own && !isDonated && mayPass)
        argument.passed = own.getArgNumber();
      else if (!(own && !isDonated) && !tape.contains(operand) &&
               !(made && made->hasTrait<OpTrait::ConstantLike>()))
        argument.bytes = in.getFootprint(operand);
      site.arguments.push_back(argument);
    }
    return site;
  }

  /// What snapshots of `pair`, which is `call` now, take.
  void addSnapshots(CallPair &pair, func::CallOp call, calls::Site &site) {
    // Buffers stay, whoever reads them.
    for (auto [operand, argument] :
         llvm::zip(call.getOperands(), site.arguments))
      if (isa<BaseMemRefType>(operand.getType()))
        argument.bytes = 0;
    for (const ArgumentSnapshot &snapshot : pair.snapshots) {
      Type type = call.getOperand(snapshot.argument).getType();
      const int64_t bytes =
          llvm::alignTo(context.getBytes(type).value_or(0), 64);
      if (isa<TensorType>(type)) {
        site.arguments[snapshot.argument].bytes =
            prices.snapshotTier ? 0 : bytes;
        continue;
      }
      const bool isInComputeTier = snapshot.isKept && !prices.snapshotTier;
      (isInComputeTier ? site.snapshots : site.restored) += bytes;
    }
  }

  FailureOr<calls::Function> measure(Operation *op, AdjointHalves &halves) {
    WrittenHalves written = writer.getHalves(op, *writer.getSplit(op));
    func::FuncOp plain = writer.getPlain(op);
    Measured forward(written.forward.getBody().front(), context,
                     /*isRoot=*/false);
    Measured backward(written.backward.getBody().front(), context,
                      /*isRoot=*/false);
    Measured without(plain.getBody().front(), context, /*isRoot=*/false);
    if (failed(forward.verify()) || failed(backward.verify()) ||
        failed(without.verify()))
      return failure();
    FailureOr<int64_t> cost = getCostOnce(plain, context, prices);
    if (failed(cost))
      return failure();
    calls::Function function;
    function.plainCost = *cost;
    function.plainPeak = without.getOwnedPeak();
    if (halves.calls.empty()) {
      Measured whole(
          writer.getWhole(op, *writer.getSplit(op)).getBody().front(), context,
          /*isRoot=*/false);
      if (failed(whole.verify()))
        return failure();
      function.wholePeak = whole.getOwnedPeak();
    }
    function.needs.assign(written.needs.begin(), written.needs.end());
    llvm::sort(function.needs);
    function.reads.resize(written.forward.getNumArguments());
    std::iota(function.reads.begin(), function.reads.end(), 0u);

    Operation *end = written.forward.getBody().front().getTerminator();
    llvm::DenseMap<Value, int64_t> own;
    llvm::DenseSet<Value> tape;
    for (Value value : end->getOperands().drop_front(written.numResults))
      tape.insert(value);
    for (Value value : tape)
      own[value] = forward.getFootprint(value);
    for (auto [pair, calls] : llvm::zip(halves.calls, written.calls)) {
      auto [first, second] = calls;
      Operation *callee = getCallee(pair.forward);
      function.sites.push_back(
          getSite(pair, callee, forward, first, /*mayPass=*/true, tape));
      unsigned numResults = found.halves.find(callee)->second.numResults;
      int64_t bytes = 0;
      for (Value value : first.getResults().drop_front(numResults)) {
        bytes += own.lookup(value);
        own.erase(value);
      }
      forward.removeCallee(first, context);
      forward.remove(bytes, forward.getStep(first) + 1, forward.size());
      backward.removeCallee(second, context);
      if (unsigned step = backward.getStep(second))
        backward.remove(bytes, 0, step - 1);
    }
    for (auto [value, bytes] : own)
      function.tape += bytes;
    fillGaps(function, forward, backward, written.calls);
    return function;
  }

  static void fillGaps(calls::Function &function, const Measured &forward,
                       const Measured &backward, ArrayRef<Calls> written) {
    const size_t count = written.size();
    auto first = [&](size_t i) -> unsigned {
      return i < count ? forward.getStep(written[i].first) : forward.size();
    };
    // Sites are reversed last to first.
    auto second = [&](size_t i) -> unsigned {
      return backward.getStep(written[i].second);
    };
    function.forwardHead = forward.getMost(0, first(0));
    function.backwardTail =
        backward.getMost(count ? second(0) + 1 : 0, backward.size());
    for (size_t i = 0; i != count; ++i) {
      calls::Site &site = function.sites[i];
      site.forwardLive = forward.get(first(i));
      site.backwardLive = backward.get(second(i));
      site.forwardGap = forward.getMost(first(i) + 1, first(i + 1));
      site.backwardGap =
          backward.getMost(i + 1 < count ? second(i + 1) + 1 : 0, second(i));
    }
  }

  LogicalResult measureRoot(Block &root, MutableArrayRef<CallPair> pairs,
                            ArrayRef<Calls> written, calls::CallTree &tree) {
    Measured block(root, context, isFunctionBlock(root));
    if (failed(block.verify()))
      return failure();
    struct Life {
      unsigned first, last;
    };
    SmallVector<Life> lives;
    llvm::DenseSet<Value> none;
    for (auto [pair, calls, callee] : llvm::zip(pairs, written, callees)) {
      auto [first, second] = calls;
      calls::RootSite at;
      at.site = getSite(pair, callee, block, first, /*mayPass=*/false, none);
      addSnapshots(pair, first, at.site);
      unsigned numResults = found.halves.find(callee)->second.numResults;
      int64_t bytes = 0;
      for (Value value : first.getResults().drop_front(numResults))
        bytes += block.getFootprint(value);
      block.removeCallee(first, context);
      block.removeCallee(second, context);
      lives.push_back({block.getStep(first), block.getStep(second)});
      if (lives.back().last > lives.back().first + 1)
        block.remove(bytes, lives.back().first + 1, lives.back().last - 1);
      tree.sites.push_back(std::move(at));
    }
    for (size_t i = 0; i != lives.size(); ++i) {
      tree.sites[i].site.forwardLive = block.get(lives[i].first);
      tree.sites[i].site.backwardLive = block.get(lives[i].last);
    }
    // Lives that cross count as nested: the outer one ends later.
    SmallVector<int> open;
    std::vector<int> innermost(block.size(), -1);
    for (size_t i = 0; i != lives.size(); ++i) {
      while (!open.empty() && lives[open.back()].last < lives[i].first)
        open.pop_back();
      tree.sites[i].parent = open.empty() ? -1 : open.back();
      for (int outer : open)
        lives[outer].last = std::max(lives[outer].last, lives[i].last);
      open.push_back(static_cast<int>(i));
    }
    for (size_t i = 0; i != lives.size(); ++i)
      for (unsigned step = lives[i].first; step <= lives[i].last; ++step)
        innermost[step] = static_cast<int>(i);
    llvm::DenseSet<unsigned> isCall;
    for (const Calls &calls : written)
      for (func::CallOp call : {calls.first, calls.second})
        isCall.insert(block.getStep(call));
    for (unsigned step = 0; step != block.size(); ++step) {
      if (isCall.contains(step))
        continue;
      int64_t &most =
          innermost[step] < 0 ? tree.outside : tree.sites[innermost[step]].gap;
      most = std::max(most, block.get(step));
    }
    return success();
  }
};
} // namespace

FailureOr<calls::CallTree> buildCallTree(ModuleOp module, StringRef function,
                                         unsigned number,
                                         const AnalysisOptions &options,
                                         const CallTreePrices &prices) {
  OwningOpRef<ModuleOp> copy = module.clone();
  ProgramContext context(options);
  FailureOr<AdjointCalls> found = AdjointCalls::find(*copy, context);
  if (failed(found))
    return failure();
  return TreeBuilder(*copy, *found, options, prices)
      .run(*found->findRoot(function, number));
}

} // namespace pebble

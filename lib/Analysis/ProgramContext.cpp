//===- ProgramContext.cpp - what an analysis knows beyond its block -------===//

#include "pebble/Analysis/ProgramContext.h"

#include "pebble/Analysis/AroundBlocks.h"
#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/InnerMemory.h"
#include "pebble/Analysis/Lifetime.h"
#include "pebble/Analysis/Reach.h"
#include "pebble/Analysis/RunBounds.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <map>

using namespace mlir;

namespace pebble {

ProgramContext::ProgramContext(AnalysisOptions options)
    : options(std::move(options)),
      innerMemory(std::make_unique<InnerMemoryTable>()) {
  if (!this->options.innerMemory)
    this->options.innerMemory = std::make_shared<InnerMemoryTable>();
}
ProgramContext::~ProgramContext() = default;

bool ProgramContext::isDeclaredPureByUser(Operation *op) const {
  if (op->isRegistered() || op->getNumResults() == 0)
    return false;
  StringRef target = hlo::getCallTarget(op);
  return options.pure.contains(op->getName().getStringRef()) ||
         options.pure.contains(op->getName().getDialectNamespace()) ||
         (!target.empty() && options.pure.contains(target));
}

/// Whether the table of StableHLO's ops says that `op` and all that stands
/// inside of it has no effect.
static bool isPureByTable(Operation *top, const ProgramContext &context) {
  return !top->walk([&](Operation *op) {
               const hlo::Op *row = hlo::lookup(op);
               bool isPure = row ? hlo::getEffect(*row).empty()
                                 : op->isRegistered() && isMemoryEffectFree(op);
               return isPure || context.isDeclaredPureByUser(op)
                          ? WalkResult::advance()
                          : WalkResult::interrupt();
             })
              .wasInterrupted();
}

bool ProgramContext::isDeclaredPure(Operation *op) const {
  if (isDeclaredPureByUser(op))
    return true;
  return !op->isRegistered() && op->getNumResults() > 0 && hlo::lookup(op) &&
         isPureByTable(op, *this);
}

std::optional<int64_t> ProgramContext::getBytes(Type type) const {
  std::optional<int64_t> bytes =
      getStaticBytes(type, DimBounds{options.dynamicDimBound});
  return bytes && *bytes <= kLargestBytes ? bytes : std::nullopt;
}

Type ProgramContext::getGlobalType(Operation *from, StringAttr symbol) {
  Operation *global = symbolTables.lookupNearestSymbolFrom(from, symbol);
  auto type = global ? global->getAttrOfType<TypeAttr>("type") : TypeAttr();
  return type ? type.getValue() : Type();
}

namespace {
/// Looks at the body of a function and tells a caller what it needs to know.
class Summarizer {
public:
  Summarizer(FunctionOpInterface callee, ProgramContext &context)
      : callee(callee), body(callee.getFunctionBody().front()),
        context(context), storage(body, context), reach(body, context) {}

  std::unique_ptr<FunctionSummary> run() {
    summary = std::make_unique<FunctionSummary>();
    summary->isKnown = true;
    summary->barrier = false;
    summary->arguments.resize(body.getNumArguments());
    for (BlockArgument argument : body.getArguments())
      for (StorageId id : storage.lookup(argument)) {
        argumentOf[id] = argument.getArgNumber();
        summary->arguments[argument.getArgNumber()].donated =
            storage.getStorage(id).kind == StorageKind::Donated;
      }
    addAccesses();
    body.walk([&](memref::DeallocOp free) { addFree(free); });
    ValueRange returned = body.getTerminator()->getOperands();
    for (Value value : returned)
      if (!isa<TensorType, TupleType>(value.getType()))
        for (ReachAnalysis::Id id : reach.get(value))
          ++given[id];
    for (Value value : returned)
      summary->results.push_back(getResult(value));
    for (ReachAnalysis::Id id = 0; id < reach.size(); ++id)
      if (std::optional<unsigned> argument = getArgument(id))
        summary->arguments[*argument].escapes |= reach.getOrigin(id).escaped;
    LifetimeAnalysis lifetime(storage);
    summary->localPeak = lifetime.getOwnedPeakBytes();
    summary->slowPeaks = llvm::to_vector_of<std::pair<StringRef, int64_t>, 0>(
        lifetime.getSlowOwnedPeaks());
    summary->moves =
        std::make_shared<InnerMoves>(collectInnerMoves(callee, context));
    return std::move(summary);
  }

private:
  void addAccesses() {
    llvm::MapVector<StringAttr, FunctionSummary::Argument> globals;
    for (const Step &step : storage.getSteps()) {
      if (!step.barrier.empty())
        summary->barrier = true;
      for (const Access &access : step.accesses) {
        StorageKind kind = storage.getStorage(access.storage).kind;
        FunctionSummary::Argument *use = nullptr;
        if (auto found = argumentOf.find(access.storage);
            found != argumentOf.end())
          use = &summary->arguments[found->second];
        else if (StringAttr symbol = storage.getGlobal(access.storage))
          use = &globals[symbol];
        else if (kind == StorageKind::Unknown || kind == StorageKind::Anywhere)
          summary->barrier = true;
        if (!use)
          continue;
        use->read |= access.kind == AccessKind::Read;
        use->written |= access.kind == AccessKind::Write;
      }
    }
    summary->globals = llvm::to_vector(globals);
  }

  /// Nothing may touch an argument after the callee has freed it. What is freed
  /// by the argument's own name is no way to it that was followed.
  void addFree(memref::DeallocOp free) {
    for (StorageId id : storage.lookup(free.getMemref()))
      if (auto found = argumentOf.find(id); found != argumentOf.end())
        summary->arguments[found->second].written = true;
    for (ReachAnalysis::Id id : reach.get(free.getMemref()))
      if (std::optional<unsigned> argument = getArgument(id))
        summary->arguments[*argument].written = true;
  }

  std::optional<unsigned> getArgument(ReachAnalysis::Id id) const {
    const Origin &origin = reach.getOrigin(id);
    auto argument = dyn_cast_or_null<BlockArgument>(origin.value);
    if (origin.kind != Origin::Named || !argument ||
        argument.getOwner() != &body)
      return std::nullopt;
    return argument.getArgNumber();
  }

  FunctionSummary::Result getResult(Value returned) {
    if (isa<TensorType, TupleType>(returned.getType()))
      return getTensorResult(returned);
    FunctionSummary::Result result;
    ArrayRef<ReachAnalysis::Id> ids = reach.get(returned);
    bool isData = ReachAnalysis::isData(returned.getType());
    if (ids.size() == 1 && !isData) {
      if (std::optional<unsigned> argument = getArgument(ids[0])) {
        result.origin = FunctionSummary::ResultOrigin::Argument;
        result.argument = *argument;
        return result;
      }
      const Origin &origin = reach.getOrigin(ids[0]);
      // What another result may be as well has no name of its own.
      if (origin.kind == Origin::Made && !origin.escaped &&
          given.lookup(ids[0]) == 1) {
        result.origin = FunctionSummary::ResultOrigin::Fresh;
        return result;
      }
    }
    result.isAddress = !ids.empty();
    for (ReachAnalysis::Id id : ids)
      if (std::optional<unsigned> argument = getArgument(id))
        summary->arguments[*argument].escapes = true;
    return result;
  }

  FunctionSummary::Result getTensorResult(Value returned) {
    FunctionSummary::Result result;
    // Made here; of a constant, or of a tensor that is returned twice, the
    // caller gets a copy.
    result.origin = FunctionSummary::ResultOrigin::Fresh;
    ArrayRef<StorageId> ids = storage.lookup(returned);
    if (isa<TupleType>(returned.getType()) || ids.size() != 1)
      return result;
    if (auto found = argumentOf.find(ids[0]); found != argumentOf.end()) {
      result.origin = FunctionSummary::ResultOrigin::Argument;
      result.argument = found->second;
    }
    return result;
  }

  FunctionOpInterface callee;
  Block &body;
  ProgramContext &context;
  StorageAnalysis storage;
  ReachAnalysis reach;
  std::unique_ptr<FunctionSummary> summary;
  llvm::DenseMap<StorageId, unsigned> argumentOf;
  /// How many results may be a buffer.
  llvm::DenseMap<ReachAnalysis::Id, unsigned> given;
};
} // namespace

/// What a function of several blocks takes at most: one of them at a time, with
/// what is live around it. How often they run is up to its data.
static std::unique_ptr<FunctionSummary> boundBlocks(FunctionOpInterface callee,
                                                    ProgramContext &context) {
  auto summary = std::make_unique<FunctionSummary>();
  std::map<StringRef, int64_t> slow;
  AroundBlocks around(callee.getFunctionBody(), context);
  for (Block &block : callee.getFunctionBody()) {
    StorageAnalysis storage(block, context);
    LifetimeAnalysis lifetime(storage);
    summary->localPeak =
        std::max(summary->localPeak, addCounts(lifetime.getOwnedPeakBytes(),
                                               around.getOwnedBytes(block)));
    std::map<StringRef, int64_t> here = lifetime.getSlowOwnedPeaks();
    for (StringRef tier : around.getTiers(block))
      if (!tier.empty())
        here[tier] = addCounts(here[tier], around.getOwnedBytes(block, tier));
    for (auto [tier, bytes] : here)
      slow[tier] = std::max(slow[tier], bytes);
  }
  summary->slowPeaks.append(slow.begin(), slow.end());
  InnerMoves moves = collectInnerMoves(callee, context);
  moves.areKnown &= moves.bytes.empty();
  moves.bytes.clear();
  summary->moves = std::make_shared<InnerMoves>(std::move(moves));
  return summary;
}

Operation *ProgramContext::resolveCallee(CallOpInterface call) {
  return call.resolveCallableInTable(&symbolTables);
}

bool ProgramContext::hasKnownCallee(CallOpInterface call) {
  auto callee = dyn_cast_or_null<FunctionOpInterface>(resolveCallee(call));
  return callee && !callee.isExternal();
}

InnerMemoryTable &ProgramContext::getInnerMemoryTable(bool shared) {
  return shared ? *options.innerMemory : *innerMemory;
}

Operation *ProgramContext::lookupSymbol(Operation *from, SymbolRefAttr name) {
  return symbolTables.lookupNearestSymbolFrom(from, name);
}

const FunctionSummary &ProgramContext::getSummary(CallOpInterface call) {
  auto callee = dyn_cast_or_null<FunctionOpInterface>(resolveCallee(call));
  if (!callee || callee.isExternal())
    return unknown;
  auto [it, isNew] = summaries.try_emplace(callee, nullptr);
  if (!isNew)
    return it->second ? *it->second : unknown; // null: we are inside it
  std::unique_ptr<FunctionSummary> made = callee.getFunctionBody().hasOneBlock()
                                              ? Summarizer(callee, *this).run()
                                              : boundBlocks(callee, *this);
  return *(summaries[callee] = std::move(made));
}

} // namespace pebble

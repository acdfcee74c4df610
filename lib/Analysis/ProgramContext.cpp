//===- ProgramContext.cpp - what an analysis knows beyond its block
//--------===//

#include "pebble/Analysis/ProgramContext.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/DimBounds.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace pebble {

ProgramContext::ProgramContext(AnalysisOptions options)
    : options(std::move(options)) {}
ProgramContext::~ProgramContext() = default;

bool ProgramContext::isDeclaredPure(Operation *op) const {
  if (op->isRegistered() || op->getNumResults() == 0)
    return false;
  return options.pure.contains(op->getName().getStringRef()) ||
         options.pure.contains(op->getName().getDialectNamespace());
}

std::optional<int64_t> ProgramContext::getBytes(Type type) const {
  std::optional<int64_t> bytes =
      getStaticBytes(type, DimBounds{options.dynamicDimBound});
  // A count that overflowed is no size: sums of footprints would overflow too.
  constexpr int64_t kLimit = std::numeric_limits<int64_t>::max() / 1024;
  return bytes && *bytes <= kLimit ? bytes : std::nullopt;
}

std::string ProgramContext::getSSAName(Value value) {
  Operation *scope = value.getParentRegion()->getParentOp();
  while (scope && scope->getParentOp() &&
         !scope->hasTrait<OpTrait::IsIsolatedFromAbove>())
    scope = scope->getParentOp();
  std::unique_ptr<AsmState> &state = names[scope];
  if (!state)
    state = std::make_unique<AsmState>(scope);
  std::string text;
  llvm::raw_string_ostream os(text);
  value.printAsOperand(os, *state);
  return text;
}

Type ProgramContext::getGlobalType(Operation *from, StringAttr symbol) {
  Operation *global = symbolTables.lookupNearestSymbolFrom(from, symbol);
  auto type = global ? global->getAttrOfType<TypeAttr>("type") : TypeAttr();
  return type ? type.getValue() : Type();
}

const FunctionSummary &ProgramContext::getSummary(CallOpInterface call) {
  auto callee = dyn_cast_or_null<FunctionOpInterface>(
      call.resolveCallableInTable(&symbolTables));
  if (!callee || callee.isExternal() || !callee.getFunctionBody().hasOneBlock())
    return unknown;
  auto [it, isNew] = summaries.try_emplace(callee, nullptr);
  if (!isNew)
    return it->second ? *it->second : unknown; // null: we are inside it

  Block &body = callee.getFunctionBody().front();
  StorageAnalysis storage(body, *this);
  auto summary = std::make_unique<FunctionSummary>();
  summary->barrier = false;
  summary->arguments.resize(body.getNumArguments());
  llvm::DenseMap<StorageId, unsigned> argumentOf;
  for (BlockArgument argument : body.getArguments())
    for (StorageId id : storage.lookup(argument)) {
      argumentOf[id] = argument.getArgNumber();
      summary->arguments[argument.getArgNumber()].donated =
          storage.getStorage(id).kind == StorageKind::Donated;
    }

  llvm::MapVector<StringAttr, FunctionSummary::Argument> globals;
  for (const Step &step : storage.getSteps()) {
    if (!step.barrier.empty())
      summary->barrier = true;
    for (const Access &access : step.accesses) {
      FunctionSummary::Argument *use = nullptr;
      if (auto found = argumentOf.find(access.storage);
          found != argumentOf.end())
        use = &summary->arguments[found->second];
      else if (StringAttr symbol = storage.getGlobal(access.storage))
        use = &globals[symbol];
      if (!use)
        continue;
      use->read |= access.kind == AccessKind::Read;
      use->written |= access.kind == AccessKind::Write;
    }
  }
  summary->globals = llvm::to_vector(globals);

  llvm::DenseSet<StorageId> given;
  for (Value returned : body.getTerminator()->getOperands()) {
    FunctionSummary::Result result;
    ArrayRef<StorageId> ids = storage.lookup(returned);
    if (ids.size() == 1) {
      StorageKind kind = storage.getStorage(ids[0]).kind;
      if (auto found = argumentOf.find(ids[0]); found != argumentOf.end()) {
        result.origin = FunctionSummary::ResultOrigin::Argument;
        result.argument = found->second;
      } else if ((kind == StorageKind::Local && given.insert(ids[0]).second) ||
                 isa<TensorType>(returned.getType())) {
        // Made here; of a constant, or of a tensor that is returned twice, the
        // caller gets a copy.
        result.origin = FunctionSummary::ResultOrigin::Fresh;
      }
    } else if (isa<TupleType>(returned.getType())) {
      result.origin = FunctionSummary::ResultOrigin::Fresh;
    }
    summary->results.push_back(result);
  }
  LifetimeAnalysis lifetime(storage);
  summary->localPeak = lifetime.getOwnedPeakBytes();
  return *(summaries[callee] = std::move(summary));
}

} // namespace pebble

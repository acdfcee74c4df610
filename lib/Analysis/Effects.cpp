//===- Effects.cpp - what an op does to memory ----------------------------===//

#include "pebble/Analysis/Effects.h"

#include "Together.h"

#include "pebble/Analysis/OpKnowledge.h"
#include "pebble/Analysis/Reach.h"
#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace pebble {

bool isFreeOfEffects(Operation *op) {
  return isMemoryEffectFree(op) &&
         llvm::all_of(op->getRegions(), [](Region &region) {
           return llvm::all_of(region.getOps(), [](Operation &nested) {
             return isFreeOfEffects(&nested);
           });
         });
}

bool isTokenType(Type type) {
  StringRef dialect = type.getDialect().getNamespace();
  if (dialect == "async")
    return true;
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto opaque = dyn_cast<OpaqueType>(type))
    return opaque.getTypeData().contains("token") ||
           opaque.getTypeData().contains("request");
  if (dialect != "gpu" && dialect != "mpi" && dialect != "pebble")
    return false;
  type.print(os);
  return StringRef(text).contains("token") ||
         StringRef(text).contains("request");
}

bool isNeverRecomputable(Operation *op) {
  // All ranks run one plan, so what is gathered can be gathered again, except
  // in a branch that others do not take. A sum may come out differently.
  if (std::optional<CollectiveParts> collective = getCollective(op))
    return collective->isReduction() ||
           (collective->kind != CollectiveKind::AllSlice &&
            !isRunByAllRanks(op));
  if (const hlo::Op *row = hlo::lookup(op))
    return row->kind == hlo::Kind::Draw || row->kind == hlo::Kind::Collective ||
           row->kind == hlo::Kind::Transfer;
  StringRef name = op->getName().getStringRef();
  name = name.substr(name.rfind('.') + 1);
  if (name.starts_with("rng") || name.contains("random") ||
      name.contains("dropout") || name.starts_with("uniform"))
    return true;
  return name.starts_with("all_") || name.contains("collective") ||
         name.starts_with("reduce_scatter") || name == "send" ||
         name == "recv" || name == "infeed" || name == "outfeed" ||
         name == "partition_id" || name == "replica_id";
}

/// Bytes that a load or store of single elements or vectors moves.
static std::optional<int64_t> getElementAccess(Operation *op,
                                               ProgramContext &context) {
  Type moved;
  if (isa<memref::LoadOp, affine::AffineLoadOp, affine::AffineVectorLoadOp>(op))
    moved = op->getResult(0).getType();
  else if (isa<memref::StoreOp, affine::AffineStoreOp,
               affine::AffineVectorStoreOp>(op))
    moved = op->getOperand(0).getType();
  else
    return std::nullopt;
  if (isa<VectorType>(moved))
    return context.getBytes(moved);
  return context.getBytes(RankedTensorType::get({}, moved));
}

namespace {
class Collector {
public:
  Collector(ProgramContext &context) : context(context) {}
  OpEffects effects;

  void visit(Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    // Upstream declares mpi.send, recv, allreduce free of effects and
    // mpi.comm_split pure; all of them talk to other processes.
    if (dialect == "mpi")
      return barrier(op, "communicates");
    // On tensors a transfer is ordered by its values alone.
    if (isa<StoreOp, LoadOp, WaitOp, CollectiveStartOp, CollectiveWaitOp>(op) &&
        op->getNumResults() > 0 && isa<TensorType>(op->getResult(0).getType()))
      return;
    if (llvm::any_of(op->getOperandTypes(), isTokenType) ||
        llvm::any_of(op->getResultTypes(), isTokenType))
      barrier(op, "is ordered by an asynchronous token", /*isToken=*/true);
    if (dialect == "ml_program" && visitMLProgram(op))
      return;
    if (auto call = dyn_cast<CallOpInterface>(op))
      return visitCall(call);
    if (!op->isRegistered())
      return visitUnregistered(op);
    visitDeclared(op);
  }

private:
  ProgramContext &context;

  void barrier(Operation *op, StringRef reason, bool isToken = false) {
    effects.isOnlyToken =
        isToken && (effects.barrier.empty() || effects.isOnlyToken);
    if (effects.barrier.empty())
      effects.barrier =
          ("'" + op->getName().getStringRef() + "' " + reason).str();
  }

  void visitUnregistered(Operation *op) {
    if (context.isDeclaredPureByUser(op))
      return;
    const hlo::Op *row = hlo::lookup(op);
    if (!row && hlo::isOfTable(op))
      return barrier(op,
                     "is not in the table of StableHLO's operations and may "
                     "have any effect");
    if (!row)
      return barrier(op, "is not registered and may have any effect");
    if (StringRef target = hlo::getCallTarget(op); !target.empty())
      return barrier(
          op, ("calls '" + target + "', which nobody declared free of effects")
                  .str());
    if (StringRef effect = hlo::getEffect(*row); !effect.empty())
      barrier(op, effect);
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        visit(&nested);
  }

  bool visitMLProgram(Operation *op) {
    StringRef name = op->getName().getStringRef();
    bool isStore = name.starts_with("ml_program.global_store");
    if (!isStore && !name.starts_with("ml_program.global_load"))
      return false;
    if (name.ends_with("graph"))
      barrier(op, "is ordered by an asynchronous token");
    MemoryAccess access;
    if (auto symbol = op->getAttrOfType<SymbolRefAttr>("global"))
      access.symbol = symbol.getRootReference();
    access.isWrite = isStore;
    if (name != "ml_program.global_load_const")
      effects.accesses.push_back(access);
    return true;
  }

  void visitCall(CallOpInterface call) {
    const FunctionSummary &summary = context.getSummary(call);
    if (summary.barrier)
      barrier(call, "calls a function whose effects are not known");
    for (auto [index, operand] : llvm::enumerate(call.getArgOperands())) {
      if (!isFollowed(operand) || ReachAnalysis::isData(operand.getType()))
        continue;
      bool known = !summary.barrier && index < summary.arguments.size();
      FunctionSummary::Argument argument =
          known ? summary.arguments[index]
                : FunctionSummary::Argument{true, true};
      add(operand, {}, argument, std::nullopt);
    }
    if (!summary.barrier)
      for (auto [symbol, argument] : summary.globals)
        add({}, symbol, argument, std::nullopt);
  }

  /// Buffers and pointers; reading a tensor is no effect.
  static bool isFollowed(Value value) {
    return !isa<TensorType, TupleType>(value.getType());
  }

  void add(Value value, StringAttr symbol, FunctionSummary::Argument argument,
           std::optional<int64_t> bytes) {
    if (argument.read)
      effects.accesses.push_back({value, symbol, false, bytes});
    if (argument.written)
      effects.accesses.push_back({value, symbol, true, bytes});
  }

  void visitDeclared(Operation *op) {
    if (getKnowledge(op->getName()) == OpKnowledge::Quiet)
      return;
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    bool recursive = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
    if (!interface && !recursive)
      return barrier(op, "does not declare its effects");
    if (interface) {
      SmallVector<MemoryEffects::EffectInstance> instances;
      interface.getEffects(instances);
      visitInstances(op, instances);
    }
    visitView(op);
    // Declared or not: the body of an op that calls itself pure may read
    // memory.
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        visit(&nested);
  }

  /// A view reads the buffers beside its source: the shape of a reshape, say.
  /// A tensor that a nested op makes of a buffer is read by whoever uses it.
  void visitView(Operation *op) {
    if (getKnowledge(op->getName()) != OpKnowledge::View)
      return;
    auto view = dyn_cast<ViewLikeOpInterface>(op);
    for (Value operand : op->getOperands())
      if (isa<BaseMemRefType>(operand.getType()) &&
          (!view || operand != view.getViewSource()) &&
          llvm::none_of(effects.accesses, [&](const MemoryAccess &access) {
            return access.value == operand;
          }))
        effects.accesses.push_back({operand, {}, false, std::nullopt});
  }

  void visitInstances(Operation *op,
                      ArrayRef<MemoryEffects::EffectInstance> instances) {
    std::optional<int64_t> bytes = getElementAccess(op, context);
    // An effect on each value once, reads before writes, in operand order.
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isFollowed(operand.get()))
        continue;
      FunctionSummary::Argument argument;
      for (const auto &instance : instances) {
        bool same = instance.getEffectValue<OpOperand *>()
                        ? instance.getEffectValue<OpOperand *>() == &operand
                        : instance.getValue() == operand.get();
        if (!same)
          continue;
        argument.read |= isa<MemoryEffects::Read>(instance.getEffect());
        // Nothing may touch what is freed afterwards.
        argument.written |= isa<MemoryEffects::Write, MemoryEffects::Free>(
            instance.getEffect());
      }
      add(operand.get(), {}, argument, bytes);
    }
    for (const auto &instance : instances) {
      if (SymbolRefAttr symbol = instance.getSymbolRef()) {
        FunctionSummary::Argument argument;
        argument.read = isa<MemoryEffects::Read>(instance.getEffect());
        argument.written = !argument.read;
        add({}, symbol.getRootReference(), argument, std::nullopt);
        continue;
      }
      Value value = instance.getValue();
      if (value && (value.getDefiningOp() == op ||
                    llvm::is_contained(op->getOperands(), value)))
        continue;
      // The resource that keeps recomputed ops apart means no memory.
      if (instance.getResource() == RecomputeResource::get() ||
          isa<MemoryEffects::Allocate>(instance.getEffect()))
        continue;
      barrier(op, "has effects on more than its operands");
    }
  }
};
} // namespace

OpEffects collectEffects(Operation *op, ProgramContext &context) {
  Collector collector(context);
  collector.visit(op);
  auto call = dyn_cast<CallOpInterface>(op);
  bool declares = isa<MemoryEffectOpInterface>(op) ||
                  op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  collector.effects.isUnknown =
      call
          ? context.getSummary(call).barrier
          // What the table knows keeps its hands off tensors.
          : !collector.effects.barrier.empty() && !declares && !hlo::lookup(op);
  return std::move(collector.effects);
}

} // namespace pebble

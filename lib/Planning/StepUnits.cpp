//===- StepUnits.cpp - steps that run again together ----------------------===//
//
// Merges writers of one storage along its contents while the merged steps stay
// one node of an acyclic graph, then writes the tables of the smaller problem.
//
//===----------------------------------------------------------------------===//

#include "pebble/Planning/StepUnits.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/HiddenEffects.h"
#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/RunIds.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include <algorithm>
#include <queue>

using namespace mlir;

namespace pebble {

//===----------------------------------------------------------------------===//
// What may run again
//===----------------------------------------------------------------------===//

namespace {
class RunOnceReasons {
public:
  explicit RunOnceReasons(const StorageAnalysis &storage) : storage(storage) {
    for (const Step &step : storage.getSteps()) {
      hasBarrier |= !step.barrier.empty();
      for (const Access &access : step.accesses)
        if (access.kind == AccessKind::Write)
          written.insert(getClass(access.storage));
    }
  }

  std::string get(const Step &step) const {
    Operation *op = step.op;
    if (!step.barrier.empty())
      return "it has effects: " + step.barrier;
    if (collectHiddenEffects(op, storage.getContext()).runsOnce)
      return "it draws random numbers or communicates";
    if (op->getName().getDialectNamespace() == "pebble")
      return "it is a move";
    for (Value result : op->getResults())
      if (std::string reason = getReason(result); !reason.empty())
        return reason;
    if (auto call = dyn_cast<CallOpInterface>(op))
      for (OpOperand &operand : call.getArgOperandsMutable())
        if (storage.isConsumed(operand))
          return "it consumes an operand";
    return getReason(step);
  }

private:
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
};
} // namespace

std::vector<std::string> getRunOnceReasons(const StorageAnalysis &storage) {
  RunOnceReasons reasons(storage);
  std::vector<std::string> result;
  for (const Step &step : storage.getSteps())
    result.push_back(reasons.get(step));
  return result;
}

//===----------------------------------------------------------------------===//
// Contraction
//===----------------------------------------------------------------------===//

using game::Id;
using game::kNone;

/// Nodes that one search for a way around a chain may visit. Beyond it the
/// chain is left as it is, which is always right.
static constexpr size_t kSearchLimit = 2000;

namespace {
class Contraction {
public:
  Contraction(const game::Problem &problem,
              const std::vector<std::string> &runOnce, Grouping grouping)
      : p(problem), runOnce(runOnce), grouping(grouping) {}

  UnitProblem run() {
    setUp();
    for (Id step = 0; step < p.steps.size(); ++step)
      for (const game::Access &write : p.steps[step].writes)
        if (Id old = p.values[write.value].overwrites; old != kNone)
          draw(step, old);
    std::vector<Id> order = orderUnits();
    for (Id unit = 0; unit < order.size(); ++unit)
      for (Id step : members[order[unit]])
        place[step] = unit;
    addUnits(order);
    addValues();
    for (Id unit : order)
      addStep(members[unit]);
    addPrecedences();
    return std::move(result);
  }

private:
  void setUp() {
    size_t count = p.steps.size();
    unitOf = game::givenOrder(p);
    place.resize(count);
    members.resize(count);
    isFresh.assign(count, true);
    readers.resize(p.values.size());
    after.resize(count);
    for (Id step = 0; step < count; ++step) {
      members[step] = {step};
      for (const game::Access &read : p.steps[step].reads)
        readers[read.value].push_back(step);
      for (const game::Access &write : p.steps[step].writes)
        isFresh[step] =
            isFresh[step] && p.values[write.value].overwrites == kNone;
    }
    edges = game::allPrecedences(p);
    for (const game::Precedence &edge : edges)
      after[edge.before].push_back(edge.after);
  }

  /// Merges `step` into the unit that made `old`, if all of it may run again
  /// and nobody else sees what it overwrites.
  void draw(Id step, Id old) {
    Id maker = p.values[old].producer;
    if (maker == kNone || unitOf[maker] == unitOf[step] ||
        unitOf[step] != step || members[step].size() != 1)
      return;
    Id unit = unitOf[maker];
    if (!isFresh[unit] || !runOnce[maker].empty() || !runOnce[step].empty())
      return;
    auto isInside = [&](Id other) {
      return other == step || unitOf[other] == unit;
    };
    for (const game::Access &write : p.steps[step].writes) {
      Id overwritten = p.values[write.value].overwrites;
      if (overwritten == kNone)
        continue;
      Id producer = p.values[overwritten].producer;
      if (producer == kNone || unitOf[producer] != unit ||
          !llvm::all_of(readers[overwritten], isInside))
        return;
    }
    bool lossless = isLossless(unit, step);
    if ((!lossless && grouping == Grouping::Lossless) || isAround(unit, step))
      return;
    result.losesSchedules |= !lossless;
    unitOf[step] = unit;
    members[unit].push_back(step);
    members[step].clear();
  }

  /// True if the unit may as well run right before `step`: it reads nothing
  /// that could be freed after it, and nothing but `step` waits for it.
  bool isLossless(Id unit, Id step) const {
    for (Id member : members[unit]) {
      for (Id next : after[member])
        if (next != step && unitOf[next] != unit)
          return false;
      for (const game::Access &read : p.steps[member].reads) {
        const game::Value &value = p.values[read.value];
        const game::Storage &storage = p.storages[value.storage];
        bool isOwn = value.producer != kNone && unitOf[value.producer] == unit;
        if (!isOwn && !storage.pinned && storage.footprint > 0)
          return false;
      }
    }
    return true;
  }

  /// True if another unit must come after `unit` and before `step`, or the
  /// search for one takes too long.
  bool isAround(Id unit, Id step) const {
    std::vector<Id> work;
    llvm::DenseSet<Id> seen;
    auto visit = [&](Id from, bool isStart) {
      for (Id member : members[from])
        for (Id next : after[member]) {
          if (unitOf[next] == unit || (isStart && next == step))
            continue;
          if (next == step)
            return true;
          if (seen.insert(unitOf[next]).second)
            work.push_back(unitOf[next]);
        }
      return false;
    };
    if (visit(unit, true))
      return true;
    while (!work.empty()) {
      Id next = work.back();
      work.pop_back();
      if (seen.size() > kSearchLimit || visit(next, false))
        return true;
    }
    return false;
  }

  /// An order of the units that keeps every precedence, as near to the order
  /// that came in as that allows.
  std::vector<Id> orderUnits() const {
    std::vector<size_t> waiting(p.steps.size(), 0);
    for (const game::Precedence &edge : edges)
      if (unitOf[edge.before] != unitOf[edge.after])
        ++waiting[unitOf[edge.after]];
    std::priority_queue<std::pair<Id, Id>, std::vector<std::pair<Id, Id>>,
                        std::greater<>>
        ready; // by last member
    auto add = [&](Id unit) { ready.push({members[unit].back(), unit}); };
    for (Id step = 0; step < p.steps.size(); ++step)
      if (unitOf[step] == step && waiting[step] == 0)
        add(step);
    std::vector<Id> order;
    while (!ready.empty()) {
      Id unit = ready.top().second;
      ready.pop();
      order.push_back(unit);
      for (Id member : members[unit])
        for (Id next : after[member])
          if (unitOf[next] != unit && --waiting[unitOf[next]] == 0)
            add(unitOf[next]);
    }
    return order;
  }

  void addUnits(llvm::ArrayRef<Id> order) {
    for (Id unit : order) {
      StepUnit entry;
      entry.steps = members[unit];
      for (Id step : entry.steps)
        if (entry.reason.empty())
          entry.reason = runOnce[step];
      for (Id step : entry.steps)
        for (const game::Access &write : p.steps[step].writes)
          if (Id old = p.values[write.value].overwrites;
              old != kNone && entry.reason.empty() && !isInside(old, unit))
            entry.reason = "it updates " +
                           p.storages[p.values[write.value].storage].name +
                           " in place";
      result.units.push_back(std::move(entry));
    }
  }

  bool isInside(Id value, Id unit) const {
    Id producer = p.values[value].producer;
    return producer != kNone && unitOf[producer] == unit;
  }

  /// Contents that are overwritten within their unit vanish.
  void addValues() {
    result.problem.name = p.name;
    result.problem.storages = p.storages;
    result.problem.hierarchy = p.hierarchy;
    std::vector<bool> vanishes(p.values.size(), false);
    for (const game::Value &value : p.values)
      if (value.overwrites != kNone && value.producer != kNone)
        vanishes[value.overwrites] =
            isInside(value.overwrites, unitOf[value.producer]);
    newValue.assign(p.values.size(), kNone);
    for (Id id = 0; id < p.values.size(); ++id) {
      if (vanishes[id])
        continue;
      newValue[id] = result.problem.values.size();
      result.origins.push_back(id);
      game::Value value = p.values[id];
      while (value.overwrites != kNone && vanishes[value.overwrites])
        value.overwrites = p.values[value.overwrites].overwrites;
      if (value.producer != kNone)
        value.producer = place[value.producer];
      result.problem.values.push_back(std::move(value));
    }
    for (game::Value &value : result.problem.values)
      if (value.overwrites != kNone)
        value.overwrites = newValue[value.overwrites];
  }

  void addStep(llvm::ArrayRef<Id> steps) {
    const StepUnit &unit = result.units[result.problem.steps.size()];
    game::Step entry;
    entry.name = p.steps[steps.back()].name;
    entry.recomputable = unit.reason.empty();
    // What later members allocate is not yet there while an earlier one runs.
    int64_t fresh = 0, made = 0;
    auto getFresh = [&](Id step) {
      int64_t bytes = 0;
      for (const game::Access &write : p.steps[step].writes)
        if (p.values[write.value].overwrites == kNone)
          bytes += p.storages[p.values[write.value].storage].footprint;
      return bytes;
    };
    for (Id step : steps)
      fresh += getFresh(step);
    for (Id step : steps) {
      const game::Step &member = p.steps[step];
      entry.cost += member.cost;
      made += getFresh(step);
      entry.scratch = std::max(entry.scratch, member.scratch - (fresh - made));
      if (member.pin != game::Pin::None)
        entry.pin = member.pin;
      for (const game::Access &read : member.reads)
        if (!isInside(read.value, unitOf[step]))
          entry.reads.push_back({newValue[read.value], read.bytes});
      for (const game::Access &write : member.writes)
        if (newValue[write.value] != kNone)
          entry.writes.push_back({newValue[write.value], write.bytes});
    }
    result.problem.steps.push_back(std::move(entry));
  }

  void addPrecedences() {
    llvm::DenseSet<std::pair<Id, Id>> seen;
    for (const game::Precedence &edge : game::allPrecedences(result.problem))
      seen.insert({edge.before, edge.after});
    for (const game::Precedence &edge : edges) {
      Id before = place[edge.before], after = place[edge.after];
      if (before != after && seen.insert({before, after}).second)
        result.problem.precedences.push_back(
            {before, after, edge.kind, edge.storage});
    }
  }

  const game::Problem &p;
  const std::vector<std::string> &runOnce;
  Grouping grouping;
  UnitProblem result;
  /// By step: the first step of its unit; by first step: all steps.
  std::vector<Id> unitOf;
  std::vector<std::vector<Id>> members;
  /// By first step: the unit begins with contents of its own.
  std::vector<bool> isFresh;
  std::vector<std::vector<Id>> readers, after;
  std::vector<game::Precedence> edges;
  /// By step: its unit's step in the contracted problem. By value: the same.
  std::vector<Id> place, newValue;
};
} // namespace

UnitProblem buildUnitProblem(const game::Problem &problem,
                             const std::vector<std::string> &runOnce,
                             Grouping grouping) {
  return Contraction(problem, runOnce, grouping).run();
}

std::vector<Id> expandUnits(const UnitProblem &units,
                            const std::vector<Id> &runs) {
  std::vector<Id> steps;
  for (Id run : runs)
    llvm::append_range(steps, units.units[run].steps);
  return steps;
}

std::vector<game::Move> expandMoves(const UnitProblem &units,
                                    const std::vector<game::Move> &moves) {
  std::vector<game::Move> expanded;
  for (const game::Move &move : moves)
    if (move.kind == game::MoveKind::Compute)
      for (Id step : units.units[move.subject].steps)
        expanded.push_back({game::MoveKind::Compute, step, 0});
    else
      expanded.push_back({move.kind, units.origins[move.subject], move.tier});
  return expanded;
}

std::vector<Id> contractRuns(const UnitProblem &units,
                             const std::vector<game::Move> &moves) {
  llvm::DenseMap<Id, Id> unitEndingWith, valueOf;
  for (auto [unit, entry] : llvm::enumerate(units.units))
    unitEndingWith[entry.steps.back()] = unit;
  for (auto [value, origin] : llvm::enumerate(units.origins))
    valueOf[origin] = value;
  std::vector<Id> runs;
  for (const game::Move &move : moves) {
    if (move.kind == game::MoveKind::Compute) {
      if (auto unit = unitEndingWith.find(move.subject);
          unit != unitEndingWith.end())
        runs.push_back(unit->second);
    } else if (move.kind == game::MoveKind::Load) {
      auto value = valueOf.find(move.subject);
      if (value == valueOf.end())
        return {};
      runs.push_back(graph::loadOf(units.problem, value->second));
    }
  }
  return runs;
}

} // namespace pebble

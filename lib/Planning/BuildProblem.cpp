//===- BuildProblem.cpp - a block as a pebble game ------------------------===//
//
// One walk over the steps gives each write of a storage a value of its own;
// what the values do not imply becomes a precedence.
//
//===----------------------------------------------------------------------===//

#include "pebble/Planning/BuildProblem.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/HiddenEffects.h"
#include "pebble/Analysis/Lifetime.h"
#include "pebble/Analysis/RunBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace pebble {

game::Hierarchy toGame(HierarchyAttr hierarchy) {
  game::Hierarchy result;
  if (!hierarchy) {
    result.name = "default";
    result.tiers.push_back({"default"});
    return result;
  }
  result.name = hierarchy.getName().str();
  result.inclusion = hierarchy.getInclusion() == Inclusion::Inclusive
                         ? game::Inclusion::Inclusive
                         : game::Inclusion::Exclusive;
  for (TierAttr tier : hierarchy.getTiers())
    result.tiers.push_back(
        {tier.getName().str(),
         tier.isCache() ? game::TierKind::Cache : game::TierKind::Explicit,
         tier.isBounded() ? tier.getCapacity() : game::kUnbounded,
         tier.getRead(), tier.getWrite(), tier.getBandwidth(),
         tier.getLatency()});
  return result;
}

static game::DependenceKind toGame(DependenceKind kind) {
  switch (kind) {
  case DependenceKind::Flow:
    return game::DependenceKind::Flow;
  case DependenceKind::Anti:
    return game::DependenceKind::Anti;
  case DependenceKind::Output:
    return game::DependenceKind::Output;
  case DependenceKind::Effect:
    return game::DependenceKind::Effect;
  }
  llvm_unreachable("covered switch");
}

namespace {
class ProblemBuilder {
public:
  ProblemBuilder(const DependenceGraph &dependences,
                 const BuildOptions &options)
      : dependences(dependences), analysis(dependences.getStorage()),
        options(options), current(analysis.getStorages().size(), game::kNone) {}

  BlockProblem build() {
    result.problem.hierarchy = toGame(options.hierarchy);
    setCapacities();
    addStorages();
    for (unsigned step = 0; step < analysis.getSteps().size(); ++step)
      addStep(step);
    addRequired();
    addPrecedences();
    findRestrictions();
    addOffset();
    if (options.moves)
      addContents();
    return std::move(result);
  }

private:
  void setCapacities() {
    game::Hierarchy &hierarchy = result.problem.hierarchy;
    size_t compute = hierarchy.computeTier();
    for (size_t at = compute; at < hierarchy.tiers.size(); ++at) {
      game::Tier &tier = hierarchy.tiers[at];
      if (!options.capacities && (at == compute || !options.moves))
        tier.capacity = game::kUnbounded;
      if (options.moves && at > compute && tier.capacity != game::kUnbounded) {
        // A tier that is full already takes nothing more, which needs a byte.
        int64_t taken = LifetimeAnalysis(analysis).getPeakBytes(tier.name);
        if (auto found = options.slowTaken.find(tier.name);
            found != options.slowTaken.end())
          taken += found->second;
        tier.capacity = std::max<int64_t>(1, tier.capacity - taken);
      }
    }
  }

  void addContents() {
    result.contents = getContents(analysis, result.problem);
    for (auto [value, content] :
         llvm::zip(result.problem.values, result.contents))
      value.offloadable = content.refusal.empty();
  }

  game::Id addValue(StorageId storage, game::Id producer) {
    game::Value value;
    if (options.names)
      value.name = result.problem.storages[storage].name + "." +
                   std::to_string(versions++);
    value.storage = storage;
    value.producer = producer;
    value.overwrites = current[storage];
    value.offloadable = analysis.getStorage(storage).isCounted();
    result.problem.values.push_back(std::move(value));
    return result.problem.values.size() - 1;
  }

  void addStorages() {
    for (auto [id, storage] : llvm::enumerate(analysis.getStorages())) {
      game::Storage entry;
      if (options.names)
        entry.name = analysis.getStorageName(id);
      entry.bytes = storage.bytes;
      bool isLocal = storage.kind == StorageKind::Local;
      bool counts = storage.isCounted() && storage.tier.empty() &&
                    (isLocal || options.countArguments);
      entry.footprint = counts ? storage.getFootprint() : 0;
      entry.initial = !isLocal;
      entry.pinned = !isLocal && storage.kind != StorageKind::Donated;
      result.problem.storages.push_back(std::move(entry));
      if (!isLocal)
        current[id] = addValue(id, game::kNone);
    }
  }

  static game::Pin getPin(Operation *op) {
    if (op->hasAttr(attr::kKeep))
      return game::Pin::Keep;
    if (op->hasAttr(attr::kRecompute))
      return game::Pin::Recompute;
    if (op->hasAttr(attr::kOffload))
      return game::Pin::Offload;
    return game::Pin::None;
  }

  /// A step while its accesses are looked at.
  struct Draft {
    unsigned index;
    game::Step entry;
    /// What the step writes takes effect once it has read all it reads.
    SmallVector<std::pair<StorageId, game::Access>, 4> writes;
    llvm::SmallDenseSet<StorageId, 8> read;

    game::Access *findWrite(StorageId id) {
      for (auto &[storage, written] : writes)
        if (storage == id)
          return &written;
      return nullptr;
    }
  };

  void addStep(unsigned index) {
    const Step &step = analysis.getSteps()[index];
    Draft draft;
    draft.index = index;
    game::Step &entry = draft.entry;
    if (options.names)
      entry.name = analysis.getStepName(index);
    entry.scratch = step.scratch;
    entry.pin = getPin(step.op);
    entry.recomputable =
        step.barrier.empty() &&
        !collectHiddenEffects(step.op, analysis.getContext()).runsOnce &&
        !isMoveOrMark(step.op) &&
        llvm::none_of(step.op->getResultTypes(), isTokenType);
    // What moves inside of a step costs energy that no access of it shows.
    InnerMoves inner = collectInnerMoves(step.op, analysis.getContext());
    if (!inner.areKnown || !inner.bytes.empty())
      result.energyIsExact = false;
    // A transfer under way reads a content until it is waited for.
    bool inFlight = llvm::any_of(step.op->getOperandTypes(), isTokenType);
    for (const Access &access : step.accesses) {
      if (access.bytes == 0)
        result.energyIsExact = false;
      // Must be alive, whatever its content: a game has no word for that.
      bool isMereHold = access.kind == AccessKind::Hold && !inFlight;
      result.peakIsExact &= !isMereHold;
      if (access.kind == AccessKind::Write)
        addWrite(draft, access);
      else if (!isMereHold || options.holds)
        addRead(draft, access, isMereHold);
    }
    for (auto &[storage, access] : draft.writes) {
      entry.writes.push_back(access);
      current[storage] = access.value;
    }
    result.problem.steps.push_back(std::move(entry));
  }

  void addWrite(Draft &draft, const Access &access) {
    if (game::Access *written = draft.findWrite(access.storage)) {
      written->bytes += access.bytes;
      result.energyIsExact = false;
      return;
    }
    game::Id value = addValue(access.storage, draft.index);
    draft.writes.push_back({access.storage, {value, access.bytes}});
    if (current[access.storage] != game::kNone)
      draft.entry.recomputable = false;
  }

  void addRead(Draft &draft, const Access &access, bool isMereHold) {
    game::Id content = current[access.storage];
    if (content == game::kNone) {
      // Reads what nobody wrote: the life of the storage begins here.
      result.energyIsExact = false;
      if (draft.findWrite(access.storage))
        return;
      addWrite(draft, access);
      if (isMereHold)
        held.push_back({draft.writes.back().second.value, draft.index});
      return;
    }
    if (!draft.writes.empty())
      result.energyIsExact = false;
    bool isHold = access.kind == AccessKind::Hold;
    if (!draft.read.insert(access.storage).second && isHold)
      return;
    if (isMereHold)
      held.push_back({content, draft.index});
    draft.entry.reads.push_back({content, isHold ? 0 : access.bytes});
  }

  void addRequired() {
    for (auto [id, storage] : llvm::enumerate(analysis.getStorages())) {
      if (!storage.outlives)
        continue;
      if (current[id] != game::kNone)
        result.problem.values[current[id]].required = true;
      else if (storage.isCounted() && storage.tier.empty())
        addUntouched(id);
    }
  }

  void addUntouched(StorageId id) {
    result.peakIsExact = false;
    if (!options.holds)
      return;
    result.isRestricted = true;
    game::Storage &entry = result.problem.storages[id];
    entry.initial = entry.pinned = true;
    entry.footprint = analysis.getStorage(id).getFootprint();
    result.untouched += entry.footprint;
    result.problem.values[addValue(id, game::kNone)].required = true;
  }

  /// A mere hold that stands between two contents in the game alone.
  void findRestrictions() {
    if (held.empty())
      return;
    llvm::DenseSet<std::pair<unsigned, unsigned>> known;
    for (const Dependence &edge : dependences.getDependences())
      known.insert({edge.before, edge.after});
    auto isKnown = [&](game::Id before, game::Id after) {
      return before == game::kNone || before == after ||
             known.contains({before, after});
    };
    std::vector<game::Id> next(result.problem.values.size(), game::kNone);
    for (const game::Value &value : result.problem.values)
      if (value.overwrites != game::kNone)
        next[value.overwrites] = value.producer;
    for (auto [value, step] : held)
      result.isRestricted |=
          !isKnown(result.problem.values[value].producer, step) ||
          (next[value] != game::kNone && !isKnown(step, next[value]));
  }

  void addPrecedences() {
    llvm::DenseSet<std::pair<unsigned, unsigned>> implied;
    for (const game::Precedence &edge : game::allPrecedences(result.problem))
      implied.insert({edge.before, edge.after});
    for (const Dependence &edge : dependences.getDependences())
      if (implied.insert({edge.before, edge.after}).second)
        result.problem.precedences.push_back(
            {edge.before, edge.after, toGame(edge.kind),
             edge.storage ? game::Id(*edge.storage) : game::kNone});
    for (auto [before, after] : options.dictated)
      result.problem.precedences.push_back(
          {before, after, game::DependenceKind::Effect, game::kNone});
  }

  /// Raises the scratch of every step, and what is live before the first one,
  /// by the same amount: no order gains or loses by it.
  void addOffset() {
    int64_t lowest = 0;
    for (const game::Step &step : result.problem.steps)
      lowest = std::min(lowest, step.scratch);
    if (lowest == 0)
      return;
    // A load has no scratch that could be raised as well.
    if (options.moves) {
      for (game::Step &step : result.problem.steps)
        step.scratch = std::max<int64_t>(0, step.scratch);
      result.peakIsExact = false;
      return;
    }
    result.peakOffset = -lowest;
    for (game::Step &step : result.problem.steps)
      step.scratch -= lowest;
    // A storage that nothing touches is freed before the first step.
    game::Storage storage;
    storage.name = "(offset)";
    storage.footprint = -lowest;
    storage.initial = true;
    game::Value value;
    value.name = storage.name;
    value.storage = result.problem.storages.size();
    value.offloadable = false;
    result.problem.storages.push_back(std::move(storage));
    result.problem.values.push_back(std::move(value));
  }

  const DependenceGraph &dependences;
  const StorageAnalysis &analysis;
  const BuildOptions &options;
  BlockProblem result;
  /// The content of each storage as the walk has come.
  std::vector<game::Id> current;
  /// Contents that steps must find alive and do not look at.
  std::vector<std::pair<game::Id, game::Id>> held;
  unsigned versions = 0;
};
} // namespace

BlockProblem buildProblem(const DependenceGraph &dependences,
                          const BuildOptions &options) {
  return ProblemBuilder(dependences, options).build();
}

BlockProblem buildProblemWithin(const DependenceGraph &dependences,
                                BuildOptions options) {
  BlockProblem built = buildProblem(dependences, options);
  options.holds = !built.peakIsExact;
  return options.holds ? buildProblem(dependences, options) : built;
}

} // namespace pebble

//===- Infeasible.cpp - what to say when no schedule fits -----------------===//

#include "Infeasible.h"

#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Planning/PlanAddresses.h"
#include "pebble/Planning/Shortage.h"
#include "pebble/Solver/Timeline/MakespanBound.h"
#include "pebble/Solver/Timeline/Overlap.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace pebble {

/// Values that an error names at most.
static constexpr size_t kNamedValues = 5;

std::optional<int64_t> getSlowBytes(const game::Problem &problem) {
  int64_t bytes = 0;
  for (const game::Tier &tier :
       llvm::ArrayRef(problem.hierarchy.tiers)
           .drop_front(problem.hierarchy.computeTier() + 1)) {
    if (tier.capacity == game::kUnbounded)
      return std::nullopt;
    bytes = addCounts(bytes, tier.capacity);
  }
  return bytes;
}

/// The extent of the buffers of the compute tier that live as `moves`, a valid
/// schedule, has them: one for each time that a storage is filled.
static int64_t getExtent(const game::Problem &p,
                         const std::vector<game::Move> &moves,
                         const ScheduleRequest &wanted) {
  constexpr size_t nowhere = std::numeric_limits<size_t>::max();
  std::vector<addresses::Buffer> buffers;
  // By storage: the buffer that it lies in.
  std::vector<size_t> current(p.storages.size(), nowhere);
  auto end = static_cast<int64_t>(moves.size()) + 1;
  auto open = [&](game::Id storage, int64_t at) {
    int64_t size = p.storages[storage].footprint;
    if (size == 0 || current[storage] != nowhere)
      return;
    current[storage] = buffers.size();
    buffers.push_back({std::to_string(buffers.size()), at, end, size});
  };
  for (game::Id id = 0; id < p.storages.size(); ++id)
    if (p.storages[id].pinned)
      open(id, 0);
  for (const game::Value &value : p.values)
    if (value.producer == game::kNone)
      open(value.storage, 0);
  for (auto [index, move] : llvm::enumerate(moves)) {
    int64_t at = static_cast<int64_t>(index) + 1;
    if (move.kind == game::MoveKind::Compute) {
      for (const game::Access &write : p.steps[move.subject].writes)
        open(p.values[write.value].storage, at);
      continue;
    }
    game::Id storage = p.values[move.subject].storage;
    if (move.kind == game::MoveKind::Load)
      open(storage, at);
    if (move.kind != game::MoveKind::Drop || move.tier != 0 ||
        current[storage] == nowhere)
      continue;
    buffers[current[storage]].upper = at;
    current[storage] = nowhere;
  }
  AddressRequest request;
  request.seed = wanted.seed;
  request.limits = wanted.limits;
  return placeInTier(buffers, request).extent;
}

namespace {
/// The most that is live in a schedule, and where.
struct Summit {
  game::Id step = game::kNone;
  int64_t bytes = 0;
  /// Contents that are live, the largest first.
  std::vector<game::Id> values;
};
} // namespace

static Summit findSummit(const game::Problem &p,
                         const std::vector<game::Move> &moves) {
  game::Replay replay = game::verify(p, moves);
  std::vector<game::Id> content(p.storages.size(), game::kNone);
  for (game::Id id = 0; id < p.values.size(); ++id)
    if (p.values[id].producer == game::kNone)
      content[p.values[id].storage] = id;
  Summit summit;
  for (size_t at = 0; at < moves.size() && at < replay.live.size(); ++at) {
    const game::Move &move = moves[at];
    if (move.kind == game::MoveKind::Drop) {
      if (move.tier == 0)
        content[p.values[move.subject].storage] = game::kNone;
      continue;
    }
    if (move.kind != game::MoveKind::Compute) {
      if (move.kind == game::MoveKind::Load)
        content[p.values[move.subject].storage] = move.subject;
      continue;
    }
    for (const game::Access &write : p.steps[move.subject].writes)
      content[p.values[write.value].storage] = write.value;
    if (summit.step != game::kNone && replay.live[at] <= summit.bytes)
      continue;
    summit.step = move.subject;
    summit.bytes = replay.live[at];
    summit.values.clear();
    for (game::Id value : content)
      if (value != game::kNone)
        summit.values.push_back(value);
  }
  llvm::sort(summit.values, [&](game::Id a, game::Id b) {
    int64_t left = p.storages[p.values[a].storage].footprint;
    int64_t right = p.storages[p.values[b].storage].footprint;
    return left != right ? left > right : a < b;
  });
  return summit;
}

/// Why the value must be there, if it must.
static std::string getReason(const game::Problem &p, const SchedulePlan &plan,
                             const Summit &summit, game::Id id) {
  const game::Value &value = p.values[id];
  const game::Step &step = p.steps[summit.step];
  auto isValue = [&](const game::Access &access) { return access.value == id; };
  if (llvm::any_of(step.writes, isValue))
    return "made here";
  if (llvm::any_of(step.reads, isValue))
    return "read here";
  if (p.storages[value.storage].pinned)
    return "belongs to the caller";
  if (value.producer == game::kNone)
    return "an argument";
  if (value.required)
    return "returned";
  if (p.steps[value.producer].pin == game::Pin::Keep)
    return "to be kept";
  const std::string &reason = plan.runOnce[value.producer];
  return reason.empty() ? "" : "cannot be recomputed: " + reason;
}

/// What the function that `block` stands in is called in its program.
static StringAttr getFunctionName(Block *block) {
  Operation *op = block->getParentOp();
  while (op && !isa<FunctionOpInterface>(op))
    op = op->getParentOp();
  return StringAttr::get(block->getParentOp()->getContext(),
                         op ? getProgramName(cast<FunctionOpInterface>(op))
                            : std::string());
}

/// Some schedule is known.
static bool isKnown(const LeastBudget &least) {
  return least.bytes != std::numeric_limits<int64_t>::max();
}

/// Says that nothing was found within `budget`, and that `needed` bytes do, of
/// which `live` are live at one time.
static void sayShortage(InFlightDiagnostic &error, const LeastBudget &least,
                        int64_t budget, int64_t needed, int64_t live) {
  StringRef what = least.mayRecompute ? "schedule" : "order";
  if (!isKnown(least)) {
    error << "no schedule that follows the wishes was found within the budget "
             "of "
          << budget << " bytes; a larger one may do";
    return;
  }
  if (least.limited && !least.isProven)
    error << "a limit ended the search before "
          << (least.mayRecompute ? "a " : "an ") << what
          << " within the budget of " << budget
          << " bytes was found; the smallest budget that is known to do is "
          << needed << " bytes";
  else if (!least.isProven)
    error << "no " << what << " was found within the budget of " << budget
          << " bytes; the smallest feasible budget found is " << needed
          << " bytes";
  else if (needed > live)
    error << "no " << what << " fits in the budget of " << budget
          << " bytes; the smallest feasible budget found is " << needed
          << " bytes";
  else
    error << "no " << what << " fits in the budget of " << budget
          << " bytes; the smallest feasible budget is " << needed
          << " bytes (proven)";
  if (needed > live)
    error << ", which " << live << " live bytes"
          << (least.isProven ? ", proven to be the least," : "")
          << " take as one block";
}

/// Says what is live at the peak, which is at `op`: the largest buffers, and
/// why they must be there.
static void notePeak(InFlightDiagnostic &error, Operation *op,
                     const StorageAnalysis &analysis, const game::Problem &p,
                     const SchedulePlan &plan, const Summit &summit,
                     int64_t around) {
  Diagnostic &note = error.attachNote(op->getLoc());
  note << "its peak is at '" << analysis.getStepName(summit.step) << "'";
  size_t named = 0;
  for (game::Id value : summit.values) {
    StorageId id = p.values[value].storage;
    if (named == kNamedValues)
      break;
    // Not what stands for memory inside of a step, which has no name.
    if (id >= analysis.getStorages().size() || p.storages[id].footprint == 0)
      continue;
    note << (named++ ? ", " : " with ") << analysis.getStorageName(id) << " ("
         << p.storages[id].footprint << " bytes";
    if (std::string reason = getReason(p, plan, summit, value); !reason.empty())
      note << ", " << reason;
    note << ")";
  }
  if (named)
    note << " live";
  if (around > 0)
    note << (named ? ", and " : " with ") << around
         << " bytes around the block";
}

LogicalResult reportInfeasible(const StorageAnalysis &analysis,
                               const BlockProblem &built,
                               const SchedulePlan &plan,
                               const ScheduleRequest &request,
                               const graph::MoveCosts &prices, int64_t offset,
                               const LeastBudget &least) {
  game::Problem p = built.problem;
  for (auto [step, reason] : llvm::zip(p.steps, plan.runOnce))
    step.recomputable = reason.empty();
  std::vector<game::Move> moves = least.moves;
  Summit summit = findSummit(p, moves);
  const int64_t budget = request.budget + request.around;
  const int64_t live = addCounts(least.bytes, request.around);
  int64_t needed = live;
  if (request.hasAddresses && request.hasAddresses()) {
    if (request.objective == ScheduleObjective::Time &&
        llvm::any_of(moves, graph::isTransfer))
      moves = timeline::movesOf(
          timeline::overlapTransfers(p, moves, timeline::durationsOf(p, prices),
                                     least.bytes + offset)
              .actions);
    const int64_t unneeded = least.isCounted ? built.untouched : 0;
    needed = std::max(needed, getExtent(p, moves, request) - offset - unneeded +
                                  request.around);
  }
  Operation *op = summit.step == game::kNone
                      ? analysis.getBlock()->getParentOp()
                      : analysis.getSteps()[summit.step].op;
  InFlightDiagnostic error = emitError(op->getLoc());
  sayShortage(error, least, budget, needed, live);
  const int64_t inputPeak = request.functionPeak
                                ? request.functionPeak
                                : addCounts(plan.inputPeak, request.around);
  describeShortage(*error.getUnderlyingDiagnostic(),
                   {getFunctionName(analysis.getBlock()), budget, inputPeak,
                    isKnown(least) ? std::optional(needed) : std::nullopt});
  if (summit.step == game::kNone)
    return failure();
  notePeak(error, op, analysis, p, plan, summit, request.around);
  if (least.unproven)
    error.attachNote(op->getLoc())
        << "a schedule was found that takes "
        << addCounts(*least.unproven, request.around)
        << " bytes, but it is not proven to be the same program";
  if (least.slowBytes)
    error.attachNote(op->getLoc())
        << "at most " << least.orderPeak
        << " bytes are live in the leanest order, " << *least.slowBytes
        << " bytes fit in slower tiers";
  if (const std::string &reason = plan.runOnce[summit.step]; !reason.empty())
    error.attachNote(op->getLoc()) << "'" << analysis.getStepName(summit.step)
                                   << "' cannot be recomputed: " << reason;
  return failure();
}

} // namespace pebble

//===- ExplainSchedule.cpp - what became of each large value --------------===//

#include "pebble/Planning/ExplainSchedule.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/RemarkQueue.h"
#include "pebble/Planning/StepCosts.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace pebble {

namespace {
class ScheduleRemarks {
public:
  ScheduleRemarks(const StorageAnalysis &storage, const SchedulePlan &plan,
                  StringRef category)
      : storage(storage), plan(plan), category(category) {}

  void run() {
    collect();
    int64_t large = std::max<int64_t>(64, plan.peak / 100);
    for (auto [id, entry] : llvm::enumerate(storage.getStorages())) {
      if (entry.getFootprint() < large)
        continue;
      if (!absences[id].empty())
        writeAbsence(id);
      if (entry.kind == StorageKind::Local && entry.tier.empty() &&
          lives[id].maker != kNone &&
          (absences[id].empty() || times[lives[id].maker] > 1))
        writeValue(id);
    }
    writeClock();
    writeProof();
  }

private:
  void write(PlanRemark::Kind kind, Location loc, StringRef name,
             std::string text,
             std::vector<std::pair<std::string, int64_t>> metrics) const {
    say(storage.getBlock()->getParentOp(),
        {kind, loc, name.str(), category.str(), std::move(text),
         std::move(metrics)});
  }

  static constexpr unsigned kNone = ~0u;

  /// The step that makes a storage and, in the schedule, where it is first and
  /// last touched.
  struct Life {
    unsigned maker = kNone, first = 0, last = 0;
  };

  /// One transfer: where it stands among the runs.
  struct Transfer {
    BlockAction::Kind kind;
    StringRef tier;
    unsigned position;
  };

  void collectTransfers() {
    absences.resize(storage.getStorages().size());
    refusals.resize(storage.getStorages().size());
    for (const Content &content : plan.contents)
      if (content.name)
        refusals[content.storage] = content.refusal;
    unsigned position = 0;
    for (const BlockAction &action : plan.actions) {
      if (action.kind == BlockAction::Run)
        ++position;
      else if (action.kind != BlockAction::Wait)
        absences[storage.lookup(action.content)[0]].push_back(
            {action.kind, action.tier, position});
    }
  }

  void collect() {
    collectTransfers();
    lives.resize(storage.getStorages().size());
    for (auto [index, step] : llvm::enumerate(storage.getSteps()))
      for (const Access &access : step.accesses)
        if (lives[access.storage].maker == kNone &&
            access.kind == AccessKind::Write)
          lives[access.storage].maker = index;
    times.assign(storage.getSteps().size(), 0);
    std::vector<bool> seen(lives.size(), false);
    for (auto [position, step] : llvm::enumerate(plan.runs)) {
      ++times[step];
      for (const Access &access : storage.getSteps()[step].accesses) {
        Life &life = lives[access.storage];
        if (!seen[access.storage])
          life.first = position;
        seen[access.storage] = true;
        life.last = position;
      }
    }
  }

  void writeAbsence(StorageId id) {
    const Storage &entry = storage.getStorage(id);
    std::string name = storage.getStorageName(id);
    std::string text = name;
    int64_t moved = 0;
    for (auto [index, transfer] : llvm::enumerate(absences[id])) {
      moved += entry.bytes;
      bool isStore = transfer.kind == BlockAction::Store;
      text += index ? isStore ? ", stored" : ", fetched" : " is stored";
      text += isStore ? " to '" + transfer.tier.str() + "'" : "";
      if (isStore && transfer.position > 0)
        text += " after '" + getStep(transfer.position - 1) + "'";
      else if (!isStore && transfer.position < plan.runs.size())
        text += " before '" + getStep(transfer.position) + "'";
      else
        text += isStore ? " first" : " at the end";
    }
    write(PlanRemark::Passed, entry.root.getLoc(), "offloaded",
          text + ", instead of taking memory in between",
          {{"Bytes", entry.getFootprint()}, {"MovedBytes", moved}});
  }

  void writeValue(StorageId id) {
    const Life &life = lives[id];
    const Storage &entry = storage.getStorage(id);
    Location loc = storage.getSteps()[life.maker].op->getLoc();
    std::string name = storage.getStorageName(id);
    int64_t bytes = entry.getFootprint();
    if (unsigned again = times[life.maker] - 1) {
      int64_t cost = plan.unitCosts[life.maker];
      write(PlanRemark::Passed, loc, "recomputed",
            name + " is computed " + std::to_string(again) +
                (again == 1 ? " more time" : " more times") +
                ", instead of taking memory in between",
            {{"Times", again}, {"Bytes", bytes}, {"Cost", cost * again}});
      return;
    }
    std::string reason = plan.runOnce[life.maker];
    if (storage.getSteps()[life.maker].op->hasAttr(attr::kKeep))
      reason = "pebble.keep asks for it";
    if (!reason.empty()) {
      write(
          PlanRemark::Missed, loc, "kept",
          name + " could not be recomputed: " + reason +
              (refusals[id].empty() ? "" : "; nor offloaded: " + refusals[id]),
          {{"Bytes", bytes}});
      return;
    }
    std::string text = name + " is kept from '" + getStep(life.first) +
                       "' to '" + getStep(life.last) + "'";
    if (entry.outlives)
      text = name + " is kept from '" + getStep(life.first) +
             "' to the end: it is returned";
    write(PlanRemark::Analysis, loc, "kept", text,
          {{"Bytes", bytes}, {"Cost", plan.unitCosts[life.maker]}});
  }

  std::string getStep(unsigned position) const {
    return storage.getStepName(plan.runs[position]);
  }

  void writeClock() {
    if (!plan.timeline)
      return;
    const timeline::Timeline &clock = *plan.timeline;
    int64_t hidden = std::max<int64_t>(0, clock.moving - clock.stalled);
    int64_t percent = clock.moving ? hidden * 100.0 / clock.moving : 100;
    write(PlanRemark::Analysis, storage.getBlock()->getParentOp()->getLoc(),
          "timeline",
          "transfers run beside the steps: " + std::to_string(percent) +
              "% of their time is hidden",
          {{"ComputingNs", clock.computing},
           {"MovingNs", clock.moving},
           {"StalledNs", clock.stalled},
           {"MakespanNs", clock.makespan}});
  }

  void writeProof() {
    if (plan.status == game::Status::Optimal)
      return;
    std::string text = "the schedule is not proven to be the cheapest";
    if (plan.limited)
      text += "; a limit of time or memory ended the search";
    write(PlanRemark::Missed, storage.getBlock()->getParentOp()->getLoc(),
          "proof", text, {{"Cost", plan.cost}, {"Bound", plan.bound}});
  }

  const StorageAnalysis &storage;
  const SchedulePlan &plan;
  StringRef category;
  std::vector<Life> lives;
  /// By storage: its transfers, and why it cannot be moved.
  std::vector<std::vector<Transfer>> absences;
  std::vector<std::string> refusals;
  /// By step: how often it runs.
  std::vector<unsigned> times;
};
} // namespace

void emitScheduleRemarks(const StorageAnalysis &storage,
                         const SchedulePlan &plan, StringRef category) {
  Operation *parent = storage.getBlock()->getParentOp();
  if (parent->getContext()->getRemarkEngine())
    ScheduleRemarks(storage, plan, category).run();
}

void explainStepTimes(const StorageAnalysis &storage, StringRef category) {
  if (!hasStepTimes(storage))
    return;
  llvm::StringSet<> said;
  for (auto [index, time] : llvm::enumerate(getStepTimes(storage))) {
    if (!time.measured || time.measured->isExact)
      continue;
    Operation *op = storage.getSteps()[index].op;
    OpSignature signature = OpSignature::get(op);
    if (!said.insert(signature.kind + signature.shape).second)
      continue;
    const MeasuredOp &from = *time.measured->from;
    std::string like = from.signature.kind == signature.kind
                           ? "the same operation on "
                       : from.signature.op == signature.op
                           ? "another '" + from.signature.op + "' on "
                           : "'" + from.signature.op + "' on ";
    say(op, {PlanRemark::Missed,
             op->getLoc(),
             "not measured",
             category.str(),
             storage.getStepName(index) +
                 " was not measured; its time is scaled from " + like +
                 from.signature.shape,
             {{"Nanoseconds", time.nanoseconds}}});
  }
}

} // namespace pebble

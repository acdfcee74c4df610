//===- VerifyMessages.cpp - the pass pebble-verify-messages ---------------===//

#include "pebble/Transforms/Passes.h"

#include "pebble/Planning/Communication.h"
#include "pebble/Target/TargetHierarchy.h"

namespace pebble {
#define GEN_PASS_DEF_VERIFYMESSAGESPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
struct VerifyMessages : pebble::impl::VerifyMessagesPassBase<VerifyMessages> {
  using VerifyMessagesPassBase::VerifyMessagesPassBase;

  void runOnOperation() override {
    if (failed(run()))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  LogicalResult run() {
    FailureOr<SmallVector<func::FuncOp>> found = findFunctions();
    if (failed(found))
      return failure();
    return playRanks(
        getOperation(), *found,
        [&](const std::vector<RankEvents> &ranks) -> LogicalResult {
          std::vector<std::vector<ranks::Event>> events;
          for (const RankEvents &rank : ranks)
            events.push_back(rank.events);
          std::optional<ranks::Trouble> trouble = ranks::findTrouble(events);
          return trouble ? tell(*trouble, ranks) : success();
        });
  }

  FailureOr<func::FuncOp> findFunction(StringRef name) {
    auto function = getOperation().lookupSymbol<func::FuncOp>(name);
    if (!function || function.isExternal())
      return emitError(getOperation().getLoc(), "there is no function '@")
             << name << "' with a body";
    return function;
  }

  FailureOr<func::FuncOp> findEntry() {
    if (getOperation().lookupSymbol("main"))
      return findFunction("main");
    SmallVector<func::FuncOp> found;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        found.push_back(function);
    if (found.size() != 1)
      return emitError(getOperation().getLoc(),
                       "there is no function '@main', and ")
             << found.size()
             << " public ones: say which one each rank runs (functions=...)";
    return found.front();
  }

  FailureOr<SmallVector<func::FuncOp>> findFunctions() {
    SmallVector<func::FuncOp> result;
    for (const std::string &name : functions) {
      FailureOr<func::FuncOp> function = findFunction(name);
      if (failed(function))
        return failure();
      result.push_back(*function);
    }
    int64_t count = ranks;
    if (count == 0 && result.empty()) {
      FailureOr<HierarchyAttr> hierarchy = getHierarchy(getOperation());
      if (failed(hierarchy))
        return failure();
      if (std::optional<ranks::Topology> topology = getTopology(*hierarchy))
        count = topology->ranks;
      else
        return emitError(getOperation().getLoc(),
                         "how many ranks run the program is not "
                         "known: give ranks=N, from 1, "
                         "or a machine with a topology");
    }
    if (count < 0 || count > kMostRanks)
      return emitError(getOperation().getLoc(), "a program has 1 to ")
             << kMostRanks << " ranks, not " << count;
    if (!result.empty()) {
      if (count != 0 && count != static_cast<int64_t>(result.size()))
        return emitError(getOperation().getLoc(), "there are ")
               << result.size() << " functions for " << count << " ranks";
      return result;
    }
    FailureOr<func::FuncOp> entry = findEntry();
    if (failed(entry))
      return failure();
    result.assign(count, *entry);
    return result;
  }

  static Operation *getOp(const std::vector<RankEvents> &ranks,
                          ranks::Stand stand) {
    return ranks[stand.rank].ops[stand.event];
  }

  static std::string nameAll(const ranks::Trouble &trouble) {
    std::string names = std::to_string(trouble.at.rank);
    for (const ranks::Stand &other : trouble.others)
      if (other.rank != trouble.at.rank)
        names += " -> " + std::to_string(other.rank);
    return names + " -> " + std::to_string(trouble.at.rank);
  }

  LogicalResult tell(const ranks::Trouble &trouble,
                     const std::vector<RankEvents> &ranks) {
    Operation *op = getOp(ranks, trouble.at);
    const int64_t rank = trouble.at.rank;
    InFlightDiagnostic error = op->emitOpError();
    const char *note = "waits here";
    switch (trouble.why) {
    case ranks::Trouble::Stuck:
      if (trouble.others.empty())
        error << "is where rank " << rank
              << " waits for ever: nobody does the other half of it";
      else
        error << "is where rank " << rank
              << " waits for ever: ranks wait for each other in a circle, "
              << nameAll(trouble);
      break;
    case ranks::Trouble::Differ:
      error << "is what rank " << rank << " does where rank "
            << trouble.others.front().rank << " does something else";
      note = "does this";
      break;
    case ranks::Trouble::Bytes:
      error << "of rank " << rank << " has "
            << ranks[rank].events[trouble.at.event].bytes << " bytes, and rank "
            << trouble.others.front().rank << " receives "
            << ranks[trouble.others.front().rank]
                   .events[trouble.others.front().event]
                   .bytes;
      note = "receives it here";
      break;
    case ranks::Trouble::Open:
      error << "is started by rank " << rank
            << ", and nobody does the other half of it";
      break;
    case ranks::Trouble::NoRank:
      error << "of rank " << rank << " names a rank that there is not among "
            << ranks.size();
      break;
    }
    for (const ranks::Stand &other : trouble.others)
      if (other.rank != rank)
        error.attachNote(getOp(ranks, other)->getLoc())
            << "rank " << other.rank << " " << note;
    return error;
  }
};
} // namespace

//===- Tiers.cpp - what stands behind the tiers of a run ------------------===//

#include "Tiers.h"

#include "Links.h"
#include "Ranks.h"
#include "ToolOptions.h"

#include "pebble/Dialect/Placement.h"
#include "pebble/Runtime/Runtime.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Signals.h"

#include <atomic>
#include <csignal>
#include <iterator>
#include <set>

#include <unistd.h>

using namespace mlir;
using namespace pebble;
namespace cl = llvm::cl;

static cl::opt<std::string>
    slowDir("slow-dir",
            cl::desc("Directory for tiers that are files: every "
                     "explicit tier behind the compute tier"),
            tool::ours);
static cl::list<std::string>
    fileTiers("file-tier",
              cl::desc("With --slow-dir, only these tiers are "
                       "files (repeatable)"),
              cl::value_desc("tier"), tool::ours);
static cl::opt<bool>
    noOverlap("no-overlap",
              cl::desc("Make each transfer where it starts, and "
                       "nothing beside it"),
              tool::ours);
static cl::opt<bool>
    pace("pace",
         cl::desc("Hold transfers to the bandwidth and latency that "
                  "the hierarchy states for the slower tier, and messages "
                  "between ranks to those of its topology"),
         tool::ours);

std::string pebble::getSlowDir() { return getRankPath(slowDir); }

bool pebble::hasOverlap() { return !noOverlap; }

bool pebble::isPaced() { return pace; }

/// Says what --pace cannot hold.
static void warnOfPace(bool hasSlowTier) {
  if (!pace || getRanks().rank != 0)
    return;
  if (getSentBytes() && getLinkNames().empty())
    llvm::errs() << "pebble-run: warning: --pace: messages go as fast as they "
                    "can, for the machine has no topology\n";
  else if (!getSentBytes() && !hasSlowTier)
    llvm::errs() << "pebble-run: warning: --pace holds nothing: the machine "
                    "has no tier slower than the compute tier, and the "
                    "program sends no messages\n";
}

llvm::Error pebble::addTiers(ModuleOp module) {
  pebble_rt_set_slow_dir(getSlowDir().c_str());
  pebble_rt_set_overlap(!noOverlap);
  HierarchyAttr hierarchy = lookupHierarchy(module);
  connectLinks(hierarchy, pace);
  std::set<std::string> left(fileTiers.begin(), fileTiers.end());
  if (!hierarchy)
    pebble_rt_add_tier("default", PEBBLE_RT_UNBOUNDED, PEBBLE_RT_MEMORY);
  bool hasCompute = false, hasSlow = false;
  for (TierAttr tier :
       hierarchy ? hierarchy.getTiers() : ArrayRef<TierAttr>()) {
    bool isExplicit = tier.getKind() == TierKind::Explicit;
    bool isSlow = isExplicit && hasCompute;
    hasSlow |= isSlow;
    bool isNamed = isSlow && left.erase(tier.getName().str());
    bool isFile = isSlow && !slowDir.empty() && (fileTiers.empty() || isNamed);
    int32_t number =
        pebble_rt_add_tier(tier.getName().str().c_str(), tier.getCapacity(),
                           isFile ? PEBBLE_RT_FILE : PEBBLE_RT_MEMORY);
    if (isSlow && pace)
      pebble_rt_set_pace(number, tier.getBandwidth(), tier.getLatency());
    if (isExplicit && !hasCompute) {
      pebble_rt_set_compute_tier(number);
      hasCompute = true;
    }
  }
  warnOfPace(hasSlow);
  if (!left.empty())
    return llvm::createStringError("--file-tier=" + *left.begin() +
                                   ": no explicit tier behind the compute "
                                   "tier is called so");
  if (!fileTiers.empty() && slowDir.empty())
    return llvm::createStringError("--file-tier needs --slow-dir");
  return llvm::Error::success();
}

llvm::Error pebble::reserveBlocks(const Prediction &prediction) {
  for (const auto &[name, bytes] : prediction.extent) {
    std::pair<int32_t, int64_t> request = {0, bytes};
    while (request.first < pebble_rt_tier_count() &&
           name != pebble_rt_tier_name(request.first))
      ++request.first;
    if (pebble_rt_call(
            [](void *argument) {
              auto *r = static_cast<std::pair<int32_t, int64_t> *>(argument);
              pebble_rt_reserve(r->first, r->second);
            },
            &request))
      return llvm::createStringError(pebble_rt_error());
  }
  return llvm::Error::success();
}

namespace {
/// Who interrupts the run is not to be left with files. LLVM's handler lets a
/// second signal end the process at once, and signals come in pairs: `timeout`
/// sends one to the process and one to its group. So the files go first, and
/// then LLVM has its turn.
class FilesEnd {
public:
  static void install() {
    llvm::sys::SetInterruptFunction([] { _exit(130); });
    struct sigaction action = {};
    action.sa_handler = handle;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < std::size(kSignals); ++i)
      sigaction(kSignals[i], &action, &before[i]);
  }

private:
  static constexpr int kSignals[] = {SIGHUP, SIGINT, SIGTERM};
  static inline struct sigaction before[std::size(kSignals)];
  static inline std::atomic<bool> isEnding{false};

  static void handle(int signal) {
    // Another thread is at it.
    if (isEnding.exchange(true))
      return;
    pebble_rt_remove_files();
    for (size_t i = 0; i < std::size(kSignals); ++i)
      sigaction(kSignals[i], &before[i], nullptr);
    std::raise(signal);
  }
};
} // namespace

llvm::Error pebble::checkFiles(const Prediction &prediction) {
  int64_t needed = 0;
  bool hasFiles = !slowDir.empty();
  for (int32_t i = 0; i < pebble_rt_tier_count(); ++i)
    if (pebble_rt_tier_backing(i) == PEBBLE_RT_FILE) {
      hasFiles = true;
      needed += getBytesOf(prediction.peak, pebble_rt_tier_name(i));
    }
  if (!hasFiles)
    return llvm::Error::success();
  FilesEnd::install();
  if (pebble_rt_open_slow_dir())
    return llvm::createStringError(Twine("--slow-dir: ") + pebble_rt_error());
  int64_t room = pebble_rt_slow_dir_free_bytes();
  if (room >= 0 && needed > room)
    return llvm::createStringError("--slow-dir: the program keeps " +
                                   Twine(needed) +
                                   " bytes in files, and there is room for " +
                                   Twine(room) + " in " + slowDir);
  return llvm::Error::success();
}

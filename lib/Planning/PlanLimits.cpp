//===- PlanLimits.cpp - the limits of a planning pass ---------------------===//

#include "pebble/Planning/PlanLimits.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ManagedStatic.h"

using namespace mlir;

namespace pebble {

namespace {
struct PlanningCLOptions {
  llvm::cl::opt<std::string> memoryLimit{
      "memory-limit",
      llvm::cl::desc("bytes that the tables of searches may take (4GB)"),
      llvm::cl::value_desc("bytes, KB, MB, GB, KiB, MiB or GiB")};
};
} // namespace

static llvm::ManagedStatic<PlanningCLOptions> clOptions;

static PlanWatch *planWatch = nullptr;

void setPlanWatch(PlanWatch *watch) { planWatch = watch; }

PlanScope::PlanScope() {
  if (planWatch)
    planWatch->begin();
}

PlanScope::~PlanScope() {
  if (planWatch)
    planWatch->end();
}

void PlanScope::enter(StringRef what) const {
  if (planWatch)
    planWatch->enter(what);
}

void PlanScope::tell(StringRef line) const {
  if (planWatch)
    planWatch->tell(line);
}

double PlanScope::getSeconds() const {
  return std::chrono::duration<double>(graph::Limits::Clock::now() - begun)
      .count();
}

FailureOr<graph::Limits> getPlanLimits(Location loc, StringRef timeLimitMs,
                                       StringRef memoryLimit) {
  FailureOr<uint64_t> bytes = getTableBytes(loc, memoryLimit);
  if (failed(bytes))
    return failure();
  graph::Limits limits = graph::Limits::byDefault(*bytes);
  if (!timeLimitMs.empty()) {
    int64_t milliseconds = 0;
    if (timeLimitMs.getAsInteger(10, milliseconds) || milliseconds < 0)
      return emitError(loc)
             << "'time-limit-ms' takes a whole number from 0 to "
             << std::numeric_limits<int64_t>::max() << ", got " << timeLimitMs;
    limits = graph::Limits(milliseconds, *bytes);
  }
  if (planWatch)
    limits =
        limits.observedBy(planWatch).interruptedBy(planWatch->getInterrupt());
  return limits;
}

void registerPlanningCLOptions(llvm::cl::OptionCategory *category) {
  if (category)
    clOptions->memoryLimit.addCategory(*category);
  else
    (void)*clOptions;
}

FailureOr<uint64_t> getTableBytes(Location loc, StringRef ofPass) {
  std::string text = ofPass.str();
  if (text.empty() && clOptions.isConstructed())
    text = clOptions->memoryLimit;
  if (text.empty())
    return graph::Limits::kTableBytes;
  std::optional<uint64_t> bytes = graph::parseBytes(text);
  if (!bytes || *bytes == 0)
    return emitError(loc) << "memory-limit is a number of bytes above 0, with "
                             "KB, MB, GB, KiB, MiB or GiB behind it or not, "
                             "and not '"
                          << text << "'";
  return *bytes;
}

} // namespace pebble

//===- RankFiles.cpp - files that are of all ranks ------------------------===//

#include "RankFiles.h"

#include "OutputFiles.h"
#include "RunTrace.h"
#include "Tiers.h"
#include "ToolOptions.h"

#include "pebble/Analysis/IntegerOption.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace pebble;
namespace cl = llvm::cl;

static cl::opt<std::string>
    summaryFile("summary",
                cl::desc("File for what all ranks took, which rank 0 writes; "
                         "all ranks must have it"),
                tool::ours);
static cl::opt<std::string>
    traceFile("trace",
              cl::desc("File for the timeline that the meter saw, in "
                       "the Chrome trace format: one of all ranks, or of one "
                       "where %r in the name is the rank"),
              tool::ours);
static IntegerOption<int64_t, 1, 1 << 30>
    traceLimit("trace-limit",
               cl::desc("Events that a trace has at most; what comes later is "
                        "counted and left out"),
               cl::init(1 << 20), tool::ours);

/// Of several ranks, one trace of all of them.
static bool isTraceOfAll() {
  return hasTrace() && getRanks().count > 1 &&
         !llvm::StringRef(traceFile).contains("%r");
}

bool pebble::writesOfAllRanks() {
  return isTraceOfAll() || (!summaryFile.empty() && getRanks().count > 1);
}

llvm::Error pebble::checkFilesOfAllRanks() {
  if (llvm::StringRef(summaryFile).contains("%r"))
    return llvm::createStringError("--summary=" + summaryFile +
                                   ": %r has no place in its name: it is one "
                                   "file of all ranks, and rank 0 writes it");
  if (getSentBytes() || !writesOfAllRanks())
    return llvm::Error::success();
  if (!summaryFile.empty())
    return llvm::createStringError("--summary=" + summaryFile +
                                   ": the program sends no messages, and has "
                                   "nothing to sum up");
  return llvm::createStringError("--trace=" + traceFile +
                                 ": the program sends no messages, so there "
                                 "is no trace of all ranks; a trace of each "
                                 "has %r in its name");
}

llvm::Error pebble::checkRankOptions(int64_t repeat, HierarchyAttr hierarchy,
                                     llvm::ArrayRef<OutputName> own) {
  if (!getSentBytes() || getRanks().count == 1)
    return llvm::Error::success();
  std::string topology;
  llvm::raw_string_ostream os(topology);
  if (hierarchy && hierarchy.getTopology())
    os << hierarchy.getTopology();
  const std::pair<const char *, int64_t> together[] = {
      {"--summary", !summaryFile.empty()},
      {"--trace without %r in its name", isTraceOfAll()},
      {"--pace", isPaced()},
      {"--repeat", repeat},
      {"the topology", static_cast<int64_t>(llvm::xxh3_64bits(topology))}};
  for (const auto &[option, number] : together)
    if (llvm::Error error = checkAlike(option, number))
      return error;
  for (const OutputName &name : own)
    if (llvm::Error error = checkApart(name))
      return error;
  return llvm::Error::success();
}

std::vector<OutputName> pebble::getRankFiles() {
  const bool isFirst = getRanks().rank == 0;
  return {{"trace", isFirst || !isTraceOfAll() ? getTraceFile() : ""},
          {"summary", isFirst ? summaryFile.getValue() : ""}};
}

bool pebble::hasTrace() { return !traceFile.empty(); }

std::string pebble::getTraceFile() { return getRankPath(traceFile); }

int64_t pebble::getTraceLimit() { return traceLimit; }

llvm::Error pebble::writeTrace(const std::vector<std::string> &operations) {
  std::string text;
  llvm::raw_string_ostream own(text);
  const int64_t dropped = writeRunTrace(own, operations);
  std::vector<std::string> all{text};
  if (isTraceOfAll())
    all = gatherTexts(text);
  if (!all.empty())
    if (llvm::Error error =
            writeOutputFile(getTraceFile(), [&](llvm::raw_ostream &os) {
              joinTraces(os, all);
            }))
      return error;
  if (dropped)
    llvm::errs() << "pebble-run: warning: the trace ends before the run: "
                 << dropped << " events are not in it; --trace-limit="
                 << traceLimit + dropped << " has room for all\n";
  return llvm::Error::success();
}

llvm::Error pebble::writeSummary(const Times &times, const std::string &compute,
                                 const Prediction &prediction) {
  if (summaryFile.empty())
    return llvm::Error::success();
  if (getRanks().rank == 0)
    return writeOutputFile(summaryFile, [&](llvm::raw_ostream &os) {
      writeRanksReport(&os, times, compute, prediction);
    });
  writeRanksReport(nullptr, times, compute, prediction);
  return llvm::Error::success();
}

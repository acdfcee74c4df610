//===- CommandLine.cpp - what a tool's user says of the program -----------===//

#include "pebble/Analysis/CommandLine.h"

#include "pebble/Analysis/ProgramContext.h"
#include "pebble/Target/CostProfile.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace pebble {

namespace {
/// Ends the process, as LLVM does for a number that is none.
void checkSize(int64_t size) {
  if (size >= 1)
    return;
  llvm::errs() << "error: --pebble-dim-bound must be at least 1\n";
  std::exit(1);
}

struct AnalysisCLOptions {
  llvm::cl::list<std::string> pure{
      "pebble-pure",
      llvm::cl::desc("Take unregistered ops of this dialect, or of this name, "
                     "as free of effects (repeatable)"),
      llvm::cl::value_desc("name")};
  llvm::cl::opt<int64_t> dimBound{
      "pebble-dim-bound",
      llvm::cl::desc("Size taken for every dynamic dimension"),
      llvm::cl::value_desc("elements"), llvm::cl::init(0),
      llvm::cl::cb<void, int64_t>(checkSize)};
  llvm::cl::opt<std::string> costs{
      "pebble-costs",
      llvm::cl::desc("Measured costs, as pebble-run --profile writes them"),
      llvm::cl::value_desc("file")};
};
} // namespace

static llvm::ManagedStatic<AnalysisCLOptions> clOptions;

void registerAnalysisCLOptions(llvm::cl::OptionCategory *category) {
  AnalysisCLOptions &options = *clOptions;
  if (!category)
    return;
  options.pure.addCategory(*category);
  options.dimBound.addCategory(*category);
  options.costs.addCategory(*category);
}

void setDynamicDimBound(int64_t size) { clOptions->dimBound.setValue(size); }

AnalysisOptions AnalysisOptions::getDefault() {
  AnalysisOptions options;
  if (!clOptions.isConstructed())
    return options;
  for (const std::string &name : clOptions->pure)
    options.pure.insert(name);
  if (clOptions->dimBound > 0)
    options.dynamicDimBound = clOptions->dimBound;
  options.costsFile = clOptions->costs;
  return options;
}

llvm::LogicalResult AnalysisOptions::readCosts(mlir::Location loc) {
  if (costsFile.empty() || costs)
    return llvm::success();
  auto read = pebble::readCosts(costsFile, loc);
  if (failed(read))
    return llvm::failure();
  costs = std::move(*read);
  return llvm::success();
}

} // namespace pebble

//===- CommandLine.cpp - what a tool's user says of the program -----------===//

#include "pebble/Analysis/CommandLine.h"

#include "pebble/Analysis/ProgramContext.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ManagedStatic.h"

namespace pebble {

namespace {
struct AnalysisCLOptions {
  llvm::cl::list<std::string> pure{
      "pebble-pure",
      llvm::cl::desc("Take unregistered ops of this dialect, or of this name, "
                     "as free of effects (repeatable)"),
      llvm::cl::value_desc("name")};
  llvm::cl::opt<int64_t> dimBound{
      "pebble-dim-bound",
      llvm::cl::desc("Size taken for every dynamic dimension"),
      llvm::cl::value_desc("elements"), llvm::cl::init(0)};
};
} // namespace

static llvm::ManagedStatic<AnalysisCLOptions> clOptions;

void registerAnalysisCLOptions(llvm::cl::OptionCategory *category) {
  AnalysisCLOptions &options = *clOptions;
  if (!category)
    return;
  options.pure.addCategory(*category);
  options.dimBound.addCategory(*category);
}

AnalysisOptions AnalysisOptions::getDefault() {
  AnalysisOptions options;
  if (!clOptions.isConstructed())
    return options;
  for (const std::string &name : clOptions->pure)
    options.pure.insert(name);
  if (clOptions->dimBound > 0)
    options.dynamicDimBound = clOptions->dimBound;
  return options;
}

} // namespace pebble

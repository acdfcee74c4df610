//===- CommandLine.cpp - what a tool's user says of the program -----------===//

#include "pebble/Analysis/CommandLine.h"

#include "pebble/Analysis/IntegerOption.h"
#include "pebble/Analysis/ProgramContext.h"
#include "pebble/Target/CostProfile.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ManagedStatic.h"

namespace pebble {

/// Ours alone; in other compilers every name begins with "pebble-".
static llvm::cl::OptionCategory *toolCategory = nullptr;

static llvm::StringRef getName(llvm::StringRef name) {
  return toolCategory ? name.substr(sizeof("pebble-") - 1) : name;
}

namespace {
/// The old name of an option in our tools.
class OldName {
public:
  OldName(llvm::StringRef name, llvm::cl::Option &option) {
    if (!toolCategory)
      return;
    option.addCategory(*toolCategory);
    alias.emplace(name, llvm::cl::aliasopt(option), llvm::cl::Hidden,
                  llvm::cl::CommaSeparated);
  }

private:
  std::optional<llvm::cl::alias> alias;
};

struct AnalysisCLOptions {
  llvm::cl::list<std::string> pure{
      getName("pebble-pure"),
      llvm::cl::desc("Take unregistered ops of these dialects, of these names, "
                     "or custom calls of these targets, as free of effects "
                     "(repeatable)"),
      llvm::cl::value_desc("name,..."), llvm::cl::CommaSeparated};
  IntegerOption<int64_t, 1> dimBound{
      getName("pebble-dim-bound"),
      llvm::cl::desc("Size taken for every dynamic dimension"),
      llvm::cl::value_desc("elements"), llvm::cl::init(0)};
  OldName oldPure{"pebble-pure", pure};
  OldName oldDimBound{"pebble-dim-bound", dimBound};
};

struct CostsCLOption {
  llvm::cl::opt<std::string> costs{
      getName("pebble-costs"),
      llvm::cl::desc("Measured costs, as pebble-run --profile writes them"),
      llvm::cl::value_desc("file")};
  OldName oldCosts{"pebble-costs", costs};
};
} // namespace

static llvm::ManagedStatic<AnalysisCLOptions> clOptions;
static llvm::ManagedStatic<CostsCLOption> clCosts;

void registerAnalysisCLOptions(llvm::cl::OptionCategory *category) {
  toolCategory = category;
  (void)*clOptions;
}

void registerCostsCLOption(llvm::cl::OptionCategory *category) {
  toolCategory = category;
  (void)*clCosts;
}

void setDynamicDimBound(int64_t size) { clOptions->dimBound.setValue(size); }

AnalysisOptions AnalysisOptions::getDefault() {
  AnalysisOptions options;
  if (clCosts.isConstructed())
    options.costsFile = clCosts->costs;
  if (!clOptions.isConstructed())
    return options;
  for (const std::string &name : clOptions->pure)
    options.pure.insert(name);
  if (clOptions->dimBound > 0)
    options.dynamicDimBound = clOptions->dimBound;
  return options;
}

void warnOfUnmatchedPure(mlir::Operation *root) {
  if (!clOptions.isConstructed() || clOptions->pure.empty())
    return;
  llvm::StringSet<> names; // of unregistered ops and their dialects
  llvm::StringSet<> known; // of dialects with a table
  root->walk([&](mlir::Operation *op) {
    if (op->isRegistered())
      return;
    names.insert(op->getName().getStringRef());
    names.insert(op->getName().getDialectNamespace());
    names.insert(hlo::getCallTarget(op));
    if (hlo::isOfTable(op))
      known.insert(op->getName().getDialectNamespace());
  });
  for (const std::string &name : clOptions->pure)
    if (known.contains(name))
      mlir::emitWarning(root->getLoc(), "--")
          << getName("pebble-pure") << "=" << name
          << " is not needed: a table says what operations of " << name
          << " do. It takes custom calls and collectives as free of effects "
             "too";
    else if (!names.contains(name))
      mlir::emitWarning(root->getLoc(), "--")
          << getName("pebble-pure") << "=" << name
          << " matches nothing: no unregistered operation is of this dialect "
             "or name, or calls it";
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

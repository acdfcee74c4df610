//===- MutatePrograms.cpp - does the equivalence check let it pass? -------===//
//
// Makes random changes in a program, one at a time, and asks the equivalence
// check about each: @main against @main of the program that came in, and where
// the change lies in a block of structured control flow, or @main has one
// block, that block against its own past. Writes what any of them accepts into
// a folder, to be run, and tells for each change its kind and what was said.
//
//   mutate-programs FILE.mlir --count=100 --seed=1 --accepted=FOLDER [--calls]
//
// With --calls it asks the check that runs through calls, and no other.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "pebble/Analysis/CommandLine.h"
#include "pebble/InitAll.h"
#include "pebble/Planning/CallEquivalence.h"
#include "pebble/Planning/Equivalence.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

#include <optional>

using namespace mlir;
using namespace pebble;
namespace cl = llvm::cl;

static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("FILE.mlir..."));
static cl::opt<unsigned> count("count", cl::init(100),
                               cl::desc("Mutants of each file"));
static cl::opt<unsigned> seed("seed", cl::init(1), cl::desc("Seed"));
static cl::opt<std::string> folder("accepted", cl::Required,
                                   cl::desc("Folder for what is accepted"));

static cl::opt<bool> calls("calls", cl::desc("Run through calls"));

static FunctionOpInterface getMain(ModuleOp module) {
  return dyn_cast_or_null<FunctionOpInterface>(module.lookupSymbol("main"));
}

/// All ops that do something, in functions of any name.
static std::vector<Operation *> getPlaces(ModuleOp module) {
  std::vector<Operation *> places;
  module.walk([&](Operation *op) {
    if (op != module && !isa<FunctionOpInterface>(op))
      places.push_back(op);
  });
  return places;
}

static bool isProven(ModuleOp before, ModuleOp after) {
  ProgramContext context;
  FunctionOpInterface first = getMain(before), second = getMain(after);
  if (calls)
    return succeeded(checkCallEquivalence(cast<func::FuncOp>(*first),
                                          cast<func::FuncOp>(*second),
                                          context.getOptions()));
  return succeeded(checkEquivalence(first, second, context));
}

namespace {
struct Mutant {
  OwningOpRef<ModuleOp> module;
  std::string kind;
  /// What said that it is the same; empty if it is refused.
  std::string acceptedBy;
};
} // namespace

/// One mutant; none if it is no program.
static std::optional<Mutant> mutate(ModuleOp original, std::mt19937 &random) {
  Mutant mutant;
  mutant.module = original.clone();
  std::vector<Operation *> places = getPlaces(*mutant.module);
  const MutationKind &kind =
      getMutationKinds()[random() % getMutationKinds().size()];
  Operation *op = places[random() % places.size()];
  Block *block = op->getBlock();
  Operation *around = block->getParentOp();
  bool isInMain =
      op->getParentOfType<FunctionOpInterface>() == getMain(*mutant.module);
  mutant.kind = kind.name.str();
  if (!isInMain)
    mutant.kind += " in a callee or global";
  else if (around != getMain(*mutant.module))
    mutant.kind += " in a region";
  else if (!block->getParent()->hasOneBlock())
    mutant.kind += " in one of several blocks";

  // The blocks' own past: if one uses what another makes, all must agree.
  ProgramContext contextOfBlocks;
  std::vector<std::unique_ptr<EquivalenceChecker>> checkers;
  if (!calls && isInMain &&
      (isa<FunctionOpInterface>(around) ||
       around->getName().getDialectNamespace() == "scf"))
    for (Block &each : *block->getParent())
      checkers.push_back(
          std::make_unique<EquivalenceChecker>(each, contextOfBlocks));
  if (!kind.apply(op, random) || failed(verify(*mutant.module)))
    return std::nullopt;
  if (!checkers.empty() && llvm::all_of(checkers, [](auto &checker) {
        return succeeded(checker->verify());
      }))
    mutant.acceptedBy = "block";
  checkers.clear();
  if (isProven(original, *mutant.module))
    mutant.acceptedBy += mutant.acceptedBy.empty() ? "function" : "+function";
  return mutant;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  registerAnalysisCLOptions();
  cl::ParseCommandLineOptions(argc, argv, "mutants for the checkers\n");
  DialectRegistry registry;
  registerUpstream(registry);
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  for (const std::string &file : files) {
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
    if (!module || !getMain(*module)) {
      llvm::errs() << "error: " << file << " has no function @main\n";
      return 1;
    }
    {
      OwningOpRef<ModuleOp> copy = module->clone();
      if (!isProven(*module, *copy)) {
        llvm::errs() << "error: " << file << " is not the same as itself\n";
        return 1;
      }
    }
    ScopedDiagnosticHandler quiet(&context,
                                  [](Diagnostic &) { return success(); });
    std::mt19937 random(seed);
    StringRef stem = llvm::sys::path::stem(file);
    for (unsigned made = 0, tried = 0; made < count && tried < 30 * count;
         ++tried) {
      std::optional<Mutant> mutant = mutate(*module, random);
      if (!mutant)
        continue;
      std::string name = (stem + "-" + Twine(made++)).str();
      llvm::outs() << name << "\t" << mutant->kind << "\t"
                   << (mutant->acceptedBy.empty() ? "refused" : "accepted")
                   << "\t" << mutant->acceptedBy << "\n";
      if (mutant->acceptedBy.empty())
        continue;
      SmallString<128> path(folder);
      llvm::sys::path::append(path, name + ".mlir");
      std::error_code error;
      llvm::ToolOutputFile out(path, error, llvm::sys::fs::OF_None);
      if (error) {
        llvm::errs() << "error: " << path << ": " << error.message() << "\n";
        return 1;
      }
      mutant->module->print(out.os());
      out.keep();
    }
  }
  return 0;
}

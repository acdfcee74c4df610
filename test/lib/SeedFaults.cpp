//===- SeedFaults.cpp - are mistakes found? --------------------------------===//
//
// Makes mistakes in a planned program and in schedules of the program that it
// was made of, one at a time, and asks the checkers: MLIR's verifier with
// Pebble's rules, the equivalence check against the program before the mistake,
// pebble-verify-schedule, and for schedules verify(). Without a mistake all
// must be content; with one, at least one must object.
//
//   seed-faults BEFORE.mlir PLANNED.mlir [--most=N]
//
//===----------------------------------------------------------------------===//

#include "Faults.h"

#include "pebble/Analysis/DependenceGraph.h"
#include "pebble/InitAll.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Planning/Equivalence.h"
#include "pebble/Solver/Portfolio/LeastCost.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

#include <map>

using namespace mlir;
using namespace pebble;
namespace cl = llvm::cl;

static cl::opt<std::string> beforeFile(cl::Positional, cl::Required,
                                       cl::desc("BEFORE.mlir"));
static cl::opt<std::string> plannedFile(cl::Positional, cl::Required,
                                        cl::desc("PLANNED.mlir"));
static cl::opt<unsigned> most("most", cl::init(2),
                              cl::desc("Faults of each kind"));

namespace {
/// Says who found what.
class Tally {
public:
  void add(StringRef place, StringRef kind, StringRef judge,
           StringRef message) {
    ++(judge.empty() ? missed : found[judge.str()]);
    llvm::outs() << place << ", " << kind << ": "
                 << (judge.empty() ? StringRef("NOT FOUND") : judge);
    if (!message.empty())
      llvm::outs() << ": " << message;
    llvm::outs() << "\n";
  }

  int finish() const {
    unsigned total = missed;
    for (auto &[judge, count] : found)
      total += count;
    llvm::outs() << total << " faults, " << total - missed << " found";
    for (auto &[judge, count] : found)
      llvm::outs() << ", " << count << " by " << judge;
    llvm::outs() << "\n";
    return missed ? 1 : 0;
  }

private:
  std::map<std::string, unsigned> found;
  unsigned missed = 0;
};

func::FuncOp getFunction(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && function.getBody().hasOneBlock())
      return function;
  return {};
}

bool accepts(StringRef pass, ModuleOp module) {
  PassManager manager(module.getContext());
  std::string unused;
  llvm::raw_string_ostream os(unused);
  return succeeded(parsePassPipeline(pass, manager, os)) &&
         succeeded(manager.run(module));
}

/// The checker that objects, and its message; empty if none does.
std::pair<std::string, std::string>
judge(ModuleOp module,
      llvm::function_ref<void(const StorageAnalysis &)> change) {
  std::string message;
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (message.empty())
                                      message = diagnostic.str();
                                    return success();
                                  });
  ProgramContext context;
  StorageAnalysis storage(getFunction(module).getBody().front(), context);
  if (failed(storage.verify()))
    return {"the storage analysis", message};
  EquivalenceChecker checker(storage);
  change(storage);
  if (failed(mlir::verify(module)))
    return {"the verifier", message};
  if (failed(checker.verify()))
    return {"the equivalence check", message};
  // What the way down would accept is looked at first, and in a copy: it may
  // plan addresses again.
  OwningOpRef<ModuleOp> lowered = module.clone();
  if (!accepts("pebble-renew-addresses", *lowered))
    return {"pebble-renew-addresses", message};
  if (!accepts("pebble-verify-schedule", module))
    return {"pebble-verify-schedule", message};
  return {};
}

/// `count` places of all, spread evenly.
std::vector<size_t> spread(size_t all, size_t count) {
  std::vector<size_t> chosen;
  count = std::min(all, count);
  for (size_t i = 0; i < count; ++i)
    chosen.push_back(i * all / count);
  return chosen;
}
} // namespace

static LogicalResult seedProgramFaults(ModuleOp planned, Tally &tally) {
  auto [objector, message] = judge(planned, [](const StorageAnalysis &) {});
  if (!objector.empty())
    return planned.emitError()
           << "without a fault, " << objector << " objects: " << message;
  std::vector<ProgramFaultKind> kinds = getProgramFaults();
  llvm::append_range(kinds, getTransferFaults());
  llvm::append_range(kinds, getRegionFaults());
  llvm::append_range(kinds, getAddressFaults());
  for (const ProgramFaultKind &kind : kinds) {
    ProgramContext context;
    func::FuncOp function = getFunction(planned);
    StorageAnalysis storage(function.getBody().front(), context);
    size_t all = kind.find(function, storage).size();
    for (size_t index : spread(all, most)) {
      OwningOpRef<ModuleOp> copy = planned.clone();
      auto [objector, message] =
          judge(*copy, [&](const StorageAnalysis &storage) {
            kind.find(getFunction(*copy), storage)[index]();
          });
      tally.add("program", kind.name, objector, message);
    }
  }
  return success();
}

/// A schedule that recomputes if one is found: the peak is below that of every
/// order tried.
static LogicalResult seedScheduleFaults(ModuleOp before, Tally &tally) {
  ProgramContext context;
  StorageAnalysis storage(getFunction(before).getBody().front(), context);
  if (failed(storage.verify()))
    return failure();
  game::Problem problem = buildProblem(DependenceGraph(storage)).problem;
  graph::LeastCostOptions options;
  options.solver = "remat-greedy";
  game::Schedule schedule;
  int64_t budget =
      game::verify(problem,
                   game::scheduleOfOrder(problem, game::givenOrder(problem)))
          .peak[0];
  while (true) {
    options.budget = budget;
    game::Schedule next = graph::leastCost(problem, options);
    if (next.moves.empty())
      break;
    schedule = next;
    budget = next.peak - 1;
  }
  game::Replay replay = game::verify(problem, schedule.moves, schedule.peak);
  if (!replay.verdict.ok())
    return before.emitError()
           << "without a fault, verify() objects: " << replay.verdict.message;
  for (const ScheduleFaultKind &kind : getScheduleFaults()) {
    auto wrong = kind.find(problem, schedule.moves, schedule.peak);
    for (size_t index : spread(wrong.size(), most)) {
      game::Verdict verdict =
          game::verify(problem, wrong[index].first, wrong[index].second)
              .verdict;
      tally.add("schedule", kind.name, verdict.ok() ? "" : "verify()",
                verdict.rule + " " + verdict.message);
    }
  }
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  registerAllPasses();
  cl::ParseCommandLineOptions(argc, argv, "makes mistakes for the checkers\n");
  DialectRegistry registry;
  registerUpstream(registry);
  registerAllDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> before =
      parseSourceFile<ModuleOp>(beforeFile, &context);
  OwningOpRef<ModuleOp> planned =
      parseSourceFile<ModuleOp>(plannedFile, &context);
  if (!before || !planned || !getFunction(*before) || !getFunction(*planned)) {
    llvm::errs() << "error: each file needs a function of one block\n";
    return 1;
  }
  Tally tally;
  if (failed(seedProgramFaults(*planned, tally)) ||
      failed(seedScheduleFaults(*before, tally)))
    return 1;
  return tally.finish();
}

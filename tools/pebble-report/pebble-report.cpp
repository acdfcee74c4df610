//===- pebble-report.cpp - what a program costs, for people ---------------===//
//
// Reads one program, or one before and one after, and writes what the analyses
// know: a table, or JSON with `--json`; with `-o DIR` a picture and a trace as
// well. Every function with a body is reported as it stands. With `--sweep` it
// searches instead: what would the function cost within which budget?
//
//===----------------------------------------------------------------------===//

#include "InputText.h"
#include "PrettyForm.h"
#include "Sweep.h"
#include "ToolOptions.h"
#include "ToolWatch.h"

#include "pebble/Analysis/CommandLine.h"
#include "pebble/Analysis/IntegerOption.h"
#include "pebble/Analysis/ValueNames.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/ProgramNames.h"
#include "pebble/InitAll.h"
#include "pebble/Planning/PlanLimits.h"
#include "pebble/Report/Formats.h"
#include "pebble/Report/Picture.h"
#include "pebble/Report/Trace.h"
#include "pebble/Solver/Graph/Budget.h"
#include "pebble/Target/OutputFile.h"
#include "pebble/Target/TargetHierarchy.h"
#include "pebble/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace pebble;
namespace cl = llvm::cl;

namespace {
cl::OptionCategory &category = tool::getCategory();
cl::list<std::string> inputs(cl::Positional, cl::OneOrMore,
                             cl::desc("FILE.mlir, or BEFORE.mlir AFTER.mlir"),
                             cl::cat(category));
cl::opt<std::string> functionName("function",
                                  cl::desc("Report this function alone"),
                                  cl::cat(category));
cl::opt<CacheModel> cacheModel(
    "cache-model", cl::desc("How caches are priced"),
    cl::values(clEnumValN(CacheModel::Lru, "lru", "true LRU per access"),
               clEnumValN(CacheModel::Sutro, "sutro",
                          "the published experiment's bookkeeping")),
    cl::init(CacheModel::Lru), cl::cat(category));
cl::opt<bool> countOrders("count-orders",
                          cl::desc("Count the orders that keep the meaning"),
                          cl::cat(category));
cl::opt<bool> json("json", cl::desc("Write JSON instead of a table"),
                   cl::cat(category));

IntegerOption<int64_t, 0>
    calls("calls", cl::desc("Account for N calls in a loop as well"),
          cl::value_desc("N"), cl::init(0), cl::cat(category));
cl::opt<std::string>
    outputDir("o",
              cl::desc("Write a picture and a trace of each function into DIR"),
              cl::value_desc("DIR"), cl::cat(category));
cl::opt<std::string>
    budget("budget",
           cl::desc("Draw this budget into the pictures: 7000000, 7MiB, or 50% "
                    "of the peak (of the first program)"),
           cl::value_desc("bytes|percent"), cl::cat(category));
cl::alias budgetBytes("budget-bytes", cl::aliasopt(budget), cl::Hidden);

cl::opt<bool> sweep("sweep",
                    cl::desc("Show the least cost over budgets instead, where "
                             "operations may run again"),
                    cl::cat(category));
IntegerOption<int64_t, 2, 10000>
    sweepPoints("sweep-points", cl::desc("How many budgets at most"),
                cl::init(40), cl::cat(category));
cl::opt<ScheduleObjective> objective(
    "objective", cl::desc("What a sweep minimises"),
    cl::values(clEnumValN(ScheduleObjective::Recompute, "recompute",
                          "pebble.cost, or arithmetic operations"),
               clEnumValN(ScheduleObjective::Energy, "energy", "femtojoules"),
               clEnumValN(ScheduleObjective::Time, "time", "nanoseconds")),
    cl::init(ScheduleObjective::Recompute), cl::cat(category));
cl::opt<std::string>
    timeLimitMs("time-limit-ms",
                cl::desc("For a sweep (0: no limit; default: what it takes, at "
                         "most 60 s)"),
                cl::cat(category));
cl::opt<bool> progress("progress",
                       cl::desc("Show on stderr what searches have found so "
                                "far, also where that is no terminal"),
                       cl::cat(category));

/// The reports of a module's functions, in the order in which they stand.
struct ModuleReport {
  std::vector<FunctionReport> functions;
  const FunctionReport *find(StringRef name) const {
    for (const FunctionReport &report : functions)
      if (report.name == name)
        return &report;
    return nullptr;
  }
};
} // namespace

static LogicalResult reportModule(ModuleOp module, ModuleReport &result) {
  AnalysisOptions analysis = AnalysisOptions::getDefault();
  if (mlir::failed(analysis.readCosts(module.getLoc())))
    return failure();
  ProgramContext context(std::move(analysis));
  bool failed = false, found = false;
  module.walk([&](FunctionOpInterface function) {
    if (!functionName.empty() && getProgramName(function) != functionName)
      return;
    found = true;
    if (function.isExternal())
      return;
    ReportOptions reportOptions;
    reportOptions.cacheModel = cacheModel;
    reportOptions.countOrders = countOrders;
    reportOptions.calls = calls;
    FailureOr<HierarchyAttr> hierarchy = getHierarchy(function);
    if (mlir::failed(hierarchy)) {
      failed = true;
      return;
    }
    reportOptions.hierarchy = *hierarchy;
    FailureOr<FunctionReport> report =
        reportFunction(function, context, reportOptions);
    if (mlir::failed(report)) {
      failed = true;
      return;
    }
    result.functions.push_back(std::move(*report));
  });
  if (!functionName.empty() && !found)
    return module.emitError()
           << "no function is named '" << functionName << "'";
  return success(!failed);
}

/// Brings `module` to the form that passes plan, in which operations have the
/// memory that they need inside beside them: a plan is in it, and what it was
/// planned from often is not.
static LogicalResult bringToPlannedForm(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(createDecomposePass());
  passes.addPass(createMaterializeStoragePass());
  return passes.run(module);
}

static void writeJson(const std::vector<ModuleReport> &modules) {
  llvm::json::OStream out(llvm::outs(), /*IndentSize=*/2);
  out.objectBegin();
  for (const FunctionReport &last : modules.back().functions) {
    const FunctionReport *first = modules.front().find(last.name);
    if (!first)
      continue;
    out.attributeBegin(last.name);
    if (modules.size() == 1)
      pebble::writeJson(out, last);
    else
      pebble::writeJson(out, compareReports(*first, last));
    out.attributeEnd();
  }
  out.objectEnd();
  llvm::outs() << "\n";
}

static void writeTables(const std::vector<ModuleReport> &modules) {
  bool isFirst = true;
  for (const FunctionReport &last : modules.back().functions) {
    const FunctionReport *first = modules.front().find(last.name);
    if (!first)
      continue;
    if (!std::exchange(isFirst, false))
      llvm::outs() << "\n";
    if (modules.size() == 1)
      printTable(llvm::outs(), last);
    else
      printTable(llvm::outs(), compareReports(*first, last));
  }
}

/// Has DIR/NAME written.
static LogicalResult
writeFile(const std::string &name,
          llvm::function_ref<void(llvm::raw_ostream &)> write) {
  llvm::SmallString<128> path(outputDir);
  llvm::sys::path::append(path, name);
  std::string text;
  llvm::raw_string_ostream all(text);
  write(all);
  const std::string error = writeWholeFile(path.str().str(), text);
  if (!error.empty())
    llvm::errs() << "pebble-report: error: cannot write '" << path
                 << "': " << error << "\n";
  return success(error.empty());
}

static LogicalResult makeOutputDir() {
  std::error_code code = llvm::sys::fs::create_directories(outputDir);
  if (code)
    llvm::errs() << "pebble-report: error: cannot make '" << outputDir
                 << "': " << code.message() << "\n";
  return failure(static_cast<bool>(code));
}

/// In `written` are then the names of the pictures.
static LogicalResult writePictures(const std::vector<ModuleReport> &modules,
                                   std::vector<std::string> &written) {
  if (failed(makeOutputDir()))
    return failure();
  PictureOptions options;
  llvm::StringSet<> taken;
  for (const FunctionReport &last : modules.back().functions) {
    const FunctionReport *first = modules.front().find(last.name);
    if (!first || (first->steps.empty() && last.steps.empty()))
      continue;
    std::string name = getFileName(last.name, taken);
    if (!budget.empty())
      options.budgetBytes =
          graph::parseBudget(budget)->of(first->getComputeTier().peakBytes);
    bool isPair = modules.size() > 1;
    auto draw = [&](llvm::raw_ostream &os) {
      if (isPair)
        writePicture(os, compareReports(*first, last), options);
      else
        writePicture(os, last, options);
    };
    auto traceLast = [&](llvm::raw_ostream &os) { writeTrace(os, last); };
    auto traceFirst = [&](llvm::raw_ostream &os) { writeTrace(os, *first); };
    if (failed(writeFile(name + ".svg", draw)) ||
        failed(writeFile(name + ".trace.json", traceLast)) ||
        (isPair && failed(writeFile(name + ".before.trace.json", traceFirst))))
      return failure();
    written.push_back(outputDir + "/" + name + ".svg");
  }
  return success();
}

/// Each function's curve, in place of its report.
static LogicalResult runSweep(ModuleOp module) {
  tool::ToolWatch watch("pebble-report", progress);
  setPlanWatch(&watch);
  SweepRequest request;
  request.objective = objective;
  request.cacheModel = cacheModel;
  request.points = static_cast<size_t>(sweepPoints);
  FailureOr<graph::Limits> limits =
      getPlanLimits(module->getLoc(), timeLimitMs, /*memoryLimit=*/"");
  if (failed(limits))
    return failure();
  request.limits = *limits;
  FailureOr<std::vector<FunctionSweep>> sweeps =
      sweepModule(module, request, [](FunctionOpInterface function) {
        std::string path = getProgramName(function);
        return functionName.empty() || path == functionName ? path : "";
      });
  if (failed(sweeps))
    return failure();
  if (!functionName.empty() && sweeps->empty())
    return module.emitError()
           << "no function is named '" << functionName << "'";
  if (!outputDir.empty()) {
    if (failed(makeOutputDir()))
      return failure();
    llvm::StringSet<> taken;
    for (const FunctionSweep &entry : *sweeps)
      if (failed(writeFile(
              getFileName(entry.name, taken) + ".sweep.svg",
              [&](llvm::raw_ostream &os) { os << drawSweep(entry); })))
        return failure();
  }
  if (json)
    printSweepJson(*sweeps);
  else
    printSweepTables(*sweeps);
  return success();
}

/// False, with a message, if the command line asks for what cannot be.
static bool checkOptions() {
  if (sweep && inputs.size() > 1) {
    llvm::errs() << "pebble-report: error: a sweep is of one file\n";
    return false;
  }
  if (!budget.empty()) {
    std::optional<graph::Budget> drawn = graph::parseBudget(budget);
    if (!drawn || drawn->isLeast()) {
      llvm::errs() << "pebble-report: error: '--budget' takes a whole number, "
                      "with KB, MB, GB, KiB, MiB or GiB behind it or not, or a "
                      "percentage as 50%, got "
                   << budget << "\n";
      return false;
    }
  }
  if (inputs.size() > 2) {
    llvm::errs() << "pebble-report: error: at most two files can be compared\n";
    return false;
  }
  return true;
}

/// Reads the program in `input`, and hands it to `use`, whose errors show the
/// lines of the file.
static LogicalResult
withProgram(const std::string &input, MLIRContext &context,
            llvm::function_ref<LogicalResult(ModuleOp)> use) {
  std::string error;
  tool::announceTerminal(input);
  auto file = openInputFile(input, &error);
  if (file)
    error = tool::prepareText(file);
  if (!error.empty()) {
    llvm::errs() << "pebble-report: error: " << error << "\n";
    return failure();
  }
  const llvm::StringRef text = file->getBuffer();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module) {
    llvm::errs() << tool::explainPrettyForm(text);
    return failure();
  }
  keepNames(*module, text);
  warnOfUnmatchedPure(*module);
  if (failed(tool::attachTarget(*module)))
    return failure();
  return use(*module);
}

/// Writes pictures, and tables or JSON. Fails if one cannot be written.
static LogicalResult writeReports(const std::vector<ModuleReport> &modules) {
  LogicalResult result = success();
  std::vector<std::string> pictures;
  if (!outputDir.empty())
    result = writePictures(modules, pictures);
  if (json) {
    writeJson(modules);
    return result;
  }
  writeTables(modules);
  for (const std::string &picture : pictures)
    llvm::outs() << "picture: " << picture << "\n";
  return result;
}

static LogicalResult run() {
  if (!checkOptions())
    return failure();
  DialectRegistry registry;
  registerUpstream(registry);
  registerAllDialects(registry);
  // One context for both, so that types and attributes can be compared.
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  std::vector<ModuleReport> modules;
  bool isWhole = true;
  auto report = [&](ModuleOp module) -> LogicalResult {
    if (sweep)
      return runSweep(module);
    if (inputs.size() > 1 && failed(bringToPlannedForm(module)))
      return failure();
    modules.emplace_back();
    isWhole &= succeeded(reportModule(module, modules.back()));
    return success();
  };
  for (const std::string &input : inputs)
    if (failed(withProgram(input, context, report)))
      return failure();
  if (sweep)
    return success();
  if (modules.size() > 1)
    for (FunctionReport &after : modules.back().functions)
      if (const FunctionReport *before = modules.front().find(after.name))
        adoptNames(*before, after);
  // JSON without a function would read like a program without one.
  if (json && !isWhole && modules.back().functions.empty())
    return failure();
  return success(succeeded(writeReports(modules)) && isWhole);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  registerAnalysisCLOptions(&category);
  registerCostsCLOption(&category);
  registerPlanningCLOptions(&category);
  tool::registerToolOptions("pebble-report");
  if (std::optional<int> status =
          tool::parseToolLine(argc, argv, "Shows what a program costs\n"))
    return *status;
  // Messages write functions so.
  if (llvm::StringRef name = functionName; name.consume_front("@"))
    functionName = name.str();
  return asMainReturnCode(run());
}

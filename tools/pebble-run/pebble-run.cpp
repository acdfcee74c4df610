//===- pebble-run.cpp - run a program and meter it ------------------------===//
//
// Lowers whatever is not lowered, compiles it in memory, runs the entry
// function on generated or given data, and writes down what the meter read
// beside what the analyses predicted. The program's own output goes to stdout
// untouched.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "CheckInverses.h"
#include "Entry.h"
#include "Fallback.h"
#include "Fit.h"
#include "HostMemory.h"
#include "InputText.h"
#include "Invocation.h"
#include "Jit.h"
#include "Links.h"
#include "OutputFiles.h"
#include "Predict.h"
#include "PrettyForm.h"
#include "Profile.h"
#include "RankFiles.h"
#include "Ranks.h"
#include "Repeat.h"
#include "Resume.h"
#include "RunReport.h"
#include "RunTrace.h"
#include "TargetCheck.h"
#include "Tiers.h"
#include "ToolOptions.h"

#include "pebble/Analysis/CommandLine.h"
#include "pebble/Analysis/IntegerOption.h"
#include "pebble/Analysis/ValueNames.h"
#include "pebble/Conversion/Passes.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Dialect/ProgramNames.h"
#include "pebble/InitAll.h"
#include "pebble/Pipelines/Pipelines.h"
#include "pebble/Planning/PlanLimits.h"
#include "pebble/Report/Units.h"
#include "pebble/Runtime/Runtime.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/SourceMgr.h"

#include <chrono>
#include <map>
#include <utility>

using namespace mlir;
using namespace pebble;
namespace cl = llvm::cl;

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE.mlir"),
                                      cl::init("-"), tool::ours);
static cl::opt<std::string>
    entryName("entry",
              cl::desc("Function to run, of a module inside as "
                       "MODULE::FUNCTION (default: main, else the only "
                       "public function with a body)"),
              tool::ours);
static IntegerOption<uint64_t, 0> seed("seed",
                                       cl::desc("Seed of generated arguments"),
                                       cl::init(0), tool::ours);
static cl::list<std::string>
    inputs("input", cl::desc("Data of argument K from a .npy file"),
           cl::value_desc("K:FILE.npy"), tool::ours);
static cl::opt<std::string>
    outputDir("output-dir",
              cl::desc("Directory for results, and for memref "
                       "arguments that are written, as .npy"),
              tool::ours);
static cl::opt<std::string>
    jsonFile("json",
             cl::desc("File for the report; %r in it is the process's rank"),
             tool::ours);
static IntegerOption<unsigned, 1, 1000000>
    repeat("repeat",
           cl::desc("Runs, each on arguments made anew or fed by the one "
                    "before (--feed); the report's times are those of the "
                    "fastest. Without --feed results that differ are an "
                    "error"),
           cl::init(1), tool::ours);
static cl::opt<std::string>
    cpu("cpu", cl::desc("CPU to compile for (default: the host's)"),
        tool::ours);
static IntegerOption<unsigned, 0, 3>
    optLevel("opt-level",
             cl::desc("How much LLVM optimises: 0 compiles fast, 3 runs fast"),
             cl::init(JitOptions().optLevel), tool::ours);
static cl::opt<std::string>
    profileFile("profile",
                cl::desc("File for measured costs: after the run, times each "
                         "operation and each tier by itself"),
                tool::ours);
static cl::opt<bool>
    quiet("quiet", cl::desc("Say nothing of what the run took"), tool::ours);
static cl::opt<bool>
    poison("poison", cl::desc("Fill fresh and freed buffers with a pattern"),
           tool::ours);

static cl::opt<bool> inverses(
    "check-inverses",
    cl::desc("Run no function, but each operation that says that it can be "
             "undone, and what undoes it, on random data, and compare"),
    tool::ours);

/// --threads. LLVM has an option of this name, of which it makes nothing here:
/// ours takes its place, before the line is parsed.
static IntegerOption<unsigned, 1> &getThreads() {
  static bool isFree = [] {
    if (cl::Option *other = cl::getRegisteredOptions().lookup("threads"))
      other->removeArgument();
    return true;
  }();
  (void)isFree;
  static IntegerOption<unsigned, 1> threads(
      "threads",
      cl::desc("Threads that the program runs on: 1, for code for more is not "
               "made; transfers have a thread of their own"),
      cl::init(1), tool::ours);
  return threads;
}

/// Reports an error that has no place in the source.
static int fail(const llvm::Twine &message) {
  llvm::errs() << "pebble-run: error: " << message << "\n";
  return 1;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

namespace {

/// One run: its values and its times.
struct Run {
  const Signature &signature;
  std::vector<HostValue> arguments;
  std::vector<HostValue> results;
  Times times;
};

} // namespace

/// Calls the compiled function on arguments made anew. The meter stays as the
/// run leaves it.
static llvm::Error call(Jit &jit, Run &run, const Arrays &arrays,
                        bool isTraced) {
  for (auto [i, slot] : llvm::enumerate(run.signature.arguments)) {
    auto found = arrays.find(i);
    auto value = makeArgument(slot, i, seed,
                              found == arrays.end() ? nullptr : &found->second);
    if (!value)
      return value.takeError();
    run.arguments.push_back(std::move(*value));
  }
  pebble_rt_reset_meter();
  resetLinks();
  Invocation invocation(run.signature, run.arguments);
  // Times of ranks are compared where all of them have to be here.
  if (writesOfAllRanks())
    meetRanks();
  if (isTraced) {
    pebble_rt_record(1, getTraceLimit());
    recordLinks(true, getTraceLimit());
  }
  auto start = std::chrono::steady_clock::now();
  bool isDone = invocation.run(jit.getEntry());
  run.times.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (!isDone)
    return llvm::createStringError(pebble_rt_error());
  run.times.transfers = static_cast<double>(pebble_rt_transfer_ns()) / 1e9;
  run.times.stalls = static_cast<double>(pebble_rt_stall_ns()) / 1e9;
  run.times.links = getLinkTimes();
  run.times.makespan = run.times.seconds;
  if (writesOfAllRanks())
    for (int64_t other : gatherNumbers(toNanoseconds(run.times.seconds)))
      run.times.makespan =
          std::max(run.times.makespan, static_cast<double>(other) / 1e9);
  run.results = invocation.getResults();
  return llvm::Error::success();
}

/// Reads back all results, then the memref arguments that the source writes.
static llvm::Error readResults(Run &run, std::string &digest) {
  llvm::SHA256 hash;
  auto take = [&](const Slot &slot, const HostValue &value,
                  const std::string &name) -> llvm::Error {
    llvm::Expected<NpyArray> array = readBack(slot, value);
    if (!array)
      return array.takeError();
    hash.update(llvm::ArrayRef<uint8_t>(
        reinterpret_cast<const uint8_t *>(array->bytes.data()),
        array->bytes.size()));
    if (outputDir.empty())
      return llvm::Error::success();
    return writeNpy(outputDir + "/" + name + ".npy", *array);
  };
  if (!outputDir.empty())
    if (std::error_code error = llvm::sys::fs::create_directories(outputDir))
      return llvm::createStringError(error, "cannot create " + outputDir);
  const Signature &signature = run.signature;
  for (size_t i = 0; i < run.results.size(); ++i)
    if (llvm::Error error = take(signature.results[i], run.results[i],
                                 "result" + std::to_string(i)))
      return error;
  for (size_t i = 0; i < run.arguments.size(); ++i)
    if (signature.arguments[i].written && !signature.arguments[i].donated)
      if (llvm::Error error = take(signature.arguments[i], run.arguments[i],
                                   "argument" + std::to_string(i)))
        return error;
  digest = llvm::toHex(hash.final(), /*LowerCase=*/true);
  return llvm::Error::success();
}

/// Frees what the caller owns: arguments that were not given away, and results,
/// each once. False, with the runtime's message, if something is left.
static bool release(Run &run) {
  auto free = [](HostValue &value) {
    if (pebble_rt_is_live(value.pointer()))
      pebble_rt_free(value.pointer());
  };
  for (auto [slot, value] : llvm::zip(run.signature.arguments, run.arguments))
    if (slot.isShaped() && !slot.donated)
      free(value);
  for (auto [slot, value] : llvm::zip(run.signature.results, run.results))
    if (slot.isShaped())
      free(value);
  return !pebble_rt_check_leaks();
}

//===----------------------------------------------------------------------===//
// After the run
//===----------------------------------------------------------------------===//

static int writeTo(const std::string &file,
                   llvm::function_ref<void(llvm::raw_ostream &)> write) {
  if (llvm::Error error = writeOutputFile(file, write))
    return fail(llvm::toString(std::move(error)));
  return 0;
}

static int writeProfile(ModuleOp module, const JitOptions &options,
                        const CostProfile *known) {
  int64_t live = 0; // at the peak, before the meter is reset
  for (int32_t i = 0; i < pebble_rt_tier_count(); ++i)
    if (pebble_rt_tier_backing(i) == PEBBLE_RT_MEMORY)
      live += pebble_rt_peak_bytes(i);
  auto profile = measure(module, options, live, known);
  if (!profile)
    return fail(llvm::toString(profile.takeError()));
  return writeTo(profileFile,
                 [&](llvm::raw_ostream &os) { os << profile->toJson(); });
}

/// --check-inverses
static int runInverses(ModuleOp module) {
  JitOptions options;
  options.cpu = cpu;
  options.optLevel = optLevel;
  loadRunnerLibraries();
  if (llvm::Error error = addTiers(module))
    return fail(llvm::toString(std::move(error)));
  pebble_rt_set_clear(1);
  unsigned checked = 0;
  if (failed(checkInverses(module, seed, options, checked)))
    return 1;
  if (!quiet)
    llvm::errs() << "pebble-run: " << checked
                 << (checked == 1 ? " operation is" : " operations are")
                 << " undone by what is said to undo "
                 << (checked == 1 ? "it\n" : "them\n");
  return 0;
}

/// The program with the machine that it is for; null after an error.
static OwningOpRef<ModuleOp> readProgram(llvm::SourceMgr &sources,
                                         MLIRContext &context) {
  tool::announceTerminal(inputFile);
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(inputFile);
  std::string error;
  if (!file)
    error = "cannot read " + inputFile + ": " + file.getError().message();
  else
    error = tool::prepareText(*file);
  if (!error.empty()) {
    fail(error);
    return nullptr;
  }
  const llvm::StringRef text = (*file)->getBuffer();
  sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    llvm::errs() << tool::explainPrettyForm(text);
  if (!module || failed(tool::attachTarget(*module)))
    return nullptr;
  keepNames(*module, text);
  warnOfUnmatchedPure(*module);
  return module;
}

namespace {

/// From a program to what is written when it has run. Each part says itself
/// what went wrong.
class Execution {
public:
  explicit Execution(OwningOpRef<ModuleOp> program)
      : module(std::move(program)), context(module->getContext()) {}

  LogicalResult run() {
    return success(succeeded(takeProgram()) && succeeded(predictRun()) &&
                   succeeded(openFiles()) && succeeded(compile()) &&
                   succeeded(runAll()) && succeeded(writeEnd()));
  }

private:
  /// Finds what runs, and on what.
  LogicalResult takeProgram() {
    entry = takeEntry(module, entryName);
    if (!entry)
      return failure();
    name = getProgramName(entry);
    auto read = readInputs(inputs, entry.getNumArguments());
    if (!read)
      return refuse(read.takeError());
    arrays = std::move(*read);
    identity = identifyRun(*module, entry.getName(), seed, describeRuns(repeat),
                           arrays);
    running = findScheduleFor(*module, entry, arrays);
    eraseUnreachable(*module, entry);
    loadRunnerLibraries();
    if (failed(loadMessages(*module)) ||
        failed(refuse(checkFilesOfAllRanks())) ||
        failed(refuse(checkRankOptions(repeat, lookupHierarchy(*module),
                                       {{"json", jsonFile},
                                        {"profile", profileFile},
                                        {"output-dir", outputDir}}))) ||
        failed(checkRanksAgree(*module)))
      return failure();
    FailureOr<Signature> known = Signature::get(entry);
    if (failed(known) || failed(checkExternals(*module)))
      return failure();
    signature = std::move(*known);
    compute = getComputeTierName(entry);
    // Not before a fallback has said for which sizes it is.
    analysis = AnalysisOptions::getDefault();
    return analysis.readCosts(FileLineColLoc::get(context, inputFile, 0, 0));
  }

  /// Gives values storage, and predicts what they take.
  LogicalResult predictRun() {
    PassManager storage(context);
    buildStoragePipeline(storage);
    if (failed(storage.run(*module)))
      return failure();
    if (isa<func::FuncOp>(entry)) {
      FailureOr<Prediction> known = predict(running, analysis, hasOverlap());
      if (failed(known))
        return failure();
      prediction = std::move(*known);
      snapshots = findSnapshots(running);
      misfit = findMisfit(running, analysis, prediction);
      signature->readOffsets(entry);
      entry->setAttr("llvm.emit_c_interface", UnitAttr::get(context));
    }
    return refuse(addTiers(*module));
  }

  /// The journal of earlier runs, and the files of slow tiers.
  LogicalResult openFiles() {
    llvm::Expected<std::vector<Feed>> feeds = readFeeds(*signature, repeat);
    if (!feeds)
      return refuse(feeds.takeError());
    runs.emplace(*signature, std::move(*feeds), repeat);
    if (llvm::Error error = runs->planSnapshots(snapshots))
      return refuse(std::move(error));
    if (llvm::Error error = openJournal(snapshots, *identity, repeat,
                                        runs->takesSnapshots(), prediction))
      return refuse(std::move(error));
    return refuse(checkFiles(prediction));
  }

  LogicalResult compile() {
    if (!profileFile.empty())
      asPlanned = module->clone();
    if (hasTrace()) {
      PassManager tracing(context);
      tracing.addPass(createTraceOperationsPass());
      if (failed(tracing.run(*module)))
        return failure();
      operations = getOperationNames(*module);
    }
    PassManager lowering(context);
    buildStorageToLLVMPipeline(lowering);
    if (failed(lowering.run(*module)) || failed(checkTargets(*module)))
      return failure();
    options.cpu = cpu;
    options.optLevel = optLevel;
    auto made = Jit::create(*module, {signature->name}, options);
    if (!made)
      return refuse(made.takeError());
    jit = std::move(*made);
    return success();
  }

  LogicalResult runAll() {
    if (prediction.seconds)
      warmUpMemory(prediction);
    if (llvm::Error error = reserveBlocks(prediction))
      return refuse(std::move(error));
    // What a program reads before it writes must not differ from run to run.
    pebble_rt_set_clear(1);
    pebble_rt_set_poison(poison);
    llvm::Expected<unsigned> done = runs->enter(arrays);
    if (!done)
      return refuse(done.takeError());
    for (unsigned number = *done + 1; number <= repeat; ++number)
      if (failed(runOnce(number, /*isFirst=*/number == *done + 1)))
        return failure();
    return success();
  }

  LogicalResult runOnce(unsigned number, bool isFirst) {
    const bool isLast = number == repeat;
    const bool isTraced = isLast && hasTrace();
    Run run = {*signature, {}, {}, {}};
    forgetSentBytes();
    if (llvm::Error error = call(*jit, run, arrays, isTraced)) {
      fail(llvm::toString(std::move(error)) +
           (isFirst ? std::string()
                    : " (in run " + std::to_string(number) + " of " +
                          std::to_string(repeat) + ")"));
      if (misfit)
        explainMisfit(*misfit);
      return failure();
    }
    if (isFirst || run.times.makespan < fastest.makespan)
      fastest = run.times;
    const std::string before = std::exchange(digest, {});
    if (llvm::Error error = readResults(run, digest))
      return refuse(std::move(error));
    if (!isFirst && !runs->isFed() && digest != before)
      return failure(
          fail("results differ from run to run: the program keeps a state"));
    if (llvm::Error error =
            runs->finish(number, run.arguments, run.results, arrays))
      return refuse(std::move(error));
    if (isLast && failed(writeLast()))
      return failure();
    if (isTraced && failed(refuse(writeTrace(operations))))
      return failure();
    return failure(!release(run) && fail(pebble_rt_error()));
  }

  /// What the last run took, while the meter stands as it left it.
  LogicalResult writeLast() {
    if (!quiet)
      llvm::errs() << "pebble-run: "
                   << summarizeRun(name, fastest, compute, prediction) << "\n"
                   << adviseSnapshots(snapshots);
    return failure(!jsonFile.empty() &&
                   writeTo(jsonFile, [&](llvm::raw_ostream &os) {
                     writeRunReport(os, fastest, digest, compute, prediction);
                   }));
  }

  LogicalResult writeEnd() {
    if (failed(refuse(writeSummary(fastest, compute, prediction))))
      return failure();
    if (asPlanned && writeProfile(*asPlanned, options, analysis.costs.get()))
      return failure();
    finishJournal();
    return success();
  }

  static LogicalResult refuse(llvm::Error error) {
    return failure(error && fail(llvm::toString(std::move(error))));
  }

  OwningOpRef<ModuleOp> module, asPlanned;
  MLIRContext *context;
  FunctionOpInterface entry, running;
  std::string name, compute;
  Arrays arrays;
  std::optional<RunIdentity> identity;
  std::optional<Signature> signature;
  AnalysisOptions analysis;
  Prediction prediction;
  SnapshotPlan snapshots;
  std::optional<Misfit> misfit;
  std::optional<RepeatedRuns> runs;
  std::vector<std::string> operations;
  JitOptions options;
  std::unique_ptr<Jit> jit;
  std::string digest;
  Times fastest;
};

} // namespace

/// False, with a message, if the command line asks for what cannot be.
static bool checkOptions() {
  jsonFile = getRankPath(jsonFile);
  profileFile = getRankPath(profileFile);
  outputDir = getRankPath(outputDir);
  std::vector<OutputName> names = getRankFiles();
  names.push_back({"json", jsonFile});
  names.push_back({"profile", profileFile});
  if (llvm::Error error = checkOutputFiles(names))
    return !fail(llvm::toString(std::move(error)));
  return true;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  keepFreedMemory();
  registerAnalysisCLOptions(&tool::getCategory());
  registerCostsCLOption(&tool::getCategory());
  registerPlanningCLOptions(&tool::getCategory());
  tool::registerToolOptions("pebble-run");
  getThreads();
  if (std::optional<int> status =
          tool::parseToolLine(argc, argv, "Runs a program and meters it\n"))
    return *status;
  if (!checkOptions())
    return 1;
  DialectRegistry registry;
  registerUpstream(registry);
  pebble::registerAllDialects(registry);
  registerAllToLLVMIRTranslations(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = readProgram(sources, context);
  if (!module)
    return 1;
  if (getThreads() > 1)
    return fail("--threads=" + llvm::Twine(getThreads().getValue()) +
                ": code for more than one thread is not made yet; transfers "
                "run on a thread of their own, without --no-overlap");
  if (inverses)
    return runInverses(*module);
  return failed(Execution(std::move(module)).run());
}

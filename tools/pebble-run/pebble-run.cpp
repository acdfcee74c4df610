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
#include "OutputFiles.h"
#include "Predict.h"
#include "PrettyForm.h"
#include "Profile.h"
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
#include "pebble/Runtime/Runtime.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/DynamicLibrary.h"
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

static const cl::cat ours(tool::getCategory());

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE.mlir"),
                                      cl::init("-"), ours);
static cl::opt<std::string>
    entryName("entry",
              cl::desc("Function to run, of a module inside as "
                       "MODULE::FUNCTION (default: main, else the only "
                       "public function with a body)"),
              ours);
static IntegerOption<uint64_t, 0>
    seed("seed", cl::desc("Seed of generated arguments"), cl::init(0), ours);
static cl::list<std::string>
    inputs("input", cl::desc("Data of argument K from a .npy file"),
           cl::value_desc("K:FILE.npy"), ours);
static cl::opt<std::string>
    outputDir("output-dir",
              cl::desc("Directory for results, and for memref "
                       "arguments that are written, as .npy"),
              ours);
static cl::opt<std::string>
    jsonFile("json",
             cl::desc("File for the report; %r in it is the process's rank"),
             ours);
static cl::opt<std::string>
    summaryFile("summary",
                cl::desc("File for what all ranks took, which rank 0 writes; "
                         "all ranks must have it"),
                ours);
static IntegerOption<unsigned, 1, 1000000>
    repeat("repeat",
           cl::desc("Runs, each on arguments made anew or fed by the one "
                    "before (--feed); the report's times are those of the "
                    "fastest. Without --feed results that differ are an "
                    "error"),
           cl::init(1), ours);
static cl::opt<std::string>
    traceFile("trace",
              cl::desc("File for the timeline that the meter saw, in "
                       "the Chrome trace format"),
              ours);
static IntegerOption<int64_t, 1, 1 << 30>
    traceLimit("trace-limit",
               cl::desc("Events that a trace has at most; what comes later is "
                        "counted and left out"),
               cl::init(1 << 20), ours);
static cl::opt<std::string>
    cpu("cpu", cl::desc("CPU to compile for (default: the host's)"), ours);
static IntegerOption<unsigned, 0, 3>
    optLevel("opt-level",
             cl::desc("How much LLVM optimises: 0 compiles fast, 3 runs fast"),
             cl::init(JitOptions().optLevel), ours);
static cl::opt<std::string>
    profileFile("profile",
                cl::desc("File for measured costs: after the run, times each "
                         "operation and each tier by itself"),
                ours);
static cl::opt<bool> quiet("quiet",
                           cl::desc("Say nothing of what the run took"), ours);
static cl::opt<bool>
    poison("poison", cl::desc("Fill fresh and freed buffers with a pattern"),
           ours);

static cl::opt<bool> inverses(
    "check-inverses",
    cl::desc("Run no function, but each operation that says that it can be "
             "undone, and what undoes it, on random data, and compare"),
    ours);

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
      cl::init(1), ours);
  return threads;
}

/// Reports an error that has no place in the source.
static int fail(const llvm::Twine &message) {
  llvm::errs() << "pebble-run: error: " << message << "\n";
  return 1;
}

//===----------------------------------------------------------------------===//
// Before the run
//===----------------------------------------------------------------------===//

/// Every function that is called and has no body must be in the process.
static LogicalResult checkExternals(ModuleOp module) {
  WalkResult result = module.walk([&](func::FuncOp func) {
    if (!func.isExternal())
      return WalkResult::advance();
    for (const std::string &name :
         {func.getName().str(), "_mlir_ciface_" + func.getName().str()})
      if (llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name))
        return WalkResult::advance();
    func.emitError("cannot run: function '")
        << func.getName() << "' has no body and is in no library";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// --input=K:FILE
static llvm::Expected<Arrays> readInputs(size_t count) {
  Arrays arrays;
  for (StringRef input : inputs) {
    auto [number, path] = input.split(':');
    unsigned index;
    if (number.getAsInteger(10, index) || path.empty() || index >= count)
      return llvm::createStringError("--input=" + input +
                                     ": wanted K:FILE.npy, K the number of an "
                                     "argument, of which there are " +
                                     std::to_string(count));
    if (arrays.count(index))
      return llvm::createStringError("--input=" + input + ": argument " +
                                     std::to_string(index) +
                                     " has a file already");
    auto array = readNpy(getRankPath(path));
    if (!array)
      return array.takeError();
    arrays[index] = std::move(*array);
  }
  return arrays;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

namespace {

/// One run: its values and its times.
struct Run {
  const Signature &signature;
  std::vector<pebble::Value> arguments;
  std::vector<pebble::Value> results;
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
  if (isTraced)
    pebble_rt_record(1, traceLimit);
  Invocation invocation(run.signature, run.arguments);
  auto start = std::chrono::steady_clock::now();
  bool isDone = invocation.run(jit.getEntry());
  run.times.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (!isDone)
    return llvm::createStringError(pebble_rt_error());
  run.times.transfers = static_cast<double>(pebble_rt_transfer_ns()) / 1e9;
  run.times.stalls = static_cast<double>(pebble_rt_stall_ns()) / 1e9;
  run.results = invocation.getResults();
  return llvm::Error::success();
}

/// Reads back all results, then the memref arguments that the source writes.
static llvm::Error readResults(Run &run, std::string &digest) {
  llvm::SHA256 hash;
  auto take = [&](const Slot &slot, const pebble::Value &value,
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
  auto free = [](pebble::Value &value) {
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

static int writeTrace(const std::vector<std::string> &operations) {
  int64_t dropped = 0;
  const int status = writeTo(traceFile, [&](llvm::raw_ostream &os) {
    dropped = writeRunTrace(os, operations);
  });
  if (dropped && !status)
    llvm::errs() << "pebble-run: warning: the trace ends before the run: "
                 << dropped << " events are not in it; --trace-limit="
                 << traceLimit + dropped << " has room for all\n";
  return status;
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

/// --summary.
static int writeSummary(const std::string &compute,
                        const Prediction &prediction) {
  if (!getSentBytes() && getRanks().count > 1)
    return fail("--summary=" + summaryFile +
                ": the program sends no messages, and has nothing to sum up");
  if (getRanks().rank == 0)
    return writeTo(summaryFile, [&](llvm::raw_ostream &os) {
      writeRanksReport(&os, compute, prediction);
    });
  writeRanksReport(nullptr, compute, prediction);
  return 0;
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

  jsonFile = getRankPath(jsonFile);
  outputDir = getRankPath(outputDir);
  for (const std::string &file :
       {jsonFile.getValue(), traceFile.getValue(), profileFile.getValue()})
    if (llvm::Error error = checkOutputFile(file))
      return fail(llvm::toString(std::move(error)));
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
  FunctionOpInterface entry = takeEntry(module, entryName);
  if (!entry)
    return 1;
  const std::string name = getProgramName(entry);
  auto arrays = readInputs(entry.getNumArguments());
  if (!arrays)
    return fail(llvm::toString(arrays.takeError()));
  const RunIdentity identity = identifyRun(*module, entry.getName(), seed,
                                           describeRuns(repeat), *arrays);
  FunctionOpInterface running = findScheduleFor(*module, entry, *arrays);
  eraseUnreachable(*module, entry);
  loadRunnerLibraries();
  if (failed(loadMessages(*module)) || failed(checkRanksAgree(*module)))
    return 1;
  FailureOr<Signature> signature = Signature::get(entry);
  if (failed(signature) || failed(checkExternals(*module)))
    return 1;
  std::string compute = getComputeTierName(entry);
  AnalysisOptions analysis = AnalysisOptions::getDefault();
  if (failed(
          analysis.readCosts(FileLineColLoc::get(&context, inputFile, 0, 0))))
    return 1;
  Prediction prediction;
  SnapshotPlan snapshots;
  std::optional<Misfit> misfit;
  PassManager storage(&context);
  buildStoragePipeline(storage);
  if (failed(storage.run(*module)))
    return 1;
  if (isa<func::FuncOp>(entry)) {
    FailureOr<Prediction> predicted = predict(running, analysis, hasOverlap());
    if (failed(predicted))
      return 1;
    prediction = std::move(*predicted);
    snapshots = findSnapshots(running);
    misfit = findMisfit(running, analysis, prediction);
    signature->readOffsets(entry);
    entry->setAttr("llvm.emit_c_interface", UnitAttr::get(&context));
  }
  if (llvm::Error error = addTiers(*module))
    return fail(llvm::toString(std::move(error)));
  llvm::Expected<std::vector<Feed>> feeds = readFeeds(*signature, repeat);
  if (!feeds)
    return fail(llvm::toString(feeds.takeError()));
  RepeatedRuns runs(*signature, std::move(*feeds), repeat);
  if (llvm::Error error = runs.planSnapshots(snapshots))
    return fail(llvm::toString(std::move(error)));
  if (llvm::Error error = openJournal(snapshots, identity, repeat,
                                      runs.takesSnapshots(), prediction))
    return fail(llvm::toString(std::move(error)));
  if (llvm::Error error = checkFiles(prediction))
    return fail(llvm::toString(std::move(error)));
  OwningOpRef<ModuleOp> asPlanned;
  if (!profileFile.empty())
    asPlanned = module->clone();
  std::vector<std::string> operations;
  if (!traceFile.empty()) {
    PassManager tracing(&context);
    tracing.addPass(createTraceOperationsPass());
    if (failed(tracing.run(*module)))
      return 1;
    operations = getOperationNames(*module);
  }
  PassManager lowering(&context);
  buildStorageToLLVMPipeline(lowering);
  if (failed(lowering.run(*module)))
    return 1;
  if (failed(checkTargets(*module)))
    return 1;
  JitOptions options;
  options.cpu = cpu;
  options.optLevel = optLevel;
  auto jit = Jit::create(*module, {signature->name}, options);
  if (!jit)
    return fail(llvm::toString(jit.takeError()));

  if (prediction.seconds)
    warmUpMemory(prediction);
  if (llvm::Error error = reserveBlocks(prediction))
    return fail(llvm::toString(std::move(error)));
  // What a program reads before it writes must not differ from run to run.
  pebble_rt_set_clear(1);
  pebble_rt_set_poison(poison);
  std::string digest;
  Times fastest;
  llvm::Expected<unsigned> done = runs.enter(*arrays);
  if (!done)
    return fail(llvm::toString(done.takeError()));
  for (unsigned number = *done + 1; number <= repeat; ++number) {
    const bool isFirst = number == *done + 1, isLast = number == repeat;
    Run run = {*signature, {}, {}, {}};
    forgetSentBytes();
    const bool isTraced = isLast && !traceFile.empty();
    if (llvm::Error error = call(**jit, run, *arrays, isTraced)) {
      fail(llvm::toString(std::move(error)) +
           (isFirst ? std::string()
                    : " (in run " + std::to_string(number) + " of " +
                          std::to_string(repeat) + ")"));
      if (misfit)
        explainMisfit(*misfit);
      return 1;
    }
    if (isFirst || run.times.seconds < fastest.seconds)
      fastest = run.times;
    const std::string before = std::exchange(digest, {});
    if (llvm::Error error = readResults(run, digest))
      return fail(llvm::toString(std::move(error)));
    if (!isFirst && !runs.isFed() && digest != before)
      return fail("results differ from run to run: the program keeps a state");
    if (llvm::Error error =
            runs.finish(number, run.arguments, run.results, *arrays))
      return fail(llvm::toString(std::move(error)));
    if (isLast && !quiet)
      llvm::errs() << "pebble-run: "
                   << summarizeRun(name, fastest, compute, prediction) << "\n"
                   << adviseSnapshots(snapshots);
    if (isLast && !jsonFile.empty() &&
        writeTo(jsonFile, [&](llvm::raw_ostream &os) {
          writeRunReport(os, fastest, digest, compute, prediction);
        }))
      return 1;
    if (isTraced && writeTrace(operations))
      return 1;
    if (!release(run))
      return fail(pebble_rt_error());
  }
  if (!summaryFile.empty() && writeSummary(compute, prediction))
    return 1;
  if (asPlanned && writeProfile(*asPlanned, options, analysis.costs.get()))
    return 1;
  finishJournal();
  return 0;
}

//===- pebble-opt.cpp - run Pebble passes on an MLIR file -----------------===//
//
// mlir-opt with habits of its own: dialects that nobody registered are allowed,
// because Pebble works on any dialect; `--target=NAME` attaches a machine
// before anything else runs; what is misspelt is told; and no error is followed
// by a whole module.
//
//===----------------------------------------------------------------------===//

#include "InputText.h"
#include "PassSpelling.h"
#include "PrettyForm.h"
#include "ShortNotes.h"
#include "ToolOptions.h"
#include "ToolWatch.h"

#include "pebble/Analysis/CommandLine.h"
#include "pebble/Analysis/ValueNames.h"
#include "pebble/InitAll.h"
#include "pebble/Planning/PlanLimits.h"
#include "pebble/Target/OutputFile.h"
#include "pebble/Transforms/Passes.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"

static llvm::cl::opt<bool>
    progress("progress",
             llvm::cl::desc("Show on stderr what searches have found so far, "
                            "also where that is no terminal"),
             llvm::cl::cat(pebble::tool::getCategory()));

static llvm::cl::opt<bool> quiet("quiet",
                                 llvm::cl::desc("Say nothing of plans that "
                                                "were found"),
                                 llvm::cl::cat(pebble::tool::getCategory()));

/// Upstream's options that every user needs.
static constexpr llvm::StringRef kShown[] = {
    "o", "pass-pipeline", "split-input-file", "verify-diagnostics",
    "remarks-filter"};

namespace {
/// Looks at the module that comes in, before its first pass.
class FirstLook : public mlir::PassInstrumentation {
public:
  FirstLook(llvm::StringRef text, std::string marker)
      : text(text), marker(std::move(marker)) {}

  void runBeforePass(mlir::Pass *, mlir::Operation *op) override {
    if (std::exchange(isDone, true))
      return;
    pebble::keepNamesOfSplit(op, text, marker);
    pebble::warnOfUnmatchedPure(op);
  }

private:
  llvm::StringRef text;
  std::string marker;
  bool isDone = false;
};
} // namespace

using namespace pebble;

static void registerOptions() {
  mlir::registerAllPasses();
  pebble::registerAllPasses();
  registerAnalysisCLOptions(&tool::getCategory());
  registerCostsCLOption(&tool::getCategory());
  registerPlanningCLOptions(&tool::getCategory());
  tool::registerToolOptions("pebble-opt");
}

static llvm::LogicalResult fail(llvm::StringRef error) {
  llvm::errs() << "pebble-opt: error: " << error << "\n";
  return mlir::failure();
}

/// --help: our options and passes. What upstream prints for it has some four
/// hundred passes; it is there as --help-hidden.
static void printHelp(const char *program) {
  char *alone[] = {const_cast<char *>(program)};
  mlir::parseCLIOptions(1, alone, "Plans programs over a memory hierarchy\n");
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (mlir::PassInfo::lookup(name))
      option->setHiddenFlag(llvm::cl::Hidden);
  tool::hideOthers(kShown);
  llvm::cl::PrintHelpMessage(/*Hidden=*/false, /*Categorized=*/true);
  tool::printPassHelp();
}

static bool asksFor(llvm::ArrayRef<const char *> line, llvm::StringRef option) {
  return llvm::any_of(line, [&](llvm::StringRef argument) {
    return argument.starts_with("-") && argument.ltrim('-') == option;
  });
}

/// The error on what is misspelt, if anything is.
static std::optional<std::string>
checkSpelling(llvm::ArrayRef<const char *> line) {
  std::vector<std::string> known = tool::getOwnOptions();
  known.insert(known.end(), std::begin(kShown), std::end(kShown));
  for (const std::string &pass : tool::getOwnPasses())
    known.push_back(pass);
  if (auto error = tool::findOptionOfPass(line))
    return error;
  return tool::findMisspelt(line, known);
}

/// Opens the output, has it written, and keeps it if that went well.
static llvm::LogicalResult writeOutput(
    llvm::StringRef name,
    llvm::function_ref<llvm::LogicalResult(llvm::raw_ostream &)> write) {
  OutputFile file(name.str());
  std::string error = file.open();
  if (!error.empty())
    return fail("cannot open output file '" + name.str() + "': " + error);
  if (!file.getTemporary().empty())
    llvm::sys::RemoveFileOnSignal(file.getTemporary());
  llvm::raw_fd_ostream os(file.getDescriptor(), /*shouldClose=*/false);
  const llvm::LogicalResult result = write(os);
  os.flush();
  if (os.has_error())
    error = os.error().message();
  os.clear_error();
  if (succeeded(result) && error.empty())
    error = file.keep();
  if (!error.empty())
    return fail("cannot write '" + name.str() + "': " + error);
  return result;
}

static llvm::LogicalResult runPasses(mlir::MlirOptMainConfig config,
                                     llvm::StringRef inputName,
                                     llvm::StringRef outputName,
                                     mlir::DialectRegistry &registry) {
  const bool showsOps = showOpsInParts();
  config.allowUnregisteredDialects(true);
  mlir::MlirOptMainConfig given = config;
  std::string error;
  tool::announceTerminal(inputName);
  std::unique_ptr<llvm::MemoryBuffer> input =
      mlir::openInputFile(inputName, &error);
  if (input)
    error = tool::prepareText(input);
  if (!error.empty())
    return fail(error);
  ShortNotes notes;
  config.setPassPipelineSetupFn([&](mlir::PassManager &passes) {
    if (showsOps && !given.shouldVerifyDiagnostics())
      notes.attach(passes.getContext());
    passes.addInstrumentation(std::make_unique<FirstLook>(
        input->getBuffer(), given.inputSplitMarker().str()));
    if (std::optional<std::string> target = tool::getTargetOption())
      passes.addPass(createAttachTargetPass({*target}));
    return given.setupPassPipeline(passes);
  });

  // After the handlers of LLVM, which an interrupt while nothing is planned,
  // and a second one, still reach.
  tool::ToolWatch watch("pebble-opt", progress, quiet);
  setPlanWatch(&watch);

  return writeOutput(outputName, [&](llvm::raw_ostream &os) {
    if (failed(mlir::MlirOptMain(os, llvm::MemoryBuffer::getMemBuffer(*input),
                                 registry, config))) {
      llvm::errs() << pebble::tool::explainPrettyForm(input->getBuffer());
      return mlir::failure();
    }
    return mlir::success();
  });
}

static llvm::LogicalResult runTool(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerUpstream(registry);
  registerAllDialects(registry);
  registerOptions();
  mlir::registerCLIOptions("Pebble optimizer driver\n", registry);
  llvm::ArrayRef<const char *> line(argv + 1, argc - 1);
  if (asksFor(line, "help") || asksFor(line, "h")) {
    printHelp(argv[0]);
    return mlir::success();
  }
  if (auto error = checkSpelling(line))
    return fail(*error);
  auto [inputName, outputName] =
      mlir::parseCLIOptions(argc, argv, "Pebble optimizer driver\n");
  if (auto error = tool::findMisspeltPass(line))
    return fail(*error);
  if (tool::listsTargets())
    return mlir::success();
  mlir::MlirOptMainConfig config =
      mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::MlirOptMain(argc, argv, inputName, outputName, registry);
  return runPasses(config, inputName, outputName, registry);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return mlir::asMainReturnCode(runTool(argc, argv));
}

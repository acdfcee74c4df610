//===- pebble-opt.cpp - run Pebble passes on an MLIR file -----------------===//
//
// mlir-opt with two habits of its own: dialects that nobody registered are
// allowed, because Pebble works on any dialect, and `--pebble-target=NAME`
// attaches a machine before anything else runs.
//
//===----------------------------------------------------------------------===//

#include "ToolWatch.h"

#include "pebble/Analysis/CommandLine.h"
#include "pebble/InitAll.h"
#include "pebble/Planning/PlanLimits.h"
#include "pebble/Transforms/Passes.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

static llvm::cl::opt<std::string> targetPreset(
    "pebble-target",
    llvm::cl::desc("attach the memory hierarchy of this machine first"),
    llvm::cl::value_desc("preset"));

static llvm::cl::opt<bool>
    progress("progress",
             llvm::cl::desc("show on stderr what searches have found so far, "
                            "also where that is no terminal"));

namespace {
/// Looks at the module that comes in, before its first pass.
struct PureCheck : mlir::PassInstrumentation {
  void runBeforePass(mlir::Pass *, mlir::Operation *op) override {
    if (!std::exchange(isDone, true))
      pebble::warnOfUnmatchedPure(op);
  }
  bool isDone = false;
};
} // namespace

static llvm::LogicalResult runTool(int argc, char **argv) {
  mlir::DialectRegistry registry;
  pebble::registerUpstream(registry);
  pebble::registerAllDialects(registry);
  mlir::registerAllPasses();
  pebble::registerAllPasses();
  pebble::registerAnalysisCLOptions();
  pebble::registerCostsCLOption();
  pebble::registerPlanningCLOptions();

  auto [inputName, outputName] = mlir::registerAndParseCLIOptions(
      argc, argv, "Pebble optimizer driver\n", registry);
  mlir::MlirOptMainConfig config =
      mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::MlirOptMain(argc, argv, inputName, outputName, registry);
  config.allowUnregisteredDialects(true);
  mlir::MlirOptMainConfig given = config;
  config.setPassPipelineSetupFn([given](mlir::PassManager &passes) {
    passes.addInstrumentation(std::make_unique<PureCheck>());
    if (!targetPreset.empty())
      passes.addPass(pebble::createAttachTargetPass({targetPreset}));
    return given.setupPassPipeline(passes);
  });

  // After the handlers of LLVM, which an interrupt while nothing is planned,
  // and a second one, still reach.
  pebble::tool::ToolWatch watch("pebble-opt", progress);
  pebble::setPlanWatch(&watch);

  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input =
      mlir::openInputFile(inputName, &error);
  if (!input) {
    llvm::errs() << error << "\n";
    return mlir::failure();
  }
  std::unique_ptr<llvm::ToolOutputFile> output =
      mlir::openOutputFile(outputName, &error);
  if (!output) {
    llvm::errs() << error << "\n";
    return mlir::failure();
  }
  if (failed(
          mlir::MlirOptMain(output->os(), std::move(input), registry, config)))
    return mlir::failure();
  output->keep();
  return mlir::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return mlir::asMainReturnCode(runTool(argc, argv));
}

//===- CompareFunctions.cpp - are two functions the same? -----------------===//
//
// Asks the equivalence check whether the functions named in two files compute
// the same. Prints "same", or the error and "different".
//
//   compare-functions BEFORE.mlir AFTER.mlir [--function=main]
//                     [--pebble-pure=DIALECT] [--calls]
//
// With --calls it asks the check that runs through calls.
//
//===----------------------------------------------------------------------===//

#include "pebble/Analysis/CommandLine.h"
#include "pebble/InitAll.h"
#include "pebble/Planning/CallEquivalence.h"
#include "pebble/Planning/Equivalence.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
namespace cl = llvm::cl;

static cl::opt<std::string> beforeFile(cl::Positional, cl::Required,
                                       cl::desc("BEFORE.mlir"));
static cl::opt<std::string> afterFile(cl::Positional, cl::Required,
                                      cl::desc("AFTER.mlir"));
static cl::opt<std::string> name("function", cl::init("main"),
                                 cl::desc("Name of the function"));

static cl::opt<bool> calls("calls", cl::desc("Run through calls"));

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  pebble::registerAnalysisCLOptions();
  cl::ParseCommandLineOptions(argc, argv, "compares two functions\n");
  DialectRegistry registry;
  pebble::registerUpstream(registry);
  pebble::registerAllDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context, llvm::outs());
  auto before = parseSourceFile<ModuleOp>(beforeFile, &context);
  auto after = parseSourceFile<ModuleOp>(afterFile, &context);
  Operation *first = before ? before->lookupSymbol(name) : nullptr;
  Operation *second = after ? after->lookupSymbol(name) : nullptr;
  if (!first || !second) {
    llvm::errs() << "error: no function @" << name << "\n";
    return 2;
  }
  pebble::ProgramContext program;
  LogicalResult checked =
      calls ? pebble::checkCallEquivalence(cast<func::FuncOp>(first),
                                           cast<func::FuncOp>(second),
                                           program.getOptions())
            : pebble::checkEquivalence(first, second, program);
  bool same = succeeded(checked);
  llvm::outs() << (same ? "same\n" : "different\n");
  return same ? 0 : 1;
}

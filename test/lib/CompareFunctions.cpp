//===- CompareFunctions.cpp - are two functions the same? -----------------===//
//
// Asks the equivalence check whether the functions named in two files compute
// the same. Prints "same", or the error and "different".
//
//   compare-functions BEFORE.mlir AFTER.mlir [--function=main]
//                     [--pebble-pure=DIALECT] [--calls]
//   compare-functions --itself FILE.mlir... [--pebble-pure=DIALECT] [--calls]
//
// With --calls it asks the check that runs through calls. With --itself it
// compares each function of each program with a copy, and says how many there
// were. What does not parse is left out.
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

static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("FILE.mlir..."));
static cl::opt<std::string> name("function", cl::init("main"),
                                 cl::desc("Name of the function"));

static cl::opt<bool> calls("calls", cl::desc("Run through calls"));

static cl::opt<bool> itself("itself", cl::desc("Compare programs with copies"));

static LogicalResult compare(Operation *before, Operation *after) {
  pebble::ProgramContext program;
  return calls ? pebble::checkCallEquivalence(cast<func::FuncOp>(before),
                                              cast<func::FuncOp>(after),
                                              program.getOptions())
               : pebble::checkEquivalence(before, after, program);
}

/// Compares each function of a program with its copy; the numbers of those
/// that are the same, and that are not.
static std::pair<unsigned, unsigned> compareWithCopy(StringRef text,
                                                     MLIRContext &context) {
  OwningOpRef<ModuleOp> before;
  {
    ScopedDiagnosticHandler silent(&context, [](Diagnostic &) {});
    before = parseSourceString<ModuleOp>(text, &context);
  }
  if (!before)
    return {};
  OwningOpRef<ModuleOp> after = before->clone();
  unsigned same = 0, different = 0;
  for (auto [one, other] :
       llvm::zip(before->getOps<func::FuncOp>(), after->getOps<func::FuncOp>()))
    if (!one.isExternal())
      ++(succeeded(compare(one, other)) ? same : different);
  return {same, different};
}

static int compareWithCopies(MLIRContext &context) {
  unsigned allSame = 0, allDifferent = 0;
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) {
      llvm::errs() << "error: cannot read " << file << "\n";
      return 2;
    }
    SmallVector<StringRef> programs;
    (*buffer)->getBuffer().split(programs, "// -----");
    for (auto [number, program] : llvm::enumerate(programs)) {
      ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
        llvm::outs() << diagnostic << "\n";
      });
      auto [same, different] = compareWithCopy(program, context);
      allSame += same;
      allDifferent += different;
      if (different)
        llvm::outs() << "different: " << file << ", program #" << number
                     << "\n";
    }
  }
  llvm::outs() << allSame << " same, " << allDifferent << " different\n";
  return allDifferent ? 1 : 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  pebble::registerAnalysisCLOptions();
  cl::ParseCommandLineOptions(argc, argv, "compares two functions\n");
  DialectRegistry registry;
  pebble::registerUpstream(registry);
  pebble::registerAllDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  if (itself)
    return compareWithCopies(context);
  if (files.size() != 2) {
    llvm::errs() << "error: expected two files\n";
    return 2;
  }
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context, llvm::outs());
  auto before = parseSourceFile<ModuleOp>(files[0], &context);
  auto after = parseSourceFile<ModuleOp>(files[1], &context);
  Operation *first = before ? before->lookupSymbol(name) : nullptr;
  Operation *second = after ? after->lookupSymbol(name) : nullptr;
  if (!first || !second) {
    llvm::errs() << "error: no function @" << name << "\n";
    return 2;
  }
  bool same = succeeded(compare(first, second));
  llvm::outs() << (same ? "same\n" : "different\n");
  return same ? 0 : 1;
}

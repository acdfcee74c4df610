//===- ShortNotes.cpp - diagnostics that stay short -----------------------===//

#include "ShortNotes.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CommandLine.h"

#include <mutex>

using namespace mlir;
using namespace pebble;

bool pebble::showOpsInParts() {
  llvm::cl::Option *option =
      llvm::cl::getRegisteredOptions().lookup("mlir-print-op-on-diagnostic");
  if (!option || option->getNumOccurrences())
    return false;
  // Its type is that of the one upstream declares by this name.
  static_cast<llvm::cl::opt<bool> *>(option)->setValue(false);
  return true;
}

std::string pebble::takeLines(llvm::StringRef text, unsigned lines) {
  const size_t all = text.count('\n') + 1;
  if (all <= lines)
    return text.str();
  size_t end = 0;
  for (unsigned i = 0; i < lines; ++i)
    end = text.find('\n', end) + 1;
  return text.take_front(end).str() + "... (" + std::to_string(all - lines) +
         " more lines)";
}

void ShortNotes::attach(MLIRContext *context) {
  context->printOpOnDiagnostic(true);
  // Goes with the context, which may go before this.
  context->getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    shorten(diagnostic);
    return failure(); // for who shows it
  });
}

void ShortNotes::shorten(Diagnostic &diagnostic) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  for (Diagnostic &note : diagnostic.getNotes())
    for (DiagnosticArgument &argument : note.getArguments())
      if (argument.getKind() ==
              DiagnosticArgument::DiagnosticArgumentKind::String &&
          argument.getAsString().count('\n') >= kLines)
        argument = DiagnosticArgument(llvm::StringRef(
            texts.emplace_back(takeLines(argument.getAsString(), kLines))));
}

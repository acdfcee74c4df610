//===- CannotRun.h - what an op without a lowering is told ------*- C++ -*-===//

#ifndef PEBBLE_LIB_CONVERSION_CANNOTRUN_H
#define PEBBLE_LIB_CONVERSION_CANNOTRUN_H

#include "mlir/IR/Diagnostics.h"

namespace pebble {

/// While it lives, upstream's errors about operations that it cannot lower get
/// a note: Pebble's analyses take many such operations, so that the program is
/// not wrong.
class CannotRunNotes : public mlir::ScopedDiagnosticHandler {
public:
  explicit CannotRunNotes(mlir::MLIRContext *context)
      : ScopedDiagnosticHandler(context, [](mlir::Diagnostic &diagnostic) {
          std::string text = diagnostic.str();
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
              (llvm::StringRef(text).contains("op was not bufferized") ||
               llvm::StringRef(text).starts_with("failed to legalize")))
            diagnostic.attachNote() << kText;
          return mlir::failure(); // for the next handler to print
        }) {}

  static constexpr const char *kText =
      "this operation can be analysed but not run";
};

} // namespace pebble

#endif // PEBBLE_LIB_CONVERSION_CANNOTRUN_H

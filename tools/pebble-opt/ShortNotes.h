//===- ShortNotes.h - diagnostics that stay short ---------------*- C++ -*-===//
//
// MLIR shows the op of an error behind it, whole: of a module or a function
// that is all of the program. Here at most 40 lines of it are shown.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_OPT_SHORTNOTES_H
#define PEBBLE_TOOLS_PEBBLE_OPT_SHORTNOTES_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringRef.h"

#include <deque>
#include <string>

namespace pebble {

/// Before contexts are made: no op is shown while a file is parsed, when its
/// line is shown anyhow. False, and nothing is changed, if the command line
/// says
/// --mlir-print-op-on-diagnostic itself.
bool showOpsInParts();

/// Shortens the notes of contexts that it outlives.
class ShortNotes {
public:
  static constexpr unsigned kLines = 40;

  /// Shows ops again, in part, from now on. Once for each context.
  void attach(mlir::MLIRContext *context);

private:
  void shorten(mlir::Diagnostic &diagnostic);

  /// What the notes show instead. An argument of a note only refers to text.
  std::deque<std::string> texts;
};

/// The first `lines` lines of `text`, and how many are left out.
std::string takeLines(llvm::StringRef text, unsigned lines);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_OPT_SHORTNOTES_H

//===- PassSpelling.h - misspelt passes and options of passes ---*- C++ -*-===//

#ifndef PEBBLE_TOOLS_COMMON_PASSSPELLING_H
#define PEBBLE_TOOLS_COMMON_PASSSPELLING_H

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace pebble::tool {

/// The passes and pipelines of ours that are registered, by name.
std::vector<std::string> getOwnPasses();

/// The error on the first pass, or option of a pass of ours, that the line
/// misspells; none: whatever is wrong is for MLIR to say.
std::optional<std::string>
findMisspeltPass(llvm::ArrayRef<const char *> arguments);

/// The error on an option that is one of a pass of ours, and not of the tool.
std::optional<std::string>
findOptionOfPass(llvm::ArrayRef<const char *> arguments);

/// Prints what --help says of our passes.
void printPassHelp();

} // namespace pebble::tool

#endif // PEBBLE_TOOLS_COMMON_PASSSPELLING_H

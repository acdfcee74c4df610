//===- PrettyForm.h - StableHLO that only StableHLO can read ----*- C++ -*-===//
//
// Frameworks print StableHLO in a form that takes its own parser. What the
// parser of MLIR says of such a file helps nobody; this does.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_COMMON_PRETTYFORM_H
#define PEBBLE_TOOLS_COMMON_PRETTYFORM_H

#include <string>
#include <string_view>

namespace pebble::tool {

/// What to do about a file that could not be parsed, if it has an operation of
/// StableHLO in its own form; empty otherwise.
std::string explainPrettyForm(std::string_view text);

} // namespace pebble::tool

#endif // PEBBLE_TOOLS_COMMON_PRETTYFORM_H

//===- Spelling.h - what a misspelt name was meant to be --------*- C++ -*-===//
//
// Shared by the tools; sees no LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_COMMON_SPELLING_H
#define PEBBLE_TOOLS_COMMON_SPELLING_H

#include <string>
#include <vector>

namespace pebble::tool {

/// The one of `known` that `name` is nearest to; empty if none is near: at most
/// one letter in three is another one, missing, too many or out of its place.
/// "pebble-" in front of a name may be left out.
std::string findNearest(const std::string &name,
                        const std::vector<std::string> &known);

/// "; did you mean 'x'?", or nothing: for the end of an error.
std::string suggest(const std::string &name,
                    const std::vector<std::string> &known,
                    const std::string &before = "");

} // namespace pebble::tool

#endif // PEBBLE_TOOLS_COMMON_SPELLING_H

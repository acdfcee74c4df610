//===- HierarchyFile.h - machines by name or from a file --------*- C++ -*-===//
//
// Plain data without a compiler, so that every tool reads the same files. A
// file holds what a module would carry: `#pebble.hierarchy<[...]>`, where
// capacities may have a unit (`64KiB`) and `//` begins a comment.
// docs/Targets.md has an example.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TARGET_HIERARCHYFILE_H
#define PEBBLE_TARGET_HIERARCHYFILE_H

#include "pebble/Target/PresetTables.h"

namespace pebble {

/// A machine, or why there is none.
struct FoundTarget {
  std::optional<Preset> machine;
  std::string error;
};

/// Reads the text of a file. The error begins with the line that it is in.
FoundTarget parseHierarchy(const std::string &text);

/// The preset called `nameOrFile`, else the machine that the file says.
FoundTarget findTarget(const std::string &nameOrFile);

/// The tiers as a file has them.
std::string writeHierarchy(const Preset &machine);

/// What --list-targets prints: every preset with its tiers, and how to give a
/// machine of one's own.
std::string listTargets();

} // namespace pebble

#endif // PEBBLE_TARGET_HIERARCHYFILE_H

//===- Common.h - what all of pebble-solve needs ----------------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_SOLVE_COMMON_H
#define PEBBLE_TOOLS_PEBBLE_SOLVE_COMMON_H

#include "ByteOrderMark.h"
#include "Options.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>

namespace pebble::solve_tool {

constexpr int kGood = 0, kBadInput = 1, kInfeasible = 3, kUnknown = 4;

inline int fail(const std::string &message) {
  std::cerr << "pebble-solve: " << message << "\n";
  return kBadInput;
}

inline bool readFile(const std::string &name, std::string &text) {
  std::ifstream file(name, std::ios::binary);
  // A directory can be opened, and has nothing to read.
  if (!file || std::filesystem::is_directory(name))
    return false;
  std::ostringstream all;
  all << file.rdbuf();
  text = all.str();
  text.erase(0, tool::getMarkLength(text));
  return static_cast<bool>(file) && !file.bad();
}

inline bool hasEnding(const std::string &file, const std::string &end) {
  return file.size() > end.size() &&
         file.compare(file.size() - end.size(), end.size(), end) == 0;
}

inline bool asksForLeast(const Options &o) {
  return o.budget && o.budget->isLeast();
}

/// The budget asked for, in live units; none, too, where it is the least.
inline std::optional<int64_t> budgetOf(const Options &o, int64_t givenPeak) {
  if (!o.budget || asksForLeast(o))
    return std::nullopt;
  return o.budget->of(givenPeak);
}

} // namespace pebble::solve_tool

#endif // PEBBLE_TOOLS_PEBBLE_SOLVE_COMMON_H

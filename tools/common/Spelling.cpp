//===- Spelling.cpp - what a misspelt name was meant to be ----------------===//

#include "Spelling.h"

#include <algorithm>

using namespace pebble;

/// How many letters have to be put in, taken out, changed, or swapped with the
/// one behind, to make `b` of `a`.
static size_t countEdits(const std::string &a, const std::string &b) {
  std::vector<std::vector<size_t>> edits(a.size() + 1,
                                         std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      size_t &least = edits[i][j];
      if (i == 0 || j == 0) {
        least = i + j;
        continue;
      }
      least = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1,
                        edits[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        least = std::min(least, edits[i - 2][j - 2] + 1);
    }
  return edits[a.size()][b.size()];
}

std::string pebble::tool::findNearest(const std::string &name,
                                      const std::vector<std::string> &known) {
  const std::string prefix = "pebble-";
  std::string nearest;
  // Among equals the one that needs no prefix.
  size_t least = 2 * std::max<size_t>(1, name.size() / 3) + 2;
  for (const std::string &candidate : known) {
    size_t distance = 2 * countEdits(name, candidate);
    if (candidate.compare(0, prefix.size(), prefix) == 0)
      distance = std::min(
          distance, 2 * countEdits(name, candidate.substr(prefix.size())) + 1);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string pebble::tool::suggest(const std::string &name,
                                  const std::vector<std::string> &known,
                                  const std::string &before) {
  const std::string nearest = findNearest(name, known);
  if (nearest.empty())
    return "";
  return "; did you mean '" + before + nearest + "'?";
}

//===- StackSearch.h - exact search for offsets -----------------*- C++ -*-===//
//
// Looks for offsets of a component's blocks within a given extent, and proves
// that there are none.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_ADDRESSES_STACKSEARCH_H
#define PEBBLE_LIB_SOLVER_ADDRESSES_STACKSEARCH_H

#include "Stack.h"

namespace pebble::addresses {

enum class StackAnswer { Found, None, Spent };

/// What searches on one component may take, and where their orders come from.
struct StackOptions {
  uint64_t tableBytes = 0;
  uint64_t seed = 0;
};

/// Looks for offsets within `extent`, exactly: None is a proof. `effort` counts
/// blocks looked at, each with some of its sections. Exponential at worst.
StackAnswer findStack(const Component &component, int64_t extent,
                      const StackOptions &options, Effort &effort,
                      std::vector<int64_t> &offsets);

} // namespace pebble::addresses

#endif // PEBBLE_LIB_SOLVER_ADDRESSES_STACKSEARCH_H

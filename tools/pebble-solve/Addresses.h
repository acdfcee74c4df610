//===- Addresses.h - buffers to be placed, in pebble-solve ------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_SOLVE_ADDRESSES_H
#define PEBBLE_TOOLS_PEBBLE_SOLVE_ADDRESSES_H

#include "Options.h"

namespace pebble::solve_tool {

/// Whether the file is a table of buffers and no problem of steps.
bool isBufferTable(const std::string &file);

/// Places the buffers of a table and prints what comes out. Returns the exit
/// status: infeasible if it is proven that no placement keeps the budget.
int runAddresses(const std::string &text, const Options &options);

} // namespace pebble::solve_tool

#endif // PEBBLE_TOOLS_PEBBLE_SOLVE_ADDRESSES_H

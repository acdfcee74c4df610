//===- Chain.h - unequal chains in pebble-solve -----------------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_SOLVE_CHAIN_H
#define PEBBLE_TOOLS_PEBBLE_SOLVE_CHAIN_H

#include "Options.h"

#include "pebble/Solver/Chain/HeterogeneousChain.h"

namespace pebble::solve_tool {

/// Solves the chain, or judges a schedule of others on it, and prints what
/// comes out. Returns the exit status.
int runChain(const chain::ParsedChain &parsed, const Options &options);

} // namespace pebble::solve_tool

#endif // PEBBLE_TOOLS_PEBBLE_SOLVE_CHAIN_H

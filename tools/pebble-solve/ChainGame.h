//===- ChainGame.h - the pebble game on a chain, in pebble-solve -*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_SOLVE_CHAINGAME_H
#define PEBBLE_TOOLS_PEBBLE_SOLVE_CHAINGAME_H

#include "Options.h"

namespace pebble::solve_tool {

/// Plays the game that --chain and its options describe, or judges a schedule
/// of others for it, and prints what comes out. Returns the exit status.
int runChainGame(const Options &options);

} // namespace pebble::solve_tool

#endif // PEBBLE_TOOLS_PEBBLE_SOLVE_CHAINGAME_H

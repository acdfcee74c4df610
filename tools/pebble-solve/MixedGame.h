//===- MixedGame.h - snapshots and tapes, in pebble-solve -------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_SOLVE_MIXEDGAME_H
#define PEBBLE_TOOLS_PEBBLE_SOLVE_MIXEDGAME_H

#include "Options.h"

namespace pebble::solve_tool {

/// Reverses the chain that --chain --rules=mixed describes, and prints what
/// comes out. Returns the exit status.
int runMixedGame(const Options &options);

} // namespace pebble::solve_tool

#endif // PEBBLE_TOOLS_PEBBLE_SOLVE_MIXEDGAME_H

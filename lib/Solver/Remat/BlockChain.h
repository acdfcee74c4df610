//===- BlockChain.h - dynamic programming over blocks -----------*- C++ -*-===//
//
// Recomputation for training steps that are chains of blocks, of any size: cuts
// the graph (BlockCut.h), solves each block by itself for a menu of bytes that
// it may save between its forward and its backward part (RematSearch.h up to 64
// steps, RematGreedy.h beyond), and combines blocks by the dynamic program over
// chains (MenuChain.h): which blocks keep their output alone and run forward
// again, and what the others save. What comes out is a list of runs, whose
// peak the replay says; room in the program's model is raised and lowered until
// the runs fit the budget best.
//
// Optimal in that model only: blocks share more than it knows (values that skip
// over blocks), and a first run follows the order that came in. Finds nothing
// on graphs that are no chains of blocks. One exact search of limited effort
// for each block and entry of the menu, and O(B^3 w) sums of step functions for
// B blocks.
//
// After X. Zhao, T. Le Hellard, L. Eyraud-Dubois, J. Gusak, O. Beaumont,
// Rockmate: an efficient, fast, automatic and generic tool for
// re-materialization in PyTorch (2023), with exact search in the place of their
// integer programs and nested in the place of persistent schedules.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_REMAT_BLOCKCHAIN_H
#define PEBBLE_LIB_SOLVER_REMAT_BLOCKCHAIN_H

#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Remat/LeastCostOptions.h"

#include <string>

namespace pebble::graph {

/// Why it does not take a checked problem, as the rest of a sentence that
/// starts with "it"; empty if it does.
std::string blockChainRefusal(const game::Problem &problem,
                              const LeastCostOptions &options);

/// The cheapest schedule found for a problem that is not refused; Unknown if
/// none fits. `effort` limits the positions of each search of a block (0:
/// 20,000).
game::Schedule blockChain(const game::Problem &problem,
                          const LeastCostOptions &options);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_REMAT_BLOCKCHAIN_H

//===- BuildProblem.h - a block as a pebble game ----------------*- C++ -*-===//
//
// The way up to the solvers: says with the tables of a game::Problem what the
// analyses found out about a block. Decides nothing and changes nothing.
//
// Storages keep their ids and steps their indices, so that an answer needs no
// translation. A value is one content of a storage: what is there at the start,
// then one for each step that writes it.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_BUILDPROBLEM_H
#define PEBBLE_PLANNING_BUILDPROBLEM_H

#include "pebble/Analysis/DependenceGraph.h"
#include "pebble/Dialect/PebbleDialect.h"
#include "pebble/Planning/Movable.h"
#include "pebble/Solver/Game/Problem.h"

#include <map>

namespace pebble {

struct BuildOptions {
  /// The tiers; null for one tier without a limit.
  HierarchyAttr hierarchy;
  /// Off for the body of a region op, whose arguments the parent counts.
  bool countArguments = true;
  /// Names cost time on large blocks and serve messages alone.
  bool names = true;
  /// Whether explicit tiers have their capacities. Off where the budget is a
  /// planner's own business and the tiers only price accesses.
  bool capacities = true;
  /// Contents may be moved: slower tiers keep their capacities, less what the
  /// program has there itself, and what cannot move is not offloadable.
  bool moves = false;
  /// What a step must find alive, whatever it holds, is read by it (0 bytes),
  /// and what is returned untouched is there throughout. The block's peak is
  /// then never above the game's; the game may have fewer orders.
  bool holds = false;
  /// Bytes of slower tiers that are not the block's to use.
  std::map<std::string, int64_t> slowTaken;
  /// Pairs (before, after) of steps that the user dictates besides.
  llvm::ArrayRef<std::pair<unsigned, unsigned>> dictated;
};

/// A block as a game, and what the game cannot say.
struct BlockProblem {
  game::Problem problem;
  /// Every peak of `problem` is this much higher than that of the block. An op
  /// whose inside never holds all its operands and results at once has negative
  /// scratch, which a game does not know; the offset makes up for it.
  int64_t peakOffset = 0;
  /// False if the peak of the block may be higher still: it returns a storage
  /// that no step touches, or passes one on that it neither reads nor writes.
  bool peakIsExact = true;
  /// With `holds`: the game may refuse what the block allows, so that nothing
  /// is proven by its bounds.
  bool isRestricted = false;
  /// With `holds`: bytes that the game has throughout, the block at its end.
  int64_t untouched = 0;
  /// False if the two energy models need not agree: an access whose bytes the
  /// game cannot tell apart (several writes of one storage by one step, reads
  /// of what nobody wrote, accesses of no bytes).
  bool energyIsExact = true;
  /// With `moves`, by value of `problem`.
  std::vector<Content> contents;
};

/// Time near-linear in accesses and dependences. The block's sizes must be
/// known (StorageAnalysis::verify()).
BlockProblem buildProblem(const DependenceGraph &dependences,
                          const BuildOptions &options = {});

/// The same for who must keep within a budget: with `holds` where without them
/// the peak of the block may be higher than that of the game.
BlockProblem buildProblemWithin(const DependenceGraph &dependences,
                                BuildOptions options);

/// The tiers of `hierarchy` as solvers know them.
game::Hierarchy toGame(HierarchyAttr hierarchy);

} // namespace pebble

#endif // PEBBLE_PLANNING_BUILDPROBLEM_H

//===- WantedTiers.cpp - follow wishes to offload -------------------------===//

#include "WantedTiers.h"

#include "pebble/Solver/Graph/MoveSequence.h"

using namespace pebble;

std::vector<game::Move>
portfolio::followWantedTiers(const game::Problem &p,
                             const std::vector<game::Move> &schedule,
                             const std::vector<game::Id> &wanted) {
  std::vector<game::Move> moves;
  std::vector<bool> isHere(p.values.size(), false);
  auto isWanted = [&](game::Id value) { return wanted[value] != 0; };
  auto bring = [&](game::Id value) {
    if (isWanted(value) && !isHere[value])
      moves.push_back({game::MoveKind::Load, value, wanted[value]});
    isHere[value] = true;
  };
  auto takeAway = [&](game::Id value) {
    if (isWanted(value) && isHere[value])
      moves.push_back({game::MoveKind::Drop, value, 0});
    isHere[value] = false;
  };
  for (const game::Move &move : schedule) {
    if (move.kind != game::MoveKind::Compute) {
      if (!isWanted(move.subject))
        moves.push_back(move);
      continue;
    }
    const game::Step &step = p.steps[move.subject];
    for (const game::Access &read : step.reads)
      bring(read.value);
    for (const game::Access &write : step.writes)
      if (game::Id old = p.values[write.value].overwrites; old != game::kNone)
        bring(old);
    moves.push_back(move);
    for (const game::Access &write : step.writes) {
      if (game::Id old = p.values[write.value].overwrites; old != game::kNone)
        isHere[old] = false;
      isHere[write.value] = true;
      if (isWanted(write.value))
        moves.push_back(
            {game::MoveKind::Store, write.value, wanted[write.value]});
    }
    for (const game::Access &write : step.writes)
      takeAway(write.value);
    for (const game::Access &read : step.reads)
      takeAway(read.value);
  }
  for (game::Id value = 0; value < p.values.size(); ++value)
    if (p.values[value].required)
      bring(value);
  return graph::canonicalMoves(p, moves);
}

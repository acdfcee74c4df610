//===- FindMoves.h - schedules that move values between tiers ---*- C++ -*-===//
//
// The attempts of a request with transfers: each of the means alone, mixes, and
// searches for runs and loads together. Private to Portfolio.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_PORTFOLIO_FINDMOVES_H
#define PEBBLE_LIB_SOLVER_PORTFOLIO_FINDMOVES_H

#include "pebble/Solver/Portfolio/FindSchedule.h"

namespace pebble::portfolio {

/// A request with transfers, made ready.
struct MoveSearch {
  const Request &request;
  /// Its problem, in which steps run again where they may alone or as units.
  const game::Problem &problem;
  /// By step: why it cannot run again.
  const std::vector<std::string> &runOnce;
  graph::MoveCosts prices;
  int64_t budget = 0;
  /// Legal orders of all steps to start from.
  std::vector<std::vector<game::Id>> orders;
  graph::Limits limits;
};

/// The best schedule found, of the problem and in canonical form
/// (canonicalMoves()); Unknown or Infeasible if there is none. Its cost is that
/// of the objective, with transfers beside steps where that is time.
struct MoveAnswer {
  game::Schedule schedule;
  /// Why the solver that was asked for did nothing; empty if it did.
  std::string refusal;
};

MoveAnswer findMoves(const MoveSearch &search);

/// The names of its attempts, in order.
std::vector<std::string> moveAttempts();

} // namespace pebble::portfolio

#endif // PEBBLE_LIB_SOLVER_PORTFOLIO_FINDMOVES_H

//===- Formats.h - problems and schedules as text ---------------*- C++ -*-===//
//
// Reads the instance formats that pebble-solve accepts and Pebble's own, and
// writes Pebble's own. Formats are told apart by their fields:
//
//   "storages"   Pebble's own: every table of a Problem, ids by name
//   "ops"        small instances: one result per op, named like the op;
//                graph inputs are free, outputs are required at the end
//   "nodes"      networkx node-link graphs: one result per node, nothing is
//                required at the end
//                Both may list slower tiers, the nearest one first: "tiers":
//                [{"name": N, "capacity": C, "store_cost": S, "load_cost": L}],
//                costs per unit of size; by default one without limit
//   "chain"      a game of its own (Chain/HeterogeneousChain.h), refused here
//
// Readers judge the shape of the text and every name and size in it; whether
// the problem makes sense is check()'s business.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_GAME_FORMATS_H
#define PEBBLE_SOLVER_GAME_FORMATS_H

#include "pebble/Solver/Game/Schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace pebble::game {

enum class Format { Native, Ops, NodeLink };

/// A problem read from text, or why it could not be read: `error` names the
/// field, as in "ops[3].size: is negative".
struct ParsedProblem {
  std::optional<Problem> problem;
  Format format = Format::Native;
  std::string error;
};
ParsedProblem readProblem(const std::string &text);

/// Pebble's own JSON. Names that occur twice get a number appended, so that
/// readProblem() gives the same tables back.
std::string writeProblemJson(const Problem &problem);

/// One line per storage and step, for people.
std::string writeProblemText(const Problem &problem);

/// Moves read from a JSON object with `moves` or `schedule`, or from a bare
/// list: ["compute", STEP], ["store", VALUE, TIER], ["load", VALUE, TIER],
/// ["drop", VALUE, TIER].
struct ParsedMoves {
  std::optional<std::vector<Move>> moves;
  std::string error;
};
ParsedMoves readMoves(const Problem &problem, const std::string &text);

/// The moves as a JSON list on one line.
std::string writeMovesJson(const Problem &problem,
                           const std::vector<Move> &moves);

/// One move as in writeMovesJson(), for messages.
std::string toString(const Problem &problem, const Move &move);

} // namespace pebble::game

#endif // PEBBLE_SOLVER_GAME_FORMATS_H

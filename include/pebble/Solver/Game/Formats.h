//===- Formats.h - problems and schedules as text ---------------*- C++ -*-===//
//
// Reads the instance formats that pebble-solve accepts and Pebble's own, and
// writes Pebble's own. Formats are told apart by their fields:
//
//   "storages"   Pebble's own: every table of a Problem, ids by name. A value
//                that overwrites another one may say "out_of_place": true: it
//                may as well have a storage of its own, and if that takes a
//                copy of the old content first, "copy_cost": N. Where all that
//                a step overwrites says so, the step may be recomputable
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
#include "pebble/Solver/Game/Update.h"

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
  /// Updates that need not be in place; in the problem they are.
  std::vector<Update> updates;
  /// By step, where there are such updates: why it cannot run again, which an
  /// update in place is no reason for. Else empty.
  std::vector<std::string> runOnce;
};
ParsedProblem readProblem(const std::string &text);

/// Pebble's own JSON. Names that occur twice get a number appended, so that
/// readProblem() gives the same tables back. `updates` and `runOnce` as in
/// ParsedProblem.
std::string writeProblemJson(const Problem &problem,
                             const std::vector<Update> &updates = {},
                             const std::vector<std::string> &runOnce = {});

/// One line per storage and step, for people.
std::string writeProblemText(const Problem &problem);

/// Moves read from a JSON object with `moves` or `schedule`, or from a bare
/// list: ["compute", STEP], ["store", VALUE, TIER], ["load", VALUE, TIER],
/// ["drop", VALUE, TIER].
/// An object may say with `out_of_place` which updates write storages of their
/// own, values by name: `updates` holds those that a problem has.
struct ParsedMoves {
  std::optional<std::vector<Move>> moves;
  std::vector<Update> outOfPlace;
  std::string error;
};
ParsedMoves readMoves(const Problem &problem, const std::string &text,
                      const std::vector<Update> &updates = {});

/// The moves as a JSON list on one line.
std::string writeMovesJson(const Problem &problem,
                           const std::vector<Move> &moves);

/// What `updates` write, names of values, as a JSON list on one line.
std::string writeUpdatesJson(const Problem &problem,
                             const std::vector<Update> &updates);

/// One move as in writeMovesJson(), for messages.
std::string toString(const Problem &problem, const Move &move);

} // namespace pebble::game

#endif // PEBBLE_SOLVER_GAME_FORMATS_H

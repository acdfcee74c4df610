//===- Problem.h - a block of work as a pebble game -------------*- C++ -*-===//
//
// What a solver sees of a program. There are steps, which read and write
// values. Values live in storages. Some orders must hold besides the flow of
// data. The problem knows no compiler, no file format and no solver.
//
// Values and storages. A value is one content of a storage. Most values have a
// storage of their own. A step that updates in place writes a new value into
// the storage of an old one (`overwrites`). From then on the old value is gone.
// SSA form hides the hazard of reading it later. check() and verify() see it,
// because they know storages.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_GAME_PROBLEM_H
#define PEBBLE_SOLVER_GAME_PROBLEM_H

#include "pebble/Solver/Game/Hierarchy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pebble::game {

/// Index into one of the tables of a Problem.
using Id = uint32_t;
constexpr Id kNone = UINT32_MAX;

/// A buffer.
struct Storage {
  std::string name;
  /// Bytes that an access of the whole storage moves (unrounded).
  int64_t bytes = 0;
  /// Bytes that it occupies while it is live, rounded by the rules of the
  /// caller. 0: it does not count (constants, free graph inputs).
  int64_t footprint = 0;
  /// Live in the compute tier before the first step.
  bool initial = false;
  /// May never be dropped (an argument that the caller keeps).
  bool pinned = false;
};

/// One content of a storage.
struct Value {
  std::string name;
  Id storage = kNone;
  /// The step that writes it; kNone if it is there from the start.
  Id producer = kNone;
  /// The value of the same storage that it replaces; kNone if it is the first.
  Id overwrites = kNone;
  /// Must be in the compute tier when the schedule ends.
  bool required = false;
  /// May be copied to slower tiers.
  bool offloadable = true;
};

/// What a user asked for the results of a step.
enum class Pin { None, Keep, Recompute, Offload };

/// One access of a value by a step.
struct Access {
  Id value = kNone;
  /// Bytes accessed; a view of a storage accesses fewer than the whole.
  int64_t bytes = 0;
};

/// One operation.
struct Step {
  std::string name;
  /// In the order of the accesses: reads, then writes. The same value may be
  /// read more than once.
  std::vector<Access> reads;
  std::vector<Access> writes;
  /// Cost of one run, in the unit of the objective: the cost unit of an
  /// instance, femtojoules, or nanoseconds.
  int64_t cost = 0;
  /// Bytes of working memory that are live only while the step runs.
  int64_t scratch = 0;
  /// May run more than once: no effects, no randomness, no collective, no
  /// update in place.
  bool recomputable = true;
  Pin pin = Pin::None;
};

/// Why one step must come before another.
enum class DependenceKind {
  Flow,   ///< the later one reads what the earlier one wrote
  Anti,   ///< the later one overwrites what the earlier one reads
  Output, ///< both write the same storage
  Effect  ///< no data: effects, tokens, collectives; keeps nothing alive
};

const char *toString(DependenceKind kind);

/// An order that must hold between the first runs of two steps. Some need no
/// entry: flow dependences follow from the reads of steps, and anti- and output
/// dependences follow from `overwrites` of values.
struct Precedence {
  Id before = kNone;
  Id after = kNone;
  DependenceKind kind = DependenceKind::Effect;
  Id storage = kNone;
};

/// A block of work. Steps stand in the order that came in, which is valid.
struct Problem {
  std::string name;
  std::vector<Storage> storages;
  std::vector<Value> values;
  std::vector<Step> steps;
  std::vector<Precedence> precedences;
  Hierarchy hierarchy;

  /// Moves name explicit tiers by their place behind the compute tier, which is
  /// tier 0.
  size_t explicitTierCount() const {
    return hierarchy.tiers.size() - hierarchy.computeTier();
  }
};

/// A broken rule, by its number in docs/PebbleGame.md. The sentence names what
/// broke it. Empty rule: nothing is wrong.
struct Verdict {
  std::string rule;
  std::string message;
  /// The move (index into Schedule::moves) or the step that broke it. kNone: no
  /// single one did.
  Id at = kNone;

  bool ok() const { return rule.empty(); }
  static Verdict good() { return {}; }
};

/// Judges the problem itself: ids in range, one producer per value, the given
/// order executable, no storage with two live contents at the start.
Verdict check(const Problem &problem);

/// All orders that must hold between steps: flow, anti and output dependences
/// of the values, then the explicit ones. No duplicates; sorted.
std::vector<Precedence> allPrecedences(const Problem &problem);

} // namespace pebble::game

#endif // PEBBLE_SOLVER_GAME_PROBLEM_H

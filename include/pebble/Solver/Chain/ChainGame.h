//===- ChainGame.h - the pebble game on a chain, and its judge --*- C++ -*-===//
//
// A chain of n equal steps and its reversal over a memory of k tiers, in eight
// published rule sets and that of H-Revolve:
//
//   F1..Fn   Fi reads N(i-1), makes Ni                     cost `forward`
//   L        reads Nn, makes the adjoint An                cost `seed`
//   Bn..B1   Bi reads N(i-1), and, as the rules say, Ni and Ai; makes A(i-1)
//                                                          cost `backward`
//
// All values have size 1. Tier 0 is the compute tier: what an op reads and what
// it makes are there together while it runs, and at most `fastSlots` values
// are. A store copies a value to a slower tier, a load copies it back, a drop
// ends one copy at no cost. N0 is in tier 0 at the start. Every op may run
// again.
//
// ChainJudge replays moves one by one by the rules C1 to C9 of
// docs/solvers/TieredChain.md and shares no code with any solver. It goes on
// after a broken rule, so that all broken rules are named.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CHAIN_CHAINGAME_H
#define PEBBLE_SOLVER_CHAIN_CHAINGAME_H

#include "pebble/Solver/Game/Problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pebble::chain {

/// What differs between the published games.
struct ChainRules {
  std::string_view name;
  /// Bi reads Ni beside N(i-1).
  bool readsOutput = false;
  /// Adjoints are values like others, An made by L. Otherwise they take no room
  /// and An is there at the start.
  bool adjointsTakeRoom = false;
  /// A forward step may make its result in the place of its input: its input
  /// is dropped by the move right after it.
  bool slides = false;
  /// N0 is always there and takes no room.
  bool pinned = false;
  /// Slots are counted beside the working state, and a backward step includes
  /// a forward step (H-Revolve).
  bool taped = false;
};

/// All rule sets, by name.
const std::vector<ChainRules> &chainRules();
/// The rule set of that name, or nothing.
std::optional<ChainRules> findChainRules(std::string_view name);

/// A tier slower than tier 0. Costs of one value.
struct SlowTier {
  int64_t store = 0, load = 0;
  /// None: as many as wanted.
  std::optional<int64_t> slots;
};

struct ChainGame {
  ChainRules rules;
  int64_t steps = 0;
  /// Slots of tier 0 as the rule set counts them.
  int64_t fastSlots = 0;
  int64_t forward = 1, backward = 1, seed = 0;
  /// Tiers 1, 2, and so on.
  std::vector<SlowTier> tiers;
  /// A copy in a slower tier is gone once it has been loaded.
  bool readOnce = false;

  /// Most values in tier 0 at a time.
  int64_t room() const { return fastSlots + (rules.taped ? 1 : 0); }
  int64_t backwardCost() const {
    return backward + (rules.taped ? forward : 0);
  }
  /// No schedule costs less: every op that must run, once.
  int64_t costOfOneRun() const;
};

/// Why the game makes no sense; empty if it does. Costs and numbers are not
/// negative and small enough for every sum of a table to fit into 64 bits.
std::string chainGameError(const ChainGame &game);

enum class GameMoveKind { Forward, Seed, Backward, Store, Load, Drop };

struct GameMove {
  GameMoveKind kind = GameMoveKind::Forward;
  /// Of the op, or of the value N or A.
  int64_t index = 0;
  /// The value is A and not N.
  bool adjoint = false;
  int32_t tier = 0;

  bool operator==(const GameMove &o) const {
    return kind == o.kind && index == o.index && adjoint == o.adjoint &&
           tier == o.tier;
  }
};

/// Moves one by one; every stream ends.
class GameMoveStream {
public:
  virtual ~GameMoveStream() = default;
  virtual bool next(GameMove &move) = 0;
};

/// A rule that was broken: the first time, and how often.
struct BrokenRule {
  std::string rule, message;
  /// The move, or the number of moves if it broke at the end.
  int64_t at = 0;
  int64_t count = 0;
};

/// What a replay measured. Costs and peaks go on after a broken rule, with
/// every move carried out as far as it can be.
struct GameReplay {
  /// In the order of their first time.
  std::vector<BrokenRule> broken;
  int64_t cost = 0, moves = 0;
  /// By tier: most values at a time, stores into it and loads from it.
  std::vector<int64_t> peak, stores, loads;

  bool ok() const { return broken.empty(); }
};

/// Replays moves. Asks for a game without error. O(1) for each move, O(steps)
/// memory.
class ChainJudge {
public:
  explicit ChainJudge(const ChainGame &game);
  void play(const GameMove &move);
  /// Judges the end, and gives what was measured.
  GameReplay finish();

private:
  struct Value {
    /// Bit t: a copy in tier t.
    uint32_t tiers = 0;
    bool made = false;
  };

  void fail(const char *rule, const std::string &message);
  bool exists(const GameMove &move);
  void need(const Value &value, bool takesRoom, const std::string &name);
  void compute(const GameMove &move);
  void transfer(const GameMove &move);
  void make(Value &value, bool takesRoom, const std::string &name);
  void add(Value &value, int32_t tier);
  void remove(Value &value, int32_t tier);
  void checkRoom();
  void settle(const GameMove *next);
  bool takesRoom(const GameMove &move) const;
  Value &valueOf(const GameMove &move);

  const ChainGame game;
  std::vector<Value> states, adjoints;
  std::vector<int64_t> live;
  GameReplay r;
  /// The input of a forward step that has one value too many in tier 0, which
  /// only the drop of that input as the next move puts right.
  int64_t sliding = -1;
};

GameReplay verifyGame(const ChainGame &game, GameMoveStream &moves);
GameReplay verifyGame(const ChainGame &game,
                      const std::vector<GameMove> &moves);

/// Moves from a JSON object with `moves` or `schedule`, or from a bare list:
/// ["compute", "F3"], also of L and B3; ["store", "N3", 1], ["load", "N3", 1],
/// ["drop", "N3", 0], also of A3.
struct ParsedGameMoves {
  std::optional<std::vector<GameMove>> moves;
  std::string error;
};
ParsedGameMoves readGameMoves(const std::string &text);

/// One move as JSON.
std::string toString(const GameMove &move);

} // namespace pebble::chain

#endif // PEBBLE_SOLVER_CHAIN_CHAINGAME_H

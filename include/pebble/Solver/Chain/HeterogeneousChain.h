//===- HeterogeneousChain.h - unequal chains, and their judge ---*- C++ -*-===//
//
// A training step of L layers of unequal sizes and times, in the model of rotor
// (Beaumont, Herrmann, Pallez, Shilova 2019): a forward step may keep its
// output alone, to go on from there, or the internals as well that the backward
// step of its layer reads. It is a problem type of its own, since a read of an
// activation is served by either copy, which a Problem cannot say.
//
// Layer k = 1..L, with activation a[0] as the input of the chain:
//   Fk  reads a[k-1], makes a[k]                      time uf[k], extra of[k]
//   Sk  reads a[k-1], makes s[k], which holds a[k]    time uf[k], extra of[k]
//   Bk  reads d[k], s[k] and a[k-1], makes d[k-1]     time ub[k], extra ob[k]
// Inputs, results and extra bytes are live together while a step runs; what is
// resident stays so until it is dropped. a[0] and d[L] are there at the start,
// d[0] has to be there at the end. Every step may run again.
//
// verifyChain() replays moves one by one and shares no code with any solver.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CHAIN_HETEROGENEOUSCHAIN_H
#define PEBBLE_SOLVER_CHAIN_HETEROGENEOUSCHAIN_H

#include "pebble/Solver/Game/Problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pebble::chain {

/// Sizes in the file's units, times in its cost units. Every list has L + 1
/// entries; entry 0 of abar, uf, ub, of and ob stands for nothing.
struct HeterogeneousChain {
  std::string name;
  /// Activations; saved internals, which include the activation; gradients.
  std::vector<int64_t> a, abar, d;
  /// Times of forward and backward steps, and their extra bytes.
  std::vector<int64_t> uf, ub, of, ob;

  size_t length() const { return a.empty() ? 0 : a.size() - 1; }
  /// Every forward and backward step once: no schedule costs less.
  int64_t costOfOneRun() const;
};

/// Judges the chain itself by the rules H1 and H2 of
/// docs/solvers/HeterogeneousChain.md.
game::Verdict checkChain(const HeterogeneousChain &chain);

enum class ChainMoveKind {
  Forward,        ///< Fk: a[k] comes to be
  Save,           ///< Sk: s[k] comes to be
  Backward,       ///< Bk: d[k-1] comes to be
  DropActivation, ///< a[k] goes
  DropSaved,      ///< s[k] goes
  DropGradient    ///< d[k] goes
};

struct ChainMove {
  ChainMoveKind kind = ChainMoveKind::Forward;
  uint32_t layer = 0;

  bool operator==(const ChainMove &o) const {
    return kind == o.kind && layer == o.layer;
  }
};

/// What a replay measured. `verdict.at` is the move that broke a rule.
struct ChainReplay {
  game::Verdict verdict;
  int64_t cost = 0, peak = 0;
};

/// Replays `moves` on a checked chain by the rules H3 to H7. O(moves).
ChainReplay verifyChain(const HeterogeneousChain &chain,
                        const std::vector<ChainMove> &moves,
                        std::optional<int64_t> budget = std::nullopt);

/// S1..SL, BL..B1: what a program does that keeps all.
std::vector<ChainMove> keepAllSchedule(const HeterogeneousChain &chain);

/// A chain read from text. `isChain` says whether the text is a JSON object
/// with a field `chain` at all; `error` names the field that is wrong.
struct ParsedChain {
  bool isChain = false;
  std::optional<HeterogeneousChain> chain;
  std::string error;
};
ParsedChain readChain(const std::string &text);

/// Moves from a JSON object with `moves` or `schedule`, or from a bare list:
/// ["compute", "F3"], ["compute", "S3"], ["compute", "B3"], ["drop", "a3", 0],
/// also of s3 and d3; the tier, always 0, may be left out.
struct ParsedChainMoves {
  std::optional<std::vector<ChainMove>> moves;
  std::string error;
};
ParsedChainMoves readChainMoves(const std::string &text);

/// The moves as a JSON list on one line, and one of them.
std::string writeChainMovesJson(const std::vector<ChainMove> &moves);
std::string toString(const ChainMove &move);

} // namespace pebble::chain

#endif // PEBBLE_SOLVER_CHAIN_HETEROGENEOUSCHAIN_H

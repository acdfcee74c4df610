//===- ScheduleFaults.cpp - mistakes in lists of moves ---------------------===//

#include "Faults.h"

#include <algorithm>

using namespace pebble;
using game::Id;
using game::Move;
using game::MoveKind;
using game::Problem;

namespace {
using Moves = std::vector<Move>;
using Wrong = std::vector<std::pair<Moves, int64_t>>;

bool reads(const Problem &p, Id step, Id value) {
  const auto &r = p.steps[step].reads;
  return std::any_of(r.begin(), r.end(),
                     [&](const game::Access &a) { return a.value == value; });
}

Moves moved(Moves moves, size_t from, size_t to) {
  Move m = moves[from];
  moves.erase(moves.begin() + from);
  moves.insert(moves.begin() + (to > from ? to - 1 : to), m);
  return moves;
}

Moves with(Moves moves, size_t at, Move m) {
  moves.insert(moves.begin() + at, m);
  return moves;
}
} // namespace

/// A step left out whose results somebody needs.
static Wrong leftOut(const Problem &p, const Moves &moves, int64_t peak) {
  Wrong wrong;
  for (size_t i = 0; i < moves.size(); ++i) {
    if (moves[i].kind != MoveKind::Compute)
      continue;
    Moves without = moves;
    without.erase(without.begin() + i);
    wrong.push_back({without, peak});
  }
  return wrong;
}

/// A drop moved to before the last one who reads the value.
static Wrong earlyDrop(const Problem &p, const Moves &moves, int64_t peak) {
  Wrong wrong;
  for (size_t i = 0; i < moves.size(); ++i) {
    if (moves[i].kind != MoveKind::Drop || moves[i].tier != 0)
      continue;
    for (size_t j = i; j-- > 0;)
      if (moves[j].kind == MoveKind::Compute &&
          reads(p, moves[j].subject, moves[i].subject)) {
        wrong.push_back({moved(moves, i, j), peak});
        break;
      }
  }
  return wrong;
}

static Wrong secondDrop(const Problem &, const Moves &moves, int64_t peak) {
  Wrong wrong;
  for (size_t i = 0; i < moves.size(); ++i)
    if (moves[i].kind == MoveKind::Drop)
      wrong.push_back({with(moves, i + 1, moves[i]), peak});
  return wrong;
}

/// What must not run twice, run twice.
static Wrong repeated(const Problem &p, const Moves &moves, int64_t peak) {
  Wrong wrong;
  for (size_t i = 0; i < moves.size(); ++i)
    if (moves[i].kind == MoveKind::Compute &&
        !p.steps[moves[i].subject].recomputable)
      wrong.push_back({with(moves, i + 1, moves[i]), 2 * peak});
  return wrong;
}

/// A step that runs before the one that makes what it reads.
static Wrong tooEarly(const Problem &p, const Moves &moves, int64_t peak) {
  Wrong wrong;
  for (size_t i = 0; i < moves.size(); ++i)
    if (moves[i].kind == MoveKind::Compute)
      for (size_t j = i; j-- > 0;)
        if (moves[j].kind == MoveKind::Compute) {
          const auto &writes = p.steps[moves[j].subject].writes;
          if (std::any_of(writes.begin(), writes.end(),
                          [&](const game::Access &a) {
                            return reads(p, moves[i].subject, a.value);
                          })) {
            wrong.push_back({moved(moves, i, j), 2 * peak});
            break;
          }
        }
  return wrong;
}

/// An overwrite that runs before the last one who reads the old content.
static Wrong overwriteFirst(const Problem &p, const Moves &moves,
                            int64_t peak) {
  Wrong wrong;
  for (size_t i = 0; i < moves.size(); ++i) {
    if (moves[i].kind != MoveKind::Compute)
      continue;
    for (const game::Access &w : p.steps[moves[i].subject].writes) {
      Id old = p.values[w.value].overwrites;
      if (old == game::kNone)
        continue;
      for (size_t j = i; j-- > 0;)
        if (moves[j].kind == MoveKind::Compute &&
            moves[j].subject != moves[i].subject &&
            reads(p, moves[j].subject, old)) {
          wrong.push_back({moved(moves, i, j), 2 * peak});
          break;
        }
    }
  }
  return wrong;
}

static Wrong overBudget(const Problem &, const Moves &moves, int64_t peak) {
  return {{moves, peak - 1}};
}

static Wrong lostResult(const Problem &p, const Moves &moves, int64_t peak) {
  Wrong wrong;
  for (Id value = 0; value < p.values.size(); ++value)
    if (p.values[value].required)
      wrong.push_back(
          {with(moves, moves.size(), {MoveKind::Drop, value, 0}), peak});
  return wrong;
}

static Wrong unknownSubject(const Problem &p, const Moves &moves,
                            int64_t peak) {
  Id steps = p.steps.size(), values = p.values.size();
  return {{with(moves, 0, {MoveKind::Compute, steps, 0}), peak},
          {with(moves, 0, {MoveKind::Drop, values, 0}), peak}};
}

static Wrong unknownTier(const Problem &p, const Moves &moves, int64_t peak) {
  Id tier = p.explicitTierCount();
  return {{with(moves, moves.size(), {MoveKind::Store, 0, tier}), peak},
          {with(moves, moves.size(), {MoveKind::Load, 0, tier}), peak}};
}

/// A value that is read before anything brings it back.
static Wrong missingRepeat(const Problem &p, const Moves &moves, int64_t peak) {
  Wrong wrong;
  std::vector<bool> ran(p.steps.size(), false);
  for (size_t i = 0; i < moves.size(); ++i) {
    if (moves[i].kind != MoveKind::Compute)
      continue;
    if (ran[moves[i].subject]) {
      Moves without = moves;
      without.erase(without.begin() + i);
      wrong.push_back({without, peak});
    }
    ran[moves[i].subject] = true;
  }
  return wrong;
}

std::vector<ScheduleFaultKind> pebble::getScheduleFaults() {
  return {{"step left out", leftOut},
          {"early drop", earlyDrop},
          {"second drop", secondDrop},
          {"repeated update", repeated},
          {"read before made", tooEarly},
          {"overwrite before a reader", overwriteFirst},
          {"over the budget", overBudget},
          {"lost result", lostResult},
          {"unknown step or value", unknownSubject},
          {"unknown tier", unknownTier},
          {"missing second run", missingRepeat}};
}

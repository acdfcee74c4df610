//===- MoveSequence.cpp - schedules with transfers, tidied and priced -----===//

#include "pebble/Solver/Graph/MoveSequence.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::Id;
using game::kNone;
using game::Move;
using game::MoveKind;
using game::Problem;

bool pebble::graph::isTransfer(const Move &move) {
  return move.kind == MoveKind::Store || move.kind == MoveKind::Load;
}

MoveCosts pebble::graph::shareOf(MoveCosts costs, int64_t parts,
                                 int64_t whole) {
  for (auto *table : {&costs.stores, &costs.loads})
    for (std::vector<int64_t> &tier : *table)
      for (int64_t &cost : tier)
        cost = (cost * parts + whole - 1) / whole;
  return costs;
}

int64_t pebble::graph::costOfMoves(const Problem &p,
                                   const std::vector<Move> &moves,
                                   const MoveCosts &costs) {
  int64_t total = 0;
  for (const Move &m : moves)
    if (m.kind == MoveKind::Compute)
      total += p.steps[m.subject].cost;
    else if (m.kind == MoveKind::Store)
      total += costs.stores[m.tier][m.subject];
    else if (m.kind == MoveKind::Load)
      total += costs.loads[m.tier][m.subject];
  return total;
}

namespace {
/// By tier and value.
using Flags = std::vector<std::vector<bool>>;

/// Goes backwards and keeps what somebody needs.
std::vector<Move> withoutNeedless(const Problem &p,
                                  const std::vector<Move> &moves) {
  std::vector<Id> needed(p.storages.size(), kNone);
  for (Id v = 0; v < p.values.size(); ++v)
    if (p.values[v].required)
      needed[p.values[v].storage] = v;
  Flags copyNeeded(std::max<size_t>(1, p.explicitTierCount()),
                   std::vector<bool>(p.values.size(), false));
  std::vector<Move> kept;
  auto need = [&](Id v) { needed[p.values[v].storage] = v; };
  for (size_t i = moves.size(); i-- > 0;) {
    const Move &m = moves[i];
    switch (m.kind) {
    case MoveKind::Drop:
      continue;
    case MoveKind::Store:
      if (!copyNeeded[m.tier][m.subject])
        continue;
      copyNeeded[m.tier][m.subject] = false;
      need(m.subject);
      break;
    case MoveKind::Load:
      if (needed[p.values[m.subject].storage] != m.subject)
        continue;
      needed[p.values[m.subject].storage] = kNone;
      copyNeeded[m.tier][m.subject] = true;
      break;
    case MoveKind::Compute:
      for (const Access &a : p.steps[m.subject].writes) {
        const game::Value &v = p.values[a.value];
        needed[v.storage] = v.overwrites;
      }
      for (const Access &a : p.steps[m.subject].reads)
        need(a.value);
      break;
    }
    kept.push_back(m);
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

/// Puts drops after last uses.
class Dropper {
public:
  Dropper(const Problem &p, const std::vector<Move> &moves)
      : p(p), moves(moves), now(p.storages.size(), {kNone, kStart}),
        copyUse(std::max<size_t>(1, p.explicitTierCount()),
                std::vector<size_t>(p.values.size(), kStart)),
        ending(moves.size()) {}

  std::vector<Move> run() {
    for (Id v = 0; v < p.values.size(); ++v)
      if (p.values[v].producer == kNone)
        now[p.values[v].storage].value = v;
    for (size_t i = 0; i < moves.size(); ++i)
      visit(moves[i], i);
    for (Id s = 0; s < p.storages.size(); ++s)
      if (now[s].value != kNone && !p.values[now[s].value].required &&
          !p.storages[s].pinned)
        end(s);
    for (Id tier = 1; tier < copyUse.size(); ++tier)
      for (Id v = 0; v < p.values.size(); ++v)
        endCopy(v, tier);
    for (size_t i = 0; i < moves.size(); ++i) {
      result.push_back(moves[i]);
      result.insert(result.end(), ending[i].begin(), ending[i].end());
    }
    return std::move(result);
  }

private:
  static constexpr size_t kStart = SIZE_MAX;
  /// What a storage holds, and who touched it last.
  struct Content {
    Id value;
    size_t last;
  };

  void visit(const Move &m, size_t i) {
    if (m.kind == MoveKind::Compute) {
      const game::Step &op = p.steps[m.subject];
      for (const Access &a : op.reads)
        now[p.values[a.value].storage].last = i;
      for (const Access &a : op.writes) {
        const game::Value &v = p.values[a.value];
        if (v.overwrites == kNone)
          end(v.storage);
        now[v.storage] = {a.value, i};
      }
      return;
    }
    Content &content = now[p.values[m.subject].storage];
    if (m.kind == MoveKind::Load) {
      end(p.values[m.subject].storage);
      content.value = m.subject;
    } else {
      endCopy(m.subject, m.tier);
    }
    content.last = i;
    copyUse[m.tier][m.subject] = i;
  }

  void end(Id storage) {
    Content &c = now[storage];
    if (c.value == kNone)
      return;
    if (c.last == kStart)
      result.push_back({MoveKind::Drop, c.value, 0});
    else
      ending[c.last].push_back({MoveKind::Drop, c.value, 0});
    c = {kNone, kStart};
  }

  void endCopy(Id v, Id tier) {
    if (copyUse[tier][v] != kStart)
      ending[copyUse[tier][v]].push_back({MoveKind::Drop, v, tier});
    copyUse[tier][v] = kStart;
  }

  const Problem &p;
  const std::vector<Move> &moves;
  std::vector<Content> now;
  /// By tier and value: the last store or load of the copy that is there.
  std::vector<std::vector<size_t>> copyUse;
  std::vector<std::vector<Move>> ending;
  std::vector<Move> result;
};
} // namespace

std::vector<Move>
pebble::graph::canonicalMoves(const Problem &problem,
                              const std::vector<Move> &moves) {
  return Dropper(problem, withoutNeedless(problem, moves)).run();
}

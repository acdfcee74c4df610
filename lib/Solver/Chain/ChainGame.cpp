//===- ChainGame.cpp - the judge of the game on a chain -------------------===//
//
// Replays moves by the rules C1 to C9 of docs/solvers/TieredChain.md. Knows no
// solver.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Chain/ChainGame.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::chain;

const std::vector<ChainRules> &pebble::chain::chainRules() {
  static const std::vector<ChainRules> all = [] {
    auto make = [](std::string_view name, bool readsOutput,
                   bool adjointsTakeRoom, bool slides, bool pinned,
                   bool taped = false) {
      return ChainRules{name,   readsOutput, adjointsTakeRoom,
                        slides, pinned,      taped};
    };
    return std::vector<ChainRules>{
        make("seed", true, false, false, false),
        make("seed_slide", true, false, true, false),
        make("prev_noslide", false, false, false, false),
        make("revolve", false, false, true, false),
        make("dag_prev", false, true, false, false),
        make("dag_prev_pinned", false, true, false, true),
        make("dag_both", true, true, false, false),
        make("dag_both_pinned", true, true, false, true),
        make("hrevolve", false, false, true, false, true)};
  }();
  return all;
}

std::optional<ChainRules> pebble::chain::findChainRules(std::string_view name) {
  for (const ChainRules &r : chainRules())
    if (r.name == name)
      return r;
  return std::nullopt;
}

int64_t ChainGame::costOfOneRun() const {
  const bool allForward = rules.readsOutput || rules.adjointsTakeRoom;
  const bool seeds = rules.adjointsTakeRoom || (rules.readsOutput && seed > 0);
  const int64_t forwards = allForward ? steps : std::max<int64_t>(steps - 1, 0);
  return forwards * forward + steps * backwardCost() + (seeds ? seed : 0);
}

std::string pebble::chain::chainGameError(const ChainGame &g) {
  constexpr int64_t kMostSteps = INT64_C(1) << 40, kMostCost = INT64_C(1) << 40;
  if (g.steps < 1)
    return "a chain has at least one step";
  if (g.steps > kMostSteps)
    return "a chain has at most 2^40 steps";
  if (g.fastSlots < 0)
    return "there are no negative numbers of slots";
  if (g.tiers.size() > 8)
    return "there are at most 8 slower tiers";
  if (!g.rules.readsOutput && !g.rules.adjointsTakeRoom && g.seed != 0)
    return "rules " + std::string(g.rules.name) +
           " have no op that makes the first adjoint: it can have no cost";
  int64_t transfers = 0;
  int64_t most = std::max({g.forward, g.backward, g.seed});
  int64_t least = std::min({g.forward, g.backward, g.seed});
  for (const SlowTier &t : g.tiers) {
    most = std::max({most, t.store, t.load});
    least = std::min({least, t.store, t.load, t.slots.value_or(0)});
    transfers = std::max(transfers, std::min(t.store, kMostCost) +
                                        std::min(t.load, kMostCost));
  }
  if (least < 0)
    return "costs and numbers of slots are not negative";
  // Every step from the start again, and every state stored and loaded.
  const auto n = static_cast<__int128>(g.steps);
  if (most > kMostCost ||
      n * (n + 3) / 2 * g.forward + n * (g.backward + transfers) + g.seed >
          INT64_MAX / 8)
    return "the costs of a schedule may exceed 64 bits";
  return "";
}

ChainJudge::ChainJudge(const ChainGame &game)
    : game(game), states(static_cast<size_t>(game.steps) + 1),
      adjoints(static_cast<size_t>(game.steps) + 1),
      live(game.tiers.size() + 1, 0) {
  r.peak.assign(live.size(), 0);
  r.stores = r.loads = r.peak;
  states[0].made = true;
  states[0].tiers = 1;
  if (!game.rules.pinned)
    live[0] = 1;
  // Where making it has a cost, L has to run all the same.
  adjoints.back().made = !game.rules.adjointsTakeRoom && game.seed == 0;
  checkRoom();
}

void ChainJudge::fail(const char *rule, const std::string &message) {
  for (BrokenRule &b : r.broken)
    if (b.rule == rule) {
      ++b.count;
      return;
    }
  r.broken.push_back({rule, message, r.moves, 1});
}

bool ChainJudge::takesRoom(const GameMove &m) const {
  return m.adjoint ? game.rules.adjointsTakeRoom
                   : m.index != 0 || !game.rules.pinned;
}

ChainJudge::Value &ChainJudge::valueOf(const GameMove &m) {
  return (m.adjoint ? adjoints : states)[static_cast<size_t>(m.index)];
}

/// Whether the move names what there is.
bool ChainJudge::exists(const GameMove &m) {
  switch (m.kind) {
  case GameMoveKind::Forward:
  case GameMoveKind::Backward:
    if (m.index >= 1 && m.index <= game.steps)
      return true;
    fail("C1", "there is no step " + std::to_string(m.index));
    return false;
  case GameMoveKind::Seed:
    if (game.rules.adjointsTakeRoom || game.seed > 0)
      return true;
    fail("C1", "under these rules the last adjoint is given: there is no L");
    return false;
  case GameMoveKind::Store:
  case GameMoveKind::Load:
  case GameMoveKind::Drop:
    break;
  }
  if (m.index < 0 || m.index > game.steps) {
    fail("C1", "there is no value " + std::to_string(m.index));
    return false;
  }
  if (m.adjoint && !game.rules.adjointsTakeRoom) {
    fail("C1", "under these rules adjoints take no room and do not move");
    return false;
  }
  const int32_t least = m.kind == GameMoveKind::Drop ? 0 : 1;
  if (m.tier >= least && static_cast<size_t>(m.tier) < live.size())
    return true;
  fail("C1", "there is no such tier " + std::to_string(m.tier));
  return false;
}

void ChainJudge::play(const GameMove &m) {
  settle(&m);
  if (exists(m)) {
    const bool computes = m.kind == GameMoveKind::Forward ||
                          m.kind == GameMoveKind::Seed ||
                          m.kind == GameMoveKind::Backward;
    if (computes)
      compute(m);
    else
      transfer(m);
  }
  ++r.moves;
}

/// A forward step in the place of its input is one value over until that input
/// is dropped; nothing else may come between.
void ChainJudge::settle(const GameMove *next) {
  if (sliding < 0)
    return;
  const bool dropped = next && next->kind == GameMoveKind::Drop &&
                       !next->adjoint && next->index == sliding &&
                       next->tier == 0;
  sliding = -1;
  if (dropped) {
    r.peak[0] = std::max(r.peak[0], live[0] - 1);
    return;
  }
  // The move to blame is the one before.
  --r.moves;
  checkRoom();
  ++r.moves;
}

void ChainJudge::checkRoom() {
  r.peak[0] = std::max(r.peak[0], live[0]);
  if (live[0] > game.room())
    fail("C7", std::to_string(live[0]) + " values in tier 0, which has room " +
                   "for " + std::to_string(game.room()));
}

void ChainJudge::need(const Value &v, bool room, const std::string &name) {
  if (room ? !(v.tiers & 1) : !v.made)
    fail("C2", name + (room ? " is not in tier 0" : " has not been made"));
}

void ChainJudge::make(Value &v, bool room, const std::string &name) {
  v.made = true;
  if (!room)
    return;
  if (v.tiers & 1)
    return fail("C3", name + " is in tier 0 already");
  v.tiers |= 1;
  ++live[0];
}

void ChainJudge::compute(const GameMove &m) {
  auto state = [&](int64_t i) -> Value & {
    return states[static_cast<size_t>(i)];
  };
  auto named = [](char letter, int64_t i) {
    return letter + std::to_string(i);
  };
  auto &last = adjoints.back();
  switch (m.kind) {
  case GameMoveKind::Forward:
    r.cost += game.forward;
    need(state(m.index - 1), true, named('N', m.index - 1));
    make(state(m.index), true, named('N', m.index));
    if (game.rules.slides && live[0] <= game.room() + 1) {
      sliding = m.index - 1;
      return;
    }
    return checkRoom();
  case GameMoveKind::Seed:
    r.cost += game.seed;
    need(state(game.steps), true, named('N', game.steps));
    if (!game.rules.adjointsTakeRoom && last.made)
      fail("C3", named('A', game.steps) + " has been made already");
    make(last, game.rules.adjointsTakeRoom, named('A', game.steps));
    return checkRoom();
  default: {
    r.cost += game.backwardCost();
    const bool room = game.rules.adjointsTakeRoom;
    Value &result = adjoints[static_cast<size_t>(m.index) - 1];
    need(state(m.index - 1), true, named('N', m.index - 1));
    if (game.rules.readsOutput)
      need(state(m.index), true, named('N', m.index));
    need(adjoints[static_cast<size_t>(m.index)], room, named('A', m.index));
    if (!room && result.made)
      fail("C3", named('A', m.index - 1) + " has been made already");
    make(result, room, named('A', m.index - 1));
    return checkRoom();
  }
  }
}

void ChainJudge::add(Value &v, int32_t tier) {
  const auto t = static_cast<size_t>(tier);
  v.tiers |= 1U << t;
  ++live[t];
  r.peak[t] = std::max(r.peak[t], live[t]);
}

void ChainJudge::remove(Value &v, int32_t tier) {
  v.tiers &= ~(1U << static_cast<unsigned>(tier));
  --live[static_cast<size_t>(tier)];
}

void ChainJudge::transfer(const GameMove &m) {
  Value &v = valueOf(m);
  const auto t = static_cast<size_t>(m.tier);
  const std::string name = (m.adjoint ? 'A' : 'N') + std::to_string(m.index);
  const bool there = v.tiers >> t & 1, fast = v.tiers & 1;
  switch (m.kind) {
  case GameMoveKind::Store: {
    const SlowTier &tier = game.tiers[t - 1];
    r.cost += tier.store;
    ++r.stores[t];
    if (!fast || there)
      fail("C4",
           fast ? name + " is in tier " + std::to_string(m.tier) + " already"
                : name + " is not in tier 0");
    if (there)
      return;
    add(v, m.tier);
    if (tier.slots && live[t] > *tier.slots)
      fail("C8", std::to_string(live[t]) + " values in tier " +
                     std::to_string(m.tier) + ", which has room for " +
                     std::to_string(*tier.slots));
    return;
  }
  case GameMoveKind::Load:
    r.cost += game.tiers[t - 1].load;
    ++r.loads[t];
    if (!there || fast)
      fail("C5", fast ? name + " is in tier 0 already"
                      : name + " is not in tier " + std::to_string(m.tier));
    if (there && game.readOnce)
      remove(v, m.tier);
    // N0 under pinned rules is always there.
    if (!fast) {
      v.made = true;
      add(v, 0);
    }
    return checkRoom();
  default:
    if (m.tier == 0 && !takesRoom(m))
      return fail("C6", name + " is always there");
    if (!there)
      return fail("C6", name + " is not in tier " + std::to_string(m.tier));
    remove(v, m.tier);
    return;
  }
}

GameReplay ChainJudge::finish() {
  settle(nullptr);
  for (int64_t i = game.steps; i >= 1; --i)
    if (!adjoints[static_cast<size_t>(i) - 1].made) {
      fail("C9", "B" + std::to_string(i) + " never runs");
      break;
    }
  return r;
}

GameReplay pebble::chain::verifyGame(const ChainGame &game,
                                     GameMoveStream &moves) {
  ChainJudge judge(game);
  for (GameMove m; moves.next(m);)
    judge.play(m);
  return judge.finish();
}

GameReplay pebble::chain::verifyGame(const ChainGame &game,
                                     const std::vector<GameMove> &moves) {
  ChainJudge judge(game);
  for (const GameMove &m : moves)
    judge.play(m);
  return judge.finish();
}

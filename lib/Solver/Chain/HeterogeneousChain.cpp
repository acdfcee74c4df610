//===- HeterogeneousChain.cpp - the judge of unequal chains ---------------===//
//
// Checks a chain and replays moves on it, by the rules H1 to H7 of
// docs/solvers/HeterogeneousChain.md. Knows no solver.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Chain/HeterogeneousChain.h"

#include <algorithm>
#include <numeric>

using namespace pebble;
using namespace pebble::chain;
using game::Verdict;

namespace {

/// Sums of this many bits leave room to add a few of them.
constexpr int64_t kLargestSum = INT64_MAX / 16;

/// Plays moves on three rows of flags.
class Player {
public:
  Player(const HeterogeneousChain &c, std::optional<int64_t> budget)
      : c(c), budget(budget), activation(c.length() + 1, false),
        saved(c.length() + 1, false), gradient(c.length() + 1, false) {
    activation[0] = gradient[c.length()] = true;
    live = c.a[0] + c.d[c.length()];
  }

  ChainReplay play(const std::vector<ChainMove> &moves) {
    grow(0);
    for (at = 0; at < moves.size() && r.verdict.ok(); ++at)
      step(moves[at]);
    at = moves.size();
    if (r.verdict.ok() && !gradient[0])
      fail("H7", "d0 is not there at the end");
    return std::move(r);
  }

private:
  void fail(const char *rule, std::string message) {
    r.verdict.rule = rule;
    r.verdict.message = std::move(message);
    r.verdict.at = at;
  }
  static std::string named(const char *row, size_t k) {
    return row + std::to_string(k);
  }
  /// What a step needs beside what is live; what it leaves is added later.
  void grow(int64_t bytes) {
    r.peak = std::max(r.peak, live + bytes);
    if (budget && live + bytes > *budget && r.verdict.ok())
      fail("H6", std::to_string(live + bytes) + " live units, over the budget" +
                     " of " + std::to_string(*budget));
  }
  bool needs(bool there, const std::string &what) {
    if (!there)
      fail("H4", what + " is not there");
    return there;
  }
  void step(const ChainMove &m) {
    const size_t k = m.layer, n = c.length();
    const bool drop = m.kind == ChainMoveKind::DropActivation ||
                      m.kind == ChainMoveKind::DropSaved ||
                      m.kind == ChainMoveKind::DropGradient;
    if (k > n || (!drop && k == 0))
      return fail("H3", "there is no layer " + std::to_string(k));
    switch (m.kind) {
    case ChainMoveKind::Forward:
      return make(activation, "a", k, k, c.a[k], c.of[k], c.uf[k]);
    case ChainMoveKind::Save:
      return make(saved, "s", k, k, c.abar[k], c.of[k], c.uf[k]);
    case ChainMoveKind::Backward:
      if (needs(gradient[k], named("d", k)) && needs(saved[k], named("s", k)))
        make(gradient, "d", k - 1, k, c.d[k - 1], c.ob[k], c.ub[k]);
      return;
    case ChainMoveKind::DropActivation:
      return free(activation, "a", k, c.a[k]);
    case ChainMoveKind::DropSaved:
      return free(saved, "s", k, c.abar[k]);
    case ChainMoveKind::DropGradient:
      return free(gradient, "d", k, c.d[k]);
    }
  }
  /// Runs a step of layer k, which reads its input and makes row[result].
  void make(std::vector<bool> &row, const char *name, size_t result, size_t k,
            int64_t bytes, int64_t extra, int64_t time) {
    if (!needs(activation[k - 1] || saved[k - 1], named("a", k - 1)))
      return;
    if (row[result])
      return fail("H5", named(name, result) + " is there already");
    grow(bytes + extra);
    row[result] = true;
    live += bytes;
    r.cost += time;
  }
  void free(std::vector<bool> &row, const char *name, size_t k, int64_t bytes) {
    if (!row[k])
      return fail("H5", named(name, k) + " is dropped but not there");
    row[k] = false;
    live -= bytes;
  }

  const HeterogeneousChain &c;
  const std::optional<int64_t> budget;
  std::vector<bool> activation, saved, gradient;
  int64_t live = 0;
  size_t at = 0;
  ChainReplay r;
};

} // namespace

int64_t HeterogeneousChain::costOfOneRun() const {
  return std::accumulate(uf.begin() + 1, uf.end(), int64_t(0)) +
         std::accumulate(ub.begin() + 1, ub.end(), int64_t(0));
}

Verdict pebble::chain::checkChain(const HeterogeneousChain &c) {
  Verdict v;
  auto fail = [&](const char *rule, const std::string &message) {
    v.rule = rule;
    v.message = message;
    return v;
  };
  if (c.length() == 0)
    return fail("H1", "the chain has no layer");
  const std::pair<const char *, const std::vector<int64_t> *> rows[] = {
      {"a", &c.a},   {"abar", &c.abar}, {"d", &c.d},  {"uf", &c.uf},
      {"ub", &c.ub}, {"of", &c.of},     {"ob", &c.ob}};
  int64_t sum = 0;
  for (const auto &[name, row] : rows) {
    if (row->size() != c.a.size())
      return fail("H1", "list " + std::string(name) + " has " +
                            std::to_string(row->size()) + " entries, not " +
                            std::to_string(c.a.size()));
    for (int64_t n : *row) {
      if (n < 0)
        return fail("H1",
                    "list " + std::string(name) + " has a negative " + "entry");
      if (n > kLargestSum - sum)
        return fail("H1", "sizes and times sum to more than 59 bits");
      sum += n;
    }
  }
  for (size_t k = 1; k <= c.length(); ++k)
    if (c.abar[k] < c.a[k])
      return fail("H2", "the internals of layer " + std::to_string(k) +
                            " are smaller than its activation, which they " +
                            "include");
  return v;
}

ChainReplay pebble::chain::verifyChain(const HeterogeneousChain &chain,
                                       const std::vector<ChainMove> &moves,
                                       std::optional<int64_t> budget) {
  return Player(chain, budget).play(moves);
}

std::vector<ChainMove>
pebble::chain::keepAllSchedule(const HeterogeneousChain &chain) {
  const auto n = static_cast<uint32_t>(chain.length());
  std::vector<ChainMove> moves;
  for (uint32_t k = 1; k <= n; ++k)
    moves.push_back({ChainMoveKind::Save, k});
  for (uint32_t k = n; k >= 1; --k) {
    moves.push_back({ChainMoveKind::Backward, k});
    moves.push_back({ChainMoveKind::DropSaved, k});
    moves.push_back({ChainMoveKind::DropGradient, k});
  }
  return moves;
}

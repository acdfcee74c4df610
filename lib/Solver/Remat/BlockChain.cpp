//===- BlockChain.cpp - dynamic programming over blocks -------------------===//

#include "BlockChain.h"
#include "RematSearch.h"
#include "Solver/Chain/MenuChain.h"
#include "Solver/Graph/BlockCut.h"
#include "Solver/Graph/RunIds.h"
#include "TransferBound.h"
#include "pebble/Solver/Remat/RematBound.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include <algorithm>
#include <numeric>

using namespace pebble;
using namespace pebble::graph;
using chain::ChainMoveKind;
using chain::MenuChain;
using game::Access;
using game::Id;
using game::kNone;
using game::Move;
using game::MoveKind;
using game::Problem;
using game::Schedule;
using game::Status;

namespace {

/// Many small blocks leave the program over the chain more to choose, few large
/// ones the searches within blocks: both are tried.
constexpr size_t kMostBlocks[] = {24, 12};
constexpr size_t kMenu = 12;
constexpr uint64_t kPositions = 20000;
/// Runs up to which every list is relieved of needless ones.
constexpr size_t kShort = 600;
/// Walks besides the settings that each greedy search starts with.
constexpr uint64_t kWalks = 20;
/// Rooms tried in the model, from this many parts of the budget on.
constexpr int64_t kParts = 64, kFirstPart = 48, kLastPart = 96;

/// More than all storages together.
constexpr int64_t kUnbounded = INT64_MAX / 4;

using Runs = std::vector<Id>;

/// One block as a problem of its own, with a step between its forward and its
/// backward part, during which other blocks run.
class BlockProblem {
public:
  BlockProblem(const Problem &whole, const BlockCut::Block &block)
      : whole(whole), values(whole.values.size(), kNone) {
    p.hierarchy.tiers.resize(1);
    p.hierarchy.tiers[0].name = "fast";
    for (Id s : block.forward)
      addStep(s);
    gap = p.steps.size();
    steps.push_back(kNone);
    p.steps.emplace_back();
    p.steps.back().name = "gap";
    p.steps.back().recomputable = false;
    // Backward steps wait for it, by reading what it makes.
    const Id token = addValue("gap", 0, gap);
    p.steps[gap].writes.push_back({token, 0});
    for (Id s : block.backward) {
      addStep(s);
      p.steps.back().reads.push_back({token, 0});
    }
    for (Id v : block.passedOn)
      if (inside(v))
        p.steps[gap].reads.push_back({values[v], 0});
    for (Id v : block.gradients)
      if (inside(v))
        p.values[values[v]].required = true;
  }

  /// What a list of runs of the block takes.
  struct Figures {
    int64_t cost[2] = {0, 0}, peak[2] = {0, 0}, saved = 0;
    Runs runs[2];
  };
  Figures measure(const std::vector<Move> &moves) const {
    Figures f;
    Runs local;
    for (const Move &m : moves)
      if (m.kind == MoveKind::Compute)
        local.push_back(m.subject);
    const std::vector<Move> tight = scheduleOfRuns(p, local);
    const game::Replay r = verify(p, tight);
    size_t part = 0;
    for (size_t i = 0; i < tight.size() && r.verdict.ok(); ++i) {
      if (tight[i].kind != MoveKind::Compute)
        continue;
      const Id s = tight[i].subject;
      if (s == gap) {
        f.saved = r.live[i] - p.steps[gap].scratch;
        part = 1;
        continue;
      }
      f.cost[part] += p.steps[s].cost;
      f.peak[part] = std::max(f.peak[part], r.live[i]);
      f.runs[part].push_back(steps[s]);
    }
    return f;
  }

  Figures inOrder() const { return measure(scheduleOfOrder(p, givenOrder(p))); }
  /// The cheapest runs found that save at most `bytes` within `room`.
  std::optional<Figures> saving(int64_t bytes, int64_t room, uint64_t effort) {
    p.steps[gap].scratch = room - bytes;
    Schedule s;
    if (RematGame::refusal(p, {}).empty()) {
      RematSearchOptions o;
      o.budget = room;
      o.effort = effort;
      s = rematSearch(p, o);
    }
    if (s.status == Status::Unknown) {
      RematGreedyOptions o;
      o.budget = room;
      o.effort = kWalks;
      s = rematGreedy(p, {givenOrder(p)}, o);
    }
    std::optional<Figures> f;
    if (isAnswered(s.status))
      f = measure(s.moves);
    p.steps[gap].scratch = 0;
    return f;
  }
  int64_t gapBytes() const { return inOrder().saved; }

private:
  bool inside(Id v) const {
    return values[v] != kNone && p.values[values[v]].producer != kNone;
  }
  Id addValue(const std::string &name, int64_t bytes, Id producer) {
    const bool initial = producer == kNone;
    p.storages.push_back({name, bytes, bytes, initial, initial});
    game::Value v;
    v.name = name;
    v.storage = p.storages.size() - 1;
    v.producer = producer;
    p.values.push_back(v);
    return p.values.size() - 1;
  }
  void addStep(Id s) {
    game::Step step = whole.steps[s];
    for (Access &a : step.reads) {
      // What comes from elsewhere is counted elsewhere.
      if (values[a.value] == kNone)
        values[a.value] = addValue(whole.values[a.value].name, 0, kNone);
      a.value = values[a.value];
    }
    const Id id = p.steps.size();
    for (Access &a : step.writes) {
      const game::Value &v = whole.values[a.value];
      values[a.value] =
          addValue(v.name, whole.storages[v.storage].footprint, id);
      a.value = values[a.value];
    }
    p.steps.push_back(std::move(step));
    steps.push_back(s);
  }

  const Problem &whole;
  Problem p;
  Id gap = 0;
  /// Values of the whole in the block; steps of the block in the whole.
  std::vector<Id> values, steps;
};

class Solver {
public:
  Solver(const Problem &p, const LeastCostOptions &o)
      : p(p), o(o), budget(o.budget.value_or(kUnbounded)), stop(o.limits) {}

  Schedule solve() {
    best.solver = "block-chain";
    for (const game::Step &s : p.steps)
      best.bound += s.cost;
    const int64_t bound = boundAll();
    if (bound == INT64_MAX) {
      best.status = Status::Infeasible;
      best.solver = o.means.offload ? "transfer-bound" : "remat-bound";
      return best;
    }
    best.bound = std::max(best.bound, bound);
    Runs order = givenOrder(p);
    take(order);
    for (const game::Storage &s : p.storages)
      if (s.initial)
        base += s.footprint;
    const int64_t room = budget - base;
    if (best.status == Status::Optimal || room <= 0)
      return best;
    size_t tried = SIZE_MAX;
    for (const size_t most : kMostBlocks) {
      cut = cutIntoBlocks(p, most);
      if (cut.blocks.size() == tried || best.status == Status::Optimal)
        continue;
      tried = cut.blocks.size();
      solveCut(room);
    }
    best.limited = stop.isUp() && best.status != Status::Optimal;
    return best;
  }

private:
  /// Of whatever the means allow, which may be more than chains of blocks do.
  int64_t boundAll() const {
    if (!o.means.offload)
      return rematBound(p, budget, nullptr, nullptr, &stop);
    const MoveCosts costs =
        o.transfers ? *o.transfers : costsByRate(p, o.means.offloadRate);
    return transferBound(p, budget, costs, o.means.recompute, &stop);
  }

  int64_t bytesOf(const std::vector<Id> &list) const {
    int64_t sum = 0;
    for (Id v : list)
      sum += p.storages[p.values[v].storage].footprint;
    return sum;
  }

  void solveCut(int64_t room) {
    buildChain(room);
    chain::MenuOptions options;
    options.room = room / kParts * kLastPart;
    options.points = 512;
    options.stop = &stop;
    chain::MenuPlan plan(model, options);
    if (stop.isUp() || !plan.fill())
      return;
    std::optional<int64_t> last;
    for (int64_t part = kLastPart; part >= kFirstPart; --part) {
      const int64_t m = room / kParts * part;
      const std::optional<int64_t> time = plan.best(m);
      if (!time || time == last || best.status == Status::Optimal)
        continue;
      last = time;
      take(runsOf(plan.moves(m)));
    }
  }

  void buildChain(int64_t room) {
    const size_t n = cut.blocks.size();
    model = {};
    model.a.assign(n + 1, 0);
    model.d = model.uf = model.of = model.a;
    model.ways.resize(n + 1);
    forward.assign(n + 1, {});
    figures.assign(n + 1, {});
    for (size_t k = 1; k <= n && !stop.isUp(); ++k) {
      const BlockCut::Block &block = cut.blocks[k - 1];
      model.a[k] = bytesOf(block.passedOn);
      model.d[k - 1] = bytesOf(block.gradients);
      buildForward(k, block);
      buildMenu(k, block, room);
    }
  }

  /// Running block k for what it passes on alone.
  void buildForward(size_t k, const BlockCut::Block &block) {
    std::vector<bool> needed(p.values.size(), false);
    for (Id v : block.passedOn)
      needed[v] = true;
    std::vector<bool> runs(p.steps.size(), false);
    for (size_t i = block.forward.size(); i-- > 0;) {
      const game::Step &step = p.steps[block.forward[i]];
      for (const Access &a : step.writes)
        if (needed[a.value])
          runs[block.forward[i]] = true;
      if (runs[block.forward[i]])
        for (const Access &a : step.reads)
          needed[a.value] = true;
    }
    BlockCut::Block part;
    part.passedOn = block.passedOn;
    for (Id s : block.forward)
      if (runs[s])
        part.forward.push_back(s);
    const BlockProblem::Figures f = BlockProblem(p, part).inOrder();
    forward[k] = f.runs[0];
    model.uf[k] = f.cost[0];
    model.of[k] = std::max<int64_t>(0, f.peak[0] - model.a[k]);
  }

  void buildMenu(size_t k, const BlockCut::Block &block, int64_t room) {
    BlockProblem problem(p, block);
    const int64_t least = model.a[k];
    const int64_t most = std::min(problem.gapBytes(), room);
    auto add = [&](const BlockProblem::Figures &f) {
      MenuChain::Way way;
      way.bytes = std::max(f.saved, least);
      way.uf = f.cost[0];
      way.ub = f.cost[1];
      way.of = std::max<int64_t>(0, f.peak[0] - way.bytes);
      way.ob = std::max<int64_t>(0, f.peak[1] - way.bytes - model.d[k - 1]);
      for (const MenuChain::Way &w : model.ways[k])
        if (w.bytes <= way.bytes && w.uf + w.ub <= way.uf + way.ub &&
            w.of + w.bytes <= way.of + way.bytes &&
            w.ob + w.bytes <= way.ob + way.bytes)
          return;
      model.ways[k].push_back(way);
      figures[k].push_back(f);
    };
    add(problem.inOrder());
    for (size_t i = 0; i < kMenu && least <= most; ++i) {
      const int64_t bytes = least + (most - least) /
                                        static_cast<int64_t>(kMenu) *
                                        static_cast<int64_t>(i);
      if (auto f =
              problem.saving(bytes, room, o.effort ? o.effort : kPositions))
        add(*f);
    }
  }

  Runs runsOf(const std::vector<chain::MenuMove> &moves) const {
    Runs runs;
    auto append = [&](const Runs &more) {
      runs.insert(runs.end(), more.begin(), more.end());
    };
    for (const chain::MenuMove &m : moves) {
      const size_t k = m.move.layer;
      if (m.move.kind == ChainMoveKind::Forward)
        append(forward[k]);
      else if (m.move.kind == ChainMoveKind::Save)
        append(figures[k][m.way].runs[0]);
      else if (m.move.kind == ChainMoveKind::Backward)
        append(figures[k][m.way].runs[1]);
    }
    return runs;
  }

  void take(Runs runs) {
    std::vector<Move> moves = scheduleOfRuns(p, runs);
    game::Replay r = verify(p, moves, budget);
    const bool known = best.status == Status::Feasible;
    // Dear lists may lose most when needless runs go, but that takes time.
    const bool isFar =
        known && r.cost - best.bound > (best.cost - best.bound) * 3 / 2;
    if (!r.verdict.ok() || (isFar && runs.size() > kShort))
      return;
    if (dropNeedlessRuns(p, runs, budget, o.means.fixedOrder, &stop) < 0)
      return;
    moves = scheduleOfRuns(p, runs);
    r = verify(p, moves, budget);
    if (known && r.cost >= best.cost)
      return;
    best.moves = std::move(moves);
    best.cost = r.cost;
    best.peak = r.peak[0];
    best.status = best.cost <= best.bound ? Status::Optimal : Status::Feasible;
  }

  const Problem &p;
  const LeastCostOptions &o;
  const int64_t budget;
  BlockCut cut;
  const StopSign stop;
  int64_t base = 0;
  MenuChain model;
  std::vector<Runs> forward;
  std::vector<std::vector<BlockProblem::Figures>> figures;
  Schedule best;
};

} // namespace

std::string pebble::graph::blockChainRefusal(const Problem &p,
                                             const LeastCostOptions &o) {
  if (!o.means.recompute)
    return "is not to be recomputed";
  for (const game::Value &v : p.values)
    if (v.overwrites != kNone)
      return "updates value '" + p.values[v.overwrites].name +
             "' in place, and blocks do not follow that";
  for (const game::Step &s : p.steps)
    if (!s.recomputable || s.pin != game::Pin::None)
      return "has step '" + s.name +
             "', which is pinned or may not run again, and blocks run again "
             "as a whole";
  if (cutIntoBlocks(p, kMostBlocks[0]).blocks.size() < 2)
    return "is no chain of blocks: no cut between forward steps passes on "
           "three values or fewer";
  return "";
}

Schedule pebble::graph::blockChain(const Problem &problem,
                                   const LeastCostOptions &options) {
  return Solver(problem, options).solve();
}

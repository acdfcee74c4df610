//===- StepGraph.cpp - the orders and lifetimes of a problem --------------===//
//
// Lays a Problem out in flat tables for the solvers over orders.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Graph/StepGraph.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;

IdTable::IdTable(size_t rows, std::vector<std::pair<Id, Id>> pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  starts.assign(rows + 1, 0);
  ids.reserve(pairs.size());
  for (const auto &[row, id] : pairs) {
    ++starts[row + 1];
    ids.push_back(id);
  }
  for (size_t i = 0; i < rows; ++i)
    starts[i + 1] += starts[i];
}

StepGraph::StepGraph(const Problem &problem, bool antiDependences) {
  std::vector<std::pair<Id, Id>> forward, backward;
  for (const game::Precedence &d : game::allPrecedences(problem)) {
    if (!antiDependences && (d.kind == game::DependenceKind::Anti ||
                             d.kind == game::DependenceKind::Output))
      continue;
    forward.emplace_back(d.before, d.after);
    backward.emplace_back(d.after, d.before);
  }
  before = IdTable(problem.steps.size(), std::move(backward));
  after = IdTable(problem.steps.size(), std::move(forward));
}

bool StepGraph::isLegal(const std::vector<Id> &order) const {
  if (order.size() != size())
    return false;
  std::vector<bool> done(size(), false);
  for (Id step : order) {
    if (step >= size() || done[step])
      return false;
    for (Id p : predecessors(step))
      if (!done[p])
        return false;
    done[step] = true;
  }
  return true;
}

void BitMatrix::unite(Id to, Id from) {
  uint64_t *a = row(to);
  const uint64_t *b = row(from);
  for (size_t w = 0; w < rowWords; ++w)
    a[w] |= b[w];
}

size_t BitMatrix::count(Id r) const {
  size_t n = 0;
  for (size_t w = 0; w < rowWords; ++w)
    n += __builtin_popcountll(row(r)[w]);
  return n;
}

// Steps of a checked problem stand in a legal order, so one sweep each way
// closes the relation.
Reachability::Reachability(const StepGraph &graph)
    : ancestors(graph.size()), descendants(graph.size()) {
  for (Id s = 0; s < graph.size(); ++s)
    for (Id p : graph.predecessors(s)) {
      ancestors.unite(s, p);
      ancestors.set(s, p);
    }
  for (Id s = graph.size(); s-- > 0;)
    for (Id d : graph.successors(s)) {
      descendants.unite(s, d);
      descendants.set(s, d);
    }
}

LiveStorages::LiveStorages(const Problem &problem) {
  size_t n = problem.storages.size();
  std::vector<LiveStorage> all(n);
  std::vector<bool> touched(n, false);
  for (Id s = 0; s < n; ++s) {
    all[s].storage = s;
    all[s].footprint = problem.storages[s].footprint;
    all[s].kept = problem.storages[s].pinned;
  }
  for (const game::Value &v : problem.values) {
    if (v.overwrites == kNone)
      all[v.storage].producer = v.producer;
    if (v.required)
      all[v.storage].kept = true;
  }
  std::vector<std::pair<Id, Id>> users, produced, used;
  for (Id step = 0; step < problem.steps.size(); ++step) {
    const game::Step &op = problem.steps[step];
    scratches.push_back(op.scratch);
    for (const auto *list : {&op.reads, &op.writes})
      for (const game::Access &a : *list)
        touched[problem.values[a.value].storage] = true;
  }
  // Number the storages that count, then list who touches them.
  std::vector<Id> number(n, kNone);
  for (Id s = 0; s < n; ++s) {
    bool initial = problem.storages[s].initial;
    if (initial)
      initialBytes += all[s].footprint;
    if (!touched[s] && !all[s].kept) {
      if (initial)
        untouchedBytes += all[s].footprint;
      continue;
    }
    if (all[s].footprint == 0 || (!touched[s] && !initial))
      continue;
    number[s] = storages.size();
    storages.push_back(all[s]);
  }
  for (Id step = 0; step < problem.steps.size(); ++step)
    for (const auto *list :
         {&problem.steps[step].reads, &problem.steps[step].writes})
      for (const game::Access &a : *list) {
        Id s = number[problem.values[a.value].storage];
        if (s == kNone)
          continue;
        if (storages[s].producer == step) {
          produced.emplace_back(step, s);
          continue;
        }
        users.emplace_back(s, step);
        used.emplace_back(step, s);
      }
  usersOf = IdTable(storages.size(), std::move(users));
  producedBy = IdTable(problem.steps.size(), std::move(produced));
  usedBy = IdTable(problem.steps.size(), std::move(used));
}

std::vector<int64_t> LiveStorages::profile(const std::vector<Id> &order) const {
  std::vector<uint32_t> left(size());
  for (Id s = 0; s < size(); ++s)
    left[s] = users(s).size();
  std::vector<int64_t> result;
  result.reserve(order.size());
  int64_t live = initialBytes - untouchedBytes;
  for (Id step : order) {
    for (Id s : produced(step))
      live += storages[s].footprint;
    result.push_back(live + scratch(step));
    for (Id s : produced(step))
      if (left[s] == 0 && !storages[s].kept)
        live -= storages[s].footprint;
    for (Id s : used(step))
      if (--left[s] == 0 && !storages[s].kept)
        live -= storages[s].footprint;
  }
  return result;
}

int64_t LiveStorages::peak(const std::vector<Id> &order) const {
  int64_t peak = initialBytes;
  for (int64_t live : profile(order))
    peak = std::max(peak, live);
  return peak;
}

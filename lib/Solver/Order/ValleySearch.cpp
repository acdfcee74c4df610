//===- ValleySearch.cpp - exact search for an order under a budget --------===//
//
// See ValleySearch.h for the rule and its proof.
//
//===----------------------------------------------------------------------===//

#include "ValleySearch.h"

#include <algorithm>
#include <cstring>

using namespace pebble::graph;

//===----------------------------------------------------------------------===//
// Memo
//===----------------------------------------------------------------------===//

void ValleySearch::Memo::reset(size_t keyWords) {
  words = keyWords;
  count = 0;
  table.assign(1024, UINT32_MAX);
  keys.clear();
  levels.clear();
}

size_t ValleySearch::Memo::bytes() const {
  return table.capacity() * sizeof(uint32_t) +
         keys.capacity() * sizeof(uint64_t) +
         levels.capacity() * sizeof(int64_t);
}

size_t ValleySearch::Memo::slot(const uint64_t *key) const {
  uint64_t h = 0x9E3779B97F4A7C15ull;
  for (size_t w = 0; w < words; ++w) {
    h ^= key[w];
    h *= 0xD6E8FEB86659FD93ull;
    h ^= h >> 32;
  }
  size_t mask = table.size() - 1, at = h & mask;
  while (table[at] != UINT32_MAX &&
         std::memcmp(&keys[table[at] * words], key, words * 8) != 0)
    at = (at + 1) & mask;
  return at;
}

const int64_t *ValleySearch::Memo::find(const uint64_t *key) const {
  size_t at = slot(key);
  return table[at] == UINT32_MAX ? nullptr : &levels[table[at]];
}

void ValleySearch::Memo::insert(const uint64_t *key, int64_t level) {
  size_t at = slot(key);
  if (table[at] != UINT32_MAX) {
    levels[table[at]] = level;
    return;
  }
  if (2 * (count + 1) > table.size()) {
    grow();
    at = slot(key);
  }
  table[at] = count++;
  keys.insert(keys.end(), key, key + words);
  levels.push_back(level);
}

void ValleySearch::Memo::grow() {
  table.assign(table.size() * 2, UINT32_MAX);
  for (uint32_t i = 0; i < count; ++i)
    table[slot(&keys[i * words])] = i;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

ValleySearch::ValleySearch(const FootprintGame &game)
    : game(game), words(std::max<size_t>(1, (game.size() + 63) / 64)) {}

int64_t ValleySearch::opened(Id step) const {
  int64_t bytes = 0;
  for (Id c : game.opens[step])
    if (openersRun[c] == 0)
      bytes += game.cells[c].bytes;
  return bytes;
}

int64_t ValleySearch::closed(Id step) const {
  int64_t bytes = 0;
  for (Id c : game.closes[step])
    if (closersLeft[c] == 1)
      bytes += game.cells[c].bytes;
  return bytes;
}

void ValleySearch::apply(Id step) {
  for (Id c : game.opens[step])
    if (openersRun[c]++ == 0)
      live += game.cells[c].bytes;
  for (Id c : game.closes[step])
    if (--closersLeft[c] == 0)
      live -= game.cells[c].bytes;
  done[step / 64] |= uint64_t(1) << (step % 64);
  ready[step / 64] &= ~(uint64_t(1) << (step % 64));
  for (Id s : game.after[step])
    if (--waiting[s] == 0)
      ready[s / 64] |= uint64_t(1) << (s % 64);
  path.push_back(step);
  ++nodes;
}

void ValleySearch::undo() {
  Id step = path.back();
  path.pop_back();
  for (Id s : game.after[step])
    if (waiting[s]++ == 0)
      ready[s / 64] &= ~(uint64_t(1) << (s % 64));
  done[step / 64] &= ~(uint64_t(1) << (step % 64));
  ready[step / 64] |= uint64_t(1) << (step % 64);
  for (Id c : game.closes[step])
    if (closersLeft[c]++ == 0)
      live += game.cells[c].bytes;
  for (Id c : game.opens[step])
    if (--openersRun[c] == 0)
      live -= game.cells[c].bytes;
}

void ValleySearch::undoTo(size_t size) {
  while (path.size() > size)
    undo();
}

bool ValleySearch::outOfLimits() {
  if (limited)
    return true;
  if (nodes > nodeLimit || memo.bytes() > memoryLimit ||
      (stop && (++looks & 127) == 0 && stop->isUp()))
    limited = true;
  return limited;
}

/// Replaces the path from `start` on by the part of it that leads to a set with
/// the fewest live bytes between the two ends.
void ValleySearch::takeLeast(size_t start) {
  size_t steps = path.size() - start;
  if (steps < 3)
    return; // the sets in between were all looked at, one step away
  int64_t end = live;
  std::vector<Id> tail(path.begin() + start, path.end());
  undoTo(start);
  // Nodes: source 0 (has run), sink 1 (may not run), then the steps of the
  // tail, then two per cell that more than one of them can open or close.
  flow.reset(2 + steps + 2 * game.cells.size());
  nodeOfStep.assign(game.size(), 1);
  for (size_t i = 0; i < steps; ++i)
    nodeOfStep[tail[i]] = 2 + i;
  nodeOfCell.assign(game.cells.size(), 0);
  uint32_t next = 2 + steps;
  int64_t fixed = live;
  for (Id step : tail) {
    for (Id b : game.before[step])
      if (nodeOfStep[b] > 1)
        flow.addEdge(nodeOfStep[step], nodeOfStep[b], MaxFlow::kInfinite);
    for (const auto *list : {&game.opens[step], &game.closes[step]})
      for (Id c : *list) {
        if (nodeOfCell[c])
          continue;
        nodeOfCell[c] = 1;
        const FootprintGame::Cell &cell = game.cells[c];
        bool open = openersRun[c] > 0, stays = false;
        if (closersLeft[c] == 0)
          continue;
        // Bytes counted in `live` now are counted by the cut instead.
        if (open)
          fixed -= cell.bytes;
        uint32_t in = 0, out = 1;
        if (!open) {
          in = next++;
          for (Id o : cell.openers)
            if (nodeOfStep[o] > 1)
              flow.addEdge(nodeOfStep[o], in, MaxFlow::kInfinite);
        }
        for (Id u : cell.closers)
          stays |= nodeOfStep[u] == 1 && !(done[u / 64] >> (u % 64) & 1);
        if (!stays && !cell.openAtEnd) {
          out = next++;
          for (Id u : cell.closers)
            if (nodeOfStep[u] > 1)
              flow.addEdge(out, nodeOfStep[u], MaxFlow::kInfinite);
        }
        flow.addEdge(in, out, cell.bytes);
      }
  }
  int64_t least = fixed + flow.run(0, 1);
  for (size_t i = 0; i < steps; ++i)
    if (least >= end || flow.onSourceSide(2 + i))
      apply(tail[i]);
}

/// From the current set X: goes on to a set with at most live(X) bytes to which
/// it is no loss to commit, and returns true; or comes back to X and returns
/// false, because there is none within the budget or a limit was hit.
bool ValleySearch::descend() {
  if (outOfLimits())
    return false;
  if (const int64_t *level = memo.find(done.data()); level && *level >= live)
    return false;
  // Looking at a step without trying it is work as well.
  uint64_t looked = 0;
  for (size_t w = 0; w < words; ++w)
    looked += __builtin_popcountll(ready[w]);
  nodes += (looked + words) / 64;
  int64_t level = live;
  // What each step that climbs leaves live, and the step.
  std::vector<std::pair<int64_t, Id>> candidates;
  for (size_t w = 0; w < words; ++w)
    for (uint64_t bits = ready[w]; bits; bits &= bits - 1) {
      Id step = w * 64 + __builtin_ctzll(bits);
      int64_t during = live + opened(step) + game.transient[step];
      if (during > budget) {
        exceeded = std::min(exceeded, during);
        continue;
      }
      int64_t after = live + opened(step) - closed(step);
      if (after <= level || path.size() + 1 == game.size()) {
        apply(step);
        return true;
      }
      candidates.emplace_back(bias ? after + (*bias)[step] : after, step);
    }
  std::sort(candidates.begin(), candidates.end());
  size_t start = path.size();
  for (const auto &candidate : candidates) {
    apply(candidate.second);
    if (const int64_t *known = memo.find(done.data());
        known && *known > level) {
      undo();
      continue;
    }
    while (live > level && !atGoal() && descend())
      ;
    if (live <= level || atGoal()) {
      if (!atGoal())
        takeLeast(start);
      return true;
    }
    if (limited) {
      undoTo(start);
      return false;
    }
    int64_t lowest = live;
    undoTo(start + 1);
    memo.insert(done.data(), lowest);
    undo();
  }
  memo.insert(done.data(), level);
  return false;
}

ValleySearch::Result ValleySearch::run(int64_t newBudget, uint64_t newNodeLimit,
                                       size_t newMemoryLimit,
                                       const StopSign *newStop,
                                       const std::vector<int64_t> *newBias) {
  budget = newBudget;
  exceeded = INT64_MAX;
  nodes = 0;
  nodeLimit = newNodeLimit;
  memoryLimit = newMemoryLimit;
  stop = newStop;
  bias = newBias;
  limited = false;
  memo.reset(words);
  path.clear();
  done.assign(words, 0);
  ready.assign(words, 0);
  waiting.resize(game.size());
  for (Id s = 0; s < game.size(); ++s) {
    waiting[s] = game.before[s].size();
    if (waiting[s] == 0)
      ready[s / 64] |= uint64_t(1) << (s % 64);
  }
  live = 0;
  openersRun.assign(game.cells.size(), 0);
  closersLeft.resize(game.cells.size());
  for (size_t c = 0; c < game.cells.size(); ++c) {
    const FootprintGame::Cell &cell = game.cells[c];
    openersRun[c] = cell.openAtStart;
    closersLeft[c] = cell.closers.size() + cell.openAtEnd;
    if (cell.openAtStart && closersLeft[c])
      live += cell.bytes;
  }
  Result result;
  if (live > budget) {
    result.end = SearchEnd::None;
    result.nextBudget = live;
    return result;
  }
  while (!atGoal() && descend())
    ;
  result.nodes = nodes;
  if (atGoal()) {
    result.end = SearchEnd::Found;
    result.order = path;
  } else if (limited) {
    result.order = path;
  } else {
    result.end = SearchEnd::None;
    result.nextBudget = exceeded;
  }
  return result;
}

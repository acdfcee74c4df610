//===- ListSchedule.cpp - orders made in one sweep ------------------------===//

#include "pebble/Solver/Order/ListSchedule.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

using namespace pebble::graph;

std::vector<Id> pebble::graph::leastLiveOrder(const FootprintGame &game) {
  size_t n = game.size();
  // What running a step now adds to the live bytes. It only shrinks: a cell
  // that another step has opened costs no more, and the last closer of a cell
  // frees it.
  std::vector<int64_t> delta(n, 0);
  std::vector<uint32_t> waiting(n), closersLeft(game.cells.size());
  // The numbers of the closers left, xored: the last one's own number.
  std::vector<Id> closerLeft(game.cells.size(), 0);
  std::vector<bool> open(game.cells.size()), done(n, false);
  for (Id c = 0; c < game.cells.size(); ++c) {
    const FootprintGame::Cell &cell = game.cells[c];
    open[c] = cell.openAtStart;
    closersLeft[c] = cell.closers.size() + cell.openAtEnd;
    for (Id u : cell.closers)
      closerLeft[c] ^= u;
    if (!open[c])
      for (Id o : cell.openers)
        delta[o] += cell.bytes;
    if (closersLeft[c] == 1 && !cell.openAtEnd)
      delta[closerLeft[c]] -= cell.bytes;
  }
  using Entry = std::pair<int64_t, Id>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
  for (Id s = 0; s < n; ++s) {
    waiting[s] = game.before[s].size();
    if (waiting[s] == 0)
      queue.emplace(delta[s], s);
  }
  auto shrink = [&](Id s, int64_t bytes) {
    delta[s] -= bytes;
    if (!done[s] && waiting[s] == 0)
      queue.emplace(delta[s], s);
  };
  std::vector<Id> order;
  order.reserve(n);
  while (!queue.empty()) {
    auto [d, s] = queue.top();
    queue.pop();
    if (done[s] || d != delta[s])
      continue; // an entry that has shrunk since
    done[s] = true;
    order.push_back(s);
    for (Id next : game.after[s])
      if (--waiting[next] == 0)
        queue.emplace(delta[next], next);
    for (Id c : game.opens[s]) {
      if (open[c])
        continue;
      open[c] = true;
      for (Id o : game.cells[c].openers)
        if (o != s)
          shrink(o, game.cells[c].bytes);
    }
    for (Id c : game.closes[s]) {
      closerLeft[c] ^= s;
      if (--closersLeft[c] == 1 && !game.cells[c].openAtEnd)
        shrink(closerLeft[c], game.cells[c].bytes);
    }
  }
  return order;
}

std::vector<Id> pebble::graph::depthFirstOrder(const FootprintGame &game) {
  size_t n = game.size();
  std::vector<uint8_t> seen(n, 0);
  // The height of what a step needs decides what is walked first. `waiting`
  // orders the steps so that heights are known before they are asked for.
  std::vector<uint32_t> height(n, 0), waiting(n);
  std::vector<Id> queue;
  for (Id s = 0; s < n; ++s) {
    waiting[s] = game.before[s].size();
    if (waiting[s] == 0)
      queue.push_back(s);
  }
  for (size_t head = 0; head < queue.size(); ++head)
    for (Id next : game.after[queue[head]]) {
      height[next] = std::max(height[next], height[queue[head]] + 1);
      if (--waiting[next] == 0)
        queue.push_back(next);
    }
  std::vector<Id> order, sorted;
  order.reserve(n);
  // A step on the stack, and how many of its predecessors were walked.
  std::vector<std::pair<Id, std::vector<Id>>> stack;
  auto push = [&](Id s) {
    seen[s] = 1;
    sorted = game.before[s];
    std::sort(sorted.begin(), sorted.end(), [&](Id a, Id b) {
      return std::tie(height[a], a) < std::tie(height[b], b);
    });
    stack.emplace_back(s, sorted); // walked from the back: highest first
  };
  for (Id root = 0; root < n; ++root) {
    if (!game.after[root].empty())
      continue;
    push(root);
    while (!stack.empty()) {
      auto &[s, left] = stack.back();
      if (left.empty()) {
        order.push_back(s);
        stack.pop_back();
        continue;
      }
      Id next = left.back();
      left.pop_back();
      if (!seen[next])
        push(next);
    }
  }
  return order;
}

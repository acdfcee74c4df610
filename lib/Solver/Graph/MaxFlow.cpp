//===- MaxFlow.cpp - minimum cuts of small directed networks --------------===//

#include "MaxFlow.h"

#include <algorithm>

using namespace pebble::graph;

void MaxFlow::reset(uint32_t nodes) {
  edges.clear();
  first.assign(nodes, kEnd);
  level.assign(nodes, -1);
  looked = nodes;
}

void MaxFlow::addEdge(uint32_t from, uint32_t to, int64_t capacity) {
  edges.push_back({to, first[from], capacity});
  first[from] = edges.size() - 1;
  edges.push_back({from, first[to], 0});
  first[to] = edges.size() - 1;
  ++looked;
}

bool MaxFlow::layer(uint32_t source, uint32_t sink) {
  std::fill(level.begin(), level.end(), -1);
  queue.clear();
  queue.push_back(source);
  level[source] = 0;
  for (size_t head = 0; head < queue.size(); ++head) {
    uint32_t node = queue[head];
    for (uint32_t e = first[node]; e != kEnd; e = edges[e].next) {
      ++looked;
      if (edges[e].capacity > 0 && level[edges[e].to] < 0) {
        level[edges[e].to] = level[node] + 1;
        // The layers up to the sink's are all that augment() looks at; after
        // the last phase the search has gone everywhere.
        if (edges[e].to == sink)
          return true;
        queue.push_back(edges[e].to);
      }
    }
  }
  return false;
}

int64_t MaxFlow::augment(uint32_t source, uint32_t sink) {
  path.clear();
  uint32_t node = source;
  while (true) {
    if (node == sink) {
      int64_t amount = kInfinite;
      for (uint32_t e : path)
        amount = std::min(amount, edges[e].capacity);
      for (uint32_t e : path) {
        edges[e].capacity -= amount;
        edges[e ^ 1].capacity += amount;
      }
      return amount;
    }
    uint32_t &e = current[node];
    while (e != kEnd &&
           !(edges[e].capacity > 0 && level[edges[e].to] == level[node] + 1)) {
      e = edges[e].next;
      ++looked;
    }
    ++looked;
    if (e != kEnd) {
      path.push_back(e);
      node = edges[e].to;
      continue;
    }
    // A dead end: no path of this phase goes through here again.
    level[node] = INT32_MAX;
    if (path.empty())
      return 0;
    node = edges[path.back() ^ 1].to;
    path.pop_back();
  }
}

int64_t MaxFlow::run(uint32_t source, uint32_t sink, int64_t enough) {
  int64_t total = 0;
  stopped = false;
  while (total < enough && layer(source, sink)) {
    current = first;
    while (int64_t amount = augment(source, sink)) {
      total += amount;
      if (total >= enough)
        break;
      if (stop && stop->isUp()) {
        stopped = true;
        return total;
      }
    }
  }
  return total;
}

//===- FootprintGame.cpp - live bytes seen from both ends -----------------===//

#include "pebble/Solver/Order/FootprintGame.h"

using namespace pebble::graph;

FootprintGame::FootprintGame(const StepGraph &graph,
                             const LiveStorages &storages) {
  size_t n = graph.size();
  opens.resize(n);
  closes.resize(n);
  before.resize(n);
  after.resize(n);
  transient.resize(n);
  for (Id s = 0; s < n; ++s) {
    before[s].assign(graph.predecessors(s).begin(),
                     graph.predecessors(s).end());
    after[s].assign(graph.successors(s).begin(), graph.successors(s).end());
    transient[s] = storages.scratch(s);
  }
  for (Id c = 0; c < storages.size(); ++c) {
    const LiveStorage &s = storages[c];
    IdRange users = storages.users(c);
    // A result that nothing uses and nobody keeps ends with its own run.
    if (users.empty() && !s.kept) {
      if (s.producer != kNone)
        transient[s.producer] += s.footprint;
      continue;
    }
    Cell cell;
    cell.bytes = s.footprint;
    cell.openAtStart = s.producer == kNone;
    cell.openAtEnd = s.kept;
    if (s.producer != kNone)
      cell.openers.push_back(s.producer);
    // What is kept stays open whoever reads it.
    if (!s.kept)
      cell.closers.assign(users.begin(), users.end());
    Id id = cells.size();
    for (Id o : cell.openers)
      opens[o].push_back(id);
    for (Id u : cell.closers)
      closes[u].push_back(id);
    cells.push_back(std::move(cell));
  }
}

FootprintGame FootprintGame::reversed() const {
  FootprintGame r = *this;
  std::swap(r.opens, r.closes);
  std::swap(r.before, r.after);
  for (Cell &c : r.cells) {
    std::swap(c.openers, c.closers);
    std::swap(c.openAtStart, c.openAtEnd);
  }
  return r;
}

FootprintGame FootprintGame::window(const std::vector<bool> &prefix,
                                    const std::vector<Id> &window) const {
  FootprintGame r;
  std::vector<Id> number(size(), kNone);
  for (Id i = 0; i < window.size(); ++i)
    number[window[i]] = i;
  r.opens.resize(window.size());
  r.closes.resize(window.size());
  r.before.resize(window.size());
  r.after.resize(window.size());
  r.transient.resize(window.size());
  for (Id i = 0; i < window.size(); ++i) {
    r.transient[i] = transient[window[i]];
    for (Id b : before[window[i]])
      if (number[b] != kNone) {
        r.before[i].push_back(number[b]);
        r.after[number[b]].push_back(i);
      }
  }
  int64_t always = 0;
  for (const Cell &c : cells) {
    Cell w;
    w.bytes = c.bytes;
    w.openAtStart = c.openAtStart;
    w.openAtEnd = c.openAtEnd;
    for (Id o : c.openers) {
      if (number[o] != kNone)
        w.openers.push_back(number[o]);
      else if (prefix[o])
        w.openAtStart = true;
    }
    size_t pending = 0;
    for (Id u : c.closers) {
      if (number[u] != kNone)
        w.closers.push_back(number[u]);
      else if (!prefix[u])
        w.openAtEnd = true;
      pending += !prefix[u];
    }
    // Closed before the window, or opened after it.
    if (pending == 0 && !c.openAtEnd)
      continue;
    if (!w.openAtStart && w.openers.empty())
      continue;
    if (w.openAtStart)
      w.openers.clear();
    if (w.openAtEnd)
      w.closers.clear();
    if (w.openAtStart && w.openAtEnd) {
      always += c.bytes;
      continue;
    }
    Id id = r.cells.size();
    for (Id o : w.openers)
      r.opens[o].push_back(id);
    for (Id u : w.closers)
      r.closes[u].push_back(id);
    r.cells.push_back(std::move(w));
  }
  if (always)
    r.cells.push_back({always, {}, {}, true, true});
  return r;
}

std::vector<int64_t>
FootprintGame::profile(const std::vector<Id> &order) const {
  std::vector<uint32_t> closersLeft(cells.size());
  std::vector<bool> open(cells.size());
  int64_t live = 0;
  for (size_t c = 0; c < cells.size(); ++c) {
    closersLeft[c] = cells[c].closers.size() + cells[c].openAtEnd;
    open[c] = cells[c].openAtStart;
    if (open[c])
      live += cells[c].bytes;
  }
  std::vector<int64_t> result;
  result.reserve(order.size());
  for (Id step : order) {
    for (Id c : opens[step])
      if (!open[c]) {
        open[c] = true;
        live += cells[c].bytes;
      }
    result.push_back(live + transient[step]);
    for (Id c : closes[step])
      if (--closersLeft[c] == 0)
        live -= cells[c].bytes;
  }
  return result;
}

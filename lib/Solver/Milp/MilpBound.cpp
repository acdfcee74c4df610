//===- MilpBound.cpp - a bound that adds up several moments ---------------===//

#include "MilpBound.h"
#include "pebble/Solver/Graph/StepGraph.h"
#include "pebble/Solver/Milp/Highs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace pebble;
using namespace pebble::milp;
using game::Access;
using game::Id;
using game::kNone;
using game::Problem;
using game::Step;

namespace {

/// How many whole units are in it.
double inUnits(int64_t amount, int64_t unit) {
  const int64_t count = amount / unit;
  return static_cast<double>(count);
}

class Builder {
public:
  Builder(const Problem &p, const MilpBoundOptions &options)
      : p(p), options(options),
        // Anti-dependences do not bind first runs where values can be made
        // again.
        graph(p, false), reach(graph), readers(p.values.size()),
        milp("moments") {
    for (Id s = 0; s < p.steps.size(); ++s)
      for (const Access &a : p.steps[s].reads)
        if (readers[a.value].empty() || readers[a.value].back() != s)
          readers[a.value].push_back(s);
  }

  Model build() {
    findUnits();
    chooseMoments();
    findGaps();
    present.assign(chain.size(), std::vector<Index>(p.values.size(), -1));
    again.assign(chain.size(), std::vector<Index>(p.steps.size(), -1));
    for (size_t j = 0; j < chain.size(); ++j)
      addColumns(j);
    for (size_t j = 0; j < chain.size(); ++j)
      addRows(j);
    for (Id v = 0; v < p.values.size(); ++v)
      addReads(v);
    return std::move(milp);
  }

  int64_t costUnit() const { return unit; }

private:
  /// Whether the first run of `a` stands before that of `b` in all schedules.
  bool before(Id a, Id b) const {
    return options.fixedOrder ? a < b : reach.ancestors.test(b, a);
  }
  bool repeats(Id s) const {
    return p.steps[s].recomputable && p.steps[s].pin != game::Pin::Keep;
  }
  int64_t footprint(Id v) const {
    return p.storages[p.values[v].storage].footprint;
  }
  bool isPinned(Id v) const { return p.storages[p.values[v].storage].pinned; }
  /// There at every moment from its making on, whatever a schedule does.
  bool isFixture(Id v) const {
    const game::Value &value = p.values[v];
    const game::Storage &s = p.storages[value.storage];
    return value.producer == kNone && s.pinned && !isWritten[value.storage];
  }

  void findUnits() {
    unit = memory = 0;
    isWritten.assign(p.storages.size(), false);
    for (const Step &s : p.steps) {
      unit = std::gcd(unit, s.cost);
      memory = std::gcd(memory, s.scratch);
      for (const Access &a : s.writes)
        isWritten[p.values[a.value].storage] = true;
    }
    for (const game::Storage &s : p.storages)
      memory = std::gcd(memory, s.footprint);
    unit = std::max<int64_t>(unit, 1);
    memory = std::max<int64_t>(memory, 1);
    int64_t once = 0;
    for (const Step &s : p.steps)
      once += s.cost / unit;
    milp.addConstant(static_cast<double>(once));
  }

  /// Storages that step s touches.
  std::vector<bool> touchedBy(Id s) const {
    std::vector<bool> touched(p.storages.size(), false);
    for (const auto *list : {&p.steps[s].reads, &p.steps[s].writes})
      for (const Access &a : *list)
        touched[p.values[a.value].storage] = true;
    return touched;
  }
  /// Bytes beside the step while it runs for the first time: without what it
  /// touches, and without what is pinned from the start.
  int64_t roomBeside(const std::vector<bool> &touched, Id s) const {
    int64_t room = options.budget - p.steps[s].scratch;
    for (Id t = 0; t < p.storages.size(); ++t)
      if (touched[t] || (p.storages[t].initial && p.storages[t].pinned))
        room -= p.storages[t].footprint;
    return room;
  }

  /// How far what is wanted across each step exceeds the room beside it, if
  /// nothing were dropped.
  std::vector<int64_t> excessOfSteps() const {
    std::vector<int64_t> excess(p.steps.size(), 0);
    for (Id s = 0; s < p.steps.size(); ++s) {
      std::vector<bool> touched = touchedBy(s);
      int64_t sum = -roomBeside(touched, s);
      for (Id v = 0; v < p.values.size(); ++v) {
        Id maker = p.values[v].producer;
        if (touched[p.values[v].storage] || isFixture(v) ||
            (maker != kNone && !before(maker, s)))
          continue;
        bool wanted = p.values[v].required;
        for (Id reader : readers[v])
          wanted |= before(s, reader);
        if (wanted && !(p.storages[p.values[v].storage].initial && isPinned(v)))
          sum += footprint(v);
      }
      excess[s] = std::max<int64_t>(sum, 0);
    }
    return excess;
  }

  /// The chain of steps whose moments ask for most: each weighs its excess.
  void chooseMoments() {
    const size_t n = p.steps.size();
    const std::vector<int64_t> excess = excessOfSteps();
    // The given order is topological.
    std::vector<__int128> weight(n, 0);
    std::vector<Id> from(n, kNone);
    Id last = kNone;
    for (Id s = 0; s < n; ++s) {
      for (Id t = 0; t < s; ++t)
        if (before(t, s) && weight[t] > weight[s]) {
          weight[s] = weight[t];
          from[s] = t;
        }
      weight[s] += excess[s];
      if (last == kNone || weight[s] > weight[last])
        last = s;
    }
    for (Id s = last; s != kNone; s = from[s])
      if (excess[s] > 0)
        chain.push_back(s);
    std::reverse(chain.begin(), chain.end());
    size_t most = options.moments;
    if (most == 0)
      most = std::clamp<size_t>(16000 / (n + 1), 8, 64);
    if (chain.size() > most)
      thinChain(excess, most);
  }

  /// Leaves `most` moments of the chain: those spread evenly over it by rank,
  /// and the heaviest.
  void thinChain(const std::vector<int64_t> &excess, size_t most) {
    std::vector<size_t> rank(chain.size());
    std::iota(rank.begin(), rank.end(), 0);
    std::sort(rank.begin(), rank.end(), [&](size_t a, size_t b) {
      return excess[chain[a]] != excess[chain[b]]
                 ? excess[chain[a]] > excess[chain[b]]
                 : a < b;
    });
    std::vector<bool> chosen(chain.size(), false);
    size_t count = 0;
    for (size_t i = 0; i < most / 2; ++i)
      chosen[i * chain.size() / (most / 2)] = true;
    for (bool c : chosen)
      count += c;
    for (size_t i = 0; i < rank.size() && count < most; ++i)
      if (!chosen[rank[i]]) {
        chosen[rank[i]] = true;
        ++count;
      }
    std::vector<Id> fewer;
    for (size_t i = 0; i < chain.size(); ++i)
      if (chosen[i])
        fewer.push_back(chain[i]);
    chain = std::move(fewer);
  }

  /// firstGap[d]: the last moment that stands before d, endGap[d]: the first
  /// one at or after d. Its first run is in a gap from the one to the other.
  void findGaps() {
    firstGap.assign(p.steps.size(), SIZE_MAX);
    endGap.assign(p.steps.size(), chain.size());
    for (Id d = 0; d < p.steps.size(); ++d) {
      for (size_t j = 0; j < chain.size(); ++j)
        if (before(chain[j], d))
          firstGap[d] = j;
      for (size_t j = chain.size(); j-- > 0;)
        if (chain[j] == d || before(d, chain[j]))
          endGap[d] = j;
    }
  }

  void addColumns(size_t j) {
    const Id s = chain[j];
    touched.push_back(touchedBy(s));
    // What can still matter after the moment, from the readers back.
    std::vector<bool> useful(p.values.size(), false);
    for (Id step = p.steps.size(); step-- > 0;) {
      bool matters = before(s, step) || step == s;
      if (!matters && before(step, s) && repeats(step))
        for (const Access &a : p.steps[step].writes)
          matters |= useful[a.value] || p.values[a.value].required;
      if (!matters)
        continue;
      for (const Access &a : p.steps[step].reads)
        useful[a.value] = true;
    }
    std::string tag = std::to_string(j) + "_";
    for (Id v = 0; v < p.values.size(); ++v) {
      const Id maker = p.values[v].producer;
      if (isFixture(v) || touched[j][p.values[v].storage] ||
          !(useful[v] || p.values[v].required) ||
          (maker != kNone && !before(maker, s)))
        continue;
      present[j][v] =
          milp.addColumn({"there_" + tag + std::to_string(v), 0, 1, 0, true});
    }
    for (Id u = 0; u < p.steps.size(); ++u) {
      if (!before(u, s) || !repeats(u))
        continue;
      bool matters = false;
      for (const Access &a : p.steps[u].writes)
        matters |= useful[a.value] || p.values[a.value].required;
      if (matters)
        again[j][u] = milp.addColumn({"again_" + tag + std::to_string(u), 0, 1,
                                      inUnits(p.steps[u].cost, unit), true});
    }
  }

  /// Adds what makes value v available in gap j: that it is there when the gap
  /// begins, or that its maker runs. False if it is there for certain, or
  /// nothing is known because its first making may be in the gap.
  bool available(size_t j, Id v, size_t endGap,
                 std::vector<Term> &terms) const {
    const Id maker = p.values[v].producer;
    if (isFixture(v) || (maker != kNone && !before(maker, chain[j])))
      return false;
    if (touches(j, v))
      return false;
    if (present[j][v] >= 0)
      terms.push_back({present[j][v], 1});
    if (maker != kNone)
      for (size_t gap = j; gap < std::max(endGap, j + 1); ++gap)
        if (again[gap][maker] >= 0)
          terms.push_back({again[gap][maker], 1});
    return true;
  }
  /// Whether the step of moment j reads or writes this very content.
  bool touches(size_t j, Id v) const {
    if (!touched[j][p.values[v].storage])
      return false;
    const Step &s = p.steps[chain[j]];
    for (const auto *list : {&s.reads, &s.writes})
      for (const Access &a : *list)
        if (a.value == v)
          return true;
    return false;
  }

  void addRows(size_t j) {
    const std::string tag = std::to_string(j);
    Row room{"room_" + tag, -kInfinity, 0, {}};
    int64_t bytes = roomBeside(touched[j], chain[j]);
    room.upper = inUnits(std::max<int64_t>(bytes, 0), memory);
    for (Id v = 0; v < p.values.size(); ++v)
      if (present[j][v] >= 0 && footprint(v) > 0 &&
          !(p.storages[p.values[v].storage].initial && isPinned(v)))
        room.terms.push_back({present[j][v], inUnits(footprint(v), memory)});
    milp.addRow(std::move(room));
    // Closure.
    for (Id u = 0; u < p.steps.size(); ++u) {
      if (again[j][u] < 0)
        continue;
      for (const Access &a : p.steps[u].reads) {
        Row row{"closure_" + tag + "_" + std::to_string(u) + "_" +
                    std::to_string(a.value),
                0,
                kInfinity,
                {}};
        if (!available(j, a.value, j + 1, row.terms))
          continue;
        row.terms.push_back({again[j][u], -1});
        milp.addRow(std::move(row));
      }
    }
    if (j + 1 == chain.size())
      return;
    for (Id v = 0; v < p.values.size(); ++v) {
      if (present[j + 1][v] < 0)
        continue;
      Row row{"carry_" + tag + "_" + std::to_string(v), 0, kInfinity, {}};
      if (!available(j, v, j + 1, row.terms))
        continue;
      row.terms.push_back({present[j + 1][v], -1});
      milp.addRow(std::move(row));
    }
  }

  void addReads(Id v) {
    auto need = [&](size_t from, size_t to, const std::string &who) {
      Row row{"reads_" + who + "_" + std::to_string(v), 1, kInfinity, {}};
      if (available(from, v, to, row.terms))
        milp.addRow(std::move(row));
    };
    for (Id d : readers[v])
      if (firstGap[d] != SIZE_MAX)
        need(firstGap[d], endGap[d], std::to_string(d));
    if (p.values[v].required && !chain.empty()) {
      // At the end. Its maker may be made for the first time in the last gap.
      need(chain.size() - 1, chain.size(), "end");
      const Id maker = p.values[v].producer;
      for (size_t j = 0; j + 1 < chain.size(); ++j)
        if (maker == kNone || before(maker, chain[j]))
          need(j, chain.size(), "end" + std::to_string(j));
    }
  }

  const Problem &p;
  const MilpBoundOptions &options;
  graph::StepGraph graph;
  graph::Reachability reach;
  std::vector<std::vector<Id>> readers;
  std::vector<bool> isWritten;
  int64_t unit = 1, memory = 1;
  /// The steps of the moments.
  std::vector<Id> chain;
  std::vector<size_t> firstGap, endGap;
  std::vector<std::vector<bool>> touched;
  std::vector<std::vector<Index>> present, again;
  Model milp;
};

} // namespace

Model pebble::milp::boundModel(const Problem &problem,
                               const MilpBoundOptions &options) {
  return Builder(problem, options).build();
}

int64_t pebble::milp::milpBound(const Problem &p,
                                const MilpBoundOptions &options) {
  int64_t once = 0;
  for (const Step &s : p.steps)
    once += s.cost;
  if (!highsMissing().empty())
    return once;
  Builder builder(p, options);
  const Model model = builder.build();
  const int64_t unit = builder.costUnit();
  // What is paid beyond every step once, for a bound with this many digits.
  auto wholeOf = [&](double bound, double beyond, double margin) {
    double safe = beyond - margin * std::max(1.0, std::fabs(bound));
    return safe <= 0 ? once
                     : once + static_cast<int64_t>(std::ceil(safe)) * unit;
  };
  HighsOptions h;
  h.relax = !options.whole;
  h.limits = options.limits;
  h.nodeLimit = options.whole && !options.limits.isTimed() ? 200 : 0;
  h.seed = options.seed;
  h.absoluteGap = 1 - 1e-4;
  HighsAnswer a = solveWithHighs(model, h);
  if (options.whole)
    return a.outcome == Outcome::Optimal || a.outcome == Outcome::Limited
               ? wholeOf(a.boundBeyond, a.boundBeyond, 1e-6)
               : once;
  if (a.multipliers.empty())
    return once;
  const double bound = model.lagrangianBound(a.multipliers);
  return wholeOf(bound, bound - model.constant(), 1e-9);
}

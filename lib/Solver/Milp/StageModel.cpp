//===- StageModel.cpp - recomputation in stages, as a MILP ----------------===//

#include "StageModel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace pebble;
using namespace pebble::milp;
using game::Access;
using game::Id;
using game::kNone;
using game::Problem;

std::string StageModel::refusal(const Problem &p) {
  for (const game::Step &s : p.steps)
    if (s.pin == game::Pin::Recompute || s.pin == game::Pin::Offload)
      return "pins step '" + s.name + "' to " +
             (s.pin == game::Pin::Offload ? "offload" : "recompute") +
             ", which the formulation does not follow";
  return "";
}

size_t StageModel::sizeOf(const Problem &p, size_t passes) {
  size_t accesses = 0;
  for (const game::Step &s : p.steps)
    accesses += s.reads.size() + 3 * s.writes.size() + 1;
  return passes * (p.steps.size() + 1) * accesses / 2;
}

StageModel::StageModel(const Problem &p, const StageModelOptions &options)
    : p(p), options(options), slots(p.steps.size()),
      perStage(std::max<size_t>(options.passes, 1)),
      passes(perStage * (slots + (options.endStage ? 1 : 0))),
      slotOf(p.steps.size()), milp("stages") {
  for (size_t k = 0; k < slots; ++k)
    slotOf[options.order[k]] = k;
  track();
  if (!roomy)
    return;
  findNeeds();
  addColumns();
  const int64_t onceUnits = once / unit;
  milp.addConstant(static_cast<double>(onceUnits));
  for (size_t q = 0; q < passes; ++q) {
    if (options.stop && options.stop->isUp())
      return;
    addValueRows(q);
    addTransferRows(q);
    addRoomRows(q);
  }
  built = true;
}

/// What a store and a load of a value cost.
static std::pair<int64_t, int64_t> pricesOf(const graph::MoveCosts &transfers,
                                            Id value) {
  return {transfers.stores[1][value], transfers.loads[1][value]};
}

void StageModel::track() {
  trackTouches(trackValues());
  setUnits();
}

std::vector<size_t> StageModel::trackValues() {
  std::vector<bool> written(p.storages.size(), false);
  std::vector<bool> used(p.values.size(), false);
  for (const game::Value &v : p.values)
    if (v.producer != kNone)
      written[v.storage] = true;
  for (const game::Step &s : p.steps)
    for (const Access &a : s.reads)
      used[a.value] = true;

  std::vector<size_t> number(p.values.size(), SIZE_MAX);
  for (Id v = 0; v < p.values.size(); ++v) {
    const game::Value &from = p.values[v];
    const game::Storage &storage = p.storages[from.storage];
    bool fixture = storage.initial && (storage.pinned || !storage.footprint);
    // There all the time, or dropped before the first step.
    if (!written[from.storage] && (fixture || (!used[v] && !from.required)))
      continue;
    number[v] = values.size();
    Tracked t;
    t.value = v;
    t.kept = from.required;
    t.pinned = storage.pinned;
    t.bytes = fixture ? 0 : storage.footprint;
    t.inPlace = from.overwrites != kNone;
    values.push_back(t);
  }
  return number;
}

void StageModel::trackTouches(const std::vector<size_t> &number) {
  made.resize(slots);
  touched.resize(slots);
  for (size_t k = 0; k < slots; ++k) {
    const game::Step &step = p.steps[options.order[k]];
    auto touch = [&](Id v) {
      if (number[v] == SIZE_MAX)
        return;
      std::vector<size_t> &list = values[number[v]].touches;
      if (list.empty() || list.back() != k) {
        list.push_back(k);
        touched[k].push_back(number[v]);
      }
    };
    for (const Access &a : step.reads)
      touch(a.value);
    for (const Access &a : step.writes) {
      touch(a.value);
      values[number[a.value]].maker = k;
      made[k].push_back(number[a.value]);
      if (Id old = p.values[a.value].overwrites; old != kNone) {
        touch(old);
        values[number[old]].overwriter = k;
      }
    }
    scratch.push_back(step.scratch);
  }
  // The last content of a pinned storage stays to the end.
  for (Tracked &t : values)
    t.kept |= t.pinned && t.overwriter == SIZE_MAX;
}

void StageModel::setUnits() {
  int64_t always = 0, start = 0;
  for (const game::Storage &s : p.storages)
    if (s.initial) {
      start += s.footprint;
      if (s.pinned)
        always += s.footprint;
    }
  int64_t common = 0;
  unit = 0;
  for (const Tracked &t : values)
    common = std::gcd(common, t.bytes);
  for (size_t k = 0; k < slots; ++k) {
    common = std::gcd(common, scratch[k]);
    unit = std::gcd(unit, p.steps[k].cost);
    once += p.steps[k].cost;
  }
  for (Tracked &t : values) {
    t.moves = options.transfers && graph::mayMove(p, t.value) && t.bytes > 0 &&
              !t.inPlace && t.overwriter == SIZE_MAX;
    if (!t.moves)
      continue;
    auto [away, back] = pricesOf(*options.transfers, t.value);
    t.moves = affords(away + back);
    unit = std::gcd(std::gcd(unit, away), back);
  }
  common = std::max<int64_t>(common, 1);
  unit = std::max<int64_t>(unit, 1);
  roomy = start <= options.budget;
  if (!roomy)
    return;
  room = (options.budget - always) / common;
  for (Tracked &t : values) {
    t.bytes /= common;
    if (t.maker == SIZE_MAX)
      initially += t.bytes;
  }
  for (int64_t &s : scratch)
    s /= common;
}

void StageModel::findNeeds() {
  again.assign(slots, 0);
  const size_t end = slots;
  for (size_t k = slots; k-- > 0;) {
    const game::Step &step = p.steps[options.order[k]];
    bool repeats =
        step.recomputable && step.pin != game::Pin::Keep && affords(step.cost);
    size_t last = 0, limit = end;
    for (size_t i : made[k]) {
      Tracked &t = values[i];
      t.needed = t.kept ? end : 0;
      for (size_t reader : t.touches)
        if (reader != k)
          t.needed = std::max({t.needed, reader, again[reader]});
      // Another content takes the storage: from then on it is not made again.
      t.needed = std::min(t.needed, t.overwriter);
      limit = std::min(limit, t.overwriter);
      last = std::max(last, t.needed);
      repeats &= !t.inPlace && !t.pinned;
    }
    if (repeats)
      again[k] = std::min(last, limit);
  }
  for (Tracked &t : values) {
    if (t.maker != SIZE_MAX)
      continue;
    t.needed = t.kept ? end : 0;
    for (size_t reader : t.touches)
      t.needed = std::max({t.needed, reader, again[reader]});
    if (t.overwriter != SIZE_MAX)
      t.needed = t.overwriter;
  }
}

std::string StageModel::tag(const char *kind, size_t pass, size_t i) const {
  return std::string(kind) + "_" + std::to_string(pass) + "_" +
         std::to_string(i);
}

void StageModel::addColumns() {
  run.assign(passes, std::vector<Index>(slots, -1));
  live.assign(passes, std::vector<Index>(slots, -1));
  carry.assign(passes, std::vector<Index>(values.size(), -1));
  load = carry;
  store.assign(values.size(), -1);
  free.resize(passes);
  for (size_t q = 0; q < passes; ++q) {
    const size_t stage = stageOf(q);
    for (size_t k = 0; k < std::min(stage + 1, slots); ++k) {
      bool first = k == stage && hasFirstRun(q);
      if (!first && (k == stage || again[k] < stage))
        continue;
      const Id step = options.order[k];
      // First runs are no choice: the objective counts them as its constant,
      // which has more digits than what there is to choose.
      const int64_t cost = first ? 0 : p.steps[step].cost / unit;
      run[q][k] = milp.addColumn({tag("run", q, step), first ? 1.0 : 0.0, 1,
                                  static_cast<double>(cost), true});
      live[q][k] = milp.addColumn(
          {tag("live", q, step), 0, static_cast<double>(room), 0, false});
    }
    free[q].resize(values.size());
    addTransferColumns(q);
    for (size_t i = 0; i < values.size(); ++i) {
      const Tracked &t = values[i];
      if (mayBeThere(t, stage))
        carry[q][i] = milp.addColumn({tag("carry", q, t.value),
                                      t.maker == SIZE_MAX && q == 0 ? 1.0 : 0.0,
                                      1, 0, true});
      free[q][i].assign(t.touches.size(), -1);
      if (t.pinned && t.overwriter == SIZE_MAX)
        continue;
      for (size_t u = 0; u < t.touches.size(); ++u) {
        size_t k = t.touches[u];
        if (run[q][k] < 0 || (carry[q][i] < 0 && load[q][i] < 0 &&
                              (t.maker == SIZE_MAX || run[q][t.maker] < 0)))
          continue;
        bool forced = k == t.overwriter;
        free[q][i][u] = milp.addColumn(
            {tag("free", q, t.value) + "_" + std::to_string(options.order[k]),
             forced ? 1.0 : 0.0, 1, 0, false});
      }
    }
  }
}

void StageModel::addTransferColumns(size_t q) {
  if (!options.transfers)
    return;
  const size_t stage = stageOf(q);
  for (size_t i = 0; i < values.size(); ++i) {
    const Tracked &t = values[i];
    if (!t.moves || t.needed < stage)
      continue;
    auto [away, back] = pricesOf(*options.transfers, t.value);
    // Both are multiples of the unit.
    const int64_t awayUnits = away / unit, backUnits = back / unit;
    // Where it is there for the first time: a store that early takes no more
    // than a later one, and serves more.
    if (t.maker == SIZE_MAX ? q == 0 : t.maker == stage && hasFirstRun(q))
      store[i] = milp.addColumn({tag("store", q, t.value), 0, 1,
                                 static_cast<double>(awayUnits), true});
    // Where something reads it: what comes back for later can come later.
    const bool isRead =
        std::any_of(t.touches.begin(), t.touches.end(),
                    [&](size_t k) { return k != t.maker && run[q][k] >= 0; });
    if (store[i] >= 0 && mayBeThere(t, stage) &&
        (isRead || (t.kept && q + 1 == passes)))
      load[q][i] = milp.addColumn({tag("load", q, t.value), 0, 1,
                                   static_cast<double>(backUnits), true});
  }
}

void StageModel::addTransferRows(size_t q) {
  if (!options.transfers)
    return;
  for (size_t i = 0; i < values.size(); ++i) {
    const Tracked &t = values[i];
    if (load[q][i] >= 0)
      milp.addRow({tag("comes", q, t.value),
                   -kInfinity,
                   0,
                   {{load[q][i], 1}, {store[i], -1}}});
  }
}

void StageModel::addValueRows(size_t q) {
  for (size_t i = 0; i < values.size(); ++i) {
    const Tracked &t = values[i];
    const Index make = t.maker == SIZE_MAX ? -1 : run[q][t.maker];
    std::vector<Term> there;
    if (carry[q][i] >= 0)
      there.push_back({carry[q][i], -1});
    if (load[q][i] >= 0)
      there.push_back({load[q][i], -1});
    if (make >= 0)
      there.push_back({make, -1});
    if (there.size() >= 2) {
      Row once{tag("once", q, t.value), -kInfinity, 1, {}};
      for (const Term &term : there)
        once.terms.push_back({term.column, 1});
      milp.addRow(std::move(once));
    }
    Row flow{tag("flow", q, t.value), 0, 0, there};
    std::vector<Term> before = there;
    for (size_t u = 0; u < t.touches.size(); ++u) {
      const size_t k = t.touches[u];
      if (run[q][k] < 0)
        continue;
      if (k != t.maker) {
        Row reads{tag("reads", q, t.value) + "_" +
                      std::to_string(options.order[k]),
                  -kInfinity, 0, before};
        reads.terms.push_back({run[q][k], 1});
        milp.addRow(std::move(reads));
      }
      if (free[q][i][u] < 0)
        continue;
      before.push_back({free[q][i][u], 1});
      flow.terms.push_back({free[q][i][u], 1});
      if (milp.columns()[run[q][k]].lower < 1)
        milp.addRow(
            {tag("ends", q, t.value) + "_" + std::to_string(options.order[k]),
             -kInfinity,
             0,
             {{free[q][i][u], 1}, {run[q][k], -1}}});
    }
    if (there.empty())
      continue;
    if (q + 1 < passes) {
      if (carry[q + 1][i] >= 0)
        flow.terms.push_back({carry[q + 1][i], 1});
    } else if (t.kept) {
      flow.lower = flow.upper = -1;
    }
    milp.addRow(std::move(flow));
  }
}

void StageModel::addRoomRows(size_t q) {
  // The slot that was live before: in this pass or at the end of one before.
  Index before = -1;
  size_t lastPass = q, lastSlot = slots;
  auto stepBack = [&](size_t fromPass, size_t fromSlot) {
    for (size_t pass = fromPass + 1; pass-- > 0; fromSlot = slots)
      for (size_t k = fromSlot; k-- > 0;)
        if (live[pass][k] >= 0) {
          lastPass = pass;
          lastSlot = k;
          return live[pass][k];
        }
    return Index(-1);
  };
  for (size_t k = 0; k < slots; ++k) {
    if (live[q][k] < 0)
      continue;
    before = stepBack(q, k);
    const Id step = options.order[k];
    Row row{tag("room", q, step), 0, 0, {{live[q][k], 1}}};
    if (before >= 0) {
      row.terms.push_back({before, -1});
      for (size_t i : touched[lastSlot]) {
        const Tracked &t = values[i];
        size_t u =
            std::lower_bound(t.touches.begin(), t.touches.end(), lastSlot) -
            t.touches.begin();
        // What is overwritten passes its bytes on.
        if (lastSlot != t.overwriter && free[lastPass][i][u] >= 0)
          row.terms.push_back(
              {free[lastPass][i][u], static_cast<double>(t.bytes)});
      }
    } else {
      row.lower = row.upper = static_cast<double>(initially);
    }
    if (lastPass != q || before < 0)
      for (size_t i = 0; i < values.size(); ++i)
        if (load[q][i] >= 0)
          row.terms.push_back(
              {load[q][i], -static_cast<double>(values[i].bytes)});
    for (size_t i : made[k])
      if (!values[i].inPlace)
        row.terms.push_back({run[q][k], -static_cast<double>(values[i].bytes)});
    rooms.push_back({milp.addRow(std::move(row)), live[q][k]});
    if (scratch[k])
      milp.addRow(
          {tag("scratch", q, step),
           -kInfinity,
           static_cast<double>(room),
           {{live[q][k], 1}, {run[q][k], static_cast<double>(scratch[k])}}});
  }
}

std::vector<Id> StageModel::runsOf(const std::vector<double> &solution) const {
  std::vector<Id> runs;
  for (size_t q = 0; q < passes; ++q) {
    for (size_t i = 0; i < values.size(); ++i)
      if (load[q][i] >= 0 && solution[load[q][i]] > 0.5)
        runs.push_back(graph::loadOf(p, values[i].value));
    for (size_t k = 0; k < slots; ++k)
      if (run[q][k] >= 0 && solution[run[q][k]] > 0.5)
        runs.push_back(options.order[k]);
  }
  return runs;
}

namespace {

/// Where the runs of a list stand: pass within its stage, counted from the
/// first of that stage, and the number of passes that the stage needs.
struct Placed {
  size_t stage, pass, slot;
};

/// Splits runs into stages and ascending passes; empty if first runs do not
/// follow the order. `most` is the largest number of passes of a stage.
std::vector<Placed> place(const std::vector<size_t> &slotOf,
                          const std::vector<Id> &runs, size_t &most) {
  std::vector<Placed> placed;
  size_t stage = 0, begin = 0, pass = 0;
  most = 1;
  for (Id step : runs) {
    size_t slot = slotOf[step];
    if (slot > stage)
      return {};
    if (placed.size() > begin && placed.back().slot >= slot)
      ++pass;
    placed.push_back({stage, pass, slot});
    most = std::max(most, pass + 1);
    if (slot == stage) {
      ++stage;
      begin = placed.size();
      pass = 0;
    }
  }
  return stage == slotOf.size() ? placed : std::vector<Placed>{};
}

} // namespace

size_t StageModel::passesFor(const Problem &p, const std::vector<Id> &order,
                             const std::vector<Id> &runs) {
  std::vector<size_t> slotOf(p.steps.size());
  for (size_t k = 0; k < order.size(); ++k)
    slotOf[order[k]] = k;
  size_t most = 0;
  return place(slotOf, runs, most).empty() ? 0 : most;
}

bool StageModel::setLifeOf(size_t i,
                           const std::vector<std::pair<size_t, size_t>> &runs,
                           std::vector<double> &x) const {
  // Each content lives from its making to its last touch before it is made
  // again, and is carried over the passes between.
  const Tracked &t = values[i];
  bool there = t.maker == SIZE_MAX, whole = true;
  size_t since = 0, lastPass = 0, lastTouch = SIZE_MAX;
  auto carryTo = [&](size_t q) {
    for (size_t c = since; c <= q && c < passes; ++c) {
      bool from = c > since || t.maker == SIZE_MAX;
      if (from && carry[c][i] < 0)
        whole = false;
      else if (from)
        x[carry[c][i]] = 1;
    }
  };
  auto end = [&] {
    if (!there || lastTouch == SIZE_MAX)
      return;
    if (free[lastPass][i][lastTouch] < 0)
      whole = false;
    else
      x[free[lastPass][i][lastTouch]] = 1;
    carryTo(lastPass);
  };
  for (auto [pass, slot] : runs) {
    auto at = std::lower_bound(t.touches.begin(), t.touches.end(), slot);
    if (at == t.touches.end() || *at != slot)
      continue;
    if (slot == t.maker) {
      end();
      there = true;
      since = pass;
    }
    lastPass = pass;
    lastTouch = at - t.touches.begin();
  }
  if (t.kept)
    carryTo(passes);
  else
    end();
  return whole;
}

std::optional<std::vector<double>>
StageModel::valuesOf(const std::vector<Id> &givenRuns) const {
  size_t most = 0;
  std::vector<Placed> placed = place(slotOf, givenRuns, most);
  if (!built || options.transfers || placed.empty() || most > perStage)
    return std::nullopt;
  // The passes of a stage that are used are its last ones.
  std::vector<size_t> used(slots + 1, 0);
  for (const Placed &at : placed)
    used[at.stage] = at.pass + 1;
  std::vector<size_t> passOf;
  for (const Placed &at : placed) {
    size_t q = (at.stage + 1) * perStage - used[at.stage] + at.pass;
    if (q >= passes || run[q][at.slot] < 0)
      return std::nullopt;
    passOf.push_back(q);
  }
  std::vector<double> x(milp.columns().size(), 0);
  for (size_t i = 0; i < placed.size(); ++i)
    x[run[passOf[i]][placed[i].slot]] = 1;

  std::vector<std::pair<size_t, size_t>> runs;
  for (size_t i = 0; i < placed.size(); ++i)
    runs.emplace_back(passOf[i], placed[i].slot);
  for (size_t i = 0; i < values.size(); ++i)
    if (!setLifeOf(i, runs, x))
      return std::nullopt;
  // Live bytes follow: each of these rows determines the column that it is for.
  for (const auto &[index, column] : rooms) {
    const Row &row = milp.rows()[index];
    double sum = 0;
    for (const Term &term : row.terms)
      if (term.column != column)
        sum += term.factor * x[term.column];
    x[column] = row.upper - sum;
  }
  if (milp.violation(x) > 1e-6)
    return std::nullopt;
  return x;
}

Id StageModel::firstRunIn(size_t pass) const {
  return hasFirstRun(pass) ? options.order[stageOf(pass)] : kNone;
}

std::vector<StageModel::Carry> StageModel::carries() const {
  std::vector<Carry> all;
  for (size_t q = 0; q < passes; ++q)
    for (size_t i = 0; i < values.size(); ++i)
      if (carry[q][i] >= 0)
        all.push_back({carry[q][i], values[i].value, q});
  return all;
}

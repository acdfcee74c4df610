//===- RunSequence.cpp - runs in a row, their lifetimes and bytes ---------===//

#include "RunSequence.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::kNone;
using game::Problem;

namespace {

/// Slots per run after respace().
constexpr size_t kSpread = 4;

void insertSorted(std::vector<uint32_t> &list, uint32_t x) {
  list.insert(std::lower_bound(list.begin(), list.end(), x), x);
}
void eraseSorted(std::vector<uint32_t> &list, uint32_t x) {
  list.erase(std::lower_bound(list.begin(), list.end(), x));
}

/// The contents of each storage, oldest first. Empty where they are no chain.
std::vector<std::vector<game::Id>> chainsOf(const Problem &p) {
  std::vector<std::vector<game::Id>> chains(p.storages.size());
  std::vector<size_t> count(p.storages.size(), 0);
  std::vector<game::Id> next(p.values.size(), kNone);
  for (game::Id v = 0; v < p.values.size(); ++v) {
    const game::Value &value = p.values[v];
    ++count[value.storage];
    if (value.overwrites == kNone)
      chains[value.storage].push_back(v);
    else
      next[value.overwrites] = v;
  }
  for (size_t s = 0; s < chains.size(); ++s) {
    if (chains[s].size() == 1)
      for (game::Id v = next[chains[s][0]]; v != kNone; v = next[v])
        chains[s].push_back(v);
    if (chains[s].size() != count[s] ||
        (count[s] > 1 && next[chains[s][0]] == kNone))
      chains[s].clear();
  }
  return chains;
}

} // namespace

std::string RunSequence::refusal(const Problem &p) {
  const auto chains = chainsOf(p);
  for (const game::Value &v : p.values)
    if (chains[v.storage].empty())
      return "has several first contents in storage '" +
             p.storages[v.storage].name + "'";
  // Only what nothing has overwritten yet is made again, and loads bring back
  // nothing of such a storage.
  for (game::Id v = 0; v < p.values.size(); ++v)
    if (servesOneReader(p, v) && chains[p.values[v].storage].size() > 1 &&
        (p.values[v].overwrites != kNone ||
         p.steps[p.values[v].producer].pin == game::Pin::Offload))
      return "pins step '" + p.steps[p.values[v].producer].name +
             "', whose results are updated in place";
  return "";
}

RunSequence::RunSequence(const Problem &problem, int64_t budget,
                         bool fixedOrder, const MoveCosts *transfers,
                         bool recompute)
    : p(problem), limit(static_cast<double>(budget)), transfers(transfers) {
  const size_t n = p.steps.size(), values = p.values.size();
  const size_t ids = n + (transfers ? values : 0);
  const auto chains = chainsOf(p);
  lifetimeOf.resize(values);
  contents.resize(values);
  for (const auto &chain : chains)
    for (Id v : chain) {
      lifetimeOf[v] = chain[0];
      contents[chain[0]] = chain;
    }
  readsBy.resize(ids);
  writesBy.resize(ids);
  befores.resize(ids);
  afters.resize(ids);
  again.assign(ids, false);
  listSteps(recompute);
  for (Id load = n; load < ids; ++load) {
    const Id v = loadedValue(p, load);
    writesBy[load].push_back(v);
    again[load] = contents[lifetimeOf[v]].size() == 1 && mayMove(p, v);
    if (again[load])
      canRepeat.push_back(load);
  }
  listUses();
  listOrders(fixedOrder);
  runSlots.resize(ids);
  copySlots.resize(values);
  readSlots.resize(values);
  spans.resize(values);
  placeInMany.assign(ids, kNone);
  isTouched.assign(values, false);
}

/// What each step reads and writes, and which may run again.
void RunSequence::listSteps(bool recompute) {
  for (Id s = 0; s < p.steps.size(); ++s) {
    const game::Step &step = p.steps[s];
    again[s] = recompute && step.recomputable && step.pin != game::Pin::Keep &&
               step.pin != game::Pin::Offload;
    auto note = [](std::vector<Id> &list, Id v) {
      if (std::find(list.begin(), list.end(), v) == list.end())
        list.push_back(v);
    };
    for (const Access &a : step.reads)
      note(readsBy[s], a.value);
    for (const Access &a : step.writes) {
      note(writesBy[s], a.value);
      again[s] = again[s] && lifetimeOf[a.value] == a.value &&
                 !p.storages[p.values[a.value].storage].pinned;
    }
    if (again[s] && !writesBy[s].empty())
      canRepeat.push_back(s);
    else
      again[s] = false;
  }
}

/// Which values one reader alone sees, and which are wanted after their last
/// reader.
void RunSequence::listUses() {
  for (Id v = 0; v < p.values.size(); ++v) {
    oneReader.push_back(servesOneReader(p, v));
    isUsedLast.push_back(p.values[v].required);
  }
  for (const game::Value &value : p.values)
    if (value.overwrites != kNone) {
      const std::vector<Id> &reads = readsBy[value.producer];
      isUsedLast[value.overwrites] = std::find(reads.begin(), reads.end(),
                                               value.overwrites) == reads.end();
    }
}

/// Who runs before whom beside reads and writes.
void RunSequence::listOrders(bool fixedOrder) {
  for (const game::Precedence &d : p.precedences) {
    befores[d.after].push_back(d.before);
    afters[d.before].push_back(d.after);
  }
  for (Id s = 1; fixedOrder && s < p.steps.size(); ++s) {
    befores[s].push_back(s - 1);
    afters[s - 1].push_back(s);
  }
}

bool RunSequence::takes(const std::vector<Id> &runs) const {
  std::vector<size_t> times(again.size(), 0);
  return std::all_of(runs.begin(), runs.end(), [&](Id run) {
    return run < again.size() && (++times[run] <= least(run) || again[run]);
  });
}

void RunSequence::load(const std::vector<Id> &runs) {
  const size_t size = std::max<size_t>(8, runs.size() * kSpread + kSpread);
  stepAt.assign(size, kEmpty);
  occupied.assign(size, 0);
  live.assign(size, 0);
  blocks.assign(size / kBlock + 1, Block());
  for (auto *lists : {&runSlots, &copySlots, &readSlots})
    for (auto &list : *lists)
      list.clear();
  for (auto &list : spans)
    list.clear();
  manyTimes.clear();
  std::fill(placeInMany.begin(), placeInMany.end(), kNone);
  total = 0;
  over = 0;
  for (size_t i = 0; i < runs.size(); ++i)
    put(runs[i], static_cast<Slot>(i * kSpread + kSpread - 1));
  for (Id v = 0; v < p.values.size(); ++v)
    if (lifetimeOf[v] == v) {
      std::vector<Span> to;
      spansOf(v, to);
      cover(v, {}, to);
      spans[v] = std::move(to);
    }
}

std::vector<game::Id> RunSequence::runs() const {
  std::vector<Id> result;
  for (Id s : stepAt)
    if (s != kEmpty)
      result.push_back(s);
  return result;
}

void RunSequence::respace() { load(runs()); }

//===----------------------------------------------------------------------===//
// What is
//===----------------------------------------------------------------------===//

RunSequence::Slot RunSequence::serves(Id value, Slot slot) const {
  const auto &list = copySlots[value];
  auto it = std::lower_bound(list.begin(), list.end(), slot);
  return it == list.begin() ? kStart : *std::prev(it);
}

RunSequence::Slot RunSequence::firstRead(Id value, Slot slot) const {
  const auto &list = readSlots[value];
  auto it = std::upper_bound(list.begin(), list.end(), slot);
  if (it == list.end())
    return slots();
  const auto &made = copySlots[value];
  auto next = std::upper_bound(made.begin(), made.end(), slot);
  return next != made.end() && *next < *it ? slots() : *it;
}

bool RunSequence::isLive(Id value, Slot slot) const {
  for (const Span &s : spans[lifetimeOf[value]])
    if (s.first <= slot && slot <= s.second)
      return true;
  return false;
}

RunSequence::Slot RunSequence::emptyBefore(Slot after, Slot before) const {
  Slot end = after == kStart ? 0 : after + 1;
  if (before > end && stepAt[before - 1] == kEmpty)
    return before - 1;
  return slots();
}

RunSequence::Slot RunSequence::emptyNear(Slot after, Slot before,
                                         Slot wish) const {
  constexpr Slot kReach = 16;
  Slot end = after == kStart ? 0 : after + 1;
  for (Slot d = 0; d < kReach; ++d) {
    if (wish + d < before && stepAt[wish + d] == kEmpty)
      return wish + d;
    if (wish >= end + d && wish - d < before && stepAt[wish - d] == kEmpty)
      return wish - d;
  }
  return slots();
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

int64_t RunSequence::costOf(Id run) const { return costOfAll(run, 1); }

int64_t RunSequence::costOfAll(Id run, size_t times) const {
  if (!isLoad(p, run))
    return static_cast<int64_t>(times) * p.steps[run].cost;
  return times == 0
             ? 0
             : transferCost(p, *transfers, loadedValue(p, run), times, true);
}

void RunSequence::put(Id run, Slot slot) {
  stepAt[slot] = run;
  if (!isLoad(p, run))
    live[slot] += static_cast<double>(p.steps[run].scratch);
  occupied[slot] = 1;
  Block &block = blocks[slot / kBlock];
  ++block.count;
  block.most = std::max(block.most, bytesAt(slot));
  block.least = std::min(block.least, bytesAt(slot));
  over += std::max(0.0, bytesAt(slot) - limit);
  const size_t times = runSlots[run].size();
  insertSorted(runSlots[run], slot);
  for (Id v : writesBy[run])
    insertSorted(copySlots[v], slot);
  for (Id v : readsBy[run])
    insertSorted(readSlots[v], slot);
  total += costOfAll(run, times + 1) - costOfAll(run, times);
  if (times == least(run)) {
    placeInMany[run] = manyTimes.size();
    manyTimes.push_back(run);
  }
}

void RunSequence::take(Slot slot) {
  const Id run = stepAt[slot];
  over -= std::max(0.0, bytesAt(slot) - limit);
  occupied[slot] = 0;
  --blocks[slot / kBlock].count;
  if (!isLoad(p, run))
    live[slot] -= static_cast<double>(p.steps[run].scratch);
  stepAt[slot] = kEmpty;
  eraseSorted(runSlots[run], slot);
  for (Id v : writesBy[run])
    eraseSorted(copySlots[v], slot);
  for (Id v : readsBy[run])
    eraseSorted(readSlots[v], slot);
  const size_t times = runSlots[run].size();
  total -= costOfAll(run, times + 1) - costOfAll(run, times);
  if (times == least(run) && placeInMany[run] != kNone) {
    Id place = placeInMany[run], last = manyTimes.back();
    manyTimes[place] = last;
    placeInMany[last] = place;
    manyTimes.pop_back();
    placeInMany[run] = kNone;
  }
}

void RunSequence::touch(Id value) {
  Id lifetime = lifetimeOf[value];
  if (isTouched[lifetime])
    return;
  isTouched[lifetime] = true;
  touched.push_back(lifetime);
}

void RunSequence::add(Id run, Slot slot) {
  put(run, slot);
  changes.push_back({run, slot, true});
}

void RunSequence::remove(Slot slot) {
  changes.push_back({stepAt[slot], slot, false});
  take(slot);
}

bool RunSequence::makes(Id run, Id value) const {
  return isLoad(p, run) ? loadedValue(p, run) == value
                        : p.values[value].producer == run;
}

size_t RunSequence::takeOut(Slot slot) {
  size_t removed = 1;
  std::vector<std::pair<Id, Slot>> sources;
  for (Id u : reads(at(slot)))
    if (Slot from = serves(u, slot); from != kStart)
      sources.emplace_back(u, from);
  remove(slot);
  for (auto [u, from] : sources) {
    // It may have gone, for another input.
    const Id maker = at(from);
    if (maker == kEmpty || !isSpare(maker) || !makes(maker, u))
      continue;
    bool needed = false;
    for (Id w : writes(maker))
      needed |= firstRead(w, from) < slots() ||
                (p.values[w].required && copiesOf(w).back() == from);
    if (!needed)
      removed += takeOut(from);
  }
  return removed;
}

bool RunSequence::inOrder(Id run) const {
  if (befores[run].empty() && afters[run].empty())
    return true;
  Slot first = runSlots[run].front();
  for (Id b : befores[run])
    if (runSlots[b].empty() || runSlots[b].front() > first)
      return false;
  for (Id a : afters[run])
    if (runSlots[a].empty() || runSlots[a].front() < first)
      return false;
  return true;
}

bool RunSequence::settle() {
  for (const Change &c : changes)
    for (const auto *list : {&readsBy[c.run], &writesBy[c.run]})
      for (Id v : *list)
        touch(v);
  if (former.size() < touched.size())
    former.resize(touched.size());
  settled = 0;
  for (const Change &c : changes)
    if (runSlots[c.run].size() < least(c.run) || !inOrder(c.run))
      return false;
  for (size_t i = 0; i < touched.size(); ++i) {
    Id v = touched[i];
    scratchSpans.clear();
    if (!spansOf(v, scratchSpans))
      return false;
    cover(v, spans[v], scratchSpans);
    former[i].swap(spans[v]);
    spans[v].swap(scratchSpans);
    ++settled;
  }
  return true;
}

void RunSequence::keep() {
  for (Id v : touched)
    isTouched[v] = false;
  touched.clear();
  changes.clear();
  settled = 0;
}

void RunSequence::undo() {
  for (size_t i = settled; i-- > 0;) {
    Id v = touched[i];
    cover(v, spans[v], former[i]);
    spans[v].swap(former[i]);
  }
  for (size_t i = changes.size(); i-- > 0;) {
    if (changes[i].added)
      take(changes[i].slot);
    else
      put(changes[i].run, changes[i].slot);
  }
  keep();
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// Replaces the spans of a lifetime, touching only the slots where they differ.
void RunSequence::cover(Id v, const std::vector<Span> &from,
                        const std::vector<Span> &to) {
  const double bytes =
      static_cast<double>(p.storages[p.values[v].storage].footprint);
  if (bytes == 0)
    return;
  size_t i = 0, j = 0;
  // Half-open: where the next change of each cover is.
  auto edge = [](const std::vector<Span> &list, size_t k) -> Slot {
    if (k / 2 >= list.size())
      return UINT32_MAX;
    return k % 2 ? list[k / 2].second + 1 : list[k / 2].first;
  };
  Slot here = 0;
  while (i < 2 * from.size() || j < 2 * to.size()) {
    Slot a = edge(from, i), b = edge(to, j), next = std::min(a, b);
    if (i % 2 != j % 2 && next > here)
      addBytes(here, next, j % 2 ? bytes : -bytes);
    here = next;
    if (a == next)
      ++i;
    if (b == next)
      ++j;
  }
}

void RunSequence::addBytes(Slot first, Slot end, double bytes) {
  while (first < end) {
    Block &block = blocks[first / kBlock];
    const Slot next = std::min<Slot>(end, (first / kBlock + 1) * kBlock);
    const bool whole = next - first == kBlock;
    const double most = block.most + std::max(0.0, bytes);
    const double least = block.least + std::min(0.0, bytes);
    if (whole && (most <= limit || least >= limit)) {
      // All stay on one side of the limit.
      block.shift += bytes;
      block.most += bytes;
      block.least += bytes;
      if (most > limit)
        over += bytes * block.count;
    } else {
      addEach(block, first, next, bytes);
    }
    first = next;
  }
}

void RunSequence::addEach(Block &block, Slot first, Slot end, double bytes) {
  // Several sums side by side: one would wait for itself. All are whole
  // numbers, so their order does not matter.
  constexpr Slot kLanes = 4;
  const double bound = limit - block.shift;
  double change[kLanes] = {}, most[kLanes], least[kLanes];
  std::fill(most, most + kLanes, -kUnbounded);
  std::fill(least, least + kLanes, kUnbounded);
  double *bytesAt = live.data();
  const double *runsAt = occupied.data();
  auto step = [&](Slot i, Slot lane) {
    double before = bytesAt[i], after = before + bytes;
    bytesAt[i] = after;
    most[lane] = after > most[lane] ? after : most[lane];
    least[lane] = after < least[lane] ? after : least[lane];
    before = before > bound ? before : bound;
    after = after > bound ? after : bound;
    change[lane] += (after - before) * runsAt[i];
  };
  Slot i = first;
  for (; i + kLanes <= end; i += kLanes)
    for (Slot lane = 0; lane < kLanes; ++lane)
      step(i + lane, lane);
  for (; i < end; ++i)
    step(i, 0);
  over += (change[0] + change[1]) + (change[2] + change[3]);
  const double high = *std::max_element(most, most + kLanes) + block.shift;
  const double low = *std::min_element(least, least + kLanes) + block.shift;
  const bool whole = end - first == kBlock;
  block.most = whole ? high : std::max(block.most, high);
  block.least = whole ? low : std::min(block.least, low);
}

RunSequence::Slot RunSequence::findOver(Slot from) const {
  if (over <= 0)
    return slots();
  // Once around, and the first block again for what stands before `from`.
  for (Slot i = 0, at = from % slots(); i < slots() + kBlock;) {
    const Slot next = std::min<Slot>(slots(), (at / kBlock + 1) * kBlock);
    if (blocks[at / kBlock].most > limit)
      for (Slot k = at; k < next; ++k)
        if (isOver(k))
          return k;
    i += next - at;
    at = next < slots() ? next : 0;
  }
  return slots();
}

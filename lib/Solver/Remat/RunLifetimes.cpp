//===- RunLifetimes.cpp - how long each copy of a value lives -------------===//

#include "RunSequence.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::kNone;

bool RunSequence::spansOf(Id v, std::vector<Span> &result) const {
  if (contents[v].size() > 1)
    return chainSpan(v, result);
  if (oneReader[v] && !followsWishes(v))
    return false;
  const game::Value &value = p.values[v];
  const std::vector<Slot> &reads = readSlots[v];
  const std::vector<Slot> &made = copySlots[v];
  const bool stays = p.storages[value.storage].pinned || value.required;
  const Slot end = slots() - 1;
  size_t read = 0;
  // The last read before `until` of a copy made at `last`.
  auto readUntil = [&](Slot until, Slot last) {
    while (read < reads.size() && reads[read] < until)
      last = reads[read++];
    return last;
  };
  if (value.producer == kNone) {
    // What is there from the start is one copy more.
    const bool isRead = !reads.empty() && (made.empty() || reads[0] < made[0]);
    if (made.empty() && stays)
      result.emplace_back(0, end);
    else if (isRead)
      result.emplace_back(0, readUntil(made.empty() ? slots() : made[0], 0));
    if (made.empty())
      return true;
  } else {
    // What is loaded was made before.
    if (made.empty() || made.front() != runSlots[value.producer].front())
      return false;
    if (!reads.empty() && reads.front() < made.front())
      return false;
  }
  for (size_t i = 0; i < made.size(); ++i) {
    const bool isLast = i + 1 == made.size();
    Slot last = readUntil(isLast ? slots() : made[i + 1], made[i]);
    result.emplace_back(made[i], isLast && stays ? end : last);
  }
  return true;
}

/// Whether no copy of `v` serves more than one reader, the end and what
/// overwrites it being some, and the copy that leaves at once serves none.
bool RunSequence::followsWishes(Id v) const {
  const std::vector<Slot> &reads = readSlots[v], &made = copySlots[v];
  const Id producer = p.values[v].producer;
  size_t read = 0;
  for (size_t i = 0; i < made.size(); ++i) {
    const bool isLast = i + 1 == made.size();
    const bool leaves = p.steps[producer].pin == game::Pin::Offload &&
                        stepAt[made[i]] == producer;
    size_t served = isLast && isUsedLast[v] ? 1 : 0;
    for (; read < reads.size() && (isLast || reads[read] < made[i + 1]); ++read)
      ++served;
    if (served > (leaves ? 0 : 1))
      return false;
  }
  return true;
}

bool RunSequence::chainSpan(Id first, std::vector<Span> &result) const {
  const std::vector<Id> &chain = contents[first];
  if (std::any_of(chain.begin(), chain.end(),
                  [&](Id v) { return oneReader[v] && !followsWishes(v); }))
    return false;
  const std::vector<Slot> &updates = copySlots[chain[1]];
  if (updates.empty())
    return false;
  std::vector<Span> copies = copySpans(first);
  const bool isMade = p.values[first].producer != kNone;
  // The first update takes over the copy that is there, with its readers.
  size_t taken = 0;
  while (taken < copies.size() && copies[taken].first < updates.front())
    ++taken;
  if (isMade && taken == 0)
    return false;
  Span &own = copies[isMade ? taken - 1 : 0];
  for (size_t i = 1; i < chain.size(); ++i) {
    const std::vector<Slot> &reads = readSlots[chain[i]];
    const std::vector<Slot> &made = copySlots[chain[i]];
    // What it replaces was made and read before, by all who do.
    if (made.empty() || made.front() < own.second ||
        (!reads.empty() && reads.front() < made.front()))
      return false;
    own.second = std::max(made.front(), reads.empty() ? 0 : reads.back());
  }
  if (p.storages[p.values[first].storage].pinned ||
      p.values[chain.back()].required)
    own.second = slots() - 1;
  // Once all that is gone, the first content may be made again.
  for (size_t i = 0; i + 1 < copies.size(); ++i)
    if (copies[i].second >= copies[i + 1].first)
      return false;
  result.insert(result.end(), copies.begin(), copies.end());
  return !isMade || readSlots[first].empty() ||
         readSlots[first].front() > copies.front().first;
}

/// The span of each copy of `v`, the one that is there at first included.
std::vector<RunSequence::Span> RunSequence::copySpans(Id v) const {
  std::vector<Span> result;
  for (Slot made : copySlots[v])
    result.emplace_back(made, made);
  if (p.values[v].producer == kNone)
    result.insert(result.begin(), Span(0, 0));
  size_t copy = 0;
  for (Slot read : readSlots[v]) {
    while (copy + 1 < result.size() && result[copy + 1].first < read)
      ++copy;
    if (!result.empty())
      result[copy].second = std::max(result[copy].second, read);
  }
  return result;
}

//===- Mail.cpp - messages between the stages of a pipeline ---------------===//

#include "Modes.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::pipeline;

Mail::Mail(const Pipeline &pipeline)
    : p(pipeline), arrivals(2 * pipeline.getSize(), kNever),
      links(2 * pipeline.stages.size()) {
  for (uint32_t batch = 0; batch < p.microBatches; ++batch) {
    arrivals[getIndex(0, batch, true)] = 0;
    arrivals[getIndex(p.stages.size() - 1, batch, false)] = 0;
  }
}

std::optional<uint32_t> Mail::getNext(uint32_t stage, bool isForward) const {
  if (isForward ? stage + 1 == p.stages.size() : stage == 0)
    return std::nullopt;
  return isForward ? stage + 1 : stage - 1;
}

std::optional<uint32_t> Mail::send(uint32_t stage, uint32_t microBatch,
                                   int64_t end, bool isForward) {
  const std::optional<uint32_t> next = getNext(stage, isForward);
  if (!next)
    return std::nullopt;
  const Stage &from = p.stages[stage];
  int64_t arrival = end;
  if (p.stages[*next].rank != from.rank) {
    int64_t &link = links[2 * size_t(stage) + isForward];
    arrival = link =
        std::max(end, link) + (isForward ? from.send : from.sendBack);
  }
  arrivals[getIndex(*next, microBatch, isForward)] = arrival;
  return next;
}

void Mail::takeBack(uint32_t stage, uint32_t microBatch, bool isForward) {
  if (const std::optional<uint32_t> next = getNext(stage, isForward))
    arrivals[getIndex(*next, microBatch, isForward)] = kNever;
}

//===- Meter.cpp - counts what is live and what was moved -----------------===//

#include "Meter.h"

#include <algorithm>

using namespace pebble::runtime;

int64_t Meter::counted(int64_t bytes) {
  if (bytes > INT64_MAX - (PEBBLE_RT_GRANULE - 1))
    return INT64_MAX;
  return (bytes + PEBBLE_RT_GRANULE - 1) / PEBBLE_RT_GRANULE *
         PEBBLE_RT_GRANULE;
}

Tier &Meter::tier(int32_t id) {
  while (tierCount() <= id) {
    Tier fresh;
    fresh.name =
        tiers.empty() ? "default" : "tier" + std::to_string(tiers.size());
    tiers.push_back(std::move(fresh));
  }
  return tiers[id];
}

int32_t Meter::addTier(std::string name, int64_t capacity,
                       pebble_rt_backing backing) {
  Tier fresh;
  fresh.name = std::move(name);
  fresh.capacity = capacity;
  fresh.backing = backing;
  tiers.push_back(std::move(fresh));
  return tierCount() - 1;
}

bool Meter::add(int32_t id, int64_t bytes, std::string &error) {
  Tier &t = tier(id);
  int64_t size = counted(bytes);
  if (size > t.capacity - t.live) {
    error = "tier '" + t.name + "' is full: capacity " +
            std::to_string(t.capacity) + " bytes, live " +
            std::to_string(t.live) + " bytes, requested " +
            std::to_string(size) + " bytes";
    return false;
  }
  t.live += size;
  t.peak = std::max(t.peak, t.live);
  return true;
}

void Meter::reach(int32_t id, int64_t end) {
  Tier &t = tier(id);
  t.extent = std::max(t.extent, end);
}

void Meter::remove(int32_t id, int64_t bytes) {
  tier(id).live -= counted(bytes);
}

void Meter::move(int32_t from, int32_t to, int64_t bytes) {
  if (from != to)
    moves[{from, to}] += bytes;
}

int64_t Meter::moved(int32_t from, int32_t to) const {
  auto it = moves.find({from, to});
  return it == moves.end() ? 0 : it->second;
}

void Meter::record(bool on, int64_t newLimit) {
  recording = on;
  limit = newLimit;
  if (!on)
    return;
  timeline.clear();
  dropped = 0;
  start = std::chrono::steady_clock::now();
}

void Meter::note(pebble_rt_event_kind kind, int32_t id, int32_t from,
                 int64_t buffer, int64_t bytes, Interval moved, int64_t stall) {
  if (!recording)
    return;
  if (static_cast<int64_t>(timeline.size()) >= limit) {
    ++dropped;
    return;
  }
  auto sinceStart = [&](std::chrono::steady_clock::time_point time) -> int64_t {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time - start)
        .count();
  };
  pebble_rt_event event = {};
  event.nanoseconds = sinceStart(std::chrono::steady_clock::now());
  if (moved.end != std::chrono::steady_clock::time_point()) {
    event.begin = sinceStart(moved.begin);
    event.end = sinceStart(moved.end);
  }
  event.queued = moved.isQueued;
  event.stall = stall;
  event.kind = kind;
  event.tier = id;
  event.from = from;
  event.buffer = buffer;
  event.bytes = bytes;
  event.live = tier(id).live;
  timeline.push_back(event);
}

void Meter::reset() {
  for (Tier &t : tiers) {
    t.peak = t.live;
    t.extent = 0;
  }
  moves.clear();
  compression = {};
  transferNs = 0;
  stallNs = 0;
  timeline.clear();
  dropped = 0;
}

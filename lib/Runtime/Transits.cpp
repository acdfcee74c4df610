//===- Transits.cpp - messages that are under way -------------------------===//

#include "Transits.h"

#include <algorithm>
#include <deque>
#include <map>
#include <thread>
#include <vector>

using namespace pebble::runtime;

namespace {
constexpr const char *kPace = "the pace of messages";

int64_t inNanoseconds(Clock::duration time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

int64_t readClock() { return inNanoseconds(Clock::now().time_since_epoch()); }

/// What goes over one kind of link.
struct Link {
  int64_t sentBytes = 0;
  /// Until when something was under way, of what was waited for.
  Clock::time_point used;
  /// With a pace: when it is free again.
  int64_t free = 0;
  /// Started, in this order, and not known since when it could go.
  std::deque<TransitRef> waiting;
};

struct Traffic {
  std::mutex mutex;
  pebble_mpi_router router = nullptr;
  bool isPaced = false;
  std::map<int64_t, Link> links;
  int64_t underWay = 0, stalled = 0;
  bool isRecording = false;
  int64_t limit = 0, dropped = 0;
  Clock::time_point recordedFrom;
  std::vector<pebble_mpi_event> events;
  /// By communicator: where its ranks tell each other the time. Messages of the
  /// program must not meet those.
  std::map<MPI_Comm, MPI_Comm> clocks;
};

Traffic &traffic() {
  static Traffic theTraffic;
  return theTraffic;
}

/// Clocks of several hosts differ.
void checkHosts() {
  MPI_Comm host = MPI_COMM_NULL;
  callMpi(kPace, MPI_Comm_split_type, MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0,
          MPI_INFO_NULL, &host);
  int here = 0, all = 0;
  callMpi(kPace, MPI_Comm_size, host, &here);
  callMpi(kPace, MPI_Comm_size, MPI_COMM_WORLD, &all);
  callMpi(kPace, MPI_Comm_free, &host);
  if (here != all)
    fail(kPace, "ranks are on several hosts, whose clocks differ");
}

MPI_Comm getClock(MPI_Comm comm) {
  Traffic &t = traffic();
  std::lock_guard<std::mutex> lock(t.mutex);
  auto found = t.clocks.find(comm);
  if (found == t.clocks.end())
    fail(kPace, "this communicator was made before messages had a pace");
  return found->second;
}

TransitRef start(const char *name, const pebble_mpi_passage &what) {
  Traffic &t = traffic();
  auto transit = std::make_shared<Transit>();
  transit->name = name;
  transit->bytes = what.bytes;
  if (t.router) {
    transit->route = t.router(&what);
    std::lock_guard<std::mutex> lock(t.mutex);
    if (what.is_sent)
      t.links[transit->route.link].sentBytes += what.bytes;
  }
  transit->isPaced = t.router && t.isPaced;
  transit->begin = Clock::now();
  transit->ready = inNanoseconds(transit->begin.time_since_epoch());
  return transit;
}

/// Lets all that could go before `last`, which could, go over their link, in
/// the order in which they were started. Nobody waits here for whoever is not
/// there yet: that one may wait for this rank.
void settle(Link &link, const Transit &last) {
  std::deque<TransitRef> left;
  bool isBefore = true;
  for (TransitRef &transit : link.waiting) {
    int isTold = isBefore;
    if (isBefore && transit.get() != &last) {
      std::lock_guard<std::mutex> call(getCallMutex());
      check(MPI_Test(&transit->told, &isTold, MPI_STATUS_IGNORE),
            transit->name);
    }
    isBefore &= transit.get() != &last;
    if (!isTold) {
      left.push_back(transit);
      continue;
    }
    link.free =
        std::max(link.free, transit->ready) + transit->route.nanoseconds;
    transit->gone = link.free;
  }
  link.waiting = std::move(left);
}

/// Sleeps most of the time and looks at the clock for the rest: a sleeper is
/// woken late.
void waitUntil(int64_t time) {
  constexpr int64_t kLate = 100000;
  const int64_t left = time - readClock();
  if (left > kLate)
    std::this_thread::sleep_for(std::chrono::nanoseconds(left - kLate));
  while (readClock() < time)
    std::this_thread::yield();
}

void keepPace(Transit &transit) {
  callMpi(kPace, MPI_Wait, &transit.told, MPI_STATUS_IGNORE);
  Traffic &t = traffic();
  {
    std::lock_guard<std::mutex> lock(t.mutex);
    if (!transit.gone)
      settle(t.links[transit.route.link], transit);
  }
  waitUntil(transit.gone);
  transit.end = Clock::time_point(std::chrono::nanoseconds(transit.gone));
  transit.begin =
      transit.end - std::chrono::nanoseconds(transit.route.nanoseconds);
}
} // namespace

TransitRef pebble::runtime::startTogether(const char *name,
                                          const pebble_mpi_passage &what,
                                          MPI_Comm comm) {
  TransitRef transit = start(name, what);
  if (!transit->isPaced)
    return transit;
  // It begins when the last one has come.
  callMpi(name, MPI_Iallreduce, MPI_IN_PLACE, &transit->ready, 1, MPI_INT64_T,
          MPI_MAX, comm, &transit->told);
  Traffic &t = traffic();
  std::lock_guard<std::mutex> lock(t.mutex);
  t.links[transit->route.link].waiting.push_back(transit);
  return transit;
}

TransitRef pebble::runtime::startMessage(const char *name, int64_t bytes,
                                         bool isSent, int peer, int tag,
                                         MPI_Comm comm) {
  const int64_t known = comm == MPI_COMM_WORLD ? peer : -1;
  TransitRef transit =
      start(name, {PEBBLE_MPI_MESSAGE, bytes, isSent, 0, 0, known});
  if (!transit->isPaced)
    return transit;
  if (!isSent) {
    callMpi(name, MPI_Irecv, &transit->ready, 1, MPI_INT64_T, peer, tag,
            getClock(comm), &transit->told);
    return transit;
  }
  {
    Traffic &t = traffic();
    std::lock_guard<std::mutex> lock(t.mutex);
    Link &link = t.links[transit->route.link];
    transit->ready = std::max(link.free, transit->ready);
    transit->gone = link.free = transit->ready + transit->route.nanoseconds;
  }
  callMpi(name, MPI_Isend, &transit->ready, 1, MPI_INT64_T, peer, tag,
          getClock(comm), &transit->told);
  return transit;
}

void pebble::runtime::finish(Transit &transit, Clock::time_point since) {
  if (transit.end == Clock::time_point())
    transit.end = Clock::now();
  if (transit.isPaced)
    keepPace(transit);
  const Clock::time_point waited = Clock::now();
  const int64_t stall = inNanoseconds(waited - since);
  Traffic &t = traffic();
  std::lock_guard<std::mutex> lock(t.mutex);
  // With a pace, nothing on a link is beside something else. Else what queues
  // behind others does not count twice.
  Clock::time_point &used = t.links[transit.route.link].used;
  const Clock::time_point begin =
      transit.isPaced ? transit.begin : std::max(transit.begin, used);
  t.underWay += std::max<int64_t>(0, inNanoseconds(transit.end - begin));
  used = std::max(used, transit.end);
  t.stalled += stall;
  if (!t.isRecording)
    return;
  if (static_cast<int64_t>(t.events.size()) >= t.limit) {
    ++t.dropped;
    return;
  }
  t.events.push_back({transit.name, transit.route.link, transit.bytes,
                      inNanoseconds(transit.begin - t.recordedFrom),
                      inNanoseconds(transit.end - t.recordedFrom),
                      inNanoseconds(waited - t.recordedFrom), stall});
}

void pebble::runtime::addClock(MPI_Comm comm) {
  Traffic &t = traffic();
  if (!t.isPaced)
    return;
  MPI_Comm made = MPI_COMM_NULL;
  callMpi(kPace, MPI_Comm_dup, comm, &made);
  std::lock_guard<std::mutex> lock(t.mutex);
  t.clocks[comm] = made;
}

void pebble_mpi_set_router(pebble_mpi_router router, int32_t is_paced) {
  Traffic &t = traffic();
  t.router = router;
  t.isPaced = is_paced != 0;
  if (!is_paced)
    return;
  pebble_mpi_init();
  checkHosts();
  addClock(MPI_COMM_WORLD);
}

void pebble_mpi_reset_times(void) {
  Traffic &t = traffic();
  std::lock_guard<std::mutex> lock(t.mutex);
  t.underWay = t.stalled = 0;
  for (auto &link : t.links)
    link.second.sentBytes = 0;
}

int64_t pebble_mpi_sent_over(int64_t link) {
  Traffic &t = traffic();
  std::lock_guard<std::mutex> lock(t.mutex);
  auto found = t.links.find(link);
  return found == t.links.end() ? 0 : found->second.sentBytes;
}

int64_t pebble_mpi_message_ns(void) { return traffic().underWay; }

int64_t pebble_mpi_stall_ns(void) { return traffic().stalled; }

void pebble_mpi_record(int32_t on, int64_t limit) {
  Traffic &t = traffic();
  std::lock_guard<std::mutex> lock(t.mutex);
  t.isRecording = on != 0;
  t.limit = limit;
  if (!on)
    return;
  t.events.clear();
  t.dropped = 0;
  t.recordedFrom = Clock::now();
}

int64_t pebble_mpi_events(const struct pebble_mpi_event **events) {
  *events = traffic().events.data();
  return static_cast<int64_t>(traffic().events.size());
}

int64_t pebble_mpi_dropped_events(void) { return traffic().dropped; }

//===- Mpi.cpp - messages of compiled programs ----------------------------===//

#include "pebble/Runtime/Mpi.h"

#include "Transits.h"

#include <algorithm>
#include <climits>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

using namespace pebble::runtime;

namespace {
/// A transfer that was not waited for.
struct Open {
  MPI_Request request;
  TransitRef transit;
  /// What a receive is to bring; nothing for a send.
  std::optional<Units> units;
  /// Of one that is over.
  MPI_Status status;
};

struct State {
  std::mutex mutex;
  std::vector<MPI_Comm> comms;
  /// By first rank, size and stride.
  std::map<std::tuple<int64_t, int64_t, int64_t>, MPI_Comm> groups;
  std::map<int64_t, Open> requests;
  int64_t nextRequest = 1;
  int64_t sentBytes = 0;
};

State &state() {
  static State theState;
  return theState;
}

/// Messages come on while somebody calls MPI. While the program computes, this
/// thread does, as long as something is under way. It sees when that is over.
class Helper {
public:
  /// Called with the mutex of the state.
  void wake() {
    if (!thread.joinable())
      thread = std::thread([this] { run(); });
    changed.notify_one();
  }

  void stop() {
    {
      std::lock_guard<std::mutex> lock(state().mutex);
      isOver = true;
    }
    changed.notify_one();
    if (thread.joinable())
      thread.join();
  }

private:
  static bool isUnderWay(const std::pair<const int64_t, Open> &open) {
    return open.second.request != MPI_REQUEST_NULL;
  }

  void run() {
    std::unique_lock<std::mutex> lock(state().mutex);
    auto &requests = state().requests;
    while (true) {
      changed.wait(lock, [&] {
        return isOver ||
               std::any_of(requests.begin(), requests.end(), isUnderWay);
      });
      if (isOver)
        return;
      for (auto &open : requests)
        if (isUnderWay(open))
          test(open.second);
      lock.unlock();
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      lock.lock();
    }
  }

  static void test(Open &open) {
    std::lock_guard<std::mutex> call(getCallMutex());
    int isDone = 0;
    check(MPI_Test(&open.request, &isDone, &open.status), open.transit->name);
    if (isDone)
      open.transit->end = Clock::now();
  }

  std::thread thread;
  std::condition_variable changed;
  bool isOver = false;
};

Helper &helper() {
  // Never destroyed: a process that is told to end may still be in it.
  static auto *theHelper = new Helper;
  return *theHelper;
}

int getRank() {
  int rank = 0;
  int isThere = 0;
  MPI_Initialized(&isThere);
  if (isThere)
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

MPI_Comm getComm(int64_t comm, const char *what) {
  std::lock_guard<std::mutex> lock(state().mutex);
  if (comm < 1 || static_cast<size_t>(comm) > state().comms.size())
    fail(what, "MPI has not been started (mpi.init)");
  return state().comms[static_cast<size_t>(comm) - 1];
}

/// What MPI promises of the largest tag that programs may use.
constexpr int kPromised = 32767;

/// The largest tags make groups.
struct TagRange {
  int largest, count;
};

TagRange getKeptTags() {
  constexpr int kMost = 16384;
  int isKnown = 0;
  int *bound = nullptr;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void *>(&bound),
                    &isKnown);
  const int largest = isKnown ? *bound : kPromised;
  return {largest, std::clamp(largest - kPromised, 1, kMost)};
}

void checkTag(int32_t tag, const char *what) {
  TagRange kept;
  {
    std::lock_guard<std::mutex> call(getCallMutex());
    kept = getKeptTags();
  }
  const int most = std::max(kPromised, kept.largest - kept.count);
  if (tag >= 0 && tag <= most)
    return;
  const std::string why = "the tag " + std::to_string(tag) +
                          " is none of 0 to " + std::to_string(most);
  fail(what, why.c_str());
}

/// MPI ends with the process. Where that ends with an error, the others may
/// wait for it, and it would wait for them: so all of them end.
void finish(int status, void *) {
  int isOver = 0;
  MPI_Finalized(&isOver);
  if (isOver)
    return;
  if (status != 0) {
    std::fprintf(stderr,
                 "pebble: rank %d ends with an error, and all others with it\n",
                 getRank());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, status);
  }
  helper().stop();
  MPI_Finalize();
}

void finishAtExit() {
#ifdef __GLIBC__
  on_exit(finish, nullptr);
#else
  // Here nobody says whether it is an error.
  std::atexit([] { finish(0, nullptr); });
#endif
}
} // namespace

void pebble::runtime::fail(const char *what, const char *why) {
  std::fprintf(stderr, "pebble: rank %d: %s: %s\n", getRank(), what, why);
  std::fflush(stderr);
  int isThere = 0;
  MPI_Initialized(&isThere);
  if (isThere)
    MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);
}

void pebble::runtime::check(int code, const char *what) {
  if (code == MPI_SUCCESS)
    return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  fail(what, text);
}

std::mutex &pebble::runtime::getCallMutex() {
  static std::mutex theMutex;
  return theMutex;
}

int64_t pebble::runtime::addRequest(MPI_Request request, TransitRef transit,
                                    std::optional<Units> units) {
  std::lock_guard<std::mutex> lock(state().mutex);
  state().requests[state().nextRequest] = {
      request, std::move(transit), units, {}};
  helper().wake();
  return state().nextRequest++;
}

int pebble::runtime::getCount(int64_t count, const char *what) {
  if (count < 0 || count > INT_MAX) {
    const std::string why = "the message has " + std::to_string(count) +
                            " elements, and MPI counts to " +
                            std::to_string(INT_MAX);
    fail(what, why.c_str());
  }
  return static_cast<int>(count);
}

Units pebble::runtime::getUnits(int64_t bytes, const char *what) {
  for (int32_t size = 1; bytes > INT_MAX && size < 8; size *= 2)
    if (bytes % (size * 2) == 0 && bytes / (size * 2) <= INT_MAX)
      return {getType(size * 16, PEBBLE_MPI_INTEGER),
              static_cast<int>(bytes / (size * 2))};
  return {MPI_BYTE, getCount(bytes, what)};
}

void pebble::runtime::addSent(int64_t bytes) {
  std::lock_guard<std::mutex> lock(state().mutex);
  state().sentBytes += bytes;
}

MPI_Datatype pebble::runtime::getType(int32_t bits, int32_t kind) {
  if (kind == PEBBLE_MPI_FLOAT)
    return bits == 32 ? MPI_FLOAT : bits == 64 ? MPI_DOUBLE : MPI_DATATYPE_NULL;
  switch (bits) {
  case 8:
    return MPI_INT8_T;
  case 16:
    return MPI_INT16_T;
  case 32:
    return MPI_INT32_T;
  case 64:
    return MPI_INT64_T;
  default:
    return MPI_DATATYPE_NULL;
  }
}

MPI_Op pebble::runtime::getOp(int32_t op) {
  switch (op) {
  case 1:
    return MPI_MAX;
  case 2:
    return MPI_MIN;
  case 3:
    return MPI_SUM;
  case 4:
    return MPI_PROD;
  default:
    return MPI_OP_NULL;
  }
}

MPI_Comm pebble::runtime::getGroup(int64_t first, int64_t size, int64_t stride,
                                   const char *what) {
  std::lock_guard<std::mutex> lock(state().mutex);
  MPI_Comm &comm = state()
                       .groups.try_emplace({first, size, stride}, MPI_COMM_NULL)
                       .first->second;
  if (comm != MPI_COMM_NULL)
    return comm;
  std::vector<int> ranks;
  for (int64_t i = 0; i < size; ++i)
    ranks.push_back(static_cast<int>(first + i * stride));
  MPI_Group world, group;
  std::lock_guard<std::mutex> call(getCallMutex());
  check(MPI_Comm_group(MPI_COMM_WORLD, &world), what);
  check(MPI_Group_incl(world, static_cast<int>(size), ranks.data(), &group),
        what);
  // The members alone take part, so a group waits for no other one. The tag
  // keeps the groups apart that a rank is in. Open MPI makes them by messages
  // with it, which must not meet those of the program.
  const TagRange kept = getKeptTags();
  check(MPI_Comm_create_group(
            MPI_COMM_WORLD, group,
            kept.largest - static_cast<int>(stride % kept.count), &comm),
        what);
  MPI_Group_free(&world);
  MPI_Group_free(&group);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

int32_t pebble_mpi_init(void) {
  int isThere = 0;
  MPI_Initialized(&isThere);
  if (!isThere) {
    int provided = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided) !=
        MPI_SUCCESS)
      fail("mpi.init", "MPI does not start");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    finishAtExit();
  }
  std::lock_guard<std::mutex> lock(state().mutex);
  if (state().comms.empty())
    state().comms.push_back(MPI_COMM_WORLD);
  return 0;
}

int32_t pebble_mpi_finalize(void) {
  if (pebble_mpi_open_requests() > 0)
    fail("mpi.finalize", "a request was not waited for");
  return 0;
}

int64_t pebble_mpi_comm_world(void) { return 1; }

int32_t pebble_mpi_comm_rank(int64_t comm) {
  int rank = 0;
  callMpi("mpi.comm_rank", MPI_Comm_rank, getComm(comm, "mpi.comm_rank"),
          &rank);
  return rank;
}

int32_t pebble_mpi_comm_size(int64_t comm) {
  int size = 0;
  callMpi("mpi.comm_size", MPI_Comm_size, getComm(comm, "mpi.comm_size"),
          &size);
  return size;
}

int64_t pebble_mpi_comm_split(int64_t comm, int32_t color, int32_t key) {
  MPI_Comm made = MPI_COMM_NULL;
  callMpi("mpi.comm_split", MPI_Comm_split, getComm(comm, "mpi.comm_split"),
          color, key, &made);
  MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  addClock(made);
  std::lock_guard<std::mutex> lock(state().mutex);
  state().comms.push_back(made);
  return static_cast<int64_t>(state().comms.size());
}

int32_t pebble_mpi_send(void *data, int64_t bytes, int32_t tag, int32_t rank,
                        int64_t comm) {
  constexpr const char *kName = "mpi.send";
  checkTag(tag, kName);
  const Units units = getUnits(bytes, kName);
  addSent(bytes);
  TransitRef transit =
      startMessage(kName, bytes, true, rank, tag, getComm(comm, kName));
  callMpi(kName, MPI_Send, data, units.count, units.type, rank, tag,
          getComm(comm, kName));
  finish(*transit, transit->begin);
  return 0;
}

/// What came must be what the buffer holds.
static void checkReceived(MPI_Status &status, Units units, const char *what) {
  int received = 0;
  MPI_Get_count(&status, units.type, &received);
  if (received != units.count)
    fail(what, "the message is smaller than the buffer");
}

int32_t pebble_mpi_recv(void *data, int64_t bytes, int32_t tag, int32_t rank,
                        int64_t comm) {
  constexpr const char *kName = "mpi.recv";
  checkTag(tag, kName);
  const Units units = getUnits(bytes, kName);
  TransitRef transit =
      startMessage(kName, bytes, false, rank, tag, getComm(comm, kName));
  MPI_Status status;
  callMpi(kName, MPI_Recv, data, units.count, units.type, rank, tag,
          getComm(comm, kName), &status);
  checkReceived(status, units, kName);
  finish(*transit, transit->begin);
  return 0;
}

int64_t pebble_mpi_isend(void *data, int64_t bytes, int32_t tag, int32_t rank,
                         int64_t comm) {
  constexpr const char *kName = "mpi.isend";
  checkTag(tag, kName);
  const Units units = getUnits(bytes, kName);
  addSent(bytes);
  TransitRef transit =
      startMessage(kName, bytes, true, rank, tag, getComm(comm, kName));
  MPI_Request request;
  callMpi(kName, MPI_Isend, data, units.count, units.type, rank, tag,
          getComm(comm, kName), &request);
  return addRequest(request, std::move(transit));
}

int64_t pebble_mpi_irecv(void *data, int64_t bytes, int32_t tag, int32_t rank,
                         int64_t comm) {
  constexpr const char *kName = "mpi.irecv";
  checkTag(tag, kName);
  const Units units = getUnits(bytes, kName);
  TransitRef transit =
      startMessage(kName, bytes, false, rank, tag, getComm(comm, kName));
  MPI_Request request;
  callMpi(kName, MPI_Irecv, data, units.count, units.type, rank, tag,
          getComm(comm, kName), &request);
  return addRequest(request, std::move(transit), units);
}

void pebble::runtime::finishRequest(int64_t number, const char *what) {
  const Clock::time_point since = Clock::now();
  Open waited;
  {
    std::lock_guard<std::mutex> lock(state().mutex);
    auto found = state().requests.find(number);
    if (found == state().requests.end())
      fail(what, "this request was waited for before");
    waited = found->second;
    state().requests.erase(found);
  }
  if (waited.request != MPI_REQUEST_NULL)
    callMpi(what, MPI_Wait, &waited.request, &waited.status);
  if (waited.units)
    checkReceived(waited.status, *waited.units, what);
  finish(*waited.transit, since);
}

int32_t pebble_mpi_wait(int64_t request) {
  finishRequest(request, "mpi.wait");
  return 0;
}

int32_t pebble_mpi_allreduce(void *from, void *to, int64_t count, int32_t bits,
                             int32_t kind, int32_t op, int64_t comm) {
  constexpr const char *kName = "mpi.allreduce";
  MPI_Datatype type = getType(bits, kind);
  if (type == MPI_DATATYPE_NULL || getOp(op) == MPI_OP_NULL)
    fail(kName, "not on elements of this type");
  const int elements = getCount(count, kName);
  const int64_t bytes = count * bits / 8;
  addSent(bytes);
  const void *source = from == to ? MPI_IN_PLACE : from;
  constexpr int64_t kAllReduce = 0;
  TransitRef transit = startTogether(kName, {kAllReduce, bytes, 1, 0, 1, 0},
                                     getComm(comm, kName));
  callMpi(kName, MPI_Allreduce, source, to, elements, type, getOp(op),
          getComm(comm, kName));
  finish(*transit, transit->begin);
  return 0;
}

int32_t pebble_mpi_barrier(int64_t comm) {
  constexpr const char *kName = "mpi.barrier";
  TransitRef transit = startTogether(kName, {PEBBLE_MPI_BARRIER, 0, 0, 0, 1, 0},
                                     getComm(comm, kName));
  callMpi(kName, MPI_Barrier, getComm(comm, kName));
  finish(*transit, transit->begin);
  return 0;
}

int64_t pebble_mpi_sent_bytes(void) {
  std::lock_guard<std::mutex> lock(state().mutex);
  return state().sentBytes;
}

int64_t pebble_mpi_open_requests(void) {
  std::lock_guard<std::mutex> lock(state().mutex);
  return static_cast<int64_t>(state().requests.size());
}

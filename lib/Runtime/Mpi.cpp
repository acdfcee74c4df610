//===- Mpi.cpp - messages of compiled programs ----------------------------===//

#include "pebble/Runtime/Mpi.h"

#include "MpiState.h"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

using namespace pebble::runtime;

namespace {
/// A transfer that was not waited for.
struct Open {
  MPI_Request request;
  /// What a receive is to bring; nothing for a send.
  std::optional<int64_t> bytes;
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

int64_t addRequest(MPI_Request request, std::optional<int64_t> bytes) {
  std::lock_guard<std::mutex> lock(state().mutex);
  state().requests[state().nextRequest] = {request, bytes};
  return state().nextRequest++;
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

int pebble::runtime::getCount(int64_t count, const char *what) {
  if (count < 0 || count > INT_MAX)
    fail(what, "the message has more than 2147483647 elements");
  return static_cast<int>(count);
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
  check(MPI_Comm_group(MPI_COMM_WORLD, &world), what);
  check(MPI_Group_incl(world, static_cast<int>(size), ranks.data(), &group),
        what);
  // The members alone take part, so a group waits for no other one. The tag
  // keeps the groups apart that a rank is in.
  check(MPI_Comm_create_group(MPI_COMM_WORLD, group,
                              static_cast<int>(stride % 16384), &comm),
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
  check(MPI_Comm_rank(getComm(comm, "mpi.comm_rank"), &rank), "mpi.comm_rank");
  return rank;
}

int32_t pebble_mpi_comm_size(int64_t comm) {
  int size = 0;
  check(MPI_Comm_size(getComm(comm, "mpi.comm_size"), &size), "mpi.comm_size");
  return size;
}

int64_t pebble_mpi_comm_split(int64_t comm, int32_t color, int32_t key) {
  MPI_Comm made = MPI_COMM_NULL;
  check(MPI_Comm_split(getComm(comm, "mpi.comm_split"), color, key, &made),
        "mpi.comm_split");
  MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  std::lock_guard<std::mutex> lock(state().mutex);
  state().comms.push_back(made);
  return static_cast<int64_t>(state().comms.size());
}

int32_t pebble_mpi_send(void *data, int64_t bytes, int32_t tag, int32_t rank,
                        int64_t comm) {
  addSent(bytes);
  check(MPI_Send(data, getCount(bytes, "mpi.send"), MPI_BYTE, rank, tag,
                 getComm(comm, "mpi.send")),
        "mpi.send");
  return 0;
}

/// What came must be what the buffer holds.
static void checkReceived(MPI_Status &status, int64_t bytes, const char *what) {
  int received = 0;
  MPI_Get_count(&status, MPI_BYTE, &received);
  if (received != bytes)
    fail(what, "the message is smaller than the buffer");
}

int32_t pebble_mpi_recv(void *data, int64_t bytes, int32_t tag, int32_t rank,
                        int64_t comm) {
  MPI_Status status;
  check(MPI_Recv(data, getCount(bytes, "mpi.recv"), MPI_BYTE, rank, tag,
                 getComm(comm, "mpi.recv"), &status),
        "mpi.recv");
  checkReceived(status, bytes, "mpi.recv");
  return 0;
}

int64_t pebble_mpi_isend(void *data, int64_t bytes, int32_t tag, int32_t rank,
                         int64_t comm) {
  addSent(bytes);
  MPI_Request request;
  check(MPI_Isend(data, getCount(bytes, "mpi.isend"), MPI_BYTE, rank, tag,
                  getComm(comm, "mpi.isend"), &request),
        "mpi.isend");
  return addRequest(request, std::nullopt);
}

int64_t pebble_mpi_irecv(void *data, int64_t bytes, int32_t tag, int32_t rank,
                         int64_t comm) {
  MPI_Request request;
  check(MPI_Irecv(data, getCount(bytes, "mpi.irecv"), MPI_BYTE, rank, tag,
                  getComm(comm, "mpi.irecv"), &request),
        "mpi.irecv");
  return addRequest(request, bytes);
}

int32_t pebble_mpi_wait(int64_t request) {
  Open waited;
  {
    std::lock_guard<std::mutex> lock(state().mutex);
    auto found = state().requests.find(request);
    if (found == state().requests.end())
      fail("mpi.wait", "this request was waited for before");
    waited = found->second;
    state().requests.erase(found);
  }
  MPI_Status status;
  check(MPI_Wait(&waited.request, &status), "mpi.wait");
  if (waited.bytes)
    checkReceived(status, *waited.bytes, "mpi.wait");
  return 0;
}

int32_t pebble_mpi_allreduce(void *from, void *to, int64_t count, int32_t bits,
                             int32_t kind, int32_t op, int64_t comm) {
  MPI_Datatype type = getType(bits, kind);
  if (type == MPI_DATATYPE_NULL || getOp(op) == MPI_OP_NULL)
    fail("mpi.allreduce", "not on elements of this type");
  addSent(count * bits / 8);
  check(MPI_Allreduce(from == to ? MPI_IN_PLACE : from, to,
                      getCount(count, "mpi.allreduce"), type, getOp(op),
                      getComm(comm, "mpi.allreduce")),
        "mpi.allreduce");
  return 0;
}

int32_t pebble_mpi_barrier(int64_t comm) {
  check(MPI_Barrier(getComm(comm, "mpi.barrier")), "mpi.barrier");
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

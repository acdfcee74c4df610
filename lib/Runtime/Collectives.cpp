//===- Collectives.cpp - what ranks of a program do together --------------===//

#include "pebble/Runtime/Mpi.h"

#include "Transits.h"

#include <cstring>
#include <string>
#include <vector>

using namespace pebble::runtime;

namespace {
enum Kind { AllReduce, AllGather, ReduceScatter, AllSlice, Broadcast };
constexpr const char *kNames[] = {"all_reduce", "all_gather", "reduce_scatter",
                                  "all_slice", "broadcast"};

struct Call {
  Kind kind;
  char *from, *to;
  int64_t count, bytes;
  MPI_Datatype type;
  MPI_Op op;
  int64_t group, rows;
  /// This rank in its group.
  int64_t number;
  MPI_Comm comm;
  const char *name;
};

/// The elements as MPI moves them, where it need not know what they mean.
Units getMoved(const Call &call) {
  const MPI_Datatype type =
      getType(static_cast<int32_t>(call.bytes * 8), PEBBLE_MPI_INTEGER);
  if (type == MPI_DATATYPE_NULL)
    return getUnits(call.count * call.bytes, call.name);
  return {type, getCount(call.count, call.name)};
}

/// Parts of `part` elements, of which the next one in memory is that of another
/// member: one for each row. Freed when it goes.
class Rows {
public:
  Rows(const Call &call, Units moved) {
    std::lock_guard<std::mutex> lock(getCallMutex());
    const int64_t part = moved.count / call.rows;
    MPI_Datatype rows;
    check(MPI_Type_vector(
              getCount(call.rows, call.name), getCount(part, call.name),
              getCount(part * call.group, call.name), moved.type, &rows),
          call.name);
    check(MPI_Type_create_resized(rows, 0, call.count * call.bytes / call.rows,
                                  &type),
          call.name);
    MPI_Type_free(&rows);
    check(MPI_Type_commit(&type), call.name);
  }
  /// What is under way keeps it.
  ~Rows() {
    std::lock_guard<std::mutex> lock(getCallMutex());
    MPI_Type_free(&type);
  }
  Rows(const Rows &) = delete;
  Rows &operator=(const Rows &) = delete;
  MPI_Datatype type;
};

/// Ends at once, or, where it has somewhere to put a request, only starts.
void gather(const Call &call, MPI_Request *request) {
  if (call.count == 0)
    return;
  const Units moved = getMoved(call);
  const Rows rows(call, moved);
  if (request)
    callMpi(call.name, MPI_Iallgather, call.from, moved.count, moved.type,
            call.to, 1, rows.type, call.comm, request);
  else
    callMpi(call.name, MPI_Allgather, call.from, moved.count, moved.type,
            call.to, 1, rows.type, call.comm);
}

void slice(const Call &call) {
  if (call.count == 0)
    return;
  const int64_t row = call.count * call.bytes / call.rows;
  const int64_t part = row / call.group;
  for (int64_t i = 0; i < call.rows; ++i)
    std::memcpy(call.to + i * part, call.from + i * row + call.number * part,
                static_cast<size_t>(part));
}

void broadcast(const Call &call, MPI_Request *request) {
  const Units moved = getMoved(call);
  if (call.from != call.to && call.number == call.rows)
    std::memcpy(call.to, call.from,
                static_cast<size_t>(call.count * call.bytes));
  const int root = static_cast<int>(call.rows);
  if (request)
    callMpi(call.name, MPI_Ibcast, call.to, moved.count, moved.type, root,
            call.comm, request);
  else
    callMpi(call.name, MPI_Bcast, call.to, moved.count, moved.type, root,
            call.comm);
}

void reduce(const Call &call, MPI_Request *request) {
  const void *from = call.from == call.to ? MPI_IN_PLACE : call.from;
  const int count = getCount(call.count, call.name);
  if (request)
    callMpi(call.name, MPI_Iallreduce, from, call.to, count, call.type, call.op,
            call.comm, request);
  else
    callMpi(call.name, MPI_Allreduce, from, call.to, count, call.type, call.op,
            call.comm);
}

void reduceScatter(const Call &call, MPI_Request *request) {
  const int count = getCount(call.count / call.group, call.name);
  if (request)
    callMpi(call.name, MPI_Ireduce_scatter_block, call.from, call.to, count,
            call.type, call.op, call.comm, request);
  else
    callMpi(call.name, MPI_Reduce_scatter_block, call.from, call.to, count,
            call.type, call.op, call.comm);
}

void run(const Call &call, MPI_Request *request) {
  switch (call.kind) {
  case AllReduce:
    return reduce(call, request);
  case AllGather:
    return gather(call, request);
  case ReduceScatter:
    return reduceScatter(call, request);
  case AllSlice:
    return slice(call);
  case Broadcast:
    return broadcast(call, request);
  }
}

/// The first of the group that `rank` is in.
int64_t getFirst(int64_t rank, int64_t group, int64_t stride) {
  return rank - rank / stride % group * stride;
}

Call makeCall(int64_t kind, void *from, void *to, int64_t count, int64_t bits,
              int64_t is_float, int64_t reduction, int64_t group,
              int64_t stride, int64_t ranks, int64_t rows) {
  const char *name = kNames[kind];
  pebble_mpi_init();
  const int64_t world = pebble_mpi_comm_world();
  const int64_t rank = pebble_mpi_comm_rank(world);
  const int64_t size = pebble_mpi_comm_size(world);
  if (size != ranks) {
    const std::string why = "the program is for " + std::to_string(ranks) +
                            " ranks, and " + std::to_string(size) +
                            " were started";
    fail(name, why.c_str());
  }
  Call call{static_cast<Kind>(kind),
            static_cast<char *>(from),
            static_cast<char *>(to),
            count,
            bits / 8,
            getType(static_cast<int32_t>(bits), static_cast<int32_t>(is_float)),
            getOp(static_cast<int32_t>(reduction)),
            group,
            rows,
            rank / stride % group,
            MPI_COMM_NULL,
            name};
  if (call.kind != AllSlice)
    call.comm = getGroup(getFirst(rank, group, stride), group, stride, name);
  return call;
}

/// Notes what this rank puts in, and that it is under way.
TransitRef start(const Call &call, int64_t stride) {
  const bool isSent = call.kind != Broadcast || call.number == call.rows;
  const int64_t bytes = call.count * call.bytes;
  if (isSent)
    addSent(bytes);
  return startTogether(
      call.name, {call.kind, bytes, isSent, call.group, stride, call.rows},
      call.comm);
}
} // namespace

void pebble_mpi_collective(int64_t kind, void *from, void *to, int64_t count,
                           int64_t bits, int64_t is_float, int64_t reduction,
                           int64_t group, int64_t stride, int64_t ranks,
                           int64_t rows) {
  const Call call = makeCall(kind, from, to, count, bits, is_float, reduction,
                             group, stride, ranks, rows);
  if (call.kind == AllSlice)
    return slice(call);
  TransitRef transit = start(call, stride);
  run(call, nullptr);
  finish(*transit, transit->begin);
}

int64_t pebble_mpi_collective_start(int64_t kind, void *from, void *to,
                                    int64_t count, int64_t bits,
                                    int64_t is_float, int64_t reduction,
                                    int64_t group, int64_t stride,
                                    int64_t ranks, int64_t rows) {
  const Call call = makeCall(kind, from, to, count, bits, is_float, reduction,
                             group, stride, ranks, rows);
  MPI_Request request = MPI_REQUEST_NULL;
  if (call.kind == AllSlice) {
    slice(call);
    return addRequest(request, std::make_shared<Transit>());
  }
  TransitRef transit = start(call, stride);
  run(call, &request);
  return addRequest(request, std::move(transit));
}

void pebble_mpi_collective_wait(int64_t request) {
  finishRequest(request, "the wait for a collective");
}

void pebble_mpi_gather(int64_t number, int64_t *all) {
  pebble_mpi_init();
  callMpi("what all ranks compare", MPI_Allgather, &number, 1, MPI_INT64_T, all,
          1, MPI_INT64_T, MPI_COMM_WORLD);
}

void pebble_mpi_gather_text(const char *data, int64_t bytes,
                            void (*take)(void *argument, int64_t rank,
                                         const char *data, int64_t bytes),
                            void *argument) {
  constexpr const char *kName = "what all ranks say";
  pebble_mpi_init();
  const int64_t world = pebble_mpi_comm_world();
  const int32_t rank = pebble_mpi_comm_rank(world);
  const int32_t ranks = pebble_mpi_comm_size(world);
  constexpr int kTag = 0;
  if (rank != 0) {
    callMpi(kName, MPI_Send, &bytes, 1, MPI_INT64_T, 0, kTag, MPI_COMM_WORLD);
    const Units units = getUnits(bytes, kName);
    callMpi(kName, MPI_Send, data, units.count, units.type, 0, kTag,
            MPI_COMM_WORLD);
    return;
  }
  take(argument, 0, data, bytes);
  for (int32_t other = 1; other < ranks; ++other) {
    int64_t size = 0;
    callMpi(kName, MPI_Recv, &size, 1, MPI_INT64_T, other, kTag, MPI_COMM_WORLD,
            MPI_STATUS_IGNORE);
    std::vector<char> text(static_cast<size_t>(size));
    const Units units = getUnits(size, kName);
    callMpi(kName, MPI_Recv, text.data(), units.count, units.type, other, kTag,
            MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    take(argument, other, text.data(), size);
  }
}

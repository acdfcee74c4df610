//===- Collectives.cpp - what ranks of a program do together --------------===//

#include "pebble/Runtime/Mpi.h"

#include "MpiState.h"

#include <cstring>
#include <string>

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

/// Parts of `part` bytes, of which the next one in memory is that of another
/// member: one for each row. Freed when it goes.
class Rows {
public:
  Rows(const Call &call, int64_t part) {
    MPI_Datatype rows;
    check(MPI_Type_vector(
              getCount(call.rows, call.name), getCount(part, call.name),
              getCount(part * call.group, call.name), MPI_BYTE, &rows),
          call.name);
    check(MPI_Type_create_resized(rows, 0, part, &type), call.name);
    MPI_Type_free(&rows);
    check(MPI_Type_commit(&type), call.name);
  }
  ~Rows() { MPI_Type_free(&type); }
  Rows(const Rows &) = delete;
  Rows &operator=(const Rows &) = delete;
  MPI_Datatype type;
};

void gather(const Call &call) {
  const int64_t all = call.count * call.bytes;
  if (all == 0)
    return;
  const Rows rows(call, all / call.rows);
  check(MPI_Allgather(call.from, getCount(all, call.name), MPI_BYTE, call.to, 1,
                      rows.type, call.comm),
        call.name);
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

void broadcast(const Call &call) {
  const auto bytes = static_cast<size_t>(call.count * call.bytes);
  if (call.from != call.to && call.number == call.rows)
    std::memcpy(call.to, call.from, bytes);
  check(MPI_Bcast(call.to, getCount(call.count * call.bytes, call.name),
                  MPI_BYTE, static_cast<int>(call.rows), call.comm),
        call.name);
}

void run(const Call &call) {
  switch (call.kind) {
  case AllReduce:
    return check(MPI_Allreduce(call.from == call.to ? MPI_IN_PLACE : call.from,
                               call.to, getCount(call.count, call.name),
                               call.type, call.op, call.comm),
                 call.name);
  case AllGather:
    return gather(call);
  case ReduceScatter:
    return check(
        MPI_Reduce_scatter_block(call.from, call.to,
                                 getCount(call.count / call.group, call.name),
                                 call.type, call.op, call.comm),
        call.name);
  case AllSlice:
    return slice(call);
  case Broadcast:
    return broadcast(call);
  }
}

/// The first of the group that `rank` is in.
int64_t getFirst(int64_t rank, int64_t group, int64_t stride) {
  return rank - rank / stride % group * stride;
}
} // namespace

void pebble_mpi_collective(int64_t kind, void *from, void *to, int64_t count,
                           int64_t bits, int64_t is_float, int64_t reduction,
                           int64_t group, int64_t stride, int64_t ranks,
                           int64_t rows) {
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
  if (call.kind != AllSlice) {
    call.comm = getGroup(getFirst(rank, group, stride), group, stride, name);
    if (call.kind != Broadcast || call.number == call.rows)
      addSent(count * call.bytes);
  }
  run(call);
}

void pebble_mpi_gather(int64_t number, int64_t *all) {
  pebble_mpi_init();
  check(MPI_Allgather(&number, 1, MPI_INT64_T, all, 1, MPI_INT64_T,
                      MPI_COMM_WORLD),
        "what all ranks compare");
}

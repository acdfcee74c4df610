//===- MpiState.h - what calls of MPI share ---------------------*- C++ -*-===//

#ifndef PEBBLE_LIB_RUNTIME_MPISTATE_H
#define PEBBLE_LIB_RUNTIME_MPISTATE_H

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

namespace pebble::runtime {

/// Ends all ranks, with a message that names this one.
[[noreturn]] void fail(const char *what, const char *why);

/// Ends all ranks where `code` is an error.
void check(int code, const char *what);

/// Held while MPI is called: one thread at a time.
std::mutex &getCallMutex();

/// Calls a function of MPI, and ends all ranks where it fails.
template <typename... Parameters, typename... Arguments>
void callMpi(const char *what, int (*function)(Parameters...),
             Arguments... arguments) {
  std::lock_guard<std::mutex> lock(getCallMutex());
  check(function(arguments...), what);
}

struct Transit;

/// What MPI counts in: a message has `count` elements of `type`.
struct Units {
  MPI_Datatype type;
  int count;
};

/// Bytes, or larger units where there are too many of them. Ends all ranks
/// where there are too many of any.
Units getUnits(int64_t bytes, const char *what);

/// Notes what was started, and gives it a number; `units` is what a receive is
/// to bring. From now on somebody looks after it.
int64_t addRequest(MPI_Request request, std::shared_ptr<Transit> transit,
                   std::optional<Units> units = std::nullopt);

/// Waits for what was started.
void finishRequest(int64_t number, const char *what);

/// MPI counts in int. Ends all ranks where there are more elements than that.
int getCount(int64_t count, const char *what);

void addSent(int64_t bytes);

/// MPI_DATATYPE_NULL and MPI_OP_NULL where there is none.
MPI_Datatype getType(int32_t bits, int32_t kind);
MPI_Op getOp(int32_t op);

/// The communicator of the ranks `first`, `first` + `stride`, ...; made when
/// all of them first ask for it.
MPI_Comm getGroup(int64_t first, int64_t size, int64_t stride,
                  const char *what);

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_MPISTATE_H

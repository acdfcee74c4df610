//===- Mpi.h - messages of compiled programs --------------------*- C++ -*-===//
//
// What operations of the mpi dialect become: calls that look the same for every
// MPI library. `libpebble_mpi` is built where an MPI library is found, and
// linked to it; nothing else in Pebble knows one.
//
// Communicators and requests are numbers. An address is that of the first
// element of a dense buffer. Whatever goes wrong ends all ranks, with a message
// that names the rank and the operation; so each function that MPI has return a
// code returns 0 (MPI_SUCCESS).
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_RUNTIME_MPI_H
#define PEBBLE_RUNTIME_MPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PEBBLE_MPI_EXPORT __attribute__((visibility("default")))

/// How elements are added and compared. Of 8, 16, 32 or 64 bits.
enum pebble_mpi_kind { PEBBLE_MPI_INTEGER = 0, PEBBLE_MPI_FLOAT = 1 };

/// Starts MPI, if the process has not done so.
PEBBLE_MPI_EXPORT int32_t pebble_mpi_init(void);
/// Ends the program's use of MPI. MPI itself ends with the process, so that a
/// program can run twice.
PEBBLE_MPI_EXPORT int32_t pebble_mpi_finalize(void);
PEBBLE_MPI_EXPORT int64_t pebble_mpi_comm_world(void);
PEBBLE_MPI_EXPORT int32_t pebble_mpi_comm_rank(int64_t comm);
PEBBLE_MPI_EXPORT int32_t pebble_mpi_comm_size(int64_t comm);
PEBBLE_MPI_EXPORT int64_t pebble_mpi_comm_split(int64_t comm, int32_t color,
                                                int32_t key);
PEBBLE_MPI_EXPORT int32_t pebble_mpi_send(void *data, int64_t bytes,
                                          int32_t tag, int32_t rank,
                                          int64_t comm);
PEBBLE_MPI_EXPORT int32_t pebble_mpi_recv(void *data, int64_t bytes,
                                          int32_t tag, int32_t rank,
                                          int64_t comm);
/// The buffer must not be touched before pebble_mpi_wait() of the request.
PEBBLE_MPI_EXPORT int64_t pebble_mpi_isend(void *data, int64_t bytes,
                                           int32_t tag, int32_t rank,
                                           int64_t comm);
PEBBLE_MPI_EXPORT int64_t pebble_mpi_irecv(void *data, int64_t bytes,
                                           int32_t tag, int32_t rank,
                                           int64_t comm);
PEBBLE_MPI_EXPORT int32_t pebble_mpi_wait(int64_t request);
/// `op`: the number of MLIR's enum (MPI_MAX 1, MPI_MIN 2, MPI_SUM 3,
/// MPI_PROD 4). `from` and `to` may be one buffer.
PEBBLE_MPI_EXPORT int32_t pebble_mpi_allreduce(void *from, void *to,
                                               int64_t count, int32_t bits,
                                               int32_t kind, int32_t op,
                                               int64_t comm);
PEBBLE_MPI_EXPORT int32_t pebble_mpi_barrier(int64_t comm);

/// What `pebble.collective` becomes; kinds and reductions have its numbers.
/// `count` elements go in. Ranks are in groups of `group`, `stride` apart.
/// `rows` is how many rows of parts lie behind each other, or the root of a
/// broadcast. Ends all ranks where another number than `ranks` was started.
PEBBLE_MPI_EXPORT void pebble_mpi_collective(int64_t kind, void *from, void *to,
                                             int64_t count, int64_t bits,
                                             int64_t is_float,
                                             int64_t reduction, int64_t group,
                                             int64_t stride, int64_t ranks,
                                             int64_t rows);

/// The same, but goes on at once. Until pebble_mpi_collective_wait() of the
/// request that it gives, `from` must not be written and `to` not be touched. A
/// thread of the library looks after messages while the program computes.
PEBBLE_MPI_EXPORT int64_t pebble_mpi_collective_start(
    int64_t kind, void *from, void *to, int64_t count, int64_t bits,
    int64_t is_float, int64_t reduction, int64_t group, int64_t stride,
    int64_t ranks, int64_t rows);
PEBBLE_MPI_EXPORT void pebble_mpi_collective_wait(int64_t request);

/// Fills `all`, which has room for all ranks, with the number of each. All
/// ranks must call it.
PEBBLE_MPI_EXPORT void pebble_mpi_gather(int64_t number, int64_t *all);

/// Bytes that this rank has handed to sends since the process began. An
/// all-reduce counts its buffer once, and a collective what goes in; of a
/// broadcast that is nothing but on the root.
PEBBLE_MPI_EXPORT int64_t pebble_mpi_sent_bytes(void);
/// Requests that were not waited for.
PEBBLE_MPI_EXPORT int64_t pebble_mpi_open_requests(void);

#ifdef __cplusplus
}
#endif

#endif // PEBBLE_RUNTIME_MPI_H

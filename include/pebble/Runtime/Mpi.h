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
/// Hands the `bytes` of each rank to rank 0, which gets those of rank r with
/// `take(argument, r, data, bytes)`. All ranks must call it.
PEBBLE_MPI_EXPORT void pebble_mpi_gather_text(
    const char *data, int64_t bytes,
    void (*take)(void *argument, int64_t rank, const char *data, int64_t bytes),
    void *argument);

/// Bytes that this rank has handed to sends since the process began. An
/// all-reduce counts its buffer once, and a collective what goes in; of a
/// broadcast that is nothing but on the root.
PEBBLE_MPI_EXPORT int64_t pebble_mpi_sent_bytes(void);
/// Requests that were not waited for.
PEBBLE_MPI_EXPORT int64_t pebble_mpi_open_requests(void);

/*--- What lies between ranks ------------------------------------------------*/

/// The kinds of a passage: those of `pebble.collective`, and these.
enum { PEBBLE_MPI_MESSAGE = -1, PEBBLE_MPI_BARRIER = -2 };

/// A message, or what ranks do together.
struct pebble_mpi_passage {
  int64_t kind;
  int64_t bytes;   ///< that this rank puts in
  int32_t is_sent; ///< whether they count as sent by this rank
  /// As for pebble_mpi_collective(); a group of 0 is that of a communicator.
  int64_t group, stride;
  int64_t root; ///< of a message: the other rank, -1 if that is not known
};
/// Over which kind of link it goes, numbered from 0, and how long it takes.
struct pebble_mpi_route {
  int64_t link;
  int64_t nanoseconds;
};
typedef struct pebble_mpi_route (*pebble_mpi_router)(
    const struct pebble_mpi_passage *what);

/// Who knows that; null: nobody, as at first. With a pace, nothing is faster
/// than said: what ranks do together begins when the last of them has come, a
/// message when it is sent, and what goes over one kind of link goes one after
/// the other. Then all ranks must call it before the program runs, and all of
/// them must be on one host.
PEBBLE_MPI_EXPORT void pebble_mpi_set_router(pebble_mpi_router router,
                                             int32_t is_paced);

/// Of what this rank has sent, the bytes that went over links of this kind.
PEBBLE_MPI_EXPORT int64_t pebble_mpi_sent_over(int64_t link);
/// The first is for how long messages or collectives were under way, on each
/// kind of link, in nanoseconds. The second is for how long the program stood
/// still for them. Only those that were waited for count.
PEBBLE_MPI_EXPORT int64_t pebble_mpi_message_ns(void);
PEBBLE_MPI_EXPORT int64_t pebble_mpi_stall_ns(void);
/// Sets these three to 0.
PEBBLE_MPI_EXPORT void pebble_mpi_reset_times(void);

/// One message, or one thing that ranks did together.
struct pebble_mpi_event {
  const char *name;
  int64_t link; ///< -1 if nobody knows
  int64_t bytes;
  /// When it was started and over, and when the program went on that had waited
  /// for it, in nanoseconds since recording began; and for how long it stood
  /// still until then.
  int64_t begin, end, waited, stall;
};
/// As pebble_rt_record(), for messages.
PEBBLE_MPI_EXPORT void pebble_mpi_record(int32_t on, int64_t limit);
PEBBLE_MPI_EXPORT int64_t
pebble_mpi_events(const struct pebble_mpi_event **events);
PEBBLE_MPI_EXPORT int64_t pebble_mpi_dropped_events(void);

#ifdef __cplusplus
}
#endif

#endif // PEBBLE_RUNTIME_MPI_H

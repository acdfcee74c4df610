/*===- Runtime.h - tiers, copies and the meter ----------------*- C -*-===*
 *
 * Compiled Pebble programs call this library. Every buffer of such a program
 * comes from pebble_rt_alloc and goes back through pebble_rt_free. So the meter
 * knows to the byte what is live in which tier. Every transfer between tiers
 * goes through pebble_rt_copy or a start/wait pair. So the meter knows what was
 * moved.
 *
 * Boundary: no LLVM and no MLIR, C++17 behind a C interface. The library is
 * libpebble_runtime.so. pebble-run loads it into its own process. Programs that
 * were compiled ahead of time link to it.
 *
 * An allocation counts as its bytes rounded up to PEBBLE_RT_GRANULE. An empty
 * one counts as nothing. A transfer counts its bytes as they are. All functions
 * may be called from any thread.
 *
 * Errors. Compiled code cannot unwind. An error inside a call made through
 * pebble_rt_call leaves the compiled code at once (longjmp), and pebble_rt_call
 * returns 1. The message is then in pebble_rt_error(). Other errors print the
 * message on stderr and end the process with status 1: those outside such a
 * call, and those on another thread than the one that made it. Nothing aborts.
 *
 *===----------------------------------------------------------------------===*/

#ifndef PEBBLE_RUNTIME_RUNTIME_H
#define PEBBLE_RUNTIME_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Sizes are rounded up to this many bytes, and buffers aligned to it. */
#define PEBBLE_RT_GRANULE 64
/** A tier without a limit. */
#define PEBBLE_RT_UNBOUNDED INT64_MAX

/** What stands behind a tier: the process's memory, or a file per buffer in the
 * directory set by pebble_rt_set_slow_dir. The addresses of a buffer that is a
 * file can be reckoned with, copied from and copied to, but not touched. */
enum pebble_rt_backing { PEBBLE_RT_MEMORY = 0, PEBBLE_RT_FILE = 1 };

/** How values are kept in fewer bytes, without loss. PEBBLE_RT_BITMASK keeps a
 * bit for each element, and the elements that are not zero in every bit.
 * PEBBLE_RT_BITS keeps the bits alone, of a value in which each element is
 * exactly 0 or 1. */
enum pebble_rt_codec { PEBBLE_RT_BITMASK = 1, PEBBLE_RT_BITS = 2 };

/*--- Tiers ------------------------------------------------------------------*/

/** Adds a tier and returns its id: 0, 1, 2, ... in the order of the calls.
 * `capacity` is in bytes. A program may use an id that nobody has added. That
 * tier is then unbounded and in memory, and id 0 is named "default". */
int32_t pebble_rt_add_tier(const char *name, int64_t capacity,
                           enum pebble_rt_backing backing);
/** Number of tiers known so far. */
int32_t pebble_rt_tier_count(void);
/** Name of a tier; stays valid until pebble_rt_reset_all. */
const char *pebble_rt_tier_name(int32_t tier);
/** What stands behind a tier. */
enum pebble_rt_backing pebble_rt_tier_backing(int32_t tier);
/** Sets the tier of pebble_rt_malloc, 0 unless set. */
void pebble_rt_set_compute_tier(int32_t tier);
/** Directory for the files of file tiers; "" (the default) takes TMPDIR. The
 * files stand in a directory of their own within it. Error while a buffer is a
 * file. */
void pebble_rt_set_slow_dir(const char *directory);
/** Makes that directory now and not with the first file. Returns 0, or 1 and
 * the reason in pebble_rt_error(); raises nothing. */
int pebble_rt_open_slow_dir(void);
/** Bytes that it has room for; -1 if that is not known. */
int64_t pebble_rt_slow_dir_free_bytes(void);
/** Removes all files of file tiers and their directory. At the end of the
 * process they go by themselves, also after an error. A handler of a fatal
 * signal may call this. The buffers in the files are lost. */
void pebble_rt_remove_files(void);
/** Slows transfers to and from `tier` down to `latency` nanoseconds and
 * `bandwidth` bytes per microsecond. So this machine can behave like a slower
 * one that is planned for. 0 and 0: transfers are as fast as they can be. */
void pebble_rt_set_pace(int32_t tier, int64_t bandwidth, int64_t latency);

/*--- Buffers and transfers --------------------------------------------------*/

/** A fresh buffer of `bytes` bytes in `tier`, aligned to PEBBLE_RT_GRANULE and
 * never NULL. Error if the tier's capacity would overflow. */
void *pebble_rt_alloc(int32_t tier, int64_t bytes);
/** The same, aligned to `alignment`, a power of two. It counts as its bytes,
 * and not for what the alignment costs. Error where the tier has no such
 * addresses: those of files are aligned to 4096. */
void *pebble_rt_alloc_aligned(int32_t tier, int64_t alignment, int64_t bytes);
/** Bytes that a slot for a compressed value of `elements` elements of `width`
 * bytes reserves: for PEBBLE_RT_BITMASK with room for `density_percent` of 100
 * elements that are not zero, and never more than the value takes as it is. -1
 * if that makes no sense. */
int64_t pebble_rt_compressed_bytes(enum pebble_rt_codec codec, int64_t elements,
                                   int32_t width, int32_t density_percent);
/** A fresh buffer of `count` values that are kept compressed. Each has
 * `elements` elements of `width` bytes (1, 2, 4 or 8). The buffer counts as
 * `count` times pebble_rt_compressed_bytes. `one` is the bit pattern of the
 * element 1, for PEBBLE_RT_BITS. The buffer has `count * elements * width`
 * addresses, which can be reckoned with, but not touched. Copies reach it,
 * value by value and each as a whole. They count the bytes that are moved,
 * which depend on the data.
 *
 * A value that does not fit into its slot is kept as it is, in a dense slot
 * beside it. That slot counts until the next store to that place, or until the
 * end of the buffer. If the tier has no room for it, the store is an error. */
void *pebble_rt_alloc_compressed(int32_t tier, int64_t count, int64_t elements,
                                 int32_t width, enum pebble_rt_codec codec,
                                 int32_t density_percent, uint64_t one);

/*--- Planned addresses --------------------------------------------------------
 * A plan says at which offset of one block of a tier each buffer lies. A call
 * of a planned function enters a block and leaves it. A driver may place its
 * arguments where the function expects them. It reserves the block before. */

/** Makes a block of `extent` bytes ready in `tier`, in which nothing lies. It
 * takes what this thread places outside of planned functions from now on. Error
 * if it exceeds the tier's capacity or there is no memory. */
void pebble_rt_reserve(int32_t tier, int64_t extent);
/** A planned function says where in `tier` it expects an argument, before it
 * enters the block. The argument may be elsewhere: that is no error. */
void pebble_rt_expect_at(int32_t tier, int64_t offset, const void *buffer);
/** Begins a call of a planned function: its placements go to a block of
 * `extent` bytes. The runtime takes a block in which the arguments lie where
 * they are expected, and nothing else lies. If there is none, it makes a fresh
 * one. Errors are those of pebble_rt_reserve. */
void pebble_rt_enter(int32_t tier, int64_t extent);
/** Ends the innermost call in `tier` of this thread. What was placed stays. */
void pebble_rt_leave(int32_t tier);
/** A fresh buffer at exactly this offset of the block that this thread entered
 * last, or reserved. It is a buffer like any other and ends by pebble_rt_free.
 * An empty one takes no place. Error if the offset is no multiple of
 * PEBBLE_RT_GRANULE, if the buffer would reach beyond the block, or if it would
 * overlap a live one. */
void *pebble_rt_alloc_at(int32_t tier, int64_t offset, int64_t bytes);
/** The same for values that are kept compressed, as by
 * pebble_rt_alloc_compressed. Their slots lie there. A dense slot beside one of
 * them lies outside of the block. */
void *pebble_rt_alloc_compressed_at(int32_t tier, int64_t offset, int64_t count,
                                    int64_t elements, int32_t width,
                                    enum pebble_rt_codec codec,
                                    int32_t density_percent, uint64_t one);

/** Ends a buffer. NULL is ignored. Error if `buffer` is not the start of a live
 * buffer (freed twice, or never allocated), or a transfer still uses it. */
void pebble_rt_free(void *buffer);
/** Says what value a buffer holds: errors name it. */
void pebble_rt_name(void *buffer, const char *name);
/** Copies between memory of the caller and any part of a buffer, in memory or
 * in a file. Drivers use it for arguments and results. Counts nothing. Errors
 * of the file are raised. */
void pebble_rt_write(void *to, const void *from, int64_t bytes);
void pebble_rt_read(void *to, const void *from, int64_t bytes);
/** Stand-ins for malloc, aligned_alloc and free of code that was not compiled
 * by Pebble: they allocate in the compute tier. */
void *pebble_rt_malloc(uint64_t bytes);
void *pebble_rt_aligned_alloc(uint64_t alignment, uint64_t bytes);

/** Copies `bytes` bytes; the two ranges may not overlap unless they are equal.
 * Counted as moved if the tiers differ. */
void pebble_rt_copy(int32_t destination_tier, int32_t source_tier,
                    void *destination, const void *source, int64_t bytes);
/** Counts `bytes` as moved. For copies that the program makes by loads and
 * stores of its own. */
void pebble_rt_count_move(int32_t destination_tier, int32_t source_tier,
                          int64_t bytes);
/** Starts a copy and returns its token. A thread of the runtime makes the
 * copies in the order in which they were started. A short copy is made at once,
 * where the thread would take longer to begin. Until pebble_rt_wait(token)
 * returns the source may not be written and the destination may not be
 * touched. */
int64_t pebble_rt_copy_start(int32_t destination_tier, int32_t source_tier,
                             void *destination, const void *source,
                             int64_t bytes);
/** Waits for a copy. Error if the token is unknown or was waited for, or if not
 * every byte arrived: the source is then as it was. */
void pebble_rt_wait(int64_t token);
/** Off: a copy is made before pebble_rt_copy_start returns, so that nothing
 * runs beside it. On at first. */
void pebble_rt_set_overlap(int32_t on);

/*--- Running ----------------------------------------------------------------*/

/** Calls function(argument); returns 0, or 1 after an error (see above). Calls
 * may nest. */
int pebble_rt_call(void (*function)(void *), void *argument);
/** The message of the last error, "" if there was none since the last reset. */
const char *pebble_rt_error(void);
/** Raises an error with this message, as the runtime's own errors are raised.
 */
void pebble_rt_fail(const char *message);

/** Says in a line on stderr that `dimension` is over the `bound` that the plan
 * of `function` rests on, and that `fallback` runs. Both names end with a zero.
 * Functions that were planned for dynamic dimensions call it. It never fails.
 */
void pebble_rt_note_fallback(const char *function, const char *fallback,
                             int64_t dimension, int64_t bound);

/*--- The meter --------------------------------------------------------------*/

/** Bytes live now, and the most that were live at one time. */
int64_t pebble_rt_live_bytes(int32_t tier);
int64_t pebble_rt_peak_bytes(int32_t tier);
/** The highest end of a placement made in `tier`, counted from the start of its
 * block; a block that was made beside others begins where they end. 0 if
 * nothing was placed. */
int64_t pebble_rt_extent_bytes(int32_t tier);
/** Bytes moved from one tier to another. */
int64_t pebble_rt_moved_bytes(int32_t from, int32_t to);
/** The first is the time of transfers between tiers, in nanoseconds, from first
 * to last byte of each. The second is the part of it for which the program
 * stood still, in a wait or in a copy. Only transfers that were waited for
 * count. */
int64_t pebble_rt_transfer_ns(void);
int64_t pebble_rt_stall_ns(void);
/** What became of transfers to and from compressed buffers. */
struct pebble_rt_compression {
  int64_t stores;      /**< values stored */
  int64_t loads;       /**< values loaded */
  int64_t dense_bytes; /**< what these transfers would move of the values */
  int64_t moved_bytes; /**< what they moved */
  int64_t fallbacks;   /**< stores that took a dense slot */
};
void pebble_rt_compression_counts(struct pebble_rt_compression *counts);
/** 1 if `buffer` is the start of a live buffer. */
int32_t pebble_rt_is_live(const void *buffer);
/** Number of buffers live and transfers not waited for. */
int64_t pebble_rt_live_count(void);
/** Checks that no buffer is live and no transfer open. Returns 0 if so.
 * Otherwise it returns 1, and pebble_rt_error() lists what is left. Raises
 * nothing. */
int pebble_rt_check_leaks(void);
/** Fills fresh buffers, and buffers about to be freed, with a pattern. A
 * program that reads such bytes then shows it in its results. */
void pebble_rt_set_poison(int32_t on);
/** Fills fresh buffers with zeros. A program that reads bytes before it writes
 * them then gives the same results every time. Poison has precedence. */
void pebble_rt_set_clear(int32_t on);

/** Says that the operation with this number begins, or is done. It only adds an
 * event to the timeline. The caller knows what the number means. The pass
 * pebble-trace-operations writes these calls. */
void pebble_rt_begin_operation(int64_t number);
void pebble_rt_end_operation(int64_t number);

/** One event of the timeline. */
enum pebble_rt_event_kind {
  PEBBLE_RT_ALLOC = 0,
  PEBBLE_RT_FREE = 1,
  PEBBLE_RT_COPY = 2,
  PEBBLE_RT_START = 3,
  PEBBLE_RT_WAIT = 4,
  PEBBLE_RT_BEGIN = 5, /**< an operation of the program begins */
  PEBBLE_RT_END = 6    /**< it is done */
};
struct pebble_rt_event {
  int64_t nanoseconds; /**< since recording began */
  int32_t kind;        /**< a pebble_rt_event_kind */
  int32_t tier;        /**< of the buffer, or the destination of a copy; the
                            compute tier, for an operation */
  int32_t from;        /**< source tier of a copy, -1 otherwise */
  int32_t queued;      /**< 1: a wait for a transfer that was made beside the
                            program, in the order of starts */
  int64_t buffer;      /**< number of the buffer (in order of allocation), the
                            transfer's token, or the operation's number */
  int64_t bytes;       /**< as asked for */
  int64_t live;        /**< bytes live in `tier` after the event */
  /** Of a copy, or the transfer that a wait was for: when its first and its
   * last byte moved, in nanoseconds since recording began. Otherwise 0. */
  int64_t begin;
  int64_t end;
  int64_t stall; /**< nanoseconds for which this event held up the program */
};
/** Turns recording on (and clears what was recorded) or off. At most `limit`
 * events are kept. */
void pebble_rt_record(int32_t on, int64_t limit);
/** How many events came after the limit, since recording began. */
int64_t pebble_rt_dropped_events(void);
/** The events recorded so far; valid until the next call into the runtime. */
int64_t pebble_rt_events(const struct pebble_rt_event **events);

/** Forgets peaks, moves, times, events and the last error; live buffers and
 * tiers stay, and the peak starts from what is live. */
void pebble_rt_reset_meter(void);
/** Frees every buffer and forgets everything, tiers included. */
void pebble_rt_reset_all(void);

#ifdef __cplusplus
}
#endif

#endif /* PEBBLE_RUNTIME_RUNTIME_H */

/*===- Journal.h - snapshots of a program that may be killed --*- C -*-===*
 *
 * A program that was killed goes on where its journal says. The journal is a
 * directory of snapshots; each is one file that holds the values of one loop
 * after some of its iterations. It is whole at every moment: a snapshot is
 * written under another name, synced, renamed, and the directory synced.
 *
 * Kept are the two newest snapshots and the one at the end of each earlier loop
 * that they rest on. A snapshot that is cut short or damaged is not used: the
 * newest whole one is, and a line on stderr says so.
 *
 * The driver opens the journal before the program runs and closes it after; in
 * between compiled code calls the functions below "Loops". Without a journal
 * those do nothing.
 *
 *===----------------------------------------------------------------------===*/

#ifndef PEBBLE_RUNTIME_JOURNAL_H
#define PEBBLE_RUNTIME_JOURNAL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes that say which program, with which inputs, a journal is of. */
#define PEBBLE_RT_IDENTITY_BYTES 32

/*--- For drivers ------------------------------------------------------------*/

/** Opens the journal in `directory`, which is made where it is not there, and
 * holds it until it is closed or the process ends: no other process may open
 * it. With `resume` the program is to go on from the newest whole snapshot, if
 * there is one; without, a snapshot of an earlier run is an error. So is one of
 * another `identity`. What a killed run left beside its snapshots is removed.
 * Returns 0, or 1 and the reason in pebble_rt_error(); raises nothing. */
int pebble_rt_journal_open(const char *directory, const uint8_t *identity,
                           int resume);
/** Has pebble_rt_journal_open() pass over snapshots after `done` iterations of
 * `loop`, and over those of later loops: a process goes no further than others
 * that it works with. A loop of -1: over all. */
void pebble_rt_journal_last(int64_t loop, int64_t done);
/** Closes it. With `finished` the journal is removed: the program has ended and
 * its results are safe. Otherwise it goes only if it holds no snapshot. */
void pebble_rt_journal_close(int finished);

/** What became of the journal of this run. */
struct pebble_rt_journal {
  int64_t snapshots;      /**< taken */
  int64_t bytes;          /**< of the values in them */
  int64_t failed;         /**< that could not be written */
  int64_t nanoseconds;    /**< that the program stood still for them */
  int64_t resumed_loop;   /**< the loop that goes on, or -1 */
  int64_t resumed_done;   /**< its iterations that are done */
  int64_t restored_bytes; /**< of values read from snapshots */
};
void pebble_rt_journal_counts(struct pebble_rt_journal *counts);

/** What one loop took in this run. */
struct pebble_rt_journal_loop {
  int64_t iterations;  /**< that ran */
  int64_t nanoseconds; /**< that they took, without snapshots */
  int64_t snapshots;   /**< taken */
  int64_t snapshot_ns; /**< that those took */
};
void pebble_rt_journal_times(int64_t loop, struct pebble_rt_journal_loop *took);

/*--- Loops --------------------------------------------------------------------
 * Loops are numbered in the order in which they run. Each runs once. */

/** Begins a loop: returns how many of its iterations are done. Error if it is
 * reached twice. */
int64_t pebble_rt_journal_enter(int64_t loop);
/** Fills value number `number` of a loop that goes on, or is over, from its
 * snapshot; otherwise leaves it as it is. Comes before the loop's first
 * iteration. Error if the snapshot has it not, or in another size. */
void pebble_rt_journal_restore(int64_t loop, int64_t number, void *buffer,
                               int64_t bytes);
/** The same for a number in 64 bits: returns it, or what it is given. */
int64_t pebble_rt_journal_restore_number(int64_t loop, int64_t number,
                                         int64_t bits);
/** Says that `done` of `total` iterations are done. A snapshot of `count`
 * values is due every `every` iterations before the last and, with `last`,
 * after the last. Where one is due it is taken of what is put until the end. */
void pebble_rt_journal_begin(int64_t loop, int64_t done, int64_t total,
                             int64_t every, int64_t last, int64_t count);
void pebble_rt_journal_put(const void *buffer, int64_t bytes);
void pebble_rt_journal_put_number(int64_t bits);
/** Ends the snapshot, if one is being taken. One that cannot be written is told
 * of in a line on stderr; the one before stays, and the program goes on. */
void pebble_rt_journal_end(void);

#ifdef __cplusplus
}
#endif

#endif /* PEBBLE_RUNTIME_JOURNAL_H */

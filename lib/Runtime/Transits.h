//===- Transits.h - messages that are under way -----------------*- C++ -*-===//
//
// How long messages take, over which links they go, and for how long the
// program stands still for them. Where messages have a pace, each takes as long
// as the topology says: from when all who take part are there, or from when it
// was sent, one behind the other on each kind of link. For that ranks tell each
// other the time, so they have to be on one host.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_RUNTIME_TRANSITS_H
#define PEBBLE_LIB_RUNTIME_TRANSITS_H

#include "MpiState.h"

#include "pebble/Runtime/Mpi.h"

#include <chrono>
#include <memory>

namespace pebble::runtime {

using Clock = std::chrono::steady_clock;

/// A message, or what ranks do together, from its start to its end.
struct Transit {
  const char *name = "";
  int64_t bytes = 0;
  pebble_mpi_route route = {-1, 0};
  /// When this rank started it, and when somebody saw that it was over; with a
  /// pace, when it was on its link.
  Clock::time_point begin, end;
  /// With a pace: since when it could go, on the clock of the host, and the
  /// request that brings this number to the others, or from them.
  int64_t ready = 0;
  MPI_Request told = MPI_REQUEST_NULL;
  /// With a pace: when it has gone over its link; 0 if that is not known yet.
  int64_t gone = 0;
  bool isPaced = false;
};
using TransitRef = std::shared_ptr<Transit>;

/// What this rank does together with the others of `comm`.
TransitRef startTogether(const char *name, const pebble_mpi_passage &what,
                         MPI_Comm comm);

/// A message of `bytes` to or from `peer` of `comm`.
TransitRef startMessage(const char *name, int64_t bytes, bool isSent, int peer,
                        int tag, MPI_Comm comm);

/// To be called when MPI is through with it. With a pace, waits until it has
/// gone over its link. `since`: from when on the program stood still for it.
void finish(Transit &transit, Clock::time_point since);

/// Messages of `comm` have a pace as well, where others have. All its ranks
/// must call it.
void addClock(MPI_Comm comm);

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_TRANSITS_H

//===- Repeat.h - runs that go on from each other ---------------*- C++ -*-===//
//
// A program that runs several times (--repeat) may hand results on to its next
// run (--feed), as a training step does. With a directory for a journal
// (--slow-dir) snapshots are taken between the runs, and a driver that was
// killed goes on after the last run that it has a snapshot of (--resume).
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_REPEAT_H
#define PEBBLE_TOOLS_PEBBLE_RUN_REPEAT_H

#include "Resume.h"

#include "Arguments.h"

namespace pebble {

/// Where a run finds argument `argument`, if it is not the first one.
struct Feed {
  /// The result of the run before; nothing: what that run left in the argument,
  /// a memref.
  std::optional<unsigned> result;
  unsigned argument = 0;
};

/// --feed. An error where a number or a type does not fit, or where nothing is
/// repeated.
llvm::Expected<std::vector<Feed>> readFeeds(const Signature &signature,
                                            unsigned repeat);

/// Text that tells runs with these feeds from others, for identifyRun.
std::string describeRuns(unsigned repeat);

/// The runs of a driver, and their snapshots.
class RepeatedRuns {
public:
  RepeatedRuns(const Signature &signature, std::vector<Feed> feeds,
               unsigned repeat)
      : signature(signature), feeds(std::move(feeds)), repeat(repeat) {}

  /// Whether results may differ from run to run.
  bool isFed() const { return !feeds.empty(); }
  bool takesSnapshots() const { return hasSnapshots; }

  /// Decides whether snapshots are taken, and adds them to `plan`, which has
  /// those of the program itself. An error if both are asked for.
  llvm::Error planSnapshots(SnapshotPlan &plan);

  /// Once the journal is open: how many runs are done, with what they handed
  /// on in `arrays`.
  llvm::Expected<unsigned> enter(Arrays &arrays);
  /// Run `number`, from 1 on, has ended: takes over what it hands on, and a
  /// snapshot where one is due. The values of the run are still there.
  llvm::Error finish(unsigned number, const std::vector<HostValue> &arguments,
                     const std::vector<HostValue> &results, Arrays &arrays);

private:
  const Slot &getSlot(const Feed &feed) const {
    return feed.result ? signature.results[*feed.result]
                       : signature.arguments[feed.argument];
  }
  llvm::Error takeSnapshot(unsigned number, Arrays &arrays);

  const Signature &signature;
  std::vector<Feed> feeds;
  unsigned repeat;
  bool hasSnapshots = false;
};

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_REPEAT_H

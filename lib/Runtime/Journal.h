//===- Journal.h - the directory of a program's snapshots -------*- C++ -*-===//
//
// Which snapshots there are, which of them a program goes on from, and which
// may go. What is in them is the business of Snapshot.h.
//
// A directory belongs to the process that holds its lock, which ends with the
// process. So what a killed one left there is nobody's: the snapshot that it
// was writing, and the directories of its file tiers.
//
// Boundary: knows neither tiers nor the meter. An error comes back as text.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_RUNTIME_JOURNAL_H
#define PEBBLE_LIB_RUNTIME_JOURNAL_H

#include "Snapshot.h"

#include <memory>
#include <optional>
#include <utility>

namespace pebble::runtime {

class Journal {
public:
  Journal() = default;
  ~Journal() { close(/*finished=*/false); }
  Journal(const Journal &) = delete;

  /// As pebble_rt_journal_open has it. `notes` are lines for whoever waits.
  bool open(const std::string &path, const Identity &identity, bool resume,
            std::vector<std::string> &notes, std::string &error);
  bool isOpen() const { return directory >= 0; }
  /// Snapshots after `done` iterations of `loop` are passed over by open().
  void setLast(int64_t loop, int64_t done) { last = {loop, done}; }
  void close(bool finished);

  /// The snapshot that the program goes on from; null if it begins anew.
  const SnapshotHead *getTarget() const {
    return target ? &target->getHead() : nullptr;
  }
  /// What holds the values that `loop` begins with; null for those that it is
  /// given.
  SnapshotReader *getSource(int64_t loop) const;

  /// Begins a snapshot. `head` has the numbers of the loop.
  void begin(SnapshotHead head);
  SnapshotWriter &getWriter() { return writer; }
  /// Makes it one of the journal's, and removes what it replaces. False, and
  /// the reason in `error`, if there is no such snapshot now.
  bool commit(std::string &error);

  /// Removes the directory if nothing is in it. Safe in a handler of a signal.
  static void removeEmpty();

private:
  bool lock(std::string &error);
  bool scan(std::vector<uint64_t> &found, std::string &error);
  void removeLeftovers();
  bool choose(const std::vector<uint64_t> &found,
              std::vector<std::string> &notes, std::string &error);
  bool isUsable(uint64_t sequence, std::unique_ptr<SnapshotReader> &reader,
                std::string &reason, bool &isForeign);
  void removeUnused();

  std::string path;
  int directory = -1;
  int process = 0; ///< a child that was forked removes nothing
  Identity identity = {};
  std::optional<std::pair<int64_t, int64_t>> last;
  uint64_t next = 1;
  /// The newest two that are whole, oldest first.
  std::vector<SnapshotHead> newest;
  /// The last snapshots of loops that are over.
  std::map<int64_t, uint64_t> finals;
  std::unique_ptr<SnapshotReader> target;
  std::map<int64_t, std::unique_ptr<SnapshotReader>> sources;
  SnapshotWriter writer;
  SnapshotHead writing;
};

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_JOURNAL_H

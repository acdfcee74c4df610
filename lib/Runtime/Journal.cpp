//===- Journal.cpp - the directory of a program's snapshots ---------------===//

#include "Journal.h"

#include "FileBytes.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <set>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace pebble::runtime;

/// What a snapshot is called while it is written.
static constexpr const char *kWriting = "writing";
static constexpr const char *kPrefix = "snapshot-";

static std::string nameOf(uint64_t sequence) {
  std::string digits = std::to_string(sequence);
  digits.insert(0, digits.size() < 12 ? 12 - digits.size() : 0, '0');
  return kPrefix + digits;
}

/// The sequence of a file called so; 0 if it is no snapshot.
static uint64_t sequenceOf(const std::string &name) {
  const size_t prefix = std::strlen(kPrefix);
  if (name.size() <= prefix || name.compare(0, prefix, kPrefix) != 0)
    return 0;
  uint64_t sequence = 0;
  for (char digit : name.substr(prefix)) {
    if (digit < '0' || digit > '9' || sequence > UINT64_MAX / 20)
      return 0;
    sequence = sequence * 10 + static_cast<uint64_t>(digit - '0');
  }
  return nameOf(sequence) == name ? sequence : 0;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// What removeEmpty sees: valid while `isSet`.
static std::atomic<bool> isSet{false};
static char openPath[PATH_MAX];

void Journal::removeEmpty() {
  if (isSet)
    rmdir(openPath);
}

/// Opens the directory and takes its lock. Another process may remove it in
/// between, and have a lock on what nobody finds any more.
bool Journal::lock(std::string &error) {
  for (int tries = 0; tries < 100; ++tries) {
    if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
      error = "cannot make the directory " + path + because();
      return false;
    }
    directory = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0 && errno == ENOENT)
      continue;
    if (directory < 0) {
      error = "cannot open " + path + because();
      return false;
    }
    struct stat held, found;
    const bool isLocked = flock(directory, LOCK_EX | LOCK_NB) == 0;
    const bool isBusy = !isLocked && errno == EWOULDBLOCK;
    if (!isLocked)
      error = path + (isBusy ? " is in use by another process" : because());
    else if (fstat(directory, &held) == 0 && stat(path.c_str(), &found) == 0 &&
             held.st_ino == found.st_ino && held.st_dev == found.st_dev)
      return true;
    ::close(directory);
    directory = -1;
    if (!isLocked)
      return false;
  }
  error = "cannot open " + path + ": others keep removing it";
  return false;
}

/// Calls `visit` with the name of each entry of a directory. False with errno.
template <typename Visit>
static bool forEachEntry(int directory, Visit visit) {
  int again = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = again < 0 ? nullptr : fdopendir(again);
  if (!stream) {
    const int saved = errno;
    if (again >= 0)
      ::close(again);
    errno = saved;
    return false;
  }
  while (dirent *entry = readdir(stream))
    visit(entry->d_name);
  closedir(stream);
  return true;
}

/// Removes a directory of files: what the file tiers of a killed process left.
static void removeDirectory(int parent, const std::string &name) {
  int inner = openat(parent, name.c_str(),
                     O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (inner < 0)
    return;
  std::vector<std::string> names;
  forEachEntry(inner, [&](const std::string &each) { names.push_back(each); });
  for (const std::string &each : names)
    unlinkat(inner, each.c_str(), 0);
  ::close(inner);
  unlinkat(parent, name.c_str(), AT_REMOVEDIR);
}

/// Removes what the process before this one had no time to.
void Journal::removeLeftovers() {
  std::vector<std::string> stale;
  forEachEntry(directory, [&](const std::string &name) {
    if (name.compare(0, 7, "pebble-") == 0)
      stale.push_back(name);
  });
  unlinkat(directory, kWriting, 0);
  for (const std::string &name : stale)
    removeDirectory(directory, name);
}

/// Finds the snapshots, newest first.
bool Journal::scan(std::vector<uint64_t> &found, std::string &error) {
  const bool isRead = forEachEntry(directory, [&](const std::string &name) {
    if (uint64_t sequence = sequenceOf(name))
      found.push_back(sequence);
  });
  if (!isRead)
    error = "cannot read " + path + because();
  std::sort(found.rbegin(), found.rend());
  return isRead;
}

/// Whether a snapshot, and all that it rests on, is whole. `isForeign` says
/// that it is whole and of another program.
bool Journal::isUsable(uint64_t sequence,
                       std::unique_ptr<SnapshotReader> &reader,
                       std::string &reason, bool &isForeign) {
  reader = std::make_unique<SnapshotReader>();
  const bool isWhole = reader->open(directory, nameOf(sequence), reason);
  const SnapshotHead &head = reader->getHead();
  isForeign = reader->hasHead() && head.identity != identity;
  if (!isWhole || isForeign)
    return false;
  if (head.sequence != sequence) {
    reason = "it was written as " + nameOf(head.sequence);
    return false;
  }
  sources.clear();
  for (const auto &[loop, rest] : head.finals) {
    auto source = std::make_unique<SnapshotReader>();
    std::string why;
    if (!source->open(directory, nameOf(rest), why) ||
        source->getHead().loop != loop ||
        source->getHead().identity != identity) {
      reason = "it rests on " + nameOf(rest) + ", which cannot be used" +
               (why.empty() ? "" : ": " + why);
      return false;
    }
    sources[loop] = std::move(source);
  }
  return true;
}

/// Looks for the newest snapshot that can be used; damaged ones go.
bool Journal::choose(const std::vector<uint64_t> &found,
                     std::vector<std::string> &notes, std::string &error) {
  std::vector<uint64_t> damaged;
  std::set<uint64_t> used;
  for (uint64_t sequence : found) {
    if (used.count(sequence) || newest.size() == 2)
      continue;
    std::unique_ptr<SnapshotReader> reader;
    std::string reason;
    bool isForeign = false;
    auto before = std::move(sources);
    if (isUsable(sequence, reader, reason, isForeign)) {
      const SnapshotHead &head = reader->getHead();
      if (last && std::pair(head.loop, head.done) > *last) {
        sources = std::move(before);
        notes.push_back("skipping " + path + "/" + nameOf(sequence) +
                        ": others are not that far");
        continue;
      }
      newest.insert(newest.begin(), reader->getHead());
      if (!target)
        target = std::move(reader);
      else
        sources = std::move(before);
      continue;
    }
    sources = std::move(before);
    if (isForeign) {
      error = path +
              " is the journal of another program, or of other inputs: name "
              "another directory, or remove it";
      return false;
    }
    // An older one beside that which is used need not be told of.
    if (!target)
      notes.push_back("skipping " + path + "/" + nameOf(sequence) + ": " +
                      reason);
    damaged.push_back(sequence);
  }
  if (target) {
    finals = target->getHead().finals;
    if (target->getHead().isFinal())
      finals[target->getHead().loop] = target->getHead().sequence;
    notes.push_back("going on from " + path + "/" +
                    nameOf(target->getHead().sequence));
  } else {
    notes.push_back(
        (found.empty() ? "no snapshot in " : "no whole snapshot in ") + path +
        ": starting at the beginning");
  }
  return true;
}

bool Journal::open(const std::string &where, const Identity &who, bool resume,
                   std::vector<std::string> &notes, std::string &error) {
  path = where;
  identity = who;
  std::vector<uint64_t> found;
  if (!lock(error))
    return false;
  process = getpid();
  if (!scan(found, error)) {
    close(/*finished=*/false);
    return false;
  }
  if (!resume && !found.empty()) {
    error = path + " is the journal of a run that has not ended: resume it, "
                   "or remove it";
    close(/*finished=*/false);
    return false;
  }
  if (resume && !choose(found, notes, error)) {
    close(/*finished=*/false);
    return false;
  }
  next = found.empty() ? 1 : found.front() + 1;
  removeLeftovers();
  removeUnused();
  if (path.size() < sizeof(openPath)) {
    std::strcpy(openPath, path.c_str());
    isSet = true;
  }
  return true;
}

void Journal::close(bool finished) {
  if (directory < 0)
    return;
  isSet = false;
  writer.close();
  target.reset();
  sources.clear();
  if (process == getpid()) {
    unlinkat(directory, kWriting, 0);
    std::vector<uint64_t> found;
    std::string error;
    if (finished && scan(found, error))
      for (uint64_t sequence : found)
        unlinkat(directory, nameOf(sequence).c_str(), 0);
    rmdir(path.c_str()); // which it does if nothing is in it
  }
  ::close(directory);
  directory = -1;
  newest.clear();
  finals.clear();
}

//===----------------------------------------------------------------------===//
// Snapshots
//===----------------------------------------------------------------------===//

SnapshotReader *Journal::getSource(int64_t loop) const {
  if (target && target->getHead().loop == loop)
    return target.get();
  auto found = sources.find(loop);
  return found == sources.end() ? nullptr : found->second.get();
}

void Journal::begin(SnapshotHead head) {
  writing = std::move(head);
  writing.sequence = next;
  writing.identity = identity;
  writing.finals = finals;
  writing.finals.erase(writing.loop);
  writer.open(directory, kWriting, writing);
}

bool Journal::commit(std::string &error) {
  const std::string name = nameOf(writing.sequence);
  if (!writer.finish(error)) {
    unlinkat(directory, kWriting, 0);
    return false;
  }
  if (renameat(directory, kWriting, directory, name.c_str()) != 0) {
    error = "cannot rename it" + because();
    unlinkat(directory, kWriting, 0);
    return false;
  }
  ++next;
  if (fsync(directory) != 0) {
    error = "cannot sync the directory" + because();
    return false;
  }
  newest.push_back(writing);
  if (newest.size() > 2)
    newest.erase(newest.begin());
  if (writing.isFinal())
    finals[writing.loop] = writing.sequence;
  removeUnused();
  return true;
}

/// Keeps the newest two and what they rest on.
void Journal::removeUnused() {
  std::set<uint64_t> used;
  for (const SnapshotHead &head : newest) {
    used.insert(head.sequence);
    for (const auto &[loop, sequence] : head.finals)
      used.insert(sequence);
  }
  std::vector<uint64_t> found;
  std::string error;
  if (!scan(found, error))
    return;
  for (uint64_t sequence : found)
    if (!used.count(sequence))
      unlinkat(directory, nameOf(sequence).c_str(), 0);
}

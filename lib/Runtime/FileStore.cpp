//===- FileStore.cpp - values kept in files -------------------------------===//

#include "FileStore.h"

#include "Checksum.h"
#include "FileBytes.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

using namespace pebble::runtime;

/// Bytes under one checksum.
static constexpr size_t kBlock = size_t(256) << 10;

//===----------------------------------------------------------------------===//
// A value
//===----------------------------------------------------------------------===//

StoredValue::StoredValue(const FileStore &store, std::string name, size_t bytes,
                         int fill)
    : owner(store), name(std::move(name)), bytes(bytes), fill(fill),
      blocks((bytes + kBlock - 1) / kBlock) {}

StoredValue::~StoredValue() {
  if (owner.isOpen() && owner.process == getpid())
    unlinkat(owner.directory, name.c_str(), 0);
}

size_t StoredValue::blockBytes(size_t index) const {
  return std::min(kBlock, bytes - index * kBlock);
}

int StoredValue::open(std::string &error) const {
  int file =
      openat(owner.directory, name.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0)
    error = "cannot open " + owner.path(name) + because();
  return file;
}

/// Some file systems tell only now that what was written has no room.
bool StoredValue::close(int file, std::string &error) const {
  if (::close(file) == 0 || errno == EINTR)
    return true;
  if (error.empty())
    error = "cannot write " + owner.path(name) + because();
  return false;
}

bool StoredValue::readBlock(int file, size_t index, char *to,
                            std::string &error) const {
  const Block &block = blocks[index];
  const size_t start = index * kBlock, size = blockBytes(index);
  const std::string place = owner.path(name) + ", bytes " +
                            std::to_string(start) + " to " +
                            std::to_string(start + size);
  if (block.state == State::Torn) {
    error = place + ": a store that failed has left them undefined";
    return false;
  }
  if (block.state == State::Fresh) {
    std::memset(to, fill, size);
    return true;
  }
  int64_t got = readAll(file, to, size, start);
  if (got < 0)
    error = "cannot read " + place + because();
  else if (static_cast<size_t>(got) != size)
    error = place + ": the file ends after " +
            std::to_string(start + static_cast<size_t>(got));
  else if (checksum(to, size) != block.sum)
    error = place + ": the checksum is not that of what was stored";
  else
    return true;
  return false;
}

bool StoredValue::writeBlock(int file, size_t index, const char *from,
                             std::string &error) {
  const size_t start = index * kBlock, size = blockBytes(index);
  Block &block = blocks[index];
  if (!writeAll(file, from, size, start)) {
    error = "cannot write " + owner.path(name) + ", bytes " +
            std::to_string(start) + " to " + std::to_string(start + size) +
            because();
    block.state = State::Torn;
    return false;
  }
  block.sum = checksum(from, size);
  block.state = State::Stored;
  return true;
}

/// Calls `visit` with each block that a range touches and where the part of the
/// range begins and ends in it, until it returns false; what the last call did.
template <typename Visit>
static bool forEachPart(size_t offset, size_t count, Visit visit) {
  const size_t end = offset + count;
  for (size_t i = offset / kBlock; i * kBlock < end; ++i) {
    const size_t start = i * kBlock;
    if (!visit(i, std::max(start, offset) - start,
               std::min(kBlock, end - start)))
      return false;
  }
  return true;
}

bool StoredValue::store(size_t offset, const void *from, size_t count,
                        std::string &error) {
  if (!count)
    return true;
  std::lock_guard<std::mutex> lock(mutex);
  int file = open(error);
  if (file < 0)
    return false;
  NoFileSizeSignal guard;
  const auto *data = static_cast<const char *>(from);
  std::vector<char> whole; // of a block that is written in part
  bool done = forEachPart(offset, count, [&](size_t i, size_t at, size_t end) {
    const char *part = data;
    data += end - at;
    if (end - at == blockBytes(i))
      return writeBlock(file, i, part, error);
    whole.resize(blockBytes(i));
    if (!readBlock(file, i, whole.data(), error))
      return false;
    std::memcpy(whole.data() + at, part, end - at);
    return writeBlock(file, i, whole.data(), error);
  });
  if (close(file, error))
    return done;
  // Which of the blocks are lost is not told.
  forEachPart(offset, count, [&](size_t i, size_t, size_t) {
    blocks[i].state = State::Torn;
    return true;
  });
  return false;
}

bool StoredValue::replace(const void *from, size_t count, std::string &error) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (count < bytes) {
      int file = open(error);
      if (file < 0)
        return false;
      if (ftruncate(file, static_cast<off_t>(count)) != 0)
        error = "cannot shorten " + owner.path(name) + because();
      ::close(file);
      if (!error.empty())
        return false;
    }
    bytes = count;
    blocks.assign((count + kBlock - 1) / kBlock, Block());
    // Until every block is written none of the old ones may be taken for it.
    for (Block &block : blocks)
      block.state = State::Torn;
  }
  return store(0, from, count, error);
}

bool StoredValue::load(size_t offset, void *to, size_t count,
                       std::string &error) {
  if (!count)
    return true;
  std::lock_guard<std::mutex> lock(mutex);
  int file = open(error);
  if (file < 0)
    return false;
  auto *data = static_cast<char *>(to);
  std::vector<char> whole; // of a block that is read in part
  bool done = forEachPart(offset, count, [&](size_t i, size_t at, size_t end) {
    char *part = data;
    data += end - at;
    if (end - at == blockBytes(i))
      return readBlock(file, i, part, error);
    whole.resize(blockBytes(i));
    if (!readBlock(file, i, whole.data(), error))
      return false;
    std::memcpy(part, whole.data() + at, end - at);
    return true;
  });
  ::close(file);
  return done;
}

//===----------------------------------------------------------------------===//
// The directory
//===----------------------------------------------------------------------===//

namespace {

/// What removeAll sees: plain memory, valid whenever `directory` is not
/// negative. Stores beyond the last slot are not seen.
struct Slot {
  std::atomic<int> directory{-1};
  std::atomic<bool> taken{false};
  int process = 0;
  char path[PATH_MAX] = {};
};
Slot slots[4];

void announce(const std::string &path, int directory) {
  for (Slot &slot : slots) {
    if (path.size() >= sizeof(slot.path) || slot.taken.exchange(true))
      continue;
    std::strcpy(slot.path, path.c_str());
    slot.process = getpid();
    slot.directory = directory;
    return;
  }
}

void retract(int directory) {
  for (Slot &slot : slots)
    if (slot.taken && slot.directory == directory) {
      slot.directory = -1;
      slot.taken = false;
    }
}

/// Removes all files of a directory without opendir, which allocates.
void empty(int directory) {
#ifdef __linux__
  struct Entry {
    uint64_t number;
    int64_t next;
    unsigned short bytes;
    unsigned char type;
    char name[1];
  };
  alignas(Entry) static char buffer[8192];
  bool removed = true;
  while (removed) {
    removed = false;
    if (lseek(directory, 0, SEEK_SET) < 0)
      return;
    long got;
    while ((got = syscall(SYS_getdents64, directory, buffer, sizeof(buffer))) >
           0)
      for (long at = 0; at < got;) {
        auto *entry = reinterpret_cast<Entry *>(buffer + at);
        at += entry->bytes;
        if (entry->name[0] != '.')
          removed |= unlinkat(directory, entry->name, 0) == 0;
      }
  }
#else
  (void)directory;
#endif
}

} // namespace

void FileStore::removeAll() {
  for (Slot &slot : slots) {
    int directory = slot.directory.exchange(-1);
    if (directory < 0 || slot.process != getpid())
      continue;
    empty(directory);
    rmdir(slot.path);
  }
}

bool FileStore::open(const std::string &parent, std::string &error) {
  std::string path = parent;
  if (path.empty()) {
    const char *tmp = std::getenv("TMPDIR");
    path = tmp && *tmp ? tmp : "/tmp";
  }
  path += "/pebble-XXXXXX";
  std::vector<char> name(path.begin(), path.end());
  name.push_back('\0');
  if (!mkdtemp(name.data())) {
    error = "cannot make a directory " + path + because();
    return false;
  }
  root = name.data();
  directory = ::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) {
    error = "cannot open " + root + because();
    rmdir(root.c_str());
    return false;
  }
  process = getpid();
  announce(root, directory);
  return true;
}

int64_t FileStore::freeBytes() const {
  struct statvfs system;
  if (fstatvfs(directory, &system) != 0 || system.f_blocks == 0)
    return -1;
  return static_cast<int64_t>(std::min<uint64_t>(
      INT64_MAX, static_cast<uint64_t>(system.f_bavail) * system.f_frsize));
}

std::unique_ptr<StoredValue> FileStore::create(const std::string &name,
                                               size_t bytes, int fill,
                                               std::string &error) {
  int file = openat(directory, name.c_str(),
                    O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) {
    error = "cannot create " + path(name) + because();
    return nullptr;
  }
  ::close(file);
  return std::unique_ptr<StoredValue>(
      new StoredValue(*this, name, bytes, fill));
}

void FileStore::close() {
  if (!isOpen())
    return;
  retract(directory);
  ::close(directory);
  directory = -1;
  if (process == getpid())
    rmdir(root.c_str());
}

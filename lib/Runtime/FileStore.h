//===- FileStore.h - values kept in files -----------------------*- C++ -*-===//
//
// A file per value in a directory of its own, written and read by position,
// with a checksum of every block that is verified when the block is read. The
// checksums live in the process: what the files hold is of no use to another.
//
// A file is opened for each transfer. So any number of values may be there at
// one time, and a directory that is gone is noticed by the next transfer.
//
// Boundary: knows neither tiers nor the meter. An error comes back as text that
// names the file.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_RUNTIME_FILESTORE_H
#define PEBBLE_LIB_RUNTIME_FILESTORE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace pebble::runtime {

class FileStore;

/// The bytes of one value in a file. Any thread may store and load, one at a
/// time. The file is removed with the object, which its store outlives.
class StoredValue {
public:
  ~StoredValue();
  StoredValue(const StoredValue &) = delete;

  /// Writes `bytes` bytes at `offset`; both lie within the value. False, and
  /// the reason in `error`, if they are not all written: what stood at that
  /// place before is then lost.
  bool store(size_t offset, const void *from, size_t bytes, std::string &error);

  /// Makes the value `bytes` bytes long and writes them. False, and the reason
  /// in `error`, if they are not all written: the value is then lost.
  bool replace(const void *from, size_t bytes, std::string &error);

  /// Reads `bytes` bytes at `offset`. Where nothing was stored they are the
  /// pattern that the value began with. False, and the reason in `error`, if
  /// they are not all there or not what was stored; `to` then holds anything.
  bool load(size_t offset, void *to, size_t bytes, std::string &error);

private:
  friend class FileStore;
  StoredValue(const FileStore &store, std::string name, size_t bytes, int fill);

  enum class State : char { Fresh, Stored, Torn };
  struct Block {
    uint64_t sum = 0;
    State state = State::Fresh;
  };
  size_t blockBytes(size_t index) const;
  bool readBlock(int file, size_t index, char *to, std::string &error) const;
  bool writeBlock(int file, size_t index, const char *from, std::string &error);
  int open(std::string &error) const;
  bool close(int file, std::string &error) const;

  const FileStore &owner;
  const std::string name;
  size_t bytes;
  /// What bytes that nobody stored read as.
  const int fill;
  std::mutex mutex;
  std::vector<Block> blocks;
};

/// The directory.
class FileStore {
public:
  FileStore() = default;
  ~FileStore() { close(); }
  FileStore(const FileStore &) = delete;

  /// Makes the directory within `parent` (TMPDIR if empty). False, and the
  /// reason in `error`, if nothing can be written there.
  bool open(const std::string &parent, std::string &error);
  bool isOpen() const { return directory >= 0; }

  /// Bytes that the file system has room for; -1 if it does not say.
  int64_t freeBytes() const;

  /// A fresh value in a file called `name`. Null, and the reason in `error`, if
  /// the file cannot be made.
  std::unique_ptr<StoredValue> create(const std::string &name, size_t bytes,
                                      int fill, std::string &error);

  /// Removes the directory, after all of its values.
  void close();

  /// Removes every file and directory of every open store. Safe in a handler of
  /// a fatal signal.
  static void removeAll();

private:
  friend class StoredValue;
  std::string path(const std::string &name) const { return root + "/" + name; }

  std::string root;
  int directory = -1;
  /// A child that was forked removes nothing.
  int process = 0;
};

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_FILESTORE_H

//===- Snapshot.h - one snapshot in a file ----------------------*- C++ -*-===//
//
// The format of a snapshot, its writer and its reader. A file is a head and
// then the values, in pieces that each carry a checksum:
//
//   head    8 bytes of magic, then numbers of 64 bits: version, sequence, loop,
//           done, total, whether it is the loop's last, values, snapshots that
//           it rests on; 32 bytes of identity; loop and sequence of each of
//           those snapshots; the checksum of all that
//   value   its bytes and the checksum of that number; pieces of at most 256
//           KiB, each with its checksum
//
// and nothing after the last value. A checksum is mixed with its place in the
// file and the snapshot's sequence, so that a piece of another snapshot, or of
// another place, is not taken for it. Numbers are of the machine's byte order,
// which the version shows.
//
// Boundary: knows neither tiers nor the meter. An error comes back as text.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_RUNTIME_SNAPSHOT_H
#define PEBBLE_LIB_RUNTIME_SNAPSHOT_H

#include "pebble/Runtime/Journal.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pebble::runtime {

using Identity = std::array<uint8_t, PEBBLE_RT_IDENTITY_BYTES>;

/// What a snapshot says of itself.
struct SnapshotHead {
  uint64_t sequence = 0;
  int64_t loop = 0;
  int64_t done = 0;
  int64_t total = 0;
  int64_t count = 0; ///< of values
  Identity identity = {};
  /// The last snapshots of earlier loops that it rests on, by loop.
  std::map<int64_t, uint64_t> finals;

  bool isFinal() const { return done == total; }
};

/// A value in a file.
struct SnapshotValue {
  size_t offset = 0; ///< of its first piece
  size_t bytes = 0;
};

/// Bytes under one checksum.
inline constexpr size_t kSnapshotPiece = size_t(256) << 10;

/// Writes a snapshot. After a failure nothing more is written.
class SnapshotWriter {
public:
  SnapshotWriter() = default;
  ~SnapshotWriter() { close(); }
  SnapshotWriter(const SnapshotWriter &) = delete;

  /// Makes the file `name` in `directory` and writes the head.
  void open(int directory, const std::string &name, const SnapshotHead &head);
  bool isOpen() const { return file >= 0; }
  /// Begins a value of `bytes` bytes; `put` then brings all of them.
  void begin(size_t bytes);
  void put(const void *data, size_t bytes);
  /// Syncs the file. False, and the reason in `error`, if it is not whole.
  bool finish(std::string &error);
  void close();

private:
  void write(const void *data, size_t bytes);
  void writePiece();

  int file = -1;
  uint64_t sequence = 0;
  size_t offset = 0;
  std::vector<char> piece;
  size_t left = 0; ///< of the value, beyond what is in `piece`
  int64_t values = 0;
  int64_t count = 0;
  std::string failure;
};

/// Reads a snapshot.
class SnapshotReader {
public:
  SnapshotReader() = default;
  ~SnapshotReader();
  SnapshotReader(const SnapshotReader &) = delete;

  /// Reads and checks all of the file `name` in `directory`. False, and the
  /// reason in `error`, if it is not whole.
  bool open(int directory, const std::string &name, std::string &error);
  /// As far as it could be read: what `hasHead` says.
  const SnapshotHead &getHead() const { return head; }
  bool hasHead() const { return isHeadWhole; }
  const std::vector<SnapshotValue> &getValues() const { return values; }

  /// Brings a value piece by piece. False, and the reason in `error`, if the
  /// file no longer gives it or `take` returns false.
  template <typename Take>
  bool read(size_t number, std::string &error, Take take) {
    const SnapshotValue &value = values[number];
    size_t at = value.offset;
    std::vector<char> piece;
    for (size_t done = 0; done < value.bytes; done += piece.size()) {
      piece.resize(std::min(kSnapshotPiece, value.bytes - done));
      if (!readChecked(at, piece.data(), piece.size(), error) ||
          !take(done, piece.data(), piece.size()))
        return false;
    }
    return true;
  }

private:
  bool readHead(std::string &error);
  /// Reads bytes and their checksum at `offset`, which moves behind them.
  bool readChecked(size_t &offset, void *to, size_t bytes, std::string &error);
  bool readPlain(size_t offset, void *to, size_t bytes, std::string &error);

  int file = -1;
  SnapshotHead head;
  bool isHeadWhole = false;
  std::vector<SnapshotValue> values;
};

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_SNAPSHOT_H

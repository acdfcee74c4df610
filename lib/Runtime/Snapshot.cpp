//===- Snapshot.cpp - one snapshot in a file ------------------------------===//

#include "Snapshot.h"

#include "Checksum.h"
#include "FileBytes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace pebble::runtime;

static constexpr char kMagic[8] = {'p', 'e', 'b', 'b', 'l', 'e', 's', '1'};
static constexpr uint64_t kVersion = 1;
/// Magic and numbers.
static constexpr size_t kFixedHead = sizeof(kMagic) + 8 * sizeof(uint64_t);

static uint64_t mix(uint64_t sum, uint64_t sequence, size_t offset) {
  return sum ^
         (sequence * 0x9E3779B97F4A7C15ull + offset * 0xD1B54A32D192ED03ull);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void append(std::vector<char> &to, const void *data, size_t bytes) {
  const char *from = static_cast<const char *>(data);
  to.insert(to.end(), from, from + bytes);
}

static std::vector<char> encodeHead(const SnapshotHead &head) {
  std::vector<char> bytes;
  append(bytes, kMagic, sizeof(kMagic));
  for (uint64_t number :
       {kVersion, head.sequence, static_cast<uint64_t>(head.loop),
        static_cast<uint64_t>(head.done), static_cast<uint64_t>(head.total),
        static_cast<uint64_t>(head.isFinal()),
        static_cast<uint64_t>(head.count),
        static_cast<uint64_t>(head.finals.size())})
    append(bytes, &number, sizeof(number));
  append(bytes, head.identity.data(), head.identity.size());
  for (const auto &[loop, sequence] : head.finals) {
    append(bytes, &loop, sizeof(loop));
    append(bytes, &sequence, sizeof(sequence));
  }
  return bytes;
}

void SnapshotWriter::open(int directory, const std::string &name,
                          const SnapshotHead &head) {
  close();
  failure.clear();
  piece.clear();
  left = 0;
  offset = 0;
  values = 0;
  sequence = head.sequence;
  count = head.count;
  file = openat(directory, name.c_str(),
                O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) {
    failure = "cannot make " + name + because();
    return;
  }
  std::vector<char> bytes = encodeHead(head);
  const uint64_t sum = mix(checksum(bytes.data(), bytes.size()), 0, 0);
  write(bytes.data(), bytes.size());
  write(&sum, sizeof(sum));
}

void SnapshotWriter::write(const void *data, size_t bytes) {
  if (!failure.empty())
    return;
  NoFileSizeSignal guard;
  if (!writeAll(file, static_cast<const char *>(data), bytes, offset))
    failure = "cannot write bytes " + std::to_string(offset) + " to " +
              std::to_string(offset + bytes) + because();
  offset += bytes;
}

void SnapshotWriter::writePiece() {
  const uint64_t sum =
      mix(checksum(piece.data(), piece.size()), sequence, offset);
  write(piece.data(), piece.size());
  write(&sum, sizeof(sum));
  piece.clear();
}

void SnapshotWriter::begin(size_t bytes) {
  const auto size = static_cast<uint64_t>(bytes);
  append(piece, &size, sizeof(size));
  writePiece();
  left = bytes;
  ++values;
}

void SnapshotWriter::put(const void *data, size_t bytes) {
  const char *from = static_cast<const char *>(data);
  while (bytes) {
    const size_t part = std::min(kSnapshotPiece - piece.size(), bytes);
    append(piece, from, part);
    from += part;
    bytes -= part;
    left -= part;
    if (piece.size() == kSnapshotPiece || left == 0)
      writePiece();
  }
}

bool SnapshotWriter::finish(std::string &error) {
  if (failure.empty() && (values != count || left != 0))
    failure = std::to_string(values) + " of " + std::to_string(count) +
              " values were put";
  if (failure.empty() && fsync(file) != 0)
    failure = "cannot sync it" + because();
  const int closing = file;
  file = -1;
  if (closing >= 0 && ::close(closing) != 0 && errno != EINTR &&
      failure.empty())
    failure = "cannot close it" + because();
  error = failure;
  return failure.empty();
}

void SnapshotWriter::close() {
  if (file >= 0)
    ::close(file);
  file = -1;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

SnapshotReader::~SnapshotReader() {
  if (file >= 0)
    close(file);
}

bool SnapshotReader::readPlain(size_t offset, void *to, size_t bytes,
                               std::string &error) {
  int64_t got = readAll(file, static_cast<char *>(to), bytes, offset);
  if (got < 0)
    error = "cannot read it" + because();
  else if (static_cast<size_t>(got) != bytes)
    error = "it ends after " +
            std::to_string(offset + static_cast<size_t>(got)) + " bytes";
  return error.empty();
}

bool SnapshotReader::readChecked(size_t &offset, void *to, size_t bytes,
                                 std::string &error) {
  uint64_t sum;
  if (!readPlain(offset, to, bytes, error) ||
      !readPlain(offset + bytes, &sum, sizeof(sum), error))
    return false;
  if (mix(checksum(to, bytes), head.sequence, offset) != sum) {
    error = "the checksum of bytes " + std::to_string(offset) + " to " +
            std::to_string(offset + bytes) + " is wrong";
    return false;
  }
  offset += bytes + sizeof(sum);
  return true;
}

bool SnapshotReader::readHead(std::string &error) {
  std::vector<char> bytes(kFixedHead);
  if (!readPlain(0, bytes.data(), bytes.size(), error))
    return false;
  uint64_t numbers[8];
  std::memcpy(numbers, bytes.data() + sizeof(kMagic), sizeof(numbers));
  struct stat status;
  const uint64_t rest =
      head.identity.size() + 2 * sizeof(uint64_t) * numbers[7];
  if (std::memcmp(bytes.data(), kMagic, sizeof(kMagic)) != 0 ||
      fstat(file, &status) != 0 ||
      numbers[7] > static_cast<uint64_t>(status.st_size) / 16) {
    error = "it has not the head of a snapshot";
    return false;
  }
  bytes.resize(kFixedHead + rest);
  uint64_t sum;
  if (!readPlain(kFixedHead, bytes.data() + kFixedHead, rest, error) ||
      !readPlain(bytes.size(), &sum, sizeof(sum), error))
    return false;
  if (mix(checksum(bytes.data(), bytes.size()), 0, 0) != sum) {
    error = "the checksum of its head is wrong";
    return false;
  }
  if (numbers[0] != kVersion) {
    error = "it is of version " + std::to_string(numbers[0]) +
            " of the format, and this runtime reads " +
            std::to_string(kVersion);
    return false;
  }
  head.sequence = numbers[1];
  head.loop = static_cast<int64_t>(numbers[2]);
  head.done = static_cast<int64_t>(numbers[3]);
  head.total = static_cast<int64_t>(numbers[4]);
  head.count = static_cast<int64_t>(numbers[6]);
  const char *at = bytes.data() + kFixedHead;
  std::memcpy(head.identity.data(), at, head.identity.size());
  at += head.identity.size();
  for (uint64_t i = 0; i < numbers[7]; ++i, at += 16) {
    int64_t loop;
    std::memcpy(&loop, at, sizeof(loop));
    std::memcpy(&head.finals[loop], at + sizeof(loop), sizeof(uint64_t));
  }
  isHeadWhole = true;
  return true;
}

bool SnapshotReader::open(int directory, const std::string &name,
                          std::string &error) {
  file = openat(directory, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) {
    error = "cannot open it" + because();
    return false;
  }
  if (!readHead(error))
    return false;
  size_t offset = kFixedHead + head.identity.size() + 16 * head.finals.size() +
                  sizeof(uint64_t);
  for (int64_t i = 0; i < head.count; ++i) {
    uint64_t bytes;
    if (!readChecked(offset, &bytes, sizeof(bytes), error))
      return false;
    values.push_back({offset, static_cast<size_t>(bytes)});
    const size_t pieces = (bytes + kSnapshotPiece - 1) / kSnapshotPiece;
    auto ignore = [](size_t, const char *, size_t) { return true; };
    if (!read(values.size() - 1, error, ignore))
      return false;
    offset += bytes + pieces * sizeof(uint64_t);
  }
  struct stat status;
  if (fstat(file, &status) != 0 ||
      static_cast<size_t>(status.st_size) != offset) {
    error = "it goes on after its last value";
    return false;
  }
  return true;
}

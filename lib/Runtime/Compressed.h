//===- Compressed.h - values kept compressed in a tier ----------*- C++ -*-===//
//
// What stands behind a buffer of compressed values: a slot of reserved size for
// each, and a dense one beside it while a value does not fit into its own.
//
// Boundary: knows neither tiers nor the meter. Whoever calls counts.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_RUNTIME_COMPRESSED_H
#define PEBBLE_LIB_RUNTIME_COMPRESSED_H

#include "Codec.h"
#include "FileStore.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pebble::runtime {

/// One of the values of a buffer.
class CompressedSlot {
public:
  /// How a value is to be kept.
  struct Fit {
    size_t bytes = 0; ///< what it takes, and what is moved
    bool isEncoded = false;
    bool needsDenseSlot = false;
  };

  /// How `dense` would be kept. Reads it, and changes nothing.
  Fit fit(const char *dense) const;

  /// Makes room for what `fit` says and forgets what was there; false if there
  /// is no memory.
  bool prepare(const Fit &fit);

  /// Keeps `dense` as prepared. False, and the reason in `error`, if a file
  /// does not take it.
  bool store(const char *dense, std::string &error);

  /// Gives the value back: where nothing was stored, the pattern that the
  /// buffer began with. False, and the reason in `error`, if a file does not.
  bool load(char *dense, std::string &error);

  const Coding &getCoding() const { return *coding; }
  /// Bytes of the value as it is kept; 0 if nothing was stored.
  size_t getBytes() const { return isStored ? kept.bytes : 0; }
  bool hasDenseSlot() const { return isStored && kept.needsDenseSlot; }
  bool isInFile() const { return file != nullptr; }

  /// Of the dense slot, in the timeline.
  int64_t denseNumber = -1;

private:
  friend class CompressedValues;

  const Coding *coding = nullptr;
  size_t reserved = 0;
  int fill = 0;
  char *memory = nullptr; ///< of reserved size; null in a file
  std::unique_ptr<char[]> dense;
  std::unique_ptr<StoredValue> file;
  bool isStored = false;
  Fit kept;
};

/// The values of one buffer, all of one shape.
class CompressedValues {
public:
  /// Makes the file of value number `index`, or returns null and the reason.
  using MakeFile =
      std::function<std::unique_ptr<StoredValue>(size_t, std::string &)>;

  CompressedValues(const Coding &coding, size_t reserved)
      : coding(coding), reserved(reserved) {}

  /// Takes the slots of `count` values: in files with `makeFile`, otherwise in
  /// the memory at `place`, or in memory of its own if that is null. False, and
  /// the reason in `error`, if they cannot be had.
  bool make(size_t count, int fill, char *place, const MakeFile &makeFile,
            std::string &error);

  const Coding &getCoding() const { return coding; }
  std::vector<CompressedSlot> &getSlots() { return slots; }

private:
  const Coding coding;
  const size_t reserved;
  std::unique_ptr<char[]> memory;
  std::vector<CompressedSlot> slots;
};

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_COMPRESSED_H

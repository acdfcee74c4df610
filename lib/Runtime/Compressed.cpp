//===- Compressed.cpp - values kept compressed in a tier ------------------===//

#include "Compressed.h"

#include <cstring>
#include <new>

using namespace pebble::runtime;

CompressedSlot::Fit CompressedSlot::fit(const char *value) const {
  Fit fit;
  std::optional<size_t> bytes = encodedBytes(*coding, value);
  fit.isEncoded = bytes && *bytes <= reserved;
  fit.bytes = fit.isEncoded ? *bytes : coding->denseBytes();
  fit.needsDenseSlot = fit.bytes > reserved;
  return fit;
}

bool CompressedSlot::prepare(const Fit &fit) {
  // A file is as long as what is in it; the slot beside it is counted alone.
  bool needsMemory = fit.needsDenseSlot && !file;
  if (!needsMemory)
    dense.reset();
  else if (!dense)
    dense.reset(new (std::nothrow) char[fit.bytes]);
  if (needsMemory && !dense)
    return false;
  kept = fit;
  isStored = true;
  return true;
}

bool CompressedSlot::store(const char *value, std::string &error) {
  if (!file) {
    char *place = dense ? dense.get() : memory;
    if (kept.isEncoded)
      encode(*coding, value, place);
    else if (kept.bytes)
      std::memcpy(place, value, kept.bytes);
    return true;
  }
  if (!kept.isEncoded)
    return file->replace(value, kept.bytes, error);
  std::vector<char> encoded(kept.bytes);
  encode(*coding, value, encoded.data());
  return file->replace(encoded.data(), encoded.size(), error);
}

bool CompressedSlot::load(char *value, std::string &error) {
  if (!isStored) {
    std::memset(value, fill, coding->denseBytes());
    return true;
  }
  if (!file) {
    const char *place = dense ? dense.get() : memory;
    if (kept.isEncoded)
      decode(*coding, place, value);
    else if (kept.bytes)
      std::memcpy(value, place, kept.bytes);
    return true;
  }
  if (!kept.isEncoded)
    return file->load(0, value, kept.bytes, error);
  std::vector<char> encoded(kept.bytes);
  if (!file->load(0, encoded.data(), encoded.size(), error))
    return false;
  decode(*coding, encoded.data(), value);
  return true;
}

bool CompressedValues::make(size_t count, int fill, char *place,
                            const MakeFile &makeFile, std::string &error) {
  if (!makeFile && !place) {
    memory.reset(new (std::nothrow) char[count * reserved]);
    if (!memory)
      return false;
    place = memory.get();
  }
  slots.resize(count);
  for (size_t i = 0; i < count; ++i) {
    CompressedSlot &slot = slots[i];
    slot.coding = &coding;
    slot.reserved = reserved;
    slot.fill = fill;
    if (!makeFile)
      slot.memory = place + i * reserved;
    else if (slot.file = makeFile(i, error); !slot.file)
      return false;
  }
  return true;
}

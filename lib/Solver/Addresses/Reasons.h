//===- Reasons.h - the blocks that conclusions follow from ------*- C++ -*-===//
//
// A search that puts one block after the other concludes things from where
// they are, from the blocks alone or from other conclusions. Here is what each
// one follows from, so that a failure tells which of the blocks are to blame.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_ADDRESSES_REASONS_H
#define PEBBLE_LIB_SOLVER_ADDRESSES_REASONS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pebble::addresses {

/// No block.
constexpr uint32_t kNobody = UINT32_MAX;

/// Some blocks.
class BlockSet {
public:
  explicit BlockSet(size_t blocks) : isMember(blocks, false) {}

  void insert(uint32_t block) {
    if (!isMember[block])
      members.push_back(block);
    isMember[block] = true;
  }
  void erase(uint32_t block) {
    isMember[block] = false;
    members.erase(std::find(members.begin(), members.end(), block));
  }
  void clear() {
    for (uint32_t block : members)
      isMember[block] = false;
    members.clear();
  }
  bool contains(uint32_t block) const { return isMember[block]; }
  const std::vector<uint32_t> &getMembers() const { return members; }

private:
  std::vector<bool> isMember;
  std::vector<uint32_t> members;
};

/// The blocks that conclusions follow from, by number. The newest ones are
/// taken back first.
class Reasons {
public:
  /// Follows from nothing.
  static constexpr uint32_t kNone = 0;

  Reasons() { entries.push_back({}); }

  /// From where `block` is put, and what `before` follows from.
  uint32_t add(uint32_t block, uint32_t before) {
    return add({block, before, {}, 0});
  }
  uint32_t add(const BlockSet &set) {
    return add({kNobody, kNone, set.getMembers(), 0});
  }

  /// Adds a reason's blocks to `set`; as part of a batch, those of each number
  /// once.
  void join(BlockSet &set, uint32_t reason) {
    for (; reason != kNone && entries[reason].batch != batch;
         reason = entries[reason].before) {
      entries[reason].batch = batch;
      if (entries[reason].block != kNobody)
        set.insert(entries[reason].block);
      for (uint32_t block : entries[reason].blocks)
        set.insert(block);
    }
  }
  void startBatch() { ++batch; }

  size_t count() const { return entries.size(); }
  void shrink(size_t count) {
    for (; entries.size() > count; entries.pop_back())
      listed -= entries.back().blocks.size();
  }
  uint64_t bytes() const {
    return entries.capacity() * sizeof(Entry) + listed * sizeof(uint32_t);
  }

private:
  struct Entry {
    uint32_t block = kNobody;
    uint32_t before = kNone;
    std::vector<uint32_t> blocks;
    uint64_t batch = 0;
  };

  uint32_t add(Entry entry) {
    listed += entry.blocks.size();
    entries.push_back(std::move(entry));
    return static_cast<uint32_t>(entries.size() - 1);
  }

  std::vector<Entry> entries;
  uint64_t batch = 0, listed = 0;
};

} // namespace pebble::addresses

#endif // PEBBLE_LIB_SOLVER_ADDRESSES_REASONS_H

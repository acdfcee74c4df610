//===- RankChoices.h - what all ranks decide together -----------*- C++ -*-===//
//
// Private to RankEvents.cpp: communicators, and the ways through a program.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_RANKCHOICES_H
#define PEBBLE_LIB_PLANNING_RANKCHOICES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"

#include <map>
#include <tuple>
#include <vector>

namespace pebble {

/// Communicators: number 0 is all ranks. Others are made by splits; on all
/// ranks the k-th split of one of them is the same one.
struct Comms {
  std::map<std::tuple<int64_t, int64_t, int64_t>, int64_t> byColor;
  /// Key and rank of each member, by number.
  std::vector<std::vector<std::pair<int64_t, int64_t>>> members;

  int64_t split(int64_t parent, int64_t turn, int64_t color, int64_t key,
                int64_t rank) {
    auto [found, isNew] = byColor.try_emplace(
        {parent, turn, color}, static_cast<int64_t>(members.size()));
    if (isNew)
      members.emplace_back();
    members[found->second].push_back({key, rank});
    return found->second;
  }
};

/// What all ranks do at places where data decide: the next of the `count` ways
/// that there are, for each time that a place is reached. All ways are tried
/// one after the other, in the manner of an odometer.
class Choices {
public:
  unsigned get(mlir::Operation *op, unsigned turn, unsigned count) {
    auto [found, isNew] = made.insert({{op, turn}, {0, count}});
    return found->second.first;
  }
  /// False: all ways were tried.
  bool next() {
    while (!made.empty()) {
      auto &[way, count] = made.back().second;
      if (++way < count)
        return true;
      made.pop_back();
    }
    return false;
  }

private:
  llvm::MapVector<std::pair<mlir::Operation *, unsigned>,
                  std::pair<unsigned, unsigned>>
      made;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_RANKCHOICES_H

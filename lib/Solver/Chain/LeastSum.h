//===- LeastSum.h - the best split of a chain -------------------*- C++ -*-===//
//
// Private to the dynamic programs of this folder.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_CHAIN_LEASTSUM_H
#define PEBBLE_LIB_SOLVER_CHAIN_LEASTSUM_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace pebble::chain {

/// The best split found so far; 0 for none.
struct BestSplit {
  int64_t cost;
  int32_t split = 0;

  void offer(int64_t other, int64_t j) {
    if (other < cost) {
      cost = other;
      split = static_cast<int32_t>(j);
    }
  }
};

/// Offers the least of lower[j] + above[l - j] over first <= j < l, with the
/// least such j. Entries are at most INT64_MAX / 4.
inline void offerLeastSum(BestSplit &best, const std::vector<int64_t> &lower,
                          const std::vector<int64_t> &above, int64_t first,
                          int64_t l) {
  if (l <= first)
    return;
  const int64_t *low = lower.data();
  const int64_t *high = above.data() + l;
  // Four sums at a time: the least first, where it is afterwards.
  int64_t a = best.cost, b = a, c = a, d = a;
  int64_t j = first;
  for (; j + 4 <= l; j += 4) {
    a = std::min(a, low[j] + high[-j]);
    b = std::min(b, low[j + 1] + high[-j - 1]);
    c = std::min(c, low[j + 2] + high[-j - 2]);
    d = std::min(d, low[j + 3] + high[-j - 3]);
  }
  for (; j < l; ++j)
    a = std::min(a, low[j] + high[-j]);
  const int64_t least = std::min({a, b, c, d});
  if (least >= best.cost)
    return;
  for (j = first; low[j] + high[-j] != least;)
    ++j;
  best.offer(least, j);
}

/// The least of lower[j] + above[l - j] over j, row by row for growing l. As
/// long as `above` is convex, and `lower` has been so far, the least j of l + 1
/// is that of l or the next one.
class SplitSearch {
public:
  /// The first j to be tried; `above` is complete up to l - first.
  SplitSearch(const std::vector<int64_t> &above, int64_t first,
              bool aboveIsConvex)
      : above(above), first(first), pointer(first), convex(aboveIsConvex) {}

  /// `lowerIsConvex` speaks of all entries from `first` to l - 1.
  void offer(BestSplit &best, const std::vector<int64_t> &lower, int64_t l,
             bool lowerIsConvex) {
    convex &= lowerIsConvex;
    if (l <= first)
      return;
    if (!convex)
      return offerLeastSum(best, lower, above, first, l);
    if (pointer + 1 < l && sum(lower, pointer + 1, l) < sum(lower, pointer, l))
      ++pointer;
    best.offer(sum(lower, pointer, l), pointer);
  }

private:
  int64_t sum(const std::vector<int64_t> &lower, int64_t j, int64_t l) const {
    return lower[static_cast<size_t>(j)] + above[static_cast<size_t>(l - j)];
  }

  const std::vector<int64_t> &above;
  int64_t first, pointer;
  bool convex;
};

} // namespace pebble::chain

#endif // PEBBLE_LIB_SOLVER_CHAIN_LEASTSUM_H

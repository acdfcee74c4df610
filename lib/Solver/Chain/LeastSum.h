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

/// The least of lower[j] + above[l - j] over first <= j < l, or `worst` if that
/// is less. Sums fit into the type.
template <typename Cost>
Cost leastSum(const std::vector<Cost> &lower, const std::vector<Cost> &above,
              int64_t first, int64_t l, Cost worst) {
  const Cost *low = lower.data();
  const Cost *high = above.data() + l;
  // Four sums at a time, which do not wait for each other.
  Cost a = worst, b = worst, c = worst, d = worst;
  int64_t j = first;
  for (; j + 4 <= l; j += 4) {
    a = std::min<Cost>(a, low[j] + high[-j]);
    b = std::min<Cost>(b, low[j + 1] + high[-j - 1]);
    c = std::min<Cost>(c, low[j + 2] + high[-j - 2]);
    d = std::min<Cost>(d, low[j + 3] + high[-j - 3]);
  }
  for (; j < l; ++j)
    a = std::min<Cost>(a, low[j] + high[-j]);
  return std::min({a, b, c, d});
}

/// The first j at which lower[j] + above[l - j] is that.
inline int64_t whereIsSum(const std::vector<int64_t> &lower,
                          const std::vector<int64_t> &above, int64_t first,
                          int64_t l, int64_t sum) {
  int64_t j = first;
  while (lower[static_cast<size_t>(j)] + above[static_cast<size_t>(l - j)] !=
         sum)
    ++j;
  return j;
}

/// Offers the least of lower[j] + above[l - j] over first <= j < l, with the
/// least such j. Entries are at most INT64_MAX / 4.
inline void offerLeastSum(BestSplit &best, const std::vector<int64_t> &lower,
                          const std::vector<int64_t> &above, int64_t first,
                          int64_t l) {
  const int64_t least = leastSum(lower, above, first, l, best.cost);
  if (least < best.cost)
    best.offer(least, whereIsSum(lower, above, first, l, least));
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

//===- Stack.cpp - live storages piled up over the schedule ---------------===//

#include "Stack.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <numeric>

using namespace llvm;

namespace pebble {

StringRef getLabel(Band band) {
  switch (band) {
  case Band::Argument:
    return "arguments";
  case Band::Saved:
    return "saved activations";
  case Band::Activation:
    return "activations";
  case Band::Gradient:
    return "gradients";
  case Band::Result:
    return "results";
  case Band::Scratch:
    return "scratch";
  }
  llvm_unreachable("covered switch");
}

Band getBand(const StorageEntry &entry) {
  switch (entry.role) {
  case Role::Argument:
    return Band::Argument;
  case Role::Activation:
    return entry.isSaved ? Band::Saved : Band::Activation;
  case Role::Gradient:
    return Band::Gradient;
  case Role::Result:
    return Band::Result;
  }
  llvm_unreachable("covered switch");
}

bool isTierShown(const FunctionReport &report, unsigned tier) {
  return !report.tiers[tier].isCache &&
         (tier == report.computeTier || report.tiers[tier].peakBytes);
}

unsigned Stack::getColumn(unsigned position) const {
  // The last column that begins at or before it (see choosePositions).
  return ((position + 1) * positions.size() - 1) / steps;
}

namespace {
/// Columns in which a storage is live; empty if none of the steps that stand
/// for columns falls into its life.
struct Columns {
  unsigned first = 1, last = 0;
  bool isEmpty() const { return first > last; }
};
} // namespace

static Columns findColumns(const std::vector<unsigned> &positions,
                           LiveRange range) {
  Columns columns;
  if (range.isEmpty())
    return columns;
  auto first = llvm::lower_bound(positions, range.first);
  auto last = llvm::upper_bound(positions, range.last);
  if (first == last)
    return columns;
  columns.first = first - positions.begin();
  columns.last = last - positions.begin() - 1;
  return columns;
}

static void choosePositions(Stack &stack, const std::vector<int64_t> &live,
                            unsigned columns) {
  size_t steps = stack.steps = live.size();
  size_t count = std::min<size_t>(columns, steps);
  for (size_t column = 0; column < count; ++column) {
    size_t begin = column * steps / count;
    size_t end = (column + 1) * steps / count;
    auto most = std::max_element(live.begin() + begin, live.begin() + end);
    stack.positions.push_back(most - live.begin());
    stack.total.push_back(*most);
  }
  stack.peakColumn = std::max_element(stack.total.begin(), stack.total.end()) -
                     stack.total.begin();
}

namespace {
/// Piles the storages of one tier up, column by column.
class StackBuilder {
public:
  StackBuilder(const FunctionReport &report, unsigned tier, unsigned columns)
      : report(report), tier(tier) {
    choosePositions(stack, report.tiers[tier].liveBytes, columns);
    count = stack.positions.size();
    spans.resize(report.storages.size());
    for (auto [id, entry] : enumerate(report.storages)) {
      if (entry.tier != tier)
        continue;
      spans[id] = findColumns(stack.positions, entry.range);
      if (!spans[id].isEmpty() && entry.footprint)
        live.push_back(id);
    }
  }

  Stack build(unsigned single) {
    chooseSingle(single);
    sumSmall();
    pileAll();
    return std::move(stack);
  }

private:
  double getArea(unsigned id) const {
    return double(report.storages[id].footprint) *
           (spans[id].last - spans[id].first + 1);
  }

  /// The largest on their own, in the order in which they begin.
  void chooseSingle(unsigned single) {
    llvm::sort(live, [&](unsigned a, unsigned b) {
      double left = getArea(a), right = getArea(b);
      return left != right ? left > right : a < b;
    });
    kept = std::min<size_t>(single, live.size());
    llvm::sort(live.begin(), live.begin() + kept, [&](unsigned a, unsigned b) {
      return std::make_pair(report.storages[a].range.first, a) <
             std::make_pair(report.storages[b].range.first, b);
    });
  }

  /// One sum of the small ones for each band, as differences first.
  void sumSmall() {
    for (unsigned band = 0; band < kBands; ++band) {
      sums[band].band = Band(band);
      sums[band].count = 0;
      sums[band].height.assign(count + 1, 0);
    }
    for (unsigned id : ArrayRef(live).drop_front(kept)) {
      Shape &sum = sums[unsigned(getBand(report.storages[id]))];
      sum.height[spans[id].first] += report.storages[id].footprint;
      sum.height[spans[id].last + 1] -= report.storages[id].footprint;
      ++sum.count;
    }
    for (Shape &sum : sums) {
      std::partial_sum(sum.height.begin(), sum.height.end(),
                       sum.height.begin());
      sum.height.pop_back();
    }
    if (tier != report.computeTier)
      return;
    Shape &scratch = sums[unsigned(Band::Scratch)];
    for (unsigned column = 0; column < count; ++column)
      if (int64_t bytes = report.steps[stack.positions[column]].scratch;
          bytes > 0) {
        scratch.height[column] = bytes;
        scratch.count = 1;
      }
  }

  void pile(Shape shape) {
    for (unsigned i = 0; i < shape.height.size(); ++i) {
      int64_t &base = below[shape.firstColumn + i];
      shape.base.push_back(base);
      base += shape.height[i];
    }
    stack.shapes.push_back(std::move(shape));
  }
  void pileAll() {
    below.assign(count, 0);
    for (unsigned band = 0; band < kBands; ++band) {
      if (sums[band].count)
        pile(std::move(sums[band]));
      for (unsigned id : ArrayRef(live).take_front(kept)) {
        if (getBand(report.storages[id]) != Band(band))
          continue;
        Shape shape;
        shape.band = Band(band);
        shape.storage = id;
        shape.firstColumn = spans[id].first;
        shape.height.assign(spans[id].last - spans[id].first + 1,
                            report.storages[id].footprint);
        pile(std::move(shape));
      }
    }
  }

  const FunctionReport &report;
  unsigned tier;
  unsigned count;
  Stack stack;
  std::vector<Columns> spans;
  std::vector<unsigned> live;
  size_t kept = 0;
  std::array<Shape, kBands> sums;
  std::vector<int64_t> below;
};
} // namespace

Stack Stack::get(const FunctionReport &report, unsigned tier, unsigned columns,
                 unsigned single) {
  return StackBuilder(report, tier, columns).build(single);
}

} // namespace pebble

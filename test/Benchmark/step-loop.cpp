//===- step-loop.cpp - calls a compiled step again and again --------------===//
//
// The driver under valgrind's tools: `step-loop N` calls the sparse-parity step
// N times on one sample and prints the metered peak. It touches next to nothing
// itself, so that what N more calls add is the step's. Built by
// test/Integration/sparse-parity/build.sh.
//
//===----------------------------------------------------------------------===//

#include "../Integration/sparse-parity/step.h"

#include "pebble/Runtime/Runtime.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {
Vector makeVector(int64_t count, float first) {
  auto *data =
      static_cast<float *>(pebble_rt_alloc(0, count * int64_t(sizeof(float))));
  for (int64_t i = 0; i < count; ++i)
    data[i] = i % 3 ? first : -first;
  return {data, data, 0, {count}, {1}};
}
} // namespace

int main(int argc, char **argv) {
  int calls = argc > 1 ? std::atoi(argv[1]) : 1;
  Vector flat = makeVector(20000, 0.25f);
  Matrix W1 = {flat.allocated, flat.aligned, 0, {1000, 20}, {20, 1}};
  Vector b1 = makeVector(1000, 0), W2 = makeVector(1000, 0.03f);
  Vector b2 = makeVector(1, 0), x = makeVector(20, 1), y = makeVector(1, 1);
  for (int i = 0; i < calls; ++i) {
#ifdef DONATED_TENSORS
    Weights updated;
    _mlir_ciface_train_step(&updated, &W1, &b1, &W2, &b2, &x, &y);
#else
    _mlir_ciface_train_step(&W1, &b1, &W2, &b2, &x, &y);
#endif
  }
  // The arguments live throughout, so the peaks of all tiers fall together.
  int64_t peak = 0;
  for (int32_t tier = 0; tier < pebble_rt_tier_count(); ++tier)
    peak += pebble_rt_peak_bytes(tier);
  std::printf("%" PRId64 "\n", peak);
  return 0;
}

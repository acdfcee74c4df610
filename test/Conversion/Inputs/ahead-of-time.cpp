// Calls a compiled step twice and prints what it returned and what it took.
#include "pebble/Runtime/Runtime.h"

#include <cstdio>

struct MemRef {
  float *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
};

extern "C" float _mlir_ciface_step(MemRef *x);

int main() {
  float data[4] = {1, 2, 3, 4};
  MemRef x = {data, data, 0, {4}, {1}};
  float first = _mlir_ciface_step(&x);
  float second = _mlir_ciface_step(&x);
  std::printf("%g %g peak %d live %d\n", first, second,
              static_cast<int>(pebble_rt_peak_bytes(0)),
              static_cast<int>(pebble_rt_live_bytes(0)));
  return pebble_rt_check_leaks();
}

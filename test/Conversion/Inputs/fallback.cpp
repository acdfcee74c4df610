// Calls a compiled step whose plan rests on a bound with data of the sizes that
// the command line gives. Prints the peak of each call, and whether what came
// out is that of the program before it was planned.
#include "pebble/Runtime/Runtime.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

struct MemRef {
  float *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
};

extern "C" void _mlir_ciface_step(MemRef *result, MemRef *x);
extern "C" void _mlir_ciface_unplanned(MemRef *result, MemRef *x);

static MemRef makeArgument(int64_t size) {
  auto *data = static_cast<float *>(pebble_rt_alloc(0, size * sizeof(float)));
  for (int64_t i = 0; i < size; ++i)
    data[i] = static_cast<float>(i) / 7;
  return {data, data, 0, {size}, {1}};
}

static long long runMetered(void (*function)(MemRef *, MemRef *),
                            MemRef &result, MemRef &x) {
  pebble_rt_reset_meter();
  function(&result, &x);
  return static_cast<long long>(pebble_rt_peak_bytes(0));
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    MemRef x = makeArgument(std::atoll(argv[i])), planned, unplanned;
    runMetered(_mlir_ciface_unplanned, unplanned, x);
    size_t bytes = unplanned.sizes[0] * sizeof(float);
    void *expected = std::malloc(bytes);
    std::memcpy(expected, unplanned.aligned, bytes);
    pebble_rt_free(unplanned.allocated);
    long long peak = runMetered(_mlir_ciface_step, planned, x);
    bool equal = planned.sizes[0] == unplanned.sizes[0] &&
                 std::memcmp(expected, planned.aligned, bytes) == 0;
    std::printf("size %s peak %lld %s\n", argv[i], peak,
                equal ? "equal" : "different");
    std::free(expected);
    pebble_rt_free(planned.allocated);
    pebble_rt_free(x.allocated);
  }
  return pebble_rt_check_leaks();
}

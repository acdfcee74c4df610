//===- HostMemory.cpp - how the process gets its memory -------------------===//

#include "HostMemory.h"

#include "pebble/Runtime/Runtime.h"

#include <algorithm>
#include <cstdlib>

#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void pebble::keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1); // never
#endif
}

void pebble::warmUpMemory(const Prediction &prediction) {
  int64_t bytes = 0;
  for (int32_t i = 0; i < pebble_rt_tier_count(); ++i)
    if (pebble_rt_tier_backing(i) == PEBBLE_RT_MEMORY)
      bytes += std::max(getBytesOf(prediction.peak, pebble_rt_tier_name(i)),
                        getBytesOf(prediction.extent, pebble_rt_tier_name(i)));
  constexpr int64_t kPage = 4096;
  if (bytes / kPage > sysconf(_SC_PHYS_PAGES))
    return; // what is predicted may be a bound far off
  auto *memory = static_cast<volatile char *>(std::malloc(bytes));
  if (!memory)
    return; // the program itself says what does not fit
  for (int64_t at = 0; at < bytes; at += kPage)
    memory[at] = 0;
  std::free(const_cast<char *>(memory));
}

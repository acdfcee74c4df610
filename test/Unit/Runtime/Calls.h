//===- Calls.h - calls as compiled code makes them --------------*- C++ -*-===//

#ifndef PEBBLE_TEST_UNIT_RUNTIME_CALLS_H
#define PEBBLE_TEST_UNIT_RUNTIME_CALLS_H

#include "pebble/Runtime/Runtime.h"

#include <functional>
#include <string>

namespace pebble::test {

/// Runs `body` as compiled code runs; after an error its frame is gone, so it
/// owns nothing.
inline bool succeeds(std::function<void()> body) {
  return pebble_rt_call(
             [](void *argument) {
               (*static_cast<std::function<void()> *>(argument))();
             },
             &body) == 0;
}

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace pebble::test

#endif // PEBBLE_TEST_UNIT_RUNTIME_CALLS_H

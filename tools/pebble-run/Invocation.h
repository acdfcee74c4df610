//===- Invocation.h - one call of compiled code -----------------*- C++ -*-===//
//
// Lays arguments and results out as compiled code passes them, and calls it so
// that an error of the runtime or a crash of the program ends in order.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_INVOCATION_H
#define PEBBLE_TOOLS_PEBBLE_RUN_INVOCATION_H

#include "Arguments.h"
#include "Jit.h"

namespace pebble {

class Invocation {
public:
  /// Keeps references: the values are read at each call.
  Invocation(const Signature &signature, std::vector<HostValue> &arguments);
  Invocation(const Invocation &) = delete;

  /// Calls `entry` with the arguments. False after an error of the runtime,
  /// with the message in pebble_rt_error(). A crash ends the process.
  bool run(Jit::Entry entry);

  /// Calls `function` as `run` does, with one argument.
  static bool guard(llvm::function_ref<void()> function);

  /// What an entry takes (Jit.h); for calls under `guard`.
  void **getSlots() { return slots.data(); }

  /// The buffer of a shaped result of the last call.
  void *getResultBuffer(size_t index) const;

  /// The results of the last call.
  std::vector<HostValue> getResults() const;

private:
  const Signature &signature;
  /// Results lie one after the other, as in the structure that the compiled
  /// function returns.
  std::vector<int64_t> offsets;
  std::vector<int64_t> memory;
  void *structure = nullptr;
  std::vector<void *> pointers; ///< of descriptors, passed by pointer
  std::vector<void *> slots;
};

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_INVOCATION_H

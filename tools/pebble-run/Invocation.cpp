//===- Invocation.cpp - one call of compiled code -------------------------===//

#include "Invocation.h"

#include "pebble/Runtime/Runtime.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>

#include <unistd.h>

using namespace pebble;

static int64_t alignTo(int64_t value, int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

namespace {

/// Ends the process in order when the program crashes: what it printed is
/// written out, and a line says how it ended.
///
/// A program that wrote outside of its buffers may have spoilt the heap. Then
/// this tool crashes later, often inside of malloc. What LLVM does after a
/// crash calls malloc again, which waits there for itself and never ends. So
/// once a program has run, a crash is told without LLVM. It is told in other
/// words, since the fault may be this tool's.
class CrashReport {
public:
  CrashReport() { install(reportProgram); }
  ~CrashReport() { install(reportLater); }
  CrashReport(const CrashReport &) = delete;
  CrashReport &operator=(const CrashReport &) = delete;

private:
  static constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

  static void install(void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK; // LLVM has set one up; the other may be full
    sigemptyset(&action.sa_mask);
    for (int signal : kSignals)
      sigaction(signal, &action, nullptr);
  }

  static const char *describe(int signal) {
    switch (signal) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGBUS:
      return "SIGBUS";
    case SIGFPE:
      return "SIGFPE";
    case SIGILL:
      return "SIGILL";
    default:
      return "SIGABRT";
    }
  }

  static void put(const char *text) {
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
      _exit(1);
  }

  static void tell(const char *what, int signal, const char *why) {
    for (const char *text : {"pebble-run: error: ", what, " (signal ",
                             describe(signal), ")", why, "\n"})
      put(text);
    pebble_rt_remove_files();
  }

  static void reportProgram(int signal) {
    tell("the program crashed", signal, "");
    // A second fault, while output is written out, ends all the same.
    for (int each : kSignals)
      std::signal(each, [](int) { _exit(1); });
    std::fflush(stdout);
    _exit(1);
  }

  /// The signal then ends the process: this is no plain error.
  static void reportLater(int signal) {
    tell("crashed after the program had run", signal,
         "; a program that leaves the bounds of its buffers may end so");
    for (int each : kSignals)
      std::signal(each, SIG_DFL);
    std::raise(signal);
  }
};

} // namespace

Invocation::Invocation(const Signature &signature,
                       std::vector<HostValue> &arguments)
    : signature(signature) {
  // Structures are returned through a pointer that comes first; a complex
  // number is one.
  bool isIndirect =
      signature.results.size() > 1 ||
      (signature.results.size() == 1 &&
       (signature.results.front().isShaped() ||
        mlir::isa<mlir::ComplexType>(signature.results.front().type)));
  int64_t bytes = 0;
  for (const Slot &slot : signature.results) {
    bytes = alignTo(bytes, alignmentInMemory(slot));
    offsets.push_back(bytes);
    bytes += sizeInMemory(slot);
  }
  memory.resize(static_cast<size_t>(alignTo(bytes, 8) / 8 + 1));
  structure = memory.data();
  pointers.reserve(arguments.size());
  if (isIndirect)
    slots.push_back(static_cast<void *>(&structure));
  for (auto [slot, value] : llvm::zip(signature.arguments, arguments)) {
    if (slot.isShaped()) {
      pointers.push_back(value.words.data());
      slots.push_back(static_cast<void *>(&pointers.back()));
    } else {
      slots.push_back(value.words.data());
    }
  }
  if (!isIndirect)
    slots.push_back(structure);
}

bool Invocation::guard(llvm::function_ref<void()> function) {
  int error;
  {
    CrashReport crashes;
    error = pebble_rt_call(
        [](void *argument) {
          (*static_cast<llvm::function_ref<void()> *>(argument))();
        },
        &function);
  }
  std::fflush(stdout);
  return !error;
}

bool Invocation::run(Jit::Entry entry) {
  return guard([&] { entry(slots.data()); });
}

void *Invocation::getResultBuffer(size_t index) const {
  void *buffer;
  memcpy(static_cast<void *>(&buffer), &memory[offsets[index] / 8],
         sizeof(buffer));
  return buffer;
}

std::vector<HostValue> Invocation::getResults() const {
  std::vector<HostValue> results;
  for (auto [slot, offset] : llvm::zip(signature.results, offsets)) {
    HostValue value;
    value.words.resize(static_cast<size_t>(alignTo(sizeInMemory(slot), 8) / 8));
    memcpy(value.words.data(),
           reinterpret_cast<const char *>(memory.data()) + offset,
           static_cast<size_t>(sizeInMemory(slot)));
    results.push_back(std::move(value));
  }
  return results;
}

//===- StderrCapture.h - what a library says on stderr ----------*- C++ -*-===//
//
// LLVM's parsers of options write what is wrong to stderr, and hand out no
// message. A tool that wants to say it better has to catch it there.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_COMMON_STDERRCAPTURE_H
#define PEBBLE_TOOLS_COMMON_STDERRCAPTURE_H

#include <cstdio>
#include <string>

namespace pebble::tool {

/// Keeps what is written to stderr while it lives. If no file can be made for
/// that, nothing is kept, and stderr is as always.
class StderrCapture {
public:
  StderrCapture();
  ~StderrCapture();
  StderrCapture(const StderrCapture &) = delete;
  StderrCapture &operator=(const StderrCapture &) = delete;

  /// Gives stderr back. Returns what was written.
  std::string finish();

private:
  std::FILE *file = nullptr;
  /// The stderr from before; -1: nothing is kept.
  int before = -1;
};

} // namespace pebble::tool

#endif // PEBBLE_TOOLS_COMMON_STDERRCAPTURE_H

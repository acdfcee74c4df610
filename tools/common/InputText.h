//===- InputText.h - the text of a program that a tool was given *- C++ -*-===//

#ifndef PEBBLE_TOOLS_COMMON_INPUTTEXT_H
#define PEBBLE_TOOLS_COMMON_INPUTTEXT_H

#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace pebble::tool {

/// Takes a mark of UTF-8 off the front of `file`. Returns what is wrong with
/// the text as such; empty: nothing.
std::string prepareText(std::unique_ptr<llvm::MemoryBuffer> &file);

/// Says that a tool waits for its program, if `file` is a terminal: who forgot
/// the name of a file sees nothing else.
void announceTerminal(llvm::StringRef file);

} // namespace pebble::tool

#endif // PEBBLE_TOOLS_COMMON_INPUTTEXT_H

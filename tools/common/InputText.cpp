//===- InputText.cpp - the text of a program that a tool was given --------===//

#include "InputText.h"

#include "ByteOrderMark.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

std::string
pebble::tool::prepareText(std::unique_ptr<llvm::MemoryBuffer> &file) {
  llvm::StringRef text = file->getBuffer();
  if (isUtf16(text))
    return "'" + file->getBufferIdentifier().str() +
           "': " + std::string(kUtf16Error);
  if (size_t length = getMarkLength(text))
    file = llvm::MemoryBuffer::getMemBufferCopy(text.drop_front(length),
                                                file->getBufferIdentifier());
  return "";
}

void pebble::tool::announceTerminal(llvm::StringRef file) {
  if (file == "-" && llvm::sys::Process::StandardInIsUserInput())
    llvm::errs() << "(the program is read from the terminal: Ctrl-D ends it)\n";
}

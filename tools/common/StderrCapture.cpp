//===- StderrCapture.cpp - what a library says on stderr ------------------===//

#include "StderrCapture.h"

#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace pebble::tool;

StderrCapture::StderrCapture() : file(std::tmpfile()) {
  if (!file)
    return;
  llvm::errs().flush();
  before = dup(STDERR_FILENO);
  if (before >= 0)
    dup2(fileno(file), STDERR_FILENO);
}

StderrCapture::~StderrCapture() {
  finish();
  if (file)
    std::fclose(file);
}

std::string StderrCapture::finish() {
  std::string text;
  if (before < 0)
    return text;
  llvm::errs().flush();
  dup2(before, STDERR_FILENO);
  close(before);
  before = -1;
  std::rewind(file);
  char part[512];
  while (size_t length = std::fread(part, 1, sizeof part, file))
    text.append(part, length);
  return text;
}

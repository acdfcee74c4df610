//===- OutputFiles.cpp - what a run leaves behind -------------------------===//

#include "OutputFiles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

static Error cannotWrite(const std::string &path, std::error_code error) {
  return createStringError(error,
                           "cannot write " + path + ": " + error.message());
}

Error pebble::checkOutputFile(const std::string &path) {
  if (path.empty() || path == "-")
    return Error::success();
  if (sys::fs::is_directory(path))
    return cannotWrite(path, std::make_error_code(std::errc::is_a_directory));
  StringRef folder = sys::path::parent_path(path);
  if (folder.empty())
    folder = ".";
  const bool isThere = sys::fs::exists(path);
  if (std::error_code error = sys::fs::access(
          isThere ? Twine(path) : Twine(folder), sys::fs::AccessMode::Write))
    return cannotWrite(path, error);
  return Error::success();
}

Error pebble::writeOutputFile(const std::string &path,
                              function_ref<void(raw_ostream &)> write) {
  std::error_code error;
  raw_fd_ostream os(path, error);
  if (error)
    return cannotWrite(path, error);
  write(os);
  return Error::success();
}

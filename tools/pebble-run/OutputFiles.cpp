//===- OutputFiles.cpp - what a run leaves behind -------------------------===//

#include "OutputFiles.h"

#include "pebble/Target/OutputFile.h"

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

bool pebble::isOwnFile(const std::string &path) {
  if (path.empty() || path == "-")
    return false;
  return !sys::fs::exists(path) || sys::fs::is_regular_file(path) ||
         sys::fs::is_directory(path);
}

Error pebble::checkOutputFiles(ArrayRef<OutputName> names) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (Error error = checkOutputFile(names[i].path))
      return error;
    for (size_t before = 0; before < i; ++before)
      if (names[before].path == names[i].path && isOwnFile(names[i].path))
        return createStringError("--" + names[before].option + " and --" +
                                 names[i].option + " name one file, " +
                                 names[i].path + ": give each its own");
  }
  return Error::success();
}

Error pebble::writeOutputFile(const std::string &path,
                              function_ref<void(raw_ostream &)> write) {
  std::string text;
  raw_string_ostream all(text);
  write(all);
  const std::string error = writeWholeFile(path, text);
  if (!error.empty())
    return createStringError("cannot write " + path + ": " + error);
  return Error::success();
}

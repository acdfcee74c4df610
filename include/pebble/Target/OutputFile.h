//===- OutputFile.h - files that are whole or not there ---------*- C++ -*-===//
//
// What a tool writes is written into a temporary file beside its place, and
// takes that place when all of it is on the disk. A full disk, a failure or an
// interrupt leaves the file that was there. Knows neither MLIR nor LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TARGET_OUTPUTFILE_H
#define PEBBLE_TARGET_OUTPUTFILE_H

#include <string>
#include <string_view>
#include <utility>

namespace pebble {

/// A file that is being written; "-" is standard output. A device, a pipe or a
/// terminal is written where it stands; so is a file in a folder that takes no
/// new one.
class OutputFile {
public:
  explicit OutputFile(std::string path) : path(std::move(path)) {}
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  /// Removes what was not kept.
  ~OutputFile();

  /// Each of these tells why it failed; an empty text is success.
  std::string open();
  std::string write(std::string_view text);
  /// Puts the file in its place.
  std::string keep();

  /// What `open` opened: the descriptor, and the temporary file, if there is
  /// one.
  int getDescriptor() const { return descriptor; }
  const std::string &getTemporary() const { return temporary; }

private:
  /// The file that is to be replaced; a link names it.
  std::string path, place, temporary;
  int descriptor = -1;
};

/// Writes a whole file; why it could not, or an empty text.
std::string writeWholeFile(const std::string &path, std::string_view text);

} // namespace pebble

#endif // PEBBLE_TARGET_OUTPUTFILE_H

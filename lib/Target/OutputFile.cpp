//===- OutputFile.cpp - files that are whole or not there -----------------===//

#include "pebble/Target/OutputFile.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace pebble;

/// The rights of a file that is new.
static mode_t getNewMode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

OutputFile::~OutputFile() {
  if (descriptor >= 0)
    close(descriptor);
  if (!temporary.empty())
    unlink(temporary.c_str());
}

std::string OutputFile::open() {
  if (path == "-") {
    descriptor = dup(STDOUT_FILENO);
    return descriptor < 0 ? std::string(std::strerror(errno)) : std::string();
  }
  struct stat old;
  const bool isThere = stat(path.c_str(), &old) == 0;
  place = path;
  if (char *real = isThere ? realpath(path.c_str(), nullptr) : nullptr) {
    place = real;
    std::free(real);
  }
  // Standard output has a name there, and a file that others write may be
  // behind it.
  const bool isDevice =
      path.rfind("/dev/", 0) == 0 || path.rfind("/proc/", 0) == 0;
  if (!isDevice && (!isThere || S_ISREG(old.st_mode))) {
    // Whoever may not write a file does not replace it either.
    if (isThere && access(place.c_str(), W_OK) != 0)
      return std::strerror(errno);
    temporary = place + ".XXXXXX";
    descriptor = mkstemp(temporary.data());
    if (descriptor >= 0) {
      fchmod(descriptor, isThere ? old.st_mode & 07777 : getNewMode());
      return {};
    }
    temporary.clear();
    if (errno != EACCES && errno != EPERM && errno != ENAMETOOLONG)
      return std::strerror(errno);
  }
  descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  return descriptor < 0 ? std::string(std::strerror(errno)) : std::string();
}

std::string OutputFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return std::strerror(errno);
    text.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

std::string OutputFile::keep() {
  const int closed = close(descriptor);
  descriptor = -1;
  if (closed != 0)
    return std::strerror(errno);
  if (!temporary.empty() && rename(temporary.c_str(), place.c_str()) != 0)
    return std::strerror(errno);
  temporary.clear();
  return {};
}

std::string pebble::writeWholeFile(const std::string &path,
                                   std::string_view text) {
  OutputFile file(path);
  std::string error = file.open();
  if (error.empty())
    error = file.write(text);
  return error.empty() ? file.keep() : error;
}

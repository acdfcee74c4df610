//===- OutputFiles.h - what a run leaves behind -----------------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_OUTPUTFILES_H
#define PEBBLE_TOOLS_PEBBLE_RUN_OUTPUTFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace pebble {

/// An option that names a file, and the name: empty where it is not given.
struct OutputName {
  std::string option, path;
};

/// Why a file of this name cannot be written, if that is known beforehand: a
/// run may take hours, and is lost where its report is. Makes nothing. An empty
/// name is none.
llvm::Error checkOutputFile(const std::string &path);

/// The same for the files of all options, of which no two may be one.
llvm::Error checkOutputFiles(llvm::ArrayRef<OutputName> names);

/// Whether writing to `path` replaces what was there: not so for a terminal, a
/// pipe or a device.
bool isOwnFile(const std::string &path);

llvm::Error
writeOutputFile(const std::string &path,
                llvm::function_ref<void(llvm::raw_ostream &)> write);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_OUTPUTFILES_H

//===- ToolOptions.h - options that our MLIR tools share --------*- C++ -*-===//
//
// `--target`, `--list-targets`, `--version`, what --help shows, and what is
// said of a misspelt option.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_COMMON_TOOLOPTIONS_H
#define PEBBLE_TOOLS_COMMON_TOOLOPTIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>
#include <vector>

namespace pebble::tool {

/// Of the options that are ours: --help shows these.
llvm::cl::OptionCategory &getCategory();

/// Puts an option into that category.
inline const llvm::cl::cat ours(getCategory());

/// Has --version say `name` and the version of Pebble.
void registerVersion(const std::string &name);

/// That, and puts `--target` and `--list-targets` on the command line.
void registerToolOptions(const std::string &name);

/// After all options are registered, and before the line is parsed: moves all
/// that is not of our category, and not named in `alsoShown`, from --help to
/// --help-hidden.
void hideOthers(llvm::ArrayRef<llvm::StringRef> alsoShown = {});

/// Options of our category by name.
std::vector<std::string> getOwnOptions();

/// The error on an option of ours that the line gives nothing, as `--json=`, or
/// on one that nobody has registered, with the one in `known` that it is near
/// to. None of one with a single dash that is near to nothing: it is for LLVM
/// to say.
std::optional<std::string> findMisspelt(llvm::ArrayRef<const char *> arguments,
                                        const std::vector<std::string> &known);

/// registerToolOptions, hideOthers, checks the spelling and parses the line.
/// The status to exit with, where there is nothing left to do.
std::optional<int> parseToolLine(int argc, char **argv, const char *overview);

/// After parsing: prints the machines if --list-targets asks for them.
bool listsTargets();

/// What --target says; none: it is not there.
std::optional<std::string> getTargetOption();

/// Puts the machine that --target names on `module`, if it does. Emits an error
/// and fails if there is none.
llvm::LogicalResult attachTarget(mlir::ModuleOp module);

} // namespace pebble::tool

#endif // PEBBLE_TOOLS_COMMON_TOOLOPTIONS_H

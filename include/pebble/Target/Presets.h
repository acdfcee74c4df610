//===- Presets.h - known machines as attributes -----------------*- C++ -*-===//

#ifndef PEBBLE_TARGET_PRESETS_H
#define PEBBLE_TARGET_PRESETS_H

#include "pebble/Dialect/PebbleDialect.h"
#include "pebble/Target/PresetTables.h"

namespace pebble {

/// The hierarchy of the machine called `name`; null if there is none. Loads the
/// pebble dialect into `context`.
HierarchyAttr getPreset(mlir::MLIRContext *context, llvm::StringRef name);

/// The hierarchy of the preset called `nameOrFile`, else the one that the file
/// says (HierarchyFile.h). Emits an error at `loc` and fails if there is none.
mlir::FailureOr<HierarchyAttr> getTarget(mlir::Location loc,
                                         llvm::StringRef nameOrFile);

} // namespace pebble

#endif // PEBBLE_TARGET_PRESETS_H

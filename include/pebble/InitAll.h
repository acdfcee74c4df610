//===- InitAll.h - register everything Pebble offers ----------------------===//
//
// What a tool, a plugin or a frontend calls once. Nothing here decides
// anything; each room registers its own.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_INITALL_H
#define PEBBLE_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pebble {

/// Adds the pebble dialect and Pebble's external models to `registry`. Does
/// not add upstream dialects: a tool chooses those itself.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Adds the upstream dialects and interface models that Pebble's own tools
/// read and lower.
void registerUpstream(mlir::DialectRegistry &registry);

/// Registers Pebble's passes and named pipelines with the global registry.
void registerAllPasses();

} // namespace pebble

#endif // PEBBLE_INITALL_H

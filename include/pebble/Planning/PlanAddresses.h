//===- PlanAddresses.h - where the buffers of a function lie ----*- C++ -*-===//
//
// The last question of a memory plan: every buffer of a function has a size and
// a lifetime, and gets an offset in the one block of memory that its tier is.
// Collects the buffers of a function, asks the solver for offsets, writes them
// down, and says of offsets that are written down whether they hold.
//
// A buffer is what the function allocates and what is passed to it. It lives as
// LifetimeAnalysis counts it, in steps, behind a moment at which the arguments
// alone are there. A copy under way is live in both of its tiers.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_PLANADDRESSES_H
#define PEBBLE_PLANNING_PLANADDRESSES_H

#include "pebble/Analysis/ProgramContext.h"
#include "pebble/Solver/Addresses/PlaceBuffers.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

namespace pebble {

/// A buffer of a function, in steps: live from `lower` until before `upper`.
struct FunctionBuffer {
  /// An argument, or what allocates it.
  mlir::BlockArgument argument;
  mlir::Operation *allocation = nullptr;
  /// Name of its tier; that of the compute tier too, "default" without a
  /// hierarchy.
  std::string tier;
  /// Bytes, rounded up to 64.
  int64_t size = 0;
  int64_t lower = 0, upper = 0;

  mlir::Location getLoc() const;
  /// `pebble.offset`, if it is there.
  std::optional<int64_t> getOffset() const;
};

/// All buffers of a function, or why nobody can say which there will be.
struct FunctionBuffers {
  std::vector<FunctionBuffer> buffers;
  /// Empty if there is no reason; otherwise a sentence without a full stop, and
  /// where it stands.
  std::string refusal;
  std::optional<mlir::Location> refusedAt;
};

/// The buffers of `function`, storages decided and written down. Refuses
/// dynamic shapes, several blocks, calls of functions with bodies, functions
/// that others call, and operations that allocate inside or have no
/// destination. Time near-linear in operations.
FunctionBuffers collectBuffers(mlir::FunctionOpInterface function,
                               ProgramContext &context);

/// What is known of one tier.
struct TierExtent {
  std::string tier;
  /// The most bytes that are live at one time; the end of the highest buffer;
  /// and what no placement of these buffers is below.
  int64_t peak = 0, extent = 0, bound = 0;
  std::string solver;
  /// A limit of time or memory ended a search early.
  bool limited = false;
};

struct AddressPlan {
  /// By buffer.
  std::vector<int64_t> offsets;
  /// In the order in which tiers first have a buffer, the compute tier first.
  std::vector<TierExtent> tiers;

  /// Null if nothing lies in it.
  const TierExtent *getTier(llvm::StringRef name) const;
};

/// The buffers of one tier as the solver knows them, and which they are.
struct TierBuffers {
  std::string tier;
  std::vector<addresses::Buffer> buffers;
  std::vector<size_t> indices;
};

/// Tiers in the order in which they first have a buffer.
std::vector<TierBuffers>
splitByTier(const std::vector<FunctionBuffer> &buffers);

struct AddressRequest {
  /// An extent that is low enough for the tier of this name; 0: as low as can
  /// be found.
  std::string tier;
  int64_t enough = 0;
  uint64_t seed = 0;
  /// Buffers that each of the searches looks at, for each tier.
  uint64_t effort = 3000000;
  /// Of all tiers together. Reaching them ends the search with the best offsets
  /// that are known by then; some always are.
  graph::Limits limits;
};

/// Offsets for the buffers of one tier, whichever it is, as multiples of 64;
/// judged.
addresses::Placement placeInTier(const std::vector<addresses::Buffer> &buffers,
                                 const AddressRequest &request);

/// Offsets for all buffers, each tier by itself; judged. Same buffers, same
/// offsets.
AddressPlan planAddresses(const std::vector<FunctionBuffer> &buffers,
                          const AddressRequest &request = {});

/// Writes `pebble.offset` on every allocation and argument, and `pebble.extent`
/// and `pebble.lives` on the function.
void writeAddresses(mlir::FunctionOpInterface function,
                    const std::vector<FunctionBuffer> &buffers,
                    const AddressPlan &plan);

/// Takes all of it off again, wherever they stand in `function`, or in all
/// functions of a module.
void eraseAddresses(mlir::FunctionOpInterface function);
void eraseAllAddresses(mlir::Operation *module);

/// Whether the addresses of `function` are planned (`pebble.extent`).
bool hasAddresses(mlir::FunctionOpInterface function);

/// Emits an error and fails unless every buffer of `function`, whose addresses
/// are planned, has an offset, and no two that are live at one time in one tier
/// overlap (rule D44).
llvm::LogicalResult verifyAddresses(mlir::FunctionOpInterface function,
                                    ProgramContext &context);

/// What the addresses of a function are worth.
enum class AddressState {
  Hold,
  /// They hold, but were planned for other buffers or lives. Those that are
  /// gone may have been the ones at the end of the extent.
  HoldForOthers,
  /// They do not hold, and were planned for other buffers or lives: something
  /// has changed the function since.
  Outdated,
  /// They do not hold, and nothing but the addresses can have changed since.
  Wrong
};

/// Judges the addresses of `function`, which has the buffers `found`. Emits an
/// error if they are wrong. Where nobody wrote down what they were planned for
/// (`pebble.lives`), they are never outdated.
AddressState judgeAddresses(mlir::FunctionOpInterface function,
                            const FunctionBuffers &found);

/// Writes on `function`, whose addresses hold, where the last of `buffers` ends
/// in each tier (`pebble.extent`), and that the addresses are for these buffers
/// (`pebble.lives`).
void restateAddresses(mlir::FunctionOpInterface function,
                      const std::vector<FunctionBuffer> &buffers);

} // namespace pebble

#endif // PEBBLE_PLANNING_PLANADDRESSES_H

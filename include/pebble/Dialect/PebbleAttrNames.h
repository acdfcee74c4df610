//===- PebbleAttrNames.h - names of Pebble's discardable attributes -------===//
//
// The attributes that Pebble reads from ops of other dialects and writes to
// them. Each has a rule in docs/PebbleGame.md that the dialect verifies; an
// attribute `pebble.*` that is not listed here is rejected, so that a misspelt
// wish is never ignored in silence. A new one is a line here, a line in
// `AttributeRules.cpp`, and a rule.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PEBBLEATTRNAMES_H
#define PEBBLE_DIALECT_PEBBLEATTRNAMES_H

#include "llvm/ADT/StringRef.h"

namespace pebble::attr {

// On modules.

/// `#pebble.hierarchy<...>`: the machine.
inline constexpr llvm::StringLiteral kHierarchy = "pebble.hierarchy";
/// String: where a module stood that was taken out of others, `in::deeper`. Its
/// functions are called in::deeper::f as before.
inline constexpr llvm::StringLiteral kPath = "pebble.path";
/// Unit: a value may come back rounded where its step is undone.
inline constexpr llvm::StringLiteral kAllowRounding = "pebble.allow_rounding";

// On function arguments.

/// Unit: the caller gives the argument away; Pebble may overwrite or drop it.
inline constexpr llvm::StringLiteral kDonated = "pebble.donated";
/// `[lo, hi]`: what generated data is drawn from.
inline constexpr llvm::StringLiteral kRange = "pebble.range";

/// Integer: the result of the function that is to lie in the argument's memory;
/// what was there is nobody's.
inline constexpr llvm::StringLiteral kResultPlace = "pebble.result_place";

// On ops: what the user wishes for their results.

/// Unit: the result stays in the compute tier until its last use.
inline constexpr llvm::StringLiteral kKeep = "pebble.keep";
/// Unit: the result is computed again, not kept.
inline constexpr llvm::StringLiteral kRecompute = "pebble.recompute";
/// Unit, or the name of a tier: the result is stored there, not kept.
inline constexpr llvm::StringLiteral kOffload = "pebble.offload";
/// Integer: what one run of the op costs, instead of an estimate.
inline constexpr llvm::StringLiteral kCost = "pebble.cost";
/// Integer: the position in its block that a user dictates.
inline constexpr llvm::StringLiteral kOrder = "pebble.order";
/// String: the tier of the results (or of the argument) whose type cannot say
/// so, because its encoding is taken.
inline constexpr llvm::StringLiteral kTier = "pebble.tier";
/// String: what people call the argument or the result; an array of strings on
/// an op with several results.
inline constexpr llvm::StringLiteral kName = "pebble.name";

// On loops that Pebble has written.

/// Dictionary on the loop that runs an adjoint backward: `{slots, steps,
/// forward_steps, backward_steps, bound, peak_bytes}`, what is known of them.
inline constexpr llvm::StringLiteral kReversal = "pebble.reversal";
/// Integer on a loop inside of a driver: how often its body runs in all each
/// time that the driver does.
inline constexpr llvm::StringLiteral kRuns = "pebble.runs";

// On functions that Pebble has planned.

/// Dictionary: `{status, cost, bound, peak_bytes, input_peak_bytes, solver}`,
/// and `extent_bytes` where addresses are planned.
inline constexpr llvm::StringLiteral kResult = "pebble.result";
/// Dictionary: by tier, the bytes of the block that holds its buffers.
inline constexpr llvm::StringLiteral kExtent = "pebble.extent";
/// Integer, on an allocation or an argument of such a function: where in that
/// block the buffer lies.
inline constexpr llvm::StringLiteral kOffset = "pebble.offset";
/// String on such a function: a digest of the buffers, with their sizes and
/// lives, for which the offsets were planned.
inline constexpr llvm::StringLiteral kLives = "pebble.lives";
/// Dictionary `{function, dim_bound}`: the sizes that the plan rests on, and
/// the function to run instead where an argument is larger.
inline constexpr llvm::StringLiteral kFallback = "pebble.fallback";
/// Dictionary on a function made of a forward and a backward function:
/// `{forward, backward, arguments, results}`, their names and how many of the
/// arguments and results, the first ones, are those of the forward function.
inline constexpr llvm::StringLiteral kStitched = "pebble.stitched";
/// Dictionary `{backward = @name, results = n}` on a forward function: its
/// results after the first n are a tape, which the first arguments of the
/// backward function take. `{results = n}` on an op with regions: its results
/// after the first n are a tape, and what reads that is its adjoint.
inline constexpr llvm::StringLiteral kAdjoint = "pebble.adjoint";
/// "split" or "joint", on a forward function or a call of one: whether its tape
/// is kept, or it runs again before its adjoint.
inline constexpr llvm::StringLiteral kCallMode = "pebble.call_mode";
/// i64 on a function: how many calls of it are under way at one time at most.
inline constexpr llvm::StringLiteral kRecursionDepth = "pebble.recursion_depth";
/// Dictionary `{function = @name, operand = n}` on a function: the named one
/// takes its results and its other arguments, and returns argument n.
inline constexpr llvm::StringLiteral kInverse = "pebble.inverse";
/// i64 on a call of a function with an adjoint, or on the function: which stage
/// of a pipeline it is, from 0.
inline constexpr llvm::StringLiteral kStage = "pebble.stage";
/// Unit, on an argument or result of a function with stages: each micro-batch
/// has one of its own.
inline constexpr llvm::StringLiteral kMicroBatch = "pebble.micro_batch";

/// True for attributes that say nothing of what an op computes: Pebble's own,
/// and what linalg notes down on a named op when it is asked for its maps.
inline bool isBookkeeping(llvm::StringRef name) {
  return name.starts_with("pebble.") || name == "linalg.memoized_indexing_maps";
}

// Names of others that say that an argument is donated.

/// `true`: the buffer of the argument may be written.
inline constexpr llvm::StringLiteral kWritable = "bufferization.writable";
/// Integer: the result that reuses the argument's buffer.
inline constexpr llvm::StringLiteral kAliasingOutput = "tf.aliasing_output";
/// `true`: the caller gives the buffer away.
inline constexpr llvm::StringLiteral kBufferDonor = "jax.buffer_donor";

} // namespace pebble::attr

#endif // PEBBLE_DIALECT_PEBBLEATTRNAMES_H

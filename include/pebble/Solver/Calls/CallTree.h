//===- CallTree.h - which calls keep their tape -----------------*- C++ -*-===//
//
// A function with an adjoint runs in one of two ways (Griewank and Walther,
// "Evaluating Derivatives", chapter 12). *Split*: its forward function hands
// out a tape, which is kept until the adjoint reads it. *Joint*: it runs
// without a tape; before the adjoint it runs again, with one, from a snapshot
// of its arguments. Split takes memory, joint takes time. The choice is made
// for each call, from the leaves up: a function becomes a set of variants, none
// of which is better than another in all that its callers see.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CALLS_CALLTREE_H
#define PEBBLE_SOLVER_CALLS_CALLTREE_H

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace pebble::calls {

enum class Mode { Split, Joint };

/// A call of a function's forward half, and that of its backward half. Bytes
/// are those of the caller: neither tapes and snapshots that are kept for
/// adjoints nor what the two calls own themselves is among them.
struct Site {
  unsigned callee = 0;
  bool maySplit = true, mayJoin = true;
  /// Live while each of the two calls runs.
  int64_t forwardLive = 0, backwardLive = 0;
  /// The most that is live in steps of the caller after the forward call and
  /// before the next one, and before the backward call and after that of the
  /// next site. `kNone`: there is no such step.
  int64_t forwardGap = kNone, backwardGap = kNone;
  /// What it takes to have an argument of the callee there until the backward
  /// call: bytes of the caller, or an argument of the caller's own.
  struct Argument {
    int64_t bytes = 0;
    std::optional<unsigned> passed;
  };
  std::vector<Argument> arguments;
  /// Where it is joint: what snapshots of buffers take from before the forward
  /// call until the backward one has run, and what buffers in the place of
  /// others take while that runs.
  int64_t snapshots = 0, restored = 0;

  static constexpr int64_t kNone = std::numeric_limits<int64_t>::min() / 4;
};

/// A function, the sites of which are in order of their forward calls. The
/// backward calls come in the reverse order.
struct Function {
  std::vector<Site> sites;
  /// The most that is live in steps before the first forward call, and after
  /// the last backward call.
  int64_t forwardHead = Site::kNone, backwardTail = Site::kNone;
  /// Bytes that its forward half hands to its backward half, whatever its sites
  /// do, and the arguments that the backward half reads besides.
  int64_t tape = 0;
  std::vector<unsigned> needs;
  /// What a run without a tape owns at its peak, and what it costs.
  int64_t plainPeak = 0, plainCost = 0;
  /// What both halves own at their peak where they run as one function. For
  /// functions without sites; otherwise it is the larger of the two.
  std::optional<int64_t> wholePeak;
  /// The arguments that a second run of the forward half, and the backward half
  /// after it, need.
  std::vector<unsigned> reads;
};

/// A site of a root: both calls stand in one block. Sites are nested or apart.
struct RootSite {
  Site site;
  /// The innermost site between whose calls this one stands; -1: none.
  int parent = -1;
  /// The most that is live in steps of the block to which this site is the
  /// innermost.
  int64_t gap = Site::kNone;
};

/// Functions, callees before callers; and a block that calls some of them.
struct CallTree {
  std::vector<Function> functions;
  /// Parents before children.
  std::vector<RootSite> sites;
  /// The most that is live in steps between no site's calls.
  int64_t outside = 0;
};

struct Variant;
struct Choice {
  Mode mode = Mode::Split;
  /// How the callee runs where it has its tape.
  std::shared_ptr<const Variant> variant;
};

/// One way to run a function with its adjoint.
struct Variant {
  /// Bytes from the one half to the other, and the function's arguments that
  /// have to be there as well (sorted).
  int64_t tape = 0;
  std::vector<unsigned> needs;
  /// What each half owns at its peak, the tape and results included.
  int64_t forwardPeak = 0, backwardPeak = 0;
  /// What runs again.
  int64_t extraCost = 0;
  /// By site.
  std::vector<Choice> choices;
};

/// One way to run the root.
struct Plan {
  int64_t peak = 0, extraCost = 0;
  /// By site of the root.
  std::vector<Choice> choices;
};

struct Curve {
  /// By rising peak and falling cost.
  std::vector<Plan> plans;
  /// No other choice is better than all of these.
  bool isExact = true;
};

/// The most variants of a function that are looked at. Where there are more,
/// some of them are left out, and the curve is not exact.
inline constexpr size_t kMostVariants = 300;

/// The least cost over the peak. Time: for each site the product of the
/// variants of its callee and those of what comes after it.
Curve solve(const CallTree &tree, size_t mostVariants = kMostVariants);

/// All sites of all functions as `mode` says, where they may be so.
Plan getUniform(const CallTree &tree, Mode mode);

} // namespace pebble::calls

#endif // PEBBLE_SOLVER_CALLS_CALLTREE_H

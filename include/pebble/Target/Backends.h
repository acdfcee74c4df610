//===- Backends.h - what a backend materialises -----------------*- C++ -*-===//
//
// A backend fuses: it computes cheap operations where their results are read,
// and puts only some results into memory. What a plan decides about is what is
// in memory, so that a plan for a backend needs to know which results those
// are. A backend is a table: for each kind of operation, what becomes of its
// results and of what it reads. A new backend is a new file, which
// `python -m pebble.jax.calibrate` writes, or a new table here.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TARGET_BACKENDS_H
#define PEBBLE_TARGET_BACKENDS_H

#include "pebble/Target/StableHLO.h"

#include "mlir/IR/Location.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pebble {

/// What a backend does with operations of one kind.
struct BackendRule {
  enum Result : uint8_t {
    Fused,  ///< computed again in each step that reads it
    Shared, ///< fused, unless it is dear and several steps read it
    Kept    ///< in memory
  };
  hlo::Kind kind;
  Result result;
  /// What it reads must be in memory; otherwise it is computed on the way.
  bool readsMemory = false;
  /// Its result may take the buffer of an operand that nobody else needs.
  bool isInPlace = false;
  /// Where it copies all that it reads, what nobody else needs goes as soon as
  /// it is copied.
  bool freesCopied = false;
};

struct Backend {
  std::string name;
  llvm::SmallVector<BackendRule, 0> rules;
  /// Operations per element from which on a shared result is dear.
  int64_t dear = 1;

  /// Kinds that no rule is about are kept and read memory.
  BackendRule getRule(hlo::Kind kind) const;
};

/// The backend that `name` says: one that is known by it, or the rules in a
/// file of this name (docs/Jax.md has its format). Emits an error at `loc` and
/// fails if there is none, or if what the file says is none.
llvm::FailureOr<Backend> readBackend(llvm::StringRef name, mlir::Location loc);

/// The backend that `text` of JSON describes, or what is wrong with it.
llvm::Expected<Backend> parseBackend(llvm::StringRef text);

/// The names of all that are known, for messages.
std::string getBackendNames();

} // namespace pebble

#endif // PEBBLE_TARGET_BACKENDS_H

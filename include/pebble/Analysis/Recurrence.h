//===- Recurrence.h - loops as recurrences ----------------------*- C++ -*-===//
//
// Sees a loop (`scf.for`, or a `while` that counts, of scf or stablehlo) as
// what it computes: how often it runs, and which of the values that it carries
// stay as they are, count, or are a state. And sees the integers in it as
// linear forms of the loop's step, so that two loops can be held against each
// other: what one writes at step i, the other reads at step n - 1 - i.
//
// It looks and never changes anything.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_RECURRENCE_H
#define PEBBLE_ANALYSIS_RECURRENCE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <map>
#include <optional>
#include <string>

namespace pebble {

/// constant + sum of coefficient * symbol. A symbol is the number of the step
/// that a loop is in (a symbol of its op), or a value of which nothing is
/// known.
struct LinearForm {
  int64_t constant = 0;
  std::map<const void *, int64_t> terms;

  static LinearForm of(const void *symbol) { return {0, {{symbol, 1}}}; }
  LinearForm operator+(const LinearForm &other) const;
  LinearForm operator*(int64_t factor) const;
  LinearForm operator-(const LinearForm &other) const {
    return *this + other * -1;
  }
  bool operator==(const LinearForm &other) const {
    return constant == other.constant && terms == other.terms;
  }
  bool isConstant() const { return terms.empty(); }
  int64_t getCoefficient(const void *symbol) const;
  LinearForm without(const void *symbol) const;
};

/// A value that a loop carries from step to step.
struct CarriedValue {
  enum Kind {
    Invariant, ///< handed on as it is
    Counter,   ///< `increment` more in each step
    State
  };
  mlir::BlockArgument argument; ///< in the body
  mlir::Value init;
  mlir::Value yielded;
  mlir::OpResult result;
  Kind kind = State;
  int64_t increment = 0;
};

struct Recurrence {
  mlir::Operation *op = nullptr;
  mlir::Block *body = nullptr;
  std::vector<CarriedValue> carried;
  /// Of an `scf.for`: its induction variable is `first` + `stride` * step.
  mlir::Value induction;
  mlir::Value first;
  int64_t stride = 1;
  /// How often it runs, if that is not negative.
  LinearForm trips;

  const CarriedValue *find(mlir::Value argumentOrResult) const;
};

/// The recurrences of a function, found as they are asked for.
class RecurrenceAnalysis {
public:
  /// `op` as a recurrence; null, and the reason in `why`, if it is none that is
  /// understood. Not asked of ops that are no loops.
  const Recurrence *get(mlir::Operation *op, std::string *why = nullptr);
  static bool isLoop(mlir::Operation *op);

  /// Whether `symbol` stands for the step of a loop, and not for a value.
  bool isStep(const void *symbol) const {
    return entries.count(
        static_cast<mlir::Operation *>(const_cast<void *>(symbol)));
  }

  /// The integer `value` (a number, or a tensor of rank 0) as a linear form.
  LinearForm evaluate(mlir::Value value);

private:
  std::optional<std::string> analyzeFor(Recurrence &loop);
  std::optional<std::string> analyzeWhile(Recurrence &loop);
  std::optional<std::string> countTrips(Recurrence &loop,
                                        mlir::Block *condition,
                                        mlir::Value limit, mlir::Value first);
  void classify(Recurrence &loop);
  std::optional<LinearForm> evaluateOp(mlir::Operation *op);
  std::optional<LinearForm> evaluateSelect(mlir::Operation *op);
  std::optional<int64_t> getLeast(const LinearForm &form);

  struct Entry {
    std::optional<Recurrence> loop;
    std::string why;
  };
  std::map<mlir::Operation *, Entry> entries;
  /// The body of the loop that is being looked at, whose carried values have no
  /// kind yet.
  mlir::Block *open = nullptr;
  /// Operations that are being evaluated: where order means nothing, one may be
  /// made of itself.
  llvm::SmallPtrSet<mlir::Operation *, 8> evaluating;
};

} // namespace pebble

#endif // PEBBLE_ANALYSIS_RECURRENCE_H

//===- InverseForms.h - values that others give back (private) --*- C++ -*-===//
//
// A value need not be kept while what a step made of it is there, if that step
// can be undone. What such a step reads besides must be there as well: it is
// kept anyway, comes back in the same way, or is computed again of what does.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_INVERSEFORMS_H
#define PEBBLE_LIB_PLANNING_INVERSEFORMS_H

#include "FormFinder.h"

#include "pebble/Target/Inverses.h"

#include "llvm/ADT/MapVector.h"

namespace pebble {

class DerivedForms::Inverses : FormFinder {
public:
  Inverses(const StorageAnalysis &storage, int64_t leastBytes,
           DerivedForms &to);

  /// Adds the forms, those behind others that they read.
  void run();

private:
  /// How a value comes back.
  struct Way {
    /// What a step reads that is undone, the value or a view of it; null: the
    /// value is computed again.
    mlir::OpOperand *undone = nullptr;
    /// What is read for it.
    mlir::SmallVector<mlir::Value, 4> reads;
    /// From here on it can be done.
    unsigned since = 0;
  };

  /// A value that comes back, and the steps for it.
  struct Back {
    Way way;
    mlir::SmallVector<mlir::OpOperand *> late;
    /// The first who reads what comes back.
    unsigned before = ~0u;
    mlir::SmallVector<mlir::Operation *, 2> ops;
    mlir::IRMapping views;
    /// The number of its form.
    unsigned form = ~0u;
    /// Whether it was looked at: who reads it now has been before.
    bool isDone = false;
    mlir::SmallVector<Form::Use, 2> uses;
  };
  using Backs = llvm::MapVector<mlir::Value, Back>;

  // Finding.

  void findWays();
  bool mayRun(mlir::Operation *inverse, mlir::Operation *beside) const;
  void findUndone();
  void findAgain();
  /// The steps that `op` needs to run again: what it writes in place, and `op`.
  /// None if one of them must run once.
  mlir::SmallVector<mlir::Operation *, 2> getUnit(mlir::Operation *op) const;
  std::optional<Way> getAgain(mlir::Value value) const;
  bool isStable(mlir::Value value) const;
  /// Whether `value` is kept by others while memory is full. That it lives on
  /// from there is what undoing costs.
  bool isAtHand(mlir::Value value) const;
  /// Whether `value` can be had at `at`. Notes in `chosen` what has to come
  /// back for it.
  bool isAvailable(mlir::Value value, unsigned at,
                   llvm::DenseMap<mlir::Value, std::optional<Way>> &chosen);
  bool areAvailable(const Way &way, unsigned at,
                    llvm::DenseMap<mlir::Value, std::optional<Way>> &chosen);
  bool
  isTied(mlir::Value value,
         const llvm::DenseMap<mlir::Value, std::optional<Way>> &chosen) const;
  void want(mlir::Value value, const Way &way,
            mlir::ArrayRef<mlir::OpOperand *> late, unsigned at,
            const llvm::DenseMap<mlir::Value, std::optional<Way>> &chosen);
  mlir::SmallVector<mlir::OpOperand *> findLate(mlir::OpResult value) const;

  // Writing.

  void write(mlir::Value value, Back &back);
  mlir::SmallVector<mlir::Value> sortReadersFirst();
  void link(Back &reader);
  void addForm(mlir::Value value, Back &back);

  const int64_t leastBytes;
  DerivedForms &to;
  std::vector<std::string> runOnce;
  /// Where memory is at its peak. What is undone is made before, and what comes
  /// back is read from there on.
  unsigned full = 0;
  /// By storage: where it is written last, and used last.
  std::vector<unsigned> written, used;
  llvm::DenseMap<mlir::Value, mlir::SmallVector<Way, 1>> ways;
  Backs backs;
  /// Forms that read what comes back by others.
  std::vector<std::pair<unsigned, mlir::Value>> links;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_INVERSEFORMS_H

//===- DerivedForms.h - less that says as much ------------------*- C++ -*-===//
//
// Of a large value that is wanted again late, something smaller may be enough:
// the bits of a mask, the position of a maximum as four bits, the number that
// it was converted from. Then the block may hold two steps more, one that makes
// the derived form of the value and one that makes the value, or what a reader
// takes from it, of the form. Or what a step made of the value is enough,
// because the step can be undone: then the block holds the inverse. All of them
// are steps like others, so that a planner decides when each runs and what is
// kept in between. Finds such values and writes the steps; whether the block
// computes the same the equivalence check says. Chooses nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_DERIVEDFORMS_H
#define PEBBLE_PLANNING_DERIVEDFORMS_H

#include "pebble/Analysis/Storage.h"

#include "llvm/ADT/BitVector.h"

#include <memory>

namespace pebble {

/// What a form stands for.
struct DerivedForm {
  enum Kind {
    Smaller, ///< something that takes less
    Undone,  ///< what a step made of the value
    Rounded, ///< the same, of which it comes back up to rounding
    Again    ///< values that come back: it is computed of them again
  };
  /// For people.
  std::string value;
  mlir::LocationAttr loc;
  /// Of the value and of the form.
  int64_t bytes = 0, formBytes = 0;
  Kind kind = Smaller;
  /// The step that is undone.
  std::string source;
};

/// Which forms are looked for.
struct FormKinds {
  bool smaller = true, undone = true;
  static FormKinds none() { return {false, false}; }
  explicit operator bool() const { return smaller || undone; }
};

class DerivedForms {
public:
  /// Finds values of the block of `storage` whose forms are smaller by
  /// `leastBytes` or more. The block stays as it is. Time linear in the block's
  /// ops and operands.
  DerivedForms(const StorageAnalysis &storage, int64_t leastBytes,
               FormKinds kinds);
  ~DerivedForms();

  unsigned size() const;

  /// Has the block hold the steps of the forms that `which` names, and of no
  /// others. Ops that were there before keep their identity, or get it back
  /// when a form is no longer used.
  void use(const llvm::BitVector &which);

  /// Of the forms in use those that keep something from being alive: when a
  /// value is read back, in the order `runs` of the steps of `storage`, nobody
  /// else is still to read what the form was made of.
  llvm::BitVector findHelpful(const StorageAnalysis &storage,
                              llvm::ArrayRef<unsigned> runs) const;

  /// Forms for which no step but those of the forms has to run again.
  llvm::BitVector findWithoutAgain() const;

  /// Of values that come back, those that are made first: every form of them
  /// up to the `part`-th of `parts`, and all others.
  llvm::BitVector findEarliest(unsigned part, unsigned parts) const;

  DerivedForm getForm(unsigned index) const;

private:
  class Finder;
  class Inverses;
  friend class FormFinder;
  struct Form;
  void addNeeded(llvm::BitVector &which) const;
  void park(llvm::ArrayRef<mlir::Operation *> ops);
  void setSplit(Form &form, bool isUsed);
  void setPacked(Form &form, bool isUsed);
  static bool isSparing(const Form &form, const StorageAnalysis &storage,
                        StorageId source, llvm::ArrayRef<unsigned> runs);

  mlir::Block &block;
  /// Where ops stand that are not in use.
  std::unique_ptr<mlir::Block> parked;
  std::vector<Form> forms;
};

/// What becomes of the value, for people.
std::string describeForm(const DerivedForm &form);

/// Says of each of `forms`, which a plan of `function` uses, what it spares, as
/// remarks of `category`.
void remarkOnForms(mlir::Operation *function, llvm::ArrayRef<DerivedForm> forms,
                   llvm::StringRef category);

} // namespace pebble

#endif // PEBBLE_PLANNING_DERIVEDFORMS_H

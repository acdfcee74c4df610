//===- ElementValues.h - which values elements may take ---------*- C++ -*-===//
//
// What a structured operation puts into a tensor may be one of few values: true
// and false, the position of a maximum in a small window, a mask as zeros and
// ones, a number that was converted from a byte. Finds them, by ranges of
// integers and by folding what is computed from them. Looks at the operation
// and at what fills its destination, and changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_ELEMENTVALUES_H
#define PEBBLE_ANALYSIS_ELEMENTVALUES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace pebble {

/// As many values as a byte can tell apart.
inline constexpr int64_t kMaxElementValues = 256;

/// Each once; equal attributes are equal bits.
using ElementValues = llvm::SmallVector<mlir::Attribute, 0>;

/// All values that an element of `result` may take; none if they are not known
/// or more than kMaxElementValues.
std::optional<ElementValues> getElementValues(mlir::OpResult result);

/// Whether `result` is of a structured operation on tensors and each element of
/// it is what the payload hands out: none keeps what the destination held.
bool isWrittenInFull(mlir::OpResult result);

/// The constant that `value` is, be it through pebble.opaque; null if it is
/// none.
mlir::Attribute getConstantValue(mlir::Value value);

/// Computes the results of a payload from attributes, by folding.
class PayloadEvaluator {
public:
  /// Of `block`, which stays as it is.
  explicit PayloadEvaluator(mlir::Block &block);
  ~PayloadEvaluator();
  PayloadEvaluator(const PayloadEvaluator &) = delete;
  PayloadEvaluator &operator=(const PayloadEvaluator &) = delete;

  /// What `op` of the block hands out for `operands`; null if that does not
  /// fold.
  mlir::Attribute fold(mlir::Operation *op,
                       llvm::ArrayRef<mlir::Attribute> operands) const;

  /// What the terminator is handed, with `arguments` for those of the block and
  /// what `getKnown` says of single operations (null: what they fold to).
  /// Nothing if something does not fold.
  std::optional<llvm::SmallVector<mlir::Attribute>>
  run(llvm::ArrayRef<mlir::Attribute> arguments,
      llvm::function_ref<mlir::Attribute(mlir::Operation *)> getKnown) const;

private:
  mlir::Block &block;
  /// Copies that stand nowhere, so that folding changes no program. Their
  /// operands are arguments of `others`.
  mlir::Block others;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> copies;
};

} // namespace pebble

#endif // PEBBLE_ANALYSIS_ELEMENTVALUES_H

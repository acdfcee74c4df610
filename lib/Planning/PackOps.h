//===- PackOps.h - operations that pack and unpack (private) ----*- C++ -*-===//
//
// Writes the operations that Packing.h knows: what an element may be decides
// how many bits tell it apart. That they undo each other is for others to
// prove.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_PACKOPS_H
#define PEBBLE_LIB_PLANNING_PACKOPS_H

#include "Packing.h"

#include "pebble/Analysis/ElementValues.h"

#include "mlir/IR/Builders.h"

namespace pebble {

/// A smaller tensor that says as much as one that a step makes.
class SmallForm {
public:
  /// None if nothing smaller is known for `value`.
  static std::optional<SmallForm> find(mlir::OpResult value);

  mlir::RankedTensorType getType() const { return type; }

  /// Writes `value`, or what holds as much, in the small form.
  mlir::Value pack(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value value) const;
  /// Reads it back into a tensor of type `as`.
  mlir::Value unpack(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value packed, mlir::RankedTensorType as) const;

private:
  /// Of an element of the large tensor: its number among `values`, as i8.
  mlir::Value encode(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value element) const;
  /// The element of type `as` with that number.
  mlir::Value decode(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value code, mlir::Type as) const;
  /// The number of the element that the loops are at, of type `as`.
  mlir::Value getCode(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value byte, mlir::Type as) const;

  mlir::RankedTensorType type;
  Packing packing;
  /// Of a code.
  unsigned bits = 8;
  /// What elements may be; empty where they are narrowed by `widening`.
  ElementValues values;
  /// Values are consecutive whole numbers from this one on.
  std::optional<int64_t> first;
  /// Name of the operation that makes an element of a narrower number.
  std::optional<mlir::OperationName> widening;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_PACKOPS_H

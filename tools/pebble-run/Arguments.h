//===- Arguments.h - what goes into a program and what comes out -*- C++
//-*-===//
//
// Arguments and results of the entry function as the compiled code sees them:
// memref descriptors and scalars in memory. Buffers come from the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_ARGUMENTS_H
#define PEBBLE_TOOLS_PEBBLE_RUN_ARGUMENTS_H

#include "Npy.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

namespace pebble {

/// One argument or result.
struct Slot {
  mlir::Type type; ///< as in the source: a tensor, a memref or a scalar
  bool donated = false;
  bool written = false; ///< a memref that the source writes
  int32_t tier = 0;
  mlir::ArrayAttr range; ///< `pebble.range`, or null
  /// Of an argument whose address is planned.
  std::optional<int64_t> offset;

  bool isShaped() const { return mlir::isa<mlir::ShapedType>(type); }
  mlir::Type getElementType() const;
  /// Of a complex type those of its two parts, else the element type.
  mlir::Type getPartType() const;
  int64_t getElementBytes() const;
  /// numpy's name of the element type (NpyArray::type).
  std::string getNpyType() const;
  int64_t getRank() const;
};

/// What crosses into the entry function: types, before anything is lowered.
struct Signature {
  std::string name;
  std::vector<Slot> arguments;
  std::vector<Slot> results;

  /// Reads it off `entry`; emits an error at an argument or result of a type
  /// that cannot be passed.
  static mlir::FailureOr<Signature> get(mlir::FunctionOpInterface entry);

  /// Reads off `entry`, storages decided, where it expects its arguments.
  void readOffsets(mlir::FunctionOpInterface entry);

private:
  void findWritten(mlir::FunctionOpInterface entry);
};

/// A descriptor or scalar in memory. Descriptors: allocated pointer, aligned
/// pointer, offset, sizes, strides, 8 bytes each.
struct HostValue {
  std::vector<int64_t> words;

  void *&pointer() { return reinterpret_cast<void *&>(words[0]); }
  char *data(const Slot &slot) const;
  llvm::ArrayRef<int64_t> sizes(const Slot &slot) const;
  llvm::ArrayRef<int64_t> strides(const Slot &slot) const;
};

/// Bytes of the slot's value in memory, and of what it aligns to.
int64_t sizeInMemory(const Slot &slot);
int64_t alignmentInMemory(const Slot &slot);

/// Makes argument number `index`: allocates it if shaped, where the function
/// expects it, and fills it from `file` or, without one, from the seed.
llvm::Expected<HostValue> makeArgument(const Slot &slot, unsigned index,
                                       uint64_t seed, const NpyArray *file);

/// The elements in row-major order. Fails where the value is in a file that
/// does not give them back.
llvm::Expected<NpyArray> readBack(const Slot &slot, const HostValue &value);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_ARGUMENTS_H

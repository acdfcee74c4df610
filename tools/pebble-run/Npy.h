//===- Npy.h - arrays as numpy writes them ----------------------*- C++ -*-===//
//
// Format versions 1 to 3, C order, little endian.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_NPY_H
#define PEBBLE_TOOLS_PEBBLE_RUN_NPY_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace pebble {

/// An array in row-major order.
struct NpyArray {
  /// numpy's name of the element type without the byte order: "f4", "i8", "b1".
  std::string type;
  llvm::SmallVector<int64_t> shape;
  std::vector<char> bytes;
};

llvm::Expected<NpyArray> readNpy(llvm::StringRef path);
llvm::Error writeNpy(llvm::StringRef path, const NpyArray &array);

/// Arrays by the argument that they are for.
using Arrays = std::map<unsigned, NpyArray>;

/// The arrays of `inputs`, each K:FILE with K below `count`. %r in a file is
/// the rank of the process. An error if an argument has two.
llvm::Expected<Arrays> readInputs(llvm::ArrayRef<std::string> inputs,
                                  size_t count);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_NPY_H

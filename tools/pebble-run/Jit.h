//===- Jit.h - compile a lowered module and call its entry ------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_JIT_H
#define PEBBLE_TOOLS_PEBBLE_RUN_JIT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace pebble {

struct JitOptions {
  /// Target CPU; empty for the host's.
  std::string cpu;
  /// 0 to 3.
  unsigned optLevel = 2;
};

/// Compiled code of one module.
class Jit {
public:
  /// Takes the address of each result or argument; results' last, as in
  /// Jit::create.
  using Entry = void (*)(void **);

  /// Translates and compiles `module` (LLVM dialect). The functions `names`
  /// (their C wrappers where they have one) become callable.
  static llvm::Expected<std::unique_ptr<Jit>>
  create(mlir::ModuleOp module, llvm::ArrayRef<std::string> names,
         JitOptions options);
  ~Jit();

  /// Of the function that was named at `index`. It takes one address per
  /// argument of the compiled function, then one for its result if it has one.
  Entry getEntry(size_t index = 0) const { return entries[index]; }

private:
  Jit();
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::vector<Entry> entries;
};

/// Loads the libraries that printing operations call, into the process. Returns
/// false if they are not found.
bool loadRunnerLibraries();

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_JIT_H

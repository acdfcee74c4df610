//===- Jit.h - compile a lowered module and call its entry ------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_JIT_H
#define PEBBLE_TOOLS_PEBBLE_RUN_JIT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

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

  /// Translates and compiles `module` (LLVM dialect). The function `name` (its
  /// C wrapper where it has one) becomes callable.
  static llvm::Expected<std::unique_ptr<Jit>>
  create(mlir::ModuleOp module, llvm::StringRef name, JitOptions options);
  ~Jit();

  /// `slots`: one address per argument of the compiled function, then one for
  /// its result if it has one.
  Entry getEntry() const { return entry; }

private:
  Jit();
  std::unique_ptr<llvm::orc::LLJIT> jit;
  Entry entry = nullptr;
};

/// Loads the libraries that printing operations call, into the process. Returns
/// false if they are not found.
bool loadRunnerLibraries();

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_JIT_H

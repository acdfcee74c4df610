//===- Ranks.cpp - programs that run as several processes -----------------===//

#include "Ranks.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DynamicLibrary.h"

#include <cstdlib>

using namespace mlir;

namespace pebble {

LogicalResult loadMessages(ModuleOp module) {
  Operation *first = nullptr;
  module.walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() != "mpi")
      return WalkResult::advance();
    first = op;
    return WalkResult::interrupt();
  });
  // The second place is beside the tool, which knows where it was built.
  if (!first ||
      !llvm::sys::DynamicLibrary::LoadLibraryPermanently("libpebble_mpi.so") ||
      !llvm::sys::DynamicLibrary::LoadLibraryPermanently(PEBBLE_MPI_LIBRARY))
    return success();
  return first->emitError("cannot run: this program sends messages, and "
                          "libpebble_mpi.so is not there; it is built where "
                          "CMake finds an MPI library (libopenmpi-dev)");
}

/// The number in the first of these variables that is there: those of Open MPI,
/// of MPICH and its like, and of Slurm.
static std::optional<int64_t> readVariable(ArrayRef<const char *> names) {
  for (const char *name : names) {
    int64_t number = 0;
    if (const char *text = std::getenv(name))
      if (llvm::to_integer(StringRef(text), number) && number >= 0)
        return number;
  }
  return std::nullopt;
}

Ranks getRanks() {
  Ranks ranks;
  ranks.rank = readVariable({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                             "SLURM_PROCID"})
                   .value_or(0);
  ranks.count =
      readVariable({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"})
          .value_or(1);
  return ranks;
}

std::string getRankPath(StringRef path) {
  std::string result;
  for (;;) {
    auto [before, after] = path.split("%r");
    result += before;
    if (before.size() == path.size())
      return result;
    result += std::to_string(getRanks().rank);
    path = after;
  }
}

std::optional<int64_t> getSentBytes() {
  auto count = reinterpret_cast<int64_t (*)()>(
      llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(
          "pebble_mpi_sent_bytes"));
  return count ? std::optional<int64_t>(count()) : std::nullopt;
}

} // namespace pebble

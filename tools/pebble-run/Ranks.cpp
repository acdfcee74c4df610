//===- Ranks.cpp - programs that run as several processes -----------------===//

#include "Ranks.h"

#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Runtime/Mpi.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cstdlib>
#include <unistd.h>

using namespace mlir;

namespace pebble {

LogicalResult loadMessages(ModuleOp module) {
  Operation *first = nullptr;
  module.walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() != "mpi" && !isCollective(op))
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

void *findMessageFunction(const char *name) {
  return llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name);
}

/// What earlier runs have sent.
static int64_t sentBefore = 0;

std::optional<int64_t> getSentBytes() {
  auto *count = lookupMessages<int64_t()>("pebble_mpi_sent_bytes");
  return count ? std::optional<int64_t>(count() - sentBefore) : std::nullopt;
}

void forgetSentBytes() { sentBefore += getSentBytes().value_or(0); }

std::vector<int64_t> gatherNumbers(int64_t number) {
  auto *gather =
      lookupMessages<decltype(pebble_mpi_gather)>("pebble_mpi_gather");
  if (!gather)
    return {number};
  std::vector<int64_t> all(static_cast<size_t>(getRanks().count));
  gather(number, all.data());
  return all;
}

void meetRanks() { gatherNumbers(0); }

std::vector<std::string> gatherTexts(const std::string &text) {
  auto *gather = lookupMessages<decltype(pebble_mpi_gather_text)>(
      "pebble_mpi_gather_text");
  if (!gather)
    return {text};
  std::vector<std::string> texts;
  gather(
      text.data(), static_cast<int64_t>(text.size()),
      [](void *all, int64_t, const char *data, int64_t bytes) {
        static_cast<std::vector<std::string> *>(all)->emplace_back(
            data, static_cast<size_t>(bytes));
      },
      &texts);
  return texts;
}

llvm::Error checkAlike(StringRef option, int64_t number) {
  const std::vector<int64_t> all = gatherNumbers(number);
  for (auto [rank, other] : llvm::enumerate(all))
    if (other != all.front())
      return llvm::createStringError(
          option + " is not the same for ranks 0 and " + llvm::Twine(rank) +
          ": what ranks do together needs it alike on all of them");
  return llvm::Error::success();
}

/// A number for a file on this host; 0 where nothing can be lost. Files that
/// hosts share are not known to be the same.
static int64_t identifyFile(const std::string &path) {
  if (!isOwnFile(path))
    return 0;
  llvm::SmallString<128> name(path);
  if (llvm::sys::fs::make_absolute(name))
    return 0;
  llvm::sys::path::remove_dots(name, /*remove_dot_dot=*/true);
  char host[256] = {};
  if (gethostname(host, sizeof(host) - 1) == 0)
    name += host;
  return static_cast<int64_t>(llvm::xxh3_64bits(name.str()));
}

llvm::Error checkApart(const OutputName &name) {
  const std::vector<int64_t> all = gatherNumbers(identifyFile(name.path));
  for (size_t rank = 0; rank < all.size(); ++rank)
    for (size_t before = 0; before < rank; ++before)
      if (all[rank] && all[rank] == all[before])
        return llvm::createStringError(
            "--" + name.option + ": ranks " + llvm::Twine(before) + " and " +
            llvm::Twine(rank) + " would write one file" +
            (name.path.empty() ? "" : ", " + name.path) +
            ": with %r in its name each rank has its own");
  return llvm::Error::success();
}

LogicalResult checkRanksAgree(ModuleOp module) {
  Operation *first = nullptr;
  std::string plan;
  llvm::raw_string_ostream os(plan);
  module.walk([&](Operation *op) {
    std::optional<CollectiveParts> parts = getCollective(op);
    if (!parts)
      return;
    if (!first)
      first = op;
    os << stringifyCollectiveKind(parts->kind) << ' ' << parts->input.getType()
       << parts->init.getType() << parts->group << ' ' << parts->stride << ' '
       << parts->ranks << ' ' << parts->axis
       << stringifyReduction(parts->reduction) << '\n';
  });
  if (!first)
    return success();
  const std::vector<int64_t> all =
      gatherNumbers(static_cast<int64_t>(llvm::xxh3_64bits(plan)));
  for (auto [rank, number] : llvm::enumerate(all))
    if (number != all.front())
      return first->emitError("cannot run: rank ")
             << rank << " does other things together with the others, or in "
             << "another order, than rank 0: give all ranks one plan";
  return success();
}

} // namespace pebble

//===- Ranks.h - programs that run as several processes ---------*- C++ -*-===//
//
// A program with operations of the mpi dialect runs once in each process that
// mpirun starts. Each meters itself.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_RANKS_H
#define PEBBLE_TOOLS_PEBBLE_RUN_RANKS_H

#include "OutputFiles.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace pebble {

/// Loads the library that sends messages, if `module`, which need not be
/// lowered, has any. Emits an error at the first message and fails if the
/// library was not built.
llvm::LogicalResult loadMessages(mlir::ModuleOp module);

/// The function of libpebble_mpi that is called `name`; null where that was not
/// loaded.
void *findMessageFunction(const char *name);
template <typename Function>
Function *lookupMessages(const char *name) {
  return reinterpret_cast<Function *>(findMessageFunction(name));
}

/// This process among those that were started together; 0 of 1 if it is alone.
struct Ranks {
  int64_t rank = 0, count = 1;
};
Ranks getRanks();

/// `path` with `%r` replaced by the rank. Of several processes only one may
/// write a file.
std::string getRankPath(llvm::StringRef path);

/// Bytes that this process has sent since they were last forgotten; nothing if
/// its program has no messages.
std::optional<int64_t> getSentBytes();
void forgetSentBytes();

/// Goes on when all ranks have come; at once where the program has no messages.
void meetRanks();

/// Rank 0 gets what each rank says, by rank; the others get nothing. All ranks
/// must call it.
std::vector<std::string> gatherTexts(const std::string &text);

/// `number` of each rank. All ranks must call it. One number where the program
/// has no messages.
std::vector<int64_t> gatherNumbers(int64_t number);

/// An error, on all ranks, where `number` of a rank, which is that of `option`,
/// differs from that of rank 0. All ranks must call it.
llvm::Error checkAlike(llvm::StringRef option, int64_t number);

/// An error, on all ranks, where two of them would write one file. All ranks
/// must call it.
llvm::Error checkApart(const OutputName &name);

/// Compares what the ranks do together, and in which order. Emits an error and
/// fails, on all ranks, where one of them has another plan.
llvm::LogicalResult checkRanksAgree(mlir::ModuleOp module);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_RANKS_H

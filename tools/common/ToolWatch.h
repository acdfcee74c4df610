//===- ToolWatch.h - for whoever waits for passes that plan -----*- C++ -*-===//
//
// SearchWatch for the tools that plan with passes.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_COMMON_TOOLWATCH_H
#define PEBBLE_TOOLS_COMMON_TOOLWATCH_H

#include "SearchWatch.h"

#include "pebble/Planning/PlanLimits.h"

namespace pebble::tool {

struct ToolWatch : PlanWatch {
  /// `quiet`: nothing is told of plans.
  ToolWatch(std::string program, bool always, bool quiet = false)
      : searches(std::move(program), always), quiet(quiet) {}
  void begin() override { searches.begin(); }
  void end() override { searches.end(); }
  void enter(llvm::StringRef what) override { searches.enter(what.str()); }
  void tell(llvm::StringRef line) override {
    if (!quiet)
      searches.tell(line.str());
  }
  const std::atomic<bool> *getInterrupt() const override {
    return SearchWatch::getInterrupt();
  }
  void onProgress(std::optional<int64_t> cost, int64_t bound) override {
    searches.onProgress(cost, bound);
  }
  SearchWatch searches;
  const bool quiet;
};

} // namespace pebble::tool

#endif // PEBBLE_TOOLS_COMMON_TOOLWATCH_H

//===- Trace.cpp - a program as a Chrome/Perfetto trace -------------------===//

#include "pebble/Report/Trace.h"

#include "Internal.h"
#include "Stack.h"

#include "llvm/Support/JSON.h"

using namespace llvm;

namespace pebble {

namespace {
constexpr int kProcess = 1;
constexpr int kSteps = 1;

class TraceWriter {
public:
  TraceWriter(raw_ostream &os, const FunctionReport &report)
      : out(os), report(report) {}

  void write() {
    out.object([&] {
      out.attribute("displayTimeUnit", "ns");
      out.attributeArray("traceEvents", [&] {
        addNames();
        addSteps();
        for (unsigned tier = 0; tier < report.tiers.size(); ++tier)
          addCounter(tier);
        addStorages();
      });
    });
  }

private:
  void addEvent(StringRef phase, StringRef name, int64_t time,
                function_ref<void()> more) {
    out.object([&] {
      out.attribute("ph", phase);
      out.attribute("name", name);
      out.attribute("pid", kProcess);
      out.attribute("ts", time);
      more();
    });
  }

  void addNames() {
    addEvent("M", "process_name", 0, [&] {
      out.attributeObject("args",
                          [&] { out.attribute("name", "@" + report.name); });
    });
    addEvent("M", "thread_name", 0, [&] {
      out.attribute("tid", kSteps);
      out.attributeObject("args", [&] { out.attribute("name", "steps"); });
    });
  }

  void addSteps() {
    const TierEntry &compute = report.getComputeTier();
    for (auto [at, step] : enumerate(report.steps))
      addEvent("X", step.name, at, [&, at = at, &step = step] {
        out.attribute("dur", 1);
        out.attribute("tid", kSteps);
        out.attribute("cat", "step");
        out.attributeObject("args", [&] {
          out.attribute("op", step.op);
          out.attribute("live bytes", compute.liveBytes[at]);
          if (step.scratch)
            out.attribute("scratch bytes", step.scratch);
          if (!step.barrier.empty())
            out.attribute("barrier", step.barrier);
        });
      });
  }

  void addCounter(unsigned tier) {
    if (!isTierShown(report, tier) || report.steps.empty())
      return;
    Stack stack = Stack::get(report, tier, report.steps.size(), 0);
    std::string name = "live bytes in " + report.tiers[tier].name;
    for (unsigned at = 0; at < report.steps.size(); ++at)
      addEvent("C", name, at, [&] {
        out.attributeObject("args", [&] {
          for (const Shape &shape : stack.shapes)
            out.attribute(getLabel(shape.band), shape.getHeight(at));
        });
      });
    addEvent("C", name, report.steps.size(), [&] {
      out.attributeObject("args", [&] {
        for (const Shape &shape : stack.shapes)
          out.attribute(getLabel(shape.band), 0);
      });
    });
  }

  void addStorages() {
    for (auto [id, entry] : enumerate(report.storages)) {
      if (entry.range.isEmpty())
        continue;
      auto addEnd = [&, id = id, &entry = entry](StringRef phase, int64_t at) {
        addEvent(phase, entry.name, at, [&] {
          out.attribute("cat", "storage");
          out.attribute("id", int64_t(id));
          out.attribute("tid", kSteps);
          if (phase == "b")
            out.attributeObject("args", [&] {
              out.attribute("bytes", entry.bytes);
              out.attribute("role", toString(entry.role));
              out.attribute("tier", report.tiers[entry.tier].name);
            });
        });
      };
      addEnd("b", entry.range.first);
      addEnd("e", int64_t(entry.range.last) + 1);
    }
  }

  json::OStream out;
  const FunctionReport &report;
};
} // namespace

void writeTrace(raw_ostream &os, const FunctionReport &report) {
  TraceWriter(os, report).write();
  os << "\n";
}

} // namespace pebble

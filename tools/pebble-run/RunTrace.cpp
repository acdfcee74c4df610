//===- RunTrace.cpp - the timeline of a run, as a picture -----------------===//

#include "RunTrace.h"

#include "Links.h"

#include "pebble/Conversion/Passes.h"
#include "pebble/Runtime/Runtime.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/JSON.h"

#include <algorithm>

using namespace llvm;

namespace pebble {

std::vector<std::string> getOperationNames(mlir::ModuleOp module) {
  std::vector<std::string> names;
  module.walk([&](mlir::func::CallOp call) {
    auto name = call->getAttrOfType<mlir::StringAttr>(kTracedOperationAttr);
    APInt number;
    if (!name ||
        !mlir::matchPattern(call.getOperand(0), mlir::m_ConstantInt(&number)))
      return;
    const size_t at = number.getZExtValue();
    names.resize(std::max(names.size(), at + 1));
    names[at] = name.str();
  });
  return names;
}

namespace {

/// The lines of the picture, from top to bottom; below them one for the links
/// of each group.
constexpr int kOperations = 0, kMoves = 1, kStalls = 2, kLinks = 3;

class RunTraceWriter {
public:
  RunTraceWriter(raw_ostream &os, ArrayRef<pebble_rt_event> events,
                 ArrayRef<std::string> operations)
      : json(os), events(events), operations(operations),
        rank(getRanks().rank) {}

  void write(int64_t dropped) {
    json.arrayBegin();
    if (getRanks().count > 1)
      writeName("process_name", kOperations, "rank " + std::to_string(rank));
    writeName("thread_name", kOperations, "operations");
    writeName("thread_name", kMoves, "bytes move");
    writeName("thread_name", kStalls, "stalls");
    writeMessages();
    findEnds();
    findQueued();
    for (size_t i = 0; i < events.size(); ++i)
      write(i);
    if (dropped)
      writeCut(dropped);
    json.arrayEnd();
  }

private:
  static double inMicroseconds(int64_t nanoseconds) {
    return static_cast<double>(nanoseconds) / 1000;
  }

  void writeName(StringRef of, int line, StringRef name) {
    json.object([&] {
      json.attribute("pid", rank);
      json.attribute("tid", line);
      json.attribute("ts", 0);
      json.attribute("ph", "M");
      json.attribute("name", of);
      json.attributeObject("args", [&] { json.attribute("name", name); });
    });
  }

  /// What goes over the links of each group, and who waits for it.
  void writeMessages() {
    ArrayRef<pebble_mpi_event> messages = getLinkEvents();
    if (messages.empty())
      return;
    std::vector<std::string> names = getLinkNames();
    if (names.empty())
      writeName("thread_name", kLinks, "messages");
    for (auto [link, name] : enumerate(names))
      writeName("thread_name", kLinks + static_cast<int>(link),
                "messages over " + name);
    for (const pebble_mpi_event &message : messages) {
      writeBar(kLinks + static_cast<int>(std::max<int64_t>(message.link, 0)),
               message.name, message.begin, message.end, [&] {
                 json.attribute("cat", "message");
                 json.attributeObject(
                     "args", [&] { json.attribute("bytes", message.bytes); });
               });
      if (message.stall)
        writeBar(kStalls, std::string("waits for ") + message.name,
                 message.waited - message.stall, message.waited);
    }
  }

  /// Where each operation that begins is done. Those whose end is not recorded
  /// reach to the end of the trace.
  void findEnds() {
    ends.assign(events.size(), events.empty() ? 0 : events.size() - 1);
    std::vector<size_t> begun;
    for (auto [i, event] : enumerate(events))
      if (event.kind == PEBBLE_RT_BEGIN) {
        begun.push_back(i);
      } else if (event.kind == PEBBLE_RT_END && !begun.empty()) {
        ends[begun.back()] = i;
        begun.pop_back();
      }
  }

  /// The transfers that were made beside the program, in their order.
  void findQueued() {
    for (const pebble_rt_event &event : events)
      if (event.queued)
        queued.push_back(&event);
    llvm::sort(queued, [](const pebble_rt_event *a, const pebble_rt_event *b) {
      return a->end < b->end;
    });
  }

  void write(size_t index) {
    const pebble_rt_event &event = events[index];
    switch (event.kind) {
    case PEBBLE_RT_BEGIN:
      return writeOperation(event, events[ends[index]]);
    case PEBBLE_RT_END:
      return;
    case PEBBLE_RT_START:
    case PEBBLE_RT_WAIT:
      writeTransfer(event);
      break;
    default:
      writeLiveBytes(event);
    }
    if (event.end)
      writeBar(kMoves, getPath(event), event.begin, event.end);
    if (event.stall)
      writeStall(event);
  }

  static std::string getPath(const pebble_rt_event &event) {
    return std::string(pebble_rt_tier_name(event.from)) + "->" +
           pebble_rt_tier_name(event.tier);
  }

  /// A span of time.
  void writeBar(
      int line, StringRef name, int64_t begin, int64_t end,
      function_ref<void()> more = [] {}) {
    json.object([&] {
      json.attribute("pid", rank);
      json.attribute("tid", line);
      json.attribute("ts", inMicroseconds(begin));
      json.attribute("dur", inMicroseconds(end - begin));
      json.attribute("ph", "X");
      json.attribute("name", name);
      more();
    });
  }

  void writeOperation(const pebble_rt_event &begin,
                      const pebble_rt_event &end) {
    const auto number = static_cast<size_t>(begin.buffer);
    writeBar(kOperations,
             number < operations.size() ? StringRef(operations[number])
                                        : "an operation",
             begin.nanoseconds, end.nanoseconds,
             [&] { json.attribute("cat", "operation"); });
  }

  void writeTransfer(const pebble_rt_event &event) {
    json.object([&] {
      json.attribute("pid", rank);
      json.attribute("tid", 0);
      json.attribute("ts", inMicroseconds(event.nanoseconds));
      json.attribute("ph", event.kind == PEBBLE_RT_START ? "b" : "e");
      json.attribute("cat", "transfer");
      json.attribute("id", event.buffer);
      json.attribute("name", getPath(event));
    });
  }

  void writeLiveBytes(const pebble_rt_event &event) {
    json.object([&] {
      json.attribute("pid", rank);
      json.attribute("tid", 0);
      json.attribute("ts", inMicroseconds(event.nanoseconds));
      json.attribute("ph", "C");
      json.attribute("name", std::string("live bytes in ") +
                                 pebble_rt_tier_name(event.tier));
      json.attributeObject("args",
                           [&] { json.attribute("bytes", event.live); });
    });
  }

  /// One bar for each transfer that was waited for: `stalled`, and those that
  /// were queued before it and not made yet.
  void writeStall(const pebble_rt_event &stalled) {
    int64_t rest = stalled.stall;
    auto writePart = [&](const pebble_rt_event &transfer) {
      const int64_t part = std::min(rest, transfer.end - transfer.begin);
      writeBar(kStalls, "stall", transfer.end - part, transfer.end);
      rest -= part;
    };
    writePart(stalled);
    if (!stalled.queued)
      return;
    auto at = llvm::lower_bound(queued, stalled.end,
                                [](const pebble_rt_event *event, int64_t end) {
                                  return event->end < end;
                                });
    while (rest > 0 && at != queued.begin())
      writePart(**--at);
  }

  void writeCut(int64_t dropped) {
    json.object([&] {
      json.attribute("pid", rank);
      json.attribute("tid", kOperations);
      json.attribute(
          "ts", events.empty() ? 0 : inMicroseconds(events.back().nanoseconds));
      json.attribute("ph", "i");
      json.attribute("s", "g");
      json.attribute("name", "the trace ends here: " + std::to_string(dropped) +
                                 " more events are not in it");
    });
  }

  json::OStream json;
  ArrayRef<pebble_rt_event> events;
  ArrayRef<std::string> operations;
  /// The process of the picture.
  const int64_t rank;
  /// Of the events that begin an operation: the one that ends it.
  std::vector<size_t> ends;
  std::vector<const pebble_rt_event *> queued;
};

} // namespace

int64_t writeRunTrace(raw_ostream &os,
                      const std::vector<std::string> &operations) {
  const pebble_rt_event *events = nullptr;
  const int64_t count = pebble_rt_events(&events);
  const int64_t dropped = pebble_rt_dropped_events() + getDroppedLinkEvents();
  RunTraceWriter(os, ArrayRef(events, count), operations).write(dropped);
  os << "\n";
  pebble_rt_record(0, 0);
  recordLinks(false, 0);
  return dropped;
}

void joinTraces(raw_ostream &os, ArrayRef<std::string> traces) {
  os << "[";
  for (auto [i, trace] : enumerate(traces)) {
    StringRef events = StringRef(trace).trim();
    events.consume_front("[");
    events.consume_back("]");
    os << (i ? ",\n" : "") << events;
  }
  os << "]\n";
}

} // namespace pebble

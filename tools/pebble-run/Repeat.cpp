//===- Repeat.cpp - runs that go on from each other -----------------------===//

#include "Repeat.h"

#include "Invocation.h"
#include "Tiers.h"
#include "ToolOptions.h"

#include "pebble/Analysis/IntegerOption.h"
#include "pebble/Runtime/Journal.h"
#include "pebble/Runtime/Runtime.h"

#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace pebble;
namespace cl = llvm::cl;

static cl::list<std::string>
    feed("feed",
         cl::desc("With --repeat: result R of a run is argument K of the next "
                  "one; K alone: argument K, a memref, stays as a run left "
                  "it (repeatable)"),
         cl::value_desc("R:K"), tool::ours);

static IntegerOption<unsigned, 1, 1000000>
    every("snapshot-runs",
          cl::desc("With --repeat and --slow-dir: a snapshot of what runs hand "
                   "on every N of them (default with --resume: 1)"),
          cl::value_desc("N"), cl::init(1), tool::ours);

static llvm::Error makeError(StringRef text, const llvm::Twine &why) {
  return llvm::createStringError("--feed=" + text + ": " + why);
}

static llvm::Expected<Feed> readFeed(StringRef text,
                                     const Signature &signature) {
  auto [first, second] = text.split(':');
  const bool isResult = text.contains(':');
  Feed feed;
  unsigned result = 0;
  if ((isResult ? second : first).getAsInteger(10, feed.argument) ||
      (isResult && first.getAsInteger(10, result)))
    return makeError(text, "wanted R:K, the numbers of a result and of an "
                           "argument, or K");
  if (feed.argument >= signature.arguments.size())
    return makeError(text, "the function has " +
                               llvm::Twine(signature.arguments.size()) +
                               " arguments");
  const Slot &argument = signature.arguments[feed.argument];
  if (!isResult) {
    if (!isa<BaseMemRefType>(argument.type) || argument.donated)
      return makeError(text, "argument " + llvm::Twine(feed.argument) +
                                 " is no memref that a run leaves behind");
    return feed;
  }
  if (result >= signature.results.size())
    return makeError(text, "the function has " +
                               llvm::Twine(signature.results.size()) +
                               " results");
  const Slot &made = signature.results[result];
  auto shape = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped ? shaped.getShape() : ArrayRef<int64_t>();
  };
  if (made.getElementType() != argument.getElementType() ||
      made.isShaped() != argument.isShaped() ||
      shape(made.type) != shape(argument.type))
    return makeError(text, "result " + llvm::Twine(result) +
                               " is of another "
                               "type than "
                               "argument " +
                               llvm::Twine(feed.argument));
  feed.result = result;
  return feed;
}

llvm::Expected<std::vector<Feed>> pebble::readFeeds(const Signature &signature,
                                                    unsigned repeat) {
  std::vector<Feed> feeds;
  for (StringRef text : feed) {
    if (repeat < 2)
      return makeError(text, "nothing comes after one run; --repeat=N has N");
    llvm::Expected<Feed> one = readFeed(text, signature);
    if (!one)
      return one.takeError();
    for (const Feed &other : feeds)
      if (other.argument == one->argument)
        return makeError(text, "argument " + llvm::Twine(one->argument) +
                                   " is fed twice");
    feeds.push_back(*one);
  }
  return feeds;
}

std::string pebble::describeRuns(unsigned repeat) {
  std::string text = std::to_string(repeat);
  for (StringRef each : feed)
    text += (" " + each).str();
  return text;
}

llvm::Error RepeatedRuns::planSnapshots(SnapshotPlan &plan) {
  const bool isAsked = every.getNumOccurrences() > 0;
  if (isAsked && (repeat < 2 || getSlowDir().empty()))
    return llvm::createStringError("--snapshot-runs is for --repeat=N, and "
                                   "needs --slow-dir, where snapshots are");
  if (repeat < 2 || getSlowDir().empty() || !(isAsked || isResuming()))
    return llvm::Error::success();
  if (!plan.empty())
    return llvm::createStringError(
        "--repeat: the program takes snapshots itself, and so it runs once; "
        "without pebble-snapshot-loops they are taken between the runs");
  hasSnapshots = true;
  LoopSnapshots loop;
  loop.every = every;
  loop.trips = repeat;
  loop.bytes = 0;
  for (const Feed &each : feeds) {
    const Slot &slot = getSlot(each);
    auto shaped = dyn_cast<ShapedType>(slot.type);
    if (shaped && !shaped.hasStaticShape())
      return llvm::createStringError(
          "--feed: argument " + llvm::Twine(each.argument) +
          " has a shape that only a run tells, and cannot be in a snapshot");
    *loop.bytes += slot.getElementBytes() *
                   (shaped ? shaped.getNumElements() : int64_t(1));
  }
  plan[0] = loop;
  return llvm::Error::success();
}

llvm::Expected<unsigned> RepeatedRuns::enter(Arrays &arrays) {
  if (!hasSnapshots)
    return 0;
  int64_t done = 0;
  const bool isDone = Invocation::guard([&] {
    done = pebble_rt_journal_enter(0);
    for (auto [number, each] : llvm::enumerate(feeds)) {
      if (!done)
        break;
      const Slot &slot = getSlot(each);
      NpyArray &array = arrays[each.argument];
      array.type = slot.getNpyType();
      array.shape.clear();
      int64_t bytes = slot.getElementBytes();
      if (auto shaped = dyn_cast<ShapedType>(slot.type)) {
        array.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
        bytes *= shaped.getNumElements();
      }
      array.bytes.resize(static_cast<size_t>(bytes));
      pebble_rt_journal_restore(0, static_cast<int64_t>(number),
                                array.bytes.data(), bytes);
    }
  });
  if (!isDone)
    return llvm::createStringError(pebble_rt_error());
  return static_cast<unsigned>(done);
}

llvm::Error RepeatedRuns::takeSnapshot(unsigned number, Arrays &arrays) {
  const bool isDone = Invocation::guard([&] {
    pebble_rt_journal_begin(0, number, repeat, every, /*last=*/0,
                            static_cast<int64_t>(feeds.size()));
    for (const Feed &each : feeds) {
      const NpyArray &array = arrays[each.argument];
      pebble_rt_journal_put(array.bytes.data(),
                            static_cast<int64_t>(array.bytes.size()));
    }
    pebble_rt_journal_end();
  });
  return isDone ? llvm::Error::success()
                : llvm::createStringError(pebble_rt_error());
}

llvm::Error RepeatedRuns::finish(unsigned number,
                                 const std::vector<HostValue> &arguments,
                                 const std::vector<HostValue> &results,
                                 Arrays &arrays) {
  if (number == repeat)
    return llvm::Error::success();
  // All are read before one is written: results may change places.
  Arrays next;
  for (const Feed &each : feeds) {
    llvm::Expected<NpyArray> array =
        readBack(getSlot(each), each.result ? results[*each.result]
                                            : arguments[each.argument]);
    if (!array)
      return array.takeError();
    next[each.argument] = std::move(*array);
  }
  for (auto &[argument, array] : next)
    arrays[argument] = std::move(array);
  return hasSnapshots ? takeSnapshot(number, arrays) : llvm::Error::success();
}

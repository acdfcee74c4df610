//===- Profile.cpp - measure a program's operations and tiers -------------===//
//
// Between two runs as much memory is touched as the program has live (or as
// caches hold, if that is less), so that they hold what they may hold when an
// operation or a transfer comes up in the program: what it reads was made a
// while ago.
//
//===----------------------------------------------------------------------===//

#include "Profile.h"

#include "Arguments.h"
#include "Invocation.h"
#include "MeasuredOps.h"

#include "pebble/Dialect/Placement.h"
#include "pebble/Pipelines/Pipelines.h"
#include "pebble/Runtime/Runtime.h"

#include "mlir/Pass/PassManager.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <limits>
#include <optional>

using namespace mlir;
using namespace pebble;
using Clock = std::chrono::steady_clock;

static double nanosecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

static double getMedian(std::vector<double> times) {
  size_t middle = times.size() / 2;
  std::nth_element(times.begin(), times.begin() + middle, times.end());
  return times[middle];
}

namespace {

/// Times a run. Takes the processor time of the thread, so that an operation
/// takes no longer because another process got the processor in between, except
/// for runs that are shorter than asking for it.
class StopWatch {
public:
  explicit StopWatch(bool isShort) : isShort(isShort), wall(Clock::now()) {
    if (!isShort)
      start = getThreadTime();
  }
  double read() const {
    return isShort ? nanosecondsSince(wall) : getThreadTime() - start;
  }

private:
  static double getThreadTime() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 +
           static_cast<double>(now.tv_nsec);
  }

  bool isShort;
  Clock::time_point wall;
  double start = 0;
};

/// The rest of the program, as caches see it.
class OtherData {
public:
  explicit OtherData(int64_t bytes)
      : data(static_cast<size_t>(std::min<int64_t>(bytes, kMost))) {}
  void touch() {
    constexpr size_t kLine = 64;
    for (size_t i = 0; i < data.size(); i += kLine)
      ++data[i];
  }

private:
  /// More than caches hold.
  static constexpr int64_t kMost = int64_t(128) << 20;
  std::vector<unsigned char> data;
};

} // namespace

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {

/// The least time of an operation. Whatever else the machine does only adds to
/// it, for seconds in a row: it is run in several rounds over the program,
/// until two of them agree.
class LeastTime {
public:
  static constexpr int kMostRounds = 6;

  bool isSettled() const {
    return std::isfinite(next) && next <= least * kAgree;
  }
  void addRound(double time, int64_t count) {
    next = std::max(least, std::min(next, time));
    least = std::min(least, time);
    runs += count;
  }
  int64_t getNanoseconds() const {
    return std::max<int64_t>(1, std::llround(least));
  }
  int64_t getRuns() const { return runs; }

private:
  static constexpr double kAgree = 1.03;
  /// The least of all rounds, and the second least.
  double least = std::numeric_limits<double>::infinity();
  double next = std::numeric_limits<double>::infinity();
  int64_t runs = 0;
};

/// A round of one operation: its arguments, and a number of runs on them.
class Repetition {
public:
  Repetition(const Signature &signature, Jit::Entry entry, OtherData &others)
      : signature(signature), entry(entry), others(others) {}
  ~Repetition() {
    for (auto [slot, value] : llvm::zip(signature.arguments, arguments))
      if (slot.isShaped() && pebble_rt_is_live(value.pointer()))
        pebble_rt_free(value.pointer());
  }
  Repetition(const Repetition &) = delete;

  /// Once only. False, with getReason(), if the operation fails.
  bool run(LeastTime &least) {
    for (auto [index, slot] : llvm::enumerate(signature.arguments)) {
      auto value = makeArgument(slot, index, /*seed=*/0, nullptr);
      if (!value) {
        reason = llvm::toString(value.takeError());
        return false;
      }
      arguments.push_back(std::move(*value));
    }
    invocation.emplace(signature, arguments);
    // The first run touches what nobody has touched, the second one tells how
    // long it takes; for what takes long, both are as good as others.
    double first = std::numeric_limits<double>::infinity();
    Clock::time_point start = Clock::now();
    if (!time(first))
      return false;
    double once = first;
    if (!time(once))
      return false;
    double round = nanosecondsSince(start) / 2;
    constexpr double kAll = 20e6, kLong = 100e6;
    if (once > kLong) {
      least.addRound(std::min(first, once), 2);
      return true;
    }
    const auto count =
        static_cast<int64_t>(std::clamp(kAll / round, 3.0, 11.0));
    double best = std::numeric_limits<double>::infinity();
    for (int64_t i = 0; i < count; ++i) {
      if (!time(once))
        return false;
      best = std::min(best, once);
    }
    least.addRound(best, count);
    return true;
  }

  std::string getReason() const { return reason; }

private:
  /// Runs once; its nanoseconds in `nanoseconds`, which says before about how
  /// many they will be.
  bool time(double &nanoseconds) {
    constexpr double kShort = 20e3;
    if (!refill())
      return false;
    others.touch();
    bool isDone = Invocation::guard([&] {
      StopWatch watch(nanoseconds < kShort);
      entry(invocation->getSlots());
      freeResults();
      nanoseconds = watch.read();
    });
    if (!isDone)
      reason = pebble_rt_error();
    return isDone;
  }

  /// What the program would free when it needs it no more.
  void freeResults() {
    for (auto [index, slot] : llvm::enumerate(signature.results)) {
      if (!slot.isShaped())
        continue;
      void *buffer = invocation->getResultBuffer(index);
      bool isArgument = false;
      for (const HostValue &value : arguments)
        isArgument |= value.words[0] == reinterpret_cast<int64_t>(buffer);
      if (!isArgument)
        pebble_rt_free(buffer);
    }
  }

  /// Makes anew what the last run took and freed.
  bool refill() {
    for (auto [index, slot] : llvm::enumerate(signature.arguments)) {
      HostValue &value = arguments[index];
      if (!slot.isShaped() || pebble_rt_is_live(value.pointer()))
        continue;
      auto fresh = makeArgument(slot, index, /*seed=*/0, nullptr);
      if (!fresh) {
        reason = llvm::toString(fresh.takeError());
        return false;
      }
      // In place: the invocation has the address.
      std::copy(fresh->words.begin(), fresh->words.end(), value.words.begin());
    }
    return true;
  }

  const Signature &signature;
  Jit::Entry entry;
  OtherData &others;
  std::vector<HostValue> arguments;
  std::optional<Invocation> invocation;
  std::string reason;
};

} // namespace

static void note(const Twine &what, const Twine &why) {
  llvm::errs() << "pebble-run: note: '" << what << "' was not measured: " << why
               << "\n";
}

static llvm::Error measureOps(ModuleOp module, const JitOptions &options,
                              OtherData &others, CostProfile &profile) {
  MeasurableOps parts = takeApart(module, profile);
  for (const auto &[op, reason] : parts.skipped)
    note(op, reason);
  std::vector<Signature> signatures;
  std::vector<std::string> names;
  for (MeasurableOp &op : parts.ops) {
    FailureOr<Signature> signature = Signature::get(op.function);
    if (failed(signature))
      return llvm::createStringError("cannot measure '" + op.what.signature.op +
                                     "'");
    names.push_back(signature->name);
    signatures.push_back(std::move(*signature));
  }
  if (parts.ops.empty())
    return llvm::Error::success();
  PassManager lowering(module.getContext());
  buildToLLVMPipeline(lowering);
  if (failed(lowering.run(*parts.module)))
    return llvm::createStringError(
        "the operations of the program do not lower one by one");
  auto jit = Jit::create(*parts.module, names, options);
  if (!jit)
    return jit.takeError();
  std::vector<LeastTime> times(parts.ops.size());
  std::vector<bool> hasFailed(parts.ops.size());
  for (int round = 0; round < LeastTime::kMostRounds; ++round)
    for (size_t i = 0; i < parts.ops.size(); ++i) {
      if (hasFailed[i] || times[i].isSettled())
        continue;
      Repetition repetition(signatures[i], (*jit)->getEntry(i), others);
      if (repetition.run(times[i]))
        continue;
      // What fails once in a while has no time that one could rely on.
      hasFailed[i] = true;
      note(parts.ops[i].what.signature.op, repetition.getReason());
      pebble_rt_reset_meter();
    }
  for (auto [i, op] : llvm::enumerate(parts.ops)) {
    if (hasFailed[i])
      continue;
    op.what.nanoseconds = times[i].getNanoseconds();
    op.what.runs = times[i].getRuns();
    profile.add(std::move(op.what));
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Tiers
//===----------------------------------------------------------------------===//

namespace {

/// A way between two tiers.
struct Route {
  int32_t to, from;
  /// Whether what is moved was made just before, as values are when a store of
  /// them starts; a load's was stored a while ago.
  bool isStore;
};

} // namespace

/// Nanoseconds from the start of a transfer to its wait, the median. With
/// `others`, caches hold what they may hold in the program.
static llvm::Expected<double> timeTransfer(Route route, int64_t bytes,
                                           OtherData *others = nullptr) {
  const int32_t to = route.to, from = route.from;
  std::vector<double> times;
  constexpr int64_t kLarge = 1 << 20;
  const int rounds = bytes < kLarge ? 9 : 5;
  times.reserve(rounds);
  bool isDone = Invocation::guard([&] {
    for (int i = 0; i < rounds; ++i) {
      void *source = pebble_rt_alloc(from, bytes);
      void *target = pebble_rt_alloc(to, bytes);
      // What nobody has stored is not in a file.
      pebble_rt_copy(from, to, source, target, bytes);
      if (others)
        others->touch();
      if (others && route.isStore)
        std::memset(source, i, bytes);
      Clock::time_point start = Clock::now();
      pebble_rt_wait(pebble_rt_copy_start(to, from, target, source, bytes));
      times.push_back(nanosecondsSince(start));
      pebble_rt_free(source);
      pebble_rt_free(target);
    }
  });
  if (!isDone)
    return llvm::createStringError(pebble_rt_error());
  return getMedian(times);
}

/// Latency from small transfers, bandwidth from large ones. `room` is how much
/// both tiers hold.
static llvm::Expected<MeasuredSpeed> getSpeed(Route route, int64_t room,
                                              OtherData &others) {
  auto fit = [&](int64_t bytes) {
    return std::max<int64_t>(64, std::min(bytes, room / 4 / 64 * 64));
  };
  // The second size is one that is handed to the copy thread also from memory
  // to memory, which takes its time.
  const int64_t small = fit(64), handed = fit(40 << 10), large = fit(16 << 20);
  double atOnce = 0, handedOver = 0, cached = 0, uncached = 0;
  struct Sample {
    double &time;
    int64_t bytes;
    OtherData *others;
  };
  for (Sample sample : {Sample{atOnce, small, nullptr},
                        {handedOver, handed, nullptr},
                        {cached, large, nullptr},
                        {uncached, large, &others}}) {
    auto time = timeTransfer(route, sample.bytes, sample.others);
    if (!time)
      return time.takeError();
    sample.time = *time;
  }
  auto getPerByte = [&](double time) {
    if (large > small && time > atOnce)
      return (time - atOnce) / static_cast<double>(large - small);
    return time / static_cast<double>(large);
  };
  MeasuredSpeed speed;
  speed.bandwidth =
      std::max<int64_t>(1, std::llround(1000 / getPerByte(uncached)));
  speed.latency = std::llround(std::max(
      atOnce, handedOver - getPerByte(cached) * static_cast<double>(handed)));
  return speed;
}

/// What making room in a tier takes, and giving it back.
static llvm::Expected<MeasuredSpeed> getAllocSpeed(int32_t tier, int64_t room) {
  double times[2], bytes[2];
  for (int i = 0; i < 2; ++i) {
    int64_t size = std::min<int64_t>(i ? 16 << 20 : 64, room / 2 / 64 * 64);
    size = std::max<int64_t>(64, size);
    std::vector<double> samples(9);
    bool isDone = Invocation::guard([&] {
      for (double &sample : samples) {
        Clock::time_point start = Clock::now();
        pebble_rt_free(pebble_rt_alloc(tier, size));
        sample = nanosecondsSince(start);
      }
    });
    if (!isDone)
      return llvm::createStringError(pebble_rt_error());
    times[i] = getMedian(samples);
    bytes[i] = static_cast<double>(size);
  }
  MeasuredSpeed speed;
  speed.latency = std::llround(times[0]);
  double perByte = (times[1] - times[0]) / std::max(1.0, bytes[1] - bytes[0]);
  if (perByte > 0)
    speed.bandwidth = std::max<int64_t>(1, std::llround(1000 / perByte));
  return speed;
}

static llvm::Error measureTiers(ModuleOp module, OtherData &others,
                                CostProfile &profile) {
  HierarchyAttr hierarchy = lookupHierarchy(module);
  if (!hierarchy)
    return llvm::Error::success();
  const auto compute = static_cast<int32_t>(hierarchy.getComputeTierIndex());
  int64_t room = hierarchy.getComputeTier().getCapacity();
  for (auto [index, tier] : llvm::enumerate(hierarchy.getTiers())) {
    const auto number = static_cast<int32_t>(index);
    if (number < compute)
      continue;
    MeasuredTier measured;
    measured.name = tier.getName().str();
    bool isFile = pebble_rt_tier_backing(number) == PEBBLE_RT_FILE;
    measured.backing = isFile ? "file" : "memory";
    int64_t least = std::min(room, tier.getCapacity());
    auto store = getSpeed({number, compute, true}, least, others);
    if (!store)
      return store.takeError();
    auto load = getSpeed({compute, number, false}, least, others);
    if (!load)
      return load.takeError();
    auto alloc = getAllocSpeed(number, least);
    if (!alloc)
      return alloc.takeError();
    measured.alloc = *alloc;
    measured.store = *store;
    measured.load = *load;
    // A copy within the tier reads as much as it writes.
    if (number == compute)
      for (MeasuredSpeed *speed : {&measured.store, &measured.load})
        speed->bandwidth *= 2;
    profile.tiers.push_back(std::move(measured));
  }
  return llvm::Error::success();
}

llvm::Expected<CostProfile> pebble::measure(ModuleOp module,
                                            const JitOptions &options,
                                            int64_t liveBytes,
                                            const CostProfile *known) {
  CostProfile profile;
  profile.machine = Machine::getHost();
  if (known && known->machine == profile.machine)
    for (const MeasuredOp &op : known->getOps())
      profile.add(op);
  OtherData others(liveBytes);
  if (llvm::Error error = measureOps(module, options, others, profile))
    return std::move(error);
  if (llvm::Error error = measureTiers(module, others, profile))
    return std::move(error);
  return std::move(profile);
}

//===- RunReport.cpp - what the meter read in a run -----------------------===//

#include "RunReport.h"

#include "Ranks.h"

#include "pebble/Report/Units.h"
#include "pebble/Runtime/Journal.h"
#include "pebble/Runtime/Runtime.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <numeric>
#include <optional>

using llvm::StringRef;

namespace pebble {

static void writeMap(llvm::json::OStream &json, StringRef name,
                     const std::vector<std::pair<std::string, int64_t>> &map) {
  json.attributeObject(name, [&] {
    for (const auto &[key, value] : map)
      if (value)
        json.attribute(key, value);
  });
}

/// The compute tier first, then the others in the hierarchy's order.
static std::vector<std::pair<std::string, int64_t>>
inTierOrder(const std::string &compute,
            llvm::function_ref<int64_t(int32_t, StringRef)> bytes) {
  std::vector<std::pair<std::string, int64_t>> map;
  for (int32_t i = 0; i < pebble_rt_tier_count(); ++i) {
    std::string name = pebble_rt_tier_name(i);
    auto entry = std::make_pair(name, bytes(i, name));
    if (name == compute)
      map.insert(map.begin(), entry);
    else
      map.push_back(entry);
  }
  return map;
}

static std::vector<std::pair<std::string, int64_t>> getMovedBytes() {
  std::vector<std::pair<std::string, int64_t>> moved;
  for (int32_t i = 0; i < pebble_rt_tier_count(); ++i)
    for (int32_t j = 0; j < pebble_rt_tier_count(); ++j)
      moved.emplace_back(std::string(pebble_rt_tier_name(i)) + "->" +
                             pebble_rt_tier_name(j),
                         pebble_rt_moved_bytes(i, j));
  return moved;
}

static void writePredictedBytes(llvm::json::OStream &json,
                                const std::string &compute,
                                const Prediction &prediction) {
  writeMap(json, "predicted_peak_bytes",
           inTierOrder(compute, [&](int32_t, StringRef name) {
             return getBytesOf(prediction.peak, name.str());
           }));
  writeMap(json, "predicted_moved_bytes",
           {prediction.moved.begin(), prediction.moved.end()});
  if (prediction.isBound)
    json.attribute("predicted_is_bound", true);
  if (!prediction.isKnown)
    json.attribute("predicted_is_known", false);
  // Of what has no addresses there is no extent.
  if (!prediction.extent.empty())
    writeMap(json, "predicted_extent_bytes",
             inTierOrder(compute, [&](int32_t, StringRef name) {
               return getBytesOf(prediction.extent, name.str());
             }));
}

static void writeCompression(llvm::json::OStream &json) {
  pebble_rt_compression compression;
  pebble_rt_compression_counts(&compression);
  if (!compression.stores && !compression.loads)
    return;
  json.attributeObject("compressed", [&] {
    json.attribute("stores", compression.stores);
    json.attribute("loads", compression.loads);
    json.attribute("dense_bytes", compression.dense_bytes);
    json.attribute("moved_bytes", compression.moved_bytes);
    json.attribute("fallbacks", compression.fallbacks);
  });
}

static void writeSnapshots(llvm::json::OStream &json,
                           const Prediction &prediction) {
  if (!prediction.snapshots)
    return;
  pebble_rt_journal counts;
  pebble_rt_journal_counts(&counts);
  if (counts.resumed_loop >= 0)
    json.attributeObject("resumed_from", [&] {
      json.attribute("loop", counts.resumed_loop);
      json.attribute("iteration", counts.resumed_done);
      json.attribute("restored_bytes", counts.restored_bytes);
    });
  json.attributeObject("snapshots", [&] {
    json.attribute("count", counts.snapshots);
    json.attribute("bytes", counts.bytes);
    if (prediction.snapshots->isKnown) {
      json.attribute("predicted_count", prediction.snapshots->count);
      json.attribute("predicted_bytes", prediction.snapshots->bytes);
    }
    if (counts.failed)
      json.attribute("failed", counts.failed);
    json.attribute("seconds", static_cast<double>(counts.nanoseconds) / 1e9);
  });
}

static void writeSentByGroup(llvm::json::OStream &json,
                             const Prediction &prediction) {
  std::vector<std::pair<std::string, int64_t>> sent;
  for (auto [name, bytes] : llvm::zip(getLinkNames(), getSentOverLinks()))
    sent.emplace_back(name, bytes);
  if (!sent.empty())
    writeMap(json, "sent_bytes_by_group", sent);
  if (prediction.sentByGroup)
    writeMap(json, "predicted_sent_bytes_by_group",
             {prediction.sentByGroup->begin(), prediction.sentByGroup->end()});
}

void writeRunReport(llvm::raw_ostream &os, const Times &times,
                    const std::string &digest, const std::string &compute,
                    const Prediction &prediction) {
  llvm::json::OStream json(os, 2);
  json.objectBegin();
  json.attribute("results_sha256", digest);
  writeMap(json, "peak_bytes", inTierOrder(compute, [](int32_t i, StringRef) {
             return pebble_rt_peak_bytes(i);
           }));
  if (!prediction.extent.empty())
    writeMap(json, "extent_bytes",
             inTierOrder(compute, [](int32_t i, StringRef) {
               return pebble_rt_extent_bytes(i);
             }));
  writeMap(json, "moved_bytes", getMovedBytes());
  writePredictedBytes(json, compute, prediction);
  writeCompression(json);
  writeSnapshots(json, prediction);
  json.attribute("seconds", times.seconds);
  if (prediction.seconds) {
    json.attribute("predicted_seconds", *prediction.seconds);
    json.attribute("predicted_stall_seconds", *prediction.stallSeconds);
  }
  if (prediction.messageSeconds)
    json.attribute("predicted_message_seconds", *prediction.messageSeconds);
  json.attribute("transfer_seconds", times.transfers);
  json.attribute("stall_seconds", times.stalls);
  if (std::optional<int64_t> sent = getSentBytes()) {
    json.attribute("rank", getRanks().rank);
    json.attribute("ranks", getRanks().count);
    json.attribute("sent_bytes", *sent);
    if (prediction.sent)
      json.attribute("predicted_sent_bytes", *prediction.sent);
    writeSentByGroup(json, prediction);
    json.attribute("message_seconds", times.links.underWay);
    json.attribute("message_stall_seconds", times.links.stalls);
  }
  json.objectEnd();
  os << "\n";
}

namespace {
constexpr int64_t kUnknown = -1;

/// A metered figure of each rank, and behind it the predicted one.
using Figures = std::vector<std::pair<const char *, std::vector<int64_t>>>;
} // namespace

/// Whether all ranks took what was predicted, or no more where that is a bound;
/// nothing where that holds of what was predicted, and something was not.
static std::optional<bool> areAsPredicted(const Figures &figures,
                                          const std::vector<int64_t> &isBound) {
  bool isAllKnown = true;
  for (size_t i = 0; i + 1 < figures.size(); i += 2)
    for (size_t rank = 0; rank < isBound.size(); ++rank) {
      const int64_t metered = figures[i].second[rank];
      const int64_t predicted = figures[i + 1].second[rank];
      if (predicted == kUnknown)
        isAllKnown = false;
      else if (isBound[rank] ? metered > predicted : metered != predicted)
        return false;
    }
  return isAllKnown ? std::optional<bool>(true) : std::nullopt;
}

static void writeNumbers(llvm::json::OStream &json,
                         const std::vector<int64_t> &numbers) {
  json.array([&] {
    for (int64_t number : numbers)
      json.value(number == kUnknown ? llvm::json::Value(nullptr)
                                    : llvm::json::Value(number));
  });
}

/// By group of the topology, what each rank sent over its links, and what was
/// predicted of it. Returns whether they are the same where both are known. All
/// ranks must call it.
static bool writeGroups(llvm::json::OStream *json,
                        const Prediction &prediction) {
  const std::vector<std::string> names = getLinkNames();
  const std::vector<int64_t> sent = getSentOverLinks();
  std::vector<std::vector<int64_t>> metered, predicted;
  for (size_t link = 0; link < names.size(); ++link) {
    metered.push_back(gatherNumbers(sent[link]));
    predicted.push_back(
        gatherNumbers(prediction.sentByGroup
                          ? getBytesOf(*prediction.sentByGroup, names[link])
                          : kUnknown));
  }
  bool isSame = true;
  for (size_t link = 0; link < names.size(); ++link)
    for (size_t rank = 0; rank < metered[link].size(); ++rank)
      isSame &= predicted[link][rank] == kUnknown ||
                predicted[link][rank] == metered[link][rank];
  auto write = [&](StringRef key,
                   const std::vector<std::vector<int64_t>> &bytes) {
    json->attributeObject(key, [&] {
      for (size_t link = 0; link < names.size(); ++link) {
        json->attributeBegin(names[link]);
        writeNumbers(*json, bytes[link]);
        json->attributeEnd();
      }
    });
  };
  if (json && !names.empty()) {
    write("sent_bytes_by_group", metered);
    write("predicted_sent_bytes_by_group", predicted);
  }
  return isSame;
}

/// When all ranks had ended; what of the time of ranks they stood still, and
/// what of the time of messages nobody waited for. All ranks must call it.
static void writeShares(llvm::json::OStream *json, const Times &times,
                        const Prediction &prediction) {
  auto gather = [](double seconds) {
    std::vector<double> all;
    for (int64_t nanoseconds : gatherNumbers(toNanoseconds(seconds)))
      all.push_back(static_cast<double>(nanoseconds) / 1e9);
    return all;
  };
  auto sum = [](const std::vector<double> &numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
  };
  const std::vector<double> seconds = gather(times.seconds);
  const std::vector<double> predicted = gather(prediction.seconds.value_or(-1));
  const std::vector<double> underWay = gather(times.links.underWay);
  const std::vector<double> stalls = gather(times.links.stalls);
  const std::vector<double> transfers = gather(times.stalls);
  if (!json)
    return;
  auto write = [&](StringRef key, const std::vector<double> &numbers) {
    json->attributeArray(key, [&] {
      for (double number : numbers)
        json->value(number);
    });
  };
  write("seconds", seconds);
  json->attribute("makespan_seconds", times.makespan);
  if (prediction.seconds && *llvm::min_element(predicted) >= 0)
    json->attribute("predicted_makespan_seconds",
                    *llvm::max_element(predicted));
  write("message_seconds", underWay);
  write("message_stall_seconds", stalls);
  const double all = times.makespan * static_cast<double>(seconds.size());
  const double busy = sum(seconds) - sum(stalls) - sum(transfers);
  if (all > 0)
    json->attribute("bubble_share", std::max(0.0, 1 - busy / all));
  if (sum(underWay) > 0)
    json->attribute("overlap_share",
                    std::max(0.0, 1 - sum(stalls) / sum(underWay)));
}

void writeRanksReport(llvm::raw_ostream *os, const Times &times,
                      const std::string &compute,
                      const Prediction &prediction) {
  int64_t peak = 0;
  for (const auto &[tier, bytes] :
       inTierOrder(compute, [](int32_t i, StringRef) {
         return pebble_rt_peak_bytes(i);
       }))
    if (tier == compute)
      peak = bytes;
  const int64_t predicted =
      prediction.isKnown ? getBytesOf(prediction.peak, compute) : kUnknown;
  const Figures figures = {
      {"peak_bytes", gatherNumbers(peak)},
      {"predicted_peak_bytes", gatherNumbers(predicted)},
      {"sent_bytes", gatherNumbers(getSentBytes().value_or(0))},
      {"predicted_sent_bytes",
       gatherNumbers(prediction.sent.value_or(kUnknown))}};
  const std::vector<int64_t> isBound = gatherNumbers(prediction.isBound);
  std::optional<llvm::json::OStream> json;
  if (os) {
    json.emplace(*os, 2);
    json->objectBegin();
    json->attribute("ranks", getRanks().count);
    json->attribute("tier", compute);
    for (const auto &figure : figures) {
      json->attributeBegin(figure.first);
      writeNumbers(*json, figure.second);
      json->attributeEnd();
    }
  }
  llvm::json::OStream *out = json ? &*json : nullptr;
  const bool groupsAreSame = writeGroups(out, prediction);
  writeShares(out, times, prediction);
  if (!out)
    return;
  const std::optional<bool> isSame =
      groupsAreSame ? areAsPredicted(figures, isBound) : false;
  json->attribute("as_predicted", isSame ? llvm::json::Value(*isSame)
                                         : llvm::json::Value(nullptr));
  json->objectEnd();
  *os << "\n";
}

/// "12 KiB", with what was predicted where that is something else.
static std::string besidePrediction(int64_t bytes, int64_t predicted,
                                    const Prediction &prediction) {
  std::string text = formatBytes(bytes);
  if (!prediction.isKnown)
    return text;
  if (bytes == predicted)
    return text + " as predicted";
  return text +
         (prediction.isBound ? " (predicted: at most " : " (predicted: ") +
         formatBytes(predicted) + ")";
}

/// "; 3 snapshots, 12 KiB as predicted"; nothing without a journal.
static std::string summarizeSnapshots(const Prediction &prediction) {
  if (!prediction.snapshots)
    return "";
  pebble_rt_journal counts;
  pebble_rt_journal_counts(&counts);
  Prediction known;
  known.isKnown = prediction.snapshots->isKnown;
  return "; " + std::to_string(counts.snapshots) +
         (counts.snapshots == 1 ? " snapshot, " : " snapshots, ") +
         besidePrediction(counts.bytes, prediction.snapshots->bytes, known);
}

std::string summarizeRun(StringRef function, const Times &times,
                         const std::string &compute,
                         const Prediction &prediction) {
  std::string text = "@" + function.str() + ": ";
  bool isFirst = true;
  for (const auto &[tier, bytes] :
       inTierOrder(compute, [](int32_t i, StringRef) {
         return pebble_rt_peak_bytes(i);
       })) {
    int64_t predicted = getBytesOf(prediction.peak, tier);
    if (!bytes && !predicted)
      continue;
    text += (isFirst ? "peak in " : ", in ") + tier + " " +
            besidePrediction(bytes, predicted, prediction);
    isFirst = false;
  }
  if (isFirst)
    text += "no memory";
  bool isMoved = false;
  for (const auto &[path, bytes] : getMovedBytes()) {
    int64_t predicted = getBytesOf(prediction.moved, path);
    if (!bytes && !predicted)
      continue;
    text += (isMoved ? ", " : "; moved ") + path + " " +
            besidePrediction(bytes, predicted, prediction);
    isMoved = true;
  }
  auto inTime = [](double seconds) {
    return formatTime(toNanoseconds(seconds));
  };
  text += std::string(isMoved ? "" : "; nothing moved") +
          summarizeSnapshots(prediction) + "; " + inTime(times.seconds);
  if (prediction.seconds)
    text += " (predicted: " + inTime(*prediction.seconds) + ")";
  if (times.stalls > 0)
    text += ", " + inTime(times.stalls) + " of it waiting for transfers";
  if (times.links.stalls > 0)
    text += ", " + inTime(times.links.stalls) + " of it waiting for messages";
  return text;
}

} // namespace pebble

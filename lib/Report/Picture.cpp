//===- Picture.cpp - the footprint over the schedule, as SVG --------------===//
//
// From the top: title and legend; for each tier a panel (two, before and after,
// with lines between them for the ops that moved); energies as bars. A panel is
// the stack of live storages to the left and the list of those live at the peak
// to the right.
//
//===----------------------------------------------------------------------===//

#include "pebble/Report/Picture.h"

#include "Internal.h"
#include "Panel.h"
#include "Svg.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace pebble {

namespace {
constexpr double kMargin = kPictureMargin;

class PictureWriter {
public:
  PictureWriter(const FunctionReport *before, const FunctionReport &after,
                const Comparison *comparison, const PictureOptions &options)
      : before(before), after(after), comparison(comparison), options(options) {
  }

  void write(raw_ostream &os) {
    // Fewer storages on their own until the file is small enough to mail.
    std::string body;
    for (unsigned single = 160;; single /= 2) {
      body.clear();
      raw_string_ostream stream(body);
      y = kMargin;
      drawAll(stream, single);
      if (body.size() < kLargestFile || single < 8)
        break;
    }
    const double width = kPictureWidth;
    os << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
       << svg::number(width) << " " << svg::number(y + kMargin) << "\" width=\""
       << svg::number(width) << "\" height=\"" << svg::number(y + kMargin)
       << "\" font-family=\"Helvetica, Arial, 'Liberation Sans', "
          "sans-serif\">\n"
       << "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
       << body << "</svg>\n";
  }

private:
  static constexpr size_t kLargestFile = 1500000;

  void drawAll(raw_ostream &os, unsigned single) {
    drawTitle(os);
    drawLegend(os);
    for (auto [index, tier] : enumerate(after.tiers)) {
      std::optional<unsigned> old = findOld(tier.name);
      bool inOld = old && isTierShown(*before, *old);
      if (isTierShown(after, index) || inOld)
        drawTier(os, index, inOld ? old : std::nullopt, single);
    }
    drawEnergies(os);
    drawCalls(os);
  }

  std::optional<unsigned> findOld(StringRef name) const {
    if (before)
      for (auto [index, tier] : enumerate(before->tiers))
        if (tier.name == name)
          return index;
    return std::nullopt;
  }

  static std::string getPercent(int64_t from, int64_t to) {
    if (from == to || from == 0)
      return "";
    return formatv(" ({0}{1:F1}%)", to > from ? "+" : "",
                   100.0 * (double(to) - double(from)) / double(from))
        .str();
  }

  void drawTitle(raw_ostream &os) {
    const double room = kPictureWidth - 2 * kMargin;
    svg::text(os, kMargin, y + 12, svg::fit("@" + after.name, room, 20, true),
              {20, "#111", "start", true});
    y += 38;
    const TierEntry &peak = after.getComputeTier();
    std::string line;
    raw_string_ostream text(line);
    if (before) {
      int64_t old = before->getComputeTier().peakBytes;
      text << "peak " << formatBytes(old) << " \xE2\x86\x92 "
           << formatBytes(peak.peakBytes) << getPercent(old, peak.peakBytes);
      if (before->energy && after.energy)
        text << "  \xC2\xB7  energy " << formatEnergy(*before->energy)
             << " \xE2\x86\x92 " << formatEnergy(*after.energy)
             << getPercent(*before->energy, *after.energy);
      text << "  \xC2\xB7  " << after.steps.size() << " steps, "
           << comparison->moved.size() << " moved";
      if (!comparison->recomputed.empty())
        text << ", " << comparison->recomputed.size() << " recomputed";
      if (!comparison->offloaded.empty())
        text << ", " << comparison->offloaded.size() << " offloaded";
      if (!comparison->added.empty())
        text << ", " << comparison->added.size() << " added";
      if (!comparison->tierChanges.empty())
        text << "  \xC2\xB7  " << comparison->tierChanges.size()
             << " accesses served by another tier";
    } else {
      text << "peak " << formatBytes(peak.peakBytes) << " in " << peak.name
           << "  \xC2\xB7  " << after.steps.size() << " steps";
      if (after.energy)
        text << "  \xC2\xB7  energy " << formatEnergy(*after.energy);
    }
    svg::text(os, kMargin, y, svg::fit(line, room, 14), {14, "#444"});
    y += 22;
  }

  void drawLegend(raw_ostream &os) {
    std::array<bool, kBands> used = {};
    for (const FunctionReport *report : {before, &after}) {
      if (!report)
        continue;
      for (const StorageEntry &entry : report->storages)
        if (!entry.range.isEmpty())
          used[unsigned(getBand(entry))] = true;
      for (const StepEntry &step : report->steps)
        used[unsigned(Band::Scratch)] |= step.scratch > 0;
    }
    double x = kMargin;
    for (unsigned band = 0; band < kBands; ++band) {
      if (!used[band])
        continue;
      StringRef label = getLabel(Band(band));
      svg::rectangle(os, x, y - 10, 12, 12, getColor(Band(band)));
      svg::text(os, x + 17, y, label);
      x += 36 + svg::getWidth(label, 12);
    }
    for (StringRef name : getLimitNames()) {
      svg::line(os, x, y - 4, x + 22, y - 4, kBudgetColor, 2, "6 3");
      svg::text(os, x + 28, y, name);
      x += 46 + svg::getWidth(name, 12);
    }
    if (before) {
      svg::line(os, x, y - 4, x + 22, y - 4, kGhostColor, 1.5, "3 2");
      svg::text(os, x + 28, y, "before");
    }
    auto addTick = [&](StringRef color, StringRef label) {
      svg::rectangle(os, x + 4, y - 9, 4, 9, color);
      svg::text(os, x + 14, y, label);
      x += 34 + svg::getWidth(label, 12);
    };
    if (before) {
      x += 80;
      if (!comparison->moved.empty())
        addTick(kMovedColor, "moved");
      if (!comparison->recomputed.empty())
        addTick(kRecomputedColor, "recomputed");
      if (!comparison->offloaded.empty())
        addTick(kAddedColor,
                comparison->added.empty() ? "offloaded" : "offloaded or added");
      else if (!comparison->added.empty())
        addTick(kAddedColor, "added");
    }
    if (any_of(after.steps,
               [](const StepEntry &step) { return !step.barrier.empty(); }))
      addTick(kBarrierColor, "barriers");
    y += 16;
  }

  /// A line across the panel of a tier.
  struct Limit {
    std::optional<int64_t> bytes;
    StringRef name;
  };

  /// The budget, or what the tier holds where that is not far above the peak.
  Limit getLimit(unsigned tier) const {
    if (tier == after.computeTier && options.budgetBytes)
      return {options.budgetBytes, "budget"};
    const TierEntry &entry = after.tiers[tier];
    int64_t peak = entry.peakBytes;
    if (std::optional<unsigned> old = findOld(entry.name))
      peak = std::max(peak, before->tiers[*old].peakBytes);
    if (!entry.capacity || *entry.capacity / 2 > peak)
      return {};
    return {entry.capacity, "capacity"};
  }

  /// What the lines of all panels are called.
  llvm::SetVector<StringRef> getLimitNames() const {
    llvm::SetVector<StringRef> names;
    for (unsigned tier = 0; tier < after.tiers.size(); ++tier)
      if (Limit limit = getLimit(tier); limit.bytes && isTierShown(after, tier))
        names.insert(limit.name);
    return names;
  }

  void drawTier(raw_ostream &os, unsigned tier, std::optional<unsigned> old,
                unsigned single) {
    bool isCompute = tier == after.computeTier;
    Limit limit = getLimit(tier);
    PanelScale scale;
    scale.bytes =
        std::max(after.tiers[tier].peakBytes, limit.bytes.value_or(0));
    scale.steps = after.steps.size();
    if (old) {
      scale.bytes = std::max(scale.bytes, before->tiers[*old].peakBytes);
      scale.steps = std::max<size_t>(scale.steps, before->steps.size());
    }
    std::optional<Panel> first;
    if (old) {
      first.emplace(*before, *old, scale, single);
      first->title = before->tiers[*old].name + ", before";
      first->limit = limit.bytes;
      first->limitName = limit.name;
      first->mark(comparison, /*isBefore=*/true);
      y = first->draw(os, y, nullptr);
    }
    Panel panel(after, tier, scale, single);
    panel.title = after.tiers[tier].name + (before ? ", after" : "");
    // A line far above everything would press it flat.
    if (after.tiers[tier].capacity && !limit.bytes)
      panel.title +=
          ", of " + formatBytes(*after.tiers[tier].capacity) + " there";
    panel.limit = limit.bytes;
    panel.limitName = limit.name;
    panel.mark(comparison, /*isBefore=*/false);
    double gap = old && isCompute && !comparison->moved.empty() ? 46 : 0;
    if (gap)
      drawMoves(os, *first, panel, gap);
    y = panel.draw(os, y + gap, first ? &*first : nullptr);
  }

  /// From where an op stood to where it stands.
  void drawMoves(raw_ostream &os, const Panel &first, const Panel &second,
                 double gap) {
    constexpr size_t kMost = 400;
    size_t stride = (comparison->moved.size() + kMost - 1) / kMost;
    os << "<g stroke=\"" << kMovedColor << "\" stroke-opacity=\""
       << (comparison->moved.size() > 40 ? "0.35" : "0.8")
       << "\" fill=\"none\">\n";
    for (size_t i = 0; i < comparison->moved.size(); i += stride) {
      unsigned at = comparison->moved[i];
      double from = first.getStepX(*comparison->origin[at]);
      double to = second.getStepX(at);
      double top = y - 2, bottom = y + gap + kPanelHeader - 25;
      os << "<path d=\"M" << svg::number(from) << " " << svg::number(top) << "C"
         << svg::number(from) << " " << svg::number((top + bottom) / 2) << " "
         << svg::number(to) << " " << svg::number((top + bottom) / 2) << " "
         << svg::number(to) << " " << svg::number(bottom) << "\"><title>"
         << svg::escape(after.steps[at].name) << ": step "
         << *comparison->origin[at] << " to " << at << "</title></path>\n";
    }
    os << "</g>\n";
  }

  /// One bar for each program, stacked by tier, on one scale.
  void drawEnergies(raw_ostream &os) {
    if (!after.energy || *after.energy == 0)
      return;
    int64_t most = *after.energy;
    if (before && before->energy)
      most = std::max(most, *before->energy);
    y += 12;
    svg::text(os, kMargin, y + 6,
              "energy by the tier that serves it (" +
                  toString(*after.cacheModel).str() + ")",
              {13, "#111", "start", true});
    y += 26;
    static constexpr StringLiteral kTierColors[] = {
        "#7fbf7b", "#5b9bd5", "#f2b134", "#d1603d", "#8e6bbf", "#888888"};
    double x = kPlotLeft;
    for (auto [index, tier] : enumerate(after.tiers)) {
      svg::rectangle(os, x, y - 10, 12, 12,
                     kTierColors[std::min<size_t>(index, 5)]);
      const double room = kPictureWidth / double(after.tiers.size()) - 60;
      const std::string name = svg::fit(tier.name, std::max(room, 30.0));
      svg::text(os, x + 17, y, name);
      x += 36 + svg::getWidth(name, 12);
    }
    y += 10;
    for (const FunctionReport *report : {before, &after}) {
      if (!report || !report->energy)
        continue;
      svg::text(os, kPlotLeft - 10, y + 15,
                !before            ? "energy"
                : report == before ? "before"
                                   : "after",
                {12, "#333", "end"});
      double left = kPlotLeft;
      for (auto [index, tier] : enumerate(report->tiers)) {
        double width = kPlotWidth * double(tier.energy) / double(most);
        if (width <= 0)
          continue;
        std::string label = formatEnergy(tier.energy);
        svg::rectangle(os, left, y, width, 22,
                       kTierColors[std::min<size_t>(index, 5)],
                       tier.name + ": " + label);
        if (svg::getWidth(label, 11) + 10 < width)
          svg::text(os, left + width / 2, y + 15, label,
                    {11, "#222", "middle"});
        left += width;
      }
      svg::text(os, left + 8, y + 15, formatEnergy(*report->energy));
      y += 28;
    }
  }

  /// The tree of calls that was chosen: under each caller what it calls, in
  /// the colour of what becomes of its tape.
  void drawCalls(raw_ostream &os) {
    constexpr size_t kShown = 40;
    constexpr double kRow = 19, kIndent = 22, kBox = 12;
    if (after.calls.empty())
      return;
    y += 12;
    svg::text(os, kMargin, y + 6, "calls with adjoints",
              {13, "#111", "start", true});
    double x = kPlotLeft + 100;
    for (auto [band, label] :
         {std::pair(Band::Saved, "split: its tape is kept"),
          std::pair(Band::Gradient, "joint: runs again before its adjoint")}) {
      svg::rectangle(os, x, y - 4, kBox, kBox, getColor(band));
      svg::text(os, x + 17, y + 6, label);
      x += 46 + svg::getWidth(label, 12);
    }
    y += 12;
    // Where the callers of the row stand, from the outermost on.
    std::vector<double> rows = {y};
    for (const CallEntry &call : ArrayRef(after.calls).take_front(kShown)) {
      y += kRow;
      const unsigned depth = std::min<unsigned>(call.depth, rows.size() - 1);
      const double left = kMargin + kIndent * std::min(depth, 20u);
      svg::line(os, left + kBox / 2, rows[depth], left + kBox / 2, y, "#999");
      svg::line(os, left + kBox / 2, y, left + kIndent, y, "#999");
      svg::rectangle(os, left + kIndent, y - kBox / 2, kBox, kBox,
                     getColor(call.isJoint ? Band::Gradient : Band::Saved));
      const double start = left + kIndent + kBox + 6;
      svg::text(os, start, y + 4,
                svg::fit("@" + call.callee +
                             (call.isRepeated ? " (its calls as above)" : ""),
                         kPictureWidth - kMargin - start));
      rows.resize(depth + 1);
      rows.push_back(y + kBox / 2);
    }
    if (after.calls.size() > kShown) {
      y += kRow;
      svg::text(os, kMargin + kIndent, y + 4,
                "and " + std::to_string(after.calls.size() - kShown) + " more");
    }
    y += kRow;
  }

  const FunctionReport *before;
  const FunctionReport &after;
  const Comparison *comparison;
  const PictureOptions &options;
  double y = 0;
};
} // namespace

void writePicture(raw_ostream &os, const FunctionReport &report,
                  const PictureOptions &options) {
  PictureWriter(nullptr, report, nullptr, options).write(os);
}

void writePicture(raw_ostream &os, const Comparison &comparison,
                  const PictureOptions &options) {
  PictureWriter(comparison.before, *comparison.after, &comparison, options)
      .write(os);
}

} // namespace pebble

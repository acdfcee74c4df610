//===- Panel.cpp - one tier of one program in the picture -----------------===//

#include "Panel.h"

#include "Internal.h"
#include "Svg.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;

namespace pebble {

StringRef getColor(Band band) {
  switch (band) {
  case Band::Argument:
    return "#c9ced6";
  case Band::Saved:
    return "#3f7fc4";
  case Band::Activation:
    return "#a8cdf0";
  case Band::Gradient:
    return "#f3ab57";
  case Band::Result:
    return "#67b279";
  case Band::Scratch:
    return "#b79ad8";
  }
  llvm_unreachable("covered switch");
}

/// Of text on it.
static StringRef getInk(Band band) {
  return band == Band::Saved ? "#fff" : "#222";
}

/// More steps than this share columns of a pixel each.
static constexpr unsigned kMostColumns = 800;
/// Up to so many steps are named on the axis.
static constexpr size_t kMostNames = 40;
/// cos 38, sin 38: the names stand at that angle.
static constexpr double kSlantWidth = 0.79, kSlantHeight = 0.62;

Panel::Panel(const FunctionReport &report, unsigned tier, PanelScale scale,
             unsigned single)
    : report(report), tier(tier), scale(scale) {
  if (!report.steps.empty())
    stack = Stack::get(report, tier, kMostColumns, single);
  marks.resize(report.steps.size());
}

void Panel::mark(const Comparison *comparison, bool isBefore) {
  if (!comparison)
    return;
  for (unsigned at : comparison->moved)
    marks[isBefore ? *comparison->origin[at] : at] = kMovedColor;
  if (isBefore)
    return;
  for (unsigned at : comparison->recomputed)
    marks[at] = kRecomputedColor;
  for (unsigned at : comparison->offloaded)
    marks[at] = kAddedColor;
  for (unsigned at : comparison->added)
    marks[at] = kAddedColor;
}

double Panel::getX(double column) const {
  double steps = std::max<size_t>(scale.steps, 1);
  double width = kPlotWidth * double(report.steps.size()) / steps;
  return kPlotLeft + width * column / std::max<size_t>(stack.total.size(), 1);
}

double Panel::getStepX(unsigned position) const {
  return getX(stack.getColumn(position) + 0.5);
}

double Panel::getY(int64_t bytes) const {
  double most = std::max<int64_t>(scale.bytes, 1);
  return plotTop + kPlotHeight * (1 - double(bytes) / most);
}

/// 1, 2 or 5 times a power of ten, so that about `count` fit into `range`.
static double getNiceStep(double range, int count) {
  double raw = range / count;
  double power = std::pow(10, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0})
    if (raw <= factor * power)
      return factor * power;
  return 10 * power;
}

void Panel::drawAxis(raw_ostream &os) const {
  static constexpr const char *kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double size = 1;
  unsigned unit = 0;
  for (; unit < 4 && double(scale.bytes) / size >= 1024; ++unit)
    size *= 1024;
  double range = std::max(1.0, double(scale.bytes)) / size;
  double step = getNiceStep(range, 5);
  if (unit == 0)
    step = std::max(1.0, step);
  for (int i = 0; i * step <= range * 1.0001; ++i) {
    double y = getY(int64_t(i * step * size));
    svg::line(os, kPlotLeft, y, kPlotLeft + kPlotWidth, y, "#e6e6e6");
    svg::text(os, kPlotLeft - 8, y + 4,
              formatv("{0} {1}", svg::number(i * step), kUnits[unit]).str(),
              {11, "#555", "end"});
  }
}

std::string Panel::describe(const Shape &shape) const {
  if (shape.band == Band::Scratch)
    return "scratch inside ops";
  if (!shape.storage)
    return formatv("{0} smaller {1}", shape.count, getLabel(shape.band)).str();
  const StorageEntry &entry = report.storages[*shape.storage];
  return formatv("{0}: {1}{2}, {3}, steps {4} to {5}", entry.name,
                 entry.isSaved ? "saved " : "", toString(entry.role),
                 formatBytes(entry.bytes), entry.range.first, entry.range.last)
      .str();
}

void Panel::drawShape(raw_ostream &os, const Shape &shape) const {
  // Along the top, then back along the bottom; one corner for each change.
  std::string path;
  auto moveTo = [&](double x, double y) {
    path += (path.empty() ? "M" : "L") + svg::number(x) + " " + svg::number(y);
  };
  unsigned count = shape.height.size();
  std::string lastY;
  auto follow = [&](unsigned i, double y, double from, double to) {
    std::string text = svg::number(y);
    if (text != lastY) {
      if (lastY.empty())
        moveTo(from, y);
      else
        path += "H" + svg::number(from) + "V" + text;
      lastY = text;
    }
    if (to >= 0)
      path += "H" + svg::number(to);
  };
  for (unsigned i = 0; i < count; ++i)
    follow(i, getY(shape.base[i] + shape.height[i]),
           getX(shape.firstColumn + i),
           i + 1 == count ? getX(shape.firstColumn + count) : -1);
  bool isFirst = true;
  for (unsigned i = count; i-- > 0;) {
    std::string text = svg::number(getY(shape.base[i]));
    if (isFirst || text != lastY)
      path += isFirst ? "V" + text
                      : "H" + svg::number(getX(shape.firstColumn + i + 1)) +
                            "V" + text;
    isFirst = false;
    lastY = text;
  }
  path += "H" + svg::number(getX(shape.firstColumn));
  // White seams between shapes would drown the colour of thin ones.
  double height = 0;
  for (unsigned i = 0; i < count; ++i)
    height = std::max(height, getY(0) - getY(shape.height[i]));
  os << "<path fill=\"" << getColor(shape.band) << "\"";
  if (height < 5)
    os << " stroke-width=\"" << (height < 2 ? "0" : "0.2") << "\"";
  os << " d=\"" << path << "Z\"><title>"
     << svg::escape(svg::shorten(describe(shape), 200)) << "</title></path>\n";
}

/// The name, in the widest part of the shape where it is not broken by what
/// begins and ends below.
void Panel::drawLabel(raw_ostream &os, const Shape &shape) const {
  if (!shape.storage)
    return;
  const StorageEntry &entry = report.storages[*shape.storage];
  double height = getY(shape.base[0]) - getY(shape.base[0] + shape.height[0]);
  if (height < 13)
    return;
  unsigned best = 0, bestLength = 0;
  for (unsigned i = 0; i < shape.base.size();) {
    unsigned end = i + 1;
    while (end < shape.base.size() && shape.base[end] == shape.base[i])
      ++end;
    if (end - i > bestLength) {
      best = i;
      bestLength = end - i;
    }
    i = end;
  }
  double left = getX(shape.firstColumn + best);
  double right = getX(shape.firstColumn + best + bestLength);
  std::string label = svg::shorten(entry.name, 28);
  double width = svg::getWidth(label, 11);
  if (width + 8 > right - left)
    return;
  std::string withSize = label + "  " + formatBytes(entry.bytes);
  if (svg::getWidth(withSize, 11) + 12 < right - left)
    label = withSize;
  double middle =
      (getY(shape.base[best]) + getY(shape.base[best] + shape.height[0])) / 2;
  // Beside the names of lines, where it stands in their way.
  const double half = svg::getWidth(label, 11) / 2 + 4;
  for (double x : {(left + right) / 2, left + half, right - half})
    if (isFree({x - half, middle - 7, x + half, middle + 7})) {
      svg::text(
          os, x, middle + 4, label,
          {11, getInk(shape.band), "middle", false, 0, getColor(shape.band)});
      return;
    }
}

bool Panel::isFree(const Box &box) const {
  return llvm::none_of(taken, [&](const Box &other) {
    return box.left < other.right && other.left < box.right &&
           box.top < other.bottom && other.top < box.bottom;
  });
}

void Panel::drawLineName(raw_ostream &os, double x, double y, StringRef name,
                         StringRef color, bool isBold) const {
  const double width = svg::getWidth(name, 11, isBold);
  // The first place along the line that no other name has.
  while (!isFree({x, y - 9, x + width, y + 3}) &&
         x + 2 * width < kPlotLeft + kPlotWidth)
    x += 10;
  taken.push_back({x, y - 9, x + width, y + 3});
  svg::text(os, x, y, name, {11, color, "start", isBold, 0, "#fff"});
}

void Panel::drawShapes(raw_ostream &os) const {
  os << "<g stroke=\"#fff\" stroke-width=\"0.6\" stroke-linejoin=\"round\">\n";
  for (const Shape &shape : stack.shapes)
    drawShape(os, shape);
  os << "</g>\n";
}

void Panel::drawGhost(raw_ostream &os, const Panel &ghost) const {
  std::string path;
  for (unsigned i = 0; i < ghost.stack.total.size(); ++i) {
    double y = getY(ghost.stack.total[i]);
    path += path.empty()
                ? "M" + svg::number(ghost.getX(i)) + " " + svg::number(y)
                : "V" + svg::number(y);
    path += "H" + svg::number(ghost.getX(i + 1));
  }
  os << "<path fill=\"none\" stroke=\"" << kGhostColor
     << "\" stroke-width=\"1.2\" stroke-dasharray=\"3 2\" "
        "pointer-events=\"none\" d=\""
     << path << "\"/>\n";
}

void Panel::drawLimit(raw_ostream &os) const {
  if (!limit)
    return;
  double y = getY(*limit);
  svg::line(os, kPlotLeft, y, kPlotLeft + kPlotWidth, y, kBudgetColor, 2,
            "6 3");
  drawLineName(os, kPlotLeft + 6, y + (y < plotTop + 18 ? 14 : -5),
               limitName.str() + " " + formatBytes(*limit), kBudgetColor,
               /*isBold=*/true);
}

void Panel::drawPeak(raw_ostream &os) const {
  const TierEntry &entry = report.tiers[tier];
  unsigned at = entry.peakPosition;
  double x = getX(stack.peakColumn + 0.5);
  svg::line(os, x, plotTop - 6, x, plotTop + kPlotHeight, "#111", 1.2, "4 3");
  std::string label = "peak " + formatBytes(entry.peakBytes) + " at step " +
                      std::to_string(at) + ", " +
                      svg::shorten(report.steps[at].name, 60);
  double half = svg::getWidth(label, 12, /*isBold=*/true) / 2;
  double middle =
      std::clamp(x, kPlotLeft + half, kPlotLeft + kPlotWidth - half);
  svg::text(os, middle, plotTop - 10, label, {12, "#111", "middle", true});
}

/// "matmul %5" for "linalg.matmul %5", and "h" for "linalg.generic h".
static StringRef getShortName(StringRef name) {
  auto [op, rest] = name.split(' ');
  if (rest.empty() || !op.contains('.'))
    return name;
  return rest.starts_with("%") || rest.starts_with("#")
             ? name.drop_front(op.find('.') + 1)
             : rest;
}

/// Every step by its name, at an angle; those that the comparison marks in
/// their colour.
double Panel::drawStepNames(raw_ostream &os) const {
  double longest = 0;
  double y = plotTop + kPlotHeight;
  double width = getX(1) - getX(0);
  double size = std::clamp(width * 0.9, 8.0, 11.0);
  for (auto [at, step] : enumerate(report.steps)) {
    bool isMarked = !marks[at].empty();
    // Down to the left, as far as the picture goes.
    const double room = (getStepX(at) - kPictureMargin) / kSlantWidth;
    std::string name = svg::fit(svg::shorten(getShortName(step.name), 26), room,
                                size, isMarked);
    svg::text(os, getStepX(at) + 3, y + 12, name,
              {size, isMarked ? marks[at] : "#444", "end", isMarked, -38});
    longest = std::max(longest, svg::getWidth(name, size, isMarked));
  }
  return y + 20 + longest * kSlantHeight;
}

double Panel::drawStepNumbers(raw_ostream &os) const {
  double y = plotTop + kPlotHeight;
  double right = getX(stack.total.size());
  size_t steps = report.steps.size();
  double step = std::max(1.0, getNiceStep(double(steps), 10));
  for (double at = 0; at < double(steps); at += step) {
    double x = kPlotLeft + (right - kPlotLeft) * (at + 0.5) / double(steps);
    svg::line(os, x, y, x, y + 4, "#888");
    svg::text(os, x, y + 16, svg::number(at), {11, "#555", "middle"});
  }
  svg::text(os, kPlotLeft - 8, y + 16, "step", {11, "#555", "end"});
  // A strip of what the comparison marks.
  bool isMarked = false;
  for (auto [at, color] : enumerate(marks)) {
    if (color.empty())
      continue;
    isMarked = true;
    double width = std::max(0.8, getX(1) - getX(0));
    svg::rectangle(os, getStepX(at) - width / 2, y + 21, width, 7, color,
                   report.steps[at].name);
  }
  return y + (isMarked ? 34 : 24);
}

double Panel::drawSteps(raw_ostream &os) const {
  double y = plotTop + kPlotHeight;
  svg::line(os, kPlotLeft, y, kPlotLeft + kPlotWidth, y, "#888");
  size_t barriers = 0;
  for (auto [at, step] : enumerate(report.steps)) {
    if (step.barrier.empty() || ++barriers > 400)
      continue;
    svg::rectangle(os, getStepX(at) - 1, y - 5, 2, 5, kBarrierColor,
                   "barrier: " + step.barrier);
  }
  double bottom = report.steps.size() <= kMostNames ? drawStepNames(os)
                                                    : drawStepNumbers(os);
  if (report.turningPoint && *report.turningPoint < report.steps.size()) {
    double x = getX(stack.getColumn(*report.turningPoint));
    svg::line(os, x, plotTop, x, y, "#777", 1, "1 3");
    drawLineName(os, x + 4, plotTop + 12, "backward \xE2\x86\x92", "#555");
  }
  return bottom;
}

double Panel::drawList(raw_ostream &os) const {
  constexpr unsigned kShown = 10;
  double x = kPlotLeft + kPlotWidth + 28;
  double right = kPlotLeft + kPlotWidth + kListWidth;
  double y = plotTop + 4;
  unsigned at = report.tiers[tier].peakPosition;
  std::vector<unsigned> live = report.getLiveStorages(at, tier);
  svg::text(os, x, y, "live at the peak", {12, "#111", "start", true});
  y += 8;
  auto addRow = [&](StringRef color, StringRef name, int64_t bytes) {
    y += 19;
    const std::string size = formatBytes(bytes);
    const double room = right - svg::getWidth(size, 12) - 10 - (x + 18);
    svg::rectangle(os, x, y - 10, 12, 12, color);
    svg::text(os, x + 18, y, svg::fit(name, room));
    svg::text(os, right, y, size, {12, "#333", "end"});
  };
  for (unsigned index : ArrayRef(live).take_front(kShown)) {
    const StorageEntry &entry = report.storages[index];
    addRow(getColor(getBand(entry)), entry.name, entry.footprint);
  }
  if (live.size() > kShown) {
    int64_t rest = 0;
    for (unsigned index : ArrayRef(live).drop_front(kShown))
      rest += report.storages[index].footprint;
    addRow("#ffffff", formatv("{0} more", live.size() - kShown).str(), rest);
  }
  if (tier == report.computeTier && report.steps[at].scratch)
    addRow(getColor(Band::Scratch), "scratch inside the op",
           report.steps[at].scratch);
  return y + 8;
}

double Panel::draw(raw_ostream &os, double top, const Panel *ghost) const {
  taken.clear();
  svg::text(os, kPictureMargin, top + 16,
            svg::fit(title, kPictureWidth - 2 * kPictureMargin, 14, true),
            {14, "#111", "start", true});
  plotTop = top + kPanelHeader;
  drawAxis(os);
  if (report.steps.empty()) {
    svg::text(os, kPlotLeft + kPlotWidth / 2, plotTop + kPlotHeight / 2,
              "nothing runs", {14, "#777", "middle"});
    return plotTop + kPlotHeight + 20;
  }
  drawShapes(os);
  double bottom = drawSteps(os);
  if (ghost)
    drawGhost(os, *ghost);
  drawLimit(os);
  os << "<g pointer-events=\"none\">\n";
  for (const Shape &shape : stack.shapes)
    drawLabel(os, shape);
  os << "</g>\n";
  drawPeak(os);
  return std::max(bottom, drawList(os)) + 8;
}

} // namespace pebble

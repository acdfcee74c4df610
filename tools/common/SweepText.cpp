//===- SweepText.cpp - a curve of cost over budget, for people ------------===//

#include "SweepText.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace pebble;
using namespace pebble::tool;
using graph::Sweep;
using graph::SweepPoint;

namespace {

template <typename... Args>
std::string format(const char *pattern, Args... args) {
  char text[256];
  std::snprintf(text, sizeof text, pattern, args...);
  return text;
}

/// In percent of the given order's peak.
double shareOf(const Sweep &sweep, int64_t budget) {
  return sweep.givenPeak > 0 ? 100 * static_cast<double>(budget) /
                                   static_cast<double>(sweep.givenPeak)
                             : 100;
}

/// Percent beyond every step once.
double overheadOf(const Sweep &sweep, int64_t cost) {
  return sweep.once > 0 ? 100 * static_cast<double>(cost - sweep.once) /
                              static_cast<double>(sweep.once)
                        : 0;
}

std::string escape(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '<'   ? "&lt;"
              : c == '>' ? "&gt;"
              : c == '&' ? "&amp;"
                         : std::string(1, c);
  return result;
}

/// A round number of which some four reach `most`.
double gridOf(double most) {
  const double wanted = std::max(most, 1e-6) / 4;
  const double ten = std::pow(10, std::floor(std::log10(wanted)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * ten >= wanted)
      return factor * ten;
  return 10 * ten;
}

/// Where budgets and overheads are drawn.
class Canvas {
public:
  Canvas(const Sweep &sweep) : sweep(sweep) {
    const std::vector<SweepPoint> &points = sweep.points;
    left = std::floor(shareOf(sweep, points.front().budget) / 10) * 10;
    right = std::max(left + 10, shareOf(sweep, points.back().budget));
    double most = overheadOf(sweep, points.front().schedule.cost);
    grid = gridOf(most);
    top = grid * std::max(1.0, std::ceil(most / grid));
  }

  double x(int64_t budget) const { return xOf(shareOf(sweep, budget)); }
  double y(int64_t cost) const { return yOf(overheadOf(sweep, cost)); }

  std::string frame() const {
    std::string svg;
    for (int i = 0; i * grid <= top * (1 + 1e-9); ++i)
      svg +=
          line(kLeft, yOf(i * grid), kLeft + kWide, yOf(i * grid)) +
          label(kLeft - 6, yOf(i * grid) + 4, "end", format("+%g%%", i * grid));
    for (double share = left; share <= right + 1e-9; share += 10)
      svg +=
          line(xOf(share), kTop, xOf(share), kTop + kHigh) +
          label(xOf(share), kTop + kHigh + 16, "middle", format("%g%%", share));
    return svg;
  }

  static std::string label(double x, double y, const char *anchor,
                           const std::string &text) {
    return format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
                  anchor) +
           escape(text) + "</text>\n";
  }

  static constexpr double kLeft = 64, kTop = 40, kWide = 560, kHigh = 280;

private:
  double xOf(double share) const {
    return kLeft + kWide * (share - left) / (right - left);
  }
  double yOf(double overhead) const {
    return kTop + kHigh * (1 - overhead / top);
  }
  static std::string line(double x1, double y1, double x2, double y2) {
    return format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                  "class=\"grid\"/>\n",
                  x1, y1, x2, y2);
  }

  const Sweep &sweep;
  double left, right, grid, top;
};

std::string corner(double x, double y) { return format("%.1f,%.1f ", x, y); }

/// What is found at a budget holds up to the next one.
std::string costLine(const Sweep &sweep, const Canvas &canvas) {
  std::string corners;
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    const double x = canvas.x(sweep.points[i].budget);
    if (i > 0)
      corners += corner(x, canvas.y(sweep.points[i - 1].schedule.cost));
    corners += corner(x, canvas.y(sweep.points[i].schedule.cost));
  }
  return "<polyline class=\"cost\" points=\"" + corners + "\"/>\n";
}

/// What is proven at a budget holds down to the one before.
std::string boundLine(const Sweep &sweep, const Canvas &canvas) {
  std::string corners;
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    const double y = canvas.y(sweep.points[i].schedule.bound);
    if (i > 0)
      corners += corner(canvas.x(sweep.points[i - 1].budget), y);
    corners += corner(canvas.x(sweep.points[i].budget), y);
  }
  return "<polyline class=\"bound\" points=\"" + corners + "\"/>\n";
}

std::string writeKnee(const Sweep &sweep) {
  const std::optional<size_t> knee = graph::kneeOf(sweep);
  return knee ? std::to_string(sweep.points[*knee].budget) : "null";
}

/// A line down from the knee, and what it costs there. The curve falls, so that
/// there is room above it on the right.
std::string kneeMark(const Sweep &sweep, const Canvas &canvas) {
  const std::optional<size_t> knee = graph::kneeOf(sweep);
  if (!knee)
    return "";
  const SweepPoint &point = sweep.points[*knee];
  const double x = canvas.x(point.budget);
  return format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                "class=\"knee\"/>\n",
                x, canvas.y(point.schedule.cost) - 28, x,
                Canvas::kTop + Canvas::kHigh) +
         Canvas::label(x + 6, canvas.y(point.schedule.cost) - 18, "start",
                       format("knee: %.1f%%, %+.2f%%",
                              shareOf(sweep, point.budget),
                              overheadOf(sweep, point.schedule.cost)));
}

} // namespace

std::string pebble::tool::writeSweepTable(const Sweep &sweep,
                                          const SweepText &text) {
  std::string table = text.title + "\n";
  table += format("%20s %7s %20s %9s %20s  %s\n", "budget", "of peak", "cost",
                  "overhead", "bound", "by");
  const std::optional<size_t> knee = graph::kneeOf(sweep);
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint &point = sweep.points[i];
    const game::Schedule &s = point.schedule;
    table +=
        format("%20lld %6.1f%% %20s %+8.2f%% %20s  ",
               static_cast<long long>(point.budget),
               shareOf(sweep, point.budget), text.writeCost(s.cost).c_str(),
               overheadOf(sweep, s.cost), text.writeCost(s.bound).c_str());
    table += s.solver + (s.status == game::Status::Optimal ? ", optimal" : "") +
             (knee == i ? ", knee" : "") + "\n";
  }
  table += sweep.leastIsProven
               ? "nothing fits in a smaller budget (proven)\n"
               : "nothing is known to fit in a smaller budget\n";
  if (sweep.limited)
    table += "a limit ended the search\n";
  return table;
}

std::string pebble::tool::writeSweepJson(const Sweep &sweep,
                                         const SweepText &text) {
  std::string json =
      "{\"given_peak\": " + std::to_string(sweep.givenPeak) +
      ", \"once\": " + text.writeCost(sweep.once) +
      ", \"least_budget\": " + std::to_string(sweep.points.front().budget) +
      ", \"least_is_proven\": " + (sweep.leastIsProven ? "true" : "false") +
      ", \"knee_budget\": " + writeKnee(sweep) +
      ", \"limited\": " + (sweep.limited ? "true" : "false") +
      format(", \"seconds\": %.3f", text.seconds) + ", \"points\": [";
  for (const SweepPoint &point : sweep.points) {
    const game::Schedule &s = point.schedule;
    json += &point == &sweep.points.front() ? "\n  " : ",\n  ";
    json += "{\"budget\": " + std::to_string(point.budget) +
            ", \"status\": \"" + toString(s.status) +
            "\", \"cost\": " + text.writeCost(s.cost) +
            ", \"bound\": " + text.writeCost(s.bound) +
            ", \"peak\": " + std::to_string(s.peak) + ", \"solver\": \"" +
            s.solver + "\"}";
  }
  return json + "\n]}";
}

std::string pebble::tool::writeSweepPicture(const Sweep &sweep,
                                            const SweepText &text) {
  const Canvas canvas(sweep);
  constexpr double width = Canvas::kLeft + Canvas::kWide + 24,
                   height = Canvas::kTop + Canvas::kHigh + 48;
  std::string svg = format("<svg xmlns=\"http://www.w3.org/2000/svg\" "
                           "width=\"%.0f\" height=\"%.0f\">\n",
                           width, height);
  svg += "<style>text{font:12px sans-serif} .grid{stroke:#ddd} "
         "polyline{fill:none;stroke-width:2} .cost{stroke:#1f5fa8} "
         ".bound{stroke:#b0b0b0;stroke-dasharray:4 3} "
         ".knee{stroke:#c0392b;stroke-dasharray:2 2} "
         ".optimal{fill:#1f5fa8} .feasible{fill:#fff;stroke:#1f5fa8}"
         "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  svg += canvas.frame();
  svg += boundLine(sweep, canvas) + costLine(sweep, canvas) +
         kneeMark(sweep, canvas);
  for (const SweepPoint &point : sweep.points)
    svg += format("<circle class=\"%s\" r=\"3\" cx=\"%.1f\" cy=\"%.1f\">",
                  toString(point.schedule.status), canvas.x(point.budget),
                  canvas.y(point.schedule.cost)) +
           "<title>budget " + std::to_string(point.budget) + ", cost " +
           text.writeCost(point.schedule.cost) + ", bound " +
           text.writeCost(point.schedule.bound) + "</title></circle>\n";
  svg += Canvas::label(Canvas::kLeft, 24, "start", text.title);
  svg += Canvas::label(Canvas::kLeft + Canvas::kWide / 2, height - 12, "middle",
                       "budget, of the peak of the given order; full: proven "
                       "optimal, dashed: bound");
  return svg + "</svg>\n";
}

//===- Panel.h - one tier of one program in the picture (private) ---------===//

#ifndef PEBBLE_LIB_REPORT_PANEL_H
#define PEBBLE_LIB_REPORT_PANEL_H

#include "Stack.h"

#include "pebble/Report/Comparison.h"

namespace pebble {

inline constexpr double kPictureMargin = 24;
inline constexpr double kPlotLeft = 96;
inline constexpr double kPlotWidth = 800;
inline constexpr double kListWidth = 300;
inline constexpr double kPictureWidth =
    kPlotLeft + kPlotWidth + kListWidth + kPictureMargin;
inline constexpr double kPlotHeight = 250;
/// From a panel's top to its plot: the title and the peak's label.
inline constexpr double kPanelHeader = 46;

inline constexpr llvm::StringLiteral kBudgetColor = "#d62728";
inline constexpr llvm::StringLiteral kGhostColor = "#333333";
inline constexpr llvm::StringLiteral kMovedColor = "#c2410c";
inline constexpr llvm::StringLiteral kRecomputedColor = "#7e22ce";
inline constexpr llvm::StringLiteral kBarrierColor = "#8b1a1a";
inline constexpr llvm::StringLiteral kAddedColor = "#0f766e";
llvm::StringRef getColor(Band band);

/// Shared by the panels of one tier, so that they can be compared.
struct PanelScale {
  int64_t bytes = 0;
  size_t steps = 0;
};

class Panel {
public:
  Panel(const FunctionReport &report, unsigned tier, PanelScale scale,
        unsigned single);

  std::string title;
  /// A line across: a budget, or what the tier holds.
  std::optional<int64_t> limit;
  llvm::StringRef limitName;
  /// Colours the steps that the comparison says something of.
  void mark(const Comparison *comparison, bool isBefore);

  /// Draws from `top` down, with the outline of `ghost` if there is one;
  /// returns the bottom.
  double draw(llvm::raw_ostream &os, double top, const Panel *ghost) const;
  /// The middle of a step.
  double getStepX(unsigned position) const;

private:
  struct Box {
    double left, top, right, bottom;
  };

  double getX(double column) const;
  double getY(int64_t bytes) const;
  void drawAxis(llvm::raw_ostream &os) const;
  void drawShapes(llvm::raw_ostream &os) const;
  void drawShape(llvm::raw_ostream &os, const Shape &shape) const;
  void drawLabel(llvm::raw_ostream &os, const Shape &shape) const;
  void drawGhost(llvm::raw_ostream &os, const Panel &ghost) const;
  void drawPeak(llvm::raw_ostream &os) const;
  void drawLimit(llvm::raw_ostream &os) const;
  /// Whether no name of a line stands in `box`.
  bool isFree(const Box &box) const;
  /// What a line across or down is called, from `x` on or where there is room.
  void drawLineName(llvm::raw_ostream &os, double x, double y,
                    llvm::StringRef name, llvm::StringRef color,
                    bool isBold = false) const;
  double drawSteps(llvm::raw_ostream &os) const;
  double drawStepNames(llvm::raw_ostream &os) const;
  double drawStepNumbers(llvm::raw_ostream &os) const;
  double drawList(llvm::raw_ostream &os) const;
  std::string describe(const Shape &shape) const;

  const FunctionReport &report;
  unsigned tier;
  PanelScale scale;
  Stack stack;
  /// Colour of a step's name or tick; empty for the plain ones.
  std::vector<llvm::StringRef> marks;
  mutable double plotTop = 0;
  /// By the names of lines.
  mutable std::vector<Box> taken;
};

} // namespace pebble

#endif // PEBBLE_LIB_REPORT_PANEL_H

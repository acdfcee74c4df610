//===- Svg.h - the few SVG elements that pictures need (private) ----------===//

#ifndef PEBBLE_LIB_REPORT_SVG_H
#define PEBBLE_LIB_REPORT_SVG_H

#include "llvm/Support/raw_ostream.h"

#include <string>

namespace pebble::svg {

/// "12.3", without needless digits.
std::string number(double value);
/// Text with <, > and & written as entities, and nothing that XML forbids.
std::string escape(llvm::StringRef text);
/// At most `length` bytes and an ellipsis, the middle left out; characters stay
/// whole.
std::string shorten(llvm::StringRef text, size_t length);
/// Width of `text` in the picture's font, in pixels; rather more than less.
double getWidth(llvm::StringRef text, double size, bool isBold = false);
/// As much of `text` as `width` pixels hold, the middle left out.
std::string fit(llvm::StringRef text, double width, double size = 12,
                bool isBold = false);

struct TextStyle {
  double size = 12;
  llvm::StringRef color = "#333";
  llvm::StringRef anchor = "start";
  bool isBold = false;
  double rotation = 0;
  /// Of an outline that keeps it readable on anything; empty for none.
  llvm::StringRef halo = "";
};
void text(llvm::raw_ostream &os, double x, double y, llvm::StringRef content,
          TextStyle style = {});
void line(llvm::raw_ostream &os, double x1, double y1, double x2, double y2,
          llvm::StringRef color, double width = 1, llvm::StringRef dash = "");
void rectangle(llvm::raw_ostream &os, double x, double y, double width,
               double height, llvm::StringRef color,
               llvm::StringRef title = "");

} // namespace pebble::svg

#endif // PEBBLE_LIB_REPORT_SVG_H

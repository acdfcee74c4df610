//===- Svg.cpp - the few SVG elements that pictures need ------------------===//

#include "Svg.h"

#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace llvm;

namespace pebble::svg {

std::string number(double value) {
  double rounded = std::round(value * 10) / 10;
  if (rounded == std::floor(rounded))
    return std::to_string(static_cast<long long>(rounded));
  std::string text;
  raw_string_ostream(text) << format("%.1f", rounded);
  return text;
}

std::string escape(StringRef text) {
  const auto *bytes = reinterpret_cast<const UTF8 *>(text.begin());
  const auto *end = reinterpret_cast<const UTF8 *>(text.end());
  bool isUnicode = isLegalUTF8String(&bytes, end);
  std::string result;
  for (char c : text) {
    unsigned char code = c;
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else if (code < 0x20 || (code >= 0x7f && !isUnicode))
      result += '?';
    else
      result += c;
  }
  return result;
}

std::string shorten(StringRef text, size_t length) {
  if (text.size() <= length)
    return text.str();
  auto isInside = [&](size_t at) {
    return at < text.size() && (text[at] & 0xC0) == 0x80;
  };
  size_t head = (length - 1) * 2 / 3, tail = text.size() - (length - 1 - head);
  while (head > 0 && isInside(head))
    --head;
  while (isInside(tail))
    ++tail;
  return (text.take_front(head) + "\xE2\x80\xA6" + text.drop_front(tail)).str();
}

/// Thousandths of the font size, at least what Helvetica takes.
static double getUnits(unsigned char c) {
  if (StringRef("ijl'|").contains(c))
    return 0.26;
  if (StringRef("frtI.,:;!()[]/\\ -`").contains(c))
    return 0.34;
  if (StringRef("mwMW%@").contains(c))
    return c == 'W' || c == '@' ? 1.02 : 0.89;
  if (c >= 'A' && c <= 'Z')
    return StringRef("GOQ").contains(c) ? 0.78 : 0.725;
  // Of a character of several bytes the first counts.
  return c >= 0xE0 ? 1.0 : 0.58;
}

double getWidth(StringRef text, double size, bool isBold) {
  double units = 0;
  for (unsigned char c : text)
    if ((c & 0xC0) != 0x80)
      units += getUnits(c);
  return units * size * (isBold ? 1.1 : 1);
}

std::string fit(StringRef text, double width, double size, bool isBold) {
  std::string result = text.str();
  for (size_t length = text.size();
       length > 1 && getWidth(result, size, isBold) > width;)
    result = shorten(text, --length);
  return result;
}

void text(raw_ostream &os, double x, double y, StringRef content,
          TextStyle style) {
  os << "<text x=\"" << number(x) << "\" y=\"" << number(y) << "\" font-size=\""
     << number(style.size) << "\" fill=\"" << style.color << "\"";
  if (style.anchor != "start")
    os << " text-anchor=\"" << style.anchor << "\"";
  if (style.isBold)
    os << " font-weight=\"bold\"";
  if (!style.halo.empty())
    os << " stroke=\"" << style.halo
       << "\" stroke-width=\"3\" paint-order=\"stroke\"";
  if (style.rotation != 0)
    os << " transform=\"rotate(" << number(style.rotation) << " " << number(x)
       << " " << number(y) << ")\"";
  os << ">" << escape(content) << "</text>\n";
}

void line(raw_ostream &os, double x1, double y1, double x2, double y2,
          StringRef color, double width, StringRef dash) {
  os << "<line x1=\"" << number(x1) << "\" y1=\"" << number(y1) << "\" x2=\""
     << number(x2) << "\" y2=\"" << number(y2) << "\" stroke=\"" << color
     << "\" stroke-width=\"" << number(width) << "\"";
  if (!dash.empty())
    os << " stroke-dasharray=\"" << dash << "\"";
  os << "/>\n";
}

void rectangle(raw_ostream &os, double x, double y, double width, double height,
               StringRef color, StringRef title) {
  os << "<rect x=\"" << number(x) << "\" y=\"" << number(y) << "\" width=\""
     << number(width) << "\" height=\"" << number(height) << "\" fill=\""
     << color << "\"";
  if (title.empty())
    os << "/>\n";
  else
    os << "><title>" << escape(title) << "</title></rect>\n";
}

} // namespace pebble::svg

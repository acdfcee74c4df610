//===- ByteOrderMark.cpp - text files of some editors ---------------------===//

#include "ByteOrderMark.h"

static bool startsWith(std::string_view text, std::string_view mark) {
  return text.substr(0, mark.size()) == mark;
}

size_t pebble::tool::getMarkLength(std::string_view text) {
  return startsWith(text, "\xEF\xBB\xBF") ? 3 : 0;
}

bool pebble::tool::isUtf16(std::string_view text) {
  return startsWith(text, "\xFF\xFE") || startsWith(text, "\xFE\xFF");
}

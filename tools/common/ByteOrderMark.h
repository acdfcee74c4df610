//===- ByteOrderMark.h - text files of some editors -------------*- C++ -*-===//
//
// Some editors write a mark in front of a text that is UTF-8, and some write
// UTF-16. The first is no part of the text; the second is an error that says
// so. MLIR's parser says of both that it found no operation.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_COMMON_BYTEORDERMARK_H
#define PEBBLE_TOOLS_COMMON_BYTEORDERMARK_H

#include <string_view>

namespace pebble::tool {

/// How many bytes the mark in front of a UTF-8 text takes: 3, or 0 if there is
/// none.
size_t getMarkLength(std::string_view text);

/// Whether `text` begins with the mark of UTF-16.
bool isUtf16(std::string_view text);

/// What to say of a file that is UTF-16.
inline constexpr std::string_view kUtf16Error =
    "the text is UTF-16: save it as UTF-8";

} // namespace pebble::tool

#endif // PEBBLE_TOOLS_COMMON_BYTEORDERMARK_H

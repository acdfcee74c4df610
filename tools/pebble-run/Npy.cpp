//===- Npy.cpp - arrays as numpy writes them ------------------------------===//

#include "Npy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pebble;

static constexpr StringLiteral kMagic = "\x93NUMPY";

static Error fail(StringRef path, const Twine &why) {
  return createStringError(inconvertibleErrorCode(),
                           Twine("cannot read ") + path + ": " + why);
}

/// The text after `'key':` in numpy's header, which is a Python dictionary;
/// empty if it has no such key.
static StringRef field(StringRef header, StringRef key) {
  size_t at = header.find(("'" + key + "'").str());
  if (at == StringRef::npos)
    return {};
  StringRef rest = header.drop_front(at + key.size() + 2).ltrim();
  if (!rest.consume_front(":"))
    return {};
  return rest.ltrim();
}

/// Reads `(2, 3)` and multiplies the sizes; false if it is not that, or if the
/// product is beyond what 64 bits count.
static bool readShape(StringRef text, SmallVectorImpl<int64_t> &shape,
                      int64_t &count) {
  size_t end = text.find(')');
  if (!text.consume_front("(") || end == StringRef::npos)
    return false;
  text = text.take_front(end - 1).trim();
  text.consume_back(",");
  count = 1;
  while (!text.empty()) {
    auto [part, rest] = text.split(',');
    int64_t size;
    if (part.trim().getAsInteger(10, size) || size < 0 ||
        MulOverflow(count, size, count))
      return false;
    shape.push_back(size);
    text = rest;
  }
  return true;
}

/// Bytes of an element of numpy's type, "f4" or "c16"; 0 if it is none.
static int64_t readWidth(StringRef type) {
  int64_t width;
  if (type.size() < 2 || !StringRef("biufc").contains(type.front()) ||
      type.drop_front().getAsInteger(10, width) || width < 1 || width > 16)
    return 0;
  return width;
}

Expected<NpyArray> pebble::readNpy(StringRef path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!file)
    return fail(path, file.getError().message());
  StringRef data = (*file)->getBuffer();
  if (data.size() < 12 || !data.starts_with(kMagic))
    return fail(path, "not in the .npy format");
  const auto version = static_cast<unsigned char>(data[6]);
  if (version < 1 || version > 3)
    return fail(path, "version " + Twine(unsigned(version)) +
                          " of the format is not supported");
  bool isShort = version == 1;
  size_t start = isShort ? 10 : 12;
  size_t length = isShort ? support::endian::read16le(data.data() + 8)
                          : support::endian::read32le(data.data() + 8);
  if (start + length > data.size())
    return fail(path, "the header is cut off");
  StringRef header = data.substr(start, length);
  StringRef body = data.drop_front(start + length);

  NpyArray array;
  StringRef descr = field(header, "descr");
  bool isQuoted = descr.consume_front("'");
  descr = descr.take_until([](char c) { return c == '\''; });
  if (isQuoted && descr.starts_with(">"))
    return fail(path, "big-endian data is not supported");
  if (!descr.empty() && StringRef("<|=").contains(descr.front()))
    descr = descr.drop_front();
  array.type = descr.str();
  int64_t width = isQuoted ? readWidth(descr) : 0;
  if (width == 0)
    return fail(path, "element type '" + array.type + "' is not supported");
  StringRef order = field(header, "fortran_order");
  if (order.starts_with("True"))
    return fail(path, "column-major data is not supported");
  if (!order.starts_with("False"))
    return fail(path, "the header does not say the order of the data");
  int64_t count, bytes;
  if (!readShape(field(header, "shape"), array.shape, count))
    return fail(path, "the shape is not a list of sizes");
  if (MulOverflow(count, width, bytes) ||
      static_cast<uint64_t>(bytes) != body.size())
    return fail(path, "holds " + Twine(body.size()) + " bytes of data, " +
                          "the header announces " + Twine(count) +
                          " elements of " + Twine(width));
  array.bytes.assign(body.begin(), body.end());
  return array;
}

Error pebble::writeNpy(StringRef path, const NpyArray &array) {
  std::error_code error;
  raw_fd_ostream os(path, error);
  if (error)
    return createStringError(error,
                             "cannot write " + path + ": " + error.message());
  std::string header = "{'descr': '";
  header += array.type.substr(1) == "1" ? '|' : '<';
  header += array.type + "', 'fortran_order': False, 'shape': (";
  for (int64_t size : array.shape)
    header += std::to_string(size) + ",";
  header += "), }";
  // Data starts at a multiple of 64 bytes.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  os << kMagic << '\x01' << '\0';
  char length[2];
  support::endian::write16le(length, static_cast<uint16_t>(header.size()));
  os.write(length, 2);
  os << header;
  os.write(array.bytes.data(), array.bytes.size());
  return Error::success();
}

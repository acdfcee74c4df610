//===- Npy.cpp - arrays as numpy writes them ------------------------------===//

#include "Npy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pebble;

static constexpr StringLiteral kMagic = "\x93NUMPY";

static Error fail(StringRef path, const Twine &why) {
  return createStringError(inconvertibleErrorCode(),
                           Twine("cannot read ") + path + ": " + why);
}

/// The text after `'key':` in numpy's header, which is a Python dictionary.
static StringRef field(StringRef header, StringRef key) {
  size_t at = header.find(("'" + key + "'").str());
  if (at == StringRef::npos)
    return {};
  StringRef rest = header.drop_front(at + key.size() + 2).ltrim();
  rest.consume_front(":");
  return rest.ltrim();
}

Expected<NpyArray> pebble::readNpy(StringRef path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!file)
    return fail(path, file.getError().message());
  StringRef data = (*file)->getBuffer();
  if (data.size() < 12 || !data.starts_with(kMagic))
    return fail(path, "not in the .npy format");
  bool isShort = data[6] == 1;
  size_t start = isShort ? 10 : 12;
  size_t length = isShort ? support::endian::read16le(data.data() + 8)
                          : support::endian::read32le(data.data() + 8);
  if (start + length > data.size())
    return fail(path, "the header is cut off");
  StringRef header = data.substr(start, length);
  StringRef body = data.drop_front(start + length);

  NpyArray array;
  StringRef descr = field(header, "descr");
  descr.consume_front("'");
  descr = descr.take_until([](char c) { return c == '\''; });
  if (descr.starts_with(">"))
    return fail(path, "big-endian data is not supported");
  array.type = descr.ltrim("<|=").str();
  if (field(header, "fortran_order").starts_with("True"))
    return fail(path, "column-major data is not supported");
  StringRef shape = field(header, "shape");
  shape.consume_front("(");
  shape = shape.take_until([](char c) { return c == ')'; });
  int64_t count = 1;
  SmallVector<StringRef> parts;
  shape.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    int64_t size = 0;
    if (part.trim().empty())
      continue;
    if (part.trim().getAsInteger(10, size) || size < 0)
      return fail(path, "the shape is not a list of sizes");
    array.shape.push_back(size);
    count *= size;
  }
  int64_t width = 0;
  if (array.type.size() < 2 ||
      StringRef(array.type).drop_front().getAsInteger(10, width) || width <= 0)
    return fail(path, "element type '" + array.type + "' is not supported");
  if (static_cast<uint64_t>(count * width) != body.size())
    return fail(path, "holds " + Twine(body.size()) + " bytes of data, " +
                          Twine(count * width) + " were announced");
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
  header += array.type.back() == '1' ? '|' : '<';
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

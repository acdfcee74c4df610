//===- Npy.cpp - arrays as numpy writes them ------------------------------===//

#include "Npy.h"

#include "Ranks.h"

#include "pebble/Target/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace pebble;

static constexpr StringLiteral kMagic = "\x93NUMPY";

static Error fail(StringRef path, const Twine &why) {
  return createStringError(inconvertibleErrorCode(),
                           Twine("cannot read ") + path + ": " + why);
}

/// Takes a quoted word off `text`; nothing if there is none.
static std::optional<StringRef> takeQuoted(StringRef &text) {
  if (text.empty() || (text.front() != '\'' && text.front() != '"'))
    return std::nullopt;
  size_t end = text.find(text.front(), 1);
  if (end == StringRef::npos)
    return std::nullopt;
  StringRef word = text.slice(1, end);
  text = text.drop_front(end + 1);
  return word;
}

/// The members of numpy's header, which is a Python dictionary; an error if it
/// is none, or says a thing twice.
static Expected<StringMap<StringRef>> readHeader(StringRef text) {
  auto fail = [] {
    return createStringError("the header is no dictionary of 'descr', "
                             "'fortran_order' and 'shape', each once");
  };
  StringMap<StringRef> members;
  text = text.trim();
  if (!text.consume_front("{"))
    return fail();
  while (!(text = text.ltrim()).consume_front("}")) {
    std::optional<StringRef> name = takeQuoted(text);
    text = text.ltrim();
    if (!name || !text.consume_front(":"))
      return fail();
    text = text.ltrim();
    StringRef value = text;
    if (text.starts_with("("))
      text = text.drop_front(std::min(text.find(')'), text.size() - 1) + 1);
    else if (!takeQuoted(text))
      text = text.drop_until([](char c) { return c == ',' || c == '}'; });
    value = value.drop_back(text.size()).rtrim();
    text = text.ltrim();
    if (!members.try_emplace(*name, value).second ||
        (!text.consume_front(",") && !text.starts_with("}")))
      return fail();
  }
  if (!text.empty() || members.size() != 3 || !members.contains("descr") ||
      !members.contains("fortran_order") || !members.contains("shape"))
    return fail();
  return members;
}

/// Reads `(2, 3)` and multiplies the sizes; false if it is not that, or if the
/// product is beyond what 64 bits count.
static bool readShape(StringRef text, SmallVectorImpl<int64_t> &shape,
                      int64_t &count) {
  if (!text.consume_front("(") || !text.consume_back(")"))
    return false;
  text = text.trim();
  // Python takes `(6)` for a number.
  bool isList = text.empty() || text.contains(',');
  text.consume_back(",");
  count = 1;
  while (isList && !text.empty()) {
    auto [part, rest] = text.split(',');
    int64_t size;
    if (part.trim().getAsInteger(10, size) || size < 0 ||
        MulOverflow(count, size, count))
      return false;
    shape.push_back(size);
    text = rest;
  }
  return isList;
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
  if (version < 1 || version > 3 || data[7] != 0)
    return fail(path, "version " + Twine(unsigned(version)) + "." +
                          Twine(unsigned(static_cast<unsigned char>(data[7]))) +
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
  auto members = readHeader(header);
  if (!members)
    return fail(path, toString(members.takeError()));
  StringRef descr = (*members)["descr"];
  std::optional<StringRef> quoted = takeQuoted(descr);
  bool isQuoted = quoted && descr.empty();
  if (isQuoted)
    descr = *quoted;
  if (isQuoted && descr.starts_with(">"))
    return fail(path, "big-endian data is not supported");
  if (!descr.empty() && StringRef("<|=").contains(descr.front()))
    descr = descr.drop_front();
  array.type = descr.str();
  int64_t width = isQuoted ? readWidth(descr) : 0;
  if (width == 0)
    return fail(path, "element type '" + array.type + "' is not supported");
  StringRef order = (*members)["fortran_order"];
  if (order == "True")
    return fail(path,
                "column-major data is not supported: save it row-major, as "
                "numpy.ascontiguousarray makes it");
  if (order != "False")
    return fail(path, "the header does not say the order of the data");
  int64_t count, bytes;
  if (!readShape((*members)["shape"], array.shape, count))
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
  std::string header = "{'descr': '";
  header += array.type.substr(1) == "1" ? '|' : '<';
  header += array.type + "', 'fortran_order': False, 'shape': (";
  for (int64_t size : array.shape)
    header += std::to_string(size) + ",";
  header += "), }";
  // Data starts at a multiple of 64 bytes.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  char length[2];
  support::endian::write16le(length, static_cast<uint16_t>(header.size()));
  const std::string start =
      kMagic.str() + std::string("\x01\0", 2) + std::string(length, 2) + header;
  OutputFile file(path.str());
  std::string error = file.open();
  for (StringRef part :
       {StringRef(start), StringRef(array.bytes.data(), array.bytes.size())})
    if (error.empty())
      error = file.write(part);
  if (error.empty())
    error = file.keep();
  if (!error.empty())
    return createStringError("cannot write " + path + ": " + error);
  return Error::success();
}

Expected<Arrays> pebble::readInputs(ArrayRef<std::string> inputs,
                                    size_t count) {
  Arrays arrays;
  for (StringRef input : inputs) {
    auto [number, path] = input.split(':');
    unsigned index;
    if (number.getAsInteger(10, index) || path.empty() || index >= count)
      return createStringError("--input=" + input +
                               ": wanted K:FILE.npy, K the number of an "
                               "argument, of which there are " +
                               std::to_string(count));
    if (arrays.count(index))
      return createStringError("--input=" + input + ": argument " +
                               std::to_string(index) + " has a file already");
    auto array = readNpy(getRankPath(path));
    if (!array)
      return array.takeError();
    arrays[index] = std::move(*array);
  }
  return arrays;
}

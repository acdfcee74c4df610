//===- Arguments.cpp - what goes into a program and what comes out --------===//

#include "Arguments.h"

#include "pebble/Analysis/BufferTables.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Dialect/Range.h"
#include "pebble/Runtime/Runtime.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <cstring>

using namespace llvm;
using namespace pebble;
using mlir::failure;
using mlir::FailureOr;

mlir::Type Slot::getElementType() const {
  if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(type))
    return shaped.getElementType();
  return type;
}

mlir::Type Slot::getPartType() const {
  mlir::Type element = getElementType();
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(element))
    return complex.getElementType();
  return element;
}

int64_t Slot::getElementBytes() const {
  return *pebble::getElementBytes(getElementType());
}

int64_t Slot::getRank() const {
  return mlir::cast<mlir::ShapedType>(type).getRank();
}

/// numpy's name of an element type; empty for one that it has not. bf16 and
/// numbers of a byte go by their bits.
static std::string numpyType(mlir::Type type) {
  if (type.isIndex())
    return "i8";
  if (type.isInteger(1))
    return "b1";
  if (type.isBF16())
    return "u2";
  if (auto real = mlir::dyn_cast<mlir::FloatType>(type))
    if (real.getWidth() == 8 && real.getFPMantissaWidth() > 1)
      return "u1";
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(type)) {
    mlir::Type part = complex.getElementType();
    return part.isF32() ? "c8" : part.isF64() ? "c16" : "";
  }
  if (type.isF16() || type.isF32() || type.isF64())
    return "f" + utostr(type.getIntOrFloatBitWidth() / 8);
  for (unsigned width : {8, 16, 32, 64})
    if (type.isInteger(width))
      return (type.isUnsignedInteger() ? "u" : "i") + utostr(width / 8);
  return "";
}

std::string Slot::getNpyType() const { return numpyType(getElementType()); }

static bool canPass(mlir::Type type) {
  if (auto memref = mlir::dyn_cast<mlir::MemRefType>(type))
    if (!memref.isStrided() && !getDimOrder(memref))
      return false; // it may have other dimensions when it runs
  if (mlir::isa<mlir::RankedTensorType, mlir::MemRefType>(type))
    return !numpyType(mlir::cast<mlir::ShapedType>(type).getElementType())
                .empty();
  return !numpyType(type).empty();
}

/// A write of memory that nobody knows by name, through a pointer that was kept
/// somewhere or by a callee that has its own, may write any argument that this
/// memory may be.
void Signature::findWritten(mlir::FunctionOpInterface entry) {
  ProgramContext context(AnalysisOptions::getDefault());
  StorageAnalysis storage(entry.getFunctionBody().front(), context);
  DenseSet<StorageId> written;
  DenseSet<unsigned> writtenClasses;
  bool hasBarrier = false;
  for (const Step &step : storage.getSteps()) {
    hasBarrier |= !step.barrier.empty();
    for (const Access &access : step.accesses) {
      if (access.kind != AccessKind::Write)
        continue;
      written.insert(access.storage);
      const Storage &target = storage.getStorage(access.storage);
      if (target.kind == StorageKind::Unknown ||
          target.kind == StorageKind::Anywhere)
        writtenClasses.insert(target.aliasClass);
    }
  }
  for (const Storage &other : storage.getStorages())
    if (hasBarrier && other.kind == StorageKind::Anywhere)
      writtenClasses.insert(other.aliasClass);
  for (mlir::BlockArgument argument : entry.getArguments())
    for (StorageId id : storage.lookup(argument))
      arguments[argument.getArgNumber()].written |=
          written.contains(id) ||
          writtenClasses.contains(storage.getStorage(id).aliasClass);
}

FailureOr<Signature> Signature::get(mlir::FunctionOpInterface entry) {
  Signature signature;
  signature.name = entry.getName().str();
  HierarchyAttr hierarchy = lookupHierarchy(entry);
  auto tierOf = [&](mlir::Type type) -> int32_t {
    StringRef name;
    if (auto at = getPlacement(type))
      name = at.getTier();
    int32_t compute = 0;
    if (!hierarchy)
      return 0;
    for (auto [i, tier] : enumerate(hierarchy.getTiers())) {
      if (tier.getName() == name)
        return i;
      if (tier.getKind() == TierKind::Cache && compute == int32_t(i))
        ++compute;
    }
    return compute;
  };
  for (auto [i, type] : enumerate(entry.getArgumentTypes())) {
    if (!canPass(type)) {
      entry.emitError("argument ")
          << i << " is of type " << type << ", which cannot be generated";
      return failure();
    }
    Slot slot;
    slot.type = type;
    slot.tier = tierOf(type);
    slot.donated = isDonatedArgument(entry, i);
    slot.range = entry.getArgAttrOfType<mlir::ArrayAttr>(i, attr::kRange);
    signature.arguments.push_back(slot);
  }
  for (auto [i, type] : enumerate(entry.getResultTypes())) {
    if (!canPass(type)) {
      entry.emitError("result ")
          << i << " is of type " << type << ", which cannot be read back";
      return failure();
    }
    Slot slot;
    slot.type = type;
    slot.tier = tierOf(type);
    signature.results.push_back(slot);
  }
  // Which memref arguments the source writes; all of them where nobody knows.
  bool isKnown = entry.getFunctionBody().hasOneBlock() &&
                 !holdsBufferTable(entry->getParentOp());
  if (isKnown)
    signature.findWritten(entry);
  for (Slot &slot : signature.arguments)
    slot.written =
        mlir::isa<mlir::MemRefType>(slot.type) && (slot.written || !isKnown);
  return signature;
}

void Signature::readOffsets(mlir::FunctionOpInterface entry) {
  for (auto [i, slot] : enumerate(arguments))
    if (auto offset =
            entry.getArgAttrOfType<mlir::IntegerAttr>(i, attr::kOffset))
      slot.offset = offset.getInt();
}

//===----------------------------------------------------------------------===//
// Values in memory
//===----------------------------------------------------------------------===//

int64_t pebble::sizeInMemory(const Slot &slot) {
  return slot.isShaped() ? 8 * (3 + 2 * slot.getRank())
                         : slot.getElementBytes();
}

int64_t pebble::alignmentInMemory(const Slot &slot) {
  if (slot.isShaped())
    return 8;
  return *pebble::getElementBytes(slot.getPartType());
}

char *HostValue::data(const Slot &slot) const {
  return reinterpret_cast<char *>(words[1]) + words[2] * slot.getElementBytes();
}

ArrayRef<int64_t> HostValue::sizes(const Slot &slot) const {
  return ArrayRef<int64_t>(words).slice(3, slot.getRank());
}

ArrayRef<int64_t> HostValue::strides(const Slot &slot) const {
  return ArrayRef<int64_t>(words).slice(3 + slot.getRank(), slot.getRank());
}

/// Calls `visit` with the place of each element, in row-major order; `data` is
/// that of the first one.
static void forEachElement(const Slot &slot, const HostValue &value, char *data,
                           function_ref<void(char *)> visit) {
  ArrayRef<int64_t> sizes = value.sizes(slot), strides = value.strides(slot);
  if (is_contained(sizes, 0))
    return;
  SmallVector<int64_t> index(sizes.size(), 0);
  int64_t width = slot.getElementBytes();
  int64_t offset = 0;
  while (true) {
    visit(data + offset * width);
    // No step goes beyond the elements, not even on the way to the next row:
    // strides may be as large as numbers are.
    int64_t dim = static_cast<int64_t>(sizes.size()) - 1;
    for (; dim >= 0 && index[dim] + 1 == sizes[dim]; --dim) {
      offset -= strides[dim] * index[dim];
      index[dim] = 0;
    }
    if (dim < 0)
      return;
    ++index[dim];
    offset += strides[dim];
  }
}

static bool isFile(const Slot &slot) {
  return pebble_rt_tier_backing(slot.tier) == PEBBLE_RT_FILE;
}

/// Copies between memory and what may be a file; false, with the message in
/// pebble_rt_error(), if that fails.
static bool copyBytes(void *to, const void *from, int64_t bytes) {
  struct Request {
    void *to;
    const void *from;
    int64_t bytes;
  } request = {to, from, bytes};
  return !pebble_rt_call(
      [](void *argument) {
        auto *r = static_cast<Request *>(argument);
        pebble_rt_read(r->to, r->from, r->bytes);
      },
      &request);
}

Expected<NpyArray> pebble::readBack(const Slot &slot, const HostValue &value) {
  NpyArray array;
  array.type = numpyType(slot.getElementType());
  int64_t width = slot.getElementBytes();
  if (!slot.isShaped()) {
    const char *data = reinterpret_cast<const char *>(value.words.data());
    array.bytes.assign(data, data + width);
  } else {
    array.shape.assign(value.sizes(slot).begin(), value.sizes(slot).end());
    char *data = value.data(slot);
    std::vector<char> copy;
    if (isFile(slot)) {
      auto reach = getReach(value.sizes(slot), value.strides(slot), 0, width);
      if (!reach)
        return createStringError(inconvertibleErrorCode(),
                                 "a result reaches beyond all memory");
      copy.resize(static_cast<size_t>(reach->end - reach->begin));
      if (!copyBytes(copy.data(), data + reach->begin,
                     static_cast<int64_t>(copy.size())))
        return createStringError(inconvertibleErrorCode(), pebble_rt_error());
      data = copy.data() - reach->begin;
    }
    forEachElement(slot, value, data, [&](char *element) {
      array.bytes.insert(array.bytes.end(), element, element + width);
    });
  }
  if (array.type == "b1")
    for (char &byte : array.bytes)
      byte &= 1;
  return std::move(array);
}

//===----------------------------------------------------------------------===//
// Filling
//===----------------------------------------------------------------------===//

/// A well-mixed number for a place in the data: the same whatever else runs.
static uint64_t mix(uint64_t seed, uint64_t argument, uint64_t element) {
  uint64_t z = seed * 0x9E3779B97F4A7C15ull + argument * 0xD1B54A32D192ED03ull +
               element * 0x8CB92BA72F3D8DD7ull + 0x632BE59BD9B4E019ull;
  for (int round = 0; round < 2; ++round) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
  }
  return z;
}

/// Bits of precision that keep a number drawn from (0, 1) inside it when it is
/// rounded to the type.
static unsigned drawnBits(mlir::Type type) {
  return mlir::cast<mlir::FloatType>(type).getFPMantissaWidth() - 1;
}

static double bound(mlir::Attribute attribute) {
  if (auto number = mlir::dyn_cast<mlir::IntegerAttr>(attribute))
    return static_cast<double>(number.getValue().getSExtValue());
  return mlir::cast<mlir::FloatAttr>(attribute).getValueAsDouble();
}

/// The bits of a number drawn by `random`.
static uint64_t draw(const Slot &slot, mlir::Type type, uint64_t random) {
  if (auto floating = mlir::dyn_cast<mlir::FloatType>(type)) {
    unsigned width = drawnBits(type);
    double unit = (static_cast<double>(random >> (64 - width)) + 0.5) /
                  static_cast<double>(uint64_t(1) << width);
    if (slot.range) {
      double lo = bound(slot.range[0]), hi = bound(slot.range[1]);
      unit = std::isfinite(hi - lo) ? lo + unit * (hi - lo)
                                    : lo * (1 - unit) + hi * unit;
    }
    APFloat number(unit);
    bool losesInfo;
    number.convert(floating.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return number.bitcastToAPInt().getZExtValue();
  }
  if (slot.range) {
    // The dialect has made sure that there is one, and that its elements hold
    // it; as many as 2^64 numbers are all of them.
    auto range = getIntegerRange(slot.range[0], slot.range[1]);
    uint64_t count = (range->end - range->first).trunc(64).getZExtValue();
    return range->first.trunc(64).getZExtValue() +
           (count ? random % count : random);
  }
  if (type.isIndex())
    return 4;
  return random % (type.isInteger(1) ? 2 : 8);
}

/// Writes one element: the bits of its value at `where`.
static void fill(const Slot &slot, unsigned argument, uint64_t seed,
                 uint64_t element, char *where) {
  mlir::Type type = slot.getElementType();
  if (type.isF32() && !slot.range) { // the common case, as below but quick
    uint64_t random = mix(seed, argument, element);
    float unit = (static_cast<float>(random >> 41) + 0.5f) / 8388608.0f;
    std::memcpy(where, &unit, sizeof(unit));
    return;
  }
  mlir::Type part = slot.getPartType();
  const uint64_t parts = part == type ? 1 : 2;
  auto bytes =
      static_cast<size_t>(slot.getElementBytes()) / static_cast<size_t>(parts);
  for (uint64_t i = 0; i < parts; ++i) {
    uint64_t bits = draw(slot, part, mix(seed, argument, element * parts + i));
    std::memcpy(where + i * bytes, &bits, bytes);
  }
}

static Error fail(unsigned index, const Twine &why) {
  return createStringError(inconvertibleErrorCode(),
                           "argument " + Twine(index) + ": " + why);
}

static constexpr StringLiteral kTooLarge =
    "reaches further than can be counted in bytes";

/// Sizes, and strides of the memref's layout (row-major where it leaves them
/// open).
static Error layOut(const Slot &slot, unsigned index, const NpyArray *file,
                    SmallVectorImpl<int64_t> &sizes,
                    SmallVectorImpl<int64_t> &strides, int64_t &offset) {
  auto shaped = mlir::cast<mlir::ShapedType>(slot.type);
  sizes.assign(shaped.getShape().begin(), shaped.getShape().end());
  for (auto [dim, size] : enumerate(sizes)) {
    if (file)
      size = file->shape[dim];
    if (mlir::ShapedType::isDynamic(size))
      return fail(index, "has a dynamic shape, pass it by --input=" +
                             Twine(index) + ":FILE.npy");
  }
  auto memref = mlir::dyn_cast<mlir::MemRefType>(slot.type);
  if (!memref)
    memref = mlir::MemRefType::get(shaped.getShape(), shaped.getElementType());
  if (!getLaidOut(memref, sizes, strides, offset))
    return fail(index, kTooLarge);
  return Error::success();
}

static Error checkFile(const Slot &slot, unsigned index, const NpyArray &file) {
  if (file.type != numpyType(slot.getElementType()))
    return fail(index, "the file holds elements of type '" + file.type +
                           "', wanted '" + numpyType(slot.getElementType()) +
                           "'");
  if (!slot.isShaped())
    return file.shape.empty() || file.bytes.size() ==
                                     static_cast<size_t>(slot.getElementBytes())
               ? Error::success()
               : fail(index, "the file holds an array, wanted one number");
  auto shaped = mlir::cast<mlir::ShapedType>(slot.type);
  bool fits = static_cast<int64_t>(file.shape.size()) == shaped.getRank();
  for (int64_t dim = 0; fits && dim < shaped.getRank(); ++dim)
    fits =
        shaped.isDynamicDim(dim) || shaped.getDimSize(dim) == file.shape[dim];
  if (!fits) {
    std::string text = "the file's shape does not fit the argument's type: ";
    llvm::raw_string_ostream os(text);
    llvm::interleave(file.shape, os, "x");
    os << " is no " << slot.type;
    return fail(index, text);
  }
  std::optional<int64_t> limit = AnalysisOptions::getDefault().dynamicDimBound;
  for (int64_t dim = 0; limit && dim < shaped.getRank(); ++dim)
    if (shaped.isDynamicDim(dim) && file.shape[dim] > *limit)
      return fail(index, "dimension " + Twine(dim) + " of the file is " +
                             Twine(file.shape[dim]) + ", over the bound of " +
                             Twine(*limit) + " given by --dim-bound");
  return Error::success();
}

static HostValue makeNumber(const Slot &slot, unsigned index, uint64_t seed,
                            const NpyArray *file) {
  HostValue value;
  size_t width = static_cast<size_t>(slot.getElementBytes());
  value.words.assign(divideCeil(width, 8), 0);
  char *where = reinterpret_cast<char *>(value.words.data());
  if (file)
    std::memcpy(where, file->bytes.data(), width);
  else
    fill(slot, index, seed, 0, where);
  return value;
}

/// Memory of the argument's tier, at its offset if it has one.
static Expected<void *> allocate(const Slot &slot, unsigned index,
                                 int64_t bytes) {
  struct Request {
    const Slot &slot;
    int64_t bytes;
    void *data;
  } request = {slot, bytes, nullptr};
  if (pebble_rt_call(
          [](void *argument) {
            auto *r = static_cast<Request *>(argument);
            r->data = r->slot.offset
                          ? pebble_rt_alloc_at(r->slot.tier, *r->slot.offset,
                                               r->bytes)
                          : pebble_rt_alloc(r->slot.tier, r->bytes);
          },
          &request))
    return fail(index, pebble_rt_error());
  return request.data;
}

Expected<HostValue> pebble::makeArgument(const Slot &slot, unsigned index,
                                         uint64_t seed, const NpyArray *file) {
  if (file)
    if (Error error = checkFile(slot, index, *file))
      return std::move(error);
  if (!slot.isShaped())
    return makeNumber(slot, index, seed, file);
  SmallVector<int64_t> sizes, strides;
  int64_t offset;
  if (Error error = layOut(slot, index, file, sizes, strides, offset))
    return std::move(error);
  std::optional<ByteReach> reach =
      getReach(sizes, strides, offset, slot.getElementBytes());
  if (!reach)
    return fail(index, kTooLarge);
  // The memory begins with the lowest element that there is, before or behind
  // the place that the offset counts from.
  const int64_t begin = getMemoryBegin(*reach);

  const int64_t bytes = reach->end - begin;
  Expected<void *> allocated = allocate(slot, index, bytes);
  if (!allocated)
    return allocated.takeError();
  void *data = *allocated;
  pebble_rt_name(data, ("argument " + Twine(index)).str().c_str());
  // What cannot be written in place is written here and then brought there.
  std::vector<char> copy(isFile(slot) ? static_cast<size_t>(bytes) : 0);
  char *memory = static_cast<char *>(data);
  if (isFile(slot))
    memory = copy.data();
  std::memset(memory, 0, static_cast<size_t>(bytes));
  HostValue value;
  value.words.push_back(reinterpret_cast<int64_t>(data));
  value.words.push_back(reinterpret_cast<int64_t>(data) - begin);
  value.words.push_back(offset);
  value.words.insert(value.words.end(), sizes.begin(), sizes.end());
  value.words.insert(value.words.end(), strides.begin(), strides.end());

  const auto width = static_cast<size_t>(slot.getElementBytes());
  uint64_t element = 0;
  char *first = memory + (offset * slot.getElementBytes() - begin);
  forEachElement(slot, value, first, [&](char *where) {
    if (file)
      std::memcpy(where, file->bytes.data() + element * width, width);
    else
      fill(slot, index, seed, element, where);
    ++element;
  });
  if (isFile(slot) && !copyBytes(data, memory, bytes))
    return fail(index, pebble_rt_error());
  return value;
}

//===- CallMemory.h - buffers of a program that runs (private) --*- C++ -*-===//
//
// What buffers hold while a program with its callees runs over expressions.
// CallEquivalence.cpp runs the ops.
//
// A memref is a place: a buffer, and the views that it is looked at through. A
// buffer that nobody else may name holds a content of its own. All others (the
// arguments without a promise, globals, what escaped) hold one content
// together, and each sees its part of it by its name.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_CALLMEMORY_H
#define PEBBLE_LIB_PLANNING_CALLMEMORY_H

#include "Expressions.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace pebble {

class CallMemory {
public:
  using Id = ExpressionTable::Id;
  using Table = ExpressionTable;

  struct Place {
    unsigned buffer = 0;
    Id path = 0;
  };
  /// What an op with regions does to buffers from outside of it, in the order
  /// in which it first looks at them.
  struct Frame {
    llvm::SmallVector<unsigned> touched;
    llvm::DenseSet<unsigned> changed;
    /// It writes nothing, and hands on nothing: what a buffer holds says all
    /// about it, whoever else names it.
    bool isReadOnly = false;
    unsigned getNumber(unsigned buffer);
  };

  explicit CallMemory(ExpressionTable &table);

  /// A buffer that nobody else names; returns the id of its place. `birth`: how
  /// it was made. `isConstant` buffers of one content are one.
  Id addOwn(Id content) { return addOwn(content, /*birth=*/content); }
  Id addOwn(Id content, Id birth);
  Id addConstant(Id content);
  /// The buffer that has this name.
  Id addNamed(Id name);
  /// The id of a place.
  Id getPlace(const Place &place);
  /// The place, if `id` is one.
  std::optional<Place> find(Id id) const;
  /// A part of a buffer: elements along each dimension, from `begin` on.
  struct Range {
    int64_t begin, count;
  };
  /// A view that `words` tell from others. `box`: which part of the source it
  /// shows; empty: not known.
  Id getView(const Place &source, llvm::ArrayRef<uint64_t> words,
             llvm::ArrayRef<Range> box = {});
  /// A tensor that is a view of a buffer: what it is depends on when it is
  /// looked at.
  Id getTensor(const Place &place, mlir::Type type);
  /// The place of such a tensor, and its type.
  std::optional<std::pair<Place, mlir::Type>> findTensor(Id id) const;

  Id read(const Place &place);
  void write(const Place &place, Id seen);
  void writeWhole(unsigned buffer, Id content) {
    write({buffer, root}, content);
  }
  /// Somebody is handed the buffer.
  void handOver(unsigned buffer) {
    if (buffers[buffer].isFreed && !fault)
      fault = running;
  }
  /// Somebody who may write it anywhere knows the buffer from now on. If
  /// another one has this name, it gets one that is like it.
  void escape(unsigned buffer, Id name);
  /// What tells a buffer from others in an expression: its name, its number
  /// among those from outside of the region, or how it was made and what it
  /// holds.
  Id getIdentity(unsigned buffer);
  void free(const Place &place);
  /// Nobody may look at the buffer from here on.
  void end(unsigned buffer) { buffers[buffer].isFreed = true; }
  /// Whether a buffer that has no name is from outside of the region.
  bool isFromOutside(unsigned buffer) const {
    return !open.empty() && buffer < open.back().firstOwn && !getName(buffer);
  }
  bool isConstant(unsigned buffer) const {
    auto found = constants.find(getBirth(buffer));
    return found != constants.end() && found->second == buffer;
  }
  /// The buffer `id` shows a tensor that was made by the `origin`-th op.
  /// Several tensors of one content have one such buffer.
  void addOrigin(Id id, uint64_t origin);
  /// The buffers that show it.
  llvm::ArrayRef<unsigned> getShowing(uint64_t origin) const {
    auto found = showing.find(origin);
    return found == showing.end() ? llvm::ArrayRef<unsigned>()
                                  : llvm::ArrayRef(found->second);
  }
  /// It matters which buffer it is: somebody may write or free it, or has it.
  void identify(unsigned buffer);
  /// Somebody looks at the tensor of an origin. Returns what the buffers that
  /// show it hold, if one of them was written.
  std::optional<Id> useTensor(uint64_t origin);
  /// The tensor of an origin is gone.
  void endTensor(uint64_t origin) {
    (void)useTensor(origin);
    ended.insert(origin);
  }
  /// What runs until the end may run several times. Tensors up to `origin` were
  /// there before.
  void beginRepeated(uint64_t origin) { repeated.push_back({origin, {}}); }
  void endRepeated() { repeated.pop_back(); }
  bool isRepeated() const { return !repeated.empty(); }
  /// Whether it matters of a buffer of several tensors which of them it shows.
  bool isMixedUp() const {
    return llvm::any_of(origins, [&](const auto &entry) {
      return entry.second.size() > 1 && identified.contains(entry.first);
    });
  }
  /// Whether the program freed the buffer, outside of regions.
  bool isFreed(unsigned buffer) const { return buffers[buffer].isFreed; }

  /// Null: nobody else names the buffer.
  std::optional<Id> getName(unsigned buffer) const {
    return buffers[buffer].name;
  }
  /// Whether a place is a buffer, and no view of it.
  bool isWhole(const Place &place) const { return place.path == root; }
  /// Two buffers with one of these are equally large.
  Id getBirth(unsigned buffer) const { return buffers[buffer].birth; }
  /// The content of a whole buffer; of what all named ones hold together.
  Id getContent(unsigned buffer);
  void setContent(unsigned buffer, Id content);
  /// What a buffer holds, whoever names it.
  Id getWhole(unsigned buffer);
  Id getOutside() { return getContent(kOutside); }
  void setOutside(Id content) { setContent(kOutside, content); }

  /// A transfer starts; the id of its token.
  Id start(const Place &from, const Place &to);
  void wait(Id token);

  /// A block of an op with regions begins, and ends: `words` then say what it
  /// leaves in buffers from outside.
  void enter(Frame &frame, Id block);
  void leave(llvm::SmallVectorImpl<uint64_t> &words);

  /// How often anybody looked: a function that did not is the same each time.
  uint64_t getUses() const { return uses; }

  mlir::Operation *running = nullptr;
  /// The op that first wrote a buffer whose tensor is looked at the next time
  /// round.
  mlir::Operation *late = nullptr;
  /// The op that first wrote, or freed, a constant.
  mlir::Operation *spoiler = nullptr;
  /// The op that first used a buffer, or a tensor, that was freed.
  mlir::Operation *fault = nullptr;

private:
  static constexpr unsigned kOutside = 0;
  struct Buffer {
    std::optional<Id> name;
    Id content = 0;
    bool isFreed = false;
    /// Tells how large it is, and how long it may live: how it was made, or its
    /// first name.
    Id birth = 0;
  };
  struct Open {
    Frame *frame = nullptr;
    Id block = 0;
    unsigned firstOwn = 0; ///< buffers from here on were made inside
    llvm::DenseMap<unsigned, Id> now, entry;
  };
  struct Write {
    Id seen, path, old;
  };
  struct Transfer {
    Place from, to;
    /// Of the source, and what stands for that of the destination.
    Id content, underWay;
  };

  /// The tensors that something which runs several times looked at.
  struct Repeated {
    uint64_t last;
    llvm::DenseSet<uint64_t> used;
  };

  bool areApart(Id one, Id other) const;
  Id see(Id path, Id content) const;
  Id writeThrough(Id path, Id seen, Id old);
  Id getContentAt(unsigned buffer, size_t level);
  void use(unsigned buffer);
  void overwrite(unsigned buffer);

  ExpressionTable &table;
  Id root;
  uint64_t uses = 0;
  std::vector<Buffer> buffers;
  std::vector<Open> open;
  llvm::DenseMap<Id, Place> places;
  llvm::DenseMap<Id, std::pair<Place, mlir::Type>> tensors;
  /// By path, what it shows of its buffer.
  llvm::DenseMap<Id, llvm::SmallVector<Range>> boxes;
  llvm::DenseMap<Id, Write> writes;
  llvm::DenseMap<Id, Transfer> transfers;
  llvm::DenseMap<Id, unsigned> names, constants;
  llvm::DenseSet<Id> given; ///< names of what has escaped
  llvm::DenseMap<unsigned, llvm::SmallDenseSet<uint64_t>> origins;
  llvm::DenseSet<unsigned> identified;
  /// By origin, the buffers that show it.
  llvm::DenseMap<uint64_t, llvm::SmallVector<unsigned, 1>> showing;
  llvm::DenseSet<uint64_t> overwritten, ended; ///< origins
  std::vector<Repeated> repeated;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_CALLMEMORY_H

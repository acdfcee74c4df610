//===- CallMemory.cpp - buffers of a program that runs --------------------===//

#include "CallMemory.h"

using namespace mlir;

namespace pebble {

unsigned CallMemory::Frame::getNumber(unsigned buffer) {
  auto found = llvm::find(touched, buffer);
  if (found != touched.end())
    return static_cast<unsigned>(found - touched.begin());
  touched.push_back(buffer);
  return static_cast<unsigned>(touched.size() - 1);
}

CallMemory::CallMemory(ExpressionTable &table)
    : table(table), root(table.get(Table::Root, {})) {
  buffers.push_back({std::nullopt, table.get(Table::Memory, {})});
}

CallMemory::Id CallMemory::getPlace(const Place &place) {
  // Numbers of buffers mean something in this run alone: such an id is no part
  // of an expression.
  Id id = table.get(Table::Place, {place.buffer, place.path});
  places[id] = place;
  return id;
}

CallMemory::Id CallMemory::addOwn(Id content, Id birth) {
  ++uses;
  buffers.push_back({std::nullopt, content, false, birth});
  return getPlace({unsigned(buffers.size() - 1), root});
}

CallMemory::Id CallMemory::addConstant(Id content) {
  auto [known, isNew] = constants.try_emplace(content, buffers.size());
  if (isNew)
    buffers.push_back({std::nullopt, content, false, content});
  return getPlace({known->second, root});
}

CallMemory::Id CallMemory::addNamed(Id name) {
  auto [known, isNew] = names.try_emplace(name, buffers.size());
  if (isNew)
    buffers.push_back({name, 0, false, name});
  return getPlace({known->second, root});
}

std::optional<CallMemory::Place> CallMemory::find(Id id) const {
  auto found = places.find(id);
  return found == places.end() ? std::nullopt : std::optional(found->second);
}

CallMemory::Id CallMemory::getView(const Place &source,
                                   ArrayRef<uint64_t> words,
                                   ArrayRef<Range> box) {
  SmallVector<uint64_t> all(words);
  all.push_back(source.path);
  Id path = table.get(Table::View, all);
  auto around = boxes.find(source.path);
  if (source.path == root) {
    boxes.insert({path, llvm::to_vector(box)});
  } else if (around != boxes.end() && around->second.size() == box.size()) {
    SmallVector<Range> inner = around->second;
    for (auto [range, part] : llvm::zip(inner, box))
      range = {range.begin + part.begin, part.count};
    boxes.insert({path, std::move(inner)});
  }
  return getPlace({source.buffer, path});
}

CallMemory::Id CallMemory::getTensor(const Place &place, Type type) {
  Id id = table.get(Table::Place, {place.buffer, place.path, toWord(type)});
  tensors.insert({id, {place, type}});
  return id;
}

std::optional<std::pair<CallMemory::Place, Type>>
CallMemory::findTensor(Id id) const {
  auto found = tensors.find(id);
  return found == tensors.end() ? std::nullopt : std::optional(found->second);
}

void CallMemory::addOrigin(Id id, uint64_t origin) {
  ++uses; // What a second run shows is another tensor.
  const unsigned buffer = places.at(id).buffer;
  if (origins[buffer].insert(origin).second)
    showing[origin].push_back(buffer);
}

void CallMemory::identify(unsigned buffer) {
  if (getName(buffer))
    identified.insert(buffer);
}

std::optional<CallMemory::Id> CallMemory::useTensor(uint64_t origin) {
  for (Repeated &around : repeated)
    if (origin <= around.last)
      around.used.insert(origin);
  if (!fault && ended.contains(origin))
    fault = running;
  if (!overwritten.contains(origin))
    return std::nullopt;
  SmallVector<uint64_t> words;
  for (unsigned buffer : showing[origin])
    words.push_back(read({buffer, root}));
  return table.get(Table::Written, words);
}

void CallMemory::overwrite(unsigned buffer) {
  use(buffer);
  if (!spoiler && isConstant(buffer))
    spoiler = running;
  identify(buffer);
  auto found = origins.find(buffer);
  if (found == origins.end())
    return;
  overwritten.insert_range(found->second);
  // The next time it is looked at after this.
  for (const Repeated &around : repeated)
    for (uint64_t origin : found->second)
      if (!late && around.used.contains(origin))
        late = running;
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

/// Whether two paths into one buffer show no element in common.
bool CallMemory::areApart(Id one, Id other) const {
  auto first = boxes.find(one), second = boxes.find(other);
  return first != boxes.end() && second != boxes.end() &&
         first->second.size() == second->second.size() &&
         llvm::any_of(llvm::zip(first->second, second->second), [](auto both) {
           auto [a, b] = both;
           return a.begin + a.count <= b.begin || b.begin + b.count <= a.begin;
         });
}

/// What is seen through `path` of `content`: what was written through the same
/// path last, if nothing else was written since that may be there.
CallMemory::Id CallMemory::see(Id path, Id content) const {
  if (path == root)
    return content;
  for (auto last = writes.find(content); last != writes.end();
       last = writes.find(content)) {
    if (last->second.path == path)
      return last->second.seen;
    if (!areApart(path, last->second.path))
      break;
    content = last->second.old;
  }
  return table.get(Table::Use, {path, content});
}

CallMemory::Id CallMemory::writeThrough(Id path, Id seen, Id old) {
  if (path == root)
    return seen;
  // What was there before, and is seen through this path, is gone.
  auto last = writes.find(old);
  if (last != writes.end() && last->second.path == path)
    old = last->second.old;
  Id content = table.get(Table::Written, {seen, path, old});
  writes.insert({content, {seen, path, old}});
  return content;
}

void CallMemory::use(unsigned buffer) {
  ++uses;
  if (buffers[buffer].isFreed && !fault)
    fault = running;
}

CallMemory::Id CallMemory::getContentAt(unsigned buffer, size_t level) {
  if (level == 0)
    return buffers[buffer].content;
  Open &inner = open[level - 1];
  if (buffer >= inner.firstOwn)
    return buffers[buffer].content;
  if (auto now = inner.now.find(buffer); now != inner.now.end())
    return now->second;
  Id entry = table.get(Table::Memory, {uint64_t(level), inner.block,
                                       inner.frame->getNumber(buffer)});
  inner.entry[buffer] = entry;
  return inner.now[buffer] = entry;
}

CallMemory::Id CallMemory::getContent(unsigned buffer) {
  use(buffer);
  return getContentAt(buffer, open.size());
}

void CallMemory::setContent(unsigned buffer, Id content) {
  use(buffer);
  if (open.empty() || buffer >= open.back().firstOwn) {
    buffers[buffer].content = content;
    return;
  }
  // What it held when the block began is known from here on.
  (void)getContentAt(buffer, open.size());
  open.back().now[buffer] = content;
}

CallMemory::Id CallMemory::getWhole(unsigned buffer) {
  use(buffer);
  std::optional<Id> name = getName(buffer);
  if (!name)
    return getContent(buffer);
  if (open.empty() || !open.back().frame->isReadOnly)
    return see(*name, getOutside());
  Open &inner = open.back();
  auto [now, isNew] = inner.now.try_emplace(buffer, 0);
  if (isNew)
    now->second = inner.entry[buffer] =
        table.get(Table::Memory, {uint64_t(open.size()), inner.block,
                                  inner.frame->getNumber(buffer)});
  return now->second;
}

CallMemory::Id CallMemory::read(const Place &place) {
  return see(place.path, getWhole(place.buffer));
}

void CallMemory::write(const Place &place, Id seen) {
  overwrite(place.buffer);
  std::optional<Id> name = getName(place.buffer);
  Id old = name ? see(*name, getOutside()) : getContent(place.buffer);
  Id whole = writeThrough(place.path, seen, old);
  if (name)
    setOutside(writeThrough(*name, whole, getOutside()));
  else
    setContent(place.buffer, whole);
}

void CallMemory::escape(unsigned buffer, Id name) {
  if (buffer == kOutside || getName(buffer))
    return;
  Id content = getContent(buffer);
  const Id wanted = name;
  for (uint64_t again = 1; !given.insert(name).second; ++again)
    name = table.get(Table::Crossing, {wanted, again});
  buffers[buffer].name = name;
  write({buffer, root}, content);
}

CallMemory::Id CallMemory::getIdentity(unsigned buffer) {
  if (std::optional<Id> name = getName(buffer))
    return *name;
  if (!open.empty() && buffer < open.back().firstOwn)
    return table.get(Table::Memory, {open.back().frame->getNumber(buffer)});
  return table.get(Table::Memory, {getBirth(buffer), getContent(buffer)});
}

void CallMemory::free(const Place &place) {
  overwrite(place.buffer);
  const Id gone = table.get(Table::Freed, {});
  // Another name may be one of it.
  if (std::optional<Id> name = getName(place.buffer))
    setOutside(writeThrough(*name, gone, getOutside()));
  if (open.empty() || place.buffer >= open.back().firstOwn)
    buffers[place.buffer].isFreed = true;
  else
    // Perhaps it is there still: whoever looks sees that.
    setContent(place.buffer, gone);
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

CallMemory::Id CallMemory::start(const Place &from, const Place &to) {
  Id token =
      table.get(Table::Place, {~uint64_t(0), uint64_t(transfers.size())});
  // Until somebody has waited nobody knows what is there.
  const Id underWay = table.get(Table::Undefined, {transfers.size() + 1});
  transfers[token] = {from, to, read(from), underWay};
  write(to, underWay);
  return token;
}

void CallMemory::wait(Id token) {
  auto found = transfers.find(token);
  if (found == transfers.end())
    return;
  const Transfer transfer = found->second;
  // A source that changes under way may have arrived in part, and what is
  // written to the destination under way may come before or after.
  if (read(transfer.from) == transfer.content &&
      read(transfer.to) == transfer.underWay)
    write(transfer.to, transfer.content);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void CallMemory::enter(Frame &frame, Id block) {
  Open inner;
  inner.frame = &frame;
  inner.block = block;
  inner.firstOwn = unsigned(buffers.size());
  open.push_back(std::move(inner));
}

void CallMemory::leave(SmallVectorImpl<uint64_t> &words) {
  Open inner = std::move(open.back());
  open.pop_back();
  for (auto [number, buffer] : llvm::enumerate(inner.frame->touched)) {
    auto now = inner.now.find(buffer);
    if (now == inner.now.end() || now->second == inner.entry.lookup(buffer))
      continue;
    inner.frame->changed.insert(buffer);
    words.push_back(uint64_t(number));
    words.push_back(now->second);
  }
}

} // namespace pebble

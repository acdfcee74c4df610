//===- StageMessages.cpp - what one rank has of a pipeline ----------------===//
//
// Each rank has the operations that run on it, in the order of the whole
// program. A value that another rank has made is waited for right before it is
// first read; its receive starts before the task before that, so that it comes
// in beside it. One that others read is sent right after it was made. A send is
// waited for right after the point where the whole program receives it: by then
// the other rank has nothing left to wait for but what was sent before. So no
// two ranks wait for each other, whatever buffers the messages need.
//
//===----------------------------------------------------------------------===//

#include "pebble/Planning/WriteStages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace pebble {

/// What MPI promises of the largest tag.
static constexpr unsigned kMostMessages = 32767;

class StageWriter::Rank {
public:
  Rank(StageWriter &writer, func::FuncOp function, unsigned rank, bool ahead)
      : writer(writer), function(function), rank(rank), ahead(ahead),
        builder(OpBuilder::atBlockEnd(&function.getBody().front())) {
    mapping.map(writer.whole.getArguments(), function.getArguments());
  }

  LogicalResult write() {
    Block &body = writer.whole.getBody().front();
    if (failed(findMessages(body)))
      return failure();
    begin();
    for (Operation &op : body.without_terminator())
      if (isOwn(&op))
        own.push_back(&op);
    if (ahead)
      startReceives(0);
    size_t place = 0;
    for (Operation &op : body.without_terminator()) {
      auto found = writer.rankOf.find(&op);
      if (found == writer.rankOf.end())
        continue;
      if (found->second == rank) {
        waitForSends();
        ++place;
        if (ahead && isa<func::CallOp>(op))
          startReceives(place);
        run(&op);
        continue;
      }
      for (Value operand : getAllOperands(&op)) {
        auto message = messages.find({operand, found->second});
        if (message == messages.end() || message->second.from != rank ||
            message->second.reader != &op)
          continue;
        received.push_back({operand, found->second});
      }
    }
    waitForSends();
    end(body.getTerminator());
    return success();
  }

private:
  using Key = std::pair<Value, unsigned>;
  struct Message {
    unsigned from = 0, tag = 0;
    /// The first to read it.
    Operation *reader = nullptr;
  };

  /// All messages of the program, numbered alike on all ranks.
  LogicalResult findMessages(Block &body) {
    for (Operation &op : body.without_terminator()) {
      auto found = writer.rankOf.find(&op);
      if (found == writer.rankOf.end())
        continue;
      for (Value operand : getAllOperands(&op)) {
        Operation *maker = operand.getDefiningOp();
        auto from = maker ? writer.rankOf.find(maker) : writer.rankOf.end();
        if (from == writer.rankOf.end() || from->second == found->second)
          continue;
        const unsigned tag = messages.size();
        messages.insert({{operand, found->second}, {from->second, tag, &op}});
      }
    }
    if (messages.size() > kMostMessages)
      return writer.step.function.emitError()
             << "the pipeline needs " << messages.size()
             << " messages, more than the " << kMostMessages
             << " that MPI tells apart: use fewer micro-batches";
    return success();
  }

  Location getLoc() const { return writer.step.function.getLoc(); }

  bool isOwn(Operation *op) const {
    auto found = writer.rankOf.find(op);
    return found != writer.rankOf.end() && found->second == rank;
  }

  /// Of what the next task reads, and what runs before it: the own operations
  /// from number `place` on.
  void startReceives(size_t place) {
    for (; place < own.size(); ++place) {
      for (Value operand : getAllOperands(own[place]))
        if (auto message = messages.find({operand, rank});
            message != messages.end() && message->second.reader == own[place])
          startReceive(message->first, message->second);
      if (isa<func::CallOp>(own[place]))
        return;
    }
  }

  void startReceive(const Key &key, const Message &message) {
    Value buffer = memref::AllocOp::create(
        builder, getLoc(), getBufferType(getTensorType(key.first.getType())));
    Value tag = getNumber(message.tag), from = getNumber(message.from);
    auto request = mpi::IRecvOp::create(
        builder, getLoc(), mpi::RequestType::get(builder.getContext()), buffer,
        tag, from, world);
    started.try_emplace(key, buffer, request->getResult(0));
  }

  void begin() {
    if (messages.empty())
      return;
    mpi::InitOp::create(builder, getLoc(), Type());
    world = mpi::CommWorldOp::create(builder, getLoc(),
                                     mpi::CommType::get(builder.getContext()));
    const std::string self = "rank " + std::to_string(rank) + " of a pipeline";
    Type i32 = builder.getI32Type();
    Value size = mpi::CommSizeOp::create(builder, getLoc(), Type(), i32, world)
                     .getSize();
    require(isEqual(size, getNumber(writer.ranks)),
            self + " was started among another number of ranks than " +
                std::to_string(writer.ranks));
    Value place = mpi::CommRankOp::create(builder, getLoc(), Type(), i32, world)
                      .getRank();
    require(isEqual(place, getNumber(rank)),
            self + " was started in the place of another rank");
    require(arePlansEqual(),
            self + " has another plan than some other rank: write the "
                   "programs of all ranks with the same options");
  }

  Value isEqual(Value a, Value b) {
    return arith::CmpIOp::create(builder, getLoc(), arith::CmpIPredicate::eq, a,
                                 b);
  }

  void require(Value condition, const std::string &otherwise) {
    cf::AssertOp::create(builder, getLoc(), condition, otherwise);
  }

  /// Whether the largest and the smallest fingerprint of all ranks are one.
  Value arePlansEqual() {
    Location loc = getLoc();
    auto type = MemRefType::get({2}, builder.getI64Type());
    Value own = memref::AllocOp::create(builder, loc, type);
    Value most = memref::AllocOp::create(builder, loc, type);
    auto getNumber64 = [&](int64_t number) -> Value {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getI64IntegerAttr(number));
    };
    auto getPlace = [&](int64_t place) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, place);
    };
    memref::StoreOp::create(builder, loc, getNumber64(writer.fingerprint), own,
                            getPlace(0));
    memref::StoreOp::create(builder, loc, getNumber64(-writer.fingerprint), own,
                            getPlace(1));
    mpi::AllReduceOp::create(builder, loc, Type(), own, most,
                             mpi::MPI_ReductionOpEnum::MPI_MAX, world);
    Value largest = memref::LoadOp::create(builder, loc, most, getPlace(0));
    Value smallest = memref::LoadOp::create(builder, loc, most, getPlace(1));
    return isEqual(arith::AddIOp::create(builder, loc, largest, smallest),
                   getNumber64(0));
  }

  void end(Operation *terminator) {
    SmallVector<Value> results;
    for (auto [index, value] : llvm::enumerate(terminator->getOperands()))
      if (writer.resultRanks[index] == rank)
        results.push_back(get(value));
    if (!messages.empty())
      mpi::FinalizeOp::create(builder, getLoc(), Type());
    func::ReturnOp::create(builder, getLoc(), results);
  }

  void run(Operation *op) {
    for (Value operand : getAllOperands(op))
      (void)get(operand);
    Operation *copy = builder.clone(*op, mapping);
    for (Value result : op->getResults())
      for (unsigned to = 0; to < writer.ranks; ++to)
        if (auto message = messages.find({result, to});
            message != messages.end())
          send(message->first, message->second,
               copy->getResult(cast<OpResult>(result).getResultNumber()));
  }

  /// `value` on this rank: made here, received, or what anybody can make.
  Value get(Value value) {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    Operation *maker = value.getDefiningOp();
    auto from = writer.rankOf.find(maker);
    if (from != writer.rankOf.end()) {
      Value there = receive({value, rank}, value.getType());
      mapping.map(value, there);
      return there;
    }
    for (Value operand : getAllOperands(maker))
      (void)get(operand);
    builder.clone(*maker, mapping);
    return mapping.lookup(value);
  }

  Value getNumber(unsigned number) {
    return arith::ConstantOp::create(builder, getLoc(),
                                     builder.getI32IntegerAttr(number));
  }

  /// A number travels as a tensor that holds it.
  static RankedTensorType getTensorType(Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return tensor;
    return RankedTensorType::get({1}, type);
  }
  static MemRefType getBufferType(RankedTensorType type) {
    return MemRefType::get(type.getShape(), type.getElementType());
  }

  void send(const Key &key, const Message &message, Value value) {
    RankedTensorType type = getTensorType(value.getType());
    if (type != value.getType())
      value = tensor::FromElementsOp::create(builder, getLoc(), type, value);
    MemRefType buffer = getBufferType(type);
    Value sent = memref::AllocOp::create(builder, getLoc(), buffer);
    auto written = bufferization::MaterializeInDestinationOp::create(
        builder, getLoc(), Type(), value, sent);
    written.setWritable(true);
    Value tag = getNumber(message.tag), to = getNumber(key.second);
    auto request = mpi::ISendOp::create(
        builder, getLoc(), mpi::RequestType::get(builder.getContext()), sent,
        tag, to, world);
    sends[key] = request->getResult(0);
  }

  /// For what the other ranks have received by now.
  void waitForSends() {
    for (const Key &key : received)
      mpi::Wait::create(builder, getLoc(), Type(), sends.lookup(key));
    received.clear();
  }

  Value receive(const Key &key, Type type) {
    RankedTensorType tensor = getTensorType(type);
    if (!ahead)
      startReceive(key, messages.find(key)->second);
    auto [buffer, request] = started.lookup(key);
    mpi::Wait::create(builder, getLoc(), Type(), request);
    Value value = bufferization::ToTensorOp::create(builder, getLoc(), tensor,
                                                    buffer, /*restrict=*/true);
    if (tensor == type)
      return value;
    Value zero = arith::ConstantIndexOp::create(builder, getLoc(), 0);
    return tensor::ExtractOp::create(builder, getLoc(), value, zero);
  }

  StageWriter &writer;
  func::FuncOp function;
  const unsigned rank;
  const bool ahead;
  OpBuilder builder;
  IRMapping mapping;
  Value world;
  /// By value and the rank that reads it.
  llvm::MapVector<Key, Message> messages;
  llvm::DenseMap<Key, Value> sends;
  /// Operations of this rank, in their order.
  SmallVector<Operation *> own;
  /// Receives that were started: the buffer and the request.
  llvm::DenseMap<Key, std::pair<Value, Value>> started;
  /// Messages of this rank that were received since its last operation.
  SmallVector<Key> received;
};

FailureOr<func::FuncOp> StageWriter::writeRank(StringRef name, unsigned rank,
                                               bool ahead) {
  OpBuilder builder(whole);
  SmallVector<Type> results;
  SmallVector<DictionaryAttr> attributes;
  for (auto [index, type] : llvm::enumerate(whole.getResultTypes()))
    if (resultRanks[index] == rank) {
      results.push_back(type);
      attributes.push_back(whole.getResultAttrDict(index));
    }
  auto function = func::FuncOp::create(
      builder, whole.getLoc(), name,
      builder.getFunctionType(whole.getArgumentTypes(), results));
  for (unsigned i = 0, e = whole.getNumArguments(); i != e; ++i)
    if (DictionaryAttr all = whole.getArgAttrDict(i))
      function.setArgAttrs(i, all);
  for (auto [index, all] : llvm::enumerate(attributes))
    if (all)
      function.setResultAttrs(index, all);
  function.addEntryBlock();
  if (failed(Rank(*this, function, rank, ahead).write()))
    return failure();
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  (void)function.eraseArguments(unused);
  return function;
}

} // namespace pebble

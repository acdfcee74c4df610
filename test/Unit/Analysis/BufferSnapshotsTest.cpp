//===- BufferSnapshotsTest.cpp - what a segment finds again ---------------===//
//
// Random programs with updates in place through views, in loops and callees,
// run on numbers: a segment, what stands behind it, and the segment again. What
// it reads must be the same both times. All sets of buffers are tried.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "pebble/Analysis/BufferSnapshots.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/Hashing.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace pebble;

namespace {

constexpr int kBuffers = 4, kLength = 8;

/// One or more statements, as text and as a program.
struct Statement {
  enum Kind { Compute, Update, Copy, Loop, Call } kind = Compute;
  /// `length` elements of a buffer, from `begin` on.
  struct Range {
    int buffer = 0, begin = 0, length = kLength;
  };
  Range to, from;
  int trips = 1, callee = 0;
  std::vector<int> given;
  std::vector<Statement> body;
};

using Memory = std::array<std::array<uint64_t, kLength>, kBuffers>;

class RandomProgram {
public:
  explicit RandomProgram(unsigned seed) : random(seed) {
    for (int i = 0; i < 2; ++i)
      callees.push_back(makeBody(2, /*depth=*/1));
    first = makeBody(pick(1, 3), 0);
    second = makeBody(pick(0, 3), 0);
  }

  std::string getText() {
    std::string text;
    for (auto [index, body] : llvm::enumerate(callees))
      text += "func.func private @f" + std::to_string(index) + getArguments() +
              " {\n" + print(body) + "  return\n}\n";
    return text + "func.func @main" + getArguments() + " {\n" + print(first) +
           "  \"t.middle\"() : () -> ()\n" + print(second) +
           "  \"t.end\"() : () -> ()\n  return\n}\n";
  }

  /// Whether the first part reads the same when it runs again, if only the
  /// buffers of `kept` are what they were.
  bool isSame(unsigned kept) const {
    Memory memory;
    for (int i = 0; i < kBuffers; ++i)
      for (int j = 0; j < kLength; ++j)
        memory[i][j] = 100 * i + j + 1;
    const Memory before = memory;
    std::vector<uint64_t> once, again;
    run(first, memory, once);
    std::vector<uint64_t> rest;
    run(second, memory, rest);
    for (int i = 0; i < kBuffers; ++i)
      if (kept >> i & 1)
        memory[i] = before[i];
    run(first, memory, again);
    return once == again;
  }

private:
  int pick(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  }

  Statement::Range makeRange(int length) {
    Statement::Range range;
    range.buffer = pick(0, kBuffers - 1);
    range.length = length;
    range.begin = pick(0, kLength - length);
    return range;
  }

  std::vector<Statement> makeBody(int count, int depth) {
    std::vector<Statement> body;
    for (int i = 0; i < count; ++i) {
      Statement statement;
      const int kind = pick(0, depth == 0 ? 9 : 6);
      statement.kind = kind < 3   ? Statement::Compute
                       : kind < 5 ? Statement::Update
                       : kind < 7 ? Statement::Copy
                       : kind < 8 ? Statement::Loop
                                  : Statement::Call;
      const int length = pick(0, 1) ? kLength : pick(1, kLength);
      statement.to = makeRange(length);
      do
        statement.from = makeRange(length);
      while (statement.from.buffer == statement.to.buffer);
      statement.trips = pick(0, 2);
      statement.callee = pick(0, 1);
      if (statement.kind == Statement::Loop)
        statement.body = makeBody(2, 1);
      for (int buffer = 0; buffer < kBuffers; ++buffer)
        statement.given.push_back(buffer);
      std::shuffle(statement.given.begin(), statement.given.end(), random);
      body.push_back(std::move(statement));
    }
    return body;
  }

  static std::string getArguments() {
    std::string text = "(";
    for (int i = 0; i < kBuffers; ++i)
      text += (i ? ", %b" : "%b") + std::to_string(i) +
              ": memref<8xi64> {llvm.noalias}";
    return text + ")";
  }

  /// A view of `range`; returns its type.
  std::string view(const Statement::Range &range, const std::string &name,
                   std::string &text) {
    const std::string begin = std::to_string(range.begin),
                      length = std::to_string(range.length);
    std::string type = "memref<" + length + "xi64, strided<[1]" +
                       (range.begin ? ", offset: " + begin : "") + ">>";
    text += "  " + name + " = memref.subview %b" +
            std::to_string(range.buffer) + "[" + begin + "] [" + length +
            "] [1] : memref<8xi64> to " + type + "\n";
    return type;
  }

  std::string print(const std::vector<Statement> &body) {
    std::string text;
    for (const Statement &statement : body)
      text += print(statement);
    return text;
  }

  std::string print(const Statement &statement) {
    const std::string number = std::to_string(count++);
    std::string text;
    if (statement.kind == Statement::Loop) {
      text = "  %l" + number + " = arith.constant 0 : index\n  %s" + number +
             " = arith.constant 1 : index\n  %u" + number +
             " = arith.constant " + std::to_string(statement.trips) +
             " : index\n  scf.for %i = %l" + number + " to %u" + number +
             " step %s" + number + " {\n" + print(statement.body) + "  }\n";
      return text;
    }
    if (statement.kind == Statement::Call) {
      text = "  func.call @f" + std::to_string(statement.callee) + "(";
      for (auto [index, buffer] : llvm::enumerate(statement.given))
        text += (index ? ", %b" : "%b") + std::to_string(buffer);
      text += ") : (";
      for (int i = 0; i < kBuffers; ++i)
        text += i ? ", memref<8xi64>" : "memref<8xi64>";
      return text + ") -> ()\n";
    }
    const std::string to = "%t" + number, from = "%f" + number;
    const std::string toType = view(statement.to, to, text),
                      fromType = view(statement.from, from, text);
    if (statement.kind == Statement::Copy)
      return text + "  memref.copy " + from + ", " + to + " : " + fromType +
             " to " + toType + "\n";
    const bool isUpdate = statement.kind == Statement::Update;
    return text +
           "  linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, "
           "affine_map<(a) -> (a)>], iterator_types = [\"parallel\"]} ins(" +
           from + " : " + fromType + ") outs(" + to + " : " + toType +
           ") {\n  ^bb0(%x: i64, %o: i64):\n    %y = arith.muli %x, " +
           (isUpdate ? "%o" : "%x") +
           " : i64\n    linalg.yield %y : i64\n  }\n";
  }

  void run(const std::vector<Statement> &body, Memory &memory,
           std::vector<uint64_t> &read) const {
    std::vector<int> same;
    for (int i = 0; i < kBuffers; ++i)
      same.push_back(i);
    run(body, memory, read, same);
  }

  /// Each number is made of all that it depends on, and of nothing else.
  void run(const std::vector<Statement> &body, Memory &memory,
           std::vector<uint64_t> &read, const std::vector<int> &names) const {
    for (const Statement &statement : body) {
      if (statement.kind == Statement::Loop) {
        for (int i = 0; i < statement.trips; ++i)
          run(statement.body, memory, read, names);
        continue;
      }
      if (statement.kind == Statement::Call) {
        std::vector<int> inner;
        for (int buffer : statement.given)
          inner.push_back(names[buffer]);
        run(callees[statement.callee], memory, read, inner);
        continue;
      }
      for (int i = 0; i < statement.to.length; ++i) {
        uint64_t &to =
            memory[names[statement.to.buffer]][statement.to.begin + i];
        const uint64_t from =
            memory[names[statement.from.buffer]][statement.from.begin + i];
        read.push_back(from);
        if (statement.kind == Statement::Copy) {
          // Nor does a copy bring back what was there by chance.
          to = llvm::hash_combine(from, 2);
        } else if (statement.kind == Statement::Compute) {
          to = llvm::hash_combine(from, 1);
        } else {
          read.push_back(to);
          to = llvm::hash_combine(from, to);
        }
      }
    }
  }

  std::mt19937 random;
  std::vector<std::vector<Statement>> callees;
  std::vector<Statement> first, second;
  int count = 0;
};

} // namespace

static unsigned toBits(ArrayRef<mlir::Value> buffers) {
  unsigned bits = 0;
  for (mlir::Value buffer : buffers)
    bits |= 1u << cast<BlockArgument>(buffer).getArgNumber();
  return bits;
}

static BufferSnapshots findIn(Block &block) {
  Operation *middle = nullptr, *end = nullptr;
  for (Operation &op : block) {
    if (op.getName().getStringRef() == "t.middle")
      middle = &op;
    if (op.getName().getStringRef() == "t.end")
      end = &op;
  }
  Block::iterator second = std::next(middle->getIterator());
  middle->moveBefore(&block, block.begin());
  return findBufferSnapshots(std::next(block.begin()), second,
                             end->getIterator());
}

TEST(BufferSnapshots, AreTheLeastThatDo) {
  unsigned withMembers = 0, withBehind = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    RandomProgram random(seed);
    const std::string text = random.getText();
    test::Program program(text);
    ASSERT_TRUE(bool(program)) << text;
    BufferSnapshots found = findIn(program.getBody("main"));
    ASSERT_FALSE(found.unknown) << text << found.reason;
    const unsigned all = toBits(found.own) | toBits(found.behind);
    withMembers += all != 0;
    withBehind += !found.behind.empty();
    // A set does if and only if it has all of these.
    for (unsigned kept = 0; kept < 1u << kBuffers; ++kept)
      ASSERT_EQ(random.isSame(kept), (kept & all) == all)
          << "seed " << seed << ", kept " << kept << ", found " << all << "\n"
          << text;
  }
  EXPECT_GT(withMembers, 500u);
  EXPECT_GT(withBehind, 100u);
}

TEST(BufferSnapshots, WhatTheSegmentOverwritesIsTakenInBothForms) {
  test::Program program(R"(
    func.func @main(%a: memref<8xi64> {llvm.noalias},
                    %b: memref<8xi64> {llvm.noalias},
                    %c: memref<8xi64> {llvm.noalias}) {
      linalg.add ins(%a, %b : memref<8xi64>, memref<8xi64>)
                 outs(%a : memref<8xi64>)
      "t.middle"() : () -> ()
      memref.copy %c, %b : memref<8xi64> to memref<8xi64>
      "t.end"() : () -> ()
      return
    })");
  ASSERT_TRUE(bool(program));
  BufferSnapshots found = findIn(program.getBody("main"));
  EXPECT_EQ(toBits(found.own), 1u);
  EXPECT_EQ(toBits(found.behind), 2u);
}

TEST(BufferSnapshots, ArgumentsMayBeOneBuffer) {
  test::Program program(R"(
    func.func @main(%a: memref<8xi64>, %b: memref<8xi64>,
                    %c: memref<8xi64> {llvm.noalias}) {
      memref.copy %a, %c : memref<8xi64> to memref<8xi64>
      "t.middle"() : () -> ()
      memref.copy %c, %b : memref<8xi64> to memref<8xi64>
      "t.end"() : () -> ()
      return
    })");
  ASSERT_TRUE(bool(program));
  BufferSnapshots found = findIn(program.getBody("main"));
  EXPECT_EQ(toBits(found.own), 0u);
  EXPECT_EQ(toBits(found.behind), 1u);
}

TEST(BufferSnapshots, BranchesWriteForCertainWhatBothDo) {
  test::Program program(R"(
    func.func @main(%a: memref<8xi64> {llvm.noalias},
                    %b: memref<8xi64> {llvm.noalias},
                    %c: memref<8xi64> {llvm.noalias}, %is: i1) {
      scf.if %is {
        memref.copy %c, %a : memref<8xi64> to memref<8xi64>
        memref.copy %c, %b : memref<8xi64> to memref<8xi64>
      } else {
        memref.copy %c, %a : memref<8xi64> to memref<8xi64>
      }
      linalg.add ins(%a, %b : memref<8xi64>, memref<8xi64>)
                 outs(%a : memref<8xi64>)
      "t.middle"() : () -> ()
      "t.end"() : () -> ()
      return
    })");
  ASSERT_TRUE(bool(program));
  BufferSnapshots found = findIn(program.getBody("main"));
  EXPECT_EQ(toBits(found.own), 2u);
}

TEST(BufferSnapshots, BodiesThatMayNotRunWriteNothingForCertain) {
  test::Program program(R"(
    func.func @main(%a: memref<8xi64> {llvm.noalias},
                    %b: memref<8xi64> {llvm.noalias},
                    %c: memref<8xi64> {llvm.noalias}, %is: i1) {
      scf.execute_region {
        memref.copy %c, %a : memref<8xi64> to memref<8xi64>
        scf.yield
      }
      scf.while : () -> () {
        scf.condition(%is)
      } do {
        memref.copy %c, %b : memref<8xi64> to memref<8xi64>
        scf.yield
      }
      linalg.add ins(%a, %b : memref<8xi64>, memref<8xi64>)
                 outs(%a : memref<8xi64>)
      "t.middle"() : () -> ()
      "t.end"() : () -> ()
      return
    })");
  ASSERT_TRUE(bool(program));
  BufferSnapshots found = findIn(program.getBody("main"));
  ASSERT_FALSE(found.unknown) << found.reason;
  EXPECT_EQ(toBits(found.own), 2u);
  // Anything may be in %a, but it is written inside of a region.
  EXPECT_EQ(toBits(found.changed), 1u);
}

TEST(BufferSnapshots, WhatIsOverwrittenFirstNeedsAnotherBuffer) {
  test::Program program(R"(
    func.func @main(%a: memref<8xi64> {llvm.noalias},
                    %b: memref<8xi64> {llvm.noalias}, %i: index, %v: i64) {
      memref.copy %a, %b : memref<8xi64> to memref<8xi64>
      memref.store %v, %b[%i] : memref<8xi64>
      "t.middle"() : () -> ()
      "t.end"() : () -> ()
      return
    })");
  ASSERT_TRUE(bool(program));
  BufferSnapshots found = findIn(program.getBody("main"));
  EXPECT_EQ(toBits(found.own) | toBits(found.behind), 0u);
  EXPECT_EQ(toBits(found.replaced), 2u);
  EXPECT_TRUE(found.changed.empty());
  EXPECT_FALSE(found.overlapping);
}

TEST(BufferSnapshots, GlobalsAreThereWhoeverNamesThem) {
  test::Program program(R"(
    memref.global "private" @state : memref<8xi64> = dense<1>
    func.func private @f(%a: memref<8xi64>) {
      %g = memref.get_global @state : memref<8xi64>
      linalg.add ins(%a, %g : memref<8xi64>, memref<8xi64>)
                 outs(%g : memref<8xi64>)
      return
    }
    func.func @main(%a: memref<8xi64>) {
      func.call @f(%a) : (memref<8xi64>) -> ()
      "t.middle"() : () -> ()
      "t.end"() : () -> ()
      return
    })");
  ASSERT_TRUE(bool(program));
  BufferSnapshots found = findIn(program.getBody("main"));
  EXPECT_EQ(found.own.size(), 2u);
  // The argument may be the global.
  EXPECT_TRUE(found.overlapping);
}

TEST(BufferSnapshots, WhatIsFreedDoesNotRunAgain) {
  test::Program program(R"(
    func.func @main(%a: memref<8xi64> {llvm.noalias},
                    %b: memref<8xi64> {llvm.noalias}) {
      memref.copy %a, %b : memref<8xi64> to memref<8xi64>
      memref.dealloc %a : memref<8xi64>
      "t.middle"() : () -> ()
      "t.end"() : () -> ()
      return
    })");
  ASSERT_TRUE(bool(program));
  BufferSnapshots found = findIn(program.getBody("main"));
  ASSERT_TRUE(found.unknown);
  EXPECT_NE(found.reason.find("frees a buffer that was there"),
            std::string::npos);
}

TEST(BufferSnapshots, WhatIsNotKnownIsNamed) {
  test::Program program(R"(
    func.func private @elsewhere(memref<8xi64>)
    func.func @main(%a: memref<8xi64>) {
      func.call @elsewhere(%a) : (memref<8xi64>) -> ()
      "t.middle"() : () -> ()
      "t.end"() : () -> ()
      return
    })");
  ASSERT_TRUE(bool(program));
  BufferSnapshots found = findIn(program.getBody("main"));
  ASSERT_TRUE(found.unknown);
  EXPECT_EQ(found.reason, "'func.call' calls what is not known");
}

TEST(BufferSnapshots, AnAssertionHoldsAgain) {
  test::Program program(R"(
    func.func @main(%a: memref<8xi64> {llvm.noalias},
                    %b: memref<8xi64> {llvm.noalias}, %is: i1) {
      cf.assert %is, "so it is"
      linalg.add ins(%a, %b : memref<8xi64>, memref<8xi64>)
                 outs(%a : memref<8xi64>)
      "t.middle"() : () -> ()
      cf.assert %is, "and so it stays"
      "t.end"() : () -> ()
      return
    })");
  ASSERT_TRUE(bool(program));
  BufferSnapshots found = findIn(program.getBody("main"));
  ASSERT_FALSE(found.unknown) << found.reason;
  EXPECT_EQ(toBits(found.own), 1u);
}

TEST(BufferSnapshots, ACastIsAllOfItsSource) {
  test::Program program(R"(
    func.func @main(%a: memref<8xi64> {llvm.noalias},
                    %b: memref<8xi64> {llvm.noalias}) {
      %c = memref.cast %a : memref<8xi64> to memref<?xi64>
      %d = memref.cast %b : memref<8xi64> to memref<?xi64>
      memref.copy %c, %d : memref<?xi64> to memref<?xi64>
      linalg.add ins(%a, %b : memref<8xi64>, memref<8xi64>)
                 outs(%a : memref<8xi64>)
      "t.middle"() : () -> ()
      "t.end"() : () -> ()
      return
    })");
  ASSERT_TRUE(bool(program));
  BufferSnapshots found = findIn(program.getBody("main"));
  ASSERT_FALSE(found.unknown) << found.reason;
  EXPECT_EQ(toBits(found.own), 1u);
  EXPECT_EQ(toBits(found.replaced), 2u);
}

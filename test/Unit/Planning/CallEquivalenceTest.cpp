//===- CallEquivalenceTest.cpp - the same program, calls and all ----------===//
//
// A program as it came, one that a pass may make of it, and faults that look
// like it: each must be refused.
//
//===----------------------------------------------------------------------===//

#include "CompareMains.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

constexpr char kSplit[] = R"mlir(
func.func private @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = math.sin %x : tensor<4xf32>
  %c = math.cos %x : tensor<4xf32>
  return %y, %c : tensor<4xf32>, tensor<4xf32>
}
func.func private @back(%c: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %g = arith.mulf %c, %d : tensor<4xf32>
  return %g : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %c = call @f(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %e = arith.negf %d : tensor<4xf32>
  %g = call @back(%c, %e) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y, %g : tensor<4xf32>, tensor<4xf32>
}
)mlir";

constexpr char kJoint[] = R"mlir(
func.func private @plain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.sin %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @whole(%x: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %c = math.cos %x : tensor<4xf32>
  %g = arith.mulf %c, %d : tensor<4xf32>
  return %g : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = call @plain(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %e = arith.negf %d : tensor<4xf32>
  %g = call @whole(%x, %e) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y, %g : tensor<4xf32>, tensor<4xf32>
}
)mlir";

/// `text` with `from` replaced by `to` at one place.
std::string change(StringRef text, StringRef from, StringRef to) {
  size_t at = text.find(from);
  EXPECT_NE(at, StringRef::npos) << from.str();
  return (text.take_front(at) + to + text.drop_front(at + from.size())).str();
}

TEST(CallEquivalence, AJointCallIsTheSplitOne) {
  EXPECT_EQ(compareMains(kSplit, kJoint), "");
  EXPECT_EQ(compareMains(kJoint, kSplit), "");
}

TEST(CallEquivalence, WrongSnapshotsAreRefused) {
  // Another value restored, restored too late, none of it, the wrong gradient.
  std::pair<const char *, const char *> faults[] = {
      {"call @whole(%x, %e)", "call @whole(%y, %e)"},
      {"call @whole(%x, %e)", "call @whole(%d, %e)"},
      {"call @whole(%x, %e)", "call @whole(%x, %d)"},
      {"call @whole(%x, %e)", "call @whole(%e, %x)"},
      {"return %y, %g", "return %g, %y"},
      {"math.cos %x", "math.cos %d"},
      {"math.cos", "math.sin"},
      {"arith.mulf %c, %d", "arith.mulf %c, %x"},
      {"arith.mulf %c, %d", "arith.addf %c, %d"},
      {"%y = math.sin %x", "%z = math.sin %x : tensor<4xf32>\n"
                           "  %y = math.sin %z"},
  };
  for (auto [from, to] : faults)
    EXPECT_NE(compareMains(kSplit, change(kJoint, from, to))
                  .find("is not proven to be what it was"),
              std::string::npos)
        << from << " -> " << to;
}

constexpr char kVersions[] = R"mlir(
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = math.sin %x : tensor<4xf32>
  %e = math.exp %s : tensor<4xf32>
  %y = arith.mulf %e, %s : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @f.1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = math.sin %x : tensor<4xf32>
  %e = math.exp %s : tensor<4xf32>
  pebble.drop %s : tensor<4xf32>
  %x1 = pebble.opaque %x : tensor<4xf32>
  %s1 = math.sin %x1 : tensor<4xf32>
  %y = arith.mulf %e, %s1 : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %z = call @f.1(%y) : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
)mlir";

TEST(CallEquivalence, CallsMayRunVersionsThatDoTheSame) {
  const std::string before = change(kVersions, "call @f.1", "call @f");
  EXPECT_EQ(compareMains(before, kVersions), "");
  std::pair<const char *, const char *> faults[] = {
      {"math.sin %x1", "math.cos %x1"},
      {"arith.mulf %e, %s1", "arith.mulf %e, %x1"},
      {"%x1 = pebble.opaque %x", "%x1 = pebble.opaque %e"},
      {"call @f.1(%y)", "call @f.1(%x)"},
  };
  for (auto [from, to] : faults)
    EXPECT_NE(compareMains(before, change(kVersions, from, to))
                  .find("is not proven to be what it was"),
              std::string::npos)
        << from << " -> " << to;
}

/// A function that prints, called twice.
constexpr char kEffects[] = R"mlir(
func.func private @print(tensor<4xf32>)
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  call @print(%x) : (tensor<4xf32>) -> ()
  %y = math.sin %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %z = call @f(%y) : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
)mlir";

TEST(CallEquivalence, EffectsHappenAsOftenAsTheyDid) {
  EXPECT_EQ(compareMains(kEffects, kEffects), "");
  std::string again = change(kEffects, "  return %z",
                             "  %w = call @f(%y) : (tensor<4xf32>) -> "
                             "tensor<4xf32>\n  return %z");
  EXPECT_NE(compareMains(kEffects, again).find("was not there before"),
            std::string::npos);
  std::string less =
      change(kEffects, "  call @print(%x) : (tensor<4xf32>) -> ()\n", "");
  EXPECT_NE(compareMains(kEffects, less).find("effect 0"), std::string::npos);
}

TEST(CallEquivalence, RandomNumbersAreNotDrawnAnew) {
  constexpr char once[] = R"mlir(
func.func private @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = "any.rng"() : () -> tensor<4xf32>
  %y = arith.mulf %x, %r : tensor<4xf32>
  return %y, %r : tensor<4xf32>, tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %r = call @f(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %y, %r : tensor<4xf32>, tensor<4xf32>
}
)mlir";
  std::string anew = change(
      once,
      "func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, "
      "tensor<4xf32>) {\n",
      "func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) "
      "{\n  %a, %b = call @f(%x) : (tensor<4xf32>) -> (tensor<4xf32>, "
      "tensor<4xf32>)\n");
  EXPECT_EQ(compareMains(once, once), "");
  EXPECT_NE(compareMains(once, anew), "");
}

TEST(CallEquivalence, FunctionsThatCallThemselvesAreNotCompared) {
  constexpr char endless[] = R"mlir(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
)mlir";
  EXPECT_NE(compareMains(endless, endless).find("calls itself"),
            std::string::npos);
}

/// `text` with the body of @main in a loop.
std::string inLoop(StringRef text) {
  std::string whole = change(
      text,
      "func.func @main(%x: tensor<4xf32>, %d: tensor<4xf32>) -> "
      "(tensor<4xf32>, tensor<4xf32>) {",
      "func.func @main(%x: tensor<4xf32>, %d: tensor<4xf32>, %n: index, %one: "
      "index) -> (tensor<4xf32>, tensor<4xf32>) {\n"
      "%l:2 = scf.for %i = %one to %n step %one iter_args(%p = %x, %q = %d) -> "
      "(tensor<4xf32>, tensor<4xf32>) {");
  size_t end = whole.rfind("return");
  return whole.substr(0, end) +
         "scf.yield %y, %g : tensor<4xf32>, tensor<4xf32> }\n"
         "  return %l#0, %l#1 : tensor<4xf32>, tensor<4xf32>\n}\n";
}

/// The same, where the calls read what the loop carries.
std::string carried(std::string text) {
  size_t body = text.find("scf.for");
  for (StringRef call : {"call @f(", "call @plain(", "call @whole("})
    for (size_t at = text.find(call, body); at != std::string::npos;
         at = text.find(call, at + 1)) {
      text.replace(at, 0, "func.");
      at += 5;
      text.replace(at + call.size(), 2, "%p");
    }
  for (size_t at = text.find(" call @back(", body); at != std::string::npos;
       at = text.find(" call @back(", at + 1))
    text.replace(at + 1, 0, "func.");
  return text;
}

TEST(CallEquivalence, AllBlocksAreCompared) {
  auto program = [](StringRef inSecond, StringRef inThird) {
    return ("func.func @main(%x: tensor<4xf32>, %b: i1) -> tensor<4xf32> {\n"
            "  cf.cond_br %b, ^a, ^c\n"
            "^a:\n  %y = math." +
            inSecond +
            " %x : tensor<4xf32>\n  cf.br ^e(%y : tensor<4xf32>)\n"
            "^c:\n  %z = math." +
            inThird +
            " %x : tensor<4xf32>\n  cf.br ^e(%z : tensor<4xf32>)\n"
            "^e(%r: tensor<4xf32>):\n  return %r : tensor<4xf32>\n}\n")
        .str();
  };
  EXPECT_EQ(compareMains(program("sin", "cos"), program("sin", "cos")), "");
  EXPECT_NE(compareMains(program("sin", "cos"), program("cos", "cos")), "");
  EXPECT_NE(compareMains(program("sin", "cos"), program("cos", "sin")), "");
}

TEST(CallEquivalence, AReadInALoopIsNotOneBeforeAWrite) {
  auto program = [](StringRef used) {
    return (R"mlir(
func.func @main(%m: memref<4xf32>, %v: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %m[%c0] : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> (f32) {
    %b = memref.load %m[%c0] : memref<4xf32>
    %t = arith.addf %s, )mlir" +
            used + R"mlir( : f32
    scf.yield %t : f32
  }
  return %r : f32
}
)mlir")
        .str();
  };
  EXPECT_EQ(compareMains(program("%b"), program("%b")), "");
  EXPECT_NE(compareMains(program("%b"), program("%a")), "");
}

TEST(CallEquivalence, CallsInLoopsAreLookedInto) {
  std::string split = carried(inLoop(kSplit)), joint = carried(inLoop(kJoint));
  EXPECT_EQ(compareMains(split, split), "");
  EXPECT_EQ(compareMains(split, joint), "");
  EXPECT_NE(
      compareMains(split, change(joint, "@whole(%p, %e)", "@whole(%q, %e)")),
      "");
  EXPECT_NE(
      compareMains(split, change(joint, "@whole(%p, %e)", "@whole(%x, %e)")),
      "");
  EXPECT_NE(compareMains(split,
                         change(joint, "scf.yield %y, %g", "scf.yield %g, %y")),
            "");
}

/// A layer that overwrites its state, called twice and reversed.
constexpr char kBuffers[] = R"mlir(
func.func private @f(%m: memref<4xf32>, %w: memref<4xf32>) -> memref<4xf32> {
  %t = memref.alloc() : memref<4xf32>
  linalg.mul ins(%m, %w : memref<4xf32>, memref<4xf32>) outs(%t : memref<4xf32>)
  linalg.tanh ins(%t : memref<4xf32>) outs(%m : memref<4xf32>)
  return %t : memref<4xf32>
}
func.func private @back(%t: memref<4xf32>, %d: memref<4xf32>) {
  linalg.mul ins(%d, %t : memref<4xf32>, memref<4xf32>) outs(%d : memref<4xf32>)
  return
}
func.func @main(%m: memref<4xf32> {llvm.noalias}, %w: memref<4xf32> {llvm.noalias}, %d: memref<4xf32> {llvm.noalias}) {
  %s = call @f(%m, %w) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  linalg.exp ins(%m : memref<4xf32>) outs(%w : memref<4xf32>)
  call @back(%s, %d) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
)mlir";

/// The same with @f run twice; `body` is what @main does.
std::string twice(StringRef body) {
  return (R"mlir(
func.func private @plain(%m: memref<4xf32>, %w: memref<4xf32>) {
  %t = memref.alloc() : memref<4xf32>
  linalg.mul ins(%m, %w : memref<4xf32>, memref<4xf32>) outs(%t : memref<4xf32>)
  linalg.tanh ins(%t : memref<4xf32>) outs(%m : memref<4xf32>)
  memref.dealloc %t : memref<4xf32>
  return
}
func.func private @whole(%m: memref<4xf32>, %w: memref<4xf32>, %d: memref<4xf32>) {
  %t = memref.alloc() : memref<4xf32>
  linalg.mul ins(%m, %w : memref<4xf32>, memref<4xf32>) outs(%t : memref<4xf32>)
  linalg.tanh ins(%t : memref<4xf32>) outs(%m : memref<4xf32>)
  linalg.mul ins(%d, %t : memref<4xf32>, memref<4xf32>) outs(%d : memref<4xf32>)
  memref.dealloc %t : memref<4xf32>
  return
}
func.func @main(%m: memref<4xf32> {llvm.noalias}, %w: memref<4xf32> {llvm.noalias}, %d: memref<4xf32> {llvm.noalias}) {
)mlir" + body +
          "  return\n}\n")
      .str();
}

constexpr char kTakeM[] = "  %a = memref.alloc() : memref<4xf32>\n"
                          "  memref.copy %m, %a : memref<4xf32> to "
                          "memref<4xf32>\n";
constexpr char kTakeW[] = "  %b = memref.alloc() : memref<4xf32>\n"
                          "  memref.copy %w, %b : memref<4xf32> to "
                          "memref<4xf32>\n";
constexpr char kPlain[] =
    "  call @plain(%m, %w) : (memref<4xf32>, memref<4xf32>) -> ()\n";
constexpr char kBetween[] = "  linalg.exp ins(%m : memref<4xf32>) outs(%w : "
                            "memref<4xf32>)\n";

std::string again(StringRef m, StringRef w) {
  return ("  call @whole(" + m + ", " + w +
          ", %d) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()\n")
      .str();
}

TEST(CallEquivalence, AJointCallFindsItsSnapshots) {
  const std::string take = std::string(kTakeM) + kTakeW;
  EXPECT_EQ(compareMains(kBuffers, kBuffers), "");
  EXPECT_EQ(compareMains(kBuffers,
                         twice(take + kPlain + kBetween + again("%a", "%b"))),
            "");
}

TEST(CallEquivalence, FaultsInSnapshotsOfBuffersAreRefused) {
  const std::string takeM = kTakeM, takeW = kTakeW, plain = kPlain,
                    between = kBetween, run = again("%a", "%b");
  const std::string free = "  memref.dealloc %a : memref<4xf32>\n";
  const std::string restore =
      "  memref.copy %a, %m : memref<4xf32> to memref<4xf32>\n";
  std::pair<const char *, std::string> faults[] = {
      {"no snapshot of what the segment overwrites",
       takeW + plain + between + again("%m", "%b")},
      {"no snapshot of what is overwritten behind it",
       takeM + plain + between + again("%a", "%w")},
      {"no snapshot at all", plain + between + again("%m", "%w")},
      {"taken after the segment", plain + takeM + takeW + between + run},
      {"one taken after the segment", takeW + plain + takeM + between + run},
      {"taken after what is behind it", takeM + plain + between + takeW + run},
      {"restored after the second run",
       takeM + takeW + plain + between + again("%m", "%b") + restore},
      {"the wrong one restored",
       takeM + takeW + plain + between + again("%b", "%a")},
      {"freed before the second run",
       takeM + takeW + plain + between + free + run},
      {"an argument freed behind it",
       takeM + takeW + plain + between + run +
           "  memref.dealloc %m : memref<4xf32>\n"},
      {"freed in a region", takeM + takeW + plain + between +
                                "  scf.execute_region {\n" + free +
                                "    scf.yield\n  }\n" + run},
      {"left where the program had something else",
       takeM + takeW + plain + between + restore + run},
      {"the second run left out", takeM + takeW + plain + between},
      {"the first run left out", takeM + takeW + between + run},
  };
  for (auto &[what, body] : faults)
    EXPECT_NE(compareMains(kBuffers, twice(body)), "") << what;
}

/// A snapshot in a slower tier, of all that @f reads.
std::string throughHost(StringRef wait, StringRef load, StringRef loaded) {
  std::string text = twice((R"mlir(
  %a = memref.alloc() : memref<4xf32, #pebble.at<"host">>
  %t = pebble.store %m into %a : memref<4xf32> -> memref<4xf32, #pebble.at<"host">>
  )mlir" + wait + kTakeW + kPlain +
                            kBetween +
                            "  %r = memref.alloc() : memref<4xf32>\n" + load +
                            again("%r", "%b") + loaded)
                               .str());
  return text;
}

TEST(CallEquivalence, SnapshotsMayBeInASlowerTier) {
  const std::string load =
      "  %u = pebble.load %a into %r : memref<4xf32, #pebble.at<\"host\">> -> "
      "memref<4xf32>\n";
  const std::string wait = "  pebble.wait %t\n", loaded = "  pebble.wait %u\n";
  EXPECT_EQ(compareMains(kBuffers, throughHost(wait, load + loaded, "")), "");
  // The run does not wait for its snapshot; the snapshot is under way while its
  // source is overwritten.
  EXPECT_NE(compareMains(kBuffers, throughHost(wait, load, loaded)), "");
  EXPECT_NE(compareMains(kBuffers, throughHost("", wait + load + loaded, "")),
            "");
  // What is written to where it comes back may come before or after.
  const std::string write =
      "  memref.copy %m, %r : memref<4xf32> to memref<4xf32>\n";
  EXPECT_NE(
      compareMains(kBuffers, throughHost(wait, load + write + loaded, "")), "");
}

TEST(CallEquivalence, AFreedBufferIsNoResult) {
  auto program = [](StringRef end) {
    return ("func.func @main(%v: f32) -> memref<4xf32> {\n"
            "  %m = memref.alloc() : memref<4xf32>\n"
            "  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)\n" +
            end + "  return %m : memref<4xf32>\n}\n")
        .str();
  };
  EXPECT_EQ(compareMains(program(""), program("")), "");
  EXPECT_NE(compareMains(program(""), program("  memref.dealloc %m : "
                                              "memref<4xf32>\n")),
            "");
}

TEST(CallEquivalence, ATensorInABufferIsWhatTheBufferHolds) {
  auto program = [](StringRef used) {
    return ("func.func @main(%m: memref<4xf32>, %v: f32) -> tensor<4xf32> {\n"
            "  %x = bufferization.to_tensor %m restrict : memref<4xf32> to "
            "tensor<4xf32>\n"
            "  %k = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>\n"
            "  %y = math.sin %x : tensor<4xf32>\n"
            "  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)\n"
            "  %z = math.cos " +
            used +
            " : tensor<4xf32>\n  %r = arith.addf %y, %z : tensor<4xf32>\n"
            "  return %r : tensor<4xf32>\n}\n")
        .str();
  };
  EXPECT_EQ(compareMains(program("%k"), program("%k")), "");
  EXPECT_NE(compareMains(program("%k"), program("%x")), "");
}

TEST(CallEquivalence, PartsOfABufferAreToldApart) {
  auto program = [](StringRef first, StringRef second) {
    return (R"mlir(
func.func @main(%m: memref<8xf32> {llvm.noalias}, %v: f32, %i: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %h = memref.subview %m[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %a = memref.load %l[%c0] : memref<4xf32, strided<[1]>>
  linalg.fill ins(%v : f32) outs(%h : memref<4xf32, strided<[1], offset: 4>>)
  %b = memref.load %l[%c0] : memref<4xf32, strided<[1]>>
  memref.store %v, %m[%i] : memref<8xf32>
  %c = memref.load %l[%c0] : memref<4xf32, strided<[1]>>
  return )mlir" +
            first + ", " + second + " : f32, f32\n}\n")
        .str();
  };
  // The other half is no matter; an element that nobody knows may be.
  EXPECT_EQ(compareMains(program("%a", "%c"), program("%b", "%c")), "");
  EXPECT_NE(compareMains(program("%a", "%c"), program("%a", "%b")), "");
}

TEST(CallEquivalence, BuffersInLoopsAreWhatTheIterationFinds) {
  auto program = [](StringRef first, StringRef second) {
    return (R"mlir(
func.func @main(%m: memref<4xf32> {llvm.noalias}, %w: memref<4xf32> {llvm.noalias}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins()mlir" +
            first + " : memref<4xf32>) outs(" + second +
            " : memref<4xf32>)\n    linalg.tanh ins(" + second +
            " : memref<4xf32>) outs(" + first +
            " : memref<4xf32>)\n  }\n  return\n}\n")
        .str();
  };
  EXPECT_EQ(compareMains(program("%m", "%w"), program("%m", "%w")), "");
  EXPECT_NE(compareMains(program("%m", "%w"), program("%w", "%m")), "");
}

} // namespace

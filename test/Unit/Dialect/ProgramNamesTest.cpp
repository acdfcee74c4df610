//===- ProgramNamesTest.cpp - no two functions are called the same --------===//

#include "pebble/Dialect/ProgramNames.h"

#include "pebble/InitAll.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace {
/// The names of the functions of `text`, as the program calls them, or as its
/// first module inside does.
std::vector<std::string> namesIn(llvm::StringRef text, bool inside = false) {
  mlir::DialectRegistry registry;
  pebble::registerUpstream(registry);
  pebble::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  std::vector<std::string> names;
  if (!module)
    return names;
  mlir::Operation *root = *module;
  if (inside)
    root = *module->getOps<mlir::ModuleOp>().begin();
  root->walk([&](mlir::FunctionOpInterface function) {
    names.push_back(pebble::getProgramName(function, inside ? root : nullptr));
  });
  return names;
}
using Names = std::vector<std::string>;
} // namespace

TEST(ProgramNames, FunctionsOfOneModuleGoByTheirNames) {
  EXPECT_EQ(namesIn("module @m { func.func private @f() "
                    "func.func private @\"a::b\"() }"),
            (Names{"f", "a::b"}));
}

TEST(ProgramNames, ModulesInsideComeFirst) {
  EXPECT_EQ(namesIn("module @a { func.func private @f() module @deeper { "
                    "func.func private @f() } } func.func private @f()"),
            (Names{"a::f", "a::deeper::f", "f"}));
}

TEST(ProgramNames, ModulesWithoutANameAreNumbered) {
  EXPECT_EQ(namesIn("module { func.func private @f() } "
                    "module @a { func.func private @f() } "
                    "module { func.func private @f() }"),
            (Names{"#0::f", "a::f", "#1::f"}));
}

TEST(ProgramNames, NamesThatReadLikePathsAreQuoted) {
  EXPECT_EQ(namesIn("module @a { func.func private @\"b::f\"() "
                    "module @b { func.func private @f() } } "
                    "module @\"a::b\" { func.func private @f() } "
                    "module @\"#0\" { func.func private @f() } "
                    "module { func.func private @f() } "
                    "func.func private @\"a::b::f\"()"),
            (Names{"a::\"b::f\"", "a::b::f", "\"a::b\"::f", "\"#0\"::f",
                   "#0::f", "\"a::b::f\""}));
}

TEST(ProgramNames, NamesThatAreNoLineOfTextAreEscaped) {
  EXPECT_EQ(namesIn("func.func private @\"a\\0Ab\"() "
                    "func.func private @\"\\FF\"() "
                    "func.func private @\"\\22\\5CFF\\22\"() "
                    "func.func private @\"\\C3\\A4\"() "
                    "func.func private @\"a\\22b\"()"),
            (Names{"\"a\\0Ab\"", "\"\\FF\"", "\"\\22\\\\FF\\22\"", "\u00e4",
                   "a\"b"}));
}

TEST(ProgramNames, APartOfAProgramHasNamesOfItsOwn) {
  EXPECT_EQ(namesIn("module @a { func.func private @f() module @b { "
                    "func.func private @f() } }",
                    /*inside=*/false),
            (Names{"f", "b::f"}));
  EXPECT_EQ(namesIn("func.func private @g() module @a { func.func private @f() "
                    "module @b { func.func private @f() } }",
                    /*inside=*/true),
            (Names{"f", "b::f"}));
}

TEST(ProgramNames, WhatWasTakenOutIsCalledAsBefore) {
  EXPECT_EQ(namesIn("module attributes {pebble.path = \"a::b\"} { "
                    "func.func private @f() module @c { "
                    "func.func private @f() } }"),
            (Names{"a::b::f", "a::b::c::f"}));
}

TEST(ProgramNames, FilesHaveNamesOfTheirOwn) {
  llvm::StringSet<> taken;
  EXPECT_EQ(pebble::getFileName("a::f", taken), "a__f");
  EXPECT_EQ(pebble::getFileName("a__f", taken), "a__f-1");
  EXPECT_EQ(pebble::getFileName("a__f-1", taken), "a__f-1-1");
  EXPECT_EQ(pebble::getFileName("../f", taken), ".._f");
}

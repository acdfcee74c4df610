//===- StrictJson.h - JSON that says each thing once ------------*- C++ -*-===//
//
// llvm::json takes the last of two members of one name, numbers like "007", and
// calls itself for each level of nesting. A file that somebody wrote may hold
// all of these by mistake; here they are errors.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TARGET_STRICTJSON_H
#define PEBBLE_TARGET_STRICTJSON_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/JSON.h"

namespace pebble {

/// As llvm::json::parse; an error as well where an object has a member twice,
/// a number is spelt as JSON does not spell it, or lists and objects are nested
/// deeper than 100 levels.
llvm::Expected<llvm::json::Value> parseStrictJson(llvm::StringRef text);

/// A member of `object` that is none of `known`, if there is one.
std::optional<llvm::StringRef>
findUnknownMember(const llvm::json::Object &object,
                  llvm::ArrayRef<llvm::StringRef> known);

} // namespace pebble

#endif // PEBBLE_TARGET_STRICTJSON_H

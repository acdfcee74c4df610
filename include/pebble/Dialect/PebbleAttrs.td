//===- PebbleAttrs.td - tiers, hierarchies, placements -----*- tablegen -*-===//
//
// The attributes and types of the dialect. Figures are integers with one fixed
// unit each, so that a program costs the same on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PEBBLEATTRS_TD
#define PEBBLE_DIALECT_PEBBLEATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"
include "pebble/Dialect/PebbleDialect.td"

class Pebble_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Pebble_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Pebble_TierKind : I32Enum<"TierKind", "who decides what is in a tier", [
    I32EnumCase<"Cache", 0, "cache">,
    I32EnumCase<"Explicit", 1, "explicit">]> {
  let cppNamespace = "::pebble";
}

def Pebble_Inclusion : I32Enum<"Inclusion", "what a cache tier holds beside what faster ones hold", [
    I32EnumCase<"Exclusive", 0, "exclusive">,
    I32EnumCase<"Inclusive", 1, "inclusive">]> {
  let cppNamespace = "::pebble";
}

def Pebble_TierAttr : Pebble_Attr<"Tier", "tier"> {
  let summary = "One level of memory";
  let description = [{
    A tier has a name and a kind: hardware decides what is in a `cache` tier
    (it is priced by reuse distance), the program decides what is in an
    `explicit` one (by store, load and drop).

    | parameter | unit | default |
    |---|---|---|
    | `capacity` | bytes | unbounded |
    | `read`, `write` | femtojoules per byte read from, written to the tier | 0 |
    | `bandwidth` | MB/s, that is bytes per microsecond; 0 is "not known" | 0 |
    | `latency` | nanoseconds of one access, or of the start of one transfer | 0 |

    ```mlir
    module attributes {some.tier = #pebble.tier<"l1", kind = cache, capacity = 65536, read = 5000, write = 5000>} {}
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name">:$name,
    EnumParameter<Pebble_TierKind>:$kind,
    DefaultValuedParameter<"int64_t", "::pebble::kUnboundedCapacity", "bytes">:$capacity,
    DefaultValuedParameter<"int64_t", "0", "femtojoules per byte">:$read,
    DefaultValuedParameter<"int64_t", "0", "femtojoules per byte">:$write,
    DefaultValuedParameter<"int64_t", "0", "bytes per microsecond">:$bandwidth,
    DefaultValuedParameter<"int64_t", "0", "nanoseconds">:$latency);
  let assemblyFormat = [{
    `<` $name `,` struct($kind, $capacity, $read, $write, $bandwidth, $latency) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isCache() const { return getKind() == ::pebble::TierKind::Cache; }
    bool isBounded() const { return getCapacity() != ::pebble::kUnboundedCapacity; }
  }];
}

def Pebble_HierarchyAttr : Pebble_Attr<"Hierarchy", "hierarchy"> {
  let summary = "The tiers of a machine, fastest first";
  let description = [{
    Cache tiers come first, then the explicit ones. The first explicit tier is
    the compute tier: an operation's operands and results must be there while it
    runs.

    `inclusion` says how capacities bound a reuse distance: `exclusive` caches
    hold what the faster ones do not, so that capacities add up; an `inclusive`
    cache holds what the faster ones hold too, so that each stands alone.
    `compute` is the energy of one arithmetic operation in femtojoules, and
    `name` is what reports call the machine.

    The attribute stands on a module as `pebble.hierarchy`.

    ```mlir
    module attributes {pebble.hierarchy = #pebble.hierarchy<[
      <"l1", kind = cache, capacity = 65536, read = 5000, write = 5000>,
      <"hbm", kind = explicit, read = 160000, write = 160000>
    ], inclusion = inclusive, compute = 900, name = "small">} {}
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"::pebble::TierAttr", "fastest first">:$tiers,
    DefaultValuedParameter<"::pebble::Inclusion", "::pebble::Inclusion::Exclusive">:$inclusion,
    DefaultValuedParameter<"int64_t", "0", "femtojoules per operation">:$compute,
    StringRefParameter<"what reports call the machine", [{""}]>:$name);
  let assemblyFormat = [{
    `<` `[` $tiers `]` (`,` struct($inclusion, $compute, $name)^)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Index of the compute tier: the first explicit one. Always exists.
    unsigned getComputeTierIndex() const;
    ::pebble::TierAttr getComputeTier() const {
      return getTiers()[getComputeTierIndex()];
    }
    /// Index of the tier named `name`, or nothing.
    ::std::optional<unsigned> getTierIndex(::llvm::StringRef name) const;
    /// The tier named `name`, or null.
    ::pebble::TierAttr getTier(::llvm::StringRef name) const;
  }];
}

def Pebble_AtAttr : Pebble_Attr<"At", "at", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "The tier in which a value lives";
  let description = [{
    The encoding of a tensor, and the memory space of a memref. A value without
    a placement lives in the compute tier. A tensor whose encoding is taken by
    something else (sparsity, bounds) keeps its tier in the attribute
    `pebble.tier` of the op that defines it.

    ```mlir
    func.func private @park(tensor<8xf32, #pebble.at<"host">>, memref<8xf32, #pebble.at<"host">>)
    ```
  }];
  let parameters = (ins StringRefParameter<"name of a tier">:$tier);
  let assemblyFormat = "`<` $tier `>`";
  let genVerifyDecl = 1;
}

#endif // PEBBLE_DIALECT_PEBBLEATTRS_TD

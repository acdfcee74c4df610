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

def Pebble_Compression : I32Enum<"Compression", "how values are kept in a slower tier", [
    I32EnumCase<"None", 0, "none">,
    I32EnumCase<"Bitmask", 1, "bitmask">,
    I32EnumCase<"Bits", 2, "bits">]> {
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

def Pebble_GroupAttr : Pebble_Attr<"Group", "group"> {
  let summary = "Devices that are linked to each other";
  let description = [{
    One level of what lies between devices: a host, a node, a pod. Every rank of
    a group can send to every other one.

    | parameter | unit | default |
    |---|---|---|
    | `size` | ranks in one group | |
    | `bandwidth` | MB/s that a rank sends to others of its group, and as much that it receives | |
    | `latency` | nanoseconds until a message begins to arrive | 0 |
    | `energy` | femtojoules per byte sent | 0 |
  }];
  let parameters = (ins
    StringRefParameter<"name">:$name,
    "int64_t":$size,
    DefaultValuedParameter<"int64_t", "0", "bytes per microsecond">:$bandwidth,
    DefaultValuedParameter<"int64_t", "0", "nanoseconds">:$latency,
    DefaultValuedParameter<"int64_t", "0", "femtojoules per byte">:$energy);
  let assemblyFormat = [{
    `<` $name `,` struct($size, $bandwidth, $latency, $energy) `>`
  }];
  let genVerifyDecl = 1;
}

def Pebble_TopologyAttr : Pebble_Attr<"Topology", "topology"> {
  let summary = "What lies between the devices that run a program";
  let description = [{
    Groups of ranks, the smallest first. Each group consists of whole groups of
    the size before it; a message goes through the smallest group that both
    ranks are in. `ranks` is how many take part. `places` has the place of each
    rank, where they do not stand in their order: place 0 to `size` - 1 are the
    first group, and so on.

    ```mlir
    module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>], topology = <[
      <"node", size = 2, bandwidth = 450000, latency = 1000>,
      <"pod", size = 4, bandwidth = 50000, latency = 2000>
    ], ranks = 4, places = [0, 2, 1, 3]>>} {}
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"::pebble::GroupAttr", "the smallest first">:$groups,
    "int64_t":$ranks,
    OptionalArrayRefParameter<"int64_t", "the place of each rank">:$places);
  let assemblyFormat = [{
    `<` `[` $groups `]` `,` `ranks` `=` $ranks
    (`,` `places` `=` `[` $places^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Where `rank` stands.
    int64_t getPlace(int64_t rank) const {
      return getPlaces().empty() ? rank : getPlaces()[rank];
    }
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
    `compute` is the energy of one arithmetic operation in femtojoules, `speed`
    is how many arithmetic operations the machine does in a second (0: not
    known), and `name` is what reports call the machine. `topology` says what
    lies between several of these machines that run one program.

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
    DefaultValuedParameter<"int64_t", "0", "operations per second">:$speed,
    StringRefParameter<"what reports call the machine", [{""}]>:$name,
    OptionalParameter<"::pebble::TopologyAttr", "between devices">:$topology);
  let assemblyFormat = [{
    `<` `[` $tiers `]` (`,` struct($inclusion, $compute, $speed, $name, $topology)^)? `>`
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

    In a slower tier a value may be kept compressed, without loss, by what
    stores it there:

    | `compress` | what is stored of n elements of w bytes |
    |---|---|
    | `bitmask` | n bits, and w bytes for each element that is not zero in every bit |
    | `bits` | n bits; each element is exactly 0 or 1 of its type |

    The storage counts as the slot that is reserved for it: n bits, and for
    `bitmask` as many elements as may be nonzero by `density_percent` of 100;
    never more than the value takes as it is. A value that does not fit takes a
    dense slot beside it while it is there. Nothing is lost, but a peak may then
    be larger than predicted (docs/Runtime.md). With `rows` each row of the
    first dimension is a value of its own, with a slot of its own: so
    `pebble.save` keeps states.

    ```mlir
    func.func private @park(tensor<8xf32, #pebble.at<"host">>, memref<8xf32, #pebble.at<"host">>)
    func.func @sparse(%spikes: tensor<800xf32>) -> tensor<800xf32> {
      %copy, %t = pebble.store %spikes : tensor<800xf32> -> tensor<800xf32, #pebble.at<"host", compress = bits>>
      %away = pebble.wait %t for %copy : tensor<800xf32, #pebble.at<"host", compress = bits>>
      %back, %u = pebble.load %away : tensor<800xf32, #pebble.at<"host", compress = bits>> -> tensor<800xf32>
      %x = pebble.wait %u for %back : tensor<800xf32>
      return %x : tensor<800xf32>
    }
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name of a tier">:$tier,
    DefaultValuedParameter<"::pebble::Compression", "::pebble::Compression::None">:$compress,
    DefaultValuedParameter<"int64_t", "0", "elements of 100 that may be nonzero">:$density_percent,
    DefaultValuedParameter<"bool", "false", "each row is a value">:$rows);
  let assemblyFormat = [{
    `<` $tier (`,` struct($compress, $density_percent, $rows)^)? `>`
  }];
  let builders = [AttrBuilder<(ins "::llvm::StringRef":$tier), [{
    return $_get($_ctxt, tier, ::pebble::Compression::None, 0, false);
  }]>];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isCompressed() const {
      return getCompress() != ::pebble::Compression::None;
    }
    /// Bytes that the slot of a compressed value of `elements` elements of
    /// `width` bytes reserves.
    int64_t getSlotBytes(int64_t elements, int64_t width) const;
    /// The placement of one row of values that have this one.
    ::pebble::AtAttr getRowPlacement() const;
    /// Whether elements of `type` can be kept compressed: they take 1, 2, 4 or
    /// 8 bytes each.
    static bool canCompress(::mlir::Type type);
  }];
}

#endif // PEBBLE_DIALECT_PEBBLEATTRS_TD

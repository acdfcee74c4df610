// RUN: pebble-opt %s --split-input-file --verify-diagnostics

// The verifier of a module's hierarchy sees the ops in it before their own
// verifiers do. None of these may bring it down.
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>]>} {
  // expected-error@+1 {{requires attribute 'function_type'}}
  "func.func"() ({}) {sym_name = "f"} : () -> ()
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>]>} {
  // expected-error@+1 {{requires attribute 'function_type'}}
  "func.func"() ({
  ^bb0(%x: memref<4xf32>):
    "pebble.drop"(%x) : (memref<4xf32>) -> ()
  }) {sym_name = "f"} : () -> ()
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>]>} {
  // expected-error@+1 {{'memref.cast' op requires one result}}
  "memref.cast"() : () -> ()
}

// -----

// expected-error@+1 {{expected 1 or more results}}
"pebble.store"() : () -> ()

// -----

// expected-error@+1 {{expected 1 or more operands}}
"pebble.wait"() : () -> ()

// -----

// expected-error@+1 {{requires a single operand}}
"pebble.drop"() : () -> ()

// -----

// expected-error@+1 {{requires one result}}
"pebble.opaque"() : () -> ()

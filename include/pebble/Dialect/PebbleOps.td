//===- PebbleOps.td - moves, drops, and the opaque identity -*- tablegen -*-===//

#ifndef PEBBLE_DIALECT_PEBBLEOPS_TD
#define PEBBLE_DIALECT_PEBBLEOPS_TD

include "pebble/Dialect/PebbleAttrs.td"

class Pebble_Type<string name, string typeMnemonic>
    : TypeDef<Pebble_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Pebble_TokenType : Pebble_Type<"Token", "token"> {
  let summary = "A transfer that has started";
  let description = [{
    What `pebble.store` and `pebble.load` return and one `pebble.wait` in the
    same block takes. Between the two the storage is live in both tiers.
  }];
}

#endif // PEBBLE_DIALECT_PEBBLEOPS_TD

// No label of a picture stands on another one or leaves the picture: not where
// names are long or wide, values tiny, tiers two, steps few, lines close to the
// names of values, or two programs are compared.
// RUN: rm -rf %t && split-file %s %t
// RUN: pebble-report %t/lines.mlir --budget=60%% -o %t/lines > /dev/null
// RUN: pebble-report %t/wide.mlir -o %t/wide > /dev/null
// RUN: pebble-report %t/one.mlir --target=sutro -o %t/one > /dev/null
// RUN: pebble-opt %t/lines.mlir --pebble-schedule=budget=80%% --quiet -o %t/planned.mlir
// RUN: pebble-report %t/lines.mlir %t/planned.mlir --budget=80%% -o %t/both > /dev/null

// A training step, before and after, and what it costs within which budget.
// RUN: %python %S/../Integration/Transformer/transformer-step.py --layers=1 --width=16 --seq=16 > %t/train.mlir
// RUN: pebble-opt %t/train.mlir --pebble-schedule="budget=80%% time-limit-ms=3000" --quiet -o %t/half.mlir
// RUN: pebble-report %t/train.mlir %t/half.mlir --budget=80%% -o %t/train > /dev/null
// RUN: pebble-report %t/lines.mlir --sweep -o %t/sweep > /dev/null

// Many tiny values.
// RUN: %python %S/Inputs/tiny_values.py > %t/tiny.mlir
// RUN: pebble-report %t/tiny.mlir --pure=t --budget=50%% -o %t/tiny > /dev/null

// RUN: %python %S/Inputs/check_labels.py %t/lines/*.svg %t/wide/*.svg %t/one/*.svg %t/both/*.svg %t/train/*.svg %t/sweep/*.svg %t/tiny/*.svg %pebble_source/docs/pictures/*.svg

// The check finds what overprints, and what leaves the picture.
// RUN: not %python %S/Inputs/check_labels.py %t/bad.svg | FileCheck %s --check-prefix=BAD
// BAD-NOT:  apart
// BAD:      'long enough' leaves the picture
// BAD-NEXT: 'across' and 'beside' overprint
// BAD-NOT:  {{.}}

//--- lines.mlir
// The budget's line goes through the middle of what it would name.
func.func @main(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %n = tensor.empty() : tensor<16xf32>
  %w = tensor.empty() : tensor<64x16xf32>
  %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a0 = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %s = linalg.negf ins(%a0 : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.broadcast ins(%s : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
  %c = linalg.exp ins(%b : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
  %c0 = tensor.extract_slice %c[3, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %a1 = tensor.extract_slice %a[16] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %r = linalg.add ins(%c0, %a1 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

//--- wide.mlir
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"WORKING MEMORY OF A MACHINE WITH A NAME THAT IS LONG", kind = explicit, capacity = 9000>, <"disk", kind = explicit>]>} {
  func.func @A_FUNCTION_WITH_MORE_LETTERS_THAN_A_PICTURE_HAS_ROOM_FOR_AND_ALL_OF_THEM_AS_WIDE_AS_LETTERS_GET_MWMWMWMWMWMW(%x: tensor<1024xf32> {pebble.name = "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWW"}) -> tensor<1024xf32> {
    %e = tensor.empty() : tensor<1024xf32>
    %y = linalg.exp {pebble.name = "MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM"} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %away, %t = pebble.store %y : tensor<1024xf32> -> tensor<1024xf32, #pebble.at<"disk">>
    %there = pebble.wait %t for %away : tensor<1024xf32, #pebble.at<"disk">>
    %back, %u = pebble.load %there : tensor<1024xf32, #pebble.at<"disk">> -> tensor<1024xf32>
    %r = pebble.wait %u for %back : tensor<1024xf32>
    return %r : tensor<1024xf32>
  }
}

//--- one.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  return %a : tensor<4xf32>
}

//--- bad.svg
<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">
<text x="180" y="20" font-size="12">long enough</text>
<text x="20" y="50" font-size="12">beside</text>
<text x="20" y="60" font-size="12" transform="rotate(-45 20 60)">across</text>
<text x="90" y="50" font-size="12">apart</text>
</svg>

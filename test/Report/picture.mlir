// RUN: rm -rf %t && pebble-report %s --target=red-blue --budget-bytes=150 -o %t > /dev/null
// RUN: FileCheck %s < %t/step.svg
// RUN: %python %S/Inputs/check_output.py %t/step.svg %t/step.trace.json

// The picture is well-formed, refers to nothing outside itself, and says where
// the peak is and what is live there, for each tier in which anything lives.

// CHECK: >@step</text>
// CHECK: peak 192 B in red
// CHECK: >arguments</text>
// CHECK: >activations</text>
// CHECK: >results</text>
// CHECK: >budget</text>
// CHECK: >red</text>
// CHECK: <title>%x: argument, 64 B, steps 0 to 5</title>
// CHECK: <title>a: activation, 64 B, steps 0 to 2</title>
// CHECK: >budget 150 B</text>
// CHECK: >peak 192 B at step 5, math.absf %{{.*}}</text>
// CHECK: >live at the peak</text>
// CHECK: >blue</text>
// CHECK: >peak 64 B at step 1, pebble.store %copy</text>
// CHECK: energy by the tier that serves it (lru)

func.func @step(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = math.exp %x {pebble.name = "a"} : tensor<16xf32>
  %copy, %stored = pebble.store %a : tensor<16xf32> -> tensor<16xf32, #pebble.at<"blue">>
  %away = pebble.wait %stored for %copy : tensor<16xf32, #pebble.at<"blue">>
  %back, %loaded = pebble.load %away : tensor<16xf32, #pebble.at<"blue">> -> tensor<16xf32>
  %b = pebble.wait %loaded for %back : tensor<16xf32>
  %c = math.absf %b : tensor<16xf32>
  return %c : tensor<16xf32>
}

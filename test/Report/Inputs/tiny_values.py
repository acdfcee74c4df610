"""Writes a program of many small values beside a few large ones."""

COUNT = 120

print("func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {")
values = ["%x"]
for i in range(COUNT):
    size = 4096 if i % 30 == 7 else 64
    old = values[max(0, len(values) - 1 - i % 9)]
    print(f'  %v{i} = "t.op"(%x, {old}) : (tensor<64xf32>, '
          f'tensor<64xf32>) -> tensor<64xf32>')
    if size > 64:
        print(f'  %large{i} = "t.wide"(%v{i}) : (tensor<64xf32>) -> '
              f'tensor<{size}xf32>')
        print(f'  %n{i} = "t.narrow"(%large{i}) : (tensor<{size}xf32>) -> '
              'tensor<64xf32>')
        values.append(f"%n{i}")
    values.append(f"%v{i}")
print(f"  return {values[-1]} : tensor<64xf32>")
print("}")

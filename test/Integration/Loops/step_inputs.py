"""The inputs of each step of a network, and their gradients, as text.

What spiking.py and gru.py share: both are arrays with one place for each step.
They are in the compute tier, and a step reads a slice of the one and writes a
slice of the other; or, with `stream`, in a slower tier, from which a step fetches
its inputs and to which it takes their gradient.
"""


def write(steps, batch, inputs, stream):
    """Words of a program's template, by name. %xs are the inputs, %gx0 their first
    gradients, and %x those of step %t; %gx1 is %gx with %dx for step %t."""
    x, array = f"tensor<{batch}x{inputs}xf32>", f"tensor<{steps}x{batch}x{inputs}xf32"
    if stream:
        xs = f'{array}, #pebble.at<"data">>'
        return {
            "X": x, "Xs": xs,
            "tiers": ',\n  <"data", kind = explicit, read = 640000, write = 640000>',
            # Each place is written before anybody reads it.
            "gradients_of_inputs": f"%gx0 = bufferization.alloc_tensor() : {xs}",
            "inputs_of_step": f"%ix = tensor.empty() : {x}\n"
                              f"      %x = pebble.restore %xs[%t] into %ix : {xs} into {x}",
            "gradient_of_step": f"%gx1 = pebble.save %dx into %gx[%t] : {x} into {xs}",
        }
    xs = array + ">"
    place = f"[%t, 0, 0] [1, {batch}, {inputs}] [1, 1, 1]"
    return {
        "X": x, "Xs": xs, "tiers": "",
        "gradients_of_inputs": f"%ex = tensor.empty() : {xs}\n"
                               f"    %gx0 = linalg.fill ins(%zero : f32) outs(%ex : {xs}) -> {xs}",
        "inputs_of_step": f"%x = tensor.extract_slice %xs{place} : {xs} to {x}",
        "gradient_of_step": f"%gx1 = tensor.insert_slice %dx into %gx{place} : {x} into {xs}",
    }

"""Training steps as MLIR, by way of torch-mlir, for those who compile with MLIR."""

import contextlib
import dataclasses
import os

import torch
from torch.func import functional_call, grad_and_value
from torch.fx.experimental.proxy_tensor import make_fx

from pebble.tool import PebbleError

FORMS = {"linalg": "linalg-on-tensors", "stablehlo": "stablehlo"}


@dataclasses.dataclass
class Step:
    """A step as a module of MLIR. Its function `main` takes the parameters of the
    model and then the batch, and returns the loss and the gradients of the
    parameters that have one, in the same order."""

    #: The program: linalg on tensors, or StableHLO in the generic form.
    text: str
    #: What `main` takes, tensors of the model among them.
    arguments: tuple
    #: What those are called in the model; those of the batch are "batch0", ...
    names: list

    def save(self, folder):
        """Writes step.mlir and the arguments, 0.npy and so on. The list of options
        `--input=...` with which pebble-run reads them."""
        import numpy as np

        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "step.mlir"), "w") as file:
            file.write(self.text)
        options = []
        for index, argument in enumerate(self.arguments):
            path = os.path.join(folder, f"{index}.npy")
            np.save(path, argument.detach().cpu().numpy())
            options.append(f"--input={index}:{path}")
        return options


@contextlib.contextmanager
def _without_gradients(model):
    """What is traced differentiates by itself."""
    asked = [p for p in model.parameters() if p.requires_grad]
    try:
        for parameter in asked:
            parameter.requires_grad_(False)
        yield
    finally:
        for parameter in asked:
            parameter.requires_grad_(True)


def _scatter_one(x, dim, index, value):
    """One number in each row, which is what the derivative of a loss over classes
    writes. torch-mlir has an operation of its own for it, in a dialect that MLIR
    does not have."""
    rows = list(x.shape)
    rows[dim] = 1
    if list(index.shape) != rows:
        return NotImplemented
    sizes = [1] * x.dim()
    sizes[dim] = x.size(dim)
    places = torch.arange(x.size(dim), device=x.device).reshape(sizes)
    return torch.where(places == index, value, x)


def to_mlir(model, *batch, form="linalg"):
    """The step `loss = model(*batch); loss.backward()` as a Step.

    `model` is a module whose result is the loss, a tensor of one number. Its
    buffers, such as statistics of batch normalization, are constants of the step:
    what a step writes there is not among its results. `form` is "linalg", for
    pebble-opt as it is, or "stablehlo", for pebble-group-steps. PebbleError says
    what torch-mlir cannot lower.
    """
    if form not in FORMS:
        raise ValueError(f'form={form!r}: there are {", ".join(FORMS)}')
    try:
        from torch_mlir import fx
        from torch_mlir.compiler_utils import TorchMlirCompilerError
    except ImportError as error:
        raise ImportError(
            "to_mlir needs torch-mlir: pip install --no-deps torch-mlir packaging"
        ) from error
    parameters = dict(model.named_parameters())
    trained = [name for name, p in parameters.items() if p.requires_grad]
    names = list(parameters)

    def step(*arguments):
        given = dict(zip(names, arguments))
        rest = {name: given[name] for name in names if name not in trained}

        def loss(weights):
            # The module's own ones stay as they are.
            buffers = {name: b.clone() for name, b in model.named_buffers()}
            state = {**buffers, **rest, **weights}
            return functional_call(model, state, arguments[len(names) :])

        gradients, value = grad_and_value(loss)({n: given[n] for n in trained})
        return (value, *(gradients[name] for name in trained))

    arguments = (*(p.detach() for p in parameters.values()), *batch)
    with _without_gradients(model):
        # Derivatives in terms of what torch-mlir lowers.
        table = {
            **torch._decomp.core_aten_decompositions(),
            torch.ops.aten.scatter.value: _scatter_one,
        }
        traced = make_fx(step, decomposition_table=table, tracing_mode="real")(
            *arguments
        )
        exported = torch.export.export(traced, arguments)
        try:
            module = fx.export_and_import(
                exported, output_type=FORMS[form], func_name="main"
            )
        except TorchMlirCompilerError as error:
            raise PebbleError(
                f"torch-mlir does not lower this step to {FORMS[form]}: {error}"
            ) from None
    text = module.operation.get_asm(print_generic_op_form=form == "stablehlo")
    names += [f"batch{i}" for i in range(len(batch))]
    return Step(text, arguments, names)

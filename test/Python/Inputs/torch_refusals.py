"""What cannot be done is told, with what would do."""

import torch
from torch import nn

import pebble.torch
from torch_common import Layers, refusal, run, schedule

x = torch.randn(256, 32)
model = Layers()

# A budget that nothing fits: the least that does is named, and does.
error = refusal(lambda: run(schedule(model, 1000), model, [x]))
assert isinstance(error, pebble.torch.Infeasible), error
assert str(error.least) in str(error) and error.least > 1000
planned = schedule(model, error.least)
run(planned, model, [x])
assert planned.plans[0].planned == error.least

for bad, kind in ((0, ValueError), ("much", ValueError), (0.5, ValueError),
                  (None, TypeError), (True, TypeError)):
    error = refusal(lambda: pebble.torch.schedule(model, bad))
    assert type(error) is kind and "budget" in str(error), (bad, error)
assert "means" in str(refusal(lambda: schedule(model, "90%", means="offload")))
assert "compiler" in str(refusal(lambda: schedule(model, "90%", compiler="nvfuser")))
assert "no such" in str(refusal(lambda: schedule(model, "90%", pure=["no::such"])))

# Order alone does not bring it to what recomputation does.
error = refusal(lambda: run(schedule(model, "70%", means="none"), model, [x]))
assert isinstance(error, pebble.torch.Infeasible), error

# Sizes that are not known.
torch._dynamo.reset()
dynamic = torch.compile(
    model, backend=pebble.torch.backend("90%", verbose=False), dynamic=True
)
error = refusal(lambda: run(dynamic, model, [x]))
assert isinstance(error, pebble.torch.Unsupported), error
assert "dynamic=False" in str(error)

# Other shapes are another graph, with a plan of its own.
planned = schedule(model, "80%")
run(planned, model, [x])
run(planned, model, [x[:64]])
assert len(planned.plans) == 2 and planned.plans[1].budget < planned.plans[0].budget


class Nothing(nn.Module):
    """No gradient, no backward pass, nothing to plan."""

    def forward(self, x):
        return torch.tanh(x).sum()


with torch.no_grad():
    planned = schedule(Nothing(), "50%")
    assert torch.equal(planned(x), torch.tanh(x).sum())
assert not planned.plans
print("refusals are clear")

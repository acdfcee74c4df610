"""The partitioner as inductor takes it."""

import dataclasses
import hashlib
import json

from torch._inductor.custom_graph_pass import CustomPartitionerFn


class Planned(CustomPartitionerFn):
    def __init__(self, split):
        self.split = split

    def __call__(self, module, inputs, **named):
        return self.split(module, inputs, **named)

    def uuid(self):
        """What inductor keeps its compiled graphs by."""
        parts = [self.split.budget, dataclasses.asdict(self.split.options)]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def __reduce__(self):
        # It is a part of that key, too; plans that were made are not.
        return str, (self.uuid(),)

    def __deepcopy__(self, memo):
        return self

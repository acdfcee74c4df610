"""Sizes as people write and read them."""

import math
import re


def show(size):
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} B" if unit == "B" else f"{size:.2f} {unit}"
        size /= 1000


def read_budget(budget, original):
    """Bytes: a number, "60%" of what the function takes as it is, "7MiB",
    "7MB"."""
    if isinstance(budget, bool) or not isinstance(budget, (int, float, str)):
        raise TypeError(f"a budget is a number of bytes or a text, not {budget!r}")
    if isinstance(budget, float):
        if not budget.is_integer():
            raise ValueError(f'a budget of {budget} bytes; for a share, say "60%"')
        budget = int(budget)
    if isinstance(budget, str):
        found = re.fullmatch(
            r"\s*([0-9]+(?:\.[0-9]+)?)\s*(%|B|kB|KB|MB|GB|KiB|MiB|GiB)?\s*", budget
        )
        if not found:
            raise ValueError(
                f'a budget of {budget!r}; say bytes, "60%", "7MB" or "7MiB"'
            )
        number, unit = float(found[1]), found[2] or "B"
        if unit == "%":
            budget = math.floor(original * number / 100)
        else:
            base = 1024 if "i" in unit else 1000
            power = " kmg".index(unit[0].lower()) if len(unit) > 1 else 0
            budget = math.floor(number * base**power)
    if budget <= 0:
        raise ValueError(f"a budget of {budget} bytes")
    return budget

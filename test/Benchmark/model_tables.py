"""What jax/table.py and torch/table.py have in common: their command line."""

import argparse


def main(description, models, budgets, table, time_limit=20.0):
    """Prints `table(model, budgets, time_limit)` for each model that is asked for,
    or for all of them. `budgets` and `time_limit` are those of a run that names
    none."""
    parser = argparse.ArgumentParser(description=description.split("\n\n")[0])
    parser.add_argument("models", nargs="*", help=", ".join(models))
    parser.add_argument("--budgets", default=budgets)
    parser.add_argument("--time-limit", type=float, default=time_limit, help="seconds")
    options = parser.parse_args()
    for name in options.models or models:
        if name not in models:
            parser.error(f"no model '{name}'; there are {', '.join(models)}")
        table(name, [b for b in options.budgets.split(",") if b], options.time_limit)

"""What a function costs at several budgets: a table, and a picture of a plan."""

import html

from pebble import tool
from pebble.sizes import show

COLUMNS = ("budget", "bytes", "planned", "XLA reports", "arithmetic")


def draw(plan):
    """The plan beside the function as it is, step by step, as SVG; None where
    there is nothing to see, since the function fits as it is."""
    if not plan.steps:
        return None
    return tool.draw(plan.given, plan.steps, plan.budget)


class Report(list):
    """Pairs of a budget, and its Plan or the Infeasible that refused it. Prints
    as a table; in a notebook it is the table and the picture of the plan of the
    least budget that is kept."""

    def __init__(self, name, rows):
        super().__init__(rows)
        self.name = name
        self._picture = None

    @property
    def plan(self):
        """The plan of the least budget that is kept."""
        plans = [plan for _, plan in self if not isinstance(plan, Exception)]
        return min(plans, key=lambda plan: plan.budget, default=None)

    def _cells(self):
        for budget, plan in self:
            if isinstance(plan, Exception):
                least = show(plan.least) if plan.least else "not known"
                yield str(budget), f"no plan; the least known is about {least}"
                continue
            yield (
                str(budget), show(plan.budget), show(plan.planned),
                show(plan.reported), f"{plan.extra:+.1%}",
            )  # fmt: skip

    def __str__(self):
        widths = (10, 12, 12, 12, 11)

        def line(cells):
            if len(cells) == 2:
                return f"{cells[0]:>10}   {cells[1]}"
            return " ".join(f"{text:>{width}}" for text, width in zip(cells, widths))

        return "\n".join([line(COLUMNS), *(line(cells) for cells in self._cells())])

    __repr__ = __str__

    def to_svg(self):
        """The picture, or None where no plan has one."""
        if self._picture is None and self.plan:
            self._picture = draw(self.plan)
        return self._picture

    def save(self, path):
        """Writes the picture as an SVG file."""
        picture = self.to_svg()
        if picture is None:
            raise tool.PebbleError(
                f"there is no picture of {self.name}: no budget has a plan of its own"
            )
        with open(path, "w") as file:
            file.write(picture)

    def to_html(self):
        """The table and the picture."""

        def row(cells, tag="td"):
            if len(cells) == 2:
                text = f"<{tag}>{html.escape(cells[0])}</{tag}>"
                rest = html.escape(cells[1])
                return f'<tr>{text}<td colspan="{len(COLUMNS) - 1}">{rest}</td></tr>'
            made = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)
            return f"<tr>{made}</tr>"

        rows = [row(COLUMNS, "th"), *(row(cells) for cells in self._cells())]
        table = f"<table>{''.join(rows)}</table>"
        title = f"<p><code>{html.escape(self.name)}</code></p>"
        return title + table + (self.to_svg() or "")

    # What notebooks ask for.
    _repr_html_ = to_html
    _repr_svg_ = to_svg

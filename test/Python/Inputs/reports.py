"""A report is a table, and in a notebook a picture too."""

import sys
import xml.dom.minidom

import jax

import pebble.jax
from common import layers, make_layers, raises

folder = sys.argv[1]
params, x = make_layers()
grad = jax.grad(layers)
grad.__name__ = "a<b"
options = {"cache": folder, "time_limit": 2.0, "donate_argnums": ()}


def make(**more):
    return pebble.jax.report(
        grad, params, x, budgets=("90%", "75%", 1000), **options, **more
    )


report = make(svg=folder + "/plan.svg")
print(report)
assert [budget for budget, _ in report] == ["90%", "75%", 1000]
assert report.plan is report[1][1] and report.plan.reported <= report.plan.budget
assert isinstance(report[2][1], pebble.jax.Infeasible)
assert repr(report) == str(report)

# The picture is of the plan, beside the function as it is.
picture = open(folder + "/plan.svg").read()
assert picture == report._repr_svg_()
root = xml.dom.minidom.parseString(picture).documentElement
assert root.tagName == "svg"
assert "recomputed" in picture and "budget" in picture

# The table is escaped, and has a row for each budget and one for their names.
page = report._repr_html_()
assert page.count("<tr>") == 4 and "a&lt;b" in page and "<svg" in page
assert "no plan; the least known is about" in page
for budget, plan in report[:2]:
    assert pebble.jax.planning.show(plan.reported) in page

# A plan from the cache has its picture too.
again = make()
assert again.plan.cached and again._repr_svg_() == picture

# Where the function fits as it is, there is a table and nothing to draw.
loose = pebble.jax.report(grad, params, x, budgets=("100%",), **options)
assert loose._repr_svg_() is None and "<svg" not in loose._repr_html_()
raises(
    pebble.jax.PebbleError, "no picture", lambda: loose.save(folder + "/none.svg")
)
print("reports are shown")

"""Finds labels of pictures that overprint each other or leave the picture.

usage: check_labels.py FILE.svg...

The box of each text is worked out from the widths of Helvetica, which is what
pictures ask for, and turned as the text is. Two boxes overlap if no line parts
them. A picture without labels is an error.
"""

import math
import re
import sys
import xml.etree.ElementTree as xml

# Thousandths of the font size, from Adobe's metrics, for the characters ' ' to
# '~'; others count as wide ones.
PLAIN = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278,
    278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584,
    584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556,
    833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278,
    278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222,
    500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,
    500, 334, 260, 334, 584,
)
BOLD = (
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278,
    278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584,
    584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611,
    833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333,
    278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278,
    556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556,
    500, 389, 280, 389, 584,
)
ASCENT, DESCENT = 0.72, 0.2
# Boxes that share less than this many pixels only touch.
SLACK = 0.5


def get_width(text, size, is_bold):
    widths = BOLD if is_bold else PLAIN
    known = [
        widths[ord(c) - 32] if 32 <= ord(c) < 127 else 1000 if ord(c) > 0x2000
        else 278 for c in text
    ]
    return sum(known) * size / 1000


def inherit(element, parents, name, default):
    """What `element` says, or the nearest element around it."""
    while element is not None:
        if element.get(name) is not None:
            return element.get(name)
        element = parents.get(element)
    return default


def get_corners(element, parents, default_size):
    text = element.text or ""
    x, y = float(element.get("x")), float(element.get("y"))
    size = float(inherit(element, parents, "font-size", default_size))
    weight = inherit(element, parents, "font-weight", "normal")
    anchor = inherit(element, parents, "text-anchor", "start")
    width = get_width(text, size, weight == "bold")
    left = {"start": 0, "middle": -width / 2, "end": -width}[anchor]
    angle = 0.0
    turn = element.get("transform")
    if turn:
        words = turn[len("rotate("):-1].replace(",", " ").split()
        angle = math.radians(float(words[0]))
        assert (float(words[1]), float(words[2])) == (x, y), turn
    corners = []
    for dx, dy in ((left, -ASCENT * size), (left + width, -ASCENT * size),
                   (left + width, DESCENT * size), (left, DESCENT * size)):
        corners.append((x + dx * math.cos(angle) - dy * math.sin(angle),
                        y + dx * math.sin(angle) + dy * math.cos(angle)))
    return corners


def overlap(a, b):
    """Whether no side of either box parts the two."""
    for box in (a, b):
        for i in range(2):
            (x0, y0), (x1, y1) = box[i], box[i + 1]
            length = math.hypot(x1 - x0, y1 - y0)
            if length == 0:
                return False
            ux, uy = (x1 - x0) / length, (y1 - y0) / length
            first = [x * ux + y * uy for x, y in a]
            second = [x * ux + y * uy for x, y in b]
            if (min(max(first), max(second)) - max(min(first), min(second)) <
                    SLACK):
                return False
    return True


def check(path):
    root = xml.parse(path).getroot()
    width, height = float(root.get("width")), float(root.get("height"))
    parents = {child: parent for parent in root.iter() for child in parent}
    style = "".join(e.text for e in root.iter() if e.tag.endswith("style"))
    font = re.search(r"text\{font:(\d+)px", style)
    default_size = font.group(1) if font else None
    labels = [(e.text, get_corners(e, parents, default_size)) for e in root.iter()
              if e.tag.endswith("text") and (e.text or "").strip()]
    faults = [] if labels else ["no label at all"]
    for text, corners in labels:
        if not all(0 <= x <= width and 0 <= y <= height for x, y in corners):
            faults.append(f"'{text}' leaves the picture")
    labels.sort(key=lambda label: min(y for _, y in label[1]))
    for i, (text, corners) in enumerate(labels):
        bottom = max(y for _, y in corners)
        for other, others in labels[i + 1:]:
            if min(y for _, y in others) > bottom:
                break
            if overlap(corners, others):
                faults.append(f"'{text}' and '{other}' overprint")
    for fault in faults:
        print(f"{path}: {fault}")
    return not faults


if not all([check(path) for path in sys.argv[1:]]):
    sys.exit(1)

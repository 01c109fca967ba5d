#!/usr/bin/env python3
"""Computes the tables of src/math: make_tables.py [FOLDER]

FOLDER is the output folder, src/math by default. normals_162.inc has no formula and is read from
src/math. Everything else is computed here. Functions are computed with decimals, so that every machine
writes the same bytes.
"""
import os
import re
import struct
import sys
from decimal import Decimal, getcontext

getcontext().prec = 50
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "math")

# W. Prinz, "The MDC File Format", table 1: sigma widths of the 15 rho ranges. The null offsets are
# a running sum that starts at the equator, continues to the south pole, and ends with the
# ranges north of the equator.
WIDTHS = (4, 8, 12, 16, 20, 24, 28, 32, 28, 24, 20, 16, 12, 8, 4)
EQUATOR = 7
RINGS = (*range(EQUATOR, 15), *range(EQUATOR - 1, -1, -1))

GRID = 64  # cells along each side of an octant
# A normal is left out of a cell only if another one is nearer by more than this at each corner, for
# points whose coordinates add up to 1. This is far more than the rounding errors of doubles.
MARGIN = 1e-9


def pi():
    """Returns pi by Machin's formula."""
    def arctangent(inverse):
        term = total = Decimal(1) / inverse
        n, sign = 1, 1
        while term > Decimal(10) ** -60:
            term /= inverse * inverse
            n, sign = n + 2, -sign
            total += sign * term / n
        return total
    return 4 * (4 * arctangent(5) - arctangent(239))


PI = pi()


def sine(part, whole):
    """Returns sin(2 pi part / whole), exact if it is 0, 1 or -1, and symmetric to the last digit."""
    part %= whole
    if 2 * part > whole:
        return -sine(whole - part, whole)
    if 4 * part > whole:
        return sine(whole - 2 * part, 2 * whole)
    if 4 * part == whole:
        return Decimal(1)
    angle = 2 * PI * part / whole
    term, total, n = angle, angle, 1
    while abs(term) > Decimal(10) ** -48:
        term *= -angle * angle / ((n + 1) * (n + 2))
        total += term
        n += 2
    return total


def cosine(part, whole):
    return sine(4 * part + whole, 4 * whole)


def single(value):
    """Returns the nearest single-precision number, as a float."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def normals_256():
    table = []
    for ring in RINGS:
        width = WIDTHS[ring]
        for n in range(width):
            rho, sigma = (ring + 1, 32), (n, width)
            table.append(tuple(single(float(value)) for value in (
                cosine(*sigma) * sine(*rho), sine(*sigma) * sine(*rho), cosine(*rho))))
    return table


def normals_162():
    with open(os.path.join(HERE, "normals_162.inc"), encoding="ascii") as file:
        rows = re.findall(r"\{(.*?)f, (.*?)f, (.*?)f\}", file.read())
    return [tuple(single(float(value)) for value in row) for row in rows]


# ---- The grid: the octant of positive coordinates as a triangle of cells ------------------------

def octants(normals):
    """Returns eight lists: the normals without negative coordinates, and their mirror images. Bits 0, 1 and 2
    of a list's number mirror x, y and z."""
    positive = [normal for normal in normals if min(normal) >= 0]
    return [[normals.index(tuple(-c if signs >> axis & 1 and c else c for axis, c in enumerate(normal)))
             for normal in positive] for signs in range(8)]


def candidates(normals, polygon):
    """Returns all normals that may be nearest somewhere in a polygon. The dot product with a point is
    linear, so a normal with a smaller product at each corner has a smaller product everywhere."""
    products = [[x * n[0] + y * n[1] + z * n[2] for n in normals] for x, y, z in polygon]
    best = [row.index(max(row)) for row in products]
    return [i for i in range(len(normals))
            if not any(all(row[j] > row[i] + MARGIN for row in products) for j in best)]


def grid(positive):
    """Returns the start of each cell's list, and the lists: a count, then indices in order. The look-up
    compares at least two without a branch, so a list of one has another normal too. Rounding may lead to the
    cells just beyond the diagonal; only their first corner is a direction of the octant."""
    lists, starts, pool = {}, [], []
    for row in range(GRID + 1):
        for column in range(GRID + 1 - row):
            corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
            found = candidates(positive, [(i / GRID, j / GRID, 1 - (i + j) / GRID)
                                          for i, j in corners if i + j <= GRID])
            key = tuple(found) if len(found) > 1 else (*found, (found[0] + 1) % len(positive))
            if key not in lists:
                lists[key] = len(pool)
                pool += [len(key), *key]
            starts.append(lists[key])
    assert len(pool) <= 65536
    return starts, pool


# ---- Writing ------------------------------------------------------------------------------------

def literal(value):
    """Returns a C literal; nine digits represent a single exactly."""
    text = f"{value:.9g}"
    assert single(float(text)) == value
    return text + ("f" if "." in text or "e" in text else ".0f")


def numbers(values, separator=",", end=""):
    """Returns lines of up to 120 columns with the values."""
    line, lines = "   ", []
    for value in values:
        if len(line) + len(str(value)) + len(separator) + len(end) + 1 > 120:
            lines.append(line)
            line = "   "
        line += f" {value}{separator}"
    return f"{end}\n".join(lines + [line]) + "\n"


def write(folder, name, comment, body):
    with open(os.path.join(folder, name), "w", encoding="ascii", newline="\n") as file:
        file.write(f"/* {comment}\n * Made by scripts/make_tables.py. */\n{body}")


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else HERE
    table = normals_256()
    rings, first = "", 0
    for width in sorted(set(WIDTHS), reverse=True):
        rings += f"#define RING_{width}(N, z) \\\n" + numbers(
            ("N({}, {}, z)".format(*map(literal, row[:2])) for row in table[first:first + width // 4]), "", " \\")
        first += width
    write(folder, "normals_256.inc",
          "The first quarters of the 15 rings of MDC's normals: W. Prinz, \"The MDC File Format\", section 5.",
          rings + "#define RINGS(RING) \\\n" + numbers(
              (f"RING(RING_{WIDTHS[ring]}, {literal(single(float(cosine(ring + 1, 32))))})" for ring in RINGS), "", " \\"))
    write(folder, "quarter_turn.inc", "STEP(sine, cosine) of the first 64 of 256 steps of a full turn.",
          "#define QUARTER_TURN(STEP) \\\n" + numbers(
              (f"STEP({float(sine(i, 256))!r}, {float(cosine(i, 256))!r})" for i in range(64)), "", " \\"))
    for count, normals in ((162, normals_162()), (256, table)):
        assert len(normals) == count
        mirrored = octants(normals)
        starts, pool = grid([normals[i] for i in mirrored[0]])
        write(folder, f"grid_{count}.inc",
              f"A normal_grid of the {count} normals (normals.c): octants, cells, lists.",
              "    {\n%s    },\n" % "".join("    {\n%s    },\n" % numbers(octant) for octant in mirrored) +
              "".join("    {\n%s    },\n" % numbers(values) for values in (starts, pool)))


if __name__ == "__main__":
    main()

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

GRID = 64
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
    for ring in list(range(EQUATOR, 15)) + list(range(EQUATOR - 1, -1, -1)):
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


# ---- The grid: directions as points of an octahedron that is unfolded to a square ---------------

def pieces(column, row):
    """Returns the flat pieces of a cell: for each, the corners of a polygon on one face of the octahedron.
    The cell determines the signs, so that a corner on an axis stays on the cell's face."""
    def corner(i, j, lower):
        u, v = 2 * i / GRID - 1, 2 * j / GRID - 1
        if not lower:
            return (u, v, 1 - abs(u) - abs(v))
        sign_u = 1 if 2 * column >= GRID else -1
        sign_v = 1 if 2 * row >= GRID else -1
        return ((1 - abs(v)) * sign_u, (1 - abs(u)) * sign_v, 1 - abs(u) - abs(v))

    corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
    depth = [abs(2 * i - GRID) + abs(2 * j - GRID) - GRID for i, j in corners]
    result = []
    for lower in (False, True):
        inside = [c for c, d in zip(corners, depth) if (d >= 0 if lower else d <= 0)]
        if len(inside) > 2:
            result.append([corner(i, j, lower) for i, j in inside])
    return result


def candidates(normals, polygon):
    """Returns all normals that may be nearest somewhere in a polygon. The dot product with a point is
    linear, so a normal with a smaller product at each corner has a smaller product everywhere."""
    products = [[x * n[0] + y * n[1] + z * n[2] for n in normals] for x, y, z in polygon]
    best = [row.index(max(row)) for row in products]
    return {i for i in range(len(normals))
            if not any(all(row[j] > row[i] + MARGIN for row in products) for j in best)}


def grid(normals):
    """Returns the start of each cell's list, and the lists: a count, then indices in order. The look-up
    compares at least two without a branch, so a list of one repeats it."""
    lists, starts, pool = {}, [], []
    for row in range(GRID):
        for column in range(GRID):
            found = set()
            for polygon in pieces(column, row):
                found |= candidates(normals, polygon)
            key = tuple(sorted(found)) if len(found) > 1 else (*found, *found)
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


def numbers(values):
    """Returns lines of up to 120 columns with the values."""
    line, lines = "   ", []
    for value in values:
        if len(line) + len(str(value)) + 2 > 120:
            lines.append(line)
            line = "   "
        line += f" {value},"
    return "\n".join(lines + [line]) + "\n"


def write(folder, name, comment, body):
    with open(os.path.join(folder, name), "w", encoding="ascii", newline="\n") as file:
        file.write(f"/* {comment}\n * Made by scripts/make_tables.py. */\n{body}")


def lookup(normals):
    """Returns a lm_lookup: the distinct absolute values, and for each coordinate of each normal an index."""
    single_of = [[single(float(value)) for value in row] for row in normals]
    sizes = sorted({abs(value) for row in single_of for value in row})
    assert len(sizes) <= 32 and sizes[0] == 0
    lists = [list(map(literal, sizes))]
    for axis in range(3):
        lists.append([sizes.index(abs(row[axis])) | (128 if row[axis] < 0 else 0)
                      for row in single_of])
    return "".join("    {\n%s    },\n" % numbers(values) for values in lists)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else HERE
    table = normals_256()
    write(folder, "normals_256.inc",
          "The 256 normals of MDC: W. Prinz, \"The MDC File Format\", section 5.",
          numbers("{%s}" % ", ".join(map(literal, row)) for row in table))
    write(folder, "sine_256.inc", "Sines of the first quarter of a circle in 256 steps.",
          numbers(repr(float(sine(i, 256))) for i in range(65)))
    write(folder, "angles.inc", "Sine and cosine of each of 256 steps of a full turn.",
          numbers("ANGLE({}, {})".format(*(literal(single(float(function(i, 256)))) for function in (sine, cosine)))
                  for i in range(256)))
    for count, normals in ((162, normals_162()), (256, table)):
        assert len(normals) == count
        write(folder, f"lookup_{count}.inc",
              f"Coordinates of the {count} normals: magnitudes, then the index of each coordinate's magnitude, plus 128 if negative.",
              lookup(normals))
        starts, pool = grid(normals)
        write(folder, f"grid_{count}_cells.inc",
              f"Start of each cell's list of normals, row by row, for the {count} normals.",
              numbers(starts))
        write(folder, f"grid_{count}_lists.inc",
              f"Lists of normals for the cells of the {count} normals: the number, then the indices.", numbers(pool))


if __name__ == "__main__":
    main()

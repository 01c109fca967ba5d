"""Decodes EXT_meshopt_compression, written from the extension's text alone. It is slow and simple: an oracle for the
encoder's output. `unpack` turns a compressed .glb into its JSON and the bytes of each buffer view."""
import math
import struct

import bake


class Damaged(Exception):
    pass


def signed(byte):
    """Undoes zigzag coding of a byte."""
    return -(byte >> 1) - 1 & 0xFF if byte & 1 else byte >> 1


def decode_group(data, at, mode):
    """Returns 16 deltas and the position after them. Modes: 0 zeros, 1 two bits, 2 four bits, 3 bytes."""
    if mode == 0:
        return bytes(16), at
    if mode == 3:
        return data[at:at + 16], at + 16
    bits = 2 * mode
    packed, at = data[at:at + 2 * bits], at + 2 * bits
    most, out = (1 << bits) - 1, bytearray()
    for i in range(16):
        place = i * bits
        value = packed[place // 8] >> (8 - bits - place % 8) & most
        if value == most:
            value, at = data[at], at + 1
        out.append(value)
    return out, at


def decode_attributes(data, count, stride):
    """Mode ATTRIBUTES, version 0."""
    if data[0] != 0xA0:
        raise Damaged("header %02x" % data[0])
    tail = max(32, stride)
    last = bytearray(data[len(data) - stride:])
    out, at = bytearray(count * stride), 1
    block = min(256, (8192 // stride) & ~15)
    for first in range(0, count, block):
        size = min(block, count - first)
        groups = (size + 15) // 16
        for k in range(stride):
            header, at = data[at:at + (groups + 3) // 4], at + (groups + 3) // 4
            for group in range(groups):
                deltas, at = decode_group(data, at, header[group // 4] >> 2 * (group % 4) & 3)
                for i, delta in enumerate(deltas):
                    if 16 * group + i < size:
                        last[k] = last[k] + signed(delta) & 0xFF
                        out[(first + 16 * group + i) * stride + k] = last[k]
    if len(data) - at != tail:
        raise Damaged("%d bytes are left, not %d" % (len(data) - at, tail))
    return bytes(out)


def decode_indices(data, count, stride):
    """Mode INDICES, version 1."""
    if data[0] != 0xD1:
        raise Damaged("header %02x" % data[0])
    out, last, at = bytearray(), [0, 0], 1
    for _ in range(count):
        code = shift = 0
        while True:
            byte, at = data[at], at + 1
            code |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        which, code = code & 1, code >> 1
        last[which] += -(code >> 1) - 1 if code & 1 else code >> 1
        out += struct.pack("<I", last[which] & 0xFFFFFFFF)[:stride]
    if len(data) - at != 4:
        raise Damaged("%d bytes are left, not 4" % (len(data) - at))
    return bytes(out)


def undo_exponential(data):
    out = bytearray()
    for (word,) in struct.iter_unpack("<i", data):
        mantissa = (word & 0xFFFFFF ^ 0x800000) - 0x800000
        out += struct.pack("<f", math.ldexp(mantissa, word >> 24))
    return bytes(out)


def unpack(glb):
    """Returns the JSON of a .glb and the decoded bytes of its buffer views."""
    gltf = bake.read_glb(glb)
    document, binary, views = gltf.document, gltf.data, []
    for index, view in enumerate(document.get("bufferViews", ())):
        packed = view.get("extensions", {}).get("EXT_meshopt_compression")
        if not packed:
            assert view["buffer"] == 0
            views.append(gltf.view(index))
            continue
        check(document, view, packed)
        data = binary[packed["byteOffset"]:packed["byteOffset"] + packed["byteLength"]]
        decode = {"ATTRIBUTES": decode_attributes, "INDICES": decode_indices}[packed["mode"]]
        data = decode(data, packed["count"], packed["byteStride"])
        views.append(undo_exponential(data) if packed.get("filter") == "EXPONENTIAL" else data)
    return document, views


def check(document, view, packed):
    """Checks the rules of the extension for a view and its fallback buffer."""
    fallback = document["buffers"][view["buffer"]]
    stride, count = packed["byteStride"], packed["count"]
    rules = {
        "the fallback buffer has no bytes": "uri" not in fallback and view["buffer"] > 0,
        "the fallback buffer is marked": fallback["extensions"]["EXT_meshopt_compression"] == {"fallback": True},
        "the fallback buffer contains the view":
            view.get("byteOffset", 0) + view["byteLength"] <= fallback["byteLength"],
        "the sizes are equal": view["byteLength"] == stride * count,
        "the strides are equal": view.get("byteStride", stride) == stride,
        "the stride is allowed":
            stride % 4 == 0 and stride <= 256 if packed["mode"] == "ATTRIBUTES" else stride in (2, 4),
        "the filter is allowed": packed["mode"] == "ATTRIBUTES" or "filter" not in packed,
        "the extension is required": "EXT_meshopt_compression" in document["extensionsRequired"],
    }
    broken = [rule for rule, holds in rules.items() if not holds]
    if broken:
        raise Damaged("; ".join(broken))

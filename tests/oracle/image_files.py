"""Images by the descriptions, with Python's standard library only: PCX, PNG and TGA, written and
read independently of the library."""
import struct
import zlib

EGA = [tuple((170 if i >> b & 1 else 0) + (85 if i & 8 else 0) for b in (2, 1, 0)) for i in range(16)]
EGA[6] = (170, 85, 0)


# ---- PCX ----------------------------------------------------------------------------------------

def pcx_write(rows, bits, planes, *, version=5, padding=0, origin=(0, 0), raw=False, colours=None,
              header_colours=bytes(48)):
    """rows: lists of indices, or of tuples of planes' values if bits is 8 and planes > 1."""
    height, width = len(rows), len(rows[0])
    line = -(-width * bits // 8) + padding
    data = bytearray()
    for row in rows:
        for plane in range(planes):
            text = ""
            for value in row:
                part = value[plane] if isinstance(value, tuple) else value >> plane * bits
                text += format(part & (1 << bits) - 1, f"0{bits}b")
            text = text.ljust(8 * line, "0")
            data += bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))
    header = struct.pack("<4B4H2H48sBBHHHH54x", 10, version, not raw, bits, *origin,
                         origin[0] + width - 1, origin[1] + height - 1, 72, 72, header_colours, 0,
                         planes, line, 1, 0, 0)
    assert len(header) == 128
    tail = b"" if colours is None else b"\x0c" + bytes(sum(colours, ()))
    return header + (bytes(data) if raw else runs(data)) + tail


def runs(data):
    out, at = bytearray(), 0
    while at < len(data):
        end = at
        while end < len(data) and end - at < 63 and data[end] == data[at]:
            end += 1
        if end - at > 1 or data[at] >= 192:
            out.append(192 + end - at)
        out.append(data[at])
        at = end
    return bytes(out)


# ---- PNG ----------------------------------------------------------------------------------------

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def plain_png(side):
    """Makes a PNG of one bit per pixel, all of the same colour."""
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)),
              (b"IDAT", zlib.compress(bytes((1 + side // 8) * side), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*each) for each in chunks)


def png_write(rows, colour, palette=None, alpha=None, filters=(0,)):
    """rows: bytes of samples of 8 bits. The lines use the filters in turn."""
    step = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    raw, above = b"", bytes(len(rows[0]))
    for number, row in enumerate(rows):
        kind = filters[number % len(filters)]
        raw += bytes([kind]) + bytes((value - guess(kind, row, above, i, step)) & 255 for i, value in enumerate(row))
        above = row
    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(
        ">IIBBBBB", len(rows[0]) // step, len(rows), 8, colour, 0, 0, 0))
    if palette:
        out += chunk(b"PLTE", bytes(sum(palette, ())))
    if alpha:
        out += chunk(b"tRNS", bytes(alpha))
    return out + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


def guess(kind, row, above, i, step):
    a = row[i - step] if i >= step else 0
    b = above[i]
    c = above[i - step] if i >= step else 0
    if kind == 4:
        return min((a, b, c), key=lambda v: abs(a + b - c - v))
    return (0, a, b, (a + b) // 2)[kind]


def png_rows(data):
    """Returns width, height, bits and colour type of a PNG that is not interlaced, its chunks by kind, and its rows without
    filters. Every check is made."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, parts, order = 8, {}, []
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        assert data[at:at + 12 + size] == chunk(kind, body), kind
        parts[kind] = parts.get(kind, b"") + body
        order.append(kind)
        at += 12 + size
    assert order[0] == b"IHDR" and order[-1] == b"IEND"
    width, height, bits, colour, *rest = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    assert rest == [0, 0, 0]
    step = {2: 3, 3: 1, 6: 4}[colour] * bits // 8
    raw, size = zlib.decompress(parts[b"IDAT"]), width * step
    assert len(raw) == height * (1 + size)
    above, rows = bytes(size), []
    for start in range(0, len(raw), 1 + size):
        row = bytearray(raw[start + 1:start + 1 + size])
        if raw[start] == 2:
            row = bytearray((value + b) & 255 for value, b in zip(row, above))
        elif raw[start]:
            for i in range(size):
                row[i] = (row[i] + guess(raw[start], row, above, i, step)) & 255
        above = bytes(row)
        rows.append(above)
    return (width, height, bits, colour), parts, rows


def png_read(data):
    """Returns width, height and RGBA of a PNG with 8 bits per sample."""
    (width, height, bits, colour), parts, rows = png_rows(data)
    assert bits == 8
    return width, height, b"".join(rgba(row, colour, parts) for row in rows)


def rgba(row, colour, parts):
    if colour == 6:
        return row
    if colour == 2:
        return b"".join(row[i:i + 3] + b"\xff" for i in range(0, len(row), 3))
    alpha = parts.get(b"tRNS", b"").ljust(256, b"\xff")
    assert 3 * max(row) < len(parts[b"PLTE"])
    return b"".join(parts[b"PLTE"][3 * i:3 * i + 3] + alpha[i:i + 1] for i in row)


# ---- BMP ----------------------------------------------------------------------------------------

def bmp_write(rows, colours=None, *, packed=False, upwards=True):
    """rows: lists of indices, if there are colours, else of (red, green, blue[, alpha])."""
    step = 1 if colours else len(rows[0][0])
    data = bytearray()
    for row in reversed(rows) if upwards else rows:
        if packed:
            at = 0
            while at < len(row):
                end = at
                while end < len(row) and end - at < 255 and row[end] == row[at]:
                    end += 1
                data += bytes([end - at, row[at]])
                at = end
            data += b"\0\0"
        else:
            line = b"".join(bytes([p]) if colours else bytes((p[2], p[1], p[0], *p[3:])) for p in row)
            data += line + bytes(-len(line) % 4)
    palette = b"".join(bytes((b, g, r, 0)) for r, g, b in colours or ())
    header = struct.pack("<IiiHHII8xI", 40, len(rows[0]), len(rows) if upwards else -len(rows), 1, 8 * step, packed,
                         len(data), len(colours or ())).ljust(40, b"\0")
    return (struct.pack("<2sI4xI", b"BM", 54 + len(palette) + len(data), 54 + len(palette)) + header + palette +
            bytes(data) + (b"\0\1" if packed else b""))


# ---- TGA ----------------------------------------------------------------------------------------

def tga_write(rows, *, packed=False, upwards=True):
    """rows: lists of (red, green, blue[, alpha])."""
    size = len(rows[0][0])
    data = bytearray()
    for row in reversed(rows) if upwards else rows:
        texts = [bytes((p[2], p[1], p[0], *p[3:])) for p in row]
        at = 0
        while at < len(texts):
            if not packed:
                data += texts[at]
                at += 1
                continue
            end = at
            while end < len(texts) and end - at < 128 and texts[end] == texts[at]:
                end += 1
            if end - at > 1:
                data += bytes([127 + end - at]) + texts[at]
            else:
                data += b"\0" + texts[at]
            at = end
    return struct.pack("<BBBHHBHHHHBB", 0, 0, 10 if packed else 2, 0, 0, 0, 0, 0, len(rows[0]),
                       len(rows), 8 * size, 0 if upwards else 32) + bytes(data)


def tga_read(data):
    """Returns width, height and RGBA of a TGA that old games can read: uncompressed, rows from the bottom."""
    kind, width, height, bits, flags = struct.unpack_from("<2xB9xHHBB", data)
    step = bits // 8
    assert kind == 2 and flags in (0, 8) and bits == (32 if flags else 24) and len(data) == 18 + width * height * step
    pixels = [data[i:i + step] for y in reversed(range(height))
              for i in range(18 + y * width * step, 18 + (y + 1) * width * step, step)]
    return width, height, b"".join(bytes((p[2], p[1], p[0])) + (p[3:] or b"\xff") for p in pixels)

"""Screenshots of engines: reading, comparing and laying them out, with the standard library only."""
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Picture:
    width: int
    height: int
    pixels: bytes  # RGB, the top row first

    def rows(self) -> list[bytes]:
        step = 3 * self.width
        return [self.pixels[at:at + step] for at in range(0, len(self.pixels), step)]


def unpack_runs(data: bytes, step: int, size: int) -> bytes:
    """Returns `size` bytes of a run-length encoded TGA's pixels."""
    out, at = bytearray(), 0
    while len(out) < size and at < len(data):
        count = (data[at] & 127) + 1
        if data[at] & 128:
            out += data[at + 1:at + 1 + step] * count
            at += 1 + step
        else:
            out += data[at + 1:at + 1 + step * count]
            at += 1 + step * count
    return bytes(out[:size])


def read_tga(path: Path) -> Picture:
    """Reads what the engines write: 24 or 32 bits, plain or run-length encoded."""
    data = path.read_bytes()
    if len(data) < 18 or data[2] not in (2, 10):
        raise ValueError(f"{path}: not a TGA file of 24 or 32 bits")
    width, height, bits, flags = struct.unpack_from("<HHBB", data, 12)
    step = bits // 8
    start = 18 + data[0]
    size = width * height * step
    body = unpack_runs(data[start:], step, size) if data[2] == 10 else data[start:start + size]
    if len(body) < size:
        raise ValueError(f"{path}: the file is cut off")
    rgb = bytearray(3 * width * height)
    for channel in range(3):
        rgb[channel::3] = body[2 - channel::step]
    rows = [bytes(rgb[at:at + 3 * width]) for at in range(0, len(rgb), 3 * width)]
    return Picture(width, height, b"".join(rows if flags & 0x20 else reversed(rows)))


def difference(a: Picture, b: Picture) -> bytes:
    """Returns the XOR of all bytes."""
    if (a.width, a.height) != (b.width, b.height):
        raise ValueError("two sizes of pictures")
    size = len(a.pixels)
    both = int.from_bytes(a.pixels, "big") ^ int.from_bytes(b.pixels, "big")
    return both.to_bytes(size, "big")


def changed(a: Picture, b: Picture) -> int:
    """Returns a number with a byte per pixel, not 0 where they differ in any channel."""
    bits = difference(a, b)
    channels = [int.from_bytes(bits[channel::3], "big") for channel in range(3)]
    return channels[0] | channels[1] | channels[2]


def count_different(a: Picture, b: Picture) -> int:
    """Returns the number of pixels that differ in any channel."""
    count = a.width * a.height
    return count - changed(a, b).to_bytes(count, "big").count(0)


def count_outline(a: Picture, b: Picture, empty: Picture) -> int:
    """Returns the number of pixels that show something in only one of two pictures."""
    count = a.width * a.height
    both = (changed(picture, empty).to_bytes(count, "big") for picture in (a, b))
    return sum(bool(x) != bool(y) for x, y in zip(*both))


def largest_difference(a: Picture, b: Picture) -> int:
    """Returns the largest difference of two bytes."""
    return max((abs(x - y) for x, y in zip(a.pixels, b.pixels) if x != y), default=0)


def middle_row(picture: Picture, colour: str) -> float | None:
    """Returns the mean row of the pixels whose red, green or blue exceeds the others twice; None if they are few."""
    channel = ("red", "green", "blue").index(colour)
    rows = []
    for y, row in enumerate(picture.rows()):
        for x in range(0, len(row), 3):
            pixel = row[x:x + 3]
            if pixel[channel] > 40 and all(pixel[channel] > 2 * pixel[i] for i in range(3) if i != channel):
                rows.append(y)
    return sum(rows) / len(rows) if len(rows) > 50 else None


def marked(a: Picture, b: Picture) -> Picture:
    """Returns a picture that is white where two pictures differ."""
    bits = difference(a, b)
    white = bytearray(len(bits))
    for at in range(0, len(bits), 3):
        if bits[at] or bits[at + 1] or bits[at + 2]:
            white[at:at + 3] = b"\xff\xff\xff"
    return Picture(a.width, a.height, bytes(white))


def write_png(picture: Picture, path: Path) -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    raw = b"".join(b"\0" + row for row in picture.rows())
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 0)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 6)) +
                     chunk(b"IEND", b""))


def row(pictures: list[Picture]) -> Picture:
    """Lays out pictures of one size in a row."""
    rows = [b"".join(parts) for parts in zip(*(picture.rows() for picture in pictures))]
    return Picture(len(pictures) * pictures[0].width, pictures[0].height, b"".join(rows))

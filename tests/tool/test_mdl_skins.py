#!/usr/bin/env python3
"""`lerpmesh convert` exports an MDL's skins and groups of frames correctly: images in Quake's colours,
one variant per skin, and keys at the start of each frame."""
from __future__ import annotations

import json
import os
import struct
import unittest
from pathlib import Path
from typing import Any

from command import FolderCase
import make_models
import oracle
import image_files

GENERATED = len(make_models.MDL_FEATURES)


class Glb:
    def __init__(self, data: bytes) -> None:
        size = struct.unpack_from("<I", data, 12)[0]
        self.json: dict[str, Any] = json.loads(data[20 : 20 + size])
        self.bin = data[28 + size :]

    def view(self, index: int) -> bytes:
        view = self.json["bufferViews"][index]
        at = view.get("byteOffset", 0)
        return self.bin[at : at + view["byteLength"]]

    def floats(self, index: int) -> list[float]:
        accessor = self.json["accessors"][index]
        raw = self.view(accessor["bufferView"])[accessor.get("byteOffset", 0) :]
        return list(struct.unpack_from(f"<{accessor['count']}f", raw))

    def pictures(self) -> list[tuple[int, int, bytes]]:
        images = self.json.get("images", [])
        return [image_files.png_read(self.view(image["bufferView"])) for image in images]

    def variants(self) -> list[str]:
        extension = self.json.get("extensions", {}).get("KHR_materials_variants", {})
        return [variant["name"] for variant in extension.get("variants", [])]


def painted(pixels: bytes, holes: bool, palette: bytes = oracle.QUAKE_PALETTE) -> bytes:
    """Returns indices as red, green, blue and alpha."""
    return b"".join(
        palette[3 * i : 3 * i + 3] + (b"\0" if holes and i == 255 else b"\xff") for i in pixels
    )


class Skins(FolderCase):
    def to_glb(self, data: bytes, *options: str) -> Glb:
        model, out = self.folder / "torch.mdl", self.folder / "torch.glb"
        model.write_bytes(data)
        self.assertEqual(self.convert("-q", model, "-o", out, *options), "")
        return Glb(out.read_bytes())

    def each(self) -> Any:
        for index in range(GENERATED):
            data, intent = make_models.make_model("mdl", 4, index)
            yield data, intent

    def test_images_are_the_skins_in_quakes_colours(self) -> None:
        several = 0
        for data, intent in self.each():
            with self.subTest(features=intent["features"]):
                glb, holes = self.to_glb(data), intent["flags"] & 16384 != 0
                wanted = [(*intent["skin_size"], painted(bytes.fromhex(s["pictures"][0]), holes))
                          for s in intent["skins"]]
                self.assertEqual(glb.pictures(), wanted)
                names = [f"skin{i}" for i in range(len(wanted))]
                self.assertEqual([m["name"] for m in glb.json["materials"]], names)
                self.assertEqual(glb.variants(), names if len(names) > 1 else [])
                for material in glb.json["materials"]:
                    has_holes = any(255 in bytes.fromhex(s["pictures"][0])
                                    for s in [intent["skins"][int(material["name"][4:])]])
                    self.assertEqual(material.get("alphaMode", "OPAQUE"),
                                     "MASK" if holes and has_holes else "OPAQUE")
                several += len(names) > 1
        self.assertGreater(several, 3)

    def test_options_decide(self) -> None:
        data, intent = make_models.make_model("mdl", 4, 3)
        pixels = bytes.fromhex(intent["skins"][0]["pictures"][0])
        palette = bytes(range(256)) * 3
        (self.folder / "other.lmp").write_bytes(palette)
        glb = self.to_glb(data, "--palette", str(self.folder / "other.lmp"), "--transparent-255")
        self.assertEqual(glb.pictures()[0][2], painted(pixels, True, palette))
        own = image_files.png_write([bytes((1, 2, 3) * 2)] * 2, 2)
        (self.folder / "own.png").write_bytes(own)
        glb = self.to_glb(data, "--skin", str(self.folder / "own.png"))
        self.assertEqual([p[2] for p in glb.pictures()], [bytes((1, 2, 3, 255)) * 4])

    def test_transparent_pixels_become_index_255(self) -> None:
        """An image with alpha uses the last index and sets the flag; one without alpha does neither."""
        model = Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples" / "tick.md2"
        for alpha, flag in (0, 16384), (255, 0):
            pixels = [(10, 200, 30, 255)] * 8 + [(0, 0, 200, alpha)] * 8
            tga = struct.pack("<3B5xHHHHBB", 0, 0, 2, 0, 0, 4, 4, 32, 0x28)
            tga += b"".join(bytes((b, g, r, a)) for r, g, b, a in pixels)
            (self.folder / "holes.tga").write_bytes(tga)
            out = self.folder / "out.mdl"
            self.convert("-q", model, "--skin", self.folder / "holes.tga", "-o", out)
            made = out.read_bytes()
            self.assertEqual(struct.unpack_from("<i", made, 76)[0], flag)
            indices = made[84 + 4:84 + 4 + 16]
            self.assertEqual([i == 255 for i in indices], [False] * 8 + [flag != 0] * 8)
            back = self.to_glb(made)
            self.assertEqual(back.pictures()[0][2][3::4], bytes([255] * 8 + [alpha] * 8))

    def test_a_gltf_has_its_images_next_to_it(self) -> None:
        data, intent = make_models.make_model("mdl", 4, make_models.MDL_FEATURES.index("skins"))
        model = self.folder / "torch.mdl"
        model.write_bytes(data)
        self.convert("-q", model, "-o", self.folder / "x.gltf")
        for i, skin in enumerate(intent["skins"]):
            picture = image_files.png_read((self.folder / f"x_skin{i}.png").read_bytes())
            self.assertEqual(picture[2], painted(bytes.fromhex(skin["pictures"][0]), False))

    def test_keys_match_frame_times(self) -> None:
        compared = 0
        for data, intent in self.each():
            glb = self.to_glb(data)
            groups = [ends for ends in intent["groups"] if len(ends) > 1]
            times = []
            for animation in glb.json.get("animations", []):
                times.append(max((glb.floats(s["input"]) for s in animation["samplers"]), key=len))
            for ends in groups:
                wanted = [0.0, *ends]
                found = any(len(t) == len(wanted)
                            and all(abs(a - b) < 1e-5 for a, b in zip(t, wanted)) for t in times)
                self.assertTrue(found, (wanted, times))
                compared += 1
        self.assertGreater(compared, 5)


if __name__ == "__main__":
    unittest.main()

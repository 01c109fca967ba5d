#!/usr/bin/env python3
"""Packs the add-on: pack.py OUT WHEEL... writes two archives into the folder OUT.

lerpmesh_io-addon.zip    for Blender 3.4 to 4.1: Preferences, Add-ons, Install. The wheels are unpacked in it.
lerpmesh_io-extension.zip  for Blender 4.2 and later: Preferences, Get Extensions, Install from Disk. Blender installs
                         the wheels.

The wheel of lerpmesh comes from `make python`. Blender's own Python lacks cffi, so pass its wheels, too: one for each
version of Python. The same input gives the same bytes."""
import re
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ADDON = HERE / "lerpmesh_io"
VERSION = HERE.parents[1] / "include/lerpmesh/base.h"


def version() -> str:
    found = re.findall(r"^#define LM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", VERSION.read_text(encoding="utf-8"), re.M)
    return ".".join(found)


def sources() -> dict[str, bytes]:
    """Returns the files of the add-on, with the version of the library."""
    found = {path.name: path.read_bytes() for path in sorted(ADDON.iterdir()) if path.suffix in (".py", ".toml")}
    number = version()
    found["__init__.py"] = re.sub(rb'"version": \([^)]*\)', f'"version": ({", ".join(number.split("."))})'.encode(),
                                  found["__init__.py"])
    found["blender_manifest.toml"] = re.sub(rb'(?m)^version = .*', f'version = "{number}"'.encode(),
                                            found["blender_manifest.toml"])
    return found


def write(path: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            out.writestr(entry, data)


def unpacked(wheels: list[Path]) -> dict[str, bytes]:
    """Returns the files in wheels, without the command, which the add-on does not use."""
    found = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in sorted(archive.namelist()):
                if not name.endswith("/") and "/binaries/lerpmesh" not in name:
                    found[f"packages/{name}"] = archive.read(name)
    return found


def main() -> None:
    out, wheels = Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]]
    out.mkdir(parents=True, exist_ok=True)
    files = sources()
    manifest = files.pop("blender_manifest.toml")
    addon = {**files, **unpacked(wheels)}
    write(out / "lerpmesh_io-addon.zip", {f"lerpmesh_io/{name}": data for name, data in addon.items()})
    listed = "".join(f'\n  "./wheels/{wheel.name}",' for wheel in wheels)
    manifest = manifest.replace(b"[permissions]", f"wheels = [{listed}\n]\n\n[permissions]".encode())
    manifest = manifest.replace(b"\n# pack.py adds the wheels.\n", b"")
    write(out / "lerpmesh_io-extension.zip",
          {"blender_manifest.toml": manifest, **files, **{f"wheels/{w.name}": w.read_bytes() for w in wheels}})
    for name in "lerpmesh_io-addon.zip", "lerpmesh_io-extension.zip":
        print(out / name)


if __name__ == "__main__":
    main()

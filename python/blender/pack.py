#!/usr/bin/env python3
"""Packs the add-on: pack.py OUT WHEEL... writes two archives into the folder OUT.

lerpmesh_io-addon.zip    for Blender 3.4 to 4.1: Preferences, Add-ons, Install. The wheels are unpacked in it.
lerpmesh_io-extension.zip  for Blender 4.2 and later: Preferences, Get Extensions, Install from Disk. Blender installs
                         the wheels.

The wheel of lerpmesh comes from `make python`. Blender's own Python lacks cffi, so pass its wheels, too: one for each
version of Python, as `make blender-wheels` makes them. It names those that are missing. The extension is for the
platforms of the wheels. The same input gives the same bytes."""
import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Iterator

HERE = Path(__file__).resolve().parent
ADDON = HERE / "lerpmesh_io"
PLATFORMS = {"linux-x64": ("linux", "x86_64"), "linux-arm64": ("linux", "aarch64"), "macos-x64": ("macosx", "x86_64"),
             "macos-arm64": ("macosx", "arm64"), "windows-x64": ("win", "amd64"), "windows-arm64": ("win", "arm64")}
PYTHONS = {"cp311": "4.2 to 5.0", "cp313": "5.1 and 5.2"}  # of Blender's own builds
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


def is_for_addon(wheel: Path) -> bool:
    """Returns whether a wheel works with the Pythons of Blender 3.4 to 4.1: 3.10 and 3.11."""
    python, abi = wheel.stem.split("-")[2:4]
    return abi in ("abi3", "none") or python in ("cp310", "cp311")


def unpacked(wheels: list[Path]) -> dict[str, bytes]:
    """Returns the files in wheels, without the command, which the add-on does not use."""
    found = {}
    for wheel in filter(is_for_addon, wheels):
        with zipfile.ZipFile(wheel) as archive:
            for name in sorted(archive.namelist()):
                if not name.endswith("/") and "/binaries/lerpmesh" not in name:
                    found[f"packages/{name}"] = archive.read(name)
    return found


def platforms(wheels: list[Path]) -> list[str]:
    """Returns the platforms of wheels, as Blender names them."""
    tags = {wheel.stem.split("-")[4] for wheel in wheels} - {"any"}
    return sorted(name for name, (system, machine) in PLATFORMS.items()
                  if any(system in tag and tag.endswith(machine) for tag in tags))


def missing(wheels: list[Path]) -> Iterator[str]:
    """Returns which wheels Blender's own builds need, but do not get."""
    found = {(name, python) for name, _, python, *_ in (wheel.stem.split("-") for wheel in wheels)}
    if not any(name == "lerpmesh" for name, _ in found):
        yield "no wheel of lerpmesh, which `make python` makes: Blender cannot load the add-on"
    for python, versions in PYTHONS.items():
        if ("cffi", python) not in found:
            yield f"no wheel of cffi for Python 3.{python[3:]}, which `make blender-wheels` makes: Blender's own builds " \
                  f"{versions} cannot load the extension"


def main() -> None:
    out, wheels = Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]]
    out.mkdir(parents=True, exist_ok=True)
    files = sources()
    manifest = files.pop("blender_manifest.toml")
    addon = {**files, **unpacked(wheels)}
    write(out / "lerpmesh_io-addon.zip", {f"lerpmesh_io/{name}": data for name, data in addon.items()})
    listed = "".join(f'\n  "./wheels/{wheel.name}",' for wheel in wheels)
    lines = f"wheels = [{listed}\n]\n\n[permissions]"
    if platforms(wheels):
        lines = f"platforms = {json.dumps(platforms(wheels))}\n{lines}"
    manifest = manifest.replace(b"[permissions]", lines.encode())
    manifest = manifest.replace(b"\n# pack.py adds the wheels and their platforms.\n", b"")
    write(out / "lerpmesh_io-extension.zip",
          {"blender_manifest.toml": manifest, **files, **{f"wheels/{w.name}": w.read_bytes() for w in wheels}})
    for text in missing(wheels):
        print(f"pack.py: {text}", file=sys.stderr)
    for name in "lerpmesh_io-addon.zip", "lerpmesh_io-extension.zip":
        print(out / name)


if __name__ == "__main__":
    main()

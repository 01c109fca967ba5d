#!/usr/bin/env python3
"""cffi_wheel.py OUT ROOT...: packs Debian's python3-cffi, as it is installed in each ROOT, into wheels for Blender, one
for each version of Python, from the first ROOT that has it. They need glibc and libffi.so.8, as Debian 12 and later
have them."""
import base64
import hashlib
import re
import sys
import zipfile
from pathlib import Path

PACKAGES = "usr/lib/python3/dist-packages"


def wheel(out: Path, root: Path, backend: Path, python: str) -> Path:
    """Writes the wheel of a compiled module."""
    folder = root / PACKAGES
    version = re.match(r"cffi-([\d.]*\d)", next(folder.glob("cffi-*")).name).group(1)
    info = f"cffi-{version}.dist-info"
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted((folder / "cffi").rglob("*.py"))}
    files[backend.name] = backend.read_bytes()
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: cffi\nVersion: {version}\nLicense: MIT\n".encode()
    tag = f"cp{python}-cp{python}-linux_x86_64"
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: cffi_wheel\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/licenses/copyright"] = (root / "usr/share/doc/python3-cffi-backend/copyright").read_bytes()
    rows = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}"
            for name, data in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""]).encode()
    path = out / f"cffi-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)
    return path


def main() -> None:
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    made = set()
    for root in map(Path, sys.argv[2:]):
        for backend in sorted((root / PACKAGES).glob("_cffi_backend.cpython-*-x86_64-linux-gnu.so")):
            python = backend.name.split("-")[1]
            if python not in made:
                print(wheel(out, root, backend, python))
            made.add(python)


if __name__ == "__main__":
    main()

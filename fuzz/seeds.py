#!/usr/bin/env python3
"""seeds.py pack FOLDER: writes fuzz/seeds/KIND.zip from each folder FOLDER/KIND. The same files give the same
bytes with every Python version: members are sorted, stored and have no date.
seeds.py unpack FOLDER: writes the members of each fuzz/seeds/KIND.zip to FOLDER/KIND, which must not exist."""
import pathlib
import sys
import zipfile

PACKED = pathlib.Path(__file__).resolve().parent / "seeds"


def read(kind: str) -> dict[str, bytes]:
    """Returns the seeds of a kind by their names."""
    with zipfile.ZipFile(PACKED / f"{kind}.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def kinds() -> list[str]:
    return sorted(path.stem for path in PACKED.glob("*.zip"))


def pack(folder: pathlib.Path) -> None:
    for source in sorted(path for path in folder.iterdir() if path.is_dir()):
        with zipfile.ZipFile(PACKED / f"{source.name}.zip", "w") as archive:
            for path in sorted(source.iterdir()):
                member = zipfile.ZipInfo(path.name)  # of 1980-01-01
                member.create_system = 3
                member.external_attr = 0o644 << 16
                archive.writestr(member, path.read_bytes())


def unpack(folder: pathlib.Path) -> None:
    for kind in kinds():
        (folder / kind).mkdir(parents=True)
        for name, data in read(kind).items():
            (folder / kind / name).write_bytes(data)


def main(arguments: list[str]) -> None:
    if len(arguments) != 2 or arguments[0] not in ("pack", "unpack"):
        sys.exit("usage: seeds.py pack|unpack FOLDER")
    (pack if arguments[0] == "pack" else unpack)(pathlib.Path(arguments[1]))


if __name__ == "__main__":
    main(sys.argv[1:])

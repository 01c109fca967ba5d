"""Tests extract and pack. The contents of an archive come out again, byte for byte, and other programs (Python's
zipfile, and a reader of PAK in this file) agree. No archive, even a malicious one, writes outside the given folder."""
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path

from command import FolderCase
import make_models
import oracle
import image_files

FILES = {
    "models/a.md2": bytes(range(256)) * 64,
    "models/Deep/er/b.TXT": b"hello\n" * 1000,
    "models.txt": b"beside the folder",
    "empty": b"",
    "noise.bin": random.Random(1).randbytes(5000),
    "snowman ☃.txt": b"cold",
}


def read_pak(data: bytes) -> list[tuple[str, bytes]]:
    """Returns a PAK's files in the order of its directory, by Quake's source."""
    ident, start, size = struct.unpack_from("<4sii", data)
    assert ident == b"PACK" and size % 64 == 0 and start + size <= len(data)
    files = []
    for at in range(start, start + size, 64):
        name, offset, length = struct.unpack_from("<56sii", data, at)
        assert name[55] == 0 and 12 <= offset <= offset + length <= start
        files.append((name.split(b"\0")[0].decode(), data[offset:offset + length]))
    return files


def read_zip(path: Path) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return [(info.filename, archive.read(info)) for info in archive.infolist()]


class Case(FolderCase):
    def run_tool(self, *words: str, status: int = 0) -> tuple[bytes, str]:
        done = self.call(*words, status=status, text=False, errors=None)
        return done.stdout, done.stderr.decode()

    def make(self, name: str, files: dict[str, bytes]) -> Path:
        for path, data in files.items():
            target = self.folder / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        return self.folder / name

    def tree(self, name: str) -> dict[str, bytes]:
        root = self.folder / name
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


class Pack(Case):
    def test_packed_files_are_extracted_unchanged(self) -> None:
        self.make("in", FILES)
        for name in "a.pk3", "a.pak":
            with self.subTest(name=name):
                self.run_tool("pack", "in", "-o", name)
                self.run_tool("extract", name, "-o", "out/")
                self.assertEqual(self.tree("out"), FILES)
                self.assertNotIn("wrote", self.run_tool("extract", name, "-o", "out/", "-v")[1])  # they are there
                self.make("out", {"models.txt": b"hand"})
                _, errors = self.run_tool("extract", name, "-o", "out/", status=1)
                self.assertIn("out/models.txt exists; --force replaces it", errors)
                self.assertEqual(self.tree("out"), {**FILES, "models.txt": b"hand"})
                shutil.rmtree(self.folder / "out")

    def test_other_programs_read_the_same_files(self) -> None:
        self.make("in", FILES)
        inside = sorted(FILES.items(), key=lambda file: file[0].encode())
        self.run_tool("pack", "in", "-o", "a.pk3")
        self.assertEqual(read_zip(self.folder / "a.pk3"), inside)
        self.run_tool("pack", "in", "-o", "a.pak")
        self.assertEqual(read_pak((self.folder / "a.pak").read_bytes()), inside)

    def test_a_zip_has_no_times_and_deflates_if_smaller(self) -> None:
        self.make("in", FILES)
        self.run_tool("pack", "in", "-o", "a.pk3")
        with zipfile.ZipFile(self.folder / "a.pk3") as archive:
            for info in archive.infolist():
                self.assertEqual(info.date_time, (1980, 1, 1, 0, 0, 0))
                self.assertEqual(info.external_attr >> 16, 0o100644)
                small = info.filename in ("models/a.md2", "models/Deep/er/b.TXT")
                self.assertEqual(info.compress_type, zipfile.ZIP_DEFLATED if small else zipfile.ZIP_STORED)
                self.assertLessEqual(info.compress_size, info.file_size)

    def test_the_same_files_are_the_same_bytes(self) -> None:
        self.make("in", FILES)
        self.make("other", dict(reversed(list(FILES.items()))))
        for path in (self.folder / "other").rglob("*"):
            os.utime(path, (1e9, 1e9))
            path.chmod(0o700)
        for end in "pk3", "pak":
            self.run_tool("pack", "in", "-o", "a." + end)
            self.run_tool("pack", "other", "-o", "b." + end)
            self.assertEqual((self.folder / ("a." + end)).read_bytes(), (self.folder / ("b." + end)).read_bytes())

    def test_patterns_and_omitted_files(self) -> None:
        self.make("in", {**FILES, ".git/config": b"x", "models/.hidden": b"x"})
        os.symlink("models", self.folder / "in" / "link")
        for _ in range(2):
            _, errors = self.run_tool("pack", "in", "-o", "in/all.pk3", status=1)
            self.assertIn("in/link: this link leads to a folder, and is not followed", errors)
            self.assertEqual(dict(read_zip(self.folder / "in/all.pk3")), FILES)
        self.run_tool("pack", "in", "models/**/*", "-o", "b.pak")
        self.assertEqual([name for name, _ in read_pak((self.folder / "b.pak").read_bytes())],
                         ["models/Deep/er/b.TXT", "models/a.md2"])
        self.run_tool("pack", "in", "models/Deep/", "-o", "c.pak")
        self.assertEqual([name for name, _ in read_pak((self.folder / "c.pak").read_bytes())], ["models/Deep/er/b.TXT"])
        _, errors = self.run_tool("pack", "in", "*.md9", "-o", "c.pak", status=1)
        self.assertIn("this folder has no files to pack", errors)

    def test_names_that_are_too_long(self) -> None:
        self.make("in", {"d/" + 53 * "n": b"1"})
        self.run_tool("pack", "in", "-o", "a.pak")
        self.assertEqual(dict(read_pak((self.folder / "a.pak").read_bytes())), {"d/" + 53 * "n": b"1"})
        before = (self.folder / "a.pak").read_bytes()
        self.make("in", {"d/" + 54 * "n": b"1"})
        _, errors = self.run_tool("pack", "in", "-o", "a.pak", status=1)
        self.assertIn("has 56 bytes, but a PAK allows at most 55", errors)
        self.assertEqual((self.folder / "a.pak").read_bytes(), before)
        self.assertNotIn("Quake III", self.run_tool("pack", "in", "-o", "a.pk3")[1])
        self.make("in", {"d/" + 62 * "n": b"1"})
        _, errors = self.run_tool("pack", "in", "-o", "a.pk3")
        self.assertIn("Quake III loads paths of at most 63 bytes; 1 is longer: d/nnn", errors)
        self.make("in", {"d/" + 62 * letter: b"1" for letter in "op"})
        _, errors = self.run_tool("pack", "in", "-o", "a.pk3")
        self.assertIn("Quake III loads paths of at most 63 bytes; 3 are longer, the first: d/nnn", errors)
        deep = "/".join(["n" * 200] + ["m" * 55])
        self.make("in", {deep: b"1"})
        _, errors = self.run_tool("pack", "in", "-o", "a.pk3", status=1)
        self.assertIn("has 256 bytes, but a PK3 allows at most 255", errors)

    def test_more_files_than_games_load(self) -> None:
        self.make("in", {"%04d" % i: b"" for i in range(2049)})
        _, errors = self.run_tool("pack", "in", "-o", "a.pak")
        self.assertIn("2049 files: Quake loads at most 2048 from a PAK\n", errors)
        self.assertEqual(len(read_pak((self.folder / "a.pak").read_bytes())), 2049)
        (self.folder / "in/0000").unlink()
        self.assertNotIn("Quake", self.run_tool("pack", "in", "-o", "fewer.pak")[1])

    def test_nothing_is_left_out_without_a_word(self) -> None:
        """What cannot be packed is named, and no archive is written."""
        deep = "/".join(["in"] + 21 * ["z" * 200])
        for name, make in (("in/none", lambda path: os.symlink("nowhere", path)),
                           ("in/loop", lambda path: os.symlink("loop", path)),
                           ("in/pipe", os.mkfifo), ("in/" + "z" * 200, lambda _: self.make_deep(deep))):
            self.make("in", {"a": b"1", "b/c": b"2"})
            make(self.folder / name)
            _, errors = self.run_tool("pack", "in", "-o", "a.pk3", status=1)
            self.assertIn(f"lerpmesh: {name}", errors)
            self.assertNotIn("wrote", errors)
            self.assertFalse((self.folder / "a.pk3").exists())
            _, errors = self.run_tool("pack", "in", "b/*", "-o", "b.pk3", status=int("zz" in name))
            self.assertEqual("wrote b.pk3" in errors, "zz" not in name)
            self.run_in(self.folder, "rm", "-r", "in")

    def make_deep(self, path: str) -> None:
        """Makes a folder whose path is longer than the system opens."""
        self.run_in(self.folder, sys.executable, "-c", "import os, sys\nfor part in sys.argv[1].split('/'):\n"
                    "    os.makedirs(part, exist_ok=True)\n    os.chdir(part)\nopen('lost.md2', 'w')", path)

    @staticmethod
    def run_in(folder: Path, *words: str) -> None:
        subprocess.run(words, cwd=folder, check=True)

    def test_unpackable_files(self) -> None:
        self.make("in", {"a": b"1"})
        self.make("", {"secret": b"1"})
        for words, expected in (
                ((), "missing folder"),
                (("secret", "-o", "a.pak"), "is not a folder"),
                (("in", "-o", "a.rar"), "needs the extension .pak or .pk3"),
                (("in", "-o", "a.pak", "--format", "rar"), "pak or pk3, not"),
                (("in", "-o", "a.pak", "--format", "pk3"), "a.pak does not match --format pk3"),
                (("in", "-o", "in"), "is a folder")):
            self.assertIn(expected, self.run_tool("pack", *words, status=2)[1])
        os.symlink("../secret", self.folder / "in" / "leak")
        self.assertEqual(self.run_tool("pack", "in", "-o", "a.pak", status=1)[1],
                         "lerpmesh: in: cannot open leak: it lies outside the folder\n")
        os.remove(self.folder / "in" / "leak")
        self.make("in", {"a:b": b"1"})
        self.assertIn("games cannot find a file of this name", self.run_tool("pack", "in", "-o", "a.pak", status=1)[1])
        self.assertFalse((self.folder / "a.pak").exists())


class Members(Case):
    def make_zip(self, name: str, files: list[tuple[str, bytes]], method: int) -> None:
        with zipfile.ZipFile(self.folder / name, "w", method) as archive:
            for path, data in files:
                archive.writestr(path, data)

    def test_archives_by_python(self) -> None:
        for method in zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED:
            self.make_zip("a.pk3", list(FILES.items()), method)
            self.run_tool("extract", "-f", "a.pk3", "-o", "out")
            self.assertEqual(self.tree("out"), FILES)

    def test_extracting_a_selection(self) -> None:
        self.make_zip("a.pk3", list(FILES.items()), zipfile.ZIP_DEFLATED)
        self.run_tool("extract", "a.pk3:*.txt", "-o", "texts/")
        self.assertEqual(set(self.tree("texts")), {"models/Deep/er/b.TXT", "models.txt", "snowman ☃.txt"})
        self.run_tool("extract", "a.pk3:models", "-o", "folder")
        self.assertEqual(set(self.tree("folder")), {"models/Deep/er/b.TXT", "models/a.md2"})
        self.run_tool("extract", "a.pk3:models/A.md2", "-o", "one.md2")
        self.assertEqual((self.folder / "one.md2").read_bytes(), FILES["models/a.md2"])
        out, errors = self.run_tool("extract", "a.pk3:models.txt")
        self.assertEqual((out, errors), (FILES["models.txt"], ""))
        self.assertIn("no such file or folder", self.run_tool("extract", "a.pk3:nothing", "-o", "x/", status=1)[1])
        self.assertIn("name a folder", self.run_tool("extract", "a.pk3", status=2)[1])

    def test_unsafe_names_are_rejected(self) -> None:
        names = ["../out2", "/tmp/lerpmesh-evil", "a/../../out3", "..\\out4", "C:/out5", "a:b", ".",
                 "a/./../../out6", "fine/x"]
        self.make_zip("deep.pk3", [(name, b"!") for name in names], zipfile.ZIP_STORED)
        raw = b"".join(struct.pack("<56sii", name.encode(), 12, 1) for name in names)
        (self.folder / "deep.pak").write_bytes(struct.pack("<4sii", b"PACK", 13, len(raw)) + b"!" + raw)
        for archive in "deep.pk3", "deep.pak":
            self.run_tool("extract", archive, "-o", "in/the/middle", status=1)
            self.assertEqual(self.tree("in"), {"the/middle/fine/x": b"!"})
            shutil.rmtree(self.folder / "in")
        self.assertEqual(set(self.tree("")), {"deep.pk3", "deep.pak"})
        self.assertFalse(os.path.exists("/tmp/lerpmesh-evil"))

    def test_control_characters_in_names(self) -> None:
        self.make_zip("a.pk3", [("a\n\x1b[2J", b"1"), ("a%0a", b"2")], zipfile.ZIP_STORED)
        _, errors = self.run_tool("extract", "a.pk3", "-o", "out")
        self.assertEqual(self.tree("out"), {"a%0a%1b[2J": b"1", "a%0a": b"2"})
        self.assertIn("control characters, invisible ones, and bytes that are not UTF-8, become %NN", errors)
        self.make_zip("b.pk3", [("a\n", b"1"), ("a%0a", b"2")], zipfile.ZIP_STORED)
        _, errors = self.run_tool("extract", "b.pk3", "-o", "out2", status=1)
        self.assertEqual(self.tree("out2"), {"a%0a": b"1"})
        self.assertIn("is also the output of", errors)

    def make_pak(self, name: str, files: list[tuple[bytes, bytes]]) -> None:
        data, raw = b"", b""
        for path, contents in files:
            raw += struct.pack("<56sii", path, 12 + len(data), len(contents))
            data += contents
        (self.folder / name).write_bytes(struct.pack("<4sii", b"PACK", 12 + len(data), len(raw)) + data + raw)

    def test_members_of_the_same_path(self) -> None:
        """Each has a line and is read by its own name. One of them is written, and the other's loss is a failure."""
        for files in ([(b"b", b"A"), (b"a/../b", b"B"), (b"x", b"X")], [(b"a/../b", b"B"), (b"b", b"A"), (b"x", b"X")]):
            self.make_pak("a.pak", files)
            self.assertEqual(self.run_tool("ls", "a.pak")[0].split(), [b"b", b"a/../b", b"x"])
            self.assertEqual(self.run_tool("extract", "a.pak:b", "-o", "-")[0], b"A")
            self.assertEqual(self.run_tool("extract", "a.pak:a/../b", "-o", "-")[0], b"B")
            _, errors = self.run_tool("extract", "a.pak", "-o", "out", status=1)
            self.assertEqual(self.tree("out"), {"b": b"A", "x": b"X"})
            self.assertIn("a.pak:a/../b: not written: out/b is also the output of a.pak:b\n", errors)
            shutil.rmtree(self.folder / "out")
        self.make_pak("b.pak", [(b"a/../b", b"B"), (b"a/../b", b"C")])
        _, errors = self.run_tool("extract", "b.pak", "-o", "out")
        self.assertEqual(self.tree("out"), {"b": b"B"})
        self.assertIn("an earlier member of the same name hides it", errors)

    def test_members_with_odd_names_are_left_out(self) -> None:
        """Each is a failure, and all others are extracted. A duplicate that no game reads is only a warning: they read
        the first in a PAK (Quake's COM_FindFile) and the last in a PK3 (Quake III's FS_LoadZipFile)."""
        model = (Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples" / "tick.md2").read_bytes()
        long, deep = 507 * "n" + ".md2", 66 * "d/" + "x"
        files = [("x.md2", model), ("x.md2", model + b"2"), ("m.md2", b"file"), ("m.md2/y", b"in it"), ("fine", b"3")]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.make_zip("a.pk3", [*files, (long, model), (deep, b"deep")], zipfile.ZIP_STORED)
        self.make_pak("a.pak", [(name.encode(), data) for name, data in files] + [(56 * b"n", b"open"), (b"", b"none")])
        both = ["m.md2: a folder has the same name"]
        hides = "x.md2: skipped [bad-archive]: as in the games, %s member of the same name hides it"
        for name, kept, expected in (
                ("a.pk3", model + b"2", [*both, hides % "a later"] + [
                    f"{odd}: its name has more than 510 bytes or 64 folders" for odd in (long, deep)]),
                ("a.pak", model, [*both, hides % "an earlier", 56 * "n" + ": its name has no terminating NUL",
                                  ": it has no name"])):
            _, errors = self.run_tool("extract", name, "-o", "out", status=1)
            self.assertEqual(self.tree("out"), {"x.md2": kept, "m.md2/y": b"in it", "fine": b"3"})
            shutil.rmtree(self.folder / "out")
            lines = errors.splitlines()
            self.assertEqual(sorted(lines[:-1]), sorted(f"lerpmesh: {name}:{line}" for line in expected))
            self.assertIn("7 files: 3 extracted, 1 skipped, 3 failed (", lines[-1])
            listed, _ = self.run_tool("ls", "--json", name)
            codes = [json.loads(line)["code"] for line in listed.splitlines()]
            self.assertEqual(len(codes) - codes.count(None), 4)
            for command in "check", "convert":
                output = ("-o", "out/") if command == "convert" else ()
                _, errors = self.run_tool(command, name, *output, status=1)
                for line in expected:
                    self.assertEqual(f"lerpmesh: {name}:{line}" in errors, ".md2: " in line, (command, line))
            self.assertEqual(set(self.tree("out")), {"x.glb"})
            shutil.rmtree(self.folder / "out")

    def test_a_folder_with_contents_is_a_file_without_a_name(self) -> None:
        self.make_zip("a.pk3", [("a/", b""), ("b/", b"lost"), ("c", b"1")], zipfile.ZIP_STORED)
        _, errors = self.run_tool("extract", "a.pk3", "-o", "out", status=1)
        self.assertEqual(self.tree("out"), {"c": b"1"})
        self.assertIn("a.pk3:b/: ", errors)

    def test_a_skipped_member_takes_no_name(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.make_zip("a.pk3", [("a/x", b"1"), ("a/x", b"2"), ("x", b"3")], zipfile.ZIP_STORED)
        self.run_tool("extract", "a.pk3", "-o", "out")
        self.assertEqual(self.tree("out"), {"a/x": b"2", "x": b"3"})

    def test_a_total_is_checked_before_writing(self) -> None:
        self.make_zip("a.pk3", [("a", bytes(600)), ("b", bytes(400))], zipfile.ZIP_DEFLATED)
        self.make_pak("b.pak", [(b"c", bytes(24))])
        _, errors = self.run_tool("extract", "a.pk3", "b.pak", "-o", "out", "--max-output", "1023", status=1)
        self.assertEqual(errors, "lerpmesh: nothing extracted: the files would have 1024 bytes, more than 1023 (--max-output)\n")
        self.assertFalse((self.folder / "out").exists())
        self.run_tool("extract", "a.pk3", "b.pak", "-o", "out", "--max-output", "1K")
        self.assertEqual(sum(map(len, self.tree("out").values())), 1024)
        self.run_tool("extract", "a.pk3:b", "-o", "one", "--max-output", "400")
        self.run_tool("extract", "a.pk3:a", "-o", "one", "--max-output", "400", "-f", status=1)
        self.assertEqual((self.folder / "one").read_bytes(), bytes(400))
        self.run_tool("extract", "a.pk3", "-o", "out", "--max-output", "some", status=2)

    def test_a_bomb_is_not_extracted(self) -> None:
        """Members that together have more than 2 GiB, the default, or share bytes beyond 16 times the archive."""
        size = 200 << 20
        with zipfile.ZipFile(self.folder / "a.pk3", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr("0", bytes(1 << 20))
        data = bytearray((self.folder / "a.pk3").read_bytes())
        central = data.index(b"PK\1\2")
        local, record = bytes(data[:central]), bytearray(data[central:data.index(b"PK\5\6")])
        members, records = b"", b""
        for i in range(11):
            records += record[:24] + struct.pack("<I", size) + record[28:42] + struct.pack("<I", len(members)) + b"%c" % (97 + i)
            members += local
        (self.folder / "a.pk3").write_bytes(members + records + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 11, 11, len(records),
                                                                             len(members), 0))
        _, errors = self.run_tool("extract", "a.pk3", "-o", "out", status=1)
        self.assertIn(f"the files would have {11 * size} bytes, more than {2 << 30} (--max-output)", errors)
        raw = b"".join(struct.pack("<56sii", b"%d" % i, 12, 9000) for i in range(40))
        (self.folder / "b.pak").write_bytes(struct.pack("<4sii", b"PACK", 9012, len(raw)) + bytes(9000) + raw)
        _, errors = self.run_tool("extract", "b.pak", "-o", "out", status=1)
        self.assertEqual(errors.count("it overlaps another member"), 40)
        self.assertFalse(self.tree("out"))

    def test_images_have_a_limit(self) -> None:
        source = Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples" / "tick_torch.mdl"
        self.run_tool("extract", str(source), "-o", "out")
        size = sum(map(len, self.tree("out").values()))
        self.run_tool("extract", "-f", str(source), "-o", "out", "--max-output", str(size))
        _, errors = self.run_tool("extract", "-f", str(source), "-o", "no", "--max-output", str(size - 1), status=1)
        self.assertIn(f"not written: the outputs would have {size} bytes, more than {size - 1} (--max-output)", errors)
        self.assertFalse(self.tree("no"))

    def test_damaged(self) -> None:
        """For any changed byte, the outputs equal the packed files, or the damage is reported."""
        files = {"a": b"12345678" * 40, "b/c": b"xyz" * 100}
        self.make("in", files)
        chance = random.Random(12)
        for name in "a.pk3", "a.pak":
            self.run_tool("pack", "in", "-o", name)
            whole = (self.folder / name).read_bytes()
            for _ in range(120):
                data = bytearray(whole)
                at = chance.randrange(len(data))
                data[at] ^= 1 << chance.randrange(8)
                if chance.random() < 0.3:
                    del data[chance.randrange(len(data)):]
                (self.folder / ("x" + name)).write_bytes(data)
                done = self.call("extract", "x" + name, "-o", "out/", status=None)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                for path, got in self.tree("out").items():
                    if path in files and name == "a.pk3":
                        self.assertEqual(got, files[path], (at, path))
                self.assertLessEqual(set(self.tree("")),
                                     {"in/a", "in/b/c", "a.pk3", "a.pak", "xa.pk3", "xa.pak"}
                                     | {"out/" + path for path in self.tree("out")})
                shutil.rmtree(self.folder / "out", ignore_errors=True)


class Images(Case):
    def test_skins_in_a_model(self) -> None:
        several = 0
        for index in range(len(make_models.MDL_FEATURES)):
            data, meant = make_models.make_model("mdl", 4, index)
            (self.folder / "torch.mdl").write_bytes(data)
            out, _ = self.run_tool("extract", "-f", "torch.mdl", "-o", "out", "--json")
            lines = [json.loads(line) for line in out.splitlines()]
            holes, palette = meant["flags"] & 16384 != 0, oracle.QUAKE_PALETTE
            names = {f"out/torch_skin{k}{f'_{i}' * (len(skin['pictures']) > 1)}.png": bytes.fromhex(picture)
                     for k, skin in enumerate(meant["skins"]) for i, picture in enumerate(skin["pictures"])}
            self.assertEqual({line["output"] for line in lines}, set(names))
            several += len(names) > len(meant["skins"]) > 1
            for name, pixels in names.items():
                painted = b"".join(palette[3 * i:3 * i + 3]
                                   + (b"\0" if holes and i == 255 else b"\xff") for i in pixels)
                got = image_files.png_read((self.folder / name).read_bytes())
                self.assertEqual(got, (*meant["skin_size"], painted))
            groups = json.loads(self.run_tool("info", "--json", "torch.mdl")[0]).get("skin_groups", [])
            self.assertEqual([group["skin"] for group in groups],
                             [f"skin{k}" for k, skin in enumerate(meant["skins"]) if skin["ends"]])
            for group, skin in zip(groups, [skin for skin in meant["skins"] if skin["ends"]]):
                for end, given in zip(group["ends"], skin["ends"], strict=True):
                    self.assertAlmostEqual(end, given, 5)
            self.assertEqual(self.run_tool("info", "torch.mdl")[0].count(b"  group of "), len(groups))
            errors = self.run_tool("convert", "-f", "torch.mdl", "-o", "torch.glb")[1]
            self.assertEqual("warning [not-held] 1 of the skins is animated: only the first image is written" in errors
                             or "warning [not-held] 2 of the skins are animated" in errors,
                             any(len(skin["pictures"]) > 1 for skin in meant["skins"]))
        self.assertGreater(several, 0)

    def test_a_jpeg_and_a_png_of_one_name(self) -> None:
        source = Path(os.environ["LERPMESH_SOURCE_DIR"])
        with zipfile.ZipFile(source / "fuzz/seeds/jpeg.zip") as seeds:
            jpeg = seeds.read("color")
        png = image_files.png_write([bytes((1, 2, 3, 4, 5, 6))], 2)
        self.make("in", {"tick.md2": (source / "samples/tick.md2").read_bytes(), "a.jpg": jpeg, "a.png": png})
        for names, made in ((("a.jpg", "a.png"), {"m_a_jpg.png", "m_a.png"}), (("a.jpg", "b.png"), {"m_a.png"})):
            self.run_tool("edit", "in/tick.md2", "--set-skin", "0=" + names[0], "--add-skin", names[1], "-o", "in/m.md2",
                          "--force")
            self.run_tool("extract", "--images", "in/m.md2", "-o", f"of_{names[1]}/")
            self.assertEqual(set(self.tree("of_" + names[1])), made)

    def test_images_of_models_in_an_archive(self) -> None:
        rows = [[(x * y) % 256 for x in range(32)] for y in range(32)]
        colours = [(i, 255 - i, i // 2) for i in range(256)]
        pcx = image_files.pcx_write(rows, 8, 1, colours=colours)
        model = (Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples" / "tick.md2").read_bytes()
        self.make("in", {"models/t/tick.md2": model, "models/t/tick.pcx": pcx,
                         "models/u/alone.md2": model, "other.txt": b""})
        self.run_tool("pack", "in", "-o", "a.pak")
        _, errors = self.run_tool("extract", "--images", "a.pak", "-o", "out")
        self.assertEqual(set(self.tree("out")), {"models/t/tick_tick.png"})
        self.assertIn("2 files: 1 extracted", errors)
        self.assertIn("\nlerpmesh: 1 model has no images: none is embedded, and no texture file can be read\n", errors)
        width, height, pixels = image_files.png_read(self.tree("out")["models/t/tick_tick.png"])
        self.assertEqual((width, height), (32, 32))
        self.assertEqual(pixels, b"".join(bytes(colours[i]) + b"\xff" for row in rows for i in row))
        self.run_tool("extract", "in/models/t/tick.md2", "-o", "one")
        self.assertEqual(list(self.tree("one").values()), list(self.tree("out").values()))
        self.assertIn("no image found", self.run_tool("extract", "in/models/u/alone.md2", "-o", "none", status=1)[1])
        self.assertIn("need a folder", self.run_tool("extract", "in/models/t/tick.md2", status=1)[1])
        # The name of a file does not become a folder.
        self.assertIn("need a folder", self.run_tool("extract", "in/models/t/tick.md2", "-o", "x.png", status=1)[1])
        self.assertIn("No such file", self.run_tool("extract", "no.pak:x/y.pcx", "-o", "x.png", status=1)[1])
        self.run_tool("pack", "in/models/t", "-o", "b.pak")
        self.assertIn("x.png: end the name with a slash for a folder",
                      self.run_tool("extract", "b.pak:*.pcx", "-o", "x.png", status=2)[1])
        self.assertFalse({"x.png", "none"} & {path.name for path in self.folder.iterdir()})

    def test_two_images_with_one_output_name(self) -> None:
        """The first one gets the name, with any number of threads; identical images are one file."""
        model = (Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples" / "tick.md2").read_bytes()
        rows = [[x % 16 for x in range(32)] for _ in range(32)]
        painted = [image_files.pcx_write(rows, 8, 1, colours=[(red, i, i) for i in range(256)]) for red in (1, 200)]
        self.make("in", {"t/x.md2": model, "t/a/tick.pcx": painted[0], "t/b/tick.pcx": painted[1], "t/c/tick.pcx": painted[0]})
        for other, status in ("b", 1), ("c", 0):
            self.run_tool("convert", "-q", "in/t/x.md2", "-o", "in/t/x.md3")
            self.run_tool("edit", "-q", "in/t/x.md2", "--set-skin", "0=t/a/tick.pcx", "--in-place")
            self.run_tool("edit", "-q", "in/t/x.md3", "--set-skin", f"0:0=t/{other}/tick.pcx", "--in-place")
            for force in (), ("--force",):
                for jobs in "-j1", "-j8":
                    with self.subTest(other=other, jobs=jobs, force=force):
                        shutil.rmtree(self.folder / "out", ignore_errors=True)
                        _, errors = self.run_tool("extract", "--images", "in", "--game", "in", "-o", "out", jobs, *force, status=status)
                        (name, png), = self.tree("out").items()
                        self.assertEqual((name, image_files.png_read(png)[2][:3]), ("t/x_tick.png", b"\1\0\0"))
                        self.assertEqual(errors.count("in/t/x.md3: not written: out/t/x_tick.png is also the output of in/t/x.md2\n"), status)

    def test_many_images_with_one_output_name(self) -> None:
        model = (Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples" / "tick.md2").read_bytes()
        rows = [[x % 16 for x in range(32)] for _ in range(32)]
        self.make("in", {"x.md2": model, **{f"{name}/tick.pcx": image_files.pcx_write(rows, 8, 1, colours=[(red, i, i) for i in range(256)])
                                            for name, red in (("a", 1), ("b", 200))}})
        self.run_tool("convert", "-q", "in/x.md2", "-o", "in/x.md3")
        self.run_tool("edit", "-q", "in/x.md2", "--set-skin", "0=a/tick.pcx", "--in-place")
        self.run_tool("edit", "-q", "in/x.md3", "--set-skin", "0:0=b/tick.pcx", "--in-place")
        numbers = [7 * i % 24 for i in range(24)]
        first = [(f"in/m{i}.md2", f"in/m{i}.md3")[:: 1 if i % 3 else -1] for i in numbers]
        for pair in first:
            for path in pair:
                shutil.copy(self.folder / "in" / f"x{path[-4:]}", self.folder / path)
        for jobs in "-j1", "-j8":
            _, errors = self.run_tool("extract", "--images", *(path for pair in first for path in pair), "--game", "in", "-o",
                                      f"out{jobs}", jobs, status=1)
            self.assertEqual(errors.count("not written: "), 24)
            for i, (kept, lost) in zip(numbers, first):
                self.assertIn(f"{lost}: not written: out{jobs}/m{i}_tick.png is also the output of {kept}\n", errors)
                png = image_files.png_read((self.folder / f"out{jobs}" / f"m{i}_tick.png").read_bytes())
                self.assertEqual(png[2][0], 1 if kept.endswith("md2") else 200)

    def test_a_jpeg_becomes_a_png(self) -> None:
        """16 x 8 pixels of one grey (ITU-T T.81): a code for the difference 0, and one for the end."""
        tables = bytes([255, 219, 0, 67, 0]) + b"\1" * 64
        tables += bytes([255, 192, 0, 11, 8, 0, 8, 0, 16, 1, 1, 17, 0])
        for kind in 0, 16:
            tables += bytes([255, 196, 0, 20, kind, 1]) + bytes(15) + b"\0"
        jpeg = b"\xff\xd8" + tables + bytes([255, 218, 0, 8, 1, 1, 0, 0, 63, 0, 0x0F]) + b"\xff\xd9"
        model = (Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples" / "tick.md2").read_bytes()
        self.make("in", {"tick.md2": model, "tick.jpg": jpeg})
        self.run_tool("extract", "in/tick.md2", "-o", "out")
        self.assertEqual(list(self.tree("out")), ["tick_tick.png"])
        self.assertEqual(image_files.png_read(self.tree("out")["tick_tick.png"]), (16, 8, b"\x80\x80\x80\xff" * 128))

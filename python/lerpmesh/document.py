"""Documents: changing a model's file without encoding it again."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence, Union

from .clips import Clip, clips_to_c
from .files import check
from .library import (Data, Diagnostic, Handle, Kept, PathLike, data_of, enum, fail, ffi, items, lib, name_of,
                      new_error, owned, read, text, written)
from .mesh import Mesh, mesh_to_c
from .model import load_options


class Change(NamedTuple):
    """A change of a document."""

    what: str
    """The element: "skin 0", "frames"."""
    before: Optional[str]
    """None: it did not exist."""
    after: Optional[str]
    """None: it was removed."""


class Document(Handle, changes=True):
    """A file that is being changed. Only the named values change; all other bytes stay, and an unchanged file gives the
    same bytes. `close()` and `with` release it at once. Threads that share a document wait for each other.

    Lists: "skins", "frames", "clips", "surfaces", "tags", "header". If each surface has the list, `surface` selects
    the surface. Elements are numbered from 0.

    >>> document = Document("samples/tick.md2")
    >>> document.names("clips")[0]
    'stand'
    >>> document.rename("clips", 0, "idle")
    >>> document.names("frames")[0]
    'idle01'
    """

    def __init__(self, source: Union[Data, PathLike], *, repair: bool = False, strict: bool = False) -> None:
        """Opens a path, or the bytes of a file. `repair` removes all damage first; `strict` rejects any."""
        error = new_error()
        pointer = data_of(read(source))
        edit = lib.lm_edit_open(pointer, len(pointer), load_options(repair, strict), error)
        # The destructor keeps the bytes until the edit is freed.
        super().__init__(owned(edit, lambda edit, pointer=pointer: lib.lm_edit_free(edit), error))

    def _call(self, function: Any, *arguments: Any) -> None:
        error = new_error()
        if not function(self._open, *arguments, error):
            fail(error)

    def _set(self, name: str, value: str = "") -> None:
        self._call(lib.lm_edit_set, name_of(name), name_of(value), ffi.NULL)

    @property
    def format(self) -> str:
        """"md2", "md3", "mdc", "mdl" or "mds"."""
        return text(lib.lm_edit_format(self._open).name)

    def encode(self) -> bytes:
        """Returns the changed file, which was read back and compared with the document."""
        return written(lambda out, error: lib.lm_edit_write(self._open, out, error))

    @property
    def changes(self) -> list[Change]:
        """The changes so far."""
        count = ffi.new("uint32_t *")
        changes = lib.lm_edit_changes(self._open, count)
        return [Change(text(change.what), text(change.before) if change.before else None,
                       text(change.after) if change.after else None) for change in items(changes, count[0])]

    # ---- Fixes ------------------------------------------------------------------------------------

    def can_fix(self, problem: Diagnostic) -> Optional[str]:
        """Returns a sentence about the fix of a problem that check() reports; None: it has no fix."""
        buffer = ffi.new("lm_buffer *")
        try:
            if not lib.lm_edit_can_fix(self._open, _problem(problem), buffer):
                return None
            sentence: bytes = ffi.buffer(buffer.data, buffer.size)[:]
            return sentence.decode("utf-8", "surrogateescape")
        finally:
            lib.lm_buffer_free(buffer)

    def fix(self, problem: Diagnostic) -> None:
        """Fixes a problem that check() reports for the encoded file."""
        self._call(lib.lm_edit_fix, _problem(problem))

    def fix_all(self, *codes: str) -> list[Diagnostic]:
        """Fixes all problems that have a fix, or only those with these codes. Returns the fixed ones.

        >>> Document("samples/tick.md2").fix_all("name-junk")
        []
        """
        fixed: list[Diagnostic] = []
        for problem in check(self.encode(), max_per_code=2**32 - 1).problems:
            known = problem.code in (f.code for f in fixed) and problem.code not in ("skin-path", "header-name")
            if (not codes or problem.code in codes) and not known and self.can_fix(problem):
                self.fix(problem)
                fixed.append(problem)
        return fixed

    # ---- Lists --------------------------------------------------------------------------------

    def names(self, what: str, surface: int = 0) -> list[str]:
        """Returns the names of a list; [] if the format has no such list."""
        kind, edit = enum("LM_EDIT_", what), self._open
        name = ffi.new("char[]", lib.LM_EDIT_NAME_SIZE)
        count = ffi.new("uint32_t *")
        self._call(lib.lm_edit_count, kind, surface, count)
        found = []
        for index in range(count[0]):
            lib.lm_edit_name(edit, kind, surface, index, name)
            found.append(text(name))
        return found

    def clip(self, index: int) -> range:
        """Returns the frames of a clip."""
        first, count = ffi.new("uint32_t *"), ffi.new("uint32_t *")
        self._call(lib.lm_edit_clip, index, first, count)
        return range(first[0], first[0] + count[0])

    def use_clips(self, clips: Sequence[Clip]) -> None:
        """Makes these clips, which read_clips() returns, those of the document, in place of those that the frames' names
        form."""
        kept = Kept()
        self._call(lib.lm_edit_use_clips, clips_to_c(clips, kept), len(clips))

    def rename(self, what: str, index: int, name: str, surface: int = 0) -> None:
        """Renames an element. A renamed clip renames its frames."""
        self._call(lib.lm_edit_rename, enum("LM_EDIT_", what), surface, index, name_of(name))

    def substitute(self, what: str, substitution: str) -> int:
        """Replaces a pattern in all names of a list, as sed -E does: "s/PATTERN/NEW/gi". Returns the number of changed
        names."""
        before = len(self.changes)
        if what == "skins":
            self._set("path", substitution)
        else:
            self._set("rename", f"{what}:{substitution}")
        return len(self.changes) - before

    def select(self, what: str, indices: Sequence[int], surface: int = 0) -> None:
        """Keeps only these elements, in this order. Frames may be repeated."""
        chosen = ffi.new("uint32_t[]", list(indices))
        self._call(lib.lm_edit_select, enum("LM_EDIT_", what), surface, chosen, len(chosen))

    def keep(self, what: str, words: str) -> None:
        """Keeps only the elements that words name: "run,7,40-45". For lists of each surface: "SURFACE:WORDS"."""
        self._set("keep", f"{what}:{words}")

    def drop(self, what: str, words: str) -> None:
        """Removes the elements that words name."""
        self._set("drop", f"{what}:{words}")

    def order(self, what: str, words: str) -> None:
        """Keeps only the elements that words name, in the order of the words."""
        self._set("order", f"{what}:{words}")

    def reverse(self, clips: str = "all") -> None:
        """Reverses the frames of each named clip, or all frames."""
        self._set("reverse", clips)

    def add_skin(self, path: str, surface: int = 0) -> None:
        """Appends a skin's path; for MD3 and MDC, to that of a surface."""
        self._set("add-skin", path if self.format in ("md2", "mdl") else f"{surface}={path}")

    def append(self, other: Document) -> None:
        """Appends the frames of another file of the same format, with the same triangles."""
        self._call(lib.lm_edit_append, other._open)

    def put_frames(self, mesh: Mesh, tolerance: float) -> int:
        """Replaces frames by those of a mesh with the file's own vertices, such as Mesh.from_model() returns. Where
        no vertex or tag is more than `tolerance` units away, a frame keeps its bytes. Returns the number of changed
        frames."""
        kept = Kept()
        changed = ffi.new("uint32_t *")
        self._call(lib.lm_edit_put_frames, mesh_to_c(mesh, kept), tolerance, changed)
        return int(changed[0])

    def remove_unused(self) -> None:
        """Removes unused vertices and texture coordinates."""
        self._set("remove-unused")

    # ---- Transforms, tags, normals, bounds ----------------------------------------------------

    def transform(self, *, scale: float = 0.0, quarter_turns: int = 0,
                  move: tuple[float, float, float] = (0.0, 0.0, 0.0), round: bool = False) -> None:
        """Scales, then rotates about z, then moves the model, without encoding it again. `round` allows rounding."""
        self._call(lib.lm_edit_set_transform, ffi.new("lm_edit_transform *", {
            "scale": scale, "quarter_turns": quarter_turns, "move": move, "round": round}))

    def reencode(self, *, scale: float = 0.0, degrees: float = 0.0,
                 move: tuple[float, float, float] = (0.0, 0.0, 0.0), fps: float = 0.0) -> float:
        """Changes that need encoding again: any angle, or another rate. Returns the largest error, in units."""
        error = ffi.new("double *")
        self._call(lib.lm_edit_reencode, ffi.new("lm_edit_reencode_options *", {
            "scale": scale, "degrees": degrees, "move": move, "fps": fps}), error)
        return float(error[0])

    def add_tag(self, name: str, origin: tuple[float, float, float], *, frame: int = 0,
                follows: bool = False) -> None:
        """Adds a tag at a place in a frame. If it follows, it moves with the nearest surface."""
        self._set("add-tag", f"{name}={_numbers(origin)}" + (f",follow@{frame}" if follows else ""))

    def move_tag(self, tag: int, by: tuple[float, float, float]) -> None:
        """Moves a tag in every frame."""
        self._set("move-tag", f"{tag}={_numbers(by)}")

    def compute_normals(self) -> None:
        """Recomputes the normals from the vertices."""
        self._set("normals", "computed")

    def compute_bounds(self) -> None:
        """Recomputes the bounds from the vertices (MD3, MDC, MDL)."""
        self._set("compute-bounds")


def _problem(problem: Diagnostic) -> Any:
    """Returns the part of an lm_diagnostic that a fix needs."""
    where = problem.location
    return ffi.new("lm_diagnostic *", {"code": enum("LM_CODE_", problem.code), "location": {
        "surface": where.surface if where else 0, "index": where.index if where else 0}})


def _numbers(vector: Sequence[float]) -> str:
    return ",".join(repr(float(number)) for number in vector)


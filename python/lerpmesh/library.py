"""The C libraries, and conversions between their values and Python's. For the other modules of this package."""
from __future__ import annotations

import contextlib
import functools
import inspect
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterable, NoReturn, Optional, Sequence, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from . import _native

ffi: Any = _native.ffi

Floats = NDArray[np.float32]
Indices = NDArray[np.uint32]
Bytes = NDArray[np.uint8]
Data = Union[bytes, bytearray, memoryview]
PathLike = Union[str, os.PathLike[str]]


class _Shared:
    """The functions of the package's shared libraries (ABI mode). A library is loaded after those that it needs."""

    def __init__(self) -> None:
        folder = Path(__file__).parent / "binaries"
        names = ("lerpmesh", "lerpmesh-write", "lerpmesh-assets", "lerpmesh-import", "lerpmesh-convert")
        self._libraries = [ffi.dlopen(str(next(folder.glob(f"lib{name}.so.*")))) for name in names]

    def __getattr__(self, name: str) -> Any:
        for library in self._libraries:
            try:
                value = getattr(library, name)
            except (AttributeError, ffi.error):
                continue
            setattr(self, name, value)
            return value
        raise AttributeError(name)

    def __dir__(self) -> list[str]:
        return dir(self._libraries[0])


lib: Any = _native.lib if hasattr(_native, "lib") else _Shared()


def check_structs(library: Any) -> None:
    """Fails if the library has structs of other sizes than this package."""
    for name in ffi.list_types()[0]:
        size = library.lm_struct_size(name.encode())
        if size and size != ffi.sizeof(name):
            raise ImportError(f"{name} has {size} bytes in the library, but {ffi.sizeof(name)} in this package")


check_structs(lib)


# ---- Errors and diagnostics -------------------------------------------------------------------


class Error(Exception):
    """A call of the library failed. Its text is one sentence, such as "md2: triangle 17 uses vertex 900, but the model
    has 342 (byte 6700)"."""

    code: str
    """The stable name of the code: "bad-offset"."""
    offset: int
    """The byte in the input; 0 if the error has no location."""
    section: str
    """The section of the file or mesh: "header", "surface 2 vertices"; may be empty."""
    surface: int
    """The surface, if the section belongs to one."""
    index: int
    """The triangle, frame, vertex, ... of the section."""

    def __init__(self, message: str, code: str, offset: int = 0, section: str = "", surface: int = 0,
                 index: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.offset = offset
        self.section = section
        self.surface = surface
        self.index = index

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.code, self.offset, self.section, self.surface, self.index)


@dataclass(frozen=True)
class Location:
    """A location in a file."""

    section: str
    """The section of the file: "header", "surface 2 triangles"."""
    offset: int
    """The byte in the file."""
    surface: int
    """The surface, if the section belongs to one."""
    index: int
    """The triangle, frame, vertex, ... of the section."""


@dataclass(frozen=True)
class Diagnostic:
    """An error, a warning or a note about a file, a model or a conversion."""

    code: str
    severity: str
    """"error", "warning" or "note"."""
    text: str
    """One sentence."""
    subject: Optional[str]
    """The file, part or clip that is concerned."""
    location: Optional[Location]
    count: int
    """The number of cases; text and location describe the first."""


def error_of(error: Any) -> Error:
    """Returns an lm_error as an exception."""
    return Error(text(ffi.addressof(error, "message")[0]), text(lib.lm_code_name(error.code)), error.offset,
                 text(ffi.addressof(error, "section")[0]), error.surface, error.index)


def fail(error: Any) -> NoReturn:
    """Raises an lm_error. It is empty if a function without one ran out of memory."""
    if error.code == lib.LM_CODE_OK:
        raise MemoryError
    raise error_of(error)


def bad_argument(message: str) -> Error:
    """Returns the exception for an argument that the library would reject."""
    return Error(message, "bad-argument")


def diagnostics(count: int, items: Any) -> list[Diagnostic]:
    """Returns an array of lm_diagnostic."""
    return [Diagnostic(text(lib.lm_code_name(item.code)), text(lib.lm_severity_name(item.severity)), text(item.text),
                       text(item.subject) if item.subject else None,
                       Location(text(item.location.section), item.location.offset, item.location.surface,
                                item.location.index) if item.location.section else None,
                       item.count) for item in ffi.unpack(items, count)] if count else []


# ---- Values from C ----------------------------------------------------------------------------


def text(pointer: Any) -> str:
    """Returns a C string; "" for NULL. Bytes that are not UTF-8 become lone surrogates, as in os.fsdecode()."""
    value: bytes = ffi.string(pointer) if pointer else b""
    return value.decode("utf-8", "surrogateescape")


def items(pointer: Any, count: int) -> list[Any]:
    """Returns references to the structs of an array."""
    return [pointer[i] for i in range(count)]


class _Memory:
    """C memory for numpy. The array keeps this object, and this object keeps the owner of the memory."""

    def __init__(self, address: int, shape: tuple[int, ...], kind: str, owner: object, writable: bool) -> None:
        self.__array_interface__ = {"data": (address, not writable), "shape": shape, "typestr": np.dtype(kind).str,
                                    "version": 3}
        self.owner = owner


def view(pointer: Any, shape: tuple[int, ...], kind: str, owner: object, writable: bool = False) -> NDArray[Any]:
    """Returns C memory as an array, without copying. The array keeps its owner alive."""
    if not pointer or 0 in shape:
        return np.zeros(shape, kind)
    return np.asarray(_Memory(int(ffi.cast("uintptr_t", pointer)), shape, kind, owner, writable))


def vec3(vector: Any) -> tuple[float, float, float]:
    """Returns an lm_vec3."""
    return vector.x, vector.y, vector.z


def matrices(transforms: Any, count: int) -> Floats:
    """Returns lm_transforms as matrices [count, 4, 4] that map columns: the axes are columns 0 to 2, the origin
    column 3."""
    columns = np.frombuffer(ffi.buffer(transforms, count * ffi.sizeof("lm_transform")), np.float32)
    result = np.zeros((count, 4, 4), np.float32)
    result[:, :3, 3] = columns.reshape(count, 4, 3)[:, 0]
    result[:, :3, :3] = columns.reshape(count, 4, 3)[:, 1:].transpose(0, 2, 1)
    result[:, 3, 3] = 1
    return result


# ---- Values for C -----------------------------------------------------------------------------
#
# Everything that C takes on trust passes these functions: texts end at their NUL, arrays have the announced shapes and
# lengths, and no other thread changes them, because they are copies.


def name_of(value: str) -> bytes:
    """Returns text for C."""
    return _without_nul(value.encode("utf-8", "surrogateescape"))


def path_of(value: PathLike) -> bytes:
    """Returns a path for C."""
    return _without_nul(os.fsencode(value))


def _without_nul(value: bytes) -> bytes:
    if b"\0" in value:
        raise ValueError("a name contains a NUL")
    return value


def data_of(data: Data) -> Any:
    """Returns bytes for C; its len() is their number. Only bytes that may change are copied."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"{type(data).__name__} is not bytes")
    return ffi.from_buffer(bytes(data))


def array_of(values: Any, kind: str, shape: tuple[int, ...], name: str) -> Optional[NDArray[Any]]:
    """Returns a copy of an array; None for None. In the shape, -1 matches any size. Fails for fractions, unless it is
    "f4", and for numbers that `kind` does not hold."""
    if values is None:
        return None
    given = np.asarray(values)
    if given.ndim != len(shape) or any(want not in (-1, have) for want, have in zip(shape, given.shape)):
        raise ValueError(f"{name} have the shape {given.shape}, not {shape}".replace("-1", "any"))
    if given.size and given.dtype.kind not in ("biuf" if kind == "f4" else "biu"):
        raise ValueError(f"{name} are {given.dtype}, not {'numbers' if kind == 'f4' else 'whole numbers'}")
    made = np.array(given, kind, order="C")
    if kind != "f4" and given.size and (given.min() < 0 or given.max() > np.iinfo(kind).max):
        raise ValueError(f"{name} have numbers outside 0 to {np.iinfo(kind).max}")
    return made


def pixels_of(values: Any, name: str) -> NDArray[Any]:
    """Returns a copy of pixels [height, width, 4]."""
    pixels = array_of(values, "u1", (-1, -1, 4), name)
    if pixels is None or 0 in pixels.shape:
        raise ValueError(f"{name} have no pixels: each side has at least 1")
    return pixels


def transforms_of(matrix: Any, count: int, name: str) -> Any:
    """Returns matrices [count, 4, 4] as an array of lm_transform."""
    values = array_of(matrix, "f4", (count, 4, 4), name)
    if values is None:
        raise ValueError(f"{name} are missing")
    columns = np.concatenate((values[:, None, :3, 3], values[:, :3, :3].transpose(0, 2, 1)), axis=1)
    result = ffi.new("lm_transform[]", len(values))
    ffi.memmove(result, np.ascontiguousarray(columns), columns.nbytes)
    return result


def count_of(array: Any) -> int:
    """Returns the length of an array of Kept, which is NULL if it is empty."""
    return len(array) if array else 0


def give(target: Any, name: str, array: Any) -> None:
    """Sets an array of a struct and its length: "tags" sets `tags` and `num_tags`."""
    setattr(target, name, array)
    setattr(target, f"num_{name}", count_of(array))


class Kept:
    """Makes C memory that lives as long as this object."""

    def __init__(self) -> None:
        self._objects: list[object] = []

    def keep(self, value: Any) -> Any:
        """Keeps a value, and returns it."""
        self._objects.append(value)
        return value

    def open(self, handle: Handle) -> Any:
        """Returns the C object of a Handle, also after another thread closes that."""
        return self.keep(handle._content_now()).pointer

    def text(self, value: Optional[str]) -> Any:
        """Returns a C string; NULL for None."""
        return ffi.NULL if value is None else self.keep(ffi.new("char[]", name_of(value)))

    def path(self, value: PathLike) -> Any:
        """Returns a path as a C string."""
        return self.keep(ffi.new("char[]", path_of(value)))

    def texts(self, values: Iterable[str]) -> Any:
        """Returns an array of C strings."""
        return self.keep(ffi.new("const char *[]", [self.text(value) for value in values]))

    def structs(self, kind: str, values: Sequence[dict[str, Any]]) -> Any:
        """Returns an array of structs; NULL if there are none."""
        return self.keep(ffi.new(f"{kind}[]", list(values))) if values else ffi.NULL

    def numbers(self, array: Optional[NDArray[Any]]) -> Any:
        """Returns a pointer to the memory of array_of(); NULL if it is None or empty."""
        if array is None or not array.size:
            return ffi.NULL
        return self.keep(ffi.from_buffer(ELEMENTS[array.dtype.str[1:]], array))


ELEMENTS = {"f4": ffi.typeof("float[]"), "u4": ffi.typeof("uint32_t[]"), "u1": ffi.typeof("uint8_t[]")}
# Macros are no enumerators, even if their names begin like one.
_ENUMERATORS: dict[str, int] = {
    name: value for kind in map(ffi.typeof, ffi.list_types()[0]) if kind.kind == "enum"
    for name, value in kind.relements.items()}


def enum(prefix: str, name: str) -> int:
    """Returns the value of an enum: enum("LM_STRIPS_", "best")."""
    value = _ENUMERATORS.get(prefix + name.upper().replace("-", "_"))
    if value is None:
        raise ValueError(f"there is no {name!r} ({prefix}...)")
    return value


def names_of(prefix: str) -> dict[int, str]:
    """Returns the names of an enum by their values."""
    return {value: name[len(prefix):].lower().replace("_", "-") for name, value in _ENUMERATORS.items()
            if name.startswith(prefix)}


def engine_of(name: str) -> int:
    """Returns an engine by its name: "quake2"."""
    engine = int(lib.lm_engine_by_name(name_of(name)))
    if engine == lib.LM_NUM_ENGINES:
        raise ValueError(f"there is no engine {name!r}")
    return engine


def format_of(name: str) -> Any:
    """Returns a format by its name: "md2"."""
    found = lib.lm_format_by_name(name_of(name))
    if not found:
        raise ValueError(f"there is no format {name!r}")
    return found


# ---- Calls ------------------------------------------------------------------------------------


def new_error() -> Any:
    """Returns an empty lm_error."""
    return ffi.new("lm_error *")


def owned(pointer: Any, free: Any, error: Any) -> Any:
    """Returns an object that is freed with its last reference. Raises the error for NULL."""
    if not pointer:
        fail(error)
    return ffi.gc(pointer, free)


class _Content:
    """What an open Handle has: its C object, the owner of the memory, and results that it keeps."""

    __slots__ = "pointer", "owner", "results"

    def __init__(self, pointer: Any, owner: object) -> None:
        self.pointer = pointer
        self.owner = owner
        self.results: dict[str, Any] = {}


_Handle = TypeVar("_Handle", bound="Handle")


class Handle:
    """An object of the library, which close(), the end of `with`, or the last reference releases.

    The methods and properties of its classes hold the object while they work. So another thread may close it: its
    memory is released once they have returned. With `changes`, methods change the object, and wait for each other."""

    def __init_subclass__(cls, changes: bool = False) -> None:
        hold = _alone if changes else _held
        for name, value in list(vars(cls).items()):
            if isinstance(value, property):
                setattr(cls, name, property(hold(value.fget)))
            elif isinstance(value, functools.cached_property):
                setattr(cls, name, property(hold(_kept(name, value.func))))
            elif inspect.isfunction(value) and not name.startswith("_") and not hasattr(value, "holds_itself"):
                setattr(cls, name, hold(value))

    def __init__(self, pointer: Any, owner: object = None) -> None:
        self._content: Optional[_Content] = _Content(pointer, pointer if owner is None else owner)
        self._lock = threading.RLock()

    def close(self) -> None:
        """Releases the object at once. Arrays that were made from it stay valid, and keep its memory."""
        self._content = None

    def __enter__(self: _Handle) -> _Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _content_now(self) -> _Content:
        content = self._content
        if content is None:
            raise ValueError(f"the {type(self).__name__.lower()} is closed")
        return content

    @property
    def _open(self) -> Any:
        """The C object."""
        return (self._content or self._content_now()).pointer

    @property
    def _owner(self) -> Any:
        """The owner of the memory. Whatever refers to that memory keeps it."""
        return self._content_now().owner


def holds_itself(method: Any) -> Any:
    """Marks a method that has the content of its object in a variable: the wrapper costs a tenth of a microsecond."""
    method.holds_itself = True
    return method


def _held(method: Any) -> Any:
    """Returns a method that holds its object while it works."""

    @functools.wraps(method)
    def call(self: Handle, *arguments: Any, **options: Any) -> Any:
        content = self._content or self._content_now()  # noqa: F841 - this reference keeps it
        return method(self, *arguments, **options)

    return call


def _alone(method: Any) -> Any:
    """The same for a method that changes its object: it has that, and arguments of the same class, for itself."""

    @functools.wraps(method)
    def call(self: Handle, *arguments: Any, **options: Any) -> Any:
        own = {self, *(each for each in (*arguments, *options.values()) if isinstance(each, type(self)))}
        with contextlib.ExitStack() as locks:
            for each in sorted(own, key=id):  # the same order in all threads
                locks.enter_context(each._lock)
            content = self._content_now()  # noqa: F841
            return method(self, *arguments, **options)

    return call


def _kept(name: str, compute: Any) -> Any:
    """Returns a method whose result the open object keeps."""

    @functools.wraps(compute)
    def get(self: Handle) -> Any:
        results = self._content_now().results
        if name not in results:
            results[name] = compute(self)
        return results[name]

    return get


def written(call: Callable[[Any, Any], Any]) -> bytes:
    """Returns the bytes that a call appends to an lm_buffer. The call receives the buffer and an lm_error."""
    buffer = ffi.new("lm_buffer *")
    error = new_error()
    try:
        if not call(buffer, error):
            fail(error)
        return bytes(ffi.buffer(buffer.data, buffer.size)) if buffer.size else b""
    finally:
        lib.lm_buffer_free(buffer)


def read(source: Union[Data, PathLike]) -> bytes:
    """Returns bytes as they are, or the bytes of the file at a path."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    return read_file(source)


def read_file(path: PathLike) -> bytes:
    """Returns the bytes of a file, also of one in an archive ("pak0.pak:models/a.md2")."""
    error = new_error()
    vfs = owned(lib.lm_vfs_new(ffi.NULL, error), lib.lm_vfs_free, error)
    return written(lambda out, error: lib.lm_vfs_read(vfs, path_of(path), 0, out, error))

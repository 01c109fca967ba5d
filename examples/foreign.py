"""Loads and samples a model from another language, by the C interface alone: foreign.py LIBRARY MODEL

Each struct that is mirrored here is compared with the library's before it is used."""
import ctypes as c
import sys


class Error(c.Structure):
    _fields_ = [("offset", c.c_size_t), ("code", c.c_int), ("section", c.c_char * 48), ("surface", c.c_uint32),
                ("index", c.c_uint32), ("message", c.c_char * 1024)]


class Vec3(c.Structure):
    _fields_ = [("x", c.c_float), ("y", c.c_float), ("z", c.c_float)]


LISTS = ("frames", "surfaces", "tags", "clips", "skins")


def main() -> None:
    lm = c.CDLL(sys.argv[1])
    lm.lm_struct_size.restype, lm.lm_struct_size.argtypes = c.c_size_t, [c.c_char_p]
    for name, mirror in (b"lm_error", Error), (b"lm_vec3", Vec3):
        if lm.lm_struct_size(name) != c.sizeof(mirror):
            sys.exit(f"{name.decode()} has another size: the library is of another version")
    lm.lm_load_memory.restype = c.c_void_p
    lm.lm_load_memory.argtypes = [c.c_char_p, c.c_size_t, c.c_void_p, c.POINTER(Error)]
    lm.lm_model_count.restype, lm.lm_model_count.argtypes = c.c_uint32, [c.c_void_p, c.c_int]
    lm.lm_model_bounds.argtypes = [c.c_void_p, c.c_uint32, c.c_uint32, c.POINTER(Vec3), c.POINTER(Vec3)]
    lm.lm_model_free.argtypes = [c.c_void_p]
    with open(sys.argv[2], "rb") as file:
        data = file.read()
    error, least, most = Error(), Vec3(), Vec3()
    model = lm.lm_load_memory(data, len(data), None, error)
    if not model:
        sys.exit(error.message.decode())
    print(*(f"{lm.lm_model_count(model, number)} {name}" for number, name in enumerate(LISTS)), sep=", ")
    if lm.lm_model_bounds(model, 0, 1, least, most) == 0:
        print("from", least.x, least.y, least.z, "to", most.x, most.y, most.z)
    lm.lm_model_free(model)


main()

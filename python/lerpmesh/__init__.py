"""Reads, checks, animates, converts and writes the keyframe meshes of Quake, Quake II, Quake III and Return to Castle
Wolfenstein (MDL, MD2, MD3, MDC).

>>> with load("samples/tick.md2") as model:
...     model.format, model.num_frames, model.clips[0].name
('md2', 49, 'stand')
"""
from ._convert import convert
from .clips import Clip, ClipsFile, Pose, PoseLike, change_clip, quake2_clips, read_clips, write_clips
from .conversion import Composition, Converted, SurfaceImage, compose
from .document import Change, Document
from .files import (Archive, ClipDistance, Comparison, Distance, Gain, Imported, ImportedImage, Member, Optimized, Report,
                    check, compare, import_mesh, list_models, optimize, read_image, read_skin, write_files, write_image,
                    write_skin)
from .library import Diagnostic, Error, Location, ffi, lib, read_file
from .mesh import Encoded, EncodeReport, Mesh, MeshSurface
from .model import EmbeddedSkin, Frame, Material, Model, Place, Surface, load, load_many
from .scene import Attachment, Part, Scene, SceneMaterial, Skin, SkinChoice, Texture, TextureName, open
from .skeleton import Joint, Skeleton, SkeletonDistance, SkeletonSurface

__all__ = [
    "Archive", "Attachment", "Change", "Clip", "ClipDistance", "ClipsFile", "Comparison", "Composition",
    "Converted", "Diagnostic", "Distance", "Document", "EmbeddedSkin", "EncodeReport", "Encoded", "Error", "Frame",
    "Gain", "Imported", "ImportedImage", "Joint", "Location", "Material", "Member", "Mesh", "MeshSurface", "Model",
    "Optimized", "Part", "Place", "Pose", "PoseLike", "Report", "Scene", "SceneMaterial", "Skeleton",
    "SkeletonDistance", "SkeletonSurface", "Skin", "SkinChoice", "Surface",
    "SurfaceImage", "Texture", "TextureName", "change_clip", "check", "compare", "compose", "convert",
    "ffi", "import_mesh", "lib", "list_models", "load", "load_many", "open", "optimize", "quake2_clips", "read_clips",
    "read_file", "read_image", "read_skin", "write_clips", "write_files", "write_image", "write_skin"]

__version__ = ffi.string(lib.lm_version()).decode()

"""A second implementation of shader scripts, from the description of Quake III's readers: an oracle for
assets/shaders/. It shares only one rule with it: after an unknown word, the rest of the line is skipped.

read(text) gives a list of Shader, compared field by field (tests/assets/shaders/test_scripts.py)."""
import re
import struct
from dataclasses import dataclass, field

LONGEST_WORD = 1023
LARGEST = struct.unpack("<f", b"\xff\xff\x7f\x7f")[0]

COMMENT = rb"(?://[^\r\n]*|/\*.*?(?:\*/|\Z))"
SPACES = re.compile(rb"(?:[\x00-\x20]|" + COMMENT + rb")*", re.S)
QUOTED = re.compile(rb'"([^"]*)"?', re.S)
WORD = re.compile(rb"(?:(?!//|/\*)[^\x00-\x20]|" + COMMENT + rb")+", re.S)
NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

FUNCTIONS = ["sin", "triangle", "square", "sawtooth", "inversesawtooth", "noise"]
FACTORS = ["zero", "one", "src_color", "one_minus_src_color", "dst_color", "one_minus_dst_color",
           "src_alpha", "one_minus_src_alpha", "dst_alpha", "one_minus_dst_alpha",
           "src_alpha_saturate"]
NOT_SOURCE = {"src_color", "one_minus_src_color"}
NOT_DESTINATION = {"dst_color", "one_minus_dst_color", "src_alpha_saturate"}
RGB = ["lightingdiffuse", "identity", "identitylighting", "entity", "oneminusentity", "vertex",
       "exactvertex", "oneminusvertex", "const", "wave"]
ALPHA = ["identity", "entity", "oneminusentity", "vertex", "oneminusvertex", "const", "wave", "portal",
         "lightingspecular"]
SORTS = {"portal": 1, "sky": 2, "opaque": 3, "decal": 4, "seethrough": 5, "banner": 6,
         "underwater": 8, "additive": 10, "nearest": 16}
SIDES = {"none": 2, "twosided": 2, "disable": 2, "back": 1, "backside": 1, "backsided": 1}
MOVES = {"scroll": 2, "scale": 2, "rotate": 1, "stretch": 0, "turb": 0, "transform": 6}
DEFORMS = ["wave", "bulge", "move", "normal", "autosprite", "autosprite2"]
TEXTS = ["projectionshadow"] + [f"text{i}" for i in range(8)]
WHITE = {"$whiteimage", "*white", "$lightmap", "$dlight"}
LINES = {"tesssize", "skyparms", "fogparms", "distancecull", "fogvars", "skyfogvars", "waterfogvars",
         "sunshader", "lightgridmulamb", "lightgridmulcol"}
WORDS = {"light", "clamptime"}
FLAGS = {"portal", "nomipmaps", "nopicmip", "entitymergable", "picmip2", "nofog", "allowcompress", "nocompress"}


@dataclass
class Token:
    word: bytes
    first: bool  # of its line

    @property
    def key(self) -> str:
        return self.word.decode("latin-1").translate(LOWER)


LOWER = {c: c + 32 for c in range(ord("A"), ord("Z") + 1)}


@dataclass
class Stage:
    pictures: list[bytes] = field(default_factory=list)
    rate: float = 0
    clamp: bool = False
    tc_gen: int = 0
    vectors: list[float] = field(default_factory=lambda: [0.0] * 6)
    moves: list[tuple] = field(default_factory=list)
    blend: tuple[int, int] | None = None
    test: int = 0
    rgb_gen: int | None = None
    rgb: list[float] = field(default_factory=lambda: [0.0] * 3)
    rgb_wave: tuple = (0, 0.0, 0.0, 0.0, 0.0)
    alpha_gen: int = 0
    alpha: float = 0
    alpha_wave: tuple = (0, 0.0, 0.0, 0.0, 0.0)
    range: float = 0
    depth_equal: bool = False
    writes_depth: bool = False
    drawn: bool = False
    ended: bool = False

    def settle(self) -> None:
        if self.blend == (FACTORS.index("one"), FACTORS.index("zero")):
            self.blend = None
        if self.rgb_gen is None:
            bright = self.blend is None or FACTORS[self.blend[0]] in ("one", "src_alpha")
            self.rgb_gen = RGB.index("identitylighting" if bright else "identity")


@dataclass
class Shader:
    name: bytes
    sides: int = 0
    sort: float = 0
    offset: bool = False
    trans: bool = False
    nodraw: bool = False
    deforms: list[tuple] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)

    @property
    def base(self) -> int:
        for index, stage in enumerate(self.stages):
            if stage.pictures and stage.tc_gen not in (1, 2):
                return index
        return len(self.stages)


def tokens_of(text: bytes) -> list[Token]:
    found, at, fresh = [], 0, True
    while True:
        spaces = SPACES.match(text, at)
        plain = re.sub(COMMENT, b"", spaces.group(), flags=re.S)
        fresh = fresh or b"\n" in plain or b"\r" in plain
        at = spaces.end()
        if at == len(text):
            return found
        match = QUOTED.match(text, at)
        if match:
            word = match.group(1)
        else:
            match = WORD.match(text, at)
            word = re.sub(COMMENT, b"", match.group(), flags=re.S)
        found.append(Token(word[:LONGEST_WORD].split(b"\0")[0], fresh))
        at, fresh = match.end(), False


def number(word: bytes) -> float:
    match = NUMBER.match(word)
    value = float(match.group()) if match else 0.0
    return min(max(value, -LARGEST), LARGEST)


class Reader:
    def __init__(self, name: bytes, tokens: list[Token]):
        self.shader = Shader(name)
        self.tokens = tokens
        self.at = 0
        self.short = False

    # -- words

    def take(self) -> Token | None:
        if self.at == len(self.tokens):
            return None
        self.at += 1
        return self.tokens[self.at - 1]

    def argument(self) -> Token | None:
        more = self.at < len(self.tokens) and not self.tokens[self.at].first
        self.short = self.short or not more
        return self.take() if more else None

    def line(self) -> None:
        while self.argument():
            pass

    def choice(self, words) -> int | None:
        token = self.argument()
        words = list(words)
        return words.index(token.key) if token and token.key in words else None

    def number(self) -> float:
        token = self.argument()
        return number(token.word) if token else 0.0

    def numbers(self, count: int) -> list[float]:
        return [self.number() for _ in range(count)]

    def vector(self, before: list[float]) -> list[float]:
        if self.choice(["("]) is None:
            return before
        values = self.numbers(3)
        self.argument()
        return values

    def wave(self) -> tuple:
        return (self.choice(FUNCTIONS) or 0, *self.numbers(4))

    # -- the shader

    def read(self) -> Shader:
        while token := self.take():
            self.general(token)
        return self.shader

    def general(self, token: Token) -> None:
        key, shader = token.key, self.shader
        if key.startswith(("qer", "q3map")) or key in LINES:
            self.line()
        elif key == "{":
            self.stage()
        elif key in WORDS:
            self.argument()
        elif key == "cull":
            side = self.argument()
            shader.sides = SIDES.get(side.key, shader.sides) if side else shader.sides
        elif key == "sort":
            if order := self.argument():
                shader.sort = max(SORTS.get(order.key, number(order.word)), 0)
        elif key == "surfaceparm":
            if parm := self.argument():
                shader.trans = shader.trans or parm.key == "trans"
                shader.nodraw = shader.nodraw or parm.key == "nodraw"
        elif key == "polygonoffset":
            shader.offset = True
        elif key == "deformvertexes":
            self.deform()
        elif key in ("implicitmap", "implicitmask", "implicitblend"):
            self.implicit(key)
        elif key not in FLAGS:
            self.line()

    def deform(self) -> None:
        kind = self.choice(DEFORMS + TEXTS)
        if kind is None or kind >= len(DEFORMS):
            return
        if len(self.shader.deforms) == 3:
            self.line()
            return
        values, spread, wave = [0.0] * 3, 0.0, (0, 0.0, 0.0, 0.0, 0.0)
        if DEFORMS[kind] == "wave":
            division = self.number()
            spread = 1 / division if division else 100.0
            wave = self.wave()
        elif DEFORMS[kind] == "bulge":
            values = self.numbers(3)
        elif DEFORMS[kind] == "move":
            values = self.numbers(3)
            wave = self.wave()
        elif DEFORMS[kind] == "normal":
            values = [*self.numbers(2), 0.0]
        self.shader.deforms.append((kind, *values, spread, *wave))

    def implicit(self, key: str) -> None:
        picture = self.argument()
        stage = Stage(rgb_gen=0, writes_depth=True)
        stage.pictures = [picture.word if picture and picture.word != b"-" else b""]
        if key == "implicitmask":
            stage.test = 3
        if key == "implicitblend":
            stage.blend = (FACTORS.index("src_alpha"), FACTORS.index("one_minus_src_alpha"))
        if key != "implicitmap":
            self.shader.sides = 2
        self.shader.stages[:1] = [stage]

    # -- a stage

    def stage(self) -> None:
        stage = Stage()
        while (token := self.take()) and token.word != b"}":
            handler = getattr(self, "stage_" + token.key, None) if token.key in STAGE else None
            if handler:
                handler(stage)
            elif token.word == b"{":
                depth = 1
                while depth and (inner := self.take()):
                    depth += {b"{": 1, b"}": -1}.get(inner.word, 0)
            else:
                self.line()
        stage.settle()
        if stage.drawn and len(self.shader.stages) < 8:
            self.shader.stages.append(stage)

    def stage_map(self, stage: Stage) -> None:
        token = self.argument()
        stage.drawn = bool(token and token.word)
        stage.pictures = [token.word] if stage.drawn and token.key not in WHITE else []

    def stage_clampmap(self, stage: Stage) -> None:
        stage.clamp = True
        self.stage_map(stage)

    stage_map32 = stage_mapnocomp = stage_map

    def stage_animmap(self, stage: Stage) -> None:
        stage.rate = self.number()
        stage.pictures = []
        while (token := self.argument()) and token.word:
            stage.pictures.append(token.word)
        stage.pictures = stage.pictures[:16]
        stage.drawn = bool(stage.pictures)

    def stage_videomap(self, _stage: Stage) -> None:
        self.argument()

    stage_fog = stage_videomap

    def stage_detail(self, _stage: Stage) -> None:
        pass

    def stage_depthwrite(self, stage: Stage) -> None:
        stage.writes_depth = True

    def stage_depthfunc(self, stage: Stage) -> None:
        stage.depth_equal = self.choice(["lequal", "equal"]) == 1

    def stage_alphafunc(self, stage: Stage) -> None:
        word = self.choice(["gt0", "lt128", "ge128"])
        stage.test = 0 if word is None else word + 1

    def factor(self, token: Token | None, forbidden: set[str]) -> int:
        name = token.key[3:] if token and token.key.startswith("gl_") else ""
        return FACTORS.index(name if name in FACTORS and name not in forbidden else "one")

    def stage_blendfunc(self, stage: Stage) -> None:
        short = {"add": ("one", "one"), "filter": ("dst_color", "zero"), "blend": ("src_alpha", "one_minus_src_alpha")}
        token = self.argument()
        if token and token.key in short:
            stage.blend = tuple(FACTORS.index(name) for name in short[token.key])
        elif token:
            source = self.factor(token, NOT_SOURCE)
            stage.blend = (source, self.factor(self.argument(), NOT_DESTINATION))

    def stage_rgbgen(self, stage: Stage) -> None:
        word = self.choice(RGB)
        if word is None:
            return
        stage.rgb_gen = word
        if RGB[word] == "wave":
            stage.rgb_wave = self.wave()
        elif RGB[word] == "const":
            stage.rgb = self.vector(stage.rgb)
        elif RGB[word] == "vertex" and stage.alpha_gen == 0:
            stage.alpha_gen = ALPHA.index("vertex")

    def stage_alphagen(self, stage: Stage) -> None:
        word = self.choice(ALPHA)
        if word is None:
            return
        stage.alpha_gen = word
        if ALPHA[word] == "wave":
            stage.alpha_wave = self.wave()
        elif ALPHA[word] == "const":
            stage.alpha = self.number()
        elif ALPHA[word] == "portal":
            token = self.argument()
            stage.range = number(token.word) if token else 256.0

    def stage_tcgen(self, stage: Stage) -> None:
        word = self.choice(["base", "environment", "lightmap", "vector", "texture"])
        if word is not None:
            stage.tc_gen = word % 4
            if word == 3:
                stage.vectors[:3] = self.vector(stage.vectors[:3])
                stage.vectors[3:] = self.vector(stage.vectors[3:])

    stage_texgen = stage_tcgen

    def stage_tcmod(self, stage: Stage) -> None:
        words = list(MOVES)
        word = self.choice([*words, "entitytranslate"])
        if word is not None and word < len(words) and len(stage.moves) < 4 and not stage.ended:
            self.short = False
            wave = (0, 0.0, 0.0, 0.0, 0.0)
            values = self.numbers(MOVES[words[word]])
            if words[word] == "stretch":
                wave = self.wave()
            elif words[word] == "turb":
                wave = (0, *self.numbers(4))
            if self.short:
                stage.ended = True
            else:
                stage.moves.append((word, *values, *[0.0] * (6 - len(values)), *wave))
        stage.ended = stage.ended or word is None
        self.line()


STAGE = {name[6:] for name in dir(Reader) if name.startswith("stage_")}


def read(text: bytes) -> list[Shader]:
    """Returns every shader of a script, up to the first unmatched brace."""
    tokens, shaders, at = tokens_of(text), [], 0
    while True:
        while at < len(tokens) and not tokens[at].word:
            at += 1
        if at + 1 >= len(tokens) or tokens[at + 1].word != b"{":
            return shaders
        name, at = tokens[at].word, at + 2
        begin, depth = at, 1
        while depth and at < len(tokens):
            depth += {b"{": 1, b"}": -1}.get(tokens[at].word, 0)
            at += 1
        shaders.append(Reader(name, tokens[begin:at - (depth == 0)]).read())

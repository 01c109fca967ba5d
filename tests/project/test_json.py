"""Every line of --json matches docs/reference/lerpmesh.schema.json, and commands print every property that the schema lists."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/lib/python3/dist-packages/jsonschema"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print("skipped: json: python3-jsonschema is not installed")
    sys.exit(77)

import corpus
import make_models
from small_files import make_md3

ROOT = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])
TOOL = os.environ["LERPMESH_BINARY"]
DEFS = json.loads((ROOT / "docs/reference/lerpmesh.schema.json").read_text(encoding="utf-8"))["$defs"]
# Properties of models with files of UFO: Alien Invasion, and of barrels, which this test does not have.
RARE = {"info/tags_file", "info/smoothing_file", "info/clips[]/hidden"}
problems, seen = [], set()


def resolve(node):
    return {**DEFS.get(node.get("$ref", "").rpartition("/")[2], {}), **node}


def objects(node, path):
    """Yields each object with properties in a schema, with its path."""
    node = resolve(node)
    if "properties" in node:
        yield node, path
    for name, value in node.get("properties", {}).items():
        yield from objects(value, f"{path}/{name}")
    if "items" in node:
        yield from objects(node["items"], path + "[]")


def shortened(value):
    """Returns a value without the items of lists after the first 20, which are of the same kind."""
    if isinstance(value, dict):
        return {name: shortened(item) for name, item in value.items()}
    return [shortened(item) for item in value[:20]] if isinstance(value, list) else value


def strict(node):
    """Returns a schema without references, whose objects have no other properties."""
    node = {key: value for key, value in resolve(node).items() if key != "$ref"}
    if "properties" in node:
        node |= {"additionalProperties": False, "properties": {name: strict(value) for name, value in node["properties"].items()}}
    if "items" in node:
        node["items"] = strict(node["items"])
    return node


def record(value, path):
    for name in value if isinstance(value, dict) else ():
        seen.add(f"{path}/{name}")
        record(value[name], f"{path}/{name}")
    for item in value if isinstance(value, list) else ():
        record(item, path + "[]")


VALIDATORS = {name: jsonschema.Draft202012Validator(strict(DEFS[name])) for name in DEFS}


def run(command, *arguments):
    done = subprocess.run([TOOL, command, "--json", *map(str, arguments)], capture_output=True, encoding="utf-8", check=False)
    if done.returncode not in (0, 1):
        problems.append(f"{command} {arguments}: exit status {done.returncode}: {done.stderr[-300:]}")
    for line in done.stdout.splitlines():
        value = json.loads(line)
        name = "summary" if "summary" in value else "failure" if "error" in value else command
        problems.extend(f"{command}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
                        for error in VALIDATORS[name].iter_errors(shortened(value)))
        record(value, name)


def make_game(game):
    """Makes a game with a shader script, and a model with a clips file."""
    (game / "models").mkdir(parents=True)
    (game / "scripts").mkdir()
    model = game / "models/tick.md3"
    subprocess.run([TOOL, "convert", "-q", ROOT / "samples/tick.md2", "-o", model], check=True)
    done = subprocess.run([TOOL, "info", "--json", model], check=True, capture_output=True, encoding="utf-8")
    name = json.loads(done.stdout)["surfaces"][0]["materials"][0].rpartition(".")[0]
    (game / "scripts/a.shader").write_text(f"{name}\n{{\n{{\nmap {name}.tga\n}}\n}}\n", encoding="utf-8")
    (game / "models/tick.md3.framegroups").write_text("0 5 10 1 // stand\n", encoding="utf-8")
    return model


def make_weapon(folder):
    """Makes a weapon of Return to Castle Wolfenstein. Returns the path of its hand."""
    folder.mkdir()
    triangle = (b"s", b"t", [(0, 1, 2)], [(0, 0)] * 3, [(0, 0, 0, 0), (64, 0, 0, 0), (0, 64, 0, 0)])
    tag = (b"tag_weapon", (0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1))
    (folder / "v_gun.md3").write_bytes(make_md3([triangle], [tag]))
    (folder / "v_gun_hand.md3").write_bytes(make_md3([], [tag], 2))
    (folder / "weapon.cfg").write_text("newfmt\n" + 10 * "0 1 20 1 1 1 2\n")
    return folder / "v_gun_hand.md3"


def run_all(folder):
    samples, made, scene = ROOT / "samples", folder / "made", folder / "scene"
    make_models.main([str(made), "--count", "30", "--formats", "md2,mdc,md3,mdl,mds"])
    scene.mkdir()
    for suffix in ("", "_nm", "_gm", "_sm", "_rm"):
        shutil.copy(samples / "tick.pcx", scene / f"tick{suffix}.pcx")
    shutil.copy(samples / "tick.md2", scene / "tick.md2")
    models = [*corpus.real_models(("md2", "md3", "mdc", "mdl", "mds")), *sorted(made.iterdir()), samples, scene]
    damaged = [*corpus.broken_models(), folder / "missing.md2"]
    attack = corpus.corpus_dir() / "attack"
    damaged += sorted(path for path in attack.glob("*.*") if path.suffix in (".md2", ".md3", ".mdc", ".pk3", ".glb", ".bin"))
    (folder / "cut.md2").write_bytes((samples / "tick.md2").read_bytes()[:3000])
    damaged.append(folder / "cut.md2")
    for command in ("check", "info"):
        run(command, "--summary", *models, *damaged)
    run("check", "--engine", "quake2", *models)
    run("info", "--skin", samples / "tick.pcx", samples / "tick.md2")
    run("examine", *(path for path in models + damaged if path.suffix in (".md2", ".md3", ".mdc", ".mdl", ".mds")))
    tick = samples / "tick.md2"
    run("info", make_game(folder / "game"))
    hand = make_weapon(folder / "weapon")
    run("info", hand)
    run("edit", "--move", "1,0,0", hand, "-o", folder / "moved.md3")
    run("compare", hand, folder / "moved.md3")
    run("compare", tick, next(samples.glob("*.mdc")))
    run("compare", tick, folder / "missing.md2")
    run("edit", "--dry-run", "--summary", "--path", "s#^#x/#", samples, *damaged)
    run("optimize", "-o", f"{folder}/small/", "--summary", *models, *damaged)
    for form in "glb", "gltf", "obj", "md2", "md3", "mdl":
        run("convert", "-o", f"{folder}/{form}/", "--format", form, "--summary", *models, *damaged)
    run("convert", tick, "--vat", "png", "-o", folder / "vat.glb")
    run("convert", tick, "-o", folder / "none/a.glb")
    run("render", tick, folder / "cut.md2", "-o", f"{folder}/pictures/", "--size", "16x16")
    for out in "a.webp", "a-{frame:02}.png":
        run("render", tick, "-o", folder / out, "--size", "16x16", "--frames", "0-2")
    run("render", samples, "-o", folder / "page.html", "--size", "16x16")
    run("render", samples, "--sheet", "-o", folder / "page.png", "--size", "16x16")
    run("pack", samples, "-o", folder / "all.pk3")
    run("pack", samples, "-o", folder / "all.pak")
    for archive in (folder / "all.pk3", folder / "all.pak", *attack.glob("*.pk3"), folder / "missing.pk3"):
        run("ls", archive)
    run("info", "--summary", folder / "all.pk3")
    run("extract", "--summary", "-o", f"{folder}/out/", folder / "all.pk3")
    run("formats")


def main():
    listed = {}
    for name in ("check", "compare", "convert", "edit", "examine", "extract", "formats", "info", "ls", "optimize", "pack", "render",
                 "failure", "summary"):
        for node, path in objects(DEFS[name], name):
            for key, value in node["properties"].items():
                listed[f"{path}/{key}"] = resolve(value)
    problems.extend(f"{path} has no description" for path, node in listed.items() if not node.get("description"))
    with tempfile.TemporaryDirectory() as folder:
        run_all(pathlib.Path(folder))
    if corpus.corpus_dir().is_dir():
        problems.extend(f"no command printed {path}" for path in sorted(set(listed) - seen - RARE))
    else:
        print("skipped: json: the properties that only real models have")
    sys.exit("\n".join(dict.fromkeys(problems)) or 0)


main()

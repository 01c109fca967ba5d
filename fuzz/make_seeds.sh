#!/usr/bin/env bash
# make_seeds.sh LERPMESH FOLDER: makes seeds with the command: FOLDER/KIND/made-NAME. All models are a sample with a few
# triangles and frames, written and changed in different ways.
set -euo pipefail
lerpmesh=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
torch=$(cd "$(dirname "$0")/.." && pwd)/samples/tick_torch.mdl
oracle=$(cd "$(dirname "$0")/.." && pwd)/tests/oracle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# seed KIND NAME FILE [CHOICES]: keeps a file as a seed. CHOICES selects options (fuzz/fuzz.h).
seed() {
    mkdir -p "$folder/$1"
    cp "$3" "$folder/$1/made-$2"
    [ -z "${4:-}" ] || number "$4" >>"$folder/$1/made-$2"
}
# number CHOICES: prints the four bytes of the choices, and the mark.
number() {
    # shellcheck disable=SC2059 # the format has the bytes
    printf "$(printf '\\x%02x' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24)) 0xA5)"
}
# run COMMAND ARGUMENTS…: runs the command. Warnings are about features that a format lacks.
run() { "$lerpmesh" "$1" -q "${@:2}" 2>>log || { cat log >&2; exit 1; }; }
# join FILE…: prints an input of several files.
join() { cat "$1" && for file in "${@:2}"; do printf '\n%%%%%%%%\n' && cat "$file"; done; }

run convert "$torch" --decimate 1 --frames 0-2 -o plain.md3
# An image of 4 x 2 pixels replaces those of the sample, which are larger than the largest input.
for image in ./*.tga; do
    printf '\0\0\2\0\0\0\0\0\0\0\0\0\4\0\2\0\30\0%24s' skin >"$image"
done
run edit plain.md3 --add-tag tag_hand=0,0,-4,follow@0 --rename 'frames:s/.*/run1/' -o tags.md3
for kind in md2 mdc md3 mdl; do
    run convert tags.md3 -f -o model.$kind
    seed $kind plain model.$kind
    run optimize model.$kind -f -o smaller.$kind
    seed $kind optimized smaller.$kind
    run edit model.$kind --append model.$kind --rename 'frames:s/run(.)/stand\1/' --path 's/^/a/' -f -o longer.$kind
    seed $kind edited longer.$kind
    # Each choice is a row of options and of edits.
    for choices in 1 2 3 4 5 6 7 24 1234567 99887766 2000000004; do
        seed $kind "choices$choices" model.$kind $choices
    done
    # Damage: a file that ends too early, and one without zeros.
    head -c -20 model.$kind >short
    tr '\0' '\1' <model.$kind >damaged
    seed $kind short short 1
    seed $kind damaged damaged
done
# MDS is not encoded: the tests' generator makes it.
python3 - "$oracle" <<'END'
import random, sys
sys.path.insert(0, sys.argv[1])
import mds
for name in "plain", "surfaces", "rigid", "gaps", "tags_only", "no_tags", "trailing":
    with open(f"{name}.mds", "wb") as file:
        file.write(mds.make_mds(random.Random(name), {"tiny", "shader", name})[0])
END
for file in ./*.mds; do
    seed mds "$(basename "$file" .mds)" "$file"
    for choices in 1 2 3 4 5 6 7 24 1234567; do
        seed mds "$(basename "$file" .mds)$choices" "$file" $choices
    done
    head -c -20 "$file" >short
    tr '\0' '\1' <"$file" >damaged
    seed mds "short_$(basename "$file" .mds)" short 1
    seed mds "damaged_$(basename "$file" .mds)" damaged
done
run convert tags.md3 --hd --smooth --strips best -f -o precise.md2
seed md2 precise precise.md2
run convert tags.md3 --smallest --max-error 2 -f -o small.mdc
seed mdc small small.mdc

python3 - "$oracle" <<'END'
import random, sys
sys.path.insert(0, sys.argv[1])
import iqm
for name, options in {"plain": {}, "scaled": {"scale": 2.0}, "short": {"frames": 3, "joints": 2}, "still": {"frames": 3, "vertices": 3}}.items():
    with open(f"{name}.iqm", "wb") as file:
        file.write(iqm.make(random.Random(name), **options))
END
for file in ./*.iqm; do
    seed iqm "$(basename "$file" .iqm)" "$file"
    for choices in 1 2 4 13 24 1234567; do
        seed iqm "$(basename "$file" .iqm)$choices" "$file" $choices
    done
    tr '\0' '\1' <"$file" >damaged
    seed iqm "damaged_$(basename "$file" .iqm)" damaged
done

row=0
for options in '' --quantize '--compress meshopt' '--unlit --scale 2'; do
    # shellcheck disable=SC2086 # a list
    run convert tags.md3 --frames 0-1 $options -f -o model.gltf
    join model.gltf model.bin >both
    seed gltf "parts$row" both $row
    # shellcheck disable=SC2086
    run convert tags.md3 --frames 0 $options -f -o model.glb
    seed gltf "glb$row" model.glb
    row=$((row + 1))
done

mkdir -p game/models game/scripts
cp plain.md3 game/models/a.md3
printf 'models/a\n{\n{\nmap a.tga\nblendFunc add\n}\n}\n' >game/scripts/a.shader
printf '0 4 0 10 // run\n' >game/models/clips.cfg
for kind in pak pk3; do
    run pack game -o game.$kind
    seed $kind packed game.$kind
done
# A model of GZDoom, a first-person weapon and a skeletal player of Return to Castle Wolfenstein, in their folders.
member() { printf '%s\n' "$1" && cat "$2"; }
run convert plain.md3 --frames 0 -f -o small.mdc
run edit plain.md3 --add-tag tag_weapon=1,0,0 --add-tag tag_barrel=0,1,0 -f -o hand.md3
run convert hand.md3 -f -o hand.mdc
printf '#include "defs/more.txt"\n' >modeldef
printf 'Model Crane {\nPath "models"\nModel 0 "a.md3"\nSkin 0 "own.pcx"\nSurfaceSkin 0 0 "b.png"\nFrameIndex CRAN A 0 1\nFrame CRAN B 0 run1\n}\n' >more
printf 'newfmt\n0 1 20 1 0 0 0\n0 3 20 3 1 0 1\n1 2 0 0 3 1 2\n0 3 10 0 0 0 0 1 1 1 1 0 0 0\n' >weapon
printf 'skin,models/a.tga\ntag_weapon,\n' >skin
join <(member models/a.md3 plain.md3) <(member modeldef.txt modeldef) <(member defs/more.txt more) >modeldef_include
join <(member models/w/v_x_hand.mdc hand.mdc) <(member models/w/v_x.mdc small.mdc) <(member models/w/v_x_barrel.mdc small.mdc) \
    <(member models/w/weapon.cfg weapon) >weapon_folder
join <(member models/p/body.mds plain.mds) <(member models/p/head.mdc small.mdc) <(member models/p/body_default.skin skin) \
    <(member models/p/animation.cfg game/models/clips.cfg) >skeletal
for name in modeldef_include weapon_folder skeletal; do
    for choices in '' 0 10 60 200 12345 6000; do
        seed assets "$name$choices" $name $choices
    done
done

join tags.md3 plain.md3 game/models/clips.cfg game/scripts/a.shader >scene
for choices in 0 1 3 48 16777216; do
    seed scene "choices$choices" scene $choices
done

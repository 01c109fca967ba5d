"""examples/player.c plays two clips and fades from one into the other; it refuses what it cannot."""
import os
import subprocess
import sys

PLAYER = os.environ["LERPMESH_PLAYER"]
SAMPLES = os.path.join(os.environ["LERPMESH_SOURCE_DIR"], "samples")


def run(*arguments):
    return subprocess.run([PLAYER, *arguments], capture_output=True, text=True, check=False)


def play(model, *clips):
    """Ten moments: the clip's name and the numbers."""
    done = run(os.path.join(SAMPLES, model), *clips)
    lines = [line.split() for line in done.stdout.splitlines()]
    if done.returncode != 0 or len(lines) != 10:
        sys.exit(f"{model} {clips}: {done.stderr}{done.stdout}")
    return [(words[1], words[2:]) for words in lines]


def check_fade(model, first, second):
    alone, faded = play(model, first, first), play(model, first, second)
    for i, ((_, plain), (name, numbers)) in enumerate(zip(alone, faded)):
        if name != (first if i < 3 else second):
            sys.exit(f"{model}: moment {i} plays {name}")
        # The change is at moment 3, when the new clip's weight is still 0.
        if (numbers == plain) != (i <= 3):
            sys.exit(f"{model}: moment {i} shows {numbers}, without a change {plain}")
    steps = [max(abs(float(b) - float(a)) for a, b in zip(before[1][-3:], after[1][-3:]))
             for before, after in zip(faded[2:], faded[3:])]
    if max(steps) > 10:
        sys.exit(f"{model}: jumps by {max(steps)}")


check_fade("tick.md2", "stand", "run")
if len(play("tick_head.mdc")[0][1]) < 3:
    sys.exit("tick_head.mdc: no numbers")
for wrong in ([], ["no.md2"], [os.path.join(SAMPLES, "tick.md2"), "stand", "no such clip"]):
    if run(*wrong).returncode != 1 or not run(*wrong).stderr:
        sys.exit(f"{wrong}: not refused")

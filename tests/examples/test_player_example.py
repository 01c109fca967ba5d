"""Checks that examples/player.c plays two clips with a cross-fade, and rejects unsuitable models."""
import os
import subprocess
import sys

PLAYER = os.environ["LERPMESH_PLAYER"]
SAMPLES = os.path.join(os.environ["LERPMESH_SOURCE_DIR"], "samples")
CHANGE, FADE = 3, 4  # the frame of the change, and the number of frames that it takes


def run(*arguments):
    return subprocess.run([PLAYER, *arguments], capture_output=True, text=True, check=False)


def play(model, *clips):
    """Returns ten frames: the clip's name, the tag's name (if there is one) and the numbers."""
    done = run(os.path.join(SAMPLES, model), *clips)
    lines = [line.split() for line in done.stdout.splitlines()]
    if done.returncode != 0 or len(lines) != 10:
        sys.exit(f"{model} {clips}: {done.stderr}{done.stdout}")
    return [(words[1], words[5:6], [float(word) for word in words[2:5] + words[6:]]) for words in lines]


def alone(model, clip):
    """Returns the numbers of a clip that fades into itself: those before the change, and those after
    the fade, at the same position as at the change."""
    moments = play(model, clip, clip)
    return [numbers for _, _, numbers in moments[:CHANGE + 1] + moments[CHANGE + FADE:]]


def check_fade(model, first, second, tag):
    before, after = alone(model, first), alone(model, second)
    for i, (name, tags, numbers) in enumerate(play(model, first, second)):
        if name != (first if i < CHANGE else second) or tags != tag:
            sys.exit(f"{model}: moment {i} plays {name} and has {tags}")
        weight = min(max(i - CHANGE, 0) / FADE, 1)
        old = before[i] if weight < 1 else after[i - CHANGE]
        new = after[i - CHANGE] if weight > 0 else before[i]
        expected = [a + weight * (b - a) for a, b in zip(old, new)]
        if len(numbers) != 3 + 3 * len(tag) or \
                max(abs(a - b) for a, b in zip(numbers, expected)) > 0.002:
            sys.exit(f"{model}: moment {i} shows {numbers} instead of {expected}")


check_fade("tick.md2", "stand", "run", [])
check_fade("tick_head.mdc", "idle", "talk", ["tag_hat"])
for wrong in ([], ["no.md2"], [os.path.join(SAMPLES, "tick.md2"), "stand", "no such clip"]):
    done = run(*wrong)
    if done.returncode != 1 or not done.stderr:
        sys.exit(f"{wrong}: accepted, but {done.returncode} and '{done.stderr}'")

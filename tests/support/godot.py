"""Runs Godot 3 on a virtual display."""
import os
import signal
import subprocess
import time

import skipping

SECONDS = 120


def need(test):
    """Skips the test if Godot or the display is missing."""
    skipping.need(test, "godot3", "xvfb-run", "xauth")


def start(project, *words):
    """Starts Godot on a project. Its settings are in the folder above."""
    return subprocess.Popen(["xvfb-run", "-a", "-s", "-screen 0 640x640x24 -noreset", "godot3", "--path", str(project), *words],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                            env={**os.environ, "HOME": str(project.parent), "LIBGL_ALWAYS_SOFTWARE": "1"})


def stop(process):
    """Ends the program and its display. Returns what it printed."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
    return process.communicate(timeout=30)[0].decode("utf-8", "replace")


def run(project, *words):
    """Runs Godot until it ends. Returns what it printed."""
    process = start(project, *words)
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        pass
    return stop(process)


def import_files(project, count):
    """Opens the editor until it has imported all files. Returns what it printed."""
    process = start(project, "--editor", "--quit")
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and process.poll() is None:
        if len(list(project.glob(".import/*.md5"))) == count:
            break
        time.sleep(0.2)
    time.sleep(1)
    log = stop(process)
    assert len(list(project.glob(".import/*.md5"))) == count, log
    return log

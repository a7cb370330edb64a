"""Runs other programs and the shell functions of deploy/lib."""

import os
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
LIBRARIES = ("messages", "packages", "home", "nginx", "processes", "builder", "build")


def run(*command, check=True, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if check and done.returncode:
        fail(f"{command[0]} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def fail(why):
    sys.exit(f"bench {Path(sys.argv[0]).name}: {why}")


def in_deploy(script, *arguments):
    """Returns the command that runs a shell script with the functions of deploy/lib and $checkout."""
    sources = "".join(f'. "$checkout/deploy/lib/{name}.sh"; ' for name in LIBRARIES)
    return ["bash", "-euo", "pipefail", "-c", f"checkout=$1; shift; {sources}{script}", "bench",
            *(str(part) for part in (CHECKOUT, *arguments))]


def built(*names):
    """Builds programs of the product, unless LECTERN_BUILD_DIR names their folder; returns their paths by name."""
    if "LECTERN_BUILD_DIR" in os.environ:
        folder = Path(os.environ["LECTERN_BUILD_DIR"])
    else:
        folder = Path(run(*in_deploy('build_products "$@"; printf %s "$built"', *names)))
    for name in names:
        if not (folder / name).is_file():
            fail(f"the program {name} is missing in {folder}")
    return {name: folder / name for name in names}


def benchmark_program(name):
    """Builds a program of deploy/bench.d/programs and returns its path."""
    return Path(run(*in_deploy("""
        prepare_build
        run_swift build --package-path "$package/deploy/bench.d/programs" --scratch-path "$package/.build-benchmarks" \\
            --configuration release --product "$1" >&2
        printf %s "$package/.build-benchmarks/release/$1"
    """, name)))


def install(*packages):
    run(*in_deploy('install_packages "to measure" "$@"', *packages))


def free_port():
    import socket

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]

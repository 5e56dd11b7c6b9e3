#!/usr/bin/env python3
"""Measures the memory of the generator for schemas of up to 50,000 types.

    memory.py --generator PROGRAM

Twice as many types may need at most 2.2 times the memory.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SIZES = (12_500, 25_000, 50_000)


def schema(count):
    lines = ["type Query { first: Type0 }"]
    for number in range(count):
        fields = " ".join(
            f"field{index}: {'String' if index % 2 else f'Type{(number * 7 + index) % count}'}"
            for index in range(8))
        lines.append(f'"A type." type Type{number} {{ {fields} }}')
    return "\n".join(lines)


def peak(command):
    """The largest resident size of a process in bytes."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command[0]} ended with {status}")
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--generator", required=True, type=Path)
    generator = parser.parse_args().generator.resolve()
    failed, before = 0, None
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            path = Path(folder) / f"{size}.graphql"
            path.write_text(schema(size))
            memory = peak([
                str(generator), "generate", "--quiet", "--schema", str(path),
                "--output", str(Path(folder) / f"out{size}")])
            growth = memory / before if before else None
            holds = growth is None or growth <= 2.2
            failed += not holds
            print(
                f"{'ok' if holds else 'FAILED'} generating {size} types: {memory >> 20} MB, "
                f"{memory / path.stat().st_size:.1f} bytes per byte of schema"
                + (f", {growth:.2f} times the half of it" if growth else ""))
            before = memory
    print(f"{len(SIZES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

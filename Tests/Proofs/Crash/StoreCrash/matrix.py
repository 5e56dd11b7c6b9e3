"""Processes write to one store's file, each with several stores, while files are opened, closed, damaged and
moved away and processes are killed. SQLite itself checks the remaining file.

Usage: matrix.py PROGRAM FOLDER WRITES [SEED [EVENT …]]

Every process of every cell has WRITES acknowledged writes. An acknowledged write is in the file, or, if
the file was moved away after that, in the moved one. In the cells with damage, a write may be missing if it
began before the damaged file was moved away.
"""

import fcntl
import glob
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

EVENTS = ["open", "close", "kill", "damage", "move"]
TIMEOUT = 600


class Writer:
    """Runs one process after another until WRITES writes are acknowledged."""

    def __init__(self, cell, number):
        self.cell, self.number, self.base = cell, number, number * 10_000_000
        self.path = f"{cell.folder}/acknowledged-{number}"
        open(self.path, "w").close()
        self.start()

    def acknowledged(self):
        with open(self.path) as lines:
            return dict(map(int, line.split()) for line in lines if line.endswith("\n"))

    def start(self):
        mode = {"close": "closing", "damage": "attacked", "move": "attacked"}.get(self.cell.event, "calm")
        count = self.cell.writes - len(self.acknowledged())
        seed = self.cell.random.getrandbits(32)
        with open(self.path, "a") as output:
            self.process = subprocess.Popen(
                [self.cell.program, "share", self.cell.file, str(self.base), str(count),
                 str(self.cell.openings), str(seed), mode], stdout=output, stderr=subprocess.PIPE)
        self.base += count

    def is_running(self):
        """Starts the next process after one was killed."""
        if self.process.poll() is None:
            return True
        if self.process.returncode == -signal.SIGKILL:
            if len(self.acknowledged()) >= self.cell.writes:
                return False
            self.start()
            return True
        if self.process.returncode != 0:
            self.cell.fail(f"a writer ended with {self.process.returncode}: {self.process.stderr.read()!r}")
        return False


class Cell:
    def __init__(self, program, folder, writes, openings, processes, event, seed):
        self.program, self.folder, self.writes, self.event = program, folder, writes, event
        self.openings, self.processes = openings, processes
        self.random = random.Random(f"{seed} {openings} {processes} {event}")
        self.file = f"{folder}/a.store"
        self.moves = []
        self.kills = 0
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)

    def fail(self, message):
        print(f"FAILED {self.openings} openings, {self.processes} processes, {self.event}: {message}")
        for writer in self.writers:
            writer.process.kill()
        sys.exit(1)

    def run(self):
        self.writers = [Writer(self, number) for number in range(self.processes)]
        end = time.monotonic() + TIMEOUT
        while [writer for writer in self.writers if writer.is_running()]:
            if time.monotonic() > end:
                self.fail("a writer does not end")
            time.sleep(self.random.uniform(0.005, 0.08))
            getattr(self, "do_" + self.event)()
        self.check()

    def do_open(self):
        self.visit()

    def do_close(self):
        self.visit()

    def visit(self):
        done = subprocess.run([self.program, "visit", self.file], capture_output=True)
        if done.returncode != 0:
            self.fail(f"the file cannot be opened: {done.stderr!r}")

    def do_kill(self):
        running = [writer for writer in self.writers if writer.process.poll() is None]
        if self.kills < 10 * self.processes and running:
            self.random.choice(running).process.kill()
            self.kills += 1

    def do_move(self):
        """Moves the file aside, like a store that finds its file damaged."""
        if len(self.moves) == 5 or not os.path.exists(self.file):
            return
        with open(self.file + "-lock", "r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            aside = f"{self.file}.moved-{len(self.moves) + 1}"
            for companion in ["-wal", "-shm", ""]:
                if os.path.exists(self.file + companion):
                    os.rename(self.file + companion, aside + companion)
            self.moves.append(time.monotonic_ns())

    def do_damage(self):
        if len(self.moves) == 5 or not os.path.exists(self.file):
            return
        size = os.path.getsize(self.file)
        if size < 40960:
            return
        with open(self.file, "r+b") as file:
            for _ in range(8):
                file.seek(self.random.randrange(4096, size - 64))
                file.write(self.random.randbytes(64))
        open(self.file + "-suspect", "w").close()
        # Opening checks the file and moves it aside, unless the log has all damaged pages.
        self.visit()
        self.moves.append(time.monotonic_ns())

    def check(self):
        written = {}
        for writer in self.writers:
            written.update(writer.acknowledged())
        if len(written) < self.processes * self.writes:
            self.fail(f"{len(written)} writes are acknowledged")
        kept = self.read(self.file, isSound=True)
        aside = [path for path in glob.glob(self.file + ".*") if not path.endswith(("-wal", "-shm"))]
        if self.event not in ("damage", "move") and aside:
            self.fail(f"a file was moved aside: {aside}")
        elsewhere = set()
        for path in aside:
            elsewhere |= self.read(path, isSound=self.event == "move")
        last = max(self.moves, default=0)
        lost = [number for number, moment in written.items() if number not in kept and (
            moment > last or self.event != "damage" and number not in elsewhere)]
        if lost:
            self.fail(f"{len(lost)} of {len(written)} acknowledged writes are lost: {sorted(lost)[:10]}")
        late = sum(moment > last for moment in written.values())
        print(f"ok {self.openings} openings, {self.processes} processes, {self.event}: {len(written)} writes,"
              f" {len(kept)} in the file, {len(aside)} files aside, {late} after the last,"
              f" {self.kills} kills", flush=True)

    def read(self, path, isSound):
        if not os.path.exists(path):
            # It was moved away after the last write.
            return set()
        connection = sqlite3.connect(path)
        try:
            problems = [row[0] for row in connection.execute("PRAGMA integrity_check")]
            if isSound and problems != ["ok"]:
                self.fail(f"SQLite finds {path} damaged: {problems[:3]}")
            return {int(key) for key, in connection.execute(
                "SELECT key FROM entity JOIN type ON type.id = entity.type WHERE name = 'Person'")}
        except sqlite3.DatabaseError as error:
            if isSound:
                self.fail(f"{path}: {error}")
            return set()
        finally:
            connection.close()


def main():
    program, folder, writes = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 7
    for event in sys.argv[5:] or EVENTS:
        for processes in (1, 2, 3):
            for openings in (1, 2, 3):
                Cell(program, f"{folder}/matrix", writes, openings, processes, event, seed).run()


main()

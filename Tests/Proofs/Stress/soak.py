#!/usr/bin/env python3
"""Runs two processes with two stores of one file each and an outbox that they use alternately, for minutes.

Usage: soak.py PROGRAM SHIM FOLDER SECONDS [SEED]

The disk fails sometimes, the network and the token server fail often, tokens expire, one process is
killed and started again, and the user logs out during the run. Prints a summary; exits with 1 if an
acknowledged write is lost, if an operation that must not be repeated was carried out twice, if operations of
one cart arrived in another order, or if the processes did not end.
"""
import http.server
import json
import os
import queue
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tools"))
from faulty_handler import FaultyHandler


class Shop:
    """The effects on the server, and the token that it accepts."""

    def __init__(self, seed):
        self.lock = threading.Lock()
        self.random = random.Random(seed)
        self.is_failing = True
        self.effects = Counter()
        self.notes = {}
        self.moods = Counter()

    def tokens(self):
        epoch = int(time.monotonic() / 2)
        return [f"token-{epoch}", f"token-{epoch - 1}"]

    def mood(self, moods, weights):
        if not self.is_failing:
            return "well"
        mood = self.random.choices(moods, weights)[0]
        self.moods[mood] += 1
        return mood


class Handler(FaultyHandler):
    shop = None

    def do_GET(self):
        with self.shop.lock:
            mood = self.shop.mood(["well", "no token", "token lost", "token late"], [70, 10, 15, 5])
        if mood == "token lost":
            return self.hang_up()
        if mood == "token late":
            time.sleep(3)
        if mood == "no token":
            return self.respond(200, b"old")
        self.respond(200, self.shop.tokens()[0].encode())

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        shop, variables = self.shop, request["variables"]
        cart = next(v for k, v in variables.items() if k.startswith("cartId"))
        note = next(v for k, v in variables.items() if k.startswith("note"))
        token = (self.headers["Authorization"] or "").removeprefix("Bearer ")
        with shop.lock:
            if shop.is_failing and token not in shop.tokens():
                shop.moods["401"] += 1
                return self.respond(401, b"")
            mood = shop.mood(
                ["well", "busy", "throttled", "lost before", "lost after", "late", "garbage"],
                [70, 6, 3, 8, 8, 1, 4])
            if mood == "busy":
                return self.respond(503, b"", {"Retry-After": "0"})
            if mood == "throttled":
                return self.respond(429, b"", {"Retry-After": "1"})
            if mood == "lost before":
                return self.hang_up()
            shop.effects[cart, note] += 1
            shop.notes.setdefault(cart, []).append(note)
        if mood == "late":
            time.sleep(3)
        if mood == "lost after":
            return self.hang_up()
        if mood == "garbage":
            self.wfile.write(b"garbage\r\n\r\n")
            return self.hang_up()
        payload = {"cart": {"id": cart, "note": note}, "userErrors": []}
        self.respond(200, json.dumps({"data": {"cartNoteUpdate": payload}}).encode())


class Journal:
    """The output of the processes, in the order of arrival."""

    def __init__(self):
        self.lines = []
        self.lock = threading.Lock()
        self.arrived = threading.Condition(self.lock)

    def read(self, process, number):
        for line in process.stdout:
            if not line.endswith("\n"):
                break
            with self.lock:
                self.lines.append((number, line.split()))
                self.arrived.notify_all()

    def wait(self, words, seconds):
        with self.lock:
            return self.arrived.wait_for(lambda: any(line == words for _, line in self.lines), seconds)


class Soak:
    def __init__(self, program, shim, folder, seed):
        self.program, self.shim, self.folder = program, shim, folder
        self.file = os.path.join(folder, "shop.store")
        self.journal = Journal()
        self.random = random.Random(seed)
        Handler.shop = self.shop = Shop(seed)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.endpoint = f"http://127.0.0.1:{server.server_port}/graphql"
        self.processes, self.readers, self.kills = {}, [], 0

    def start(self, number):
        environment = dict(
            os.environ, LD_PRELOAD=self.shim, STRESS_FOLDER=self.folder, STRESS_KIND="random",
            STRESS_CALL="1500", STRESS_SEED=str(self.random.randrange(1 << 30)))
        errors = open(os.path.join(self.folder + ".errors"), "a")
        process = subprocess.Popen(
            [self.program, "soak", self.file, self.endpoint, f"p{number}"], env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True)
        reader = threading.Thread(target=self.journal.read, args=(process, number))
        reader.start()
        self.readers.append(reader)
        self.processes[number] = process

    def tell(self, number, line):
        self.processes[number].stdin.write(line + "\n")
        self.processes[number].stdin.flush()

    def rest(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(0.2)
            for number, process in self.processes.items():
                if process.poll() is not None:
                    self.fail(f"process {number} ended with {process.returncode}")

    def fail(self, message):
        for process in self.processes.values():
            process.kill()
        with open(self.folder + ".errors") as errors:
            sys.stdout.write(errors.read()[-4000:])
        print("FAILED", message, flush=True)
        os._exit(1)

    def run(self, seconds):
        """Returns the content of a report after the faults have ended."""
        end = time.monotonic() + seconds
        for number in range(2):
            self.start(number)
        logs_out = end - seconds / 2
        while time.monotonic() < end:
            self.rest(min(self.random.uniform(5, 20), max(0.2, end - time.monotonic())))
            if logs_out and time.monotonic() > logs_out:
                logs_out = None
                self.tell(0, "logout")
                if not self.journal.wait(["logged", "out"], 60):
                    self.fail("the logout does not end")
                self.rest(5)
            if time.monotonic() < end - 5:
                self.processes[1].kill()
                self.processes[1].wait()
                self.kills += 1
                self.start(1)
        for number, process in self.processes.items():
            self.tell(number, "stop")
            try:
                if process.wait(60) != 0:
                    self.fail(f"process {number} ended with {process.returncode}")
            except subprocess.TimeoutExpired:
                self.fail(f"process {number} does not stop")
        for reader in self.readers:
            reader.join()
        self.shop.is_failing = False
        report = subprocess.run(
            [self.program, "soak-report", self.file, self.endpoint], stdout=subprocess.PIPE,
            text=True, timeout=600)
        if report.returncode != 0:
            self.fail(f"the report ended with {report.returncode}")
        return [line.split() for line in report.stdout.splitlines()]

    def check(self, report):
        problems = []
        said = [line for _, line in self.journal.lines]
        states = {line[1]: line[2] for line in report if line[0] == "state"}
        products = {line[1]: int(line[2]) for line in report if line[0] == "product"}
        written = {line[1]: int(line[2]) for line in said if line[0] == "wrote"}
        for key, number in written.items():
            if products.get(key, -1) < number:
                problems.append(f"product {key} is {products.get(key)} and not {number}")
        unsent = {line[1] for line in said if line[0] == "unsent"}
        outcomes = Counter()
        logged_out = said.index(["logged", "out"])
        for index, line in enumerate(said):
            if line[0] != "queued":
                continue
            operation, kind, cart, number = line[1:]
            count = sum(self.shop.effects[key] for key in self.shop.effects
                        if key[0] == cart and key[1].startswith(number))
            state = states.get(operation)
            if state is None:
                # The logout also deleted the receipts of ended operations.
                state = "logged out" if index < logged_out else "lost"
                if state == "logged out" and operation not in unsent and count == 0:
                    state = "lost at the logout"
            outcomes[f"{kind} {state}"] += 1
            label = f"{kind} {operation} ({cart}, {number})"
            if state.startswith("lost"):
                problems.append(f"{label} is {state}")
            if kind == "unsafe" and count > 1:
                problems.append(f"{label} was carried out {count} times")
            if state == "received" and count == 0:
                problems.append(f"{label} was received and never carried out")
            if state == "uncertain" and kind == "safe":
                problems.append(f"{label} is uncertain though it may be repeated")
            if state in ("pending", "waiting", "blocked", "parked", "inTransit", "rejected"):
                problems.append(f"{label} is {state}")
        for cart, notes in self.shop.notes.items():
            first = list(dict.fromkeys(notes))
            if first != sorted(first):
                problems.append(f"{cart} was written in another order: {first}")
        gone = sum(line[0] == "gone" for line in said)
        if gone > 8:
            problems.append(f"{gone} products were gone, and one logout takes 8 at most")
        return problems, outcomes


def main():
    program, shim, folder, seconds = sys.argv[1:4] + [int(sys.argv[4])]
    soak = Soak(program, shim, folder, int(sys.argv[5]) if len(sys.argv) > 5 else 1)
    problems, outcomes = soak.check(soak.run(seconds))
    words = Counter(line[0] for _, line in soak.journal.lines)
    errors = Counter(" ".join(line[1:]) for _, line in soak.journal.lines if line[0] == "error")
    print(f"{words['wrote']} objects, {words['queued']} operations, {words['opened']} outboxes, "
          f"{soak.kills} kills, 1 logout with {words['unsent']} unsent")
    print("errors: " + (", ".join(f"{k} {v}" for k, v in sorted(errors.items())) or "0"))
    print("server: " + ", ".join(f"{k} {v}" for k, v in sorted(soak.shop.moods.items())))
    print("operations: " + ", ".join(f"{k} {v}" for k, v in sorted(outcomes.items())))
    for problem in problems[:20]:
        print("FAILED", problem)
    # A run without faults proves nothing.
    for word in ["wrote", "queued", "opened", "unsent"]:
        if not words[word]:
            problems.append(word)
            print(f"FAILED nothing was {word}")
    sys.stdout.flush()
    os._exit(1 if problems else 0)


main()

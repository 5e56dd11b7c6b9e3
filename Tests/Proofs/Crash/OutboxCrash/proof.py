"""Repeatedly kills a program that writes through an outbox, and checks the effects on the server.

Usage: proof.py PROGRAM FOLDER KILLS [SEED]

The server remembers every effect. It carries out each idempotency key once. It responds with success, a
refusal or a conflict, is busy, closes the connection before or after it has carried out the operation, or
kills the program at those times. The program kills itself at each transition of its operations, or is
killed at any time.
"""

import http.server
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Tools"))
from faulty_handler import FaultyHandler

STATES = ["pending", "waiting", "blocked", "inTransit", "delivered", "received", "rejected", "uncertain"]


class Shop:
    """The effects on the server."""

    def __init__(self, seed):
        self.lock = threading.Lock()
        self.random = random.Random(seed)
        self.is_failing = True
        self.effects = Counter()
        self.carts = {}
        self.refused = {}
        self.deaths = Counter()

    def mood(self):
        if not self.is_failing:
            return "well"
        return self.random.choices(
            ["well", "refuse", "busy", "conflict", "lost before", "lost after", "kill before", "kill after"],
            [50, 6, 8, 4, 6, 8, 9, 9])[0]

    def execute(self, variables):
        """Carries out a mutation, once for each idempotency key."""
        note = next(v["note"] if k.startswith("input") else v
                    for k, v in variables.items() if k.startswith(("note", "input")))
        key = next((v for k, v in variables.items() if k.startswith("idempotencyKey")), None)
        if key is None:
            self.effects[note] += 1
            return next(v for k, v in variables.items() if k.startswith("cartId")), note
        if key not in self.carts:
            self.effects[note] += 1
            self.carts[key] = f"cart-{len(self.carts)}"
        return self.carts[key], note

    def note(self, variables):
        return next(v["note"] if k.startswith("input") else v
                    for k, v in variables.items() if k.startswith(("note", "input")))


class Handler(FaultyHandler):
    shop = None

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        shop, variables = self.shop, request["variables"]
        field = "cartCreate" if "cartCreate" in request["query"] else "cartNoteUpdate"
        with shop.lock:
            mood = shop.mood()
            if mood == "busy":
                return self.respond(503, b"", {"Retry-After": "0"})
            if mood in ("refuse", "conflict"):
                key = next((v for k, v in variables.items() if k.startswith("idempotencyKey")), None)
                # A key that was carried out gets the same response again.
                if key not in shop.carts:
                    code = "INVALID" if mood == "refuse" else "CONFLICT"
                    shop.refused[shop.note(variables)] = code
                    return self.payload(field, None, [{"message": mood, "code": code}])
            if mood == "kill before":
                return self.kill(mood)
            if mood == "lost before":
                return self.hang_up()
            identifier, note = shop.execute(variables)
        if mood == "kill after":
            return self.kill(mood)
        if mood == "lost after":
            return self.hang_up()
        self.payload(field, {"id": identifier, "note": note}, [])

    def payload(self, field, cart, errors):
        content = {"data": {field: {"cart": cart, "userErrors": errors}}}
        self.respond(200, json.dumps(content).encode())

    def kill(self, mood):
        self.shop.deaths[mood] += 1
        try:
            os.kill(int(self.headers["X-Process"]), signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.hang_up()


def run_once(program, file, endpoint, number, random, deaths, acknowledged):
    """One run of the program; true if it was killed."""
    command = [program, "work", file, endpoint, f"r{number}", "2"]
    edge = random.choice(STATES + ["server", "clock"])
    if edge in STATES:
        command += [edge, str(random.randint(1, 4))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    timer = None
    if edge == "clock":
        timer = threading.Timer(random.uniform(0.01, 0.15), process.kill)
        timer.start()
    try:
        output, errors = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit(f"run {number} hangs")
    if timer:
        timer.cancel()
    for line in output.splitlines():
        parts = line.split()
        # The last line may be incomplete.
        if len(parts) == 3 and len(parts[2]) == 36:
            acknowledged[parts[2]] = (parts[0], parts[1])
    if process.returncode == -signal.SIGKILL:
        deaths[edge] += 1
        return True
    if process.returncode != 0:
        sys.exit(f"run {number}: {errors}")
    return False


def check(shop, acknowledged, states):
    """Checks every operation that was acknowledged."""
    problems = []
    outcomes = Counter()
    for operation, (kind, name) in acknowledged.items():
        label = f"{kind}:{name}"
        count = shop.effects[label]
        state = states.get(operation)
        outcomes[f"{kind} {state}"] += 1
        if state is None:
            problems.append(f"{label} is lost")
        elif count > 1:
            problems.append(f"{label} had {count} effects")
        elif state == "received" and count != 1:
            problems.append(f"{label} was received without an effect")
        elif state == "rejected" and count != 0:
            problems.append(f"{label} was rejected and had an effect")
        elif state == "uncertain" and kind == "safe":
            problems.append(f"{label} is uncertain though it may be repeated")
        elif state not in ("received", "rejected", "uncertain"):
            problems.append(f"{label} is {state}")
    for label, count in shop.effects.items():
        if count > 1:
            problems.append(f"{label} had {count} effects")
    return problems, outcomes


def main():
    program, folder, kills = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    shop = Shop(seed)
    Handler.shop = shop
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{server.server_port}/graphql"
    file = os.path.join(folder, "outbox.store")
    generator = random.Random(seed)
    deaths, acknowledged, killed, runs = Counter(), {}, 0, 0
    while killed < kills:
        runs += 1
        killed += run_once(program, file, endpoint, runs, generator, deaths, acknowledged)
        if runs % 250 == 0:
            print(f"{killed} kills in {runs} runs", flush=True)
    shop.is_failing = False
    report = subprocess.run([program, "report", file, endpoint], stdout=subprocess.PIPE, text=True,
                            timeout=600, check=True)
    lines = [line.split() for line in report.stdout.splitlines()]
    states = dict(lines)
    problems, outcomes = check(shop, acknowledged, states)
    uncertain = sum(state == "uncertain" for name, state in lines if name != "overlays")
    if int(states["overlays"]) > uncertain:
        problems.append(f"{states['overlays']} overlays for {uncertain} open operations")
    for problem in problems[:20]:
        print(problem)
    print(f"{killed} kills in {runs} runs: " + ", ".join(f"{k} {v}" for k, v in sorted(deaths.items())))
    print("by the server: " + ", ".join(f"{k} {v}" for k, v in sorted(shop.deaths.items())))
    print(f"{len(acknowledged)} acknowledged: " + ", ".join(f"{k} {v}" for k, v in sorted(outcomes.items())))
    return 1 if problems else 0


sys.exit(main())

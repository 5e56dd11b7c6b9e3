"""Runs the program of the suite `valkey` with real servers, which are killed, stopped and restarted.

Usage: proof.py PROGRAM BARE_GET SERVER FOLDER REQUESTS PROCESSES SECONDS
"""
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bucket import Service
from servers import Servers, launch

PROGRAM, BARE_GET, SERVER, FOLDER = sys.argv[1:5]
REQUESTS, PROCESSES, SECONDS = map(int, sys.argv[5:8])
SERVERS = Servers(SERVER, FOLDER)


def check(condition, message):
    if not condition:
        sys.exit(f"FAILED: {message}")


def herd(server, count, kills):
    """The number of requests of `count` processes that send the same query at once."""
    folder = Path(tempfile.mkdtemp(dir=FOLDER))
    (folder / "requests").touch()
    # A request takes long enough for all processes to wait for it.
    delay = "3000" if kills else "1500"
    processes = [
        launch(PROGRAM, "ask", server.address, folder, delay, stdout=subprocess.PIPE, text=True)
        for _ in range(count)]
    for process in processes:
        check(process.stdout.readline() == "ready\n", "a process cannot use the server")
    (folder / "go").touch()
    killed = set()
    while len(killed) < kills:
        holders = [int(line) for line in (folder / "requests").read_text().split()]
        for holder in holders:
            if holder not in killed:
                # By now, the others wait.
                time.sleep(0.5)
                os.kill(holder, signal.SIGKILL)
                killed.add(holder)
        time.sleep(0.005)
    times = []
    for process in processes:
        output = process.communicate(timeout=60)[0]
        if process.pid in killed:
            continue
        check(process.returncode == 0, f"a process has failed: {output}")
        times.append(float(output.split()[1]))
    return len((folder / "requests").read_text().split()), max(times)


def identities(server, requests):
    result = subprocess.run([PROGRAM, "identity", server.address, str(requests)], stdout=subprocess.PIPE, text=True)
    print(f"{type(server).__name__.lower()}: {result.stdout}", end="")
    check(result.returncode == 0, "the identities")
    server.kill()


class Load:
    """Processes that send requests of 200 users, whose responses expire after two seconds."""

    def __init__(self, server, kind, seconds):
        self.server, self.kind, self.seconds = server, kind, seconds
        self.mark = Path(FOLDER) / "mark"
        self.mark.write_text("up")
        # About 2,000 requests per second, however many processes there are.
        pause = 2000 * PROCESSES
        self.programs = [
            launch(PROGRAM, "load", server.address, kind, seconds, pause, self.mark, stdout=subprocess.PIPE, text=True)
            for _ in range(PROCESSES)]
        self.times, self.upstream, self.connected = {}, {}, True

    def wait(self):
        for program in self.programs:
            output = program.communicate(timeout=self.seconds + 120)[0]
            check(program.returncode == 0, f"the requests under load: {output}")
            for line in output.splitlines():
                phase, upstream, connected, *times = line.split()
                self.times.setdefault(phase, []).extend(map(int, times))
                self.upstream[phase] = self.upstream.get(phase, 0) + int(upstream)
                self.connected = self.connected and connected == "true"
        for phase, times in sorted(self.times.items()):
            times.sort()
            shown = [f"{times[min(len(times) - 1, int(len(times) * part))] / 1000:.2f}" for part in (0.5, 0.99, 1)]
            print(f"{PROCESSES} processes, cache {self.kind}, {type(self.server).__name__.lower()}, {phase}: {len(times)}"
                  f" requests, {self.upstream[phase]} upstream, median {shown[0]} ms, p99 {shown[1]} ms, maximum {shown[2]} ms")
            check(times[-1] < 1_000_000, "a request took longer than its deadline")


def loads():
    """The same load without a cache, with one for each process, and with a shared one."""
    short = max(10, SECONDS // 10)
    server = SERVERS.single()
    for kind in "none", "memory":
        Load(server, kind, short).wait()
    for kind in "shared", "coherent":
        load = Load(server, kind, short)
        load.wait()
        check(load.connected, "the server is up, and there is no connection to it")
        # At most one in two seconds for each user, or one more at the beginning.
        expected = 200 * (short / 2 + 1)
        check(load.upstream["up"] < expected * 1.2, f"{load.upstream['up']} requests upstream instead of {expected:.0f}")
    server.kill()
    part = max(20, SECONDS // 4)
    failing_load(SERVERS.single(), "shared", part)
    failing_load(SERVERS.single(), "coherent", SECONDS)
    for server in SERVERS.cluster, SERVERS.group:
        # The sentinels take ten seconds until the server that comes back is a replica.
        failing_load(server(), "coherent", max(60, part))


def failing_load(server, kind, seconds):
    """Load during which the server, or a master, is killed, restarted, stopped and continued."""
    load = Load(server, kind, seconds)
    end = time.monotonic() + seconds
    step = seconds / 8
    time.sleep(step * 2)
    load.mark.write_text("killed")
    server.kill_master()
    time.sleep(step)
    check(server.is_replaced(), "no other server has replaced the one that was killed")
    server.recover()
    load.mark.write_text("up")
    time.sleep(step * 2)
    server.stop_master()
    load.mark.write_text("stopped")
    time.sleep(step)
    check(server.is_replaced(), "no other server has replaced the one that was stopped")
    server.recover()
    load.mark.write_text("again")
    check(time.monotonic() < end - step, "the load has nearly ended")
    load.wait()
    check(len(load.times) == 4, "the server was not killed and stopped during the load")
    check(load.connected, "the server is up, and there is no connection to it")
    # Without one of three masters, a third of the responses would come from upstream.
    for phase in "up", "again":
        check(load.upstream[phase] < len(load.times[phase]) * 0.3, f"too many requests upstream, {phase}")
    server.kill()


def limited(kind, kills=False):
    """The number of requests that a service refuses four processes with the same token."""
    server, service = SERVERS.single(), Service()
    processes = [
        launch(
            PROGRAM, "limited", server.address, service.url, kind, 60, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)
        for _ in range(4)]
    for process in processes:
        check(process.stdout.readline() == "ready\n", "a process cannot use the server")
    start = time.monotonic()
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    if kills:
        while service.accepted < 80:
            time.sleep(0.005)
        server.kill()
    outputs = [process.communicate(timeout=120)[0].split() for process in processes]
    seconds = time.monotonic() - start
    failures, longest = (operation(int(output[index]) for output in outputs)
                         for index, operation in [(0, sum), (1, max)])
    print(f"4 processes with one token, limiter {kind}{', server killed' if kills else ''}: {service.accepted} requests in"
          f" {seconds:.1f} s, {service.throttled} refused, {failures} failed, longest {longest} ms")
    if not kills:
        server.kill()
    service.shutdown()
    return service.throttled, failures


def median(*command):
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    for start in SERVERS.single, SERVERS.cluster, SERVERS.group:
        server = start()
        name = type(server).__name__.lower()
        requests, longest = herd(server, PROCESSES, 0)
        print(f"{PROCESSES} processes send the same query at once, {name}: {requests} upstream, {longest:.0f} ms")
        check(requests == 1, f"{PROCESSES} processes sent {requests} requests instead of 1")
        server.kill()

        server = start()
        requests, longest = herd(server, PROCESSES, 1)
        print(f"and one more if the process that asks is killed, {name}: {requests} upstream, {longest:.0f} ms")
        check(requests == 2, f"{requests} requests instead of 2")
        server.kill()

    # A server without enough memory for all users.
    identities(SERVERS.single("--maxmemory", "2mb", "--maxmemory-policy", "allkeys-lru"), REQUESTS)
    identities(SERVERS.cluster(), REQUESTS)

    loads()

    throttled, _ = limited("none")
    check(throttled > 10, "the service refuses nothing without a limiter")
    limited("memory")
    throttled, failures = limited("shared")
    check(throttled == 0, f"the service refused {throttled} requests of processes that share their limits")
    check(failures == 0, f"{failures} requests failed")
    _, failures = limited("shared", kills=True)
    check(failures == 0, f"{failures} requests failed after the server was killed")

    # On one processor: on two, most of the time is that of waking an idle one.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    server = SERVERS.single()
    for size, form in [(1_000, "plain"), (10_000, "plain"), (100_000, "plain"), (100_000, "compressed")]:
        pairs = []
        name = "proof:r:" + "a" * 64 + ":" + "b" * 64
        for _ in range(5):
            hit = median(PROGRAM, "hit", server.address, str(size), "3000", form)
            pairs.append((hit, median(BARE_GET, server.address, name, "3000")))
        # Other load on the machine only makes them longer.
        hit, bare = (min(values) for values in zip(*pairs))
        stored = int(SERVERS.command(server.address, "STRLEN", name))
        print(f"a hit of {size} bytes, {form}: {hit / 1000:.1f} us, a bare GET of the {stored} bytes {bare / 1000:.1f} us,"
              f" ratio {hit / bare:.2f}")
    server.kill()


main()

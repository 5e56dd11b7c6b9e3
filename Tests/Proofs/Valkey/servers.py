"""Real servers that share a cache: one, a cluster, and a group with sentinels.

Each has an `address` for the program of the suite `valkey`, and stops with `kill`. `kill_master` and `stop_master` concern
one master, `is_replaced` tells whether another server took over, and `recover` starts or continues the process.
"""
import atexit
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

USED_PORTS = set()
LAUNCHED = []


def launch(*command, **options):
    """A process that does not outlive this program."""
    process = subprocess.Popen(list(map(str, command)), **options)
    LAUNCHED.append(process)
    return process


@atexit.register
def kill_all():
    for process in LAUNCHED:
        if process.poll() is None:
            process.kill()
            process.wait()


def free_port():
    """A port that is free, as is the one for the messages between the nodes of a cluster, which is higher by 10,000."""
    while True:
        port = random.randrange(20_000, 22_000)
        if port in USED_PORTS:
            continue
        USED_PORTS.add(port)
        try:
            for number in port, port + 10_000:
                with socket.socket() as one:
                    one.bind(("127.0.0.1", number))
            return port
        except OSError:
            continue


def until(condition, message):
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.02)
    sys.exit(f"FAILED: {message}")


class Process:
    """A server that can be killed, stopped, and started again."""

    def __init__(self, *command):
        self.command = command
        self.start()

    def start(self):
        self.process = launch(*self.command, stdout=subprocess.DEVNULL)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGSTOP)

    def recover(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
        else:
            self.start()


class Servers:
    """Starts the servers of a suite, with files in one folder."""

    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)
        self.client = str(Path(program).with_name(Path(program).name.replace("-server", "-cli")))

    def single(self, *arguments):
        return Single(self, arguments)

    def cluster(self):
        return Cluster(self)

    def group(self):
        return Group(self)

    def command(self, place, *arguments):
        """The response of a server, or an empty text."""
        place = ["-p", str(place)] if isinstance(place, int) else ["-s", place]
        return subprocess.run(
            [self.client, *place, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True).stdout

    def node(self, port, *arguments):
        folder = self.folder / str(port)
        folder.mkdir()
        return Process(
            self.program, "--port", port, "--save", "", "--dir", folder, "--repl-diskless-sync-delay", 0, *arguments)

    def until_online(self, port, replicas):
        until(lambda: self.command(port, "INFO", "replication").count("state=online") == replicas,
              f"the replicas of {port} are not up to date")


class Single:
    """A server with a Unix domain socket, without a port and without files."""

    def __init__(self, servers, arguments):
        self.address = str(servers.folder / "s")
        Path(self.address).unlink(missing_ok=True)
        self.process = Process(
            servers.program, "--port", 0, "--unixsocket", self.address, "--save", "", "--dir", servers.folder,
            *arguments)
        until(Path(self.address).exists, "the server does not start")

    def kill(self):
        self.process.kill()

    def kill_master(self):
        self.process.kill()
        Path(self.address).unlink()

    def stop_master(self):
        self.process.stop()

    def is_replaced(self):
        """There is no other server."""
        return True

    def recover(self):
        self.process.recover()
        until(Path(self.address).exists, "the server does not start again")


class Cluster:
    """Three masters, each with a third of the keys and a replica."""

    def __init__(self, servers):
        self.servers = servers
        self.ports = [free_port() for _ in range(6)]
        self.processes = {
            port: servers.node(port, "--cluster-enabled", "yes", "--cluster-node-timeout", 1000)
            for port in self.ports}
        for port in self.ports:
            until(lambda: "cluster_state" in servers.command(port, "CLUSTER", "INFO"), "a node does not start")
        subprocess.run(
            [servers.client, "--cluster", "create", *(f"127.0.0.1:{port}" for port in self.ports),
             "--cluster-replicas", "1", "--cluster-yes"], check=True, stdout=subprocess.DEVNULL)
        for port in self.ports:
            until(lambda: "cluster_state:ok" in servers.command(port, "CLUSTER", "INFO")
                  and servers.command(port, "CLUSTER", "NODES").count("slave") == 3, "a node does not know the others")
        for port in self.ports[:3]:
            servers.until_online(port, 1)
        self.address = "cluster:" + ",".join(map(str, self.ports))

    def kill(self):
        for process in self.processes.values():
            process.kill()

    def kill_master(self):
        self.failed = self.ports[0]
        self.processes[self.failed].kill()

    def stop_master(self):
        self.failed = self.ports[1]
        self.processes[self.failed].stop()

    def is_replaced(self):
        """Whether a replica has the slots of the master that failed, by what a master reports."""
        nodes = self.servers.command(self.ports[2], "CLUSTER", "NODES").splitlines()
        masters = [node for node in nodes if "master" in node and "fail" not in node and "-" in node.split()[-1]]
        return len(masters) == 3 and not any(f":{self.failed}@" in node for node in masters)

    def recover(self):
        self.processes[self.failed].recover()


class Group:
    """A master and a replica with three sentinels, which replace a master that does not respond for half a second."""

    def __init__(self, servers):
        self.servers = servers
        master, replica = self.ports = [free_port(), free_port()]
        self.processes = {master: servers.node(master), replica: servers.node(replica, "--replicaof", "127.0.0.1", master)}
        servers.until_online(master, 1)
        self.sentinels = [free_port() for _ in range(3)]
        for port in self.sentinels:
            file = servers.folder / f"{port}.conf"
            file.write_text(
                f"port {port}\ndir {servers.folder}\nsentinel monitor shop 127.0.0.1 {master} 2\n"
                "sentinel down-after-milliseconds shop 500\nsentinel failover-timeout shop 2000\n")
            self.processes[port] = Process(servers.program, file, "--sentinel")
        for port in self.sentinels:
            until(lambda: servers.command(port, "SENTINEL", "SENTINELS", "shop").count("runid") == 2
                  and servers.command(port, "SENTINEL", "REPLICAS", "shop").count("runid") == 1,
                  "a sentinel does not know the others")
        self.address = "sentinel:" + ",".join(map(str, self.sentinels))

    def kill(self):
        for process in self.processes.values():
            process.kill()

    def master(self):
        return int(self.servers.command(self.sentinels[0], "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "shop").split()[1])

    def kill_master(self):
        self.failed = self.master()
        self.processes[self.failed].kill()

    def stop_master(self):
        self.failed = self.master()
        # The other server must have become its replica before it can replace it.
        self.servers.until_online(self.failed, 1)
        self.processes[self.failed].stop()

    def is_replaced(self):
        return self.master() != self.failed

    def recover(self):
        self.processes[self.failed].recover()

"""A service with the leaky bucket that Shopify describes. Counts the requests that it refuses."""
import json
import random
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CAPACITY, RATE, COST = 200.0, 200.0, 10


class Service(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.available, self.counted = CAPACITY, time.monotonic()
        self.accepted = self.throttled = 0
        self.random = random.Random(1)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/graphql"

    def spend(self):
        """The body of a response. A request gets back what it has not used."""
        with self.lock:
            now = time.monotonic()
            self.available = min(CAPACITY, self.available + RATE * (now - self.counted))
            self.counted = now
            body = {}
            actual = None
            if self.available < COST:
                self.throttled += 1
                body["errors"] = [{"message": "Throttled", "extensions": {"code": "THROTTLED"}}]
            else:
                self.accepted += 1
                actual = self.random.randint(4, COST)
                self.available -= actual
                body["data"] = {"shop": {"name": "one"}}
            status = {"maximumAvailable": CAPACITY, "currentlyAvailable": int(self.available), "restoreRate": RATE}
            body["extensions"] = {
                "cost": {"requestedQueryCost": COST, "actualQueryCost": actual, "throttleStatus": status}}
            return body


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps(self.server.spend()).encode()
        time.sleep(0.02)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass

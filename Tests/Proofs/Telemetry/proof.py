"""Sends requests to the example service in Examples/Telemetry, and compares what it reports with what its shop, its
caller and its collector have seen.

Usage: proof.py ORDERS PROMETHEUS FOLDER
"""
import base64
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import graphql
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

SCHEMA = graphql.build_schema(
    "type Query { hat(id: ID!): Hat } type Hat { id: ID! title: String! price: Int! }")
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
CALLER = "00f067aa0ba902b7"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def respond(self, status, body, headers=()):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


class Shop(Handler):
    """A shop that is busy now and then."""
    lock = threading.Lock()
    requests = []
    sent_bytes = 0

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = json.loads(body)
        (hat,) = request["variables"].values()
        with self.lock:
            count = len(self.requests)
            busy = count % 3 == 1
            self.requests.append((len(body), self.headers["traceparent"], self.headers["tracestate"]))
        if hat == "slow":
            time.sleep(0.2)
        if hat == "broken":
            return self.reply(500, b"broken")
        if busy:
            return self.reply(503, b"{}", [("Retry-After", "0")])
        result = graphql.graphql_sync(SCHEMA, request["query"], {
            "hat": lambda info, id: None if id == "none" else {"id": id, "title": id, "price": 7}},
            variable_values=request["variables"])
        self.reply(200, json.dumps({"data": result.data}).encode())

    def reply(self, status, body, headers=()):
        with self.lock:
            Shop.sent_bytes += len(body)
        self.respond(status, body, headers)


class Collector(Handler):
    """Accepts what the protocol buffers of OpenTelemetry accept."""
    spans = []
    problems = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            if self.path != "/v1/traces" or self.headers["Content-Type"] != "application/json":
                raise ValueError(f"{self.path} {self.headers['Content-Type']}")
            message = json_format.Parse(json.dumps(with_base64(body)), ExportTraceServiceRequest())
            for resource in message.resource_spans:
                service = {a.key: a.value.string_value for a in resource.resource.attributes}
                for scope in resource.scope_spans:
                    Collector.spans += [(service["service.name"], span) for span in scope.spans]
        except Exception as error:  # Reported at the end.
            Collector.problems.append(repr(error))
        self.respond(200, b"{}")


def with_base64(value):
    """OTLP's JSON has hexadecimal identifiers, where the JSON of protocol buffers has base64."""
    if isinstance(value, list):
        return [with_base64(element) for element in value]
    if not isinstance(value, dict):
        return value
    identifiers = ("traceId", "spanId", "parentSpanId")
    return {
        name: base64.b64encode(bytes.fromhex(member)).decode() if name in identifiers
        else with_base64(member)
        for name, member in value.items()
    }


def serve(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def get(url, headers=()):
    request = urllib.request.Request(url, headers=dict(headers))
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, response.headers, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def wait(condition, description):
    limit = time.monotonic() + 120
    while time.monotonic() < limit:
        try:
            value = condition()
            if value:
                return value
        except (urllib.error.URLError, ConnectionError):
            pass
        time.sleep(0.05)
    sys.exit(f"waited for two minutes: {description}")


def check(condition, description):
    if not condition:
        sys.exit(f"proof: {description}")


def total(families, name, **labels):
    return sum(
        sample.value for family in families for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items())


def main():
    orders, prometheus, folder = sys.argv[1:]
    port = free_port()
    environment = dict(
        os.environ, SHOP_URL=serve(Shop) + "/graphql", OTEL_EXPORTER_OTLP_ENDPOINT=serve(Collector),
        PORT=str(port))
    log = open(f"{folder}/orders.log", "w+")
    service = subprocess.Popen([orders], env=environment, stdout=subprocess.DEVNULL, stderr=log)
    try:
        run(f"http://127.0.0.1:{port}", port, prometheus, folder, log)
        check(service.poll() is None, "the service has ended")
    finally:
        service.kill()


def run(address, port, prometheus, folder, log):
    wait(lambda: get(f"{address}/metrics")[0] == 200, "the service")
    traced = {"traceparent": f"00-{TRACE}-{CALLER}-01", "tracestate": "vendor=1"}
    check(get(f"{address}/hat/bowler", traced)[::2] == (200, "bowler: 7\n"), "the first response")
    check(get(f"{address}/hat/bowler", traced)[0] == 200, "a response from the cache")
    check(get(f"{address}/hat/none")[0] == 404, "a hat that the shop does not have")
    check(get(f"{address}/hat/broken")[0] == 502, "a shop that fails")
    with ThreadPoolExecutor(20) as pool:
        statuses = list(pool.map(lambda _: get(f"{address}/hat/slow")[0], range(20)))
    check(statuses == [200] * 20, f"equal requests: {statuses}")
    for number in range(30):
        check(get(f"{address}/hat/hat{number}")[0] == 200, f"hat {number}")
    calls = 1 + 1 + 1 + 1 + 20 + 30
    get(f"{address}/flush")
    received = list(Shop.requests)

    check(not Collector.problems, f"the collector: {Collector.problems}")
    check(all(name == "orders" for name, _ in Collector.spans), "the name of the service")
    spans = [span for _, span in Collector.spans]
    identifiers = {span.span_id.hex() for span in spans}
    check(len(identifiers) == len(spans), "two spans have the same identifier")
    attempts = [span for span in spans if span.name == "attempt"]
    sent = {parent.split("-")[2] for _, parent, _ in received}
    check({span.span_id.hex() for span in attempts} == sent, "spans of attempts and traceparent")
    traces = {span.span_id.hex(): span.trace_id.hex() for span in attempts}
    check(
        all(traces[parent.split("-")[2]] == parent.split("-")[1] for _, parent, _ in received),
        "traces of attempts and traceparent")
    roots = [span for span in spans if span.name == "query Hat"]
    check(len(roots) == calls, f"{len(roots)} spans of {calls} calls")
    for span in spans:
        parent = span.parent_span_id.hex()
        check(parent in identifiers or parent in ("", CALLER), f"{span.name} has no parent")
        check(0 < span.start_time_unix_nano <= span.end_time_unix_nano, f"the times of {span.name}")
    mine = [span for span in roots if span.trace_id.hex() == TRACE]
    check(len(mine) == 2 and all(s.parent_span_id.hex() == CALLER for s in mine), "the caller's trace")
    check([state for _, _, state in received if state] == ["vendor=1"] * sum(
        TRACE in parent for _, parent, _ in received), "tracestate")
    check(sum(span.status.code == 2 for span in roots) == 1, "spans with an error")
    print(f"ok {len(spans)} spans in protocol buffers, with the identifiers that the shop received")

    _, headers, text = get(f"{address}/metrics")
    check(headers["Content-Type"].startswith("application/openmetrics-text"), "the content type")
    families = list(text_string_to_metric_families(text))
    check(total(families, "graphql_client_calls_total") == calls, "calls")
    check(total(families, "graphql_client_calls_total", result="failed") == 1, "failed calls")
    check(total(families, "graphql_client_calls_in_progress") == 0, "calls in progress")
    check(total(families, "graphql_client_requests_total") == len(received), "requests")
    check(total(families, "graphql_client_attempts_total") == len(received), "attempts")
    check(
        total(families, "graphql_client_sent_bytes_total") == sum(size for size, _, _ in received),
        "sent bytes")
    check(total(families, "graphql_client_received_bytes_total") == Shop.sent_bytes, "received bytes")
    hits = total(families, "graphql_client_cache_reads_total", result="hit")
    joined = total(families, "graphql_client_wait_duration_seconds_count", reason="equal_query")
    retries = total(families, "graphql_client_retries_total")
    # Each call ended with the cache, an equal query, or its own last attempt.
    check(hits + joined + len(received) - retries == calls, "sources of responses")
    check(total(families, "graphql_client_call_duration_seconds_count") == calls, "durations")
    print(f"ok {sum(len(f.samples) for f in families)} samples in OpenMetrics, as the shop has counted")
    scrape(port, prometheus, folder, calls)

    log.seek(0)
    lines = log.read().splitlines()
    events = [json.loads(line) for line in lines if line.startswith("{")]
    check(sum(event["event"] == "ended" for event in events) == calls, "lines of calls")
    check(sum(event["event"] == "exchange" for event in events) == len(received), "lines of requests")
    check(sum("A call ended." in line or "A call failed." in line for line in lines) == calls, "swift-log")
    reads, names = get(f"{address}/adapters")[2].splitlines()
    check(int(reads.split()[-1]) == sum(e["event"] == "cache_read" for e in events), "swift-metrics")
    check(names.split()[1:] == ["Hat"] * calls, "swift-distributed-tracing")
    print(f"ok {len(events)} lines of JSON, and the same calls in swift-log, swift-metrics and swift-distributed-tracing")


def scrape(port, prometheus, folder, calls):
    """Prometheus scrapes the service, and its numbers are the same."""
    web = free_port()
    configuration = f"{folder}/prometheus.yml"
    with open(configuration, "w") as file:
        file.write(
            "scrape_configs:\n- job_name: orders\n  scrape_interval: 1s\n"
            f"  static_configs:\n  - targets: ['127.0.0.1:{port}']\n")
    with open(f"{folder}/prometheus.log", "w") as log:
        process = subprocess.Popen(
            [prometheus, f"--config.file={configuration}", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address=127.0.0.1:{web}", "--enable-feature=exemplar-storage"],
            stdout=log, stderr=log)
        api = f"http://127.0.0.1:{web}/api/v1"

        def query(text):
            body = json.loads(get(f"{api}/query?" + urllib.parse.urlencode({"query": text}))[2])
            return [float(result["value"][1]) for result in body["data"]["result"]]

        try:
            wait(lambda: query("sum(graphql_client_calls_total)") == [calls], "a scrape")
            check(query("up") == [1], "the target is up")
            quantile = query(
                "histogram_quantile(0.5, sum by (le) (graphql_client_call_duration_seconds_bucket))")
            check(len(quantile) == 1 and 0 < quantile[0] < 60, f"the median is {quantile}")
            exemplars = json.loads(get(
                f"{api}/query_exemplars?query=graphql_client_call_duration_seconds_bucket"
                f"&start={time.time() - 600}&end={time.time() + 60}")[2])["data"]
            found = {e["labels"]["trace_id"] for series in exemplars for e in series["exemplars"]}
            check(found, "exemplars")
        finally:
            process.kill()
    print(f"ok Prometheus has scraped {calls} calls and {len(found)} traces as exemplars")


main()

"""The request handler that the servers of the stress programs share."""
import http.server


class FaultyHandler(http.server.BaseHTTPRequestHandler):
    """Sends responses to clients that may be killed, and ends connections on purpose."""

    protocol_version = "HTTP/1.1"

    def respond(self, status, content, headers={}):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def hang_up(self):
        self.close_connection = True
        self.connection.close()

    def handle(self):
        try:
            super().handle()
        except (ConnectionError, ValueError, OSError):
            pass

    def finish(self):
        try:
            super().finish()
        except (ConnectionError, ValueError, OSError):
            pass

    def log_message(self, *arguments):
        pass

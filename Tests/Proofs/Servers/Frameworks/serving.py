"""Serves an ASGI application on a free port of loopback, and prints the port."""
import asyncio
import socket

import uvicorn


def serve(app):
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))

"""Serves both schemas over HTTP, with faults, and over TLS.

Usage: server.py FOLDER

Prints the three ports; the last is 0 if no certificate could be created. The certificate's
authority is written into the folder.
"""
import asyncio
import socket
import sys
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Mount

import authority
import faults
import shop
import store


class Guard:
    """Refuses requests without the right token."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        headers = dict(scope["headers"])
        if headers.get(b"authorization") == b"Bearer good":
            await self.app(scope, receive, send)
        else:
            await JSONResponse({"errors": [{"message": "who?"}]}, 401)(scope, receive, send)


app = Starlette(
    routes=[
        Mount("/private", Guard(store.app)),
        Mount("/shop", shop.app),
        Mount("/store", store.app),
    ]
)


def listen(**tls):
    """Returns a server on a free port, and the port."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1, **tls)
    return uvicorn.Server(config).serve(sockets=[listener]), listener.getsockname()[1]


async def main(folder):
    plain, port = listen()
    proxy = await faults.serve(port)
    servers, secure_port = [plain], 0
    if files := authority.make(folder):
        secure, secure_port = listen(ssl_certfile=files[0], ssl_keyfile=files[1])
        servers.append(secure)
    print(port, proxy.sockets[0].getsockname()[1], secure_port, flush=True)
    await asyncio.gather(*servers)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(Path(sys.argv[1]))))

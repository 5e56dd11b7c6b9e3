"""Serves both schemas and, on a second port, the same with faults. Prints the two ports."""
import asyncio
import socket
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Mount

import faults
import shop
import store


class Guard:
    """Lets nobody in without the right token."""

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


async def main():
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    proxy = await faults.serve(port)
    print(port, proxy.sockets[0].getsockname()[1], flush=True)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
    await server.serve(sockets=[listener])


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

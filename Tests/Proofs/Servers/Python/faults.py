"""A proxy on loopback that injects the fault that the first segment of the path names.

`/429/store/` responds to the first request of each client (identified by `X-Run`) with 429, and
forwards the others to `/store/`. `/reset/...` resets the connection in the middle of a response, and
so on. `/any/...` injects a random fault into a quarter of the requests, including web sockets.
"""
import asyncio
import gzip
import random
import socket
import struct
import zlib

SEEN = {}
JSON = b"Content-Type: application/json\r\n"
DATA = b'{"data":{"shop":{"name":"Shoes"}}}'


def response(status, head=b"", body=b"", length=None):
    length = len(body) if length is None else length
    head += b"Connection: close\r\n"
    return b"HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s" % (status, head, length, body)


async def reset(writer):
    writer.get_extra_info("socket").setsockopt(
        socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
    )
    writer.transport.abort()


async def slow(writer):
    writer.write(response(b"200 OK", JSON, b"", len(DATA)))
    for byte in DATA:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.005)


async def dripping(writer):
    writer.write(response(b"200 OK", JSON, b"", 1 << 30))
    while not writer.is_closing():
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.05)


async def cut(writer):
    writer.write(response(b"200 OK", JSON, DATA[:10], len(DATA)))
    await writer.drain()
    await asyncio.sleep(0.05)
    await reset(writer)


async def truncated_gzip(writer):
    body = gzip.compress(DATA * 100)
    writer.write(response(b"200 OK", JSON + b"Content-Encoding: gzip\r\n", body[: len(body) // 2]))


async def bomb(writer):
    # A gigabyte of white space, compressed to a megabyte.
    head = JSON + b"Content-Encoding: gzip\r\nConnection: close\r\n"
    writer.write(b"HTTP/1.1 200 OK\r\n%s\r\n" % head)
    stream = zlib.compressobj(wbits=31)
    for _ in range(1 << 10):
        writer.write(stream.compress(b" " * (1 << 20)))
        await writer.drain()
    writer.write(stream.flush())


def fixed(*arguments):
    async def run(writer):
        writer.write(response(*arguments))

    return run


ONCE = {
    "429": fixed(b"429 Too Many Requests", b"Retry-After: 0\r\n"),
    "502": fixed(b"502 Bad Gateway", b"Content-Type: text/html\r\n", b"<html>Bad Gateway</html>"),
    "503": fixed(b"503 Service Unavailable", b"Retry-After: 0\r\n"),
    "reset": cut,
}
ALWAYS = {
    "close": reset,
    "slow": slow,
    "dripping": dripping,
    "gzip": truncated_gzip,
    "bomb": bomb,
    "type": fixed(b"200 OK", b"Content-Type: text/plain\r\n", DATA),
    "html": fixed(b"200 OK", b"Content-Type: text/html\r\n", b"<html>Log in</html>"),
    "empty": fixed(b"200 OK", JSON),
}


async def pass_on(port, head, path, body, writer, is_lost=False):
    """Forwards the request. If the response is lost, the server has carried it out nevertheless."""
    reader, upstream = await asyncio.open_connection("127.0.0.1", port)
    lines = head.split(b"\r\n")
    lines[0] = b"POST %s HTTP/1.1" % path.encode()
    lines.insert(1, b"Connection: close")
    upstream.write(b"\r\n".join(lines) + b"\r\n\r\n" + body)
    while chunk := await reader.read(1 << 16):
        if not is_lost:
            writer.write(chunk)
            await writer.drain()
    upstream.close()


async def pipe(reader, writer):
    while chunk := await reader.read(1 << 16):
        writer.write(chunk)
        await writer.drain()
    writer.close()


async def tunnel(port, lines, path, reader, writer, lasts):
    """Forwards a web socket, for at most that many seconds."""
    upstream_reader, upstream = await asyncio.open_connection("127.0.0.1", port)
    lines[0] = "GET %s HTTP/1.1" % path
    upstream.write("\r\n".join(lines).encode() + b"\r\n\r\n")
    ends = [asyncio.create_task(pipe(*end)) for end in ((reader, upstream), (upstream_reader, writer))]
    try:
        await asyncio.wait(ends, timeout=lasts, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for end in ends:
            end.cancel()
        await asyncio.gather(*ends, return_exceptions=True)
        upstream.close()


async def handle(port, reader, writer):
    try:
        head = (await reader.readuntil(b"\r\n\r\n"))[:-4]
        lines = head.decode().split("\r\n")
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:])}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        _, fault, *rest = lines[0].split(" ")[1].split("/")
        key = (fault, headers.get("x-run"))
        SEEN[key] = SEEN.get(key, 0) + 1
        is_hit = fault == "any" and random.random() < 0.25
        if headers.get("upgrade", "").lower() == "websocket":
            lasts = random.random() / 10 if is_hit else None
            return await tunnel(port, lines, "/" + "/".join(rest), reader, writer, lasts)
        if is_hit:
            fault = random.choice([*ONCE, "lost", "close", "gzip", "html", "empty"])
            SEEN[key] = 1
        if fault == "307":
            location = f"/pass/{'/'.join(rest)}".encode()
            writer.write(response(b"307 Temporary Redirect", b"Location: %s\r\n" % location))
        elif fault in ALWAYS:
            await ALWAYS[fault](writer)
        elif fault in ONCE and SEEN[key] == 1:
            await ONCE[fault](writer)
        else:
            await pass_on(port, head, "/" + "/".join(rest), body, writer, fault == "lost")
        await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def serve(port):
    return await asyncio.start_server(lambda r, w: handle(port, r, w), "127.0.0.1", 0)

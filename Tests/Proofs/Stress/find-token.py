#!/usr/bin/env python3
"""Searches files for a token, in every form in which it may be written.

Usage: find-token.py TOKEN PATH ...

Prints its places and a closing line; exits with 1 if it is found.
"""
import base64
import json
import re
import sys
from pathlib import Path
from urllib.parse import quote, quote_plus


def forms(token):
    raw = token.encode()
    found = {
        "plain": raw,
        "JSON": json.dumps(token)[1:-1].encode(),
        "JSON with escaped slashes": json.dumps(token)[1:-1].replace("/", "\\/").encode(),
        "hexadecimal": raw.hex().encode(),
        "UTF-16": token.encode("utf-16-le"),
    }
    for name, text in {"percent": quote(token, safe=""), "form": quote_plus(token)}.items():
        found[name] = text.encode()
    found["percent, slashes left"] = quote(token, safe="/").encode()
    found["percent, signs left"] = quote(token, safe="/+=").encode()
    found["numbers"] = ", ".join(map(str, raw)).encode()
    # Inside encoded data, its first and last characters are mixed with others.
    for shift in range(3):
        for name, encode in {"": base64.b64encode, " for URLs": base64.urlsafe_b64encode}.items():
            text = encode(b"\0" * shift + raw)
            found[f"base64{name}, shifted by {shift}"] = text[4 if shift else 0 : -4]
    return found


def main(token, paths):
    files = [file for path in paths for file in ([path] if path.is_file() else path.rglob("*"))]
    places, size = 0, 0
    for file in files:
        if not file.is_file():
            continue
        content = file.read_bytes()
        size += len(content)
        # `dump` prints a list of bytes with a line for each.
        content += re.sub(rb"\n *- (\d+)", rb", \1", content) if b"\n" in content else b""
        hits = [name for name, form in forms(token).items() if form in content]
        if token in str(file):
            hits.append("the name")
        if hits:
            places += 1
            print(f"{file}: {', '.join(hits)}")
    print(f"{len(files)} files, {size} bytes, {len(forms(token))} forms: found in {places} files")
    return 1 if places else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], [Path(path) for path in sys.argv[2:]]))

"""Creates an authority, and a certificate for `localhost` that it signs, with the openssl tool."""
import shutil
import subprocess
from pathlib import Path

CURVE = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]


def openssl(folder, *arguments):
    subprocess.run(
        ["openssl", *arguments], cwd=folder, check=True, capture_output=True, timeout=60
    )


def make(folder: Path):
    """Writes `authority.pem` and `stranger.pem`, which has signed nothing, into the folder.

    Returns the certificate and its key, or None without openssl.
    """
    if not shutil.which("openssl"):
        return None
    for name in ["authority", "stranger"]:
        openssl(
            folder, "req", "-x509", *CURVE, "-days", "2", "-subj", f"/CN=Test {name}",
            "-addext", "keyUsage=critical,keyCertSign",
            "-keyout", f"{name}.key", "-out", f"{name}.pem",
        )  # fmt: skip
    openssl(
        folder, "req", *CURVE, "-subj", "/CN=localhost", "-keyout", "server.key",
        "-out", "server.csr",
    )  # fmt: skip
    (folder / "names").write_text("subjectAltName=DNS:localhost\n")
    openssl(
        folder, "x509", "-req", "-in", "server.csr", "-CA", "authority.pem",
        "-CAkey", "authority.key", "-CAcreateserial", "-days", "2", "-extfile", "names",
        "-out", "server.pem",
    )  # fmt: skip
    return folder / "server.pem", folder / "server.key"

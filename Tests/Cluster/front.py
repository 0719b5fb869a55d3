"""The proxy before the servers, as it is shipped."""

from pathlib import Path

from command import ROOT
from proxies import haproxy
from server import Server


def proxied(folder: Path, port: int, servers: list[Server]):
    """haproxy as it is shipped, but for ports, and with as many servers as there are."""
    text = (ROOT / "Deployment/haproxy/haproxy.cfg").read_text()
    shipped = "  server one one:8080\n  server two two:8080\n"
    assert shipped in text and "bind :8080" in text
    lines = (f"  server s{n} 127.0.0.1:{one.port}\n" for n, one in enumerate(servers))
    text = text.replace(shipped, "".join(lines))
    return haproxy(folder, port, text.replace("bind :8080", f"bind 127.0.0.1:{port}"))

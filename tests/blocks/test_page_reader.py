"""The page reader: refused pages, reads that are stopped, and robots.txt, on loopback."""

from __future__ import annotations

import gzip
import ssl
import zlib
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from servers.page_server import HTML, LOOPBACK, PageServer, page, raw_server, redirect
from servers.scripted_server import Reply

from freshqa.evidence.address_rule import AddressRule
from freshqa.evidence.web_page import WebPage
from prefect_freshqa.blocks import PageReader
from prefect_freshqa.blocks.host_spacing import HostSpacing
from prefect_freshqa.blocks.http_page_reader import HttpPageReader, PageLimits
from prefect_freshqa.blocks.page_fetch import USER_AGENT
from prefect_freshqa.blocks.page_worker import PageWorker

pytest.importorskip("trafilatura", reason="extra pages")
DAY = date(2025, 3, 1)
PATIENT = PageLimits(seconds=120, spacing=0)
HASTY = PageLimits(seconds=0.5, spacing=0)
"""For servers that never answer in full, however long one waits."""
OTTERS = "The otters of the lake won the final of the league on Sunday."


@pytest.fixture
def server() -> Iterator[PageServer]:
    server = PageServer()
    with server.running():
        yield server


@pytest.fixture(scope="module")
def worker() -> Iterator[PageWorker]:
    worker = PageWorker(seconds=120)
    yield worker
    worker.close()


@pytest.fixture
def reader(worker: PageWorker) -> HttpPageReader:
    return HttpPageReader(PATIENT, LOOPBACK, worker=worker)


def read(reader: HttpPageReader, url: str) -> WebPage:
    return reader.read(url, as_of=DAY)


# -- honest pages ------------------------------------------------------------------------------
def test_a_normal_page_is_read_with_title_and_date(
    server: PageServer, reader: HttpPageReader
) -> None:
    head = '<title>League</title><meta property="article:published_time" content="2025-02-23">'
    server.pages["/final"] = page(OTTERS, head=head)
    fetched = read(reader, f"{server.url}/final#part")
    assert (fetched.text, fetched.title, fetched.published) == (OTTERS, "League", "2025-02-23")
    assert (fetched.problem, fetched.final_url) == ("", f"{server.url}/final#part")
    asked = server.requests[-1].headers
    assert asked["user-agent"] == USER_AGENT and "cookie" not in asked and "referer" not in asked


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_compressed_pages_are_decompressed(
    server: PageServer, reader: HttpPageReader, coding: str
) -> None:
    pack = {"gzip": gzip.compress, "deflate": zlib.compress}[coding]
    body = pack(page(OTTERS).payload)
    server.pages["/packed"] = Reply(body=body, headers={**HTML, "Content-Encoding": coding})
    assert read(reader, f"{server.url}/packed").text == OTTERS


def test_plain_text_is_read_as_it_is(server: PageServer, reader: HttpPageReader) -> None:
    plain = {"Content-Type": "text/plain; charset=iso-8859-1"}
    server.pages["/notes"] = Reply(body="caf\u00e9 open".encode("latin-1"), headers=plain)
    assert read(reader, f"{server.url}/notes").text == "caf\u00e9 open"


def test_cookies_are_not_kept(server: PageServer, reader: HttpPageReader) -> None:
    reply = page(OTTERS)
    server.pages["/a"] = Reply(body=reply.body, headers={**HTML, "Set-Cookie": "id=1; Path=/"})
    read(reader, f"{server.url}/a")
    read(reader, f"{server.url}/a")
    assert server.paths() == ["/a", "/a"]
    assert all("cookie" not in request.headers for request in server.requests)


# -- hostile servers ---------------------------------------------------------------------------
def _html(body: bytes, **headers: str) -> Reply:
    return Reply(body=body, headers={**HTML, **headers})


BOMB = gzip.compress(b"<p>" + b"0" * 50_000_000)
LONG = b"<p>" + b"long " * 500_000
HOSTILE: dict[str, tuple[Reply, str]] = {
    "too long": (_html(LONG), "longer than"),
    "gzip bomb": (_html(BOMB, **{"Content-Encoding": "gzip"}), "longer than"),
    "gzip bomb in a gzip bomb": (
        _html(gzip.compress(BOMB), **{"Content-Encoding": "gzip, gzip"}),
        "unknown encoding",
    ),
    "deflate bomb": (
        _html(zlib.compress(b"0" * 50_000_000), **{"Content-Encoding": "deflate"}),
        "longer than",
    ),
    "brotli": (_html(b"\x0b\x02\x80", **{"Content-Encoding": "br"}), "unknown encoding"),
    "not gzip": (_html(b"<p>plain", **{"Content-Encoding": "gzip"}), "no usable answer"),
    "a picture": (Reply(body=b"\x89PNG", headers={"Content-Type": "image/png"}), "not text"),
    "an archive": (Reply(body=b"PK", headers={"Content-Type": "application/zip"}), "not text"),
    "a program": (
        Reply(body=b"MZ", headers={"Content-Type": "application/octet-stream"}),
        "not text",
    ),
    "a script": (Reply(body="x()", headers={"Content-Type": "text/javascript"}), "not text"),
    "a picture called HTML": (_html(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "not text"),
    "nothing": (_html(b""), "no text"),
    "only a script": (_html(b"<script>document.write('answer: 42')</script>"), "no text"),
    "a server error": (Reply(500, "<p>oops", HTML), "HTTP status 500"),
    "a refusal": (Reply(403, "<p>no", HTML), "HTTP status 403"),
    "a part of the page": (Reply(206, "<p>part", HTML), "HTTP status 206"),
    "a break": (Reply(drop=True), "no answer"),
    "half a page": (Reply(body=page(OTTERS).body, headers=HTML, cut=20), "no answer"),
    "to a file": (redirect("file:///etc/passwd"), "not an http or https URL"),
    "to gopher": (redirect("gopher://127.0.0.1:70/"), "not an http or https URL"),
    "to a user name": (redirect("http://admin:admin@127.0.0.1/"), "user name"),
    "to the metadata": (redirect("http://169.254.169.254/latest/"), "a metadata address"),
    "to a private host": (redirect("http://10.0.0.1/"), "a private address"),
    "to a number": (redirect("http://2886729729/"), "a private address"),  # 172.16.0.1
    "to octal numbers": (redirect("http://0300.0250.0.1/"), "no answer"),  # 192.168.0.1
    "to IPv6 loopback": (redirect("http://[::1]/"), "a loopback address"),
    "to a mapped address": (redirect("http://[::ffff:10.0.0.1]/"), "a private address"),
    "to a link-local one": (redirect("http://[fe80::1]/"), "a link-local address"),
    "to nowhere": (redirect("http://does-not-exist.invalid/"), "its robots.txt cannot be read"),
    "to an odd address": (redirect("http://[broken/"), "no usable answer"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_misbehaving_server_affects_only_its_own_page(
    server: PageServer, reader: HttpPageReader, name: str
) -> None:
    server.pages["/page"], why = HOSTILE[name]
    fetched = read(reader, f"{server.url}/page")
    # a host that may not be connected to has no robots.txt that can be read
    refused_host = "its robots.txt cannot be read"
    assert fetched.text == "" and (why in fetched.problem or fetched.problem == refused_host), (
        fetched
    )
    server.pages["/page"] = page(OTTERS)
    assert read(reader, f"{server.url}/page").text == OTTERS


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
ENDLESS: dict[str, tuple[bytes, bytes]] = {
    "never answers": (b"", b""),
    "drips its status line": (b"H", b"T"),
    "drips headers": (HEAD, b"X: y\r\n"),
    "endless body": (HEAD + b"\r\n<p>", b"more"),
    "endless chunks": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
    "promises more than it sends": (HEAD + b"Content-Length: 1000000\r\n\r\n<p>", b"."),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_servers_that_never_stop_sending_are_abandoned(worker: PageWorker, name: str) -> None:
    start, then = ENDLESS[name]
    with raw_server(start=start, then=then or b"", pause=0.05 if then else 0) as url:
        reader = HttpPageReader(PATIENT, LOOPBACK, worker=worker)
        reader._robots_of(url)
        reader.limits = HASTY
        page = read(reader, url)
    assert page.text == "" and page.problem.startswith("no "), page


def test_a_redirect_loop_ends_after_five_redirects(
    server: PageServer, reader: HttpPageReader
) -> None:
    for number in range(10):
        server.pages[f"/{number}"] = redirect(f"/{number + 1}")
    server.pages["/10"] = page(OTTERS)
    assert read(reader, f"{server.url}/0").problem == "more than 5 redirects"
    assert server.paths() == [f"/{number}" for number in range(6)]
    assert read(reader, f"{server.url}/5").text == OTTERS


def test_a_page_that_stalls_the_parser_is_abandoned(server: PageServer) -> None:
    server.pages["/page"] = _html(b"<p " + b" ".join(b"a%d=1" % n for n in range(200_000)) + b">x")
    server.pages["/next"] = page(OTTERS)
    reader = HttpPageReader(PATIENT, LOOPBACK, worker=PageWorker(seconds=1))
    assert read(reader, f"{server.url}/page").problem == "not parsed within 1 s"
    reader.worker._seconds = 120
    assert read(reader, f"{server.url}/next").text == OTTERS
    reader.worker.close()


# -- addresses ---------------------------------------------------------------------------------
REFUSED = {
    "127.0.0.1": "a loopback address",
    "::1": "a loopback address",
    "10.1.2.3": "a private address",
    "172.16.0.1": "a private address",
    "192.168.1.1": "a private address",
    "fd00::1": "a private address",
    "169.254.1.1": "a link-local address",
    "fe80::1%eth0": "a link-local address",
    "169.254.169.254": "a metadata address",
    "100.100.100.200": "a metadata address",
    "168.63.129.16": "a metadata address",
    "fd00:ec2::254": "a metadata address",
    "100.64.0.1": "not a public address",
    "224.0.0.1": "a multicast address",
    "ff02::1": "a multicast address",
    "::ffff:192.168.0.1": "a private address",
    "64:ff9b::a00:1": "a private address",
    "2002:a00:1::": "a private address",
    "::7f00:1": "a loopback address",
    "somewhere": "not an IP address",
}


@pytest.mark.parametrize("address", REFUSED)
def test_addresses_that_are_not_public_are_refused(address: str) -> None:
    assert AddressRule().refuse_address(address) == REFUSED[address]


@pytest.mark.parametrize("address", ["0.0.0.0", "255.255.255.255", "240.0.0.1", "fec0::1", "::"])
def test_reserved_addresses_are_refused(address: str) -> None:
    assert AddressRule().refuse_address(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_public_addresses_are_read(address: str) -> None:
    assert AddressRule().refuse_address(address) == ""


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://example.org/", "not an http or https URL"),
        ("http://user@example.org/", "the URL has a user name"),
        ("http://example.org:22/", "port 22 is not a port of web pages"),
        ("http:///path", "not a valid URL"),
        ("http://example.org:port/", "not a valid URL"),
        ("http://example.org/" + "a" * 3000, "not a valid URL"),
    ],
)
def test_invalid_urls_are_refused_before_the_dns_lookup(url: str, why: str) -> None:
    assert AddressRule().refuse_url(url) == why


def test_a_host_with_one_private_address_is_refused(server: PageServer) -> None:
    reader = HttpPageReader(PATIENT, LOOPBACK, lambda host, port: ["127.0.0.1", "10.0.0.1"])
    page = read(reader, server.url.replace("127.0.0.1", "two.test") + "/page")
    assert page.problem == "its robots.txt cannot be read" and server.requests == []


def test_the_connection_uses_the_address_that_was_checked(server: PageServer) -> None:
    asked: list[str] = []

    def rebinding(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) <= 2 else ["10.0.0.1"]

    server.pages["/page"] = Reply(body="otters", headers={"Content-Type": "text/plain"})
    reader = HttpPageReader(PATIENT, LOOPBACK, rebinding)
    url = server.url.replace("127.0.0.1", "rebind.test") + "/page"
    assert read(reader, url).text == "otters"  # one look-up for robots.txt, one for the page
    assert asked == ["rebind.test"] * 2 and server.requests[-1].headers["host"].startswith("rebind")
    assert read(reader, url).problem == "the host is at a private address"
    assert len(server.paths()) == 1


def test_the_block_reads_only_public_addresses(server: PageServer) -> None:
    reader = PageReader().get_reader()
    assert reader.rule == AddressRule()
    assert "port" in read(reader, f"{server.url}/page").problem and server.requests == []
    assert not {"rule", "address_rule", "also_allowed"} & set(PageReader.model_fields)


# -- certificates ------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for `otters.test` that it signed itself, with its key."""
    pytest.importorskip("cryptography")
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "otters.test")])
    now = datetime.now(timezone.utc)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("otters.test")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file = tmp_path_factory.mktemp("tls") / "otters.pem"
    file.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return file


@pytest.mark.parametrize(
    ("host", "trusted", "is_read"),
    [("otters.test", True, True), ("otters.test", False, False), ("herons.test", True, False)],
)
def test_certificates_are_verified_for_the_host_name(
    server: PageServer, certificate: Path, host: str, trusted: bool, is_read: bool
) -> None:
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(certificate)
    assert server._server is not None
    server._server.socket = serving.wrap_socket(server._server.socket, server_side=True)
    server.pages["/page"] = Reply(body="otters", headers={"Content-Type": "text/plain"})
    tls = ssl.create_default_context(cafile=str(certificate) if trusted else None)
    reader = HttpPageReader(PATIENT, LOOPBACK, lambda *_: ["127.0.0.1"], tls)
    page = read(reader, server.url.replace("http://127.0.0.1", f"https://{host}") + "/page")
    assert (page.text == "otters") is is_read, page


# -- manners -----------------------------------------------------------------------------------
def robots(text: str, status: int = 200) -> Reply:
    return Reply(status, text, {"Content-Type": "text/plain"})


@pytest.mark.parametrize(
    ("said", "allowed"),
    [
        (robots("User-agent: *\nDisallow: /"), False),
        (robots("User-agent: *\nDisallow: /page"), False),
        (robots("User-agent: *\nDisallow: /*age$"), False),
        (robots("User-agent: prefect-freshqa\nDisallow: /"), False),
        (robots("User-agent: *\nDisallow: /\n\nUser-agent: Prefect-FreshQA\nAllow: /"), True),
        (robots("User-agent: *\nDisallow: /\nAllow: /page"), True),
        (robots("User-agent: otherbot\nDisallow: /"), True),
        (robots("", 404), True),
        (robots("", 503), False),
        (Reply(drop=True), False),
    ],
)
def test_robots_txt_is_honoured(
    server: PageServer, reader: HttpPageReader, said: Reply, allowed: bool
) -> None:
    server.pages = {"/robots.txt": said, "/page": page(OTTERS)}
    fetched = read(reader, f"{server.url}/page")
    assert bool(fetched.text) is allowed
    assert server.paths() == (["/page"] if allowed else [])


def test_robots_txt_of_the_new_host_applies_after_a_redirect(
    server: PageServer, reader: HttpPageReader
) -> None:
    other = PageServer()
    with other.running():
        other.pages = {"/robots.txt": robots("User-agent: *\nDisallow: /"), "/page": page(OTTERS)}
        server.pages["/page"] = redirect(f"{other.url}/page")
        assert read(reader, f"{server.url}/page").problem == "its robots.txt disallows it"
        assert other.paths() == []


def test_robots_txt_is_requested_once(server: PageServer, reader: HttpPageReader) -> None:
    server.pages["/page"] = page(OTTERS)
    read(reader, f"{server.url}/page")
    read(reader, f"{server.url}/page")
    assert [request.path for request in server.requests].count("/robots.txt") == 1


def test_requests_to_one_host_are_spaced() -> None:
    clock = [100.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += seconds

    spacing = HostSpacing(lambda: clock[0], sleep)
    waits: Callable[[str], bool] = lambda host: spacing.wait(host, 2.0, longest=3.0)
    assert all(waits(host) for host in ("a", "b", "a", "b", "a"))
    assert slept == [2.0, 2.0]
    assert spacing.wait("a", 2.0, longest=1.0) is False
    assert slept == [2.0, 2.0]


def test_a_page_with_too_long_a_crawl_delay_is_not_read(
    server: PageServer, reader: HttpPageReader
) -> None:
    server.pages = {"/robots.txt": robots("User-agent: *\nCrawl-delay: 3600"), "/page": page("x")}
    assert "3600 s" in read(reader, f"{server.url}/page").problem
    assert server.paths() == []

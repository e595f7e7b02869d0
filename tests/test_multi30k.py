"""Multi30k from a server on this machine that misbehaves in every way we know of."""

import errno
import gzip
import hashlib
import itertools
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tt_utils.data import download, multi30k
from tt_utils.data.download import DataError, RemoteFile, cache_folder, fetch

RNG = random.Random(0)
# Signs at which str.splitlines() would cut, and spaces that str.strip() would take.
ODD = [" Ein Hund.\u00a0", "Zwei\u2028Bären\x0b\x85", "\tHallo ", "Schluss"]
GERMAN = [*ODD, *(RNG.randbytes(20).hex() for _ in range(397))]
ENGLISH = [RNG.randbytes(20).hex() for _ in GERMAN]


def packed(sentences):
    return gzip.compress("".join(s + "\n" for s in sentences).encode(), mtime=0)


CONTENT = {
    "val.de.gz": packed(GERMAN),
    "val.en.gz": packed(ENGLISH),
}
ONE = "val.de.gz"
SIZE = len(CONTENT[ONE])
HALF = SIZE // 2


class Server(ThreadingHTTPServer):
    """Serves CONTENT. `plan` says how each request in turn is answered; then well."""

    block_on_close = False

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.plan = iter(())
        self.asked = []  # (name, Range header) of every request
        self.closing = threading.Event()
        self.address = f"http://127.0.0.1:{self.server_port}/"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_GET(self):
        name, wanted = self.path[1:], self.headers["Range"]
        self.server.asked.append((name, wanted))
        how = next(self.server.plan, "well")
        if isinstance(how, int):
            self.send_error(how)
            return
        data, start = CONTENT[name], 0
        if wanted and how != "ignore range":
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= SIZE:
                self.send_error(416)
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{SIZE - 1}/{SIZE}")
        else:
            self.send_response(200)
        data = data[start:]
        if how == "corrupt":
            data = data[:-1] + bytes([data[-1] ^ 1])
        if how == "endless":
            self.end_headers()
            while not self.server.closing.is_set():
                try:
                    self.wfile.write(bytes(4096))
                except OSError:
                    return
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if how in ("cut", "stall"):
            data = data[: HALF - start] if start < HALF else b""
        self.wfile.write(data)
        self.wfile.flush()
        if how == "stall":
            self.server.closing.wait(20)


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with Server() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.closing.set()
        server.shutdown()


@pytest.fixture
def cache(server, tmp_path, monkeypatch):
    """An empty cache, the server's address, small files, and no long pauses."""
    monkeypatch.delenv("TT_DATA", raising=False)
    monkeypatch.setenv("TT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(multi30k, "ADDRESS", server.address)
    files = {n: (len(d), hashlib.sha256(d).hexdigest()) for n, d in CONTENT.items()}
    monkeypatch.setattr(multi30k, "FILES", files)
    monkeypatch.setattr(download, "PAUSE", 0.001)
    monkeypatch.setattr(download, "STALL", 0.3)
    return tmp_path / "cache" / "multi30k"


@pytest.fixture
def one(cache, server):
    """One remote file, and where it shall lie."""
    digest = hashlib.sha256(CONTENT[ONE]).hexdigest()
    return RemoteFile(server.address + ONE, SIZE, digest), cache / ONE


def names(folder):
    return sorted(path.name for path in folder.iterdir() if path.name != ".lock")


def test_pairs_come_in_order_and_letter_for_letter(cache):
    assert multi30k.load("val") == list(zip(GERMAN, ENGLISH, strict=True))
    swapped = multi30k.load("val", source="en", target="de")
    assert swapped == list(zip(ENGLISH, GERMAN, strict=True))
    assert names(cache) == ["val.de.gz", "val.en.gz"]


def test_a_whole_file_is_never_fetched_again(cache, server):
    multi30k.load("val")
    multi30k.load("val")
    assert server.asked == [("val.de.gz", None), ("val.en.gz", None)]


def test_a_file_that_changed_on_the_disk_is_fetched_again(cache, server):
    multi30k.load("val")
    (cache / ONE).write_bytes(CONTENT[ONE][:-1])
    assert multi30k.load("val")[0] == (GERMAN[0], ENGLISH[0])
    assert len(server.asked) == 3


def test_a_cache_that_is_read_only_but_whole_is_enough(cache, monkeypatch):
    multi30k.load("val")
    (cache / ".lock").unlink()
    monkeypatch.setattr(Path, "mkdir", lambda *a, **k: pytest.fail("mkdir"))
    assert multi30k.load("val")
    assert not (cache / ".lock").exists()


def test_a_progress_bar_shows_names_and_sizes(cache, capsys):
    multi30k.load("val")
    out, err = capsys.readouterr()
    assert out == ""
    assert "val.de.gz: 100%" in err
    assert "val.en.gz: 100%" in err


def test_a_cut_download_goes_on_where_it_stopped(one, server):
    server.plan = iter(["cut"])
    fetch(*one)
    assert server.asked == [(ONE, None), (ONE, f"bytes={HALF}-")]
    assert one[1].read_bytes() == CONTENT[ONE]
    assert names(one[1].parent) == [ONE]


def test_a_later_call_goes_on_too(one, server):
    server.plan = iter(["cut"] * download.ATTEMPTS)
    message = (
        rf"^{one[0].url}: only {HALF:,} of {SIZE:,} bytes arrived, at the last of "
        r"5 attempts; check the connection and run this again to go on from there, "
        r"or fetch the file another way and name its folder in TT_DATA\.$"
    )
    with pytest.raises(DataError, match=message):
        fetch(*one)
    assert names(one[1].parent) == [ONE + ".part"]
    fetch(*one)
    assert server.asked[-1] == (ONE, f"bytes={HALF}-")
    assert one[1].read_bytes() == CONTENT[ONE]


def test_a_server_that_ignores_range_starts_the_file_anew(one, server):
    server.plan = iter(["cut", "ignore range"])
    fetch(*one)
    assert [wanted for _, wanted in server.asked] == [None, f"bytes={HALF}-"]
    assert one[1].read_bytes() == CONTENT[ONE]


def test_a_file_corrupted_on_the_way_is_fetched_anew(one, server):
    server.plan = iter(["corrupt"])
    fetch(*one)
    assert [wanted for _, wanted in server.asked] == [None, None]
    assert one[1].read_bytes() == CONTENT[ONE]


@pytest.mark.parametrize("length", [HALF, SIZE, SIZE + 7])
def test_a_wrong_beginning_on_the_disk_is_thrown_away(one, length):
    one[1].parent.mkdir(parents=True)
    one[1].with_name(ONE + ".part").write_bytes(bytes(length))
    fetch(*one)
    assert one[1].read_bytes() == CONTENT[ONE]
    assert names(one[1].parent) == [ONE]


@pytest.mark.parametrize("how", ["corrupt", "endless"])
def test_a_file_that_is_always_wrong_is_refused(one, server, how):
    server.plan = itertools.repeat(how)
    with pytest.raises(DataError, match=r"not the file .* \(wrong SHA-256\), at the"):
        fetch(*one)
    assert len(server.asked) == download.ATTEMPTS
    assert names(one[1].parent) == []


def test_a_stalled_connection_is_given_up_and_taken_up_again(one, server):
    server.plan = iter(["stall"])
    fetch(*one)
    assert server.asked == [(ONE, None), (ONE, f"bytes={HALF}-")]
    assert one[1].read_bytes() == CONTENT[ONE]


def test_a_server_that_always_stalls_is_named(one, server, monkeypatch):
    monkeypatch.setattr(download, "ATTEMPTS", 2)
    server.plan = itertools.repeat("stall")
    with pytest.raises(DataError, match=r"nothing arrived for 0\.3 seconds, at the la"):
        fetch(*one)


def test_a_missing_file_is_not_asked_for_twice(one, server):
    server.plan = itertools.repeat(404)
    message = (
        rf"^{one[0].url}: the server answered HTTP 404 \(Not Found\); update "
        r"transformer-textbook, or fetch the file another way and name its folder in "
        r"TT_DATA\.$"
    )
    with pytest.raises(DataError, match=message):
        fetch(*one)
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again(one, server, status):
    server.plan = iter([status])
    fetch(*one)
    assert len(server.asked) == 2


def test_pauses_grow(one, server, monkeypatch):
    pauses = []
    monkeypatch.setattr(download.time, "sleep", pauses.append)
    server.plan = itertools.repeat(503)
    with pytest.raises(DataError, match="the server answered HTTP 503, at the last"):
        fetch(*one)
    assert pauses == [0.001, 0.002, 0.004, 0.008]


def test_no_network_is_said_in_one_sentence(one):
    with socket.socket() as free:  # bound, but nobody listens
        free.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{free.getsockname()[1]}"
        remote = RemoteFile(f"http://{host}/{ONE}", SIZE, one[0].sha256)
        with pytest.raises(DataError, match=rf"no connection to {host} \(.*refused\)"):
            fetch(remote, one[1])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_said_and_nothing_is_left(one):
    one[1].parent.mkdir(parents=True)
    one[1].with_name(ONE + ".part").symlink_to("/dev/full")
    message = (
        rf"^{one[1].parent}: the disk is full; free some space, or set TT_CACHE to a "
        r"folder on another disk\.$"
    )
    with pytest.raises(DataError, match=message):
        fetch(*one)
    assert names(one[1].parent) == []


def test_a_cache_without_permission_is_said(one, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    message = (
        rf"^{one[1].parent}: cannot be used as a cache \(Permission denied\); set "
        r"TT_CACHE to a folder that you may write to\.$"
    )
    with pytest.raises(DataError, match=message):
        fetch(*one)


def test_a_cache_that_is_a_file_is_said(cache, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("TT_CACHE", str(tmp_path / "file"))
    with pytest.raises(DataError, match="cannot be used as a cache"):
        multi30k.load("val")


FETCH_ELSEWHERE = """
import sys
from pathlib import Path
from tt_utils.data.download import RemoteFile, fetch
url, size, sha256, path = sys.argv[1:]
fetch(RemoteFile(url, int(size), sha256), Path(path))
"""


def fetch_elsewhere(remote, path):
    words = [remote.url, str(remote.size), remote.sha256, str(path)]
    return subprocess.Popen(
        [sys.executable, "-c", FETCH_ELSEWHERE, *words], stderr=subprocess.PIPE
    )


def test_processes_take_turns_and_only_the_first_fetches(one, server):
    server.plan = iter(["cut"])
    processes = [fetch_elsewhere(*one) for _ in range(3)]
    for process in processes:
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    assert server.asked == [(ONE, None), (ONE, f"bytes={HALF}-")]
    assert one[1].read_bytes() == CONTENT[ONE]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no kill -9")
def test_a_killed_process_leaves_a_beginning_and_no_lock(one, server):
    server.plan = iter(["stall"])
    part = one[1].with_name(ONE + ".part")
    process = fetch_elsewhere(*one)
    for _ in range(600):
        if part.exists():
            break
        time.sleep(0.05)
    time.sleep(0.2)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert not one[1].exists()
    fetch(*one)
    assert one[1].read_bytes() == CONTENT[ONE]


@pytest.fixture
def given(cache, server, tmp_path, monkeypatch):
    """A folder in TT_DATA that holds the files."""
    folder = tmp_path / "given" / "multi30k"
    folder.mkdir(parents=True)
    for name, data in CONTENT.items():
        (folder / name).write_bytes(data)
    monkeypatch.setenv("TT_DATA", str(folder.parent))
    yield folder
    assert server.asked == []  # TT_DATA: no network, whatever happens
    assert not cache.exists()


def test_tt_data_serves_without_a_network(given):
    assert multi30k.load("val") == list(zip(GERMAN, ENGLISH, strict=True))


def test_tt_data_without_the_file_is_said(given, server):
    (given / ONE).unlink()
    message = (
        rf"^{given / ONE} is missing, and TT_DATA says to look there; put "
        rf"{server.address}{ONE} in its place, or unset TT_DATA to fetch it\.$"
    )
    with pytest.raises(DataError, match=message):
        multi30k.load("val")


def test_tt_data_with_another_file_is_said(given):
    (given / ONE).write_bytes(CONTENT["val.en.gz"])
    with pytest.raises(DataError, match=r"is not the expected file \(wrong SHA-256\)"):
        multi30k.load("val")


def test_tt_data_that_may_not_be_read_is_said(given, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DataError, match=r"cannot be read \(Permission denied\); give"):
        multi30k.load("val")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("dev",), r"split is 'dev'; use 'train', 'val', .* or 'test_2017_mscoco'\.$"),
        (("val", "fr", "en"), r"source is 'fr'; use 'de' or 'en'\.$"),
        (("val", "de", "cs"), r"target is 'cs'; use 'de' or 'en'\.$"),
        (("val", "de", "de"), r"source and target are both 'de'\.$"),
    ],
)
def test_what_does_not_exist_is_named(arguments, message, cache, server):
    with pytest.raises(ValueError, match=r"^multi30k\.load: " + message):
        multi30k.load(*arguments)
    assert server.asked == []


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, "/home/ada/.cache/transformer-textbook"),
        ("linux", {"XDG_CACHE_HOME": "/big"}, "/big/transformer-textbook"),
        ("linux", {"XDG_CACHE_HOME": "big"}, "/home/ada/.cache/transformer-textbook"),
        ("darwin", {}, "/home/ada/Library/Caches/transformer-textbook"),
        ("win32", {"LOCALAPPDATA": "/appdata"}, "/appdata/transformer-textbook"),
        ("win32", {}, "/home/ada/AppData/Local/transformer-textbook"),
        ("linux", {"TT_CACHE": "/mine", "XDG_CACHE_HOME": "/big"}, "/mine"),
        ("linux", {"TT_CACHE": ""}, "/home/ada/.cache/transformer-textbook"),
    ],
)
def test_the_cache_is_where_the_system_keeps_such_files(
    platform, variables, expected, monkeypatch
):
    for name in ("TT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ada"))
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder() == Path(expected)


def test_every_file_has_its_address_size_and_sum():
    expected = {
        f"{s}.{language}.gz" for s in multi30k.SPLITS for language in ("de", "en")
    }
    assert multi30k.FILES.keys() == expected
    assert all(
        len(bytes.fromhex(sha256)) == 32 for _, sha256 in multi30k.FILES.values()
    )
    assert multi30k.COMMIT in multi30k.ADDRESS
    assert multi30k.ADDRESS.endswith("/")


def test_fetching_needs_no_torch():
    code = "import sys, tt_utils.data.multi30k; print('torch' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert result.stdout.strip() == "False", result.stderr


def test_the_real_files_hold_what_their_authors_say(real_multi30k):
    pairs = {split: multi30k.load(split) for split in multi30k.SPLITS}
    assert [len(pairs[split]) for split in multi30k.SPLITS] == [
        29_000,
        1_014,
        1_000,
        1_000,
        461,
    ]
    assert all(de and en for rows in pairs.values() for de, en in rows)
    assert pairs["train"][0] == (
        "Zwei junge weiße Männer sind im Freien in der Nähe vieler Büsche.",
        "Two young, White males are outside near many bushes.",
    )
    assert multi30k.load("val", "en", "de")[7] == pairs["val"][7][::-1]
    for name, (size, _) in multi30k.FILES.items():
        assert (real_multi30k / name).stat().st_size == size

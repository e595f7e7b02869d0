"""Multi30k from a server on this machine that misbehaves as real ones do.

Checksums, retries and the move to the final name are pooch's; here is what we promise.
"""

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
from tt_utils.data.download import DataError, cache_folder, fetch

RNG = random.Random(0)
# Signs at which str.splitlines() would cut, and spaces that str.strip() would take.
ODD = [" Ein Hund.\u00a0", "Zwei\u2028Bären\x0b\x85", "\tHallo ", "Schluss"]
GERMAN = [*ODD, *(RNG.randbytes(20).hex() for _ in range(397))]
ENGLISH = [RNG.randbytes(20).hex() for _ in GERMAN]


def packed(sentences):
    return gzip.compress("".join(s + "\n" for s in sentences).encode(), mtime=0)


CONTENT = {"val.de.gz": packed(GERMAN), "val.en.gz": packed(ENGLISH)}
ONE = "val.de.gz"
SHA256 = {name: hashlib.sha256(data).hexdigest() for name, data in CONTENT.items()}


class Server(ThreadingHTTPServer):
    """Serves CONTENT. `plan` says how each request in turn is answered; then well."""

    block_on_close = False

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.plan = iter(())
        self.asked = []
        self.closing = threading.Event()
        self.address = f"http://127.0.0.1:{self.server_port}/"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_GET(self):
        name = self.path[1:]
        self.server.asked.append(name)
        how, data = next(self.server.plan, "well"), CONTENT[name]
        if isinstance(how, int):
            self.send_error(how)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if how == "corrupt":
            data = data[:-1] + bytes([data[-1] ^ 1])
        if how in ("cut", "stall"):
            data = data[: len(data) // 2]
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
    monkeypatch.setattr(multi30k, "FILES", SHA256)
    monkeypatch.setattr("pooch.core.time.sleep", lambda seconds: None)
    monkeypatch.setattr(download, "STALL", 0.3)
    return tmp_path / "cache" / "multi30k"


@pytest.fixture
def one(cache, server):
    """One remote file, and where it shall lie."""
    return server.address + ONE, SHA256[ONE], cache / ONE


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
    assert server.asked == ["val.de.gz", "val.en.gz"]


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


def test_a_progress_bar_shows_names_and_nothing_else_is_said(cache, capsys):
    multi30k.load("val")
    out, err = capsys.readouterr()
    assert out == ""
    assert "val.de.gz: 100%" in err
    assert "val.en.gz: 100%" in err
    assert "Downloading" not in err


@pytest.mark.parametrize("trouble", ["cut", "corrupt", "stall", 503])
def test_a_passing_trouble_is_overcome(one, server, trouble):
    server.plan = iter([trouble])
    fetch(*one)
    assert server.asked == [ONE, ONE]
    assert one[2].read_bytes() == CONTENT[ONE]
    assert names(one[2].parent) == [ONE]


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        ("cut", r"no connection to 127\.0\.0\.1:\d+, or it broke; check the network"),
        (
            "stall",
            "no (connection to .*, or it broke|answer within .*); check the netw",
        ),
        ("corrupt", r"what arrived is not the file .* \(wrong SHA-256\); update tran"),
        (404, r"the server answered HTTP 404 \(Not Found\); try again later, update"),
        (503, r"the server answered HTTP 503 \(Service Unavailable\); try again la"),
    ],
)
def test_a_lasting_trouble_is_said_with_the_way_out(
    one, server, monkeypatch, trouble, sentence
):
    monkeypatch.setattr(download, "ATTEMPTS", 2)
    server.plan = itertools.repeat(trouble)
    way_out = r", or fetch the file another way and name its folder in TT_DATA\.$"
    with pytest.raises(DataError, match=f"^{one[0]}: {sentence}.*{way_out}"):
        fetch(*one)
    assert len(server.asked) == 2
    assert names(one[2].parent) == []


def test_no_network_is_said_in_one_sentence(one):
    with socket.socket() as free:  # bound, but nobody listens
        free.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(DataError, match=rf"no connection to {host}, or it broke"):
            fetch(f"http://{host}/{ONE}", *one[1:])


def test_a_full_disk_is_said_and_nothing_is_left(one, server, monkeypatch):
    def write_to_a_full_disk(self, url, output_file, *args, **kwargs):
        Path(output_file).write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pooch.HTTPDownloader.__call__", write_to_a_full_disk)
    message = (
        rf"^{one[2].parent}: the disk is full; free some space, or set TT_CACHE to a "
        r"folder on another disk\.$"
    )
    with pytest.raises(DataError, match=message):
        fetch(*one)
    assert names(one[2].parent) == []


def test_a_cache_without_permission_is_said(one, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    message = (
        rf"^{one[2].parent}: cannot be used as a cache \(Permission denied\); set "
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
from tt_utils.data.download import fetch
url, sha256, path = sys.argv[1:]
fetch(url, sha256, Path(path))
"""


def fetch_elsewhere(*given):
    command = [sys.executable, "-c", FETCH_ELSEWHERE, *map(str, given)]
    return subprocess.Popen(command, stderr=subprocess.PIPE)


def test_processes_take_turns_and_only_the_first_fetches(one, server):
    processes = [fetch_elsewhere(*one) for _ in range(3)]
    for process in processes:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    assert server.asked == [ONE]
    assert one[2].read_bytes() == CONTENT[ONE]


@pytest.mark.skipif(sys.platform == "win32", reason="needs Linux or macOS")
def test_a_killed_process_leaves_neither_half_a_file_nor_a_lock(one, server):
    server.plan = iter(["stall"])
    process = fetch_elsewhere(*one)
    for _ in range(1_200):
        if server.asked:
            break
        time.sleep(0.05)
    time.sleep(0.2)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert not one[2].exists()
    fetch(*one)
    assert one[2].read_bytes() == CONTENT[ONE]
    assert names(one[2].parent) == [ONE]


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


def test_the_cache_is_the_systems_own_or_the_one_named(monkeypatch, tmp_path):
    monkeypatch.setenv("TT_CACHE", "~/mine")
    assert cache_folder() == Path.home() / "mine"
    monkeypatch.setenv("TT_CACHE", "")
    assert cache_folder().name == "transformer-textbook"
    assert cache_folder().is_absolute()
    if sys.platform == "linux":
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert cache_folder() == tmp_path / "transformer-textbook"


def test_every_file_has_its_address_size_and_sum():
    expected = {
        f"{s}.{language}.gz" for s in multi30k.SPLITS for language in ("de", "en")
    }
    assert multi30k.FILES.keys() == expected
    assert all(len(bytes.fromhex(s)) == 32 for s in multi30k.FILES.values())
    assert multi30k.COMMIT in multi30k.ADDRESS
    assert multi30k.ADDRESS.endswith("/")


def test_importing_loads_nothing_heavy():
    heavy = {"torch", "numpy", "pooch", "requests", "filelock", "tqdm"}
    code = f"import sys, tt_utils.data.multi30k; print({heavy} & set(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert result.stdout.strip() == "set()", result.stderr


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
    assert {path.name for path in real_multi30k.glob("*.gz")} >= multi30k.FILES.keys()

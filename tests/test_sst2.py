"""SST-2 from a small archive that a server on this machine hands out.

What a server may do wrong is tested with multi30k, which is fetched in the same way.
"""

import hashlib
import io
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tt_utils.data import sst2
from tt_utils.data.download import DataError

HEADER = "sentence\tlabel\n"
# A no-break space, and a sign at which str.splitlines() would cut.
TRAIN = [
    ("a gripping , moving film ", 1),
    ("dull\u2028and slow\x85 ", 0),
    ("\u00a0ok", 1),
]
DEV = [("not bad at all ", 1), ("hide new secretions ", 0)]


def table(rows):
    return HEADER + "".join(f"{text}\t{label}\n" for text, label in rows)


def archive(**files):
    """Pack files as SST-2's archive holds them."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as out:
        for name, text in files.items():
            out.writestr(f"SST-2/{name}.tsv", text)
    return packed.getvalue()


GOOD = archive(train=table(TRAIN), dev=table(DEV))


def sum_of(data):
    return hashlib.sha256(data).hexdigest()


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_GET(self):
        self.server.asked += 1
        self.send_response(200)
        self.send_header("Content-Length", str(len(GOOD)))
        self.end_headers()
        self.wfile.write(GOOD)


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A server that has the archive, and an empty cache."""
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.delenv("TT_DATA", raising=False)
    monkeypatch.setenv("TT_CACHE", str(tmp_path / "cache"))
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.asked = 0
        monkeypatch.setattr(
            sst2, "URL", f"http://127.0.0.1:{server.server_port}/SST-2.zip"
        )
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def given(tmp_path, monkeypatch):
    """A folder in TT_DATA; what is put there is what `load` finds."""
    monkeypatch.setenv("TT_DATA", str(tmp_path))
    path = tmp_path / "sst2" / "SST-2.zip"
    path.parent.mkdir()

    def put(data):
        path.write_bytes(data)
        return sum_of(data)

    put.path = path
    return put


def test_texts_come_in_order_with_their_labels(server):
    assert sst2.load("train", sum_of(GOOD)) == [
        ("a gripping , moving film", 1),
        ("dull\u2028and slow", 0),  # str.strip() takes the odd white sign at the end
        ("ok", 1),
    ]
    assert sst2.load("dev", sum_of(GOOD)) == [
        ("not bad at all", 1),
        ("hide new secretions", 0),
    ]


def test_the_file_is_fetched_once_with_a_bar(server, capsys):
    for split in ("train", "dev", "dev"):
        sst2.load(split, sum_of(GOOD))
    assert server.asked == 1
    assert "SST-2.zip: 100%" in capsys.readouterr().err


def test_another_file_is_refused(server, monkeypatch):
    monkeypatch.setattr("pooch.core.time.sleep", lambda seconds: None)
    with pytest.raises(DataError, match=r"not the file that was asked for \(wrong SHA"):
        sst2.load("dev")


def test_tt_data_serves_without_a_network(given):
    assert sst2.load("dev", given(GOOD))[0] == ("not bad at all", 1)


def test_tt_data_without_the_file_is_said(given):
    message = (
        rf"^{given.path} is missing, and TT_DATA says to look there; put {sst2.URL}"
    )
    with pytest.raises(DataError, match=message):
        sst2.load("dev")


def test_tt_data_with_another_file_is_said(given):
    given(GOOD)
    with pytest.raises(DataError, match=r"is not the expected file \(wrong SHA-256\)"):
        sst2.load("dev")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (GOOD[:-30], r"dev\.tsv can't be unpacked"),
        (GOOD.replace(b"bad at all", b"bad at ALL"), r"dev\.tsv can't be unpacked"),
        (b"<html>", r"dev\.tsv can't be unpacked"),
        (archive(train=table(TRAIN)), r"it holds no SST-2/dev\.tsv"),
        (archive(dev="text\tlabel\n"), r"dev\.tsv doesn't begin with 'sentence' and"),
        (archive(dev=""), r"dev\.tsv doesn't begin"),
        (
            archive(dev=table([*DEV, ("so so", 2)])),
            r"dev\.tsv, line 4 ends in '2', where a label 0 or 1 belongs",
        ),
        (archive(dev=HEADER + "no label\n"), r"dev\.tsv, line 2 ends in 'no label'"),
    ],
)
def test_what_is_not_sst2_is_said_in_one_sentence(given, data, reason):
    found = rf"^{given.path} is not SST-2 as published: .*{reason}.*; get it from http"
    with pytest.raises(DataError, match=found) as caught:
        sst2.load("dev", given(data))
    assert "\n" not in str(caught.value)


def test_an_unknown_split_is_named():
    with pytest.raises(
        ValueError, match=r"^sst2\.load: split is 'test'; use 'train' or"
    ):
        sst2.load("test")


def test_the_published_file_has_an_address_and_a_sum():
    assert sst2.URL.startswith("https://")
    assert len(bytes.fromhex(sst2.SHA256)) == 32

"""Opening a file: gzip or plain, and which encoding, both told from the bytes and never from the name.

The encoding is decided on the first `SAMPLE_BYTES`; the rest is streamed. A byte that does not fit it later
becomes U+FFFD, and importers report the place.
"""

from __future__ import annotations

import codecs
import gzip
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from shutong.errors import ImportFailedError

SAMPLE_BYTES = 2_000_000
HEAD_CHARACTERS = 100_000
LINE_CHARACTERS = 4_000_000
"""A line beyond this is cut there; the record on it is then reported as broken."""

_GZIP = b"\x1f\x8b"
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_SURE = 0.98  # of the characters beyond ASCII must be valid for UTF-8 that holds a few broken bytes
_CHINESE = 0.5  # of them must be in everyday rows of a Chinese character set for it to be one
_NULS = 0.2  # of one parity of bytes are NUL in UTF-16 that is mostly Latin


@dataclass(slots=True)
class Source:
    """An opened file. `head` is its first bytes (unpacked), `text` the same decoded; whoever opens it closes it."""

    path: Path
    compressed: bool
    encoding: str
    head: bytes
    text: str
    total: int
    raw: BinaryIO

    def binary(self) -> BinaryIO:
        """The unpacked bytes, from the start."""
        self.raw.seek(0)
        return cast(BinaryIO, gzip.GzipFile(fileobj=self.raw)) if self.compressed else self.raw

    def stream(self) -> TextIO:
        """The decoded text from the start, with line ends as they are."""
        return io.TextIOWrapper(self.binary(), encoding=self.encoding, errors="replace", newline="")

    @property
    def position(self) -> int:
        """Bytes of the file (as it lies on the disk) read so far; at most `total`."""
        return self.total if self.raw.closed else self.raw.tell()

    def close(self) -> None:
        self.raw.close()


def open_source(path: Path, encoding: str | None = None) -> Source:
    """Open a file and look at its start. Raises `ImportFailedError` when it cannot be read or the encoding is unknown."""
    try:
        raw = path.open("rb")
        compressed = raw.read(2) == _GZIP
        raw.seek(0)
        head = gzip.GzipFile(fileobj=raw).read1(SAMPLE_BYTES) if compressed else raw.read(SAMPLE_BYTES)
        total = path.stat().st_size
    except (OSError, EOFError) as error:
        raise ImportFailedError(f"{path.name} cannot be read: {error}.") from None
    chosen = _known(encoding) if encoding else guess_encoding(head)
    text = head.decode(chosen, errors="replace")[:HEAD_CHARACTERS].removeprefix("\ufeff")
    return Source(path, compressed, chosen, head, text, total, raw)


def lines(stream: TextIO) -> Iterator[str]:
    """The lines of a text, each at most `LINE_CHARACTERS` long; what stands beyond that in a line is dropped."""
    while line := stream.readline(LINE_CHARACTERS):
        if len(line) == LINE_CHARACTERS and not line.endswith(("\n", "\r")):
            while (rest := stream.readline(LINE_CHARACTERS)) and not rest.endswith(("\n", "\r")):
                pass
        yield line


def guess_encoding(sample: bytes) -> str:
    """The encoding of a text by its first bytes: a mark, UTF-8, UTF-16 without a mark, GB18030, Big5, Latin."""
    for mark, name in _MARKS:
        if sample.startswith(mark):
            return name
    wide = _wide(sample)
    if wide:
        return wide
    if _decodes(sample, "utf-8"):
        return "utf-8"
    beyond = [c for c in sample.decode("utf-8", errors="replace") if c > "\x7f"]
    if beyond.count("\ufffd") < (1 - _SURE) * len(beyond):
        return "utf-8"
    return _chinese(sample) or ("cp1252" if _decodes(sample, "cp1252") else "latin-1")


def _known(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise ImportFailedError(
            f"There is no encoding {encoding!r}; known are utf-8, gb18030, big5, utf-16, latin-1 and Python's others."
        ) from None


def _decodes(sample: bytes, encoding: str) -> bool:
    """True if all is valid but for a character cut at the end."""
    try:
        codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeDecodeError:
        return False
    return True


def _wide(sample: bytes) -> str | None:
    """UTF-16 without a mark: NULs beside Latin letters, or line ends of two bytes in text that is no UTF-8."""
    if b"\x00" not in sample:
        return None
    even, odd = sample[0::2], sample[1::2]
    for name, high, low, line_end in (("utf-16-le", odd, even, b"\n\x00"), ("utf-16-be", even, odd, b"\x00\n")):
        mostly_latin = high.count(0) > _NULS * len(high) and low.count(0) < high.count(0) / 10
        if mostly_latin or (line_end in sample and not _decodes(sample, "utf-8") and _plausible(sample, name)):
            return name
    return None


def _plausible(sample: bytes, encoding: str) -> bool:
    text = sample.decode(encoding, errors="replace")
    usual = sum(c.isascii() or "\u3000" <= c <= "\u9fff" or "\uff00" <= c <= "\uffef" for c in text)
    return usual > 0.95 * len(text)


def _chinese(sample: bytes) -> str | None:
    """GB18030 or Big5, whichever puts the characters into its rows of everyday ones; None if neither does.

    Nearly all pairs of bytes are valid in both, so validity alone tells nothing.
    """
    shares = {
        "gb18030": _everyday(sample, "gb18030", 0xD7) if _mostly_valid(sample, "gb18030") else 0.0,
        "cp950": _everyday(sample, "cp950", 0xC6) if _mostly_valid(sample, "cp950") else 0.0,
    }
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] >= _CHINESE else None


def _mostly_valid(sample: bytes, encoding: str) -> bool:
    beyond = [c for c in sample.decode(encoding, errors="replace") if c > "\x7f"]
    return beyond.count("\ufffd") <= (1 - _SURE) * len(beyond)


def _everyday(sample: bytes, encoding: str, last_row: int) -> float:
    """The share of characters beyond ASCII that stand in the rows A1 to `last_row` (punctuation, common characters)."""
    text = sample[:HEAD_CHARACTERS].decode(encoding, errors="replace")
    codes = [c.encode(encoding, errors="replace") for c in text if c > "\x7f"]
    lowest = 0xA1 if encoding == "gb18030" else 0x40
    return sum(len(b) == 2 and 0xA1 <= b[0] <= last_row and b[1] >= lowest for b in codes) / max(1, len(codes))

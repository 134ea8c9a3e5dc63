"""A recorded terminal as an animated SVG that plays wherever pictures are shown: no script, nothing from elsewhere.

Each row of the screen is drawn once and used wherever it stands, for as long as it stands there. Without animation,
or for a reader who wants none, the last screen is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from terminal import Cell, Frame, Row

SIZE, WIDE_SIZE, CELL, LINE, MARGIN = 14.0, 15.0, 8.4, 20.0, 16.0
"""Pixels: the font, the font of wide characters, the width of a column, the height of a row, the edge of the screen."""

LAST_SECONDS = 6.0
"""How long the last screen stays before it begins again."""

COLOURS = {
    "brightblack": ("k", "#5f6b76", "#9aa5b1"),
    "cyan": ("c", "#0b6e7f", "#6fd3e3"),
    "green": ("g", "#24702f", "#7fd491"),
    "magenta": ("m", "#8a3b8f", "#dfa0e4"),
    "yellow": ("y", "#7d5700", "#e5c07b"),
    "red": ("r", "#b3261e", "#ff9c94"),
}
"""For each colour of the terminal: its class, by day and by night."""

GROUND, TEXT = ("#faf8f3", "#1b1f24"), ("#24292f", "#dfe3e8")
STYLE = """
svg{{font:{size}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Noto Sans Mono",
"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",monospace}}
text{{fill:{text[0]};white-space:pre}}.b{{font-weight:bold}}.i{{font-style:italic}}
.w{{font-size:{wide}px;letter-spacing:{apart:.4g}px;text-spacing-trim:space-all}}
.ground{{fill:{ground[0]};stroke:#8886}}.cursor{{fill:{text[0]}}}{day}
@media(prefers-color-scheme:dark){{text{{fill:{text[1]}}}.ground{{fill:{ground[1]}}}.cursor{{fill:{text[1]}}}{night}}}
.t{{visibility:hidden}}.t.last{{visibility:visible}}
@media(prefers-reduced-motion:no-preference){{.t{{animation:{seconds:.2f}s step-end infinite}}{names}}}
{keyframes}
"""

Span = tuple[float, float]
Drawn = tuple[str, float, float]


def svg(frames: Sequence[Frame], columns: int, rows: int, title: str) -> str:
    """The picture. `title` says what it shows."""
    end = frames[-1].at + LAST_SECONDS
    defined: dict[Row, str] = {}
    spans: dict[Span, list[Drawn]] = {}
    for span, row, y in _standing(frames, end):
        name = defined.setdefault(row, f"r{len(defined)}")
        spans.setdefault(span, []).append((name, 0, y * LINE))
    for span, column, y in _cursors(frames, end):
        spans.setdefault(span, []).append(("cursor", column * CELL, y * LINE))
    width, height = columns * CELL + 2 * MARGIN, rows * LINE + 2 * MARGIN
    groups = "\n".join(_group(number, span, drawn, end) for number, (span, drawn) in enumerate(spans.items()))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
            f'height="{height:g}" role="img"><title>{escape(title)}</title>',
            f"<style>{_style(list(spans), end)}</style>",
            f'<rect class="ground" x=".5" y=".5" width="{width - 1:g}" height="{height - 1:g}" rx="8"/>',
            "<defs>",
            f'<rect id="cursor" class="cursor" y="2" width="{CELL:g}" height="{LINE - 3:g}" opacity=".55"/>',
            *(f'<g id="{name}">{"".join(_texts(row))}</g>' for row, name in defined.items()),
            "</defs>",
            f'<g transform="translate({MARGIN:g} {MARGIN:g})">\n{groups}\n</g></svg>\n',
        ]
    )


def _standing(frames: Sequence[Frame], end: float) -> Iterable[tuple[Span, Row, int]]:
    """Every row that is not empty, with its place and the time in which it stands there."""
    for y in range(len(frames[0].rows)):
        since = frames[0]
        for before, frame in zip(frames, [*frames[1:], None], strict=True):
            if frame is not None and _stripped(frame.rows[y]) == _stripped(before.rows[y]):
                continue
            if row := _stripped(before.rows[y]):
                yield (since.at, end if frame is None else frame.at), row, y
            since = frame or before


def _cursors(frames: Sequence[Frame], end: float) -> Iterable[tuple[Span, int, int]]:
    for frame, after in zip(frames, [*frames[1:], None], strict=True):
        yield (frame.at, end if after is None else after.at), *frame.cursor


def _stripped(row: Row) -> Row:
    most = max((number for number, cell in enumerate(row, 1) if cell.text != " "), default=0)
    return row[:most]


def _texts(row: Row) -> Iterable[str]:
    """A row as pieces of one style and one width, each with the width that its columns have, whatever the font."""
    column = 0
    piece: list[Cell] = []
    for cell in (*row, None):
        if piece and (cell is None or _kind(cell) != _kind(piece[0])):
            width = sum(c.width for c in piece)
            text = "".join(c.text for c in piece)
            if text.strip():
                yield _text(text, piece[0], column - width, width)
            piece = []
        if cell is not None:
            piece.append(cell)
            column += cell.width


def _kind(cell: Cell) -> tuple[int, str, bool, bool]:
    return cell.width, cell.colour, cell.bold, cell.italic


def _text(text: str, like: Cell, column: int, width: int) -> str:
    inner = text.lstrip(" ")
    column, width = column + len(text) - len(inner), width - (len(text) - len(inner))
    inner, width = inner.rstrip(" "), width - (len(inner) - len(inner.rstrip(" ")))
    marks = [COLOURS[like.colour][0]] if like.colour in COLOURS else []
    marks += ["b"] * like.bold + ["i"] * like.italic + ["w"] * (like.width == 2)
    kind = f' class="{" ".join(marks)}"' if marks else ""
    return f'<text x="{column * CELL:.4g}" y="15" textLength="{width * CELL:.4g}"{kind}>{escape(inner, quote=False)}</text>'


def _group(number: int, span: Span, drawn: Iterable[Drawn], end: float) -> str:
    uses = "".join(f'<use href="#{name}"' + (f' x="{x:.4g}"' if x else "") + f' y="{y:g}"/>' for name, x, y in drawn)
    return f'<g class="t{" last" if span[1] == end else ""}" id="t{number}">{uses}</g>'


def _style(spans: Sequence[Span], end: float) -> str:
    return STYLE.format(
        size=f"{SIZE:g}",
        wide=f"{WIDE_SIZE:g}",
        apart=2 * CELL - WIDE_SIZE,
        text=TEXT,
        ground=GROUND,
        day="".join(f".{name}{{fill:{day}}}" for name, day, _ in COLOURS.values()),
        night="".join(f".{name}{{fill:{night}}}" for name, _, night in COLOURS.values()),
        seconds=end,
        names="".join(f"#t{number}{{animation-name:t{number}}}" for number in range(len(spans))),
        keyframes="".join(_keyframes(number, span, end) for number, span in enumerate(spans)),
    )


def _keyframes(number: int, span: Span, end: float) -> str:
    first, last = (f"{100 * at / end:.2f}%" for at in span)
    hidden, visible = "{visibility:hidden}", "{visibility:visible}"
    before = f"0%{hidden}" if span[0] > 0 else ""
    after = f"{last},to{hidden}" if span[1] < end else f"to{visible}"
    return f"@keyframes t{number}{{{before}{first if before else '0%'}{visible}{after}}}"

"""Make src/shutong/letters.txt: variant Chinese characters and the one letter that stands for each when matching.

    python scripts/make_letters.py

The map is many-to-one and for matching only, so ambiguous pairs are merged on purpose (後 = 后, 乾 = 干). It is
computed from the tables of OpenCC (a development dependency), with a few letters that no table has.
"""

from __future__ import annotations

import sys
from pathlib import Path

import opencc

TARGET = Path(__file__).parent.parent / "src" / "shutong" / "letters.txt"
TABLES = ("t2s", "tw2s", "hk2s", "jp2t")
EXTRA = "著着 乾干 後后 於于 鍾钟 锺钟 妳你 裏里 裡里 麼么 甚什 徵征 藉借 佔占 週周 迴回 捲卷 製制 鬥斗 穀谷 祂他 牠它 瞭了 噁恶 唸念 傢家 彷仿 彿佛 彝彝 讐仇 雠仇 崑昆 崙仑 巖岩 峯峰 羣群 污污 汙污 菴庵"
RANGES = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF))


def main() -> int:
    """Write the map, every letter led to a letter that is not led any further."""
    letters = [chr(c) for low, high in RANGES for c in range(low, high + 1)]
    map_: dict[str, str] = {}
    for table in TABLES:
        simplified = set(map_.values())  # 体 is a simplified letter first and a Japanese one second
        lines = opencc.OpenCC(table).convert("\n".join(letters)).split("\n")
        for letter, other in zip(letters, lines, strict=True):
            if len(other) == 1 and other != letter and letter not in simplified:
                map_.setdefault(letter, other)
    map_.update({pair[0]: pair[1] for pair in EXTRA.split() if pair[0] != pair[1]})
    pairs = sorted(letter + _end(letter, map_) for letter in map_ if _end(letter, map_) != letter)
    TARGET.write_text("\n".join(" ".join(pairs[i : i + 40]) for i in range(0, len(pairs), 40)) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(pairs)} letters\n")
    return 0


def _end(letter: str, map_: dict[str, str]) -> str:
    seen = {letter}
    while (following := map_.get(letter)) and following not in seen:
        seen.add(following)
        letter = following
    return letter


if __name__ == "__main__":
    sys.exit(main())

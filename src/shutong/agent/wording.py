"""The few sentences that the runtime itself says to a reader, in both languages."""

from __future__ import annotations

from typing import Final

NOTICES: Final[dict[str, dict[str, str]]] = {
    "zh": {
        "fell_back": "模型 {failed} 现在不能回答，改由内置模型回答。",
        "silent": "模型没有给出可用的回答，改由内置模型回答。",
        "dropped": "有 {count} 处内容与目录对不上，没有显示。",
        "step_limit": "步数到了上限，先用已经查到的内容回答。",
    },
    "en": {
        "fell_back": "The model {failed} cannot answer now; the built-in model answers instead.",
        "silent": "The model gave no usable answer; the built-in model answers instead.",
        "dropped": "{count} passages did not agree with the catalogue and are not shown.",
        "step_limit": "The limit of steps was reached; this answer is from what was found so far.",
    },
}

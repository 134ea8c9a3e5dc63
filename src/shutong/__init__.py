"""Shutong 书童: say what you want to read, get real books out of your own catalogue."""

__version__ = "0.1.0"

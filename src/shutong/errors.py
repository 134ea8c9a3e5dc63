"""Every way in which Shutong can refuse or fail: a closed set, each with a stable code.

An error carries one sentence that says what is wrong and what to do. `status` is its HTTP status; the
command line prints the sentence and exits with 1.
"""

from __future__ import annotations


class ShutongError(Exception):
    """The root of all errors that a person may see. `str(error)` is the sentence for that person."""

    code = "internal"
    status = 500

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class SettingsError(ShutongError):
    """A setting has a wrong value. The sentence names the variable."""

    code = "settings"
    status = 500


class InvalidRequestError(ShutongError):
    """What was sent cannot be understood as a request."""

    code = "invalid_request"
    status = 422


class NotFoundError(ShutongError):
    """No such thing, or it belongs to somebody else: the two are not told apart."""

    code = "not_found"
    status = 404


class KeyReusedError(ShutongError):
    """An idempotency key came again with another message."""

    code = "key_reused"
    status = 409


class ConversationBusyError(ShutongError):
    """Too many messages wait in one conversation."""

    code = "conversation_busy"
    status = 429


class StorageError(ShutongError):
    """The database cannot be reached or is of another version."""

    code = "storage"
    status = 503


class ImportFailedError(ShutongError):
    """A catalogue file cannot be read at all. The sentence says what was looked for."""

    code = "import_failed"
    status = 422


class ModelError(ShutongError):
    """A language model could not answer.

    `kind` is one of: refused, dns, proxy, tls, timeout, http, stream, incomplete, closed. `http_status` is set for
    kind http. `retry_after` is in seconds, when the provider said so.
    """

    code = "model"
    status = 502

    def __init__(
        self, sentence: str, *, kind: str, http_status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.http_status = http_status
        self.retry_after = retry_after

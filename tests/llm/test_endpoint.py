"""Addresses and keys."""

import pytest
from pydantic import SecretStr

from shutong.errors import SettingsError
from shutong.llm.endpoint import Endpoint
from tests.llm.wire import KEY


@pytest.mark.parametrize(
    ("base_url", "first"),
    [
        ("http://h/v1", "http://h/v1/chat/completions"),
        ("http://h/v1/", "http://h/v1/chat/completions"),
        ("http://h/v1/chat/completions", "http://h/v1/chat/completions"),
        ("http://h", "http://h/chat/completions"),
        ("http://h/", "http://h/chat/completions"),
        ("http://h/api/v3", "http://h/api/v3/chat/completions"),
        ("https://h/d?api-version=1", "https://h/d/chat/completions?api-version=1"),
        ("http://u:p@h:9/v1#x", "http://h:9/v1/chat/completions"),
        ("http://[::1]:9/v1", "http://[::1]:9/v1/chat/completions"),
    ],
)
def test_an_address_is_used_as_given(base_url, first):
    endpoint = Endpoint(base_url, None)
    assert str(endpoint.url(endpoint.bases[0], "chat/completions")) == first


def test_an_address_without_a_version_is_tried_with_v1_after_that():
    endpoint = Endpoint("http://h/llm/?a=b", None)
    assert [str(endpoint.url(base, "models")) for base in endpoint.bases] == [
        "http://h/llm/models?a=b",
        "http://h/llm/v1/models?a=b",
    ]


def test_a_bare_address_of_a_known_server_gets_its_path():
    assert [str(base) for base in Endpoint("http://h:1234", None, "/v1").bases] == ["http://h:1234/v1"]


def test_the_name_of_an_endpoint_holds_no_secret():
    origin = Endpoint("https://user:pass-word@h/v1?key=query-secret", SecretStr(KEY)).origin
    assert origin.address == "https://h/v1"
    assert origin.quote(f"{KEY} pass-word query-secret") == "*** *** ***"
    assert KEY not in repr(origin)


def test_a_key_goes_before_a_password_in_the_address():
    assert Endpoint("http://u:p@h", SecretStr(f" {KEY}\n")).headers["Authorization"] == f"Bearer {KEY}"
    assert Endpoint("http://u:p@h", None).headers["Authorization"] == "Basic dTpw"
    assert "Authorization" not in Endpoint("http://h", None).headers


@pytest.mark.parametrize(
    "base_url",
    ["http://", "ftp://h", "h:80", "http://h:port", "http://[::1", "http://a..b/v1", f"http://{'a' * 70}.com"],
)
def test_what_is_no_address_is_a_wrong_setting(base_url):
    with pytest.raises(SettingsError, match="LLM_BASE_URL"):
        Endpoint(base_url, None)


@pytest.mark.parametrize("key", ["钥匙", "a\nb", "a\x00b"])
def test_what_is_no_key_is_a_wrong_setting_that_is_not_shown(key):
    with pytest.raises(SettingsError, match="LLM_API_KEY") as caught:
        Endpoint("http://h", SecretStr(key))
    assert key not in caught.value.sentence

"""Settings: which source wins, and what is said when a value is wrong."""

from pathlib import Path

import pytest

from shutong.errors import SettingsError
from shutong.settings import load_settings

pytestmark = pytest.mark.usefixtures("nowhere")

SECRET = "sk-do-not-print-me"
OLD = "BASE_URL=https://old.example/v1\nAPI_KEY=sk-old\nDEFAULT_MODEL=old-model\n"


def env_file(text: str) -> None:
    Path(".env").write_text(text, "utf-8")


def toml_file(text: str) -> None:
    Path("shutong.toml").write_text(text, "utf-8")


def sentence(**overrides: object) -> str:
    with pytest.raises(SettingsError) as refused:
        load_settings(**overrides)
    return refused.value.sentence


# Precedence


def test_without_anything_the_defaults_hold() -> None:
    settings = load_settings()
    assert (settings.port, settings.llm_base_url, settings.embedded) == (8000, None, True)


def test_the_toml_file_is_over_the_defaults() -> None:
    toml_file('port = 7001\nllm_model = "of-toml"\n')
    settings = load_settings()
    assert (settings.port, settings.llm_model) == (7001, "of-toml")


def test_the_env_file_is_over_the_toml_file() -> None:
    toml_file('port = 7001\nllm_model = "of-toml"\n')
    env_file("SHUTONG_PORT=7002\nLLM_MODEL=of-env-file\n")
    settings = load_settings()
    assert (settings.port, settings.llm_model) == (7002, "of-env-file")


def test_the_environment_is_over_the_env_file(monkeypatch: pytest.MonkeyPatch) -> None:
    env_file("SHUTONG_PORT=7002\nLLM_MODEL=of-env-file\n")
    monkeypatch.setenv("SHUTONG_PORT", "7003")
    monkeypatch.setenv("LLM_MODEL", "of-environment")
    settings = load_settings()
    assert (settings.port, settings.llm_model) == (7003, "of-environment")


def test_what_the_program_says_is_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHUTONG_PORT", "7003")
    assert load_settings(port=7004).port == 7004


def test_each_setting_is_looked_up_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    toml_file("max_steps = 3\n")
    env_file("SHUTONG_PORT=7002\n")
    monkeypatch.setenv("LLM_TEMPERATURE", "0.7")
    settings = load_settings()
    assert (settings.max_steps, settings.port, settings.llm_temperature) == (3, 7002, 0.7)


@pytest.mark.parametrize("name", ["LLM_BASE_URL", "LLM_API_KEY", "SHUTONG_PORT", "DATABASE_URL"])
def test_an_empty_variable_is_as_good_as_none(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    default = load_settings()
    monkeypatch.setenv(name, "")
    assert load_settings() == default


def test_an_empty_value_in_the_env_file_lets_the_toml_file_speak() -> None:
    toml_file("port = 7001\n")
    env_file("SHUTONG_PORT=\n")
    assert load_settings().port == 7001


def test_a_list_is_written_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHUTONG_ALLOWED_HOSTS", "books.example, localhost,")
    assert load_settings().allowed_hosts == ["books.example", "localhost"]


def test_a_list_in_the_toml_file_is_a_list() -> None:
    toml_file('allowed_hosts = ["books.example"]\n')
    assert load_settings().allowed_hosts == ["books.example"]


# Names that older programs use


def test_the_three_old_names_of_an_env_file_are_read() -> None:
    env_file(OLD)
    settings = load_settings()
    assert settings.llm_base_url == "https://old.example/v1"
    assert settings.llm_model == "old-model"
    assert settings.llm_api_key is not None
    assert settings.llm_api_key.get_secret_value() == "sk-old"


@pytest.mark.parametrize("missing", ["BASE_URL", "API_KEY", "DEFAULT_MODEL"])
def test_two_old_names_are_none(missing: str) -> None:
    env_file("\n".join(line for line in OLD.splitlines() if not line.startswith(missing)))
    settings = load_settings()
    assert (settings.llm_base_url, settings.llm_api_key, settings.llm_model) == (None, None, None)


def test_an_old_name_without_a_value_counts_as_missing() -> None:
    env_file(OLD.replace("old-model", ""))
    assert load_settings().llm_base_url is None


def test_old_names_in_the_environment_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for line in OLD.splitlines():
        monkeypatch.setenv(*line.split("=", 1))
    assert load_settings().llm_base_url is None


def test_an_old_key_never_goes_to_a_new_address(monkeypatch: pytest.MonkeyPatch) -> None:
    env_file(OLD)
    monkeypatch.setenv("LLM_BASE_URL", "https://other.example/v1")
    settings = load_settings()
    assert settings.llm_base_url == "https://other.example/v1"
    assert settings.llm_api_key is None


# Wrong values


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SHUTONG_PORT", "many"),
        ("SHUTONG_MAX_STEPS", "0"),
        ("SHUTONG_SAMPLE", "maybe"),
        ("LLM_TEMPERATURE", "9"),
        ("LLM_PROTOCOL", "smoke signals"),
        ("LLM_BASE_URL", "api.example.org"),
    ],
)
def test_a_wrong_value_names_its_variable_in_one_sentence(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    said = sentence()
    assert said.startswith(f"{name} has a wrong value")
    assert said.endswith(".")
    assert "\n" not in said
    assert "pydantic" not in said


def test_a_variable_of_the_same_name_without_the_prefix_is_not_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "3000")
    monkeypatch.setenv("SHUTONG_PORT", "many")
    assert sentence().startswith("SHUTONG_PORT ")


def test_a_wrong_value_of_the_toml_file_names_its_variable() -> None:
    toml_file('port = "many"\n')
    assert sentence().startswith("SHUTONG_PORT ")


def test_a_wrong_value_in_the_env_file_names_its_variable() -> None:
    env_file("LLM_TEMPERATURE=hot\n")
    assert sentence().startswith("LLM_TEMPERATURE ")


def test_a_secret_is_not_printed_when_it_is_wrong() -> None:
    toml_file(f'llm_api_key = ["{SECRET}"]\n')
    assert SECRET not in sentence()


def test_a_key_in_the_place_of_the_address_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_BASE_URL", SECRET)
    assert SECRET not in sentence()


def test_secrets_do_not_show_in_the_settings_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_API_KEY", SECRET)
    monkeypatch.setenv("DATABASE_URL", f"mysql://books:{SECRET}@db/books")
    settings = load_settings()
    assert SECRET not in f"{settings!r} {settings} {settings.model_dump()}"


@pytest.mark.parametrize("broken", [b"port = \n", b"llm_api_key = sk-do-not-print-me\n", b"\xff\xfe\n"])
def test_a_toml_file_that_cannot_be_read_is_said_without_its_content(broken: bytes) -> None:
    Path("shutong.toml").write_bytes(broken)
    said = sentence()
    assert said.startswith("A settings file cannot be read")
    assert SECRET not in said


# What follows from them


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("sqlite:////srv/books.db", "sqlite+aiosqlite:////srv/books.db"),
        ("mysql://u:p@db/books", "mysql+asyncmy://u:p@db/books"),
        ("mariadb://u:p@db/books", "mysql+asyncmy://u:p@db/books"),
        ("postgres://u:p@db/books", "postgresql+asyncpg://u:p@db/books"),
        ("postgresql://u:p@db/books", "postgresql+asyncpg://u:p@db/books"),
        ("mysql+aiomysql://u:p@db/books", "mysql+aiomysql://u:p@db/books"),
    ],
)
def test_a_database_address_gets_a_driver_that_does_not_block(given: str, used: str) -> None:
    settings = load_settings(database_url=given)
    assert settings.url == used
    assert not settings.embedded


def test_everything_of_its_own_lies_under_home(tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path)
    assert settings.sqlite_path.parent == settings.index_folder.parent == tmp_path
    assert str(settings.sqlite_path) in settings.url


def test_the_parts_of_a_mysql_address_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {"DB_HOST": "db.example", "DB_PORT": "3307", "DB_USER": "a@b", "DB_PASSWORD": "p/:@w", "DB_NAME": "books"}
    for name, value in parts.items():
        monkeypatch.setenv(name, value)
    settings = load_settings()
    assert settings.url == "mysql+asyncmy://a%40b:p%2F%3A%40w@db.example:3307/books?charset=utf8mb4"
    assert not settings.embedded
    assert "p/:@w" not in repr(settings)


def test_a_whole_address_goes_before_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB_HOST", "db.example")
    monkeypatch.setenv("DATABASE_URL", "sqlite:///other.db")
    assert load_settings().url == "sqlite+aiosqlite:///other.db"

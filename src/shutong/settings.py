"""Every setting, in one place: environment, `.env`, `shutong.toml`, in that order of precedence.

Every limit has a name, a default and a unit. A wrong value raises `SettingsError` with one sentence that names the
variable, before anything starts.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import platformdirs
from pydantic import AliasChoices, BeforeValidator, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from shutong.errors import SettingsError

OLD_NAMES = {"BASE_URL": "llm_base_url", "API_KEY": "llm_api_key", "DEFAULT_MODEL": "llm_model"}


def _named(*names: str) -> Any:
    """A setting known by these names; the first is the one that messages use."""
    return AliasChoices(*names, *(name.lower() for name in names))


def _listed(value: Any) -> Any:
    """In the environment a list is written with commas."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


Names = Annotated[list[str], NoDecode, BeforeValidator(_listed)]


class Settings(BaseSettings):
    """What an installation is told. Read it by `load_settings()`."""

    model_config = SettingsConfigDict(
        env_prefix="SHUTONG_",
        env_file=".env",
        env_file_encoding="utf-8",
        extra="ignore",
        env_ignore_empty=True,
    )

    # Where everything lies
    home: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("shutong", appauthor=False)))
    database_url: SecretStr | None = Field(None, validation_alias=_named("DATABASE_URL"))
    db_host: str | None = Field(None, validation_alias=_named("DB_HOST"))
    db_port: int = Field(3306, ge=1, le=65535, validation_alias=_named("DB_PORT"))
    db_user: str | None = Field(None, validation_alias=_named("DB_USER"))
    db_password: SecretStr | None = Field(None, validation_alias=_named("DB_PASSWORD"))
    db_name: str | None = Field(None, validation_alias=_named("DB_NAME"))
    database_connections: int = Field(10, ge=1, le=200)
    sqlite_full_sync: bool = False
    sample: bool = True

    # The model; with none of these set, the built-in one answers
    llm_base_url: str | None = Field(None, validation_alias=_named("LLM_BASE_URL"), pattern=r"^https?://\S+$")
    llm_api_key: SecretStr | None = Field(None, validation_alias=_named("LLM_API_KEY"))
    llm_model: str | None = Field(None, validation_alias=_named("LLM_MODEL"))
    llm_fallbacks: Names = Field([], validation_alias=_named("LLM_FALLBACKS"), max_length=10)
    llm_temperature: float = Field(0.3, ge=0, le=2, validation_alias=_named("LLM_TEMPERATURE"))
    llm_protocol: str = Field("auto", pattern="^(auto|native|text)$", validation_alias=_named("LLM_PROTOCOL"))
    llm_connect_seconds: float = Field(5, gt=0, le=60)
    llm_first_byte_seconds: float = Field(60, gt=0, le=600)
    llm_between_bytes_seconds: float = Field(60, gt=0, le=600)
    llm_call_seconds: float = Field(120, gt=0, le=1800)
    llm_concurrency: int = Field(20, ge=1, le=200)
    llm_retries: int = Field(2, ge=0, le=10)
    llm_retry_total_seconds: float = Field(20, ge=0, le=300)

    # One run
    max_steps: int = Field(8, ge=1, le=50)
    max_tool_calls: int = Field(16, ge=1, le=200)
    tool_seconds: float = Field(10, gt=0, le=300)
    run_seconds: float = Field(180, gt=0, le=3600)
    run_tokens: int = Field(60_000, ge=1000)
    observation_characters: int = Field(6_000, ge=500, le=100_000)
    window_rounds: int = Field(6, ge=0, le=50)
    window_tokens: int = Field(6_000, ge=200, le=1_000_000)

    # Turns
    max_waiting: int = Field(5, ge=0, le=100)
    message_characters: int = Field(8_000, ge=1, le=8_000)
    reader_seconds: float = Field(20, ge=0, le=3600)
    heartbeat_seconds: float = Field(0.8, gt=0, le=60)
    dead_after_seconds: float = Field(8, gt=0, le=600)

    # The server
    host: str = "127.0.0.1"
    port: int = Field(8000, ge=0, le=65535)
    allow_beyond_loopback: bool = False
    allowed_hosts: Names = ["localhost", "127.0.0.1", "[::1]"]
    body_bytes: int = Field(1_000_000, ge=1_000)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        toml = TomlConfigSettingsSource(settings_cls, Path("shutong.toml"))
        return init_settings, env_settings, dotenv_settings, _OldNames(settings_cls), toml

    @field_validator("home")
    @classmethod
    def _without_tilde(cls, home: Path) -> Path:
        return home.expanduser()

    @cached_property
    def sqlite_path(self) -> Path:
        """The default database's file."""
        return self.home / "shutong.db"

    @cached_property
    def url(self) -> str:
        """The database's SQLAlchemy address, with an async driver. May hold a password: never print it."""
        if self.embedded:
            return f"sqlite+aiosqlite:///{self.sqlite_path}"
        url = self.database_url.get_secret_value() if self.database_url else self._mysql_url
        scheme, _, rest = url.partition("://")
        return f"{_DRIVERS.get(scheme, scheme)}://{rest}"

    @property
    def embedded(self) -> bool:
        """True when the database is the installation's own SQLite file, which migrates by itself."""
        return self.database_url is None and self.db_host is None

    @property
    def _mysql_url(self) -> str:
        """The address that `DB_HOST` and its sisters spell out: MySQL or MariaDB."""
        password = f":{quote(self.db_password.get_secret_value(), safe='')}" if self.db_password else ""
        person = f"{quote(self.db_user, safe='')}{password}@" if self.db_user else ""
        return (
            f"mysql://{person}{self.db_host}:{self.db_port}/{quote(self.db_name or 'shutong', safe='')}?charset=utf8mb4"
        )

    @property
    def index_folder(self) -> Path:
        return self.home / "index"


_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "mysql": "mysql+asyncmy",
    "mariadb": "mysql+asyncmy",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}


class _OldNames(DotEnvSettingsSource):
    """`BASE_URL`, `API_KEY`, `DEFAULT_MODEL` of a `.env` file: names that older programs use. All three or none, and none beside new ones."""

    def __call__(self) -> dict[str, Any]:
        found = {name.upper(): value for name, value in self.env_vars.items() if value}
        given = {name.lower() for name in self.current_state}  # a key must not go to another provider's address
        if not all(name in found for name in OLD_NAMES) or given & set(OLD_NAMES.values()):
            return {}
        return {_first_name(field): found[name] for name, field in OLD_NAMES.items()}


def load_settings(**overrides: Any) -> Settings:
    """Read the settings. Raises `SettingsError` naming the variable that is wrong."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        raise SettingsError(_sentence(error)) from None
    except ValueError as error:  # a shutong.toml or .env that cannot be parsed
        raise SettingsError(f"A settings file cannot be read: {error}") from None


def _sentence(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_context=False)[0]
    field = str(problem["loc"][0])
    name = _variable(field)
    secret = "KEY" in name or "URL" in name
    value = "" if secret else f" ({str(problem['input'])[:60]!r})"
    return f"{name} has a wrong value{value}: {problem['msg'][0].lower()}{problem['msg'][1:]}."


def _variable(field: str) -> str:
    """The environment variable that people know a field by."""
    return _first_name(field.lower()) if field.lower() in Settings.model_fields else field.upper()


def _first_name(field: str) -> str:
    alias = Settings.model_fields[field].validation_alias
    if isinstance(alias, AliasChoices):
        return str(alias.choices[0])
    return f"SHUTONG_{field.upper()}"

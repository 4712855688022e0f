"""Which Prefect server is configured, importing Prefect (a second of CPU) only when one may be."""

from __future__ import annotations

import os
import re
from pathlib import Path

VARIABLE = "PREFECT_API_URL"


def has_prefect_server() -> bool:
    """Return True when a Prefect server is configured, or when that cannot be told from here.

    Looks where Prefect does: the environment, the active profile, and `.env`, `prefect.toml` and
    `pyproject.toml` of the working directory.
    """
    if os.environ.get(VARIABLE, "").strip():
        return True
    return _profile_has_server() or _folder_has_server(Path.cwd())


def configured_server() -> str:
    """Return the URL of the API of the configured Prefect server; "" when none is configured."""
    given = os.environ.get(VARIABLE, "").strip()
    if given or not has_prefect_server():
        return given
    from prefect.settings import get_current_settings

    return f"{get_current_settings().api.url or ''}"


def _profile_has_server() -> bool:
    home = Path(os.environ.get("PREFECT_HOME", "").strip() or "~/.prefect").expanduser()
    given = os.environ.get("PREFECT_PROFILES_PATH", "").strip()
    path = Path(given).expanduser() if given else home / "profiles.toml"
    chosen = os.environ.get("PREFECT_PROFILE", "").strip()
    text = _read(path)
    if not text:  # Prefect's own profiles: the one in use names no server
        return chosen not in ("", "ephemeral")
    active = re.search(r"""^\s*active\s*=\s*["'](.+?)["']""", text, re.MULTILINE)
    name = re.escape(chosen or (active.group(1) if active else ""))
    profile = re.search(
        rf"""^\s*\[profiles\.["']?{name}["']?\]\s*$(.*?)(?=^\s*\[|\Z)""",
        text,
        re.MULTILINE | re.DOTALL,
    )
    return _names_server(profile.group(1) if profile else text)


def _folder_has_server(folder: Path) -> bool:
    return (
        _names_server(_read(folder / ".env"))
        or (folder / "prefect.toml").is_file()
        or "[tool.prefect" in _read(folder / "pyproject.toml")
    )


def _names_server(text: str) -> bool:
    return any(VARIABLE in line.split("#")[0] for line in text.splitlines())


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

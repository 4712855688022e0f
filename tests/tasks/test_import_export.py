"""Where flows may write snapshots."""

from __future__ import annotations

import pytest

from freshqa.errors import UsageError
from prefect_freshqa.tasks.import_export import check_file_name


@pytest.mark.parametrize(
    "name",
    [
        "../orlune.csv",
        "/etc/cron.d/orlune.csv",
        "a/orlune.csv",
        "a\\orlune.csv",
        ".orlune.csv",
        "..",
        "",
        "orlune",
        "orlune.sh",
        "orlune.csv\n",
        "orlune.csv\0",
        "a" * 300 + ".csv",
    ],
)
def test_a_file_name_outside_the_folder_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="Use letters, digits"):
        check_file_name(name)


def test_the_extension_selects_the_format() -> None:
    assert check_file_name("freshqa-2026.CSV") == "official"
    assert check_file_name("v12.parquet") == "parquet"

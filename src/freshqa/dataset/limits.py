"""Limits on the size of files, which bound memory and time."""

from __future__ import annotations

MAX_BYTES = 200_000_000
"""Bytes of a file, or of what an archive unpacks to. A real release has a quarter of a million."""
MAX_ROWS = 250_000
"""Rows of a table, padding included."""
MAX_COLUMNS = 600
"""Columns of a table. A real release has 20."""
MAX_CELL = 100_000
"""Characters of one cell."""
MAX_RECORD = 4_000_000
"""Characters of one row or line: more than all cells of a release may hold together."""
MAX_JSON = 64_000_000
"""Characters of a JSON text that has to be read as a whole; JSON lines may be longer."""
MAX_ELEMENTS = 8_000_000
"""XML elements of a sheet or of its table of strings."""
MAX_ROW_ELEMENTS = 150_000
"""XML elements of one row, which a reader holds in memory together."""
HEADER_WITHIN = 50
"""The header must be in one of the first rows."""
MAX_UNPACKED = 100_000_000
"""Bytes that a workbook unpacks to."""
MAX_PART = 10_000_000
"""Bytes of a part of a workbook that is held in memory as a tree (styles, properties)."""

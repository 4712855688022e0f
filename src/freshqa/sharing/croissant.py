"""The Croissant 1.1 description of a version: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from freshqa.sharing.shared_version import SharedVersion

CONFORMS_TO = "http://mlcommons.org/croissant/1.1"
CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    **{
        term: f"cr:{term}"
        for term in (
            *("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract"),
            *("field", "fileObject", "fileProperty", "fileSet", "format", "includes", "isArray"),
            *("isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet"),
            *("references", "regex", "repeated", "replace", "samplingRate", "separator"),
            *("source", "subField", "transform"),
        )
    },
}
"""Terms listed by the specification; readers warn when one is missing."""
MEANINGS = {
    "id": "Row number in this version; not an identifier across versions.",
    "key": "Stable key of the question across versions.",
    "question": "The question.",
    "answer_0": "The primary answer.",
    "false_premise": "TRUE when the question assumes something that is not so.",
    "fact_type": "How often the answer changes: never-, slow- or fast-changing.",
    "num_hops": "one-hop or multi-hop.",
    "effective_year": "Year in which the current fact became true, or `before 2022`.",
    "next_review": "Date or cadence of the next review of the answer.",
    "source": "URLs of sources, one per line.",
    "split": "TEST or DEV.",
    "note": "Note of a maintainer.",
    "attributes": "Columns of the original file that FreshQA does not have, as a JSON object.",
    "canary": "String that marks copies of this version; it is part of no hash.",
}


def croissant(
    shared: SharedVersion, columns: Sequence[str], path: str, body: bytes
) -> dict[str, Any]:
    """Return the JSON-LD description of a version in one Parquet file.

    Args:
        columns: Of the file.
        path: Of the file, relative to the description.
        body: Its bytes.
    """
    cited = shared.citation
    return {
        "@context": dict(CONTEXT),
        "@type": "sc:Dataset",
        "name": cited.dataset,
        "description": f"{cited.title}. Content hash sha256:{cited.content_hash}.",
        "conformsTo": CONFORMS_TO,
        "version": f"{cited.number}.0.0",
        "identifier": f"sha256:{cited.content_hash}",
        "datePublished": cited.as_of.isoformat(),
        "license": shared.license,
        "citeAs": cited.bibtex(),
        "creator": {"@type": "sc:Organization", "name": f"{cited.dataset} maintainers"},
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": path,
                "name": path,
                "contentUrl": path,
                "contentSize": f"{len(body)} B",
                "encodingFormat": "application/x-parquet",
                "sha256": hashlib.sha256(body).hexdigest(),
            }
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "questions",
                "name": "questions",
                "description": f"{len(shared.questions)} questions with their answers.",
                "key": {"@id": "questions/key"},
                "field": [_field(column, path) for column in columns],
            }
        ],
    }


def _field(column: str, path: str) -> dict[str, Any]:
    meaning = MEANINGS.get(column, "Another accepted form of the answer.")
    return {
        "@type": "cr:Field",
        "@id": f"questions/{column}",
        "name": column,
        "description": meaning,
        "dataType": "sc:Integer" if column == "id" else "sc:Text",
        "source": {"fileObject": {"@id": path}, "extract": {"column": column}},
    }

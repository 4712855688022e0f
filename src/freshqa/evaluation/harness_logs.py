"""Logs of evaluation harnesses as rows: key, question, response, and their own verdict.

Inspect (`.eval`, `.json`), lm-evaluation-harness (`samples_*.jsonl`), promptfoo (`-o results.json`)
and openai/evals (record files).
"""

from __future__ import annotations

import io
import json
import math
import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from freshqa.dataset.limits import MAX_BYTES
from freshqa.errors import BadData, UsageError
from freshqa.storable import storable

Record = dict[str, str]
ZSTANDARD = 93
WORDS = {"C": "correct", "I": "incorrect", "1": "correct", "0": "incorrect"}


def records_of_log(content: bytes, *, name: str) -> list[Record] | None:
    """Return the records of a harness's log, or None for any other file.

    Raises:
        BadData: a broken or too large Inspect log.
        UsageError: an Inspect log in Zstandard, without pyarrow.
    """
    if content.startswith(b"PK\x03\x04"):
        return _inspect_archive(content, name)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    if not text.lstrip().startswith("{"):
        return None
    values = _values(text)
    if not values:
        return None
    first = values[0]
    if isinstance(first.get("eval"), dict) and isinstance(first.get("samples"), list):
        return [_of_inspect(sample) for sample in first["samples"]]
    if "doc" in first and "filtered_resps" in first:
        return [_of_lm_eval(value) for value in values if "doc" in value]
    inner = first.get("results")
    if isinstance(inner, dict) and isinstance(inner.get("results"), list):
        return [_of_promptfoo(result) for result in inner["results"]]
    if isinstance(first.get("spec"), dict) and "eval_name" in first["spec"]:
        return list(_of_openai_evals(values))
    return None


def _values(text: str) -> list[dict[str, Any]]:
    """Return one JSON object, or the objects of JSON lines; [] for neither."""
    try:
        return [whole] if isinstance(whole := storable(json.loads(text)), dict) else []
    except ValueError:
        pass
    objects = []
    for line in filter(str.strip, text.split("\n")):
        try:
            value = storable(json.loads(line))
        except ValueError:
            return []
        objects += [value] if isinstance(value, dict) else []
    return objects


def _inspect_archive(content: bytes, name: str) -> list[Record] | None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            if "header.json" not in names:
                return None
            samples = sorted(n for n in names if n.startswith("samples/") and n.endswith(".json"))
            if sum(archive.getinfo(sample).file_size for sample in samples) > MAX_BYTES:
                raise BadData(f"{name}: unpacks to more than {MAX_BYTES:,} bytes.", "Split it.")
            return [
                _of_inspect(json.loads(_unpacked(content, archive, sample))) for sample in samples
            ]
    except (zipfile.BadZipFile, ValueError) as broken:
        raise BadData(
            f"{name} is not a readable Inspect log: {broken}.", "Copy it again."
        ) from broken


def _unpacked(content: bytes, archive: zipfile.ZipFile, name: str) -> bytes:
    """Return a member of a ZIP archive, by pyarrow where it is in Zstandard."""
    info = archive.getinfo(name)
    if info.compress_type != ZSTANDARD:
        return archive.read(info)
    try:
        import pyarrow
    except ImportError:
        raise UsageError(
            "An Inspect log in Zstandard needs pyarrow.",
            "Install it: pip install 'prefect-freshqa[parquet]'.",
        ) from None
    head = content[info.header_offset : info.header_offset + 30]
    start = info.header_offset + 30 + sum(struct.unpack("<HH", head[26:30]))
    packed = content[start : start + info.compress_size]
    try:
        return bytes(pyarrow.Codec("zstd").decompress(packed, info.file_size))
    except pyarrow.ArrowException as broken:
        raise ValueError(str(broken)) from broken


def _of_inspect(sample: Mapping[str, Any]) -> Record:
    metadata = sample.get("metadata") or {}
    score = (sample.get("scores") or {}).get("fresheval") or {}
    return {
        "key": str(metadata.get("key") or sample.get("id") or ""),
        "question": str(metadata.get("question") or sample.get("input") or ""),
        "response": _completion(sample),
        "verdict": _word(score.get("value")),
        "comment": str(score.get("explanation") or ""),
    }


def _completion(sample: Mapping[str, Any]) -> str:
    output = sample.get("output") or {}
    if isinstance(output.get("completion"), str):
        return str(output["completion"])
    content = next((c["message"]["content"] for c in output.get("choices") or ()), "")
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content if part.get("type") == "text")


def _of_lm_eval(value: Mapping[str, Any]) -> Record:
    doc = value["doc"]
    replies = value["filtered_resps"]
    response = replies[0] if replies else ""
    return {
        "key": str(doc.get("key") or ""),
        "question": str(doc.get("question") or ""),
        "response": response if isinstance(response, str) else str(next(iter(response), "")),
        "verdict": _word(value.get("fresheval")),
        "comment": "",
    }


def _of_promptfoo(result: Mapping[str, Any]) -> Record:
    asked = result.get("vars") or {}
    output = (result.get("response") or {}).get("output")
    graded = result.get("gradingResult") or {}
    reasons = [
        str(component.get("reason") or "") for component in graded.get("componentResults") or ()
    ]
    reason = next(iter(reasons), str(graded.get("reason") or ""))
    verdict, _, comment = reason.partition(": ")
    return {
        "key": str(asked.get("key") or ""),
        "question": str(asked.get("question") or ""),
        "response": output if isinstance(output, str) else json.dumps(output) if output else "",
        "verdict": verdict if verdict in ("correct", "incorrect") else "unrated",
        "comment": comment,
    }


def _of_openai_evals(values: Sequence[Mapping[str, Any]]) -> Iterator[Record]:
    """Each sample's first sampling is the response, and its metrics the verdict."""
    records: dict[str, Record] = {}
    for event in values:
        if "sample_id" not in event:
            continue
        data = event.get("data") or {}
        record = records.setdefault(str(event["sample_id"]), {"key": "", "question": ""})
        if event.get("type") == "sampling" and "response" not in record:
            sampled = data.get("sampled")
            record["response"] = str(sampled[0] if isinstance(sampled, list) else sampled or "")
            prompt = data.get("prompt")
            last = prompt[-1]["content"] if isinstance(prompt, list) and prompt else prompt
            record["question"] = str(last or "")
        elif event.get("type") == "metrics":
            choice = str(data.get("choice") or "")
            # `evals` counts a reply without a choice as the lowest score
            unread = choice == "__invalid__"
            record["verdict"] = "unrated" if unread else _word(data.get("score"))
            record["comment"] = str(data.get("comment") or choice)
            record["key"] = str(data.get("key") or "")
    return (record for record in records.values() if record.get("response") is not None)


def _word(value: Any) -> str:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return WORDS.get(str(value), "unrated")
    number = float(value)
    return "unrated" if math.isnan(number) else WORDS.get(f"{number:g}", "unrated")

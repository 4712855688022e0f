"""Question-answer files with other columns are recognised, kept completely and written again."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from freshqa.dataset.diff import diff_snapshots
from freshqa.dataset.release import Release, read_release, write_release
from freshqa.errors import BadData, NotARelease, UsageError
from freshqa.store import history, publishing, snapshots, verifying, versions
from freshqa.store.database import Store
from freshqa.store.publishing import prepare, publish_import

DAY = date(2025, 6, 1)
NOW = datetime(2025, 6, 1, tzinfo=timezone.utc)
CHOICES = ["Orlune", "Vesk", "Tarn", "Ilm"]
SEAL = [
    {
        "question": f"Who won the {name} cup?",
        "answer": answer,
        "urls": [f"https://example.org/{name}", "https://example.org/b"],
        "freshness": freshness,
        "question_types": ["advanced reasoning", "temporal tracking"],
        "effective_year": year,
        "topic": "Sports",
        "canary": "example:canary",
    }
    for name, answer, freshness, year in (
        ("Orlune", "Idris Quane", "fast-changing", "2025"),
        ("Vesk", "Mara Tolv", "never-changing", "before 2024"),
    )
]
SIMPLE = (
    "original_index,problem,answer,topic,multi_step,urls\r\n"
    '4,"Which river crosses Orlune, and which Vesk?",The Ilm,Geography,False,'
    '"https://example.org/a,https://example.org/b"\r\n'
    "9,Who drew the map of Tarn?,Mara Tolv,Art,True,https://example.org/c\r\n"
)
QUIZ = [
    {
        "question_id": f"20250601_{index}",
        "question_sentence": text,
        "choices": CHOICES,
        "answer": [answer],
        "question_date": "2025/06/01",
    }
    for index, (text, answer) in enumerate(
        (("Which town flooded?", "0"), ("Which town voted?", "3"), ("Which town sings?", "2"))
    )
]
NATURAL = [
    {"question": "when was the bridge of orlune built", "answer": ["1912", "in 1912"]},
    {"question": "who built the bridge of orlune", "answer": ["Idris Quane"]},
]


def lines(records: Sequence[Mapping[str, Any]]) -> bytes:
    return "".join(f"{json.dumps(record)}\n" for record in records).encode()


def parquet(records: Sequence[Mapping[str, Any]]) -> bytes:
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(records)), buffer)
    return buffer.getvalue()


def records_of(release: Release, format: str) -> list[dict[str, Any]]:
    """The rows as they are written in the file's own columns."""
    body = write_release(release.questions, format, dialect=release.dialect)
    if format == "parquet":
        return list(pyarrow.parquet.read_table(io.BytesIO(body)).to_pylist())
    return [json.loads(line) for line in body.splitlines()]


@pytest.mark.parametrize("records", [SEAL, QUIZ, NATURAL], ids=["seal", "quiz", "natural"])
@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_rows_round_trip(records: list[dict[str, Any]], format: str) -> None:
    data = lines(records) if format == "jsonl" else parquet(records)
    release = read_release(data, name="x")
    assert records_of(release, format) == records
    assert all(column not in q.extra for q in release.questions for column in ("answer", "urls"))


def test_columns_are_recognised_by_name_and_content() -> None:
    first, second = read_release(parquet(SEAL), name="x").questions
    assert first.text == "Who won the Orlune cup?"
    assert first.answers == ("Idris Quane",)
    assert (first.fact_type, second.fact_type) == ("fast-changing", "never-changing")
    assert second.effective_year == "before 2024"
    assert first.sources == ("https://example.org/Orlune", "https://example.org/b")
    assert first.extra == {
        "canary": "example:canary",
        "question_types": ["advanced reasoning", "temporal tracking"],
        "topic": "Sports",
    }


def test_recognised_columns_are_reported() -> None:
    release = read_release(lines(SEAL), name="x")
    assert release.columns["freshness"] == "fact_type"
    assert release.columns["topic"] == "attribute"
    told = "\n".join(release.warnings)
    assert "answer is answer_0" in told
    assert "kept as attributes: question_types, topic, canary" in told
    assert "next_review is missing and counts as frequently" in told
    assert "fact_type" not in told.partition("kept as")[2]


def test_an_unknown_type_is_checked_at_each_refresh() -> None:
    release = read_release(lines(NATURAL), name="x")
    assert {(q.fact_type, q.next_review) for q in release.questions} == {("", "frequently")}
    assert any("checked at each refresh" in warning for warning in release.warnings)


@pytest.mark.parametrize(
    ("answers", "changed"),
    [
        ((["0"], ["3"], ["2"]), ["1"]),
        ((0, 3, 2), 1),
        (("1", "4", "3"), "2"),
        (("A", "D", "C"), "B"),
        (("Orlune", "Ilm", "Tarn"), "Vesk"),
    ],
)
def test_an_index_is_replaced_by_its_choice(answers: tuple[Any, ...], changed: Any) -> None:
    records = [{**quiz, "answer": answer} for quiz, answer in zip(QUIZ, answers, strict=True)]
    release = read_release(lines(records), name="x")
    assert [q.primary for q in release.questions] == ["Orlune", "Ilm", "Tarn"]
    assert records_of(release, "jsonl") == records
    other = release.questions[0].with_changes({"answer_0": "Vesk"})
    body = write_release([other], "jsonl", dialect=release.dialect)
    assert json.loads(body)["answer"] == changed


def test_numbers_among_the_choices_are_answers_and_not_indexes() -> None:
    records = [
        {"question": f"How many in {town}?", "choices": ["1", "2", "3"], "answer": "2"}
        for town in CHOICES
    ]
    assert {q.primary for q in read_release(lines(records), name="x").questions} == {"2"}


def test_a_list_of_answers_gives_the_accepted_forms() -> None:
    first, _ = read_release(parquet(NATURAL), name="x").questions
    assert first.answers == ("1912", "in 1912")


@pytest.mark.parametrize("text", ['["1912", "in 1912"]', "['1912', 'in 1912']"])
def test_a_list_in_a_text_cell_is_read_as_a_list(text: str) -> None:
    quoted = text.replace('"', '""')
    data = f'question,answer\nwhen was it built,"{quoted}"\n'.encode()
    release = read_release(data, name="x")
    assert release.questions[0].answers == ("1912", "in 1912")
    assert write_release(release.questions, "official", dialect=release.dialect) == data


def test_more_answers_than_slots_are_kept_and_reported() -> None:
    records = [{"question": "which towns", "answers": [f"town {i}" for i in range(12)]}]
    release = read_release(lines(records), name="x")
    assert len(release.questions[0].answers) == 10
    assert records_of(release, "jsonl") == records
    assert any("more answers than can be accepted" in w for w in release.warnings)
    changed = release.questions[0].with_changes(
        {f"answer_{i}": "" for i in range(1, 10)} | {"answer_0": "Orlune"}
    )
    body = write_release([changed], "jsonl", dialect=release.dialect)
    assert json.loads(body)["answers"] == ["Orlune"]  # nothing of the old fact is left


@pytest.mark.parametrize(
    ("answers", "forms"),
    [
        ({"text": ["1912", "in 1912"], "answer_start": [3, 9]}, ("1912", "in 1912")),
        ({"value": "1912", "aliases": ["in 1912", "1912"], "type": "year"}, ("1912", "in 1912")),
    ],
)
def test_answer_records_of_hub_datasets_are_read(answers: Any, forms: tuple[str, ...]) -> None:
    records = [{"question": "when was it built", "answers": answers}]
    release = read_release(parquet(records), name="x")
    assert release.questions[0].answers == forms
    assert records_of(release, "parquet") == records
    changed = release.questions[0].with_changes({"answer_0": "1913", "answer_1": ""})
    body = write_release([changed], "jsonl", dialect=release.dialect)
    assert json.loads(body)["answers"] == ["1913"]


def test_a_csv_round_trips_byte_for_byte() -> None:
    release = read_release(SIMPLE.encode(), name="x")
    assert [q.primary for q in release.questions] == ["The Ilm", "Mara Tolv"]
    assert write_release(release.questions, "official", dialect=release.dialect) == SIMPLE.encode()
    assert release.questions[0].extra["original_index"] == "4"
    assert not any("byte for byte" in warning for warning in release.warnings)


def test_a_workbook_of_another_layout_is_read() -> None:
    release = read_release(SIMPLE.encode(), name="x")
    book = write_release(release.questions, "xlsx", dialect=release.dialect)
    again = read_release(book, name="x")
    assert [q.texts for q in again.questions] == [q.texts for q in release.questions]


def test_a_given_mapping_overrides_recognition() -> None:
    data = b"Prompt,target,answer\nWhere is Orlune?,In the north,a wrong one\n"
    release = read_release(data, name="x", mapping={"question": "Prompt", "answer": "target"})
    assert release.questions[0].primary == "In the north"
    assert release.questions[0].extra == {"answer": "a wrong one"}
    assert release.columns["target"] == "answer_0"


@pytest.mark.parametrize(
    ("mapping", "error", "message"),
    [
        (
            {"question": "Frage"},
            NotARelease,
            "no row names the columns of --map .Frage.; it has the",
        ),
        ({"topic": "Prompt"}, UsageError, "Unknown field 'topic' in --map"),
        ({"question": "a", "answer_0": "a"}, UsageError, "names the column 'a' twice"),
    ],
)
def test_a_mapping_that_does_not_fit_is_refused(
    mapping: dict[str, str], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        read_release(b"a,b\n1,2\n", name="x", mapping=mapping)


@pytest.mark.parametrize(
    "data",
    [
        b"city,population\nOrlune,12\n",
        b"question,population\nWhere is Orlune?,12\n",
        lines([{"city": "Orlune", "population": 12}]),
        parquet([{"city": "Orlune", "population": 12}]),
    ],
)
def test_a_file_without_question_and_answer_columns_is_refused_with_the_columns_it_has(
    data: bytes,
) -> None:
    with pytest.raises(
        NotARelease, match=r"it has the columns (city|question), population\."
    ) as no:
        read_release(data, name="x")
    assert "--map question=COLUMN" in str(no.value.remedy)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"problem,answer\nWhere?,y\nWhen?,z\n ,x\n", "row 4, column question: empty"),
        (b"problem,answer\nWhere?,x\nwhere,y\n", "duplicate of row 2"),
        (b"problem,answer,a,a\nWhere?,x,1,2\n", "duplicate column 'a'"),
        (lines([{"problem": "Where?", "answer": "\ud800"}]), "a character that a database cannot"),
    ],
)
def test_an_invalid_row_is_reported_with_its_number(data: bytes, message: str) -> None:
    with pytest.raises(BadData, match=message):
        read_release(data, name="x")


def test_a_question_column_is_recognised_by_question_marks() -> None:
    release = read_release(b"frage,answer\nWhere is Orlune?,north\n", name="x", mapping={
        "answer_0": "answer"
    })  # fmt: skip
    assert release.questions[0].text == "Where is Orlune?"


def publish(store: Store, release: Release) -> int:
    prepared, newest = prepare(store, release)
    return publish_import(store, prepared, newest, as_of=DAY, message="", now=NOW).number


def test_attributes_are_versioned(store_url: str) -> None:
    store = Store.open(store_url, create=True)
    publish(store, read_release(lines(SEAL), name="x"))
    second = [{**SEAL[0], "topic": "Games"}, {**SEAL[1], "answer": "Nobody"}]
    publish(store, read_release(lines(second), name="x"))
    diff = diff_snapshots(snapshots.snapshot(store, 1), snapshots.snapshot(store, 2))
    assert [
        {name: (field.old, field.new) for name, field in change.fields.items()}
        for change in diff.changed
    ] == [{"topic": ("Sports", "Games")}, {"answer_0": ("Mara Tolv", "Nobody")}]
    assert diff.changed[0].kinds == ("attribute_change",)
    version = versions.find(store, number=2)
    rows = snapshots.snapshot(store, 2)
    assert records_of(Release("x", rows, "", b"", "jsonl", version.dialect), "jsonl") == second
    assert [verified.status for verified in verifying.verify(store)] == ["ok", "ok"]
    assert history.history(store, rows[0].key)[0].question.extra["topic"] == "Sports"


def test_fields_learned_in_the_store_survive_the_next_import(sqlite_url: str) -> None:
    store = Store.open(sqlite_url, create=True)
    publish(store, read_release(lines(NATURAL), name="x"))
    first, second = snapshots.snapshot(store, 1)
    learned = {"fact_type": "never-changing", "next_review": "N/A"}
    rows = [first.with_changes(learned), second.with_changes({**learned, "note": "checked"})]
    publishing.publish(store, rows, as_of=DAY, now=NOW, parent=1)
    changed = [NATURAL[0], {**NATURAL[1], "answer": ["Mara Tolv"]}]
    publish(store, read_release(lines(changed), name="x"))
    kept = snapshots.snapshot(store, 3)
    assert [q.fact_type for q in kept] == ["never-changing", "never-changing"]
    assert kept[1].answers == ("Mara Tolv",)
    assert kept[1].fields["note"] == "checked"


def test_our_own_export_carries_the_attributes(sqlite_url: str) -> None:
    rows = read_release(lines(SEAL), name="x").questions
    for format in ("csv", "jsonl", "parquet", "xlsx"):
        again = read_release(write_release(rows, format), name="x", repair="none")
        assert [q.texts for q in again.questions] == [q.texts for q in rows], format


def test_attributes_can_be_redacted(sqlite_url: str) -> None:
    store = Store.open(sqlite_url, create=True)
    publish(store, read_release(lines(SEAL), name="x"))
    row = snapshots.snapshot(store, 1)[0]
    from freshqa.store.redacting import redact

    redact(store, row.revision_hash, now=NOW, reason="asked", columns=["attributes"])
    assert snapshots.snapshot(store, 1)[0].attributes == ""
    assert verifying.verify(store)[0].status == "redacted"


@pytest.mark.real_data
def test_both_releases_of_seal_0_round_trip(shared_data: Path, sqlite_url: str) -> None:
    store = Store.open(sqlite_url, create=True)
    folder = shared_data / "sealqa"
    earlier, later = folder / "seal-0_earlier.parquet", folder / "seal-0_2026-05-28.jsonl"
    old = pyarrow.parquet.read_table(earlier).to_pylist()
    new = [json.loads(line) for line in later.read_text(encoding="utf-8").splitlines()]
    for file in (earlier, later):
        publish(store, read_release(file))
    for number, format, rows in ((1, "parquet", old), (2, "jsonl", new)):
        dialect = versions.find(store, number=number).dialect
        questions = snapshots.snapshot(store, number)
        assert records_of(Release("x", questions, "", b"", format, dialect), format) == rows
    diff = diff_snapshots(snapshots.snapshot(store, 1), snapshots.snapshot(store, 2))
    assert len(diff.added) == len(diff.removed)
    changed = {c.question for c in diff.changed if "answer_0" in c.fields}
    before = {row["question"]: row["answer"] for row in old}
    after = {row["Question"]: row["answer"] for row in new}
    assert changed >= {q for q in after if q in before and after[q] != before[q]}


@pytest.mark.real_data
def test_a_quiz_with_whole_pages_round_trips(shared_data: Path) -> None:
    import gzip

    data = gzip.decompress((shared_data / "realtimeqa" / "2025.jsonl.gz").read_bytes())
    release = read_release(data, name="2025.jsonl")
    assert records_of(release, "jsonl") == [json.loads(line) for line in data.splitlines()]

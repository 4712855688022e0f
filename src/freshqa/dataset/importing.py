"""From a parsed release to the rows of a version, with a report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from freshqa.dataset.damage import Damage
from freshqa.dataset.diff import DatasetDiff, diff_snapshots
from freshqa.dataset.identity import NONE, Matching, match
from freshqa.dataset.question import ANSWER_COLUMNS, Question
from freshqa.dataset.release import Release
from freshqa.dataset.restoring import with_originals
from freshqa.dates.review import REMEDY, more_than_weekly
from freshqa.errors import Refused, UsageError

EXAMPLES, SHOWN = 3, 8


@dataclass(frozen=True)
class Import:
    """A release compared with the previous version.

    Args:
        matching: Its questions with keys.
        changes: Against the version before it.
        repair: Which repairs were made: `none`, `certain` or `all`.
    """

    release: Release
    matching: Matching
    changes: DatasetDiff
    repair: str

    @property
    def questions(self) -> tuple[Question, ...]:
        """The rows of the version to publish."""
        return self.matching.questions

    @property
    def repaired(self) -> tuple[Damage, ...]:
        """Damage that was undone."""
        return tuple(d for d in self.release.findings if d.undone_by(self.repair))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings for a person, one sentence each."""
        left = [d for d in self.release.findings if not d.undone_by(self.repair)]
        return (*self.release.warnings, *_summaries(left), *self._unmatched(), *self._let_in())

    def to_json(self) -> dict[str, Any]:
        """Return the report of `import`, without the version's number and date."""
        findings = self.release.findings
        return {
            "questions": len(self.questions),
            "added": len(self.changes.added),
            "changed": len(self.changes.changed),
            "removed": len(self.changes.removed),
            "reworded": [pair.to_json() for pair in self.matching.reworded],
            "unmatched": [pair.to_json() for pair in self.matching.unsure],
            "repaired": len(self.repaired),
            "damage": [{**d.to_json(), "undone": d.undone_by(self.repair)} for d in findings],
            "warnings": list(self.warnings),
            "format": self.release.format,
            "columns": self.release.columns,
            "sha256": self.release.sha256,
        }

    @property
    def too_fast(self) -> tuple[tuple[int, Question], ...]:
        """Row → new question that changes more than once a week, which FreshLLMs leaves out.

        In the first version of a dataset nothing is new. What may be an earlier question in other
        words is not known to be new: `unmatched` names it, and `warnings`.
        """
        unsure = {pair.new for pair in self.matching.unsure}
        return tuple((r, q) for r, q in self._often_added() if q.text not in unsure)

    def _often_added(self) -> list[tuple[int, Question]]:
        if len(self.changes.added) == len(self.questions) and not self.changes.removed:
            return []
        added = {question.key for question in self.changes.added}
        rows = zip(self.release.rows, self.questions, strict=True)
        return [(r, q) for r, q in rows if q.key in added and more_than_weekly(q.next_review)]

    def _let_in(self) -> list[str]:
        """Return a note on new questions that change too often and were imported nevertheless."""
        often = [question.text for _, question in self._often_added()]
        if not often:
            return []
        return [f"{len(often)} new questions change more than once a week, first: {often[0]}"]

    def _unmatched(self) -> list[str]:
        pairs = self.matching.unsure
        if not pairs:
            return []
        keys = " ".join(f"--confirm {pair.key}" for pair in pairs[:EXAMPLES])
        note = f"{len(pairs)} questions may be earlier ones in other words and count as new"
        return [f"{note}; if they are the same, import again with --confirm all, or {keys}"]


def prepare_import(
    release: Release,
    base: Sequence[Question],
    *,
    aliases: Mapping[str, str] = NONE,
    confirm: Sequence[str] = (),
    repair: str = "certain",
    allow_every_time: bool = False,
) -> Import:
    """Match a release with the version before it.

    Args:
        base: Rows of that version, with keys.
        aliases: Normalised earlier wording → key.
        confirm: Keys of unsure pairs that are one question; `all` for every pair;
            `KEY=wording` to continue a key with any incoming question.
        repair: As the release was read.
        allow_every_time: Let new questions in that change more than once a week.

    Raises:
        UsageError: A confirmation that fits no pair.
        Refused: A new question changes more than once a week (FreshLLMs, section 2).
    """
    matching = match(release.questions, base, aliases=aliases)
    confirmed = _confirmations(confirm, matching)
    if confirmed:
        matching = match(release.questions, base, aliases=aliases, confirmed=confirmed)
    if repair == "all":
        release, matching = _restored(release, matching, base)
    if release.lacking:
        matching = _with_known(matching, base, release.lacking)
    prepared = Import(release, matching, diff_snapshots(base, matching.questions), repair)
    if prepared.too_fast and not allow_every_time:
        raise _too_often(prepared)
    return prepared


def _too_often(prepared: Import) -> Refused:
    (row, question), *others = prepared.too_fast
    more = f"; so do rows {', '.join(str(row) for row, _ in others[:SHOWN])}" if others else ""
    more += f" and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
    return Refused(
        f"{prepared.release.name}, row {row}, next_review: the new question {question.text!r} changes"
        f" more than once a week ({question.next_review}){more}.",
        "Leave it out, or write frequently or a date if it changes no more often. If it is an earlier"
        " question in other words: --confirm KEY=WORDING. For a release that others published:"
        " --allow-every-time.",
    )


def _restored(
    release: Release, matching: Matching, base: Sequence[Question]
) -> tuple[Release, Matching]:
    """Guesses replaced by the text of the previous version, if that fits better."""
    by_row = dict(zip(release.rows, matching.questions, strict=True))
    findings = with_originals(release.findings, by_row, base)
    better = [new for old, new in zip(release.findings, findings, strict=True) if new != old]
    for damage in better:
        change = {damage.column: damage.repaired or ""}
        by_row[damage.row] = by_row[damage.row].with_changes(change)
    questions = tuple(by_row.values())
    return replace(release, findings=findings), replace(matching, questions=questions)


def _with_known(matching: Matching, base: Sequence[Question], lacking: Sequence[str]) -> Matching:
    """Return the matches, completed by what the previous version knows and the file does not have.

    Further forms of an answer are kept while the answers of the file are the same.
    """
    before = {question.key: question for question in base}
    answers = [column for column in lacking if column in ANSWER_COLUMNS]
    others = [column for column in lacking if column not in ANSWER_COLUMNS]
    given = [column for column in ANSWER_COLUMNS if column not in answers]
    kept = []
    for question in matching.questions:
        old = before.get(question.key)
        if old is not None:
            same = all(old.fields[c] == question.fields[c] for c in given)
            known = [*others, *answers] if same else others
            question = question.with_changes({column: old.fields[column] for column in known})
        kept.append(question)
    return replace(matching, questions=tuple(kept))


def _confirmations(confirm: Sequence[str], matching: Matching) -> dict[str, str]:
    unsure = {pair.key: pair.new for pair in matching.unsure}
    confirmed: dict[str, str] = {}
    for item in confirm:
        key, _, wording = item.partition("=")
        if item == "all":
            confirmed.update({new: key for key, new in unsure.items()})
        elif wording:
            confirmed[wording] = key
        elif key in unsure:
            confirmed[unsure[key]] = key
        else:
            known = ", ".join(unsure) or "none"
            raise UsageError(
                f"--confirm {item}: this key is not among the uncertain matches.",
                f"Available keys: {known}.",
            )
    return confirmed


def _summaries(left: Sequence[Damage]) -> list[str]:
    """Return one sentence for each kind of damage, with examples."""
    kinds: dict[str, list[Damage]] = defaultdict(list)
    for damage in left:
        kinds[damage.kind].append(damage)
    lines = []
    for kind, cells in kinds.items():
        examples = "; ".join(f"row {d.row} {d.column} {d.text[:40]!r}" for d in cells[:EXAMPLES])
        guess = any(d.repaired is not None for d in cells)
        remedy = "; --repair all writes the likeliest originals" if guess else ""
        remedy += f". Until then it counts as due. {REMEDY}" if kind == "malformed-review" else ""
        lines.append(f"{kind}: {len(cells)} cells left as they are ({examples}){remedy}")
    return lines

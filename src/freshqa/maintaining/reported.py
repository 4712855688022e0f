"""Reports of wrong answers by readers: a claim with a link, which only a person can turn into a change."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from urllib.parse import urlsplit

from freshqa.checking.candidate import Candidate
from freshqa.dataset.question import Question
from freshqa.errors import NothingToDo, UsageError
from freshqa.evidence.cleaning import clean_text, clean_url, site_of
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.injection import suspicious
from freshqa.maintaining.flags import Flag
from freshqa.maintaining.proposal import CheckedQuestion, Outcome, Proposal

MAX_ANSWER = 300
MAX_LINK = 1000
MAX_NOTE = 1000
REPORTED_RISK = 0.4
"""Below the risk of answers that a refresh found to be wrong, which reviewers should see first."""


@dataclass(frozen=True)
class Report:
    """A reader's report on a stored answer, as plain text on one line.

    Args:
        answer: The answer that the reader believes to be correct.
        link: Page that says so; http or https.
        note: Anything else; "" when nothing was written.
        flags: Names of suspicious patterns in the text (see `freshqa.evidence.injection`).
    """

    answer: str
    link: str
    note: str = ""
    flags: tuple[str, ...] = ()


def read_report(answer: str, link: str, note: str = "") -> Report:
    """Return what a reader wrote, without markup and invisible characters.

    Raises:
        UsageError: the answer is missing, the link is not a web address, or a text is too long.
    """
    for name, text, most in (
        ("answer", answer, MAX_ANSWER),
        ("link", link, MAX_LINK),
        ("note", note, MAX_NOTE),
    ):
        if len(text) > most:
            raise UsageError(
                f"The {name} has {len(text)} characters; at most {most} are allowed.",
                f"Shorten the {name}.",
            )
    plain = clean_text(answer, limit=MAX_ANSWER)
    if not plain:
        raise UsageError("The answer is missing.", "Enter the answer that you believe is correct.")
    flags = dict.fromkeys(flag for text in (answer, note) for flag in suspicious(text))
    return Report(plain, _web_address(link), clean_text(note, limit=MAX_NOTE), tuple(flags))


def checked_by_reader(report: Report, row: Question, *, as_of: date) -> CheckedQuestion:
    """Return the report as a check of a question with a proposal.

    The reported answer is a candidate and not a change: it cannot be accepted without being picked,
    and forms, year and review date then follow by the same rules as for every picked candidate.

    Raises:
        NothingToDo: the answer is stored already.
    """
    if normal(report.answer) in map(normal, row.answers):
        raise NothingToDo(
            f"{report.answer!r} is already an accepted answer to this question.",
            "Report it only if another answer is wrong.",
        )
    told = (f"A reader reports another answer: {report.answer}",)
    sources = [line for line in row.fields["source"].split("\n") if line.strip()]
    finding = Evidence(
        EvidenceKind.report, site_of("", report.link), report.link, title=report.link
    )
    proposal = Proposal(
        key=row.key,
        question=row.text,
        base_revision=row.revision_hash,
        outcome=Outcome.reported,
        evidence=(finding,),
        risk=REPORTED_RISK,
        flags=(Flag.reported, *(f"{Flag.injection}:{flag}" for flag in report.flags)),
        reasons=(*told, f"The reader writes: {report.note}") if report.note else told,
        suggestions={"source": "Add the reported link."},
        suggested_values={"source": "\n".join(dict.fromkeys([*sources, report.link]))},
        candidates=(Candidate(report.answer, 1),),
        method="report",
        stored=row.answers,
        as_of=as_of,
    )
    return CheckedQuestion(
        key=row.key,
        question=row.text,
        outcome=Outcome.reported,
        risk=REPORTED_RISK,
        stored=row.answers,
        evidence=(finding,),
        proposal=proposal,
    )


def normal(answer: str) -> str:
    """Return an answer without differences of case and spaces, to compare two reports."""
    return " ".join(answer.casefold().split())


def _web_address(link: str) -> str:
    url = clean_url(link)
    if not url or "@" in urlsplit(url).netloc:
        raise UsageError(
            f"{clean_text(link, limit=80)!r} is not a valid web address.",
            "Give a link to a page that shows the answer, beginning with http:// or https://.",
        )
    return url

"""Rules about the text of single question and answer cells."""

from __future__ import annotations

from great_expectations import expectations as gxe

from freshqa.dataset.formula import START
from freshqa.dataset.mojibake import suspicious, undo
from freshqa.dataset.validation import ERROR, WARNING
from freshqa.dates.spreadsheet import EXCEL_DATE
from prefect_freshqa.expectations.declare import About, pattern, values
from prefect_freshqa.expectations.rule import Rule

PLAIN = r"[\x00-\x1f\x7f-\x9f\u00a0\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
"""Line breaks, control characters, no-break and zero-width spaces, bidirectional controls."""


ExpectColumnValuesToBePlainText = pattern(
    "ExpectColumnValuesToBePlainText",
    PLAIN,
    About(
        "Expect no value to hold line breaks, control characters or invisible characters.",
        "Zero-width joiners are allowed: some scripts and emoji need them.",
        "$column must not hold line breaks, control or invisible characters.",
        {"clean": ["Mira Vale", "Lumen"], "damaged": ["Mira\nVale", "Lu\u200bmen"]},
        [({"column": "clean"}, []), ({"column": "damaged"}, [0, 1])],
    ),
)


_MOSTLY = 0.6


def is_clean(text: str) -> bool:
    """False for a replacement character, and for a text mostly in Latin letters of which an earlier
    reading as cp1252 or GBK can be undone, or whose words hold characters of other writings.
    """
    if text.isascii():
        return True
    if "\ufffd" in text:
        return False
    letters = [character for character in text if character.isalpha()]
    latin = sum(character < "\u0250" for character in letters)
    return latin < _MOSTLY * len(letters) or not (undo(text) is not None or suspicious(text))


ExpectColumnValuesToBeFreeOfMojibake = values(
    "ExpectColumnValuesToBeFreeOfMojibake",
    is_clean,
    About(
        "Expect no value to be UTF-8 text that was read in another encoding.",
        "It finds what cp1252 and GBK leave behind, and replacement characters.",
        "$column must not hold UTF-8 text read in another encoding.",
        {"clean": ["Pelé", "金"], "damaged": ["Pel鑼", "PokÃ©mon"]},
        [({"column": "clean"}, []), ({"column": "damaged"}, [0, 1])],
    ),
)


SPREADSHEET_DATE = f"^(?:{EXCEL_DATE.pattern})$"
"""`21-Nov`, `13-May-22`, `Oct-25`; a real date has a year of four digits."""


ExpectColumnValuesToNotBeSpreadsheetDates = pattern(
    "ExpectColumnValuesToNotBeSpreadsheetDates",
    SPREADSHEET_DATE,
    About(
        "Expect no value to be a date as a spreadsheet shows it after it has taken text for a date.",
        "A sheet that is opened and saved turns `November 2021` into `21-Nov`, for one.",
        "$column must not be a date as a spreadsheet shows it (21-Nov, 13-May-22, Oct-25).",
        {"clean": ["November 2021", "22-Nov-2024"], "damaged": ["21-Nov", "13-May-22"]},
        [({"column": "clean"}, []), ({"column": "damaged"}, [0, 1])],
    ),
)


FORMULA = rf"^\s*(?:{START})|^#(?:REF|N/A|VALUE|NAME|DIV/0|NUM|NULL)[!?]?$"
"""What a spreadsheet evaluates on opening a CSV file, or wrote when that failed."""


ExpectColumnValuesToNotBeFormulas = pattern(
    "ExpectColumnValuesToNotBeFormulas",
    FORMULA,
    About(
        "Expect no value to start like a spreadsheet formula or to be a spreadsheet error.",
        'Signed numbers and amounts ("-5 °C", "+3.2%", "-$10") and dashes are not formulas.',
        "$column must not start like a spreadsheet formula or be a spreadsheet error.",
        {"clean": ["-5 °C", "+3.2%"], "damaged": ['=HYPERLINK("http://example.org")', "#REF!"]},
        [({"column": "clean"}, []), ({"column": "damaged"}, [0, 1])],
    ),
)


REFUSAL = (
    r"(?i)\bas an? (?:ai|artificial|large|language)\b|\blanguage model\b"
    r"|\bi(?:'|’)?(?: a)?m (?:sorry|unable|not able|afraid)\b"
    r"|\bi (?:cannot|can(?:'|’)t|can not|could(?:n(?:'|’)t| not)|don(?:'|’)t have|do not have)\b"
    r"|\bknowledge cut-?off\b|\bmy (?:training|last)(?: data| update)?\b|\breal-time (?:data|info)"
    r"|\b(?:provided|given|above) (?:context|evidence|search results|information|sources)\b"
    r"|\b(?:not enough|insufficient) (?:information|evidence|context)\b"
)
"""None of it occurs in eight official releases."""


ExpectColumnValuesToNotBeRefusals = pattern(
    "ExpectColumnValuesToNotBeRefusals",
    REFUSAL,
    About(
        "Expect no value to be a language model that talks about itself instead of answering.",
        "Refusals, excuses about cut-off dates, and complaints about missing context are found.",
        "$column must not be a language model talking about itself.",
        {
            "clean": ["Mira Vale", "None of them"],
            "damaged": [
                "As an AI language model, I cannot browse.",
                "The provided context does not say.",
            ],
        },
        [({"column": "clean"}, []), ({"column": "damaged"}, [0, 1])],
    ),
)


MARKUP = (
    r"(?im)\*\*|```|^#+ |</?[a-z][^<>]*>|\[\d+\]|&(?:amp|quot|nbsp|#\d+);|\bas of today\b"
    r"|^\s*(?:question|query|answer|evaluation|comment|source|snippet|highlight|date)\s*:"
)
"""None of it occurs in eight official releases."""


ExpectColumnValuesToNotHoldMarkup = pattern(
    "ExpectColumnValuesToNotHoldMarkup",
    MARKUP,
    About(
        "Expect no value to hold markup, a citation mark or a label of a prompt.",
        "Labels such as `answer:` inside an answer forge a demonstration once it is put into a prompt.",
        "$column must not hold markup, citation marks or labels of a prompt.",
        {"clean": ["Mira Vale", "5 < 6"], "damaged": ["**Mira Vale**", "answer: Mira Vale"]},
        [({"column": "clean"}, []), ({"column": "damaged"}, [0, 1])],
    ),
)


LONGEST = 500
"""Characters; the longest real cell has 333 (pasted links aside), and 222 since 2024."""
TEXT = "text"
NEVER = "occurs in none of eight official releases that no spreadsheet damaged"


CELL_RULES: tuple[Rule, ...] = (
    Rule(
        "text-plain",
        ERROR,
        ExpectColumnValuesToBePlainText(column=TEXT),
        TEXT,
        "it contains a line break, a control character or an invisible character",
        "2023-11-13 to 2024-02-05: one cell with two pasted links",
    ),
    Rule(
        "text-encoding",
        ERROR,
        ExpectColumnValuesToBeFreeOfMojibake(column=TEXT),
        TEXT,
        "the text was read in the wrong encoding",
        NEVER,
    ),
    Rule(
        "text-no-spreadsheet-date",
        ERROR,
        ExpectColumnValuesToNotBeSpreadsheetDates(column=TEXT),
        TEXT,
        "a spreadsheet turned the text into a date",
        NEVER,
    ),
    Rule(
        "text-no-formula",
        ERROR,
        ExpectColumnValuesToNotBeFormulas(column=TEXT),
        TEXT,
        "a spreadsheet would run it as a formula, or it is the error of one",
        NEVER,
    ),
    Rule(
        "text-no-refusal",
        ERROR,
        ExpectColumnValuesToNotBeRefusals(column=TEXT),
        TEXT,
        "a language model talks about itself instead of answering",
        NEVER,
    ),
    Rule(
        "text-no-markup",
        ERROR,
        ExpectColumnValuesToNotHoldMarkup(column=TEXT),
        TEXT,
        "it contains markup, a citation mark or a label of a prompt",
        NEVER,
    ),
    Rule(
        "text-length",
        ERROR,
        gxe.ExpectColumnValueLengthsToBeBetween(column=TEXT, max_value=LONGEST),
        TEXT,
        f"it is longer than {LONGEST} characters",
        "longest real cell: 333 characters",
    ),
    Rule(
        "text-trimmed",
        WARNING,
        gxe.ExpectColumnValuesToNotMatchRegex(column=TEXT, regex=r"^\s|\s$|  "),
        TEXT,
        "it has leading, trailing or double spaces",
        "14 or 15 cells in every official release",
    ),
    Rule(
        "text-no-link",
        WARNING,
        gxe.ExpectColumnValuesToNotMatchRegex(column=TEXT, regex=r"https?://"),
        TEXT,
        "it contains a link: sources belong in the column source",
        "one real answer is a repository's address",
    ),
)
"""Rules that read one row per cell (`cells_frame`)."""

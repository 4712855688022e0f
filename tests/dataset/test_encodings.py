"""Files that are not UTF-8: a guessed encoding with alternatives, or a given encoding."""

from __future__ import annotations

import pytest

from freshqa.dataset.encoding import decode
from freshqa.dataset.release import read_release
from freshqa.errors import BadData, UsageError

HEADER = (
    "id,split,question,effective_year,next_review,false_premise,num_hops,fact_type,source,"
    + ",".join(f"answer_{slot}" for slot in range(10))
    + ",note\r\n"
)
RIGHT = (
    ("cp1250", "Václav Dvořák"),
    ("cp1250", "Lech Wałęsa, Łódź"),
    ("mac_roman", "José Núñez"),
    ("mac_roman", "It’s “quoted” – a café"),
    ("shift_jis", "石破茂"),
    ("cp932", "誰が首相ですか？ 髙市早苗"),
    ("big5", "賴清德"),
    ("gb18030", "谁是总统？ 习近平"),
    ("gb18030", "67 °F, Łódź, “quoted” – dash"),
    ("cp949", "누가 대통령인가 이재명"),
    ("euc_jp", "誰が首相ですか 石破茂"),
    ("cp1251", "Владимир Зеленский"),
    ("cp1253", "Κυριάκος Μητσοτάκης"),
    ("cp1252", "Beyoncé’s café — naïve, Núñez"),
    ("cp1252", "Sørensen & Müller, New York–London"),
    ("cp1252", "€7, £5, 67 °F, ½ cup"),
)
ALSO_RIGHT = (
    ("koi8_r", "Владимир"),
    ("iso8859_5", "Владимир"),
    ("cp874", "แพทองธาร ชินวัตร"),
)
NOT_GUESSED = (
    ("cp1250", "Kőszeg", "cp1250 reads 'Kőszeg'"),
    ("mac_roman", "Motörhead", "mac_roman reads 'Motörhead'"),
    ("cp1257", "Nausėda", "cp1257 reads 'Nausėda'"),
)


def release_of(text: str, encoding: str) -> bytes:
    """A release of one row whose answer is the text."""
    cell = f'"{text}"' if "," in text else text
    row = f"0,TEST,Who leads?,2024,frequently,FALSE,one-hop,fast-changing,https://a.example,{cell}"
    return f"{HEADER}{row},,,,,,,,,,\r\n".encode(encoding)


@pytest.mark.parametrize(("encoding", "text"), RIGHT)
def test_a_likely_encoding_is_guessed_and_reported_with_its_confidence(
    encoding: str, text: str
) -> None:
    release = read_release(release_of(text, encoding))
    assert release.questions[0].fields["answer_0"] == text
    (note,) = release.warnings
    assert "not UTF-8: read as" in note
    assert "confidence of charset-normalizer" in note and "--encoding NAME" in note


@pytest.mark.parametrize(("encoding", "text"), ALSO_RIGHT)
def test_the_encoding_of_another_script_is_guessed(encoding: str, text: str) -> None:
    assert text in decode(release_of(text, encoding), name="x").text


@pytest.mark.parametrize(("encoding", "text", "said"), NOT_GUESSED)
def test_another_likely_reading_is_shown_in_the_note(encoding: str, text: str, said: str) -> None:
    decoded = decode(release_of(text, encoding), name="x")
    assert text not in decoded.text and said in decoded.note


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        *RIGHT,
        *ALSO_RIGHT,
        *((encoding, text) for encoding, text, _ in NOT_GUESSED),
        ("utf-16", "é"),
        ("utf-8", "é"),
    ],
)
def test_a_given_encoding_is_used_without_a_warning(encoding: str, text: str) -> None:
    release = read_release(release_of(text, encoding), encoding=encoding)
    assert release.questions[0].fields["answer_0"] == text
    assert release.warnings == ()


def test_bytes_invalid_in_a_given_encoding_are_named() -> None:
    data = release_of("石破茂", "shift_jis")
    with pytest.raises(BadData, match=r"byte \d+ \(0x90\) is not utf-8"):
        read_release(data, encoding="utf-8")


@pytest.mark.parametrize("name", ["klingon", "zip", "rot13"])
def test_an_unknown_encoding_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=f"Unknown encoding '{name}'"):
        read_release(release_of("x", "ascii"), encoding=name)


def test_the_bytes_are_restored_whatever_encoding_was_guessed() -> None:
    for encoding, text in RIGHT:
        data = release_of(text, encoding)
        decoded = decode(data, name="x")
        assert decoded.text.encode(decoded.encoding) == data


@pytest.mark.parametrize("encoding", ["utf-32", "iso2022_jp"])
def test_a_declared_encoding_is_not_a_guess(encoding: str) -> None:
    release = read_release(release_of("石破茂", encoding))
    assert release.questions[0].fields["answer_0"] == "石破茂"

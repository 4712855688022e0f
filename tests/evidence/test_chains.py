"""Linking mentions of one entity, and chains of findings from a question to an answer."""

from __future__ import annotations

from freshqa.evidence.chains import by_chains, linked, mentions
from freshqa.evidence.evidence import Evidence, EvidenceKind


def hit(text: str, rank: int = 1) -> Evidence:
    return Evidence(EvidenceKind.organic, snippet=text, rank=rank)


def test_names_are_found_and_a_part_of_a_name_is_the_same_entity() -> None:
    whole, part = mentions("The mayor is Idris Quane."), mentions("Then Quane spoke in Port Lune.")
    assert frozenset({"idris", "quane"}) in whole
    assert linked([whole, part])[1] >= {frozenset({"idris", "quane"}), frozenset({"port", "lune"})}


def test_a_finding_that_shares_an_entity_with_one_about_the_question_comes_next() -> None:
    about = hit("Idris Quane is president of Orlune.")
    bridge = hit("Quane was born in Port Lune.")
    far = hit("Bananas are cheap in Vellmark.")
    box = Evidence(EvidenceKind.answer_box, snippet="See below.", highlight="unknown")
    order = by_chains((far, bridge, about, box), "Where was the president of Orlune born?")
    assert order == (box, about, bridge, far)


def test_a_question_without_names_is_reached_by_its_words() -> None:
    near, far = hit("the tallest tower is made of brick"), hit("nothing of interest")
    assert by_chains((far, near), "how high is the tallest tower?") == (near, far)
    assert by_chains((), "Who?") == ()

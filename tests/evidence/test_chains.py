"""Mentions of one entity are linked; the shortest chains lead from question to candidates."""

from __future__ import annotations

from freshqa.evidence.chains import Chain, by_chains, chains
from freshqa.evidence.entities import Entity, linked, mentions, named, numbers
from freshqa.evidence.evidence import Evidence, EvidenceKind

BORN = "Where was the president of Orlune born?"
ABOUT = "Idris Quane is president of Orlune."
BRIDGE = "Quane was born in Port Lune."
FAR = "Bananas are cheap in Vellmark."


def hit(text: str, rank: int = 1) -> Evidence:
    return Evidence(EvidenceKind.organic, snippet=text, rank=rank)


def name(text: str) -> Entity:
    return frozenset(text.lower().split())


def test_names_are_found_and_a_part_of_a_name_is_the_same_entity() -> None:
    whole, part = mentions("The mayor is Idris Quane."), mentions("Then Quane spoke in Port Lune.")
    assert name("Idris Quane") in whole
    assert linked([whole, part])[1] >= {name("Idris Quane"), name("Port Lune")}


def test_titles_of_knowledge_graphs_are_names_in_any_letter_case() -> None:
    graph = Evidence(EvidenceKind.knowledge_graph, title="idris quane", snippet="a politician")
    assert named(graph) == {name("Idris Quane")}
    assert (
        named(Evidence(EvidenceKind.organic, title="idris quane", snippet="a politician")) == set()
    )


def test_numbers_are_found_with_and_without_separators() -> None:
    assert numbers("132,000 seats, 828.5 m") == {frozenset({"132000"}), frozenset({"828.5"})}


def test_the_chain_to_an_answer_leads_over_the_entity_that_two_findings_share() -> None:
    by_candidate = {
        chain.candidate: chain for chain in chains((hit(FAR), hit(BRIDGE), hit(ABOUT)), BORN)
    }
    assert by_candidate[name("Idris Quane")] == Chain(name("Idris Quane"), (), (2,), support=2)
    assert by_candidate[name("Port Lune")] == Chain(
        name("Port Lune"), (name("Idris Quane"),), (2, 1), support=1
    )
    assert name("Vellmark") not in by_candidate  # no path leads there
    assert name("Orlune") not in by_candidate  # the question names it


def test_the_shortest_chain_is_chosen() -> None:
    direct = hit("Orlune's president was born in Port Lune.")
    by_candidate = {
        chain.candidate: chain for chain in chains((hit(ABOUT), hit(BRIDGE), direct), BORN)
    }
    assert by_candidate[name("Port Lune")].findings == (2,)


def test_of_equally_long_chains_the_one_with_more_findings_comes_first() -> None:
    once, twice = hit("Orlune honours Bram Oster."), hit("Orlune elected Idris Quane.")
    order = chains((once, twice, hit("Quane governs Orlune.")), "Who governs Orlune?")
    assert [chain.candidate for chain in order] == [name("Idris Quane"), name("Bram Oster")]


def test_a_question_for_a_number_is_answered_by_numbers_that_it_does_not_name() -> None:
    stadium = hit("The Vellmark Arena is the largest of Orlune; opened in 2020.")
    seats = hit("Vellmark Arena has 132,000 seats.")
    question = "What is the capacity of the largest stadium of Orlune in 2020?"
    (chain,) = chains((seats, stadium), question)
    assert chain == Chain(frozenset({"132000"}), (name("Vellmark Arena"),), (1, 0), support=1)


def test_a_finding_that_shares_an_entity_with_one_about_the_question_comes_next() -> None:
    about, bridge, far = hit(ABOUT), hit(BRIDGE), hit(FAR)
    box = Evidence(EvidenceKind.answer_box, snippet="See below.", highlight="unknown")
    assert by_chains((far, bridge, about, box), BORN) == (box, about, bridge, far)


def test_a_question_without_names_is_linked_by_its_words() -> None:
    near, far = hit("the tallest tower is 828 metres high"), hit("nothing of interest")
    assert by_chains((far, near), "how high is the tallest tower?") == (near, far)
    assert by_chains((), "Who?") == () == chains((), "Who?")

"""Assign a question to a topic by its words; sites are weighted by topic."""

from __future__ import annotations

import re

from freshqa.facts.word_list import words

OTHER = "other"
TOPICS = {
    "sport": words(
        "athlete athletes ball baseball basketball bowl boxing champion champions championship"
        " championships club coach cricket cup driver f1 fifa final finals football formula game"
        " games goal goals golf grand hockey league lebron marathon match mlb nba nfl nhl olympic"
        " olympics player players playoffs prix quarterback race racing record rugby season slam"
        " soccer sport sports stadium team teams tennis title titles tour tournament uefa ufc"
        " wimbledon wrestling"
    ),
    "arts": words(
        "actor actors actress album albums anime artist artists award awards band bestseller book"
        " books box-office celebrity comic director emmy emmys episode episodes film films grammy"
        " grammys grossing movie movies museum music musical netflix nobel novel novels oscar oscars"
        " painting pop prize rapper role season series show singer single song songs spotify star"
        " streaming studio taylor television theater tv video youtube youtuber"
    ),
    "politics": words(
        "ambassador army cabinet capital chancellor congress constitution country countries court"
        " democratic election elections eu federal governor government house justice king law laws"
        " leader legal mayor member members military minister monarch monarchs nation nations nato"
        " parliament party pope president presidents prime prince queen republican secretary senate"
        " senator state states supreme treaty un vice vote war"
    ),
    "business": words(
        "bank billionaire billionaires brand ceo ceos companies company cost cryptocurrency currency"
        " dollar dollars economy employees exchange firm founder gdp inflation invest market money"
        " net owner price rate revenue richest salary sales shares stock stocks store stores tax"
        " trillion valuable wage wealth worth"
    ),
    "science": words(
        "ai algorithm android app apple asteroid astronaut atom browser chatgpt chip climate computer"
        " covid covid-19 disease drug earth element galaxy google gpt gpu iphone language launch"
        " linux mars medicine microsoft model moon nasa openai orbit phone physics planet planets"
        " processor programming python rocket satellite scientist scientists software solar space"
        " spacecraft spacex species sun telescope temperature vaccine version virus windows"
    ),
}
"""Topic → words that count for it; a topic is a coarse guess, so its rates are shrunk to the site's."""
_WORD = re.compile(r"[\w-]+")


def topic(question: str) -> str:
    """Return the topic with the most words in a question; the first of equals, `other` for none."""
    asked = {
        word.casefold() for word in _WORD.findall(question.replace("'s", " ").replace("’s", " "))
    }
    counts = {name: len(asked & known) for name, known in TOPICS.items()}
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else OTHER

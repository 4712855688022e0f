"""RGB's testbeds on `search-only`, the official rules beside ours, and what its data hold.

    python benchmarks/rgb_probes.py

`search-only` is the reader that needs no model: it shows the first passage and never doubts. So its
figures are a lower end, and a check of sampling and scoring: accuracy must fall with noise, and it can
neither decline nor notice a contradiction. The last part makes testbeds of our own from two releases.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from freshqa.dataset.identity import match
from freshqa.dataset.release import read_release
from freshqa.evaluation.rate import Rate
from freshqa.evaluation.rgb.metrics import metrics
from freshqa.evaluation.rgb.own import Dated, own_testbeds
from freshqa.evaluation.rgb.probe import Probe, read_item, summarise
from freshqa.evaluation.rgb.qualification import probes_of
from freshqa.evaluation.rgb.reader import MethodReader
from freshqa.evaluation.rgb.reply import read_reply
from freshqa.evaluation.rgb.sampling import Mixture, official_sample, reachable
from freshqa.evaluation.rgb.scoring import Scoring, holds, score
from freshqa.evaluation.rgb.testbed import Item, Kind, Testbed, read_testbed

DATA = Path(
    os.environ.get("FRESHQA_TEST_DATA", Path(__file__).parent.parent.parent / "shared" / "data")
)
READER = MethodReader("search-only", as_of=date(2024, 3, 13))
OLD, NEW = (
    ("FreshQA_v11132023.csv", date(2023, 11, 13)),
    ("FreshQA_v05272024.xlsx", date(2024, 5, 27)),
)


def as_base(bed: Testbed) -> Testbed:
    """Return a counterfactual testbed without its false documents: noise and rejection."""
    items = tuple(replace(item, fake=(), positive_wrong=()) for item in bed.items)
    return replace(bed, name=f"{bed.name}, true documents", kind=Kind.base, items=items)


def row(bed: Testbed, probe: Probe) -> None:
    result = summarise([read_item(i, bed, probe, READER) for i in bed.items], bed, probe)
    official = replace(probe, scoring=Scoring.official)
    official_rates = metrics(
        [
            score(read_item(i, bed, probe, READER).reply, i, language=bed.language, scoring=official.scoring)
            for i in bed.items
        ],
        scoring=Scoring.official,
        noise=probe.mixture.noise,
    )  # fmt: skip
    mixture = probe.mixture
    print(
        f"| {bed.name} | {mixture.documents} | {mixture.noise:g} | {mixture.correct:g} |"
        f" {result.rates['ACC']} | {official_rates['ACC']} | {result.rates['Rej*']} | {official_rates['Rej']} |"
        f" {result.short} | {len(bed.items)} |"
    )


def supports(name: str, items: Sequence[Item], documents: Callable[[Item], Sequence[str]]) -> None:
    """Share of questions of which one of at most five documents holds the true answer."""
    asked = [item for item in items if documents(item)]
    hits = sum(any(holds(item.parts[0], d) for d in documents(item)[:5]) for item in asked)
    print(f"| {name} | {Rate(hits, len(asked))} | {len(asked)} |")


def published_faults(beds: dict[str, Testbed]) -> None:
    """The official code's behaviour on the data at hand, figure by figure."""
    print("\nBehaviour of RGB's code")
    for bed in beds.values():
        short = [part for item in bed.items for part in item.parts if min(map(len, part)) <= 2]
        print(f"{bed.name}: answers of at most two characters: {len(short)}")
        k = Mixture(noise=0.4)
        few = sum(len(official_sample(item, bed.kind, k)) < 5 for item in bed.items)
        print(f"{bed.name}: items with fewer than 5 documents at noise 0.4: {few}")
        if bed.kind is Kind.integration:
            for noise in (0.0, 0.2, 0.4):
                reached = reachable(bed, Mixture(noise=noise))
                print(
                    f"{bed.name}: items that reach noise {noise:g}: {reached} of {len(bed.items)}"
                )
            most = max(bed.items, key=lambda item: len(item.positive))
            drawn = official_sample(most, bed.kind, k)
            negative = sum(document in most.negative for document in drawn)
            print(f"{bed.name}: {len(most.positive)} groups at noise 0.4: {len(drawn)} documents, "
                  f"{negative} of them noise")  # fmt: skip
    twelve = Item("0", "?", (("12",),), (("12",),), (), answer="12")
    for said in ("in 2012", "insufficient information, but it is 12"):
        ours, official = (
            score(read_reply(said), twelve, language="en", scoring=scoring) for scoring in Scoring
        )
        print(f"answer 12, reply {said!r}: ours {ours.labels}, official {official.labels}")


def main() -> None:
    beds = {n: read_testbed(DATA / "rgb" / f"{n}.json") for n in ("en_fact", "zh_fact", "zh_int")}
    print("| testbed | documents | noise | correct | ACC | ACC, official | Rej* | Rej, official |"
          " short | n |")  # fmt: skip
    every = [
        as_base(beds["en_fact"]),
        as_base(beds["zh_fact"]),
        beds["zh_int"],
        beds["en_fact"],
        beds["zh_fact"],
    ]
    for bed, probe in probes_of(every, full=True):
        row(bed, probe)
    print("\nOne of five documents holds the true answer")
    for name in ("en_fact", "zh_fact"):
        items = beds[name].items
        supports(f"{name}, true documents", items, lambda item: item.positive[0])
        supports(f"{name}, false documents", items, lambda item: item.positive_wrong)
        supports(f"{name}, noise only", items, lambda item: item.negative)
    published_faults(beds)
    print("\nOwn testbeds")
    old = match(read_release(DATA / "freshqa" / OLD[0]).questions, ()).questions
    new = match(read_release(DATA / "freshqa" / NEW[0]).questions, old).questions
    own = own_testbeds(Dated(old, OLD[1]), Dated(new, NEW[1]), size=100)
    own_beds = [Testbed(f"own {kind.value}", kind, "en", items, "") for kind, items in own.items()]
    changed = sum(
        "2023-11-13" in " ".join(item.positive_wrong) for item in own[Kind.counterfactual]
    )
    print(f"False answers that are former answers: {changed} of {len(own[Kind.counterfactual])}")
    for bed, probe in probes_of(own_beds, full=True):
        row(bed, probe)


if __name__ == "__main__":
    main()

"""The desk in a real browser: keys, themes, zoom, accessibility, hostile evidence."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

from desk.browsing import needs_browser, picture, press, schemes_with_axe
from desk.server import serving
from desk.world import KEEPER, fill, finding, many, proposals

from freshqa.store.proposals import proposal

pytestmark = needs_browser


def test_fifty_proposals_are_decided_with_keys_alone(page, empty_store) -> None:
    rows, checks = many(50)
    ids = fill(empty_store, checks, rows)
    with serving(empty_store, local_user="Ada") as url:
        page.goto(f"{url}/queue")
        page.keyboard.press("j")
        press(page, "Enter")
        for place in range(50):
            press(page, "ark"[place % 3])
        assert "No proposals to review" in page.content()
    decided = [proposal(empty_store, id).decision.action.value for id in ids]
    assert decided == [("accept", "reject", "keep")[place % 3] for place in range(50)]


def test_every_key_does_what_the_help_says(page, empty_store) -> None:
    ids = fill(empty_store)
    with serving(empty_store, local_user="Ada") as url:
        page.goto(f"{url}/proposals/{ids[0]}")
        page.keyboard.press("?")
        assert page.locator("dialog").is_visible()
        page.keyboard.press("Escape")
        press(page, "n")
        assert page.url.endswith(f"/proposals/{ids[1]}")
        press(page, "p")
        page.keyboard.press("c")
        page.keyboard.type("a r k u 1")  # keys are silent while typing
        assert page.locator("[name=reason]").input_value() == "a r k u 1"
        page.keyboard.press("Escape")
        press(page, "a")
        press(page, "u")
        assert page.url.endswith(f"/proposals/{ids[0]}")
        assert proposal(empty_store, ids[0]).status == "pending"
        page.keyboard.press("e")
        page.keyboard.press("Control+Home")
        page.keyboard.type("The Honourable ")
        press(page, "Control+Enter")
        edited = proposal(empty_store, ids[0])
        assert edited.decision.edits["answer_0"] == "The Honourable Idris Quane"
        press(page, "d")
        assert proposal(empty_store, ids[1]).status == "pending"
        page.goto(f"{url}/proposals/{ids[3]}")
        press(page, "1")
        assert proposal(empty_store, ids[3]).decision.edits["answer_0"] == "Pell Arrow"
        press(page, "q")
        page.keyboard.press("/")
        page.keyboard.type("moons")
        press(page, "Enter")
        assert "1 to review" in page.content()


def test_keys_select_a_row_apply_suggestions_and_open_the_first_source(page, empty_store) -> None:
    checked = proposals()
    first = replace(
        checked[0].proposal,
        suggestions={"fact_type": "It changed twice in a year."},
        suggested_values={"fact_type": "fast-changing"},
    )
    ids = fill(empty_store, [replace(checked[0], proposal=first), *checked[1:]])
    with serving(empty_store, local_user="Ada") as url:
        page.goto(f"{url}/queue")
        boxes = "rows => rows.map(row => row.querySelector('input[type=checkbox]')?.value ?? '')"
        offered = page.locator("tbody tr").evaluate_all(boxes)
        place = next(place for place, value in enumerate(offered) if value)
        for key in "j" * (place + 1) + "x":
            page.keyboard.press(key)
        assert page.locator("input[type=checkbox]:checked").input_value() == offered[place]
        page.keyboard.press("x")
        assert page.locator("input[type=checkbox]:checked").count() == 0
        page.goto(f"{url}/proposals/{ids[0]}")
        page.context.route("https://**", lambda route: route.abort())  # the source is not asked
        with page.context.expect_page() as opened:
            page.keyboard.press("o")
        opened.value.close()
        assert "It changed twice in a year." in page.content()
        page.keyboard.press("w")
        press(page, "a")
        assert proposal(empty_store, ids[0]).decision.edits["fact_type"] == "fast-changing"


def test_no_page_has_an_accessibility_violation_in_either_scheme(page, empty_store) -> None:
    ids = fill(empty_store)
    paths = {
        "queue": "/queue",
        "proposal": f"/proposals/{ids[0]}",
        "conflict": f"/proposals/{ids[3]}",
    }
    rest = {
        "draft": "/draft",
        "version": "/versions/1",
        "runs": "/runs",
        "question": "/questions/q-keeper",
    }
    with serving(empty_store, local_user="Ada", second_review=("premise",)) as url:
        for name, path in {**paths, **rest, "conflicts": "/conflicts"}.items():
            page.goto(url + path)
            for scheme in schemes_with_axe(page):
                if name in paths:
                    picture(page, f"{name}-{scheme}")


def test_nothing_is_cut_off_on_a_narrow_screen_or_at_double_zoom(page, empty_store) -> None:
    """200 % zoom of 1280 pixels is 640 CSS pixels."""
    ids = fill(empty_store)
    with serving(empty_store, local_user="Ada") as url:
        for path in ("/queue", f"/proposals/{ids[0]}", f"/proposals/{ids[3]}"):
            page.goto(url + path)
            for width in (1280, 640, 360):
                page.set_viewport_size({"width": width, "height": 800})
                wide = page.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, path
                if width == 1280:
                    high = page.evaluate("document.documentElement.scrollHeight")
                    assert high <= 800, path


def test_hostile_evidence_is_inert_text(page, empty_store) -> None:
    cases = json.loads(
        (Path(__file__).parents[1] / "evidence" / "injection_cases.json").read_text()
    )
    attacks = [case["text"] for case in cases["attacks"]]
    attacks += [
        "<script>document.title='owned'</script>",
        "<img src=x onerror=\"document.title='owned'\">",
        "\"><svg/onload=document.title='owned'>",
        "{{ 7*7 }} {% print 1 %} </textarea><script>document.title='owned'</script>",
    ]
    bad = (
        "javascript:document.title='owned'",
        "data:text/html,<script>1</script>",
        "file:///etc/passwd",
    )
    base = proposals()[0]
    evidence = tuple(
        finding(text, text, date(2026, 3, 2), "evil.example", url=bad[n % 3] if n % 2 else "")
        for n, text in enumerate(attacks)
    )
    hostile = replace(
        base.proposal,
        evidence=evidence,
        quotes={finding.id: finding.snippet for finding in evidence[::3]},
        reasons=tuple(attacks),
        raw_response="\n".join(attacks),
        flags=tuple(attacks[-4:]),
    )
    ids = fill(empty_store, [replace(base, proposal=hostile, evidence=evidence)], (KEEPER,))
    with serving(empty_store, local_user="Ada") as url:
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{url}/proposals/{ids[0]}")
        page.goto(f"{url}/queue")
        page.goto(f"{url}/proposals/{ids[0]}")
        page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
        text = page.locator("main").inner_text()
        assert "<script>document.title='owned'</script>" in text
        assert "owned" not in page.title()
        assert all(address.startswith(url) for address in asked)
        links = page.locator("main a").evaluate_all(
            "all => all.map(one => [one.href, one.rel, one.target])"
        )
        for href, rel, target in links:
            assert href.startswith(("http://", "https://")), href
            assert not target or rel == "noopener noreferrer"
        assert page.locator("main script, main img, main svg, main iframe").count() == 0

"""Test contrasts by rule: questions, keywords, lists, topics, exclusions, and properties of every contrast."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litotes.data.writing_rule import breaches
from litotes.detection import Clause, main_clause
from litotes.errors import LexiconError
from litotes.lexicon import table
from litotes.parse import Sentence, load_parser
from litotes.rewrite import Options, rewrite_texts, task
from litotes.synthesis import Anchor, read
from litotes.synthesis.by_rule.exclusion_contrasts import exclusion_contrasts, wordings
from litotes.synthesis.by_rule.negatable_sentences import negatable_sentences, reads_well
from litotes.synthesis.by_rule.noun_lists import noun_lists
from litotes.synthesis.by_rule.noun_phrases import Names, collect_names
from litotes.synthesis.by_rule.queries import keywords, query_pairs, statement
from litotes.synthesis.by_rule.query_words import query_words
from litotes.synthesis.by_rule.questions import questions
from litotes.synthesis.by_rule.rewritten_contrasts import contrasts, partners_among
from litotes.synthesis.by_rule.topics import Partners, topic

NO_NAMES = Names()


def _sentence(text: str) -> Sentence:
    return load_parser().parse(text).sentences[-1]


def _clause(text: str) -> Clause:
    clause = main_clause(_sentence(text))
    assert isinstance(clause, Clause)
    return clause


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "The old boats don't run in winter.",
            {"subject": "which boats don't run in winter", "adjunct": "when do the old boats not run"},
        ),
        (
            "The museum in Tarrow sells postcards on Sundays.",
            {
                "subject": "which museum sells postcards on Sundays",
                "object": "what does the museum in Tarrow sell on Sundays",
                "adjunct": "when does the museum in Tarrow sell postcards",
            },
        ),
        ("The malaria vaccine isn't safe for children.", {"object": "who is the malaria vaccine not safe for"}),
        ("The price of a ticket depends on the weather.", {"object": "what does the price of a ticket depend on"}),
        (
            "Dogs cannot enter the main hall of the museum.",
            {"subject": "what cannot enter the main hall of the museum"},
        ),
        ("Pottery and coins are sold at the old fish market.", {"subject": "what is sold at the old fish market"}),
        ("A diver checks the bolts and the cable in May.", {"subject": "who checks the bolts and the cable in May"}),
        ("The council has approved the new bridge.", {"subject": "which council has approved the new bridge"}),
        (
            "In 1890 the town of Gellan bought two steam engines.",
            {"subject": "in 1890, which town bought two steam engines"},
        ),
    ],
)
def test_questions_about_subject_object_and_adjunct(text: str, wanted: dict[str, str]) -> None:
    by_focus = {question.focus: question.text for question in questions(_clause(text), NO_NAMES)}
    assert {focus: by_focus.get(focus) for focus in wanted} == wanted


@pytest.mark.parametrize(
    "text",
    [
        "They run in winter.",
        "No boats run in winter.",
        "All boats run in winter.",
        "Anyone who books early gets a free drink and a table.",
        "Its old boats run in winter.",
        "Such boats run in winter.",
        "It sells postcards.",
        "There is a footbridge at the mill.",
        "What does the museum sell?",
        "Sell the old postcards!",
    ],
)
def test_no_question_if_the_rules_are_not_certain(text: str) -> None:
    assert list(questions(_clause(text), NO_NAMES)) == []


def test_nobody_asks_when_a_thing_was_not_built() -> None:
    results = [
        question.focus for question in questions(_clause("The new wing was opened in 2017 by the mayor."), NO_NAMES)
    ]
    assert results == ["subject"]


def test_the_passage_says_what_its_names_denote() -> None:
    names = collect_names(load_parser().parse("Tessaly is a nasal spray for adults. Lowick Bay Clinic sells it."))
    assert names.kinds == {"tessaly": "spray"}
    assert names.by_noun == {"spray": "Tessaly", "clinic": "Lowick Bay Clinic"}
    results = [question.text for question in questions(_clause("Tessaly may cause a dry nose."), names)]
    assert results[0] == "which spray may cause a dry nose"
    assert keywords(_clause("The clinic has a pharmacy."), names) == "lowick bay clinic with pharmacy"
    two = collect_names(load_parser().parse("Lowick Bay Clinic is old. Tarn Hill Clinic is new."))
    assert "clinic" not in two.by_noun


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The winter ferry does not run on Sundays.", "winter ferry not running sundays"),
        ("The winter ferry leaves the pier on Sundays.", "winter ferry leaving pier sundays"),
        ("The drug isn't approved for small children.", "drug not approved for small children"),
        ("The clinic has no pharmacy on the ground floor.", "clinic without pharmacy on ground floor"),
        ("Passengers can't bring dogs on board.", "passengers cannot bring dogs on board"),
        ("The council has not approved the new bridge.", "council has not approved new bridge"),
        ("The council has approved the new bridge.", "council approved new bridge"),
        ("There is no footbridge at the old mill.", "no footbridge at old mill"),
        ("No cabin has a balcony on the upper deck.", "no cabin with balcony on upper deck"),
        ("Some of the old boats aren't safe.", "some of the old boats not safe"),
        ("They don't run in winter.", ""),
        ("This ferry doesn't run in winter.", ""),
    ],
)
def test_keywords_keep_the_negation(text: str, wanted: str) -> None:
    assert keywords(_clause(text), NO_NAMES) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The old boats run in winter.", "The old boats run in winter"),
        ("The firm sold its old boats.", "The firm sold its old boats"),
        ("The firm sold his old boats.", ""),
        ("The firms sold its old boats.", ""),
        ("They run in winter.", ""),
        ("Some have been sold.", ""),
    ],
)
def test_statements_must_be_self_contained(text: str, wanted: str) -> None:
    assert statement(_clause(text), NO_NAMES) == wanted


def test_query_pairs_ask_both_sentences_the_same() -> None:
    results = list(
        query_pairs(_sentence("The museum sells old maps."), _sentence("The museum doesn't sell old maps."), NO_NAMES)
    )
    asked = {(pair.style, pair.first, pair.second) for pair in results}
    assert ("question", "Which museum sells old maps?", "Which museum does not sell old maps?") in asked
    assert ("question", "Which museum sells old maps?", "Which museum doesn't sell old maps?") in asked
    assert ("keywords", "museum selling old maps", "museum not selling old maps") in asked
    assert ("statement", "The museum sells old maps", "The museum doesn't sell old maps") in asked
    assert all(pair.first != pair.second for pair in results)
    # The two sentences have different subjects.
    unlike = list(
        query_pairs(_sentence("The museum sells old maps."), _sentence("The library doesn't sell maps."), NO_NAMES)
    )
    assert [pair for pair in unlike if pair.style == "question"] == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The museum shows pottery, maps and coins.", ["pottery and coins", "pottery and maps"]),
        ("The museum shows pottery, maps, and coins.", ["pottery and coins", "pottery and maps"]),
        ("The museum shows pots, maps, and coins, and rings.", []),
        (
            "The clinic has three doctors, five nurses and a pharmacy.",
            ["three doctors and a pharmacy", "three doctors and five nurses"],
        ),
        ("The museum shows pottery and coins.", ["pottery"]),
        ("The road runs between Grenval and Sorne.", []),
        ("The stand has two lifts and forty places for wheelchairs.", []),
        ("The shop stocks milk, eggs and potatoes from the farm.", ["milk and potatoes"]),
        ("The book describes the form and colour of the leaves.", []),
    ],
)
def test_a_member_can_be_removed_from_a_list(text: str, wanted: list[str]) -> None:
    lists = list(noun_lists(_sentence(text)))
    assert [items.without(number) for items in lists[:1] for number in items.removable()] == wanted


CLINIC = (
    "Lowick Bay Clinic stands beside the old harbour office. The clinic has three doctors, five nurses and a pharmacy. "
    "Patients can walk in before ten in the morning. A new wing with a garden was opened in 2017."
)


def test_the_topic_is_what_the_passage_continues_with() -> None:
    document = load_parser().parse(CLINIC)
    about = topic(document, collect_names(document))
    assert about is not None
    assert (about.text, about.kind) == ("Lowick Bay Clinic", "clinic")
    short = load_parser().parse("Lowick Bay Clinic stands beside the harbour. It is old.")
    assert topic(short, collect_names(short)) is None


def test_exclusions_have_a_document_for_each_query() -> None:
    document = load_parser().parse(CLINIC)
    results = list(exclusion_contrasts("x", document, random.Random(0), Partners(())))
    assert results
    for contrast in results:
        assert contrast.first != contrast.second
        assert contrast.without != contrast.having
    lists = [
        contrast for contrast in results if "Which clinic" in contrast.first and "not a pharmacy" in contrast.first
    ]
    assert lists
    without = CLINIC.replace("three doctors, five nurses and a pharmacy", "three doctors and five nurses")
    assert {(contrast.without, contrast.having) for contrast in lists} == {(without, CLINIC)}
    wing = [contrast for contrast in results if "the new wing" in contrast.first]
    assert wing
    first, *_, last = document.sentences
    separate = f"{CLINIC[: first.end]} {CLINIC[last.start :]}"
    assert {(contrast.without, contrast.having) for contrast in wing} == {
        (CLINIC[: document.sentences[-2].end], separate)
    }


def test_a_thing_that_is_mentioned_elsewhere_is_not_excluded() -> None:
    twice = CLINIC + " The pharmacy closes at six."
    results = list(exclusion_contrasts("x", load_parser().parse(twice), random.Random(0), Partners(())))
    assert not any("not a pharmacy" in contrast.first for contrast in results)


def test_a_thing_is_contrasted_with_another_of_its_kind() -> None:
    other = Anchor("b", "Tarn Hill Clinic has a large garden. It was founded in 1902. It has twelve beds for patients.")
    partners = partners_among([Anchor("a", CLINIC), other])
    results = [
        contrast
        for contrast in exclusion_contrasts("a", load_parser().parse(CLINIC), random.Random(3), partners)
        if contrast.without == other.text
    ]
    assert len(results) == 1
    assert "Lowick Bay Clinic" in results[0].first
    assert "Tarn Hill Clinic" in results[0].second
    assert results[0].having == CLINIC


def test_the_wordings_are_many_and_complete() -> None:
    gaps = dict.fromkeys(("k", "n", "a_n", "y", "a_y", "the_y", "head", "rest", "q"), "x")
    rows = list(table("exclusion_cues"))
    assert len({row["query"] for row in rows}) >= 40
    for row in rows:
        assert "{" not in row["query"].format(**gaps) + row["mirror"].format(**gaps)
        assert row["query"] == row["mirror"] or row["frame"] != "pair"
    fronted = [row for row in rows if re.match(r"\w+ (?:\w+ ){0,3}\{(?:the_)?y\},", row["query"])]
    assert len(fronted) >= 8
    assert len(wordings("topic")) + len(wordings("mention")) >= 20
    assert wordings("no such frame") == []


PASSAGE = (
    "The Corve ferry crosses the lake twice a day. The old boats run in winter. "
    "All passengers wear a life jacket on board. A kiosk on the pier sells tea, soup and maps."
)


def test_properties_of_every_contrast() -> None:
    counts: Counter[str] = Counter()
    anchors = [Anchor(str(number), PASSAGE) for number in range(12)] + [Anchor("clinic", CLINIC)]
    made = list(contrasts(anchors, seed=0, counts=counts))
    assert counts["kept"] == len(made) > 15
    per_anchor = Counter((contrast.id.partition("/")[0], contrast.style == "exclusion") for contrast in made)
    assert max(per_anchor.values()) == 1
    for contrast in made:
        assert contrast.q2 is not None
        assert contrast.q1 != contrast.q2
        assert contrast.doc1 != contrast.doc2
        if contrast.style == "exclusion":
            assert contrast.kind == "exceptor"
        else:
            assert contrast.doc1 in {PASSAGE, CLINIC}
            before, after = (load_parser().parse(text).sentences for text in (contrast.doc1, contrast.doc2))
            assert len(before) == len(after)
    assert {contrast.style for contrast in made} == {"question", "keywords", "statement", "exclusion"}


def test_contrasts_depend_on_seed_and_anchor_only() -> None:
    anchors = [Anchor("a", PASSAGE), Anchor("b", CLINIC), Anchor("c", PASSAGE)]
    whole = list(contrasts(anchors, seed=5, counts=Counter()))
    parts = [contrast for anchor in anchors for contrast in contrasts([anchor], seed=5, counts=Counter())]
    assert whole == parts == list(contrasts(anchors, seed=5, counts=Counter()))
    many = [Anchor(str(number), PASSAGE) for number in range(4)]
    first, second = (list(contrasts(many, seed=seed, counts=Counter())) for seed in (1, 2))
    assert [contrast.q1 for contrast in first] != [contrast.q1 for contrast in second]


def test_the_word_rule_drops_and_counts() -> None:
    anchors = [Anchor(str(number), PASSAGE) for number in range(6)]
    free, bound = Counter[str](), Counter[str]()
    list(contrasts(anchors, seed=0, counts=free))
    made = list(contrasts(anchors, seed=0, counts=bound, word_rule=True))
    assert all(breaches(contrast) == [] for contrast in made)
    assert sum(bound.values()) == sum(free.values()) == 12
    assert bound["kept"] < free["kept"]
    assert bound["exclusion: a query has a word of one document only"] > 0


@pytest.mark.parametrize(
    "text",
    [
        "The boats also run in winter.",
        "The boats run because the road is closed.",
        "The boats run in winter, when the road is closed.",
        "The boats run in winter and carry cars.",
        "However, the boats run in winter.",
        "For example, the boats run in winter.",
        "The boats don't run without a captain.",
        "Do the boats run in winter?",
        "The boats run in winter:",
    ],
)
def test_sentences_that_are_not_negated(text: str) -> None:
    assert negatable_sentences(load_parser().parse(text)) == []


def test_a_sentence_that_the_next_one_refers_to_is_not_negated() -> None:
    document = load_parser().parse(
        "The old boats run in winter. This is bad for the trade. The new boats rest in the dock."
    )
    results = [sentence.text[sentence.start : sentence.end] for sentence in negatable_sentences(document)]
    assert results == ["This is bad for the trade.", "The new boats rest in the dock."]


@pytest.mark.parametrize(
    ("text", "kind", "good"),
    [
        ("The old boats run in winter.", "verbal", True),
        ("The shop sells old maps.", "absolute", True),
        ("Four titles have been won by the club.", "verbal", False),
        ("The drug is safe for children.", "affixal", True),
        ("The old boats run in winter.", "lexical", False),
        ("The bell fell silent at night.", "lexical", False),
        ("The island holds a colony of gulls.", "lexical", False),
    ],
)
def test_negations_that_read_well(text: str, kind: str, good: bool) -> None:
    rewrite = next(rewrite_texts([text], [task("negate", kind, Options(unchecked=True))]))[0]
    assert rewrite, rewrite.reason
    assert reads_well(_sentence(text), rewrite) is good


@pytest.mark.parametrize(
    "text", ["", " ", "...", "Yes", "🙂 🙂", "Der Hund schläft.", "NO DOGS ARE ALLOWED", "a " * 300, "x" * 20_500]
)
def test_odd_texts_give_nothing_and_are_counted(text: str) -> None:
    counts: Counter[str] = Counter()
    assert list(contrasts([Anchor("odd", text)], seed=0, counts=counts)) == []
    assert counts == {"no sentence of the passage can be negated": 1, "nothing to exclude": 1}
    assert list(contrasts([], seed=0, counts=counts)) == []


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([*PASSAGE.split(), *CLINIC.split(), ",", ".", "and", "not", "(", '"']), max_size=25))
def test_words_in_any_order_are_accepted(tokens: list[str]) -> None:
    for contrast in contrasts([Anchor("x", " ".join(tokens))], seed=0, counts=Counter()):
        assert contrast.q1
        assert contrast.q2
        assert contrast.doc1 != contrast.doc2


def test_a_missing_word_list_is_named() -> None:
    with pytest.raises(LexiconError, match="no set called 'nothing'"):
        query_words("nothing")


@pytest.mark.slow
def test_the_seed_passages_give_contrasts_of_every_style() -> None:
    anchors = list(read(["seed:passages"]))[::4]
    styles = Counter(contrast.style for contrast in contrasts(anchors, seed=0, counts=Counter()))
    assert all(styles[style] >= 10 for style in ("question", "keywords", "statement", "exclusion"))

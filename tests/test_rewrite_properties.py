"""Properties of rewrites of any text: undo, unchanged surroundings, never a traceback."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from litotes import InputError, Rewrite, affirm, hedge, negate, paraphrase, rewrites
from litotes.detection import find_cues, sentential_cues
from litotes.parse import load_parser
from litotes.rewrite import Options, rewrite_texts, task
from litotes.types import Edit, apply_edits
from tests.conftest import rows

WORDS = """the a cat dogs she they nobody is isn't was will can't never not no some any all run ran walks quickly happy
unhappy that who if because and or but , . ? ! " ' ’ ( ) - 5 No. Tom it's won't there are 😀 café naïve""".split()  # noqa: SIM905
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)
anything = st.text(max_size=60)
relaxed = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def _holds(result: Rewrite) -> None:
    """Check that a result is a reason, or a rewrite that can be undone and differs only in its edits."""
    assert result.undo() == result.text
    if result.rewrite is None:
        assert result.reason
        return
    assert result.rewrite != result.text
    assert apply_edits(result.text, result.edits) == result.rewrite
    at = 0
    for edit in result.edits:
        assert edit.start >= at
        assert result.text[edit.start : edit.end] == edit.old
        at = edit.end


@relaxed
@given(sentences)
def test_every_rewrite_can_be_undone(text: str) -> None:
    for result in rewrites(text):
        _holds(result)


@relaxed
@given(anything)
def test_any_unicode_gives_a_result_or_a_reason(text: str) -> None:
    for result in [
        negate(text),
        affirm(text),
        hedge(text),
        paraphrase(text),
        negate(text, "absolute", sentence="each"),
    ]:
        _holds(result)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n\t ",
        "\x00",
        "The cat\x00 sleeps.",
        "\x1b[31mThe cat sleeps.\x07",
        "<p>The drug is <b>safe</b>.</p>",
        "🙂🙂🙂",
        "Der Hund schläft nicht auf dem Sofa.",
        "El perro come la comida de los niños.",
        "犬は寝ている。",
        "собака спит",
        "FIRE SALE",
        "Stocks up, bonds down",
        "42",
        "?!",
        "a" * 19_999,
        "word " * 3_900,
        "(" * 5_000,
        "not " * 400,
        "\u202eThe cat sleeps.",
    ],
    ids=lambda text: repr(text[:20]),
)
def test_unusual_text_gives_a_result_or_a_reason(text: str) -> None:
    for result in rewrites(text):
        _holds(result)
    _holds(affirm(text))


def test_a_hundred_thousand_characters_get_a_reason() -> None:
    result = negate("The drug is safe. " * 6_000)
    assert result.rewrite is None
    assert "limit is 20,000" in result.reason


def test_other_languages_get_a_reason() -> None:
    for text in ("Der Hund ist nicht auf dem Sofa.", "Le chat est sur la table.", "犬は寝ている。"):
        assert negate(text).rewrite is None


def test_hedges_and_paraphrases_keep_the_number_of_negations() -> None:
    """For every text of the tables, the parsed rewrite has as many negations as the text."""
    options = Options(cue="probably")
    tasks = [task("hedge", "word", options), *(task("paraphrase", kind) for kind in ("voice", "fronting", "cleft"))]
    texts = list(dict.fromkeys(row["text"] for row in rows()))
    pairs = [
        (text, str(result))
        for text, results in zip(texts, rewrite_texts(texts, tasks), strict=True)
        for result in filter(None, results)
    ]
    assert len(pairs) > 400
    distinct = list(dict.fromkeys(text for pair in pairs for text in pair))
    negations = {
        text: sum(len(sentential_cues(find_cues(sentence))) for sentence in document.sentences)
        for text, document in zip(distinct, load_parser().pipe(distinct), strict=True)
    }
    for text, rewrite in pairs:
        assert negations[text] == negations[rewrite], (text, rewrite)


def test_curly_apostrophes_change_nothing() -> None:
    """Every text of the tables with an apostrophe gives the same rewrite with a curly one."""
    straight = [
        row["text"] for row in rows() if "'" in row["text"] and "’" not in row["text"] and '"' not in row["text"]
    ]
    curled = [text.replace("'", "’") for text in straight]
    one = [task("negate", "verbal")]
    for text, (a,), (b,) in zip(straight, rewrite_texts(straight, one), rewrite_texts(curled, one), strict=True):
        assert str(a).replace("'", "’") == str(b).replace("'", "’"), text


def test_the_cue_of_a_negation_occurs_in_the_rewrite_or_the_text() -> None:
    """The cue is the inserted word or affix, or the removed word of a clause that was affirmed."""
    texts = list(dict.fromkeys(row["text"] for row in rows()))
    tasks = [task("negate", kind) for kind in ("verbal", "absolute", "lexical", "exceptor", "contrary")]
    for results in rewrite_texts(texts, tasks):
        for result in filter(None, results):
            where = str(result).lower() + " " + result.text.lower()
            assert result.cue.lower() in where, result


def test_the_same_seed_draws_the_same_hedge() -> None:
    text = "The committee approved the plan."
    assert hedge(text, seed=3) == hedge(text, seed=3)
    drawn = {hedge(text, seed=seed).cue for seed in range(30)}
    assert len(drawn) >= 10


def test_a_sentence_is_chosen_by_its_number() -> None:
    text = "It rained. The roof leaked.  We left."
    assert negate(text).rewrite == "It didn't rain. The roof leaked.  We left."
    assert negate(text, sentence=1).rewrite == "It rained. The roof didn't leak.  We left."
    assert negate(text, sentence="each").rewrite == "It didn't rain. The roof didn't leak.  We didn't leave."
    assert "the text has 3" in negate(text, sentence=3).reason
    with pytest.raises(InputError, match="expected “first”"):
        negate(text, sentence="last")


def test_the_error_for_an_unknown_kind_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="expected one of natural, verbal, absolute"):
        negate("It rained.", "loudly")


def test_undo_of_a_handmade_rewrite() -> None:
    made = Rewrite("abcdef", "x", "aXXcf", edits=(Edit(1, "b", "XX"), Edit(3, "de", "")))
    assert made.undo() == "abcdef"
    assert apply_edits("abcdef", made.edits) == "aXXcf"


def test_the_rewrite_line_has_the_documented_keys() -> None:
    made = negate("The drug is safe.", contractions=False).line()
    assert made == {
        "text": "The drug is safe.",
        "kind": "verbal",
        "rewrite": "The drug is not safe.",
        "cue": "not",
        "distance": 4,
    }
    declined = negate("The drug works.", "affixal").line()
    assert declined["rewrite"] is None
    assert declined["reason"] == "no word here has a negating affix form"

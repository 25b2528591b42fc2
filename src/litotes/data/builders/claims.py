"""Split a sentence of a medical study into the report and the claim.

“Our results showed that the drug lowers the risk” is negated in its second half: “did not show that it lowers the risk”
would report missing evidence, which is something else. So the report stays, and only the claim is negated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from litotes.detection import find_text_cues, sentential_cues

# Verbs that report, from tentative to certain.
TENTATIVE = r"(?:suggest(?:s|ed)?|indicate[sd]?|impl(?:y|ies|ied)|support(?:s|ed)?)"
REPORTS = (
    rf"(?:{TENTATIVE}|show(?:s|ed|n)?|demonstrate[sd]?|reveal(?:s|ed)?|disclose[sd]?|confirm(?:s|ed)?|found|find|"
    r"conclude[sd]?|highlight(?:s|ed)?|prove[sdn]?|observed?|report(?:s|ed)?|identified|detect(?:s|ed)?)"
)
_STUDY = (
    r"\b(?:study|studies|analys[ei]s|meta-analys[ei]s|metaanalys[ei]s|results?|findings?|data|evidence|reviews?|trials?|"
    r"RCTs?|we|authors|comparison|literature|values|difference|estimates?|assessment|regression|research)\b"
)
# However, …   According to the data available, …   Compared with no treatment, …
_OPENING = re.compile(
    r"(?:However|Furthermore|Moreover|In addition|Additionally|Therefore|Thus|Overall|In conclusion|In summary|Finally|"
    r"Hence|Consequently|Interestingly|In contrast|In general|"
    r"(?:Based on|According to|Despite|Within|Among|Compared (?:with|to)|For|In|At|After|On|As) [^,;]+), "
)
_SUBJECT = r"(?P<subject>(?:[^,;]|,(?! ))*?)\b"
# Our results showed that | fish consumption reduces the risk.
_REPORTED = re.compile(rf"{_SUBJECT}(?P<report>{REPORTS})\b(?P<rest>,? that,? )(?P<core>.+)")
# This review provides some evidence that | the one is better than the other.
_EVIDENCE = re.compile(
    rf"{_SUBJECT}(?P<report>provides?|provided|is|was)"
    r"(?P<rest> (?:[\w-]+ ){0,3}?(?:evidence|support|suggestion|indication) that )(?P<core>.+)"
)
# This study showed | an | association between the two.
_FINDING = re.compile(
    rf"{_SUBJECT}(?P<report>{REPORTS})(?P<rest> )(?P<article>an?) "
    r"(?P<core>(?:[\w-]+ ){0,4}?(?:associations?|correlations?|differences?|relationships?|links?|effects?|increase|"
    r"reduction|decrease|benefits?|improvements?|trend|risk)\b.+)"
)
# The drug was found | to be safe.
_PASSIVE = re.compile(
    rf"(?P<subject>.*?\b(?:is|are|was|were|been|be) )(?P<report>{REPORTS}|considered)(?P<rest> to )(?P<core>.+)"
)
_STUDIES = re.compile(rf"{_STUDY}|^(?:it|they|this|these)\b", re.IGNORECASE)
_REPORT = re.compile(rf"\b{REPORTS}\b")
# This meta-analysis sums up …
_STUDY_FIRST = re.compile(
    r"(?:\S+ ){0,4}?(?:study|meta-analysis|review|analysis|findings|results|data)\b"
    r"(?! (?:group|eyes|patients|participants))",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(r"(?:Although|Though|While|Whereas|If|When|Because|Since|Unless|Once|Even)\b")
# Eyes treated with the drug | showed …: read as “eyes treated”, the verb would be the wrong one.
_PARTICIPLE = re.compile(
    r"(?:(?!(?:is|are|was|were|been|be)\b)\S+ ){1,5}?(?<!is )(?<!are )(?<!was )(?<!were )(?<!been )"
    r"(?:treated|randomi[sz]ed|assigned|given|operated)\b"
)
# Comparable proportions of patients reached …; fewer patients reached …
_COUNTED = re.compile(
    r"(?:(?:\S+ ){0,3}?(?:numbers?|proportions?|percentages?|majority|minority) of|(?:\S+ )?(?:fewer|more|most|many) )",
    re.IGNORECASE,
)
_AUXILIARY = r"(?:is|are|was|were|may|might|can|could|has|have|had|does|do|did|will|would|should)"
_VERB = (
    rf"(?:{_AUXILIARY}|appears?|seems?|shows?|showed|suggests?|led|leads|helps|"
    r"(?:increases|reduces|decreases|improves|approaches|results|provides|causes)(?! (?:of|in rates?)\b))"
)
_JOINED = re.compile(
    r";|\b(?:but|whereas|while|although|though|however|yet|because)\b|"
    r", (?:which|thereby|thus|implying|demonstrating|suggesting|indicating|confirming|providing)\b|"
    r"\band (?:it|they|there|we|not|also,)\b|"
    rf"\band (?:also |thus |therefore |potentially |significantly )?{_VERB}\b|"
    rf"\b(?:{_AUXILIARY}|{REPORTS})\b.*\band (?:[^\s,]+ ){{1,6}}?{_AUXILIARY}\b|, and\b[^,]*\b{_VERB}\b",
    re.IGNORECASE,
)
_SECOND_SENTENCE = re.compile(r"[\w)\]%]{2}\. [A-Z]")
_NO_EVIDENCE = re.compile(
    r"\b(?:no|insufficient|not enough|little|lack of|limited) (?:[\w-]+ )?evidence\b|"
    r"\bevidence (?:is|was) (?:not|insufficient|lacking|limited|inconclusive|unclear)\b",
    re.IGNORECASE,
)
# The mean pressure was 8.1 mm Hg.
_MEASURED = re.compile(r"\b(?:is|are|was|were)(?::| \d)")
# Words that deny a finding, besides the operators that litotes.detection counts.
_DENYING = re.compile(
    r"\b(?:fail(?:s|ed)?|lack(?:s|ed|ing)?|unable|unlikely|insufficient|non-?significant(?:ly)?)\b", re.IGNORECASE
)
_HEDGED = re.compile(
    r"\b(?:may|might|could|possibl[ey]|probabl[ey]|likely|potential(?:ly)?|perhaps|appear(?:s|ed)?|seem(?:s|ed)?|"
    r"tend(?:s|ed)?|apparent(?:ly)?|presumabl[ey]|promising)\b",
    re.IGNORECASE,
)
_DOUBTING = re.compile(r"\b(?:potentially|possibly|probably|likely|perhaps|presumably|apparently)\b", re.IGNORECASE)
_RAISED = re.compile(r"\b(?:appear|seem|tend)(?:s|ed)?\b|\b(?:should|must|needs?|ought)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ClaimParts:
    """The parts of a sentence: opening + subject + report + rest + article + core is the whole text."""

    type: str
    """plain (no report), reported (… that), evidence (provides evidence that), finding (… an association), passive (was
    found to …), or reporting: a report that no pattern matches."""
    core: str
    opening: str = ""
    subject: str = ""
    report: str = ""
    rest: str = ""
    article: str = ""


def negations(text: str) -> int:
    """Return how many words of a text deny its claim, by the words alone."""
    return len(sentential_cues(find_text_cues(text))) + len(_DENYING.findall(text))


def hedged(text: str) -> bool:
    """Whether a text has a hedge."""
    return _HEDGED.search(text) is not None


def doubting(text: str) -> bool:
    """Whether a text has a hedging adverb, which cannot be negated."""
    return _DOUBTING.search(text) is not None


def counted(text: str) -> bool:
    """Whether a clause begins with an amount: “fewer patients did not …” would not deny that they were fewer."""
    return _COUNTED.match(text) is not None


def advises(text: str) -> bool:
    """Whether a clause gives advice or an impression, for which there is no evidence: should be, seemed to be."""
    return _RAISED.search(text) is not None


def strengthens(report: str) -> bool:
    """Whether a report can be conclusive. A suggestion cannot."""
    return re.fullmatch(TENTATIVE, report) is None


def claim_parts(text: str, direction: str = "") -> ClaimParts | str:
    """Return the parts of a claim, or why it cannot be negated; `direction` is the words that carry it, if known."""
    if _NO_EVIDENCE.search(text):
        return "says itself that there is no evidence"
    if _SECOND_SENTENCE.search(text):
        return "more than one sentence"
    if _SUBORDINATE.match(text):
        return "begins with a subordinate clause"
    parts = _parts(text)
    if negations(parts.subject + parts.rest):
        return "the report is itself negated"
    if _JOINED.search(parts.core):
        return "two claims in one sentence"
    if _MEASURED.search(parts.core):
        return "a measurement, not a claim"
    if parts.type == "plain" and _PARTICIPLE.match(parts.core):
        return "begins with a participle that reads like the verb"
    if direction and direction.lower() not in parts.core.lower():
        return "its direction is outside the clause that would be negated"
    return parts


PATTERNS = {"reported": _REPORTED, "evidence": _EVIDENCE, "finding": _FINDING, "passive": _PASSIVE}


def _parts(text: str) -> ClaimParts:
    opening = match[0] if (match := _OPENING.match(text)) else ""
    body = text[len(opening) :]
    for name, pattern in PATTERNS.items():
        match = pattern.fullmatch(body)
        if match is None or (name == "finding" and not _STUDIES.search(match["subject"])):
            continue
        groups = match.groupdict()
        return ClaimParts(name, groups.pop("core"), opening, **{key: value or "" for key, value in groups.items()})
    return ClaimParts("reporting" if _reports(body) else "plain", body, opening)


def _reports(text: str) -> bool:
    """Whether a study is the subject, or is soon followed by a reporting verb: “One study, in 2004, found …”."""
    if _STUDY_FIRST.match(text):
        return True
    study = _STUDIES.search(text)
    report = _REPORT.search(text, study.end()) if study else None
    if study is None or report is None:
        return False
    return len(text[: study.start()].split()) <= 9 and len(text[study.end() : report.start()].split()) <= 14

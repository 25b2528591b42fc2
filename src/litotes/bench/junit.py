"""A check as a JUnit file, which every CI can show: one test case a requirement."""

from __future__ import annotations

import re
from xml.etree import ElementTree as Xml

from litotes.bench.checking import GENERAL_LOSS, NO_BASELINE, Check
from litotes.bench.requirements import Requirement

NAME = "litotes check"
DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'
# what XML 1.0 cannot hold, however it is escaped: most control characters, halves of surrogate pairs
_UNSPEAKABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(found: Check, table: str) -> str:
    """The XML; the table stands in it as what the suite printed."""
    skipped = 0 if found.baseline else 1
    counts = {
        "tests": str(len(found.requirements) + skipped),
        "failures": str(len(found.missed)),
        "errors": "0",
        "skipped": str(skipped),
        "time": f"{sum(one.seconds for one in found.requirements):.3f}",
    }
    root = Xml.Element("testsuites", {"name": NAME, **counts})
    suite = Xml.SubElement(root, "testsuite", {"name": NAME, **counts})
    properties = Xml.SubElement(suite, "properties")
    for name, value in _properties(found).items():
        Xml.SubElement(properties, "property", {"name": name, "value": _legal(value)})
    for one in found.requirements:
        _case(suite, found.model, one)
    if skipped:
        case = Xml.SubElement(suite, "testcase", _named(found.model, GENERAL_LOSS, 0))
        Xml.SubElement(case, "skipped", {"message": NO_BASELINE})
    Xml.SubElement(suite, "system-out").text = _legal(table)
    Xml.indent(root)
    return f"{DECLARATION}\n{Xml.tostring(root, encoding='unicode')}\n"


def _properties(found: Check) -> dict[str, str]:
    given = {"model": found.model, "baseline": found.baseline, "verdict": found.verdict}
    return given | {f"signature of {one.name}": one.figure.signature for one in found.requirements}


def _case(suite: Xml.Element, model: str, one: Requirement) -> None:
    case = Xml.SubElement(suite, "testcase", _named(model, f"{one.name} {one.asked}", one.seconds))
    if not one.met:
        failure = Xml.SubElement(case, "failure", {"message": _legal(one.message), "type": "CheckError"})
        failure.text = _legal(f"{one.message}\n{one.figure.signature}")
    else:
        Xml.SubElement(case, "system-out").text = _legal(one.message)


def _named(model: str, name: str, seconds: float) -> dict[str, str]:
    return {"classname": _legal(f"{NAME} {model}"), "name": _legal(name), "time": f"{seconds:.3f}"}


def _legal(text: str) -> str:
    return _UNSPEAKABLE.sub("\ufffd", text)

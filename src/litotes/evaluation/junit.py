"""A check as a JUnit file, which every CI can show: one test case per requirement."""

from __future__ import annotations

import re
from xml.etree import ElementTree as Xml

from litotes.evaluation.checking import GENERAL_LOSS, NO_BASELINE, Check
from litotes.evaluation.requirements import Requirement

NAME = "litotes check"
DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'
# XML 1.0 cannot contain these, even escaped: most control characters, and lone surrogates
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(check: Check, table: str) -> str:
    """Return the XML; the table is included as the output of the suite."""
    skipped = 0 if check.baseline else 1
    counts = {
        "tests": str(len(check.requirements) + skipped),
        "failures": str(len(check.missed)),
        "errors": "0",
        "skipped": str(skipped),
        "time": f"{sum(requirement.seconds for requirement in check.requirements):.3f}",
    }
    root = Xml.Element("testsuites", {"name": NAME, **counts})
    suite = Xml.SubElement(root, "testsuite", {"name": NAME, **counts})
    properties = Xml.SubElement(suite, "properties")
    for name, value in _properties(check).items():
        Xml.SubElement(properties, "property", {"name": name, "value": _legal(value)})
    for requirement in check.requirements:
        _add_case(suite, check.model, requirement)
    if skipped:
        case = Xml.SubElement(suite, "testcase", _attributes(check.model, GENERAL_LOSS, 0))
        Xml.SubElement(case, "skipped", {"message": NO_BASELINE})
    Xml.SubElement(suite, "system-out").text = _legal(table)
    Xml.indent(root)
    return f"{DECLARATION}\n{Xml.tostring(root, encoding='unicode')}\n"


def _properties(check: Check) -> dict[str, str]:
    about = {"model": check.model, "baseline": check.baseline, "verdict": check.verdict}
    return about | {f"signature of {each.name}": each.figure.signature for each in check.requirements}


def _add_case(suite: Xml.Element, model: str, requirement: Requirement) -> None:
    name = f"{requirement.name} {requirement.asked}"
    case = Xml.SubElement(suite, "testcase", _attributes(model, name, requirement.seconds))
    message = requirement.message
    if not requirement.met:
        failure = Xml.SubElement(case, "failure", {"message": _legal(message), "type": "CheckError"})
        failure.text = _legal(f"{message}\n{requirement.figure.signature}")
    else:
        Xml.SubElement(case, "system-out").text = _legal(message)


def _attributes(model: str, name: str, seconds: float) -> dict[str, str]:
    return {"classname": _legal(f"{NAME} {model}"), "name": _legal(name), "time": f"{seconds:.3f}"}


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)

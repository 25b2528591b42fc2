"""Measure filters by what a query excludes: which passages of general-mini they remove.

python benchmarks/filters.py

The queries are those of general-mini that exclude something. They are split as the data set says, so the splitter is
not measured. `about` are passages about what is excluded, `mentions` are relevant passages that merely mention it, and
`others` are all other relevant passages. The second line is without variants: terms are only looked for as written.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace


def main() -> None:
    from litotes.data.benchmarks.general_mini import general_exclusions, general_retrieval
    from litotes.query import filters
    from litotes.types import Exclusion

    passages = {passage.id: passage.text for passage in general_retrieval().passages}
    for with_variants in (True, False):
        removed: Counter[str] = Counter()
        total: Counter[str] = Counter()
        for query in general_exclusions():
            found = filters(Exclusion(query.text, query.text, query.excluded))
            if not with_variants:
                found = replace(found, terms=tuple(item[:1] for item in found.terms))
            pattern = re.compile(found.pattern())
            relevant = {judged.passage for judged in query.judgements if judged.grade > 0}
            groups = {"about": query.traps, "mentions": query.mentions, "others": relevant - {*query.mentions}}
            for name, ids in groups.items():
                total[name] += len(ids)
                removed[name] += sum(pattern.search(passages[at]) is not None for at in ids)
        print(json.dumps({"variants": with_variants} | {name: [removed[name], total[name]] for name in total}))


if __name__ == "__main__":
    main()

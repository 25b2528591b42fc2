"""Two embedders of Haystack for tests: a text is encoded as the counts of its letters, plus 1."""

from dataclasses import replace

from haystack import Document, component


def letters(text: str) -> list[float]:
    return [text.lower().count(chr(97 + at)) + 1.0 for at in range(26)]


@component
class LettersDocumentEmbedder:
    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        return {"documents": [replace(document, embedding=letters(document.content or "")) for document in documents]}


@component
class LettersTextEmbedder:
    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, list[float]]:
        return {"embedding": letters(text)}

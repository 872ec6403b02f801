"""A question comes in, pages that may answer it go out. Stand-ins for what your team would write."""

import time

Page = dict[str, int | str]

MINUTES: list[Page] = [
    {"page": 12, "text": "The council closes the bridge from the second of March 1931."},
    {"page": 40, "text": "The bridge is to be opened again when the piers are mended."},
]


def skim_index(question: str) -> dict[str, list[Page]]:
    return {"evidence": _about(question)[:1]}


def search_archive(question: str, archive: str) -> dict[str, list[Page]]:
    if archive == "newspaper":
        raise ConnectionError("the newspaper's server hung up")
    while archive == "survey reports":
        time.sleep(0.1)  # it never answers
    return {"evidence": _about(question) * 2}


def _about(question: str) -> list[Page]:
    words = {word.strip("?") for word in question.lower().split() if len(word) > 4}
    return [page for page in MINUTES if words & set(str(page["text"]).lower().rstrip(".").split())]

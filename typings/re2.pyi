"""The part of google-re2 that is used here; the package ships no types."""

class error(Exception): ...  # noqa: N801

class Options:
    log_errors: bool

class Match: ...

class Regexp:
    def search(self, text: str) -> Match | None: ...
    def fullmatch(self, text: str) -> Match | None: ...

def compile(pattern: str, options: Options | None = None) -> Regexp: ...  # noqa: A001

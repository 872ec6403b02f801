"""A seed goes in; a well-typed expression and values of its names come out, weighted towards where errors live."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

NAMES = {"i": "int", "k": "int", "n": "double", "s": "string", "t": "string", "b": "bool", "c": "bool"} | {
    "ints": "list int",
    "words": "list string",
    "counts": "map int",
    "j": "dyn",
}
INTEGERS = [0, 1, -1, 2, 3, 7, -7, 2**31, 2**53, 2**63 - 1, -(2**63)]
DOUBLES = [0.0, -0.0, 1.0, -1.5, 2.0, 0.1, 1e300, -1e300, 1e-300, 12345.678]
STRINGS = ["", "a", "b", "ab", "abc", "é", "😀a", "12", "-3", "1.5", "true", "x'y"]


@dataclass
class Generator:
    """Writes expressions of a type; ``variables`` are those of the macros round the place that is written."""

    random: Random
    variables: dict[str, str]

    def write(self, type_: str, depth: int) -> str:
        leaf = depth <= 0 or self.random.random() < 0.1
        forms = _LEAVES[type_] if leaf else _FORMS[type_]
        return self._fill(self.random.choice(forms), type_, depth)

    def _fill(self, form: str, type_: str, depth: int) -> str:
        """Fill a form: ``@`` is a name, ``#`` a literal, each ``«type»`` an expression of that type."""
        if form == "@":
            return self._name(type_)
        if form == "#":
            return self._literal(type_)
        written = ""
        while "«" in form:
            before, _, rest = form.partition("«")
            inner, _, form = rest.partition("»")
            written += before + (self._macro(inner, depth) if "(" in inner else self.write(inner, depth - 1))
        return written + form

    def _macro(self, form: str, depth: int) -> str:
        """Write ``range.macro(result)``, with a variable of its own, as in ``list int.all(bool)``."""
        range_type, _, rest = form.partition(".")
        name, _, result = rest.removesuffix(")").partition("(")
        range_ = self.write(range_type, depth - 1)
        variable = f"v{len(self.variables)}"
        self.variables[variable] = "string" if range_type.startswith("map") else range_type.removeprefix("list ")
        body = self.write(result, depth - 1)
        del self.variables[variable]
        return f"{range_}.{name}({variable}, {body})"

    def _name(self, type_: str) -> str:
        names = [name for name, each in (NAMES | self.variables).items() if each == type_]
        return self.random.choice(names or [self._literal(type_)])

    def _literal(self, type_: str) -> str:
        match type_:
            case "int":
                return str(self.random.choice(INTEGERS))
            case "double":
                return repr(self.random.choice(DOUBLES))
            case "string":
                return f'"{self.random.choice(STRINGS)}"'
            case "bool":
                return self.random.choice(["true", "false"])
            case _:
                item = type_.removeprefix("list ")
                return f"[{', '.join(self._literal(item) for _ in range(self.random.randrange(4)))}]"


def values(random: Random) -> dict[str, object]:
    """Draw a value for every name."""
    return {
        "i": random.choice(INTEGERS),
        "k": random.choice(INTEGERS),
        "n": random.choice(DOUBLES),
        "s": random.choice(STRINGS),
        "t": random.choice(STRINGS),
        "b": random.random() < 0.5,
        "c": random.random() < 0.5,
        "ints": [random.choice(INTEGERS) for _ in range(random.randrange(4))],
        "words": [random.choice(STRINGS) for _ in range(random.randrange(4))],
        "counts": {word: random.choice(INTEGERS) for word in random.sample(STRINGS[:6], random.randrange(4))},
        "j": random.choice([None, True, 1, 2.5, "a", [1, "a", None], {"a": 1, "b": [True]}, {}, []]),
    }


_LEAVES = {
    "int": ["@", "@", "#"],
    "double": ["@", "#"],
    "string": ["@", "@", "#"],
    "bool": ["@", "@", "#"],
    "list int": ["@", "#"],
    "list string": ["@", "#"],
    "map int": ["@"],
    "dyn": ["@"],
}
_FORMS = {
    "int": [
        *("(«int» + «int»)", "(«int» - «int»)", "(«int» * «int»)", "(«int» / «int»)", "(«int» % «int»)", "-(«int»)"),
        *("size(«string»)", "size(«list int»)", "«list string».size()", "size(«map int»)", "int(«double»)"),
        *("«list int»[«int»]", "«map int»[«string»]", "counts.a", "(«bool» ? «int» : «int»)", 'int("12")'),
    ],
    "double": [
        *("(«double» + «double»)", "(«double» - «double»)", "(«double» * «double»)", "(«double» / «double»)"),
        *("-(«double»)", "double(«int»)", "(«bool» ? «double» : «double»)", 'double("1.5e3")'),
    ],
    "string": [
        *("(«string» + «string»)", "«list string»[«int»]", "(«bool» ? «string» : «string»)", "string(«int»)"),
        *("string(«bool»)", "string(«string»)", "string(n)", "string(double(«int»))"),
    ],
    "bool": [
        *("(«bool» && «bool»)", "(«bool» || «bool»)", "!(«bool»)", "(«bool» ? «bool» : «bool»)", "(«bool» == «bool»)"),
        *(
            "(«int» == «int»)",
            "(«int» < «int»)",
            "(«int» >= «int»)",
            "(«double» == «double»)",
            "(«double» <= «double»)",
        ),
        *("(«string» == «string»)", "(«string» != «string»)", "(«string» < «string»)", "(«bool» < «bool»)"),
        *(
            "(«list int» == «list int»)",
            "(«int» in «list int»)",
            "(«string» in «list string»)",
            "(«string» in «map int»)",
        ),
        *("«string».startsWith(«string»)", "«string».endsWith(«string»)", "«string».contains(«string»)"),
        *("«string».matches('a|b$')", "«list int.all(bool)»", "«list int.exists(bool)»", "«list int.exists_one(bool)»"),
        *("«list string.all(bool)»", "«list string.exists(bool)»", "«map int.all(bool)»", "«map int.exists(bool)»"),
        *("has(counts.a)", "(1 / 0 > 0)", "bool('true')", "(«dyn» == «dyn»)", "has(j.a)", "(j == null)"),
    ],
    "list int": [
        *("[«int», «int»]", "(«list int» + «list int»)", "«list int.filter(bool)»", "«list int.map(int)»"),
        *("«list string.map(int)»", "(«bool» ? «list int» : «list int»)"),
    ],
    "list string": [
        *("[«string», «string»]", "(«list string» + «list string»)", "«list string.filter(bool)»"),
        *("«list int.map(string)»", "«list string.map(string)»"),
    ],
    "map int": ["@", "(«bool» ? «map int» : «map int»)"],
    "dyn": ["@", "j.a", "j[0]", "j['b']", "j.b[0]"],
}

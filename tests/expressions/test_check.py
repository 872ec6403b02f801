"""What the checker makes of an expression: its type, or each fault with its code, its place and its words."""

from __future__ import annotations

import pytest

from grapharc.spec.expressions.check import check
from grapharc.spec.expressions.parse import parse_expression
from grapharc.spec.memo import Memo
from grapharc.spec.types import BOOLEAN, INTEGER, JSON, NUMBER, STRING, ListOf, Member, OneOf, Record, Type, show
from tests.expressions.scope import CLAIM, checked, checked_condition, said


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("1", "integer"),
        ("1.0", "number"),
        ("'a'", '"a"'),
        ("null", "null"),
        ("[]", "list[nothing]"),
        ("[1, 2.0, null]", "list[number | null]"),
        ("['a', 'b']", 'list["a" | "b"]'),
        ("['a', 1]", "list[string | integer]"),
        ("{'a': 1, 'b': [b]}", "{ a: integer, b: list[boolean] }"),
        ("count + 1", "integer"),
        ("count + score", "number"),
        ("count / 2", "integer"),
        ("-score", "number"),
        ("text + 'a'", "string"),
        ("ns + [1.5]", "list[number]"),
        ("xs[0]", "number"),
        ("limits.daily + limits['daily']", "integer"),
        ("claim['text']", "string"),
        ("some_claim.text", "string"),
        ("claims.map(c, c.text)", "list[string]"),
        ("claims.map(c, c.citation != null, c.citation)", "list[string]"),
        ("claims.filter(c, c.citation != null)", "list[Claim]"),
        ("[maybe].filter(m, m != null)", "list[string]"),
        ("limits.map(k, k)", "list[string]"),
        ("b ? 1 : 'x'", 'integer | "x"'),
        ("b ? maybe : null", "string | null"),
        ("maybe != null ? maybe : ''", "string"),
        ("maybe == null ? '' : maybe", "string"),
        ("maybe_level == 'low' ? maybe_level : 'none'", '"low" | "none"'),
        ("maybe_level in ['low', 'high'] ? maybe_level : 'none'", '"low" | "high" | "none"'),
        ("maybe_level == null ? 'none' : maybe_level", '"none" | "low" | "high"'),
        ("min(ns)", "integer"),
        ("max(1, score, 2)", "number"),
        ("int(score) + size(text) + text.size()", "integer"),
        ("double(count)", "number"),
        ("string(b) + string(count)", "string"),
        ("j.a[0].b", "json"),
        ("j + 1", "number"),
        ("j + j", "json"),
        ("j % 2", "integer"),
        ("[j] + ns", "list[json]"),
        ("open", "T"),
    ],
)
def test_an_expression_has_a_type(text: str, type_: str) -> None:
    found, faults = checked(text)
    assert found is not None, said(text, faults)
    assert show(found.type) == type_


@pytest.mark.parametrize(
    "text",
    [
        "maybe != null && maybe.startsWith('a')",
        "maybe == null || maybe.startsWith('a')",
        "!(maybe == null) && maybe.startsWith('a')",
        "!(maybe == null || count > 1) && maybe.startsWith('a')",
        "(maybe != null && b) && maybe.startsWith('a')",
        "maybe == 'x' && maybe.startsWith('a')",
        "(maybe == 'x' || maybe == text) && maybe.startsWith('a')",
        "maybe_claim != null && maybe_claim.citation != null && maybe_claim.citation.size() > 0",
        "null != maybe ? maybe.size() > 0 : b",
        "claims.all(c, c.citation == null || c.citation.size() > 0)",
        "level == 'low' || level == 'high'",
        "maybe == null || b",
        "score == 1",
        "count == 1.0",
        "mixed == 'a' || mixed == 1",
        "maybe in ['a', 'b']",
        "text in limits && b in [true]",
        "claim == {'text': 'a', 'citation': null}",
        "'a' < text && b < true && count < 1.5",
        "open == 1 || j == 'a'",
        "j.ok && !j.ok ? j.ok || b : j.ok",
        "text.matches(r'^\\d+$') || text.matches(text)",
        "few.all(x, ns.exists(y, x == y))",
        "'k' in {'k': 1} && size({'k': 1}) == 1 && {'k': 1}.all(k, k == 'k') && !has({}.k)",
        "has(claim.citation) && has(j.a.b) && has(limits.daily)",
    ],
)
def test_a_sound_condition_is_accepted(text: str) -> None:
    found, faults = checked_condition(text)
    assert found is not None, said(text, faults)
    assert [fault.code for fault in faults if fault.code not in ("expression_dynamic", "constant_condition")] == []


@pytest.mark.parametrize(
    ("text", "code", "place", "words"),
    [
        ("clams", "unknown_name", "clams", "'clams' is no field that can be read here, did you mean 'claims'?"),
        ("x == None", "unknown_name", "x", "'x' is no field that can be read here"),
        ("claim.txt", "unknown_member", "txt", "'claim' is Claim, which has no field 'txt', did you mean 'text'?"),
        ("has(claim.txt)", "unknown_member", "txt", "'claim' is Claim, which has no field 'txt', did you mean 'text'?"),
        ("text.length", "no_members", "length", "'text' is string, which has no fields"),
        ("mixed.a", "no_members", "a", "'mixed' is string, which has no fields"),
        ("len(text)", "unknown_function", "len", "there is no function 'len', did you mean 'size'?"),
        ("text.lower()", "unknown_function", "lower", "there is no function 'lower'"),
        ("startsWith(text, 'a')", "wrong_call_form", "startsWith", "it is called as text.startsWith('...')"),
        ("text.int()", "wrong_call_form", "int", "it is called as int(value)"),
        ("exists(ns, b)", "wrong_call_form", "exists", "it is called as list.exists(item, ...)"),
        ("j.has(b)", "wrong_call_form", "has", "it is called as has(value.field)"),
        ("ns.min()", "wrong_call_form", "min", "it is called as min(a, b)"),
        ("size()", "wrong_argument_count", "size()", "'size' was given 0 arguments, and takes 1"),
        ("text.contains()", "wrong_argument_count", "text.contains()", "'contains' was given 0 arguments, and takes 1"),
        (
            "max()",
            "wrong_argument_count",
            "max()",
            "'max' was given 0 arguments, and takes a list, or two and more numbers",
        ),
        ("size(count)", "wrong_argument", "count", "'count' is integer, and 'size' takes a string, a list or a map"),
        ("size(claim)", "wrong_argument", "claim", "'claim' is Claim, and 'size' takes a string, a list or a map"),
        ("int(b)", "wrong_argument", "b", "'b' is boolean, and 'int' takes number | string"),
        ("max(text, 1)", "wrong_argument", "text", "'text' is string, and 'max' takes number"),
        ("max(['a'])", "wrong_argument", "['a']", "'['a']' is list[\"a\"], and 'max' takes list[number]"),
        ("text.matches('a(')", "bad_pattern", "'a('", "'a(' is no pattern: missing ): a("),
        ("!count", "wrong_operand", "count", "'count' is integer, and '!' takes boolean"),
        ("-text", "wrong_operand", "text", "'text' is string, and '-' takes integer or number"),
        ("b && text", "wrong_operand", "text", "'text' is string, and '&&' takes boolean"),
        ("count ? 1 : 2", "wrong_operand", "count", "'count' is integer, and '?:' takes boolean"),
        ("score % 2", "wrong_operand", "score", "'score' is number, and '%' takes integer"),
        ("mixed + 1", "operands_differ", "mixed + 1", "'+' does not take string | integer and integer together"),
        (
            "claims < claims",
            "wrong_operand",
            "claims",
            "'claims' is list[Claim], and '<' takes number or string or boolean",
        ),
        ("text < 1", "operands_differ", "text < 1", "'<' does not take string and integer together"),
        ("text + count", "operands_differ", "text + count", "'+' does not take string and integer together"),
        ("ns['a']", "wrong_operand", "'a'", "'\"a\"' is \"a\", and '[]' takes integer"),
        ("ns[1.0]", "wrong_operand", "1.0", "'1.0' is number, and '[]' takes integer"),
        ("limits[0]", "wrong_operand", "0", "'0' is integer, and '[]' takes string"),
        ("text[0]", "wrong_operand", "text", "'text' is string, and '[]' takes list, map or record"),
        ("claim[text]", "record_index", "text", "'claim' is a record, whose fields are read by constant names"),
        ("count in limits", "wrong_operand", "count", "'count' is integer, and 'in' takes string"),
        ("text in claim", "wrong_operand", "claim", "'claim' is Claim, and 'in' takes list or map"),
        ("text.all(c, b)", "wrong_operand", "text", "'text' is string, and 'all' takes list or map"),
        ("ns.all(n, n)", "wrong_operand", "n", "'n' is integer, and 'all' takes boolean"),
        ("count == null", "never_null", "count == null", "'count' is integer and never null"),
        ("null == claim.text", "never_null", "null == claim.text", "'claim.text' is string and never null"),
        ("text == 1", "never_equal", "text == 1", "'text' is string and '1' is integer, which are never equal"),
        ("count in ['a']", "never_equal", "'a'", "'count' is integer and '\"a\"' is \"a\", which are never equal"),
        ("text in ns", "never_in", "text in ns", "'text' is string, and never an item of 'ns', which is list[integer]"),
        (
            "level == 'hihg'",
            "never_this_value",
            "'hihg'",
            "'level' is never 'hihg', only one of 'high', 'low', did you mean 'high'?",
        ),
        ("'none' != level", "never_this_value", "'none'", "'level' is never 'none', only one of 'high', 'low'"),
        ("level in ['low', 'mid']", "never_this_value", "'mid'", "'level' is never 'mid', only one of 'high', 'low'"),
        (
            "level == 'low' ? 1 : level == 'low' ? 2 : 3",
            "never_this_value",
            "'low'",
            "'level' is never 'low', only one of 'high'",
        ),
        ("maybe + 'a'", "null_unguarded", "maybe", "'maybe' is string | null, and may be null here"),
        ("maybe_claim.text", "null_unguarded", "maybe_claim", "'maybe_claim' is Claim | null, and may be null here"),
        (
            "has(maybe_claim.text)",
            "null_unguarded",
            "maybe_claim",
            "'maybe_claim' is Claim | null, and may be null here",
        ),
        (
            "maybe == null && maybe.size() > 0",
            "wrong_argument",
            "maybe",
            "'maybe' is null, and 'size' takes a string, a list or a map",
        ),
        ("maybe != null || maybe.size() > 0", "wrong_argument", "maybe", None),
        ("b || maybe.size() > 0", "null_unguarded", "maybe", "'maybe' is string | null, and may be null here"),
        ("claims.all(c, c.citation.size() > 0)", "null_unguarded", "c.citation", None),
        (
            "ns.all(count, b)",
            "variable_shadows",
            "count",
            "'count' is the name of a field or of another variable already",
        ),
        (
            "ns.all(n, ns.all(n, b))",
            "variable_shadows",
            "n",
            "'n' is the name of a field or of another variable already",
        ),
        (
            "claims.all(c, claims.exists(d, c == d))",
            "expression_unbounded",
            "claims",
            "the expression may take more than 2000000 steps, most of them going through 'claims'",
        ),
        ("text * 2", "wrong_operand", "text", "'text' is string, and '*' takes integer or number"),
    ],
)
def test_a_fault_has_its_code_its_place_and_its_words(text: str, code: str, place: str, words: str | None) -> None:
    found, faults = checked(text)
    assert found is None
    first = said(text, faults)[0]
    assert first[:2] == (code, place)
    assert words is None or first[2] == words


def test_all_faults_are_found_at_once_and_nothing_that_follows_from_them() -> None:
    text = "clams.size() > 0 && -text > count + level && nope(1) == claim.txt"
    _, faults = checked(text)
    assert [(code, place) for code, place, _ in said(text, faults)] == [
        ("unknown_name", "clams"),
        ("wrong_operand", "text"),
        ("operands_differ", "count + level"),
        ("unknown_function", "nope"),
        ("unknown_member", "txt"),
    ]


def test_a_fault_points_at_the_second_list_of_two_that_are_gone_through_together() -> None:
    text = "few.all(x, x > 0) && claims.all(c, ns.all(n, n > 0))"
    _, faults = checked(text)
    assert [(fault.code, fault.span.start) for fault in faults] == [("expression_unbounded", text.index("ns.all"))]


def test_json_says_once_that_it_is_only_looked_at_in_the_run() -> None:
    text = "j.a + 1 > 2 && j.b"
    found, faults = checked_condition(text)
    assert found is not None
    assert said(text, faults) == [
        ("expression_dynamic", "j", "'j' is json: what it holds is only looked at when the expression runs")
    ]


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("size(ns)", "size(ns)", "the condition 'size(ns)' is integer, not boolean"),
        ("b ? text : 'a'", "b ? text : 'a'", "the condition 'b ? text : 'a'' is string, not boolean"),
        ("null", "null", "the condition 'null' is null, not boolean"),
    ],
)
def test_a_condition_is_boolean(text: str, place: str, words: str) -> None:
    found, faults = checked_condition(text)
    assert found is None
    assert said(text, faults) == [("condition_not_boolean", place, words)]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("true", [("true", "true")]),
        ("1 < 2", [("1 < 2", "true")]),
        ("size(ns) >= 0", [("size(ns) >= 0", "true")]),
        ("b && !b", [("b && !b", "false")]),
        ("count > 3 && count < 4", [("count > 3 && count < 4", "false")]),
        ("b && size(few) <= 5", [("size(few) <= 5", "true")]),
        ("level in ['low', 'high']", [("level in ['low', 'high']", "true")]),
        ("text.startsWith('a') || !text.startsWith('a')", [("text.startsWith('a') || !text.startsWith('a')", "true")]),
        ("score > 3 && score < 4", []),
        ("maybe == null || maybe.size() > 0", []),
    ],
)
def test_a_constant_condition_is_remarked_on(text: str, places: list[tuple[str, str]]) -> None:
    found, faults = checked_condition(text)
    assert found is not None
    expected = [("constant_condition", place, f"the condition is always {outcome}") for place, outcome in places]
    assert said(text, faults) == expected


@pytest.mark.parametrize(
    ("text", "expected", "place", "words"),
    [
        ("count", STRING, "count", "'count' is integer, where string is asked for"),
        ("j", STRING, "j", "'j' is json, where string is asked for"),
        ("maybe", STRING, "maybe", "'maybe' is string | null, and may be null here"),
        ("b ? text : count", STRING, "count", "'count' is integer, where string is asked for"),
        ("[text, 1]", ListOf(STRING), "1", "'1' is integer, where string is asked for"),
        ("{'text': 1, 'citation': null}", CLAIM, "1", "'1' is integer, where string is asked for"),
        (
            "{'text': ''}",
            CLAIM,
            "{'text': ''}",
            "'{'text': ''}' is { text: \"\" }, where Claim is asked for",
        ),
    ],
)
def test_a_value_fits_where_it_goes(text: str, expected: Type, place: str, words: str) -> None:
    found, faults = checked(text, expected)
    assert found is None
    assert [each[1:] for each in said(text, faults)] == [(place, words)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("count", NUMBER),
        ("count", JSON),
        ("'low'", OneOf((STRING, INTEGER))),
        ("[]", ListOf(CLAIM)),
        ("{'text': text, 'citation': maybe, 'more': 1}", CLAIM),
        ("claim", Record("Short", (Member("text", STRING), Member("size", INTEGER, 0)))),
    ],
)
def test_a_subtype_fits(text: str, expected: Type) -> None:
    assert checked(text, expected)[1] == ()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("args.rounds * 100", "args.rounds"),
        ("has(args.rounds) || args.rounds > 1", "args.rounds"),
        ("args['rounds'] > 1", "args['rounds']"),
        ("has(args.rounds) && args.rounds > 1", None),
        ("(has(args.rounds) ? args.rounds : 1) * 100", None),
        ("!has(args.rounds) || args.rounds > 1", None),
        ("args.tokens > 1", None),
    ],
)
def test_what_may_be_left_out_is_asked_for_first(text: str, place: str | None) -> None:
    tree, _ = parse_expression(text, Memo())
    assert tree is not None
    args = Record("args", (Member("rounds", INTEGER), Member("tokens", INTEGER)))
    _, faults = check(tree, text, {"args": args}, absent=frozenset({("args", "rounds")}))
    words = f"'{place}' may be left out, and is read without asking"
    assert said(text, faults) == ([] if place is None else [("absent_unguarded", place, words)])


def test_it_is_known_what_an_expression_reads() -> None:
    found, _ = checked("claims.all(c, c.text == text) && claim.citation == null && has(j.a) && limits['x'] > j.b[0].c")
    assert found is not None
    assert found.reads == ("claim", "claims", "j", "limits", "text")
    assert found.ways == (
        ("claim", "citation"),
        ("claims",),
        ("j", "a"),
        ("j", "b"),
        ("limits", "x"),
        ("text",),
    )


def test_the_bound_on_cost_follows_the_sizes_that_types_allow() -> None:
    costs = [found.cost for found, _ in map(checked, ("b", "few.all(x, x > 0)", "ns.all(x, x > 0)")) if found]
    assert costs == [1, 2 + 5 * 4, 2 + 1000 * 4]


def test_a_condition_has_the_type_boolean_whatever_json_is() -> None:
    found, _ = checked_condition("j")
    assert found is not None
    assert found.type == BOOLEAN

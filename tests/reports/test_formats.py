"""Each format is what its own schema, or a reader that others wrote, says that it is, whatever files are called."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft4Validator, Draft7Validator, Draft202012Validator
from junitparser import Failure, JUnitXml, Skipped
from lxml import etree

from grapharc.cli.rendering.report_schema import report_schema
from grapharc.spec.reasons import reasons
from tests.reports.conftest import TERMS

Told = Callable[..., Mapping[str, str]]

BAD = '# 東京 é\n[[nodes]]\nname = "step"\nkind = "control.pas"\n[[edges]]\nchain = ["__start__", "step"]\n'
GOOD = BAD.replace("control.pas", "control.pass").replace('"step"]', '"step", "__end__"]')

HOSTILE = (
    "plain.toml",
    "with space.toml",
    "a#b.toml",
    "50%25.toml",
    "a?b&c=d.toml",
    "größe-東京-🎉.toml",
    unicodedata.normalize("NFD", "é.toml"),
    "colon:comma,semi;.toml",
    "'quotes\".toml",
    "<less>&amp;.toml",
    "[brackets]{braces}.toml",
    "back\\slash.toml",
    "new\nline\r.toml",
    "::error::.toml",
    "deep folder/#1/graph.toml",
)


def check_sarif(said: str, conformance: Path) -> Any:
    log = json.loads(said)
    schema = json.loads((conformance / "reports" / "sarif-schema-2.1.0.json").read_text("utf-8"))
    Draft7Validator(schema).validate(log)
    (run,) = log["runs"]
    rows = run["tool"]["driver"]["rules"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["invocations"] == [{"executionSuccessful": True}]
    assert len({row["id"] for row in rows}) == len(rows)
    assert all(row["help"]["text"] and row["help"]["markdown"] for row in rows)
    marks = [result["partialFingerprints"]["grapharc/v1"] for result in run["results"]]
    assert len(set(marks)) == len(marks)
    for result in run["results"]:
        assert rows[result["ruleIndex"]]["id"] == result["ruleId"]
        assert isinstance(result["suppressions"], list)
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            artifact = location["physicalLocation"]["artifactLocation"]
            assert re.fullmatch(r"(?:\.\./)*[A-Za-z0-9._~/%-]+", artifact["uri"])
            assert artifact.get("uriBaseId") in {*run["originalUriBaseIds"], None}
    return run


def check_gitlab(said: str) -> Any:
    """What https://docs.gitlab.com/ci/testing/code_quality/ wants of each object."""
    issues = json.loads(said)
    assert isinstance(issues, list)
    for issue in issues:
        assert isinstance(issue["description"], str)
        assert issue["check_name"] in reasons()
        assert re.fullmatch("[0-9a-f]{32}", issue["fingerprint"])
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert not issue["location"]["path"].startswith(("/", "./"))
        assert issue["location"]["lines"]["begin"] >= 1
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    return issues


def check_junit(said: str, conformance: Path) -> JUnitXml:
    tree = etree.fromstring(said.encode())
    etree.XMLSchema(etree.parse(conformance / "reports" / "junit-10.xsd")).assertValid(tree)
    suites = JUnitXml.fromstring(said.encode())
    for suite in suites:
        cases = list(suite)
        assert suite.tests == len(cases) >= 1
        assert suite.failures == sum(isinstance(result, Failure) for case in cases for result in case.result)
    assert suites.failures == sum(suite.failures for suite in suites)
    return suites


def check_rdjson(said: str, conformance: Path) -> Any:
    result = json.loads(said)
    schema = json.loads((conformance / "reports" / "rdjson" / "DiagnosticResult.json").read_text("utf-8"))
    Draft4Validator(schema).validate(result)
    return result["diagnostics"]


COMMAND = re.compile(r"::(error|warning|notice) ([^\n]*?)::([^\n]*)\n")


def read_github(said: str) -> list[dict[str, str]]:
    """Read workflow commands as the runner does: split, then unescape, a percent sign last."""
    assert "".join(found[0] for found in COMMAND.finditer(said)) == said
    commands: list[dict[str, str]] = []
    for level, properties, message in COMMAND.findall(said):
        pairs = dict(pair.split("=", 1) for pair in properties.split(","))
        assert all(set(value).isdisjoint(":,") for value in pairs.values())
        for sign, escape in (("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C"), ("%", "%25")):
            pairs = {name: value.replace(escape, sign) for name, value in pairs.items()}
        commands.append({"level": level, "message": message, **pairs})
    return commands


def test_the_project_is_told_validly_in_every_format(project: Path, told: Told, conformance: Path) -> None:
    said = told(*TERMS)
    report = json.loads(said["json"])
    Draft202012Validator(report_schema()).validate(report)
    marks = [finding["fingerprint"] for finding in report["findings"]]
    accepted = [finding["fingerprint"] for finding in report["accepted"]]
    assert len(set(marks + accepted)) == len(marks + accepted)

    run = check_sarif(said["sarif"], conformance)
    assert [result["partialFingerprints"]["grapharc/v1"] for result in run["results"]] == marks + accepted
    assert [bool(result["suppressions"]) for result in run["results"]] == [False] * len(marks) + [True] * len(accepted)
    kinds = {row["kind"]: row["justification"] for result in run["results"] for row in result["suppressions"]}
    assert kinds.keys() == {"inSource", "external"}
    assert any("threadFlows" in flow for result in run["results"] for flow in result.get("codeFlows", ()))
    assert any(result.get("relatedLocations") for result in run["results"])
    assert any(result.get("fixes") for result in run["results"])
    (denied,) = (result for result in run["results"] if result["ruleId"] == "edge_denied")
    (rule,) = denied["relatedLocations"]
    assert rule["physicalLocation"]["artifactLocation"] == {"uri": "policy.toml", "uriBaseId": "%SRCROOT%"}

    assert [issue["fingerprint"] for issue in check_gitlab(said["gitlab"])] == marks
    suites = check_junit(said["junit"], conformance)
    assert suites.failures == len(marks)
    assert sum(isinstance(each, Skipped) for suite in suites for case in suite for each in case.result) == len(accepted)
    diagnostics = check_rdjson(said["rdjson"], conformance)
    assert [each["code"]["value"] for each in diagnostics] == [finding["code"] for finding in report["findings"]]
    assert any(each.get("suggestions") for each in diagnostics)
    assert [each["title"] for each in read_github(said["github"])] == [each["code"]["value"] for each in diagnostics]
    lines = [json.loads(line) for line in said["jsonl"].splitlines()]
    assert [line["type"] for line in lines] == [
        "report",
        *["finding"] * len(marks),
        *["accepted"] * len(accepted),
        "sum",
    ]
    assert [{**line, "type": None} for line in lines[1:-1]] == [
        {**finding, "type": None} for finding in (*report["findings"], *report["accepted"])
    ]


def test_a_clean_document_is_told_validly_too(here: Path, told: Told, conformance: Path) -> None:
    (here / "graph.toml").write_text(GOOD)
    said = told("graph.toml")
    assert check_sarif(said["sarif"], conformance)["results"] == []
    assert check_gitlab(said["gitlab"]) == []
    assert check_rdjson(said["rdjson"], conformance) == []
    (suite,) = check_junit(said["junit"], conformance)
    assert [case.name for case in suite] == ["no findings"]
    assert (said["github"], said["concise"]) == ("", "")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_may_be_called_anything(here: Path, told: Told, conformance: Path, name: str) -> None:
    (here / name).parent.mkdir(parents=True, exist_ok=True)
    (here / name).write_text(BAD)
    said = told(name)
    report = json.loads(said["json"])
    # What begins like standard input is told apart from it.
    ours = f"./{name}" if name.startswith("<") else name
    assert {finding["document"] for finding in report["findings"]} == {ours}

    run = check_sarif(said["sarif"], conformance)
    assert len(run["results"]) == 2
    (uri,) = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]}
    assert unquote(uri) == name
    shown = name.replace("\n", "\\n").replace("\r", "\\r")
    assert {issue["location"]["path"] for issue in check_gitlab(said["gitlab"])} == {shown}
    assert {each["location"]["path"] for each in check_rdjson(said["rdjson"], conformance)} == {shown}
    assert {command["file"] for command in read_github(said["github"])} == {shown}
    (suite,) = check_junit(said["junit"], conformance)
    assert suite.name == shown
    here_shown = ours.replace("\n", "\\n").replace("\r", "\\r")
    assert all(line.startswith(f"{here_shown}:") for line in said["concise"].splitlines())
    assert f" --> {here_shown}:4:8\n" in said["text"]


def test_a_file_outside_the_project_is_named_from_it(here: Path, told: Told, conformance: Path) -> None:
    (here.parent / "else where").mkdir()
    (here.parent / "else where" / "a#.toml").write_text(BAD)
    said = told("../else where/a#.toml")
    result = check_sarif(said["sarif"], conformance)["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "../else%20where/a%23.toml"
    assert check_gitlab(said["gitlab"])[0]["location"]["path"] == "../else where/a#.toml"
    assert read_github(said["github"])[0]["file"] == "../else where/a#.toml"


def test_a_forge_is_told_paths_from_the_repository(
    here: Path, told: Told, conformance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / ".git").mkdir()
    (here / "apps" / "my agents").mkdir(parents=True)
    (here / "apps" / "my agents" / "graph.toml").write_text(BAD)
    (here / "apps" / "my agents" / "grapharc.toml").write_text("[grapharc]\n")
    said = told("--config", "apps/my agents/grapharc.toml", "apps/my agents/graph.toml")
    monkeypatch.chdir(here / "apps" / "my agents")
    assert told("graph.toml") == said
    assert " --> graph.toml:4:8\n" in said["text"]
    result = check_sarif(said["sarif"], conformance)["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "apps/my%20agents/graph.toml",
        "uriBaseId": "%SRCROOT%",
    }
    assert check_gitlab(said["gitlab"])[0]["location"]["path"] == "apps/my agents/graph.toml"
    assert read_github(said["github"])[0]["file"] == "apps/my agents/graph.toml"
    assert check_rdjson(said["rdjson"], conformance)[0]["location"]["path"] == "apps/my agents/graph.toml"


def test_a_name_that_is_no_utf8_is_told_all_the_same(here: Path, told: Told, conformance: Path) -> None:
    name = b"caf\xe9.toml".decode("utf-8", "surrogateescape")
    (here / name).write_text(BAD)
    said = told(name)
    result = check_sarif(said["sarif"], conformance)["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "caf%E9.toml"
    assert check_gitlab(said["gitlab"])[0]["location"]["path"] == "caf\\udce9.toml"
    check_junit(said["junit"], conformance)


def test_columns_are_counted_as_each_format_counts(here: Path, told: Told, conformance: Path) -> None:
    row = 'nodes = [{ name = "a", description = "東京🎉é", kind = "control.pas" }]\n'
    (here / "graph.toml").write_text(row + 'edges = [{ chain = ["__start__", "a", "__end__"] }]\n')
    said = told("graph.toml")
    (result,) = check_sarif(said["sarif"], conformance)["results"]
    column = row.index('"control') + 1
    assert result["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 1,
        "startColumn": column,
        "endLine": 1,
        "endColumn": column + len('"control.pas"'),
    }
    (diagnostic,) = check_rdjson(said["rdjson"], conformance)
    start = diagnostic["location"]["range"]["start"]
    assert start == {"line": 1, "column": row.encode().index(b'"control') + 1}


def test_a_suggestion_can_be_taken_as_it_is(here: Path, told: Told, conformance: Path) -> None:
    (here / "graph.toml").write_text(GOOD.replace(', "__end__"', ""))
    (diagnostic,) = check_rdjson(told("graph.toml")["rdjson"], conformance)
    (suggestion,) = diagnostic["suggestions"]
    assert suggestion["range"]["start"] == suggestion["range"]["end"] == {"line": 7, "column": 1}
    with (here / "graph.toml").open("a") as file:
        file.write(suggestion["text"])
    assert told("graph.toml")["concise"] == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--output", "report.sarif"), "--output: 'report.sarif' is no FORMAT=FILE"),
        (("--output", "sarif="), "--output: 'sarif=' is no FORMAT=FILE"),
        (("--output", "sarf=a"), "--output: there is no format 'sarf', did you mean 'sarif'?"),
        (("--output", "sarif=-"), "--output: '-' is no file"),
        (("--output", "sarif=."), "--output: '.' is a folder"),
        (("--output", "sarif=a", "--output", "junit=./a"), "--output: './a' is named twice"),
        (("--today", "soon"), "--today: 'soon' is no day"),
        (("--today", "20270101"), "--today: '20270101' is no day"),
        (("--ignore", "cycle"), "--ignore: 'cycle' cannot be ignored: it is of class soundness"),
    ],
)
def test_what_makes_no_sense_is_2_and_writes_nothing(
    grapharc, here: Path, arguments: tuple[str, ...], words: str
) -> None:
    (here / "graph.toml").write_text(GOOD)
    ran = grapharc("check", "graph.toml", *arguments)
    assert (ran.exit, ran.err.splitlines()[0]) == (2, f"error: {words}")
    assert [path.name for path in here.iterdir()] == ["graph.toml"]


def test_a_file_is_replaced_as_a_whole_or_not_at_all(grapharc, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "graph.toml").write_text(BAD)
    (here / "report.sarif").write_text("old")

    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device", target)

    with monkeypatch.context() as patched:
        patched.setattr("os.replace", full)
        ran = grapharc("check", "graph.toml", "--output", "sarif=report.sarif")
    assert (ran.exit, ran.out) == (2, "")
    assert sorted(path.name for path in here.iterdir()) == ["graph.toml", "report.sarif"]
    assert (here / "report.sarif").read_text() == "old"
    assert grapharc("check", "graph.toml", "--output", "sarif=report.sarif").exit == 1
    assert json.loads((here / "report.sarif").read_text())["version"] == "2.1.0"


def test_no_folder_is_made_for_a_file_that_may_be_misspelt(grapharc, here: Path) -> None:
    (here / "graph.toml").write_text(BAD)
    folder = "--output: there is no folder 'reprots'\n  = make it first: mkdir -p reprots\n"
    for command in (["check"], ["run", "--check-only"]):
        ran = grapharc(*command, "graph.toml", "--output", "sarif=reprots/report.sarif")
        assert (ran.exit, ran.out, ran.err) == (2, "", f"error: {folder}")
    for arguments in (
        ["baseline", "update", "no where/known.json", "graph.toml"],
        ["policy", "init", "no where/p.toml"],
    ):
        ran = grapharc(*arguments)
        assert ran.exit == 2
        assert ran.err == "error: FILE: there is no folder 'no where'\n  = make it first: mkdir -p 'no where'\n"
    assert [path.name for path in here.iterdir()] == ["graph.toml"]


def test_a_failure_is_a_document_where_json_is_asked_for_in_either_way(grapharc, here: Path) -> None:
    for arguments in (("--json",), ("--format", "json"), ("--format=json",)):
        assert grapharc("check", "absent.toml", *arguments).json["error"]["message"] == "'absent.toml' is not there"
    told = grapharc("check", "--json", "--format", "sarif").json
    assert told["error"]["message"] == "--json is --format json, and --format says sarif"


def test_a_run_that_only_checks_reports_in_every_format(grapharc, here: Path, conformance: Path) -> None:
    (here / "graph.toml").write_text(BAD)
    ran = grapharc("run", "graph.toml", "--check-only", "--format", "sarif", "--output", "junit=report.xml")
    assert ran.exit == 1
    assert len(check_sarif(ran.out, conformance)["results"]) == 2
    check_junit((here / "report.xml").read_text(), conformance)
    assert grapharc("run", "graph.toml", "--check-only", "--json").json["report"] == "1"
    ran = grapharc("run", "graph.toml", "--format", "sarif")
    assert (ran.exit, ran.out) == (2, "")
    assert ran.err.startswith("error: reports of a check are made with --check-only")

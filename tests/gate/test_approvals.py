"""Approvals in real git repositories: whose consent counts, for what and until when."""

from __future__ import annotations

from tests.gate.conftest import GRAPH, SAVING, Repository, changes, codes

APPROVALS = "grapharc.approvals.toml"
WORDS = ("--who", "ana", "--why", "answers are kept now", "--until", "2027-03-01")
DAY = ("--today", "2027-01-01")


def approve(repository: Repository, *arguments: str) -> str:
    ran = repository.gate("approve", *arguments, *(() if "--today" in arguments else DAY))
    assert ran.exit == 0, ran.err
    return (repository.folder / APPROVALS).read_text("utf-8")


def states(repository: Repository, *arguments: str) -> list[str]:
    found: list[str] = [one["state"] for one in repository.gate("--json", *DAY, *arguments).json["approvals"]]
    return sorted(set(found))


def test_an_approval_counts_once_it_is_on_the_base(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "feature")
    repository.commit({"graphs/answer.toml": SAVING})
    repository.git("checkout", "-q", "main")
    text = approve(repository, "--base", "main", "--head", "feature", *WORDS)
    assert text.count("[[approval]]") == len(changes(repository, "--head", "feature")) - len(
        [one for one in changes(repository, "--head", "feature") if one["category"] != "authority"]
    )
    repository.commit({})
    both = ("--base", "main", "--head", "feature")
    assert repository.gate(*both, *DAY).exit == 0
    assert "approved by ana until 2027-03-01: answers are kept now" in repository.gate(*both, *DAY).out
    repository.git("checkout", "-q", "feature")
    repository.git("merge", "-q", "-m", "merge", "main")
    assert (repository.gate("--base", "main", *DAY).exit, states(repository, "--base", "main")) == (0, ["used"])


def test_an_approval_ends(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "feature")
    repository.commit({"graphs/answer.toml": SAVING})
    repository.git("checkout", "-q", "main")
    approve(repository, "--head", "feature", *WORDS)
    repository.commit({})
    repository.write({"graphs/answer.toml": SAVING})
    assert repository.gate("--today", "2027-03-01").exit == 0
    assert repository.gate("--today", "2027-03-02").exit == 1
    assert codes(repository, "--today", "2027-03-02") == ["approval_expired", "unapproved_change"]


def test_what_only_the_head_approves_is_told_and_does_not_count(repository: Repository) -> None:
    repository.write({"graphs/answer.toml": SAVING})
    approve(repository, *WORDS)
    assert codes(repository, *DAY) == ["approval_from_head", "unapproved_change"]
    assert (repository.gate(*DAY).exit, states(repository)) == (1, ["self_approved"])
    assert (repository.gate("--approvals-from", "head", *DAY).exit, states(repository, "--approvals-from", "head")) == (
        0,
        ["used"],
    )


def test_an_approval_of_another_change_is_stale_and_one_of_none_unused(repository: Repository) -> None:
    repository.write({"graphs/answer.toml": SAVING})
    approve(repository, *WORDS)
    repository.write({"graphs/answer.toml": GRAPH})
    repository.commit({})
    assert (repository.gate(*DAY).exit, codes(repository, *DAY)) == (1, ["approval_unused"])
    other = SAVING.replace("tool.write_file", "tool.read_file").replace(', text = "text" }', " }")
    repository.write({"graphs/answer.toml": other + 'writes = { text = "text" }\n'})
    assert codes(repository, *DAY) == ["approval_stale", "unapproved_change"]
    ran = repository.gate("approve", "--tidy", *DAY)
    assert (ran.exit, "[[approval]]" in (repository.folder / APPROVALS).read_text("utf-8")) == (0, False)
    assert codes(repository, *DAY) == ["unapproved_change"]


def test_one_change_is_approved_by_the_beginning_of_its_digest(repository: Repository) -> None:
    repository.write({"graphs/answer.toml": SAVING})
    digest = next(one["digest"] for one in changes(repository) if one["what"] == "capability")
    before = (
        '# ours\r\n[[approval]]\r\nchange = "sha256:'
        + "0" * 64
        + "\"\r\nwho = 'b'\r\nwhy = 'c'\r\nuntil = '2027-01-01' # soon"
    )
    repository.write({APPROVALS: None} if (repository.folder / APPROVALS).exists() else {})
    (repository.folder / APPROVALS).write_bytes(before.encode())
    approve(repository, digest[7:19], *WORDS)
    after = (repository.folder / APPROVALS).read_bytes().decode()
    assert after.startswith(before + '\r\n\r\n[[approval]]\r\nchange = "' + digest)
    assert after.count("[[approval]]") == 2
    assert "\n" not in after.replace("\r\n", "")
    assert repository.gate("approve", "ffff", *WORDS).exit == 2
    assert repository.gate("approve", "--who", "ana").exit == 2
    assert "--until: 'soon' is no day" in repository.gate("approve", *WORDS[:4], "--until", "soon").err
    over = repository.gate("approve", *WORDS[:4], "--until", "2026-12-31", *DAY)
    assert (over.exit, "--until: '2026-12-31' is over" in over.err) == (2, True)
    assert (repository.folder / APPROVALS).read_bytes().decode() == after


def test_what_is_approved_again_stands_once(repository: Repository) -> None:
    """The file is asked and not the head, which is another branch; what ended gives way to the new day."""
    repository.git("checkout", "-q", "-b", "feature")
    repository.commit({"graphs/answer.toml": SAVING})
    repository.git("checkout", "-q", "main")
    first = approve(repository, "--head", "feature", *WORDS)
    assert approve(repository, "--head", "feature", *WORDS[:4], "--until", "2028-01-01") == first
    later = (*WORDS[:4], "--until", "2028-01-01", "--today", "2027-03-02")
    assert approve(repository, "--head", "feature", *later) == first.replace('"2027-03-01"', '"2028-01-01"')
    repository.commit({})
    assert repository.gate("--head", "feature", "--today", "2027-03-02").exit == 0


def test_an_approval_is_for_one_change_to_the_letter(repository: Repository) -> None:
    """What is approved is that data reaches a kind past a guard or not, with what value, in which document."""
    repository.write({"graphs/answer.toml": SAVING.replace("'out.md'", "'a.md'")})
    repository.commit({})
    repository.write({"graphs/answer.toml": SAVING.replace("'out.md'", "'b.md'")})
    first = [one["digest"] for one in changes(repository) if one["what"] == "given"]
    repository.write({"graphs/answer.toml": SAVING.replace("'out.md'", "'c.md'")})
    assert len(first) == 1
    assert [one["digest"] for one in changes(repository) if one["what"] == "given"] != first


def test_faults_of_the_approvals_fail(repository: Repository) -> None:
    repository.write({APPROVALS: '[[approval]]\nchange = "sha256:1"\nwho = "a"\nwhy = "b"\nuntil = "never"\n'})
    assert codes(repository) == ["approval_expired", "malformed_day", "malformed_digest"]
    repository.write({APPROVALS: '[[approval]]\nchnge = "x"\n'})
    assert "unknown_key" in codes(repository)
    assert repository.gate("approve", *WORDS).exit == 2 or repository.gate().exit == 1


def test_tidying_takes_out_every_approval_that_is_there_twice(repository: Repository) -> None:
    """Those of no change and those that ended all at once, of those that count all but the one that ends first."""
    repository.write({"graphs/answer.toml": SAVING})
    once = approve(repository, *WORDS)
    rows = once.split("[[approval]]")[1:]
    ended = [row.replace("2027-03-01", "2026-01-01") for row in rows]
    unused = f'\nchange = "sha256:{"0" * 64}"\nwho = "a"\nwhy = "b"\nuntil = "2027-03-01"\n'
    longer = [row.replace("2027-03-01", "2028-03-01") for row in rows]
    every = (*ended, unused, unused, unused, *rows, *longer, *ended)
    repository.commit({APPROVALS: "".join(f"[[approval]]{row}" for row in every), "graphs/answer.toml": GRAPH})
    repository.write({"graphs/answer.toml": SAVING})
    ran = repository.gate("approve", "--tidy", *DAY)
    assert (ran.exit, ran.out.count("\n  ")) == (0, 3 * len(rows) + 3)
    left = (repository.folder / APPROVALS).read_text("utf-8")
    assert [row.strip() for row in left.split("[[approval]]")[1:]] == [row.strip() for row in rows]
    assert "nothing to do" in repository.gate("approve", "--tidy", *DAY).out


def test_what_cannot_be_read_is_not_said_to_be_tidy(repository: Repository) -> None:
    for broken in ("x = = 1\n", '[[aproval]]\nwho = "a"\n', "[[approval]]\nchange = 3\n"):
        repository.write({APPROVALS: broken})
        ran = repository.gate("approve", "--tidy", *DAY)
        assert (ran.exit, "'grapharc.approvals.toml' has a fault" in ran.err) == (2, True), broken
        assert (repository.folder / APPROVALS).read_text("utf-8") == broken

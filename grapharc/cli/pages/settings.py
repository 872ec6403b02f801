"""The settings go in, the page that says where each can come from comes out."""

from __future__ import annotations

from grapharc.cli.pages import GENERATED
from grapharc.project.environment import VARIABLES

_HEAD = """# Settings

Every setting is resolved in one order: a flag beats a `GRAPHARC_*` variable, that beats `grapharc.toml`, that beats
what is built in. Two kinds of settings add up instead, so that a flag can only narrow:

* **policies** of all layers hold at once, and the strictest answer counts;
* of each **ceiling** (`max_tokens`, `max_iterations`, `max_seconds`, `max_usd`, `max_concurrency`) the least holds.

`grapharc.toml` is looked for in the working directory and never above it; `--config` names another. Paths in it are
relative to it, paths in flags and variables to the working directory. Nothing need be configured: then the shipped
kinds exist and the built-in policy stands, which denies kinds that write files, run commands or use the network.

A graph, a policy or policy tests below the working directory that stand in the folder of another `grapharc.toml`
belong to that project, and are not judged without it (`project_not_in_force`): work in its folder, or name it by
`--config`. A project is in force for whatever its own `graphs` and `policy` name, and one that is named for whatever is
named beside it.

What a document names must lie beneath the project folder, links resolved. A registry or policy that a flag or a
variable names may lie anywhere; what it names in turn must lie beneath its own folder.

## Variables

"""


def page() -> str:
    """Return the page."""
    rows = "".join(f"| `{name}` | {meaning} |\n" for name, meaning in VARIABLES.items())
    return f"{GENERATED}{_HEAD}| variable | says |\n|---|---|\n{rows}"

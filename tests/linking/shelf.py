"""Small manifests for projects in memory: a shipped one of four kinds, and an owner's."""

from __future__ import annotations

SHIPPED = """
[types.Match]
path = "string"
line = "integer"

[[kind]]
name = "control.set"
entry = "grapharc.stdlib_kinds.control.control:set_value"
capabilities = []
reads.value = "T"
writes.result = "T"

[[kind]]
name = "model.call"
entry = "grapharc.stdlib_kinds.model.calls:call_model"
capabilities = ["model"]
reads.messages = { type = "list[Message]", default = [] }
writes = { text = "string", messages = "list[Message]" }
cost.tokens = "args.max_tokens"

[kind.args]
type = "object"
additionalProperties = false
required = ["role", "prompt"]
properties.role = { type = "string", format = "role" }
properties.prompt = { type = "string", format = "template" }
properties.max_tokens = { type = "integer", default = 4096, minimum = 1 }

[[kind]]
name = "tool.read_file"
entry = "grapharc.stdlib_kinds.tools.files:read_file"
capabilities = ["read_files"]
endorses = ["untrusted"]
tool = true
reads.path = { type = "string", format = "workspace-path" }
writes.text = "string"

[kind.args]
type = "object"
additionalProperties = false
properties.root = { type = "string", format = "workspace-path", default = "." }

[[kind]]
name = "tool.grep"
entry = "grapharc.stdlib_kinds.tools.search:find_lines"
capabilities = ["read_files"]
tool = true
reads.pattern = "string"
writes.matches = "list[Match]"

[[kind]]
name = "verify.anchor"
entry = "grapharc.stdlib_kinds.verification.anchor:check_anchors"
capabilities = []
reads = { claims = "list[T: Claim]", source_text = "string" }
writes = { accepted = "list[T]", rejected = "list[T]", verdicts = "list[Verdict]" }
"""

OWN = """
[types.Ticket]
title = "string"
level = '"low" | "high"'

[[kind]]
name = "triage"
version = "3"
entry = "kinds.py:sort_out"
capabilities = []
labels = ["internal"]
endorses = ["untrusted", "stale"]
reads.ticket = "Ticket"
writes.level = '"low" | "high"'
cost.seconds = 2

[[kind]]
name = "triage.deep"
version = "3"
entry = "kinds.py:sort_out_deeply"
capabilities = ["model"]
reads.tickets = { type = "list[Ticket]", maxItems = 50 }
writes.level = '"low" | "high"'
cost.tokens = "size(tickets) * args.max_tokens"

[kind.args]
type = "object"
additionalProperties = false
required = ["role"]
properties.role = { type = "string", format = "role" }
properties.max_tokens = { type = "integer", default = 1000, maximum = 5000 }
properties.tools = { type = "array", items = { type = "string", format = "kind" }, default = [] }
properties.style = { type = "string", format = "template" }
"""

SHELF = {"shipped/kinds.toml": SHIPPED, "kinds/triage.toml": OWN}

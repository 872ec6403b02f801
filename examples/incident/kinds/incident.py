"""The on-call team's kinds: ports come in by name, outputs go out by name. Stand-ins for what your team would write."""


def triage(goal: str) -> dict[str, list[str]]:
    return {"notes": [f"triage: {goal}: the connection pool is exhausted"]}


def patch(notes: list[str]) -> dict[str, list[str]]:
    return {"notes": [f"patch: pool size raised, because of {len(notes)} finding"]}


def verify(notes: list[str]) -> dict[str, list[str]]:
    return {"notes": [f"verify: checkout answers again after '{notes[-1]}'"]}


def deploy(notes: list[str]) -> dict[str, list[str]]:
    return {"notes": [f"deploy: released {len(notes)} changes"]}

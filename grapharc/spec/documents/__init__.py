"""The documents as people write them: one frozen dataclass for each table, one attribute for each key of FORMATS.

A dataclass is the only place where a key is stated. What validates it, its JSON Schema, the shorthands it takes and the
names that a misspelt key is compared with are all made from it. No meaning lives here, and nothing is looked up.
"""

"""Arguments of kinds: their JSON Schemas, what a schema says about a string, and whether arguments fit.

Schemas and arguments are data of documents. References lead nowhere outside of the schema, patterns are RE2's, and
jsonschema is loaded only for a schema, or for arguments, that nobody has seen yet and that are not plainly right.
"""

"""What exists here: manifests and a registry selection in, the kinds, roles, fields and types that graphs may name out.

Manifests are data. Nothing that they name is imported, opened or looked for, whatever it is called.
"""

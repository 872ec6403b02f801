"""Bytes of a document in; its value, the place of every key and value, and every fault of the writing out.

Both readers are written from the specifications (RFC 8259, TOML 1.0). They go on after an error, never raise for what
a text holds, and take time linear in its length. They know nothing of what our documents mean.
"""

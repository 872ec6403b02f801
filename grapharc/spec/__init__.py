"""What the documents say: text in, linked graphs and facts about them out.

Nothing here judges, opens a file, a socket or a process, or imports user code: texts come through a
:class:`~grapharc.spec.loader.Loader`, and faults of a document go out as findings, never as exceptions.
"""

"""Kinds that read and write files, each confined to the run's workspace.

A path is relative to ``root``, a folder of the workspace. Whatever leads out of that folder, by ``..``, by an absolute
path or through a symbolic link, is a :class:`~grapharc.runtime.workspace.WorkspaceEscape`.
"""

"""Kinds that read and write files, each confined to the run's workspace.

A path is relative to ``root``, a folder of the workspace. Whatever leads out of that folder, by ``..`` or by an
absolute path, passes through a symbolic link, or is a part of the project itself, is a
:class:`~grapharc.runtime.workspace.WorkspaceEscape`.
"""

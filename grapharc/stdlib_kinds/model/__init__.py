"""Kinds that ask a model. A graph names a role, the registry says which model plays it; a mock file is a model too."""

"""Kinds that check claims against their sources. A citation is looked up in the text before anybody is asked."""

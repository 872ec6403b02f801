"""Two states of a project go in, commits or folders; how they differ, and whether somebody agreed to it, comes out.

A commit is read by git's plumbing and never checked out: no file of the working tree is opened for it, no filter, hook
or text conversion runs, nothing is fetched. A name that git is given is looked at first, so that none is an option.
"""

"""Policies tried out: questions and policies in, answers out, each with the rules that matched and what they beat.

A question is decided by the tables and conditions that an admission and a run ask; nothing here decides by itself what
a rule means.
"""

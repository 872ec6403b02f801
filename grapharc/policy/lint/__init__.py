"""Policies read for what is wrong with them: a policy and maybe a registry in, findings out.

With a registry the kinds are those it offers; without one they are all that could be written, by every name and with
every capability and label. Either way a verdict is exact over kinds, edges and tenants, and comes with a request that
proves it or the rules that cover it. What a condition leaves open is said to be open, and never guessed.
"""

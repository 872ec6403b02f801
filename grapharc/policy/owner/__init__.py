"""The owner's rules: policy documents in, tables that decide out.

A decision depends on kinds, capabilities, labels and the tenant, never on a name, a description or a path that an
author chose. Whatever is not understood denies.
"""

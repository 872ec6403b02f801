"""Built-in rules: one file each, named for the code that it finds, with one function ``check``.

They read facts and report; none computes a fact of flow, looks at a policy, or knows another rule.
"""

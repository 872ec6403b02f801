"""One lint rule over policies a file: what a rule looks at in, findings of its own code out."""

"""What a gate found, in one format a file: a pure function from its report to text."""

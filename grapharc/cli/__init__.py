"""The command line: arguments in, printed answers and exit codes out. The only place with a terminal.

Exit codes: 0, it did the job; 1, it ran and the answer is no; 2, it could not run; 3, a bug of ours, said to be one.
Each command is a file that is imported when it is asked for, so that ``check`` never waits for a runtime. Nothing here
decides what a document means.
"""

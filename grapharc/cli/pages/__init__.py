"""Generated pages of the documentation, one a file: nothing comes in, Markdown comes out."""

GENERATED = "<!-- `make docs` writes this page. -->\n\n"

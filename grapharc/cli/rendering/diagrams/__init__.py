"""Pictures go in, one format a file comes out. Whatever a document says is escaped here, for each format as it must."""

"""What was observed: field tables, immutable infos, and the snapshot that joins them. Pure values."""

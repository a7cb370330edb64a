// Filled by its first change.

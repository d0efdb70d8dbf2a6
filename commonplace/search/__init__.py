"""Pure search: text into terms, fusion, ranking."""

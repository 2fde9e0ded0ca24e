//! Endings of three and four players, and of games with targets: every player for himself.

//! The plain twin: full minimax.

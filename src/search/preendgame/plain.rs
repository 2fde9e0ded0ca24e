//! The plain twin: every draw, full minimax.

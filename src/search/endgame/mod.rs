//! Endings: the bag is empty, so that all is known.
pub mod solver;
pub mod table;

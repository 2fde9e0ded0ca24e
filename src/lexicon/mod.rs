//! Words.
pub mod build;
mod graph;
mod word;
pub use graph::{Graph, List, Node, Siblings, Words};
pub use word::{MAX_WORD, Word, WordList};

//! Makes the compact form of the word list that is embedded in the library.
fn main() {}

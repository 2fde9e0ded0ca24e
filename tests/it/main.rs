//! All integration tests, one module per subject.

mod autoplay;
mod bench;
mod clients;
mod edges;
mod endgame;
mod eval;
mod fast;
mod fuzz;
mod games;
mod gcg;
mod golden;
mod json;
mod lexicon;
mod once;
mod plain;
mod pool;
mod possible;
mod preendgame;
mod readme;
mod roundtrips;
mod sessions;
mod sim;
mod solving;
mod support;
mod tidy;
mod win;

//! Cazique, a crossword board game engine.
//!
//! The modules stand in dependency order: each names only itself and those
//! above it. ARCHITECTURE.md has the map and the promises.

pub mod units;

pub mod seed;

pub mod fnv;

pub mod tiles;

pub mod board;

pub mod rules;

pub mod notation;

pub mod lexicon;

pub mod movegen;

pub mod eval;

pub mod search;

pub mod engine;

pub mod siu;

pub mod client;

pub mod contender;

pub mod autoplay;

pub mod protocol;

pub mod cli;

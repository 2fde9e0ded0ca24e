//! How far a generation is: a bar on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::Instant;

/// The progress of one generation.
pub struct Progress {
    generation: usize,
    generations: usize,
    boards: usize,
    start: Instant,
    on_terminal: bool,
}

const WIDTH: usize = 30;

impl Progress {
    /// At its beginning; generations are counted from 1.
    pub fn new(generation: usize, generations: usize, boards: usize) -> Progress {
        Progress {
            generation,
            generations,
            boards,
            start: Instant::now(),
            on_terminal: io::stderr().is_terminal(),
        }
    }

    /// Tells that so many boards are done. That nobody listens is no error.
    pub fn tell(&self, done: usize) {
        let seconds = self.start.elapsed().as_secs();
        let left = seconds * (self.boards - done) as u64 / done.max(1) as u64;
        let text = format!(
            "generation {}/{}, board {done}/{}, {left} s left",
            self.generation, self.generations, self.boards
        );
        let filled = WIDTH * done / self.boards.max(1);
        let _ = if self.on_terminal {
            let bar = format!("{}{}", "#".repeat(filled), ".".repeat(WIDTH - filled));
            let end = if done == self.boards { "\n" } else { "" };
            write!(io::stderr(), "\r[{bar}] {text}   {end}")
        } else if done == self.boards || done.is_multiple_of(self.boards.div_ceil(10)) {
            writeln!(io::stderr(), "{text}")
        } else {
            Ok(())
        };
    }
}

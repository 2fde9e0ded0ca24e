//! How far a long piece of work is: a bar on a terminal, elsewhere a line now
//! and then. It goes to the standard error, so that results stay apart.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The progress of one piece of work, which any thread can report.
pub struct Progress {
    what: String,
    total: u64,
    start: Instant,
    on_terminal: bool,
    state: Mutex<State>,
}

struct State {
    done: u64,
    /// When something was shown last.
    shown: Instant,
}

/// Characters of the bar.
const WIDTH: u64 = 30;
/// How often a bar is drawn: as often as an eye can use it.
const BAR_EVERY: Duration = Duration::from_millis(100);
/// How often a line is written where there is no terminal, so that short work leaves no lines in a log.
const LINE_EVERY: Duration = Duration::from_secs(30);

impl Progress {
    /// At its beginning: `what` is done `total` times.
    pub fn new(what: impl Into<String>, total: u64) -> Progress {
        let start = Instant::now();
        Progress {
            what: what.into(),
            total,
            start,
            on_terminal: io::stderr().is_terminal(),
            state: Mutex::new(State {
                done: 0,
                shown: start,
            }),
        }
    }

    /// Tells that one more is done.
    pub fn step(&self) {
        // A thread that panicked while it counted has left a number all the same.
        let mut state = self
            .state
            .lock()
            .unwrap_or_else(|broken| broken.into_inner());
        state.done += 1;
        let pause = if self.on_terminal {
            BAR_EVERY
        } else {
            LINE_EVERY
        };
        let last = self.on_terminal && state.done == self.total;
        if last || state.shown.elapsed() >= pause {
            state.shown = Instant::now();
            let text = self.text(state.done, self.start.elapsed());
            // That nobody listens is no error.
            let _ = match self.on_terminal {
                true => write!(io::stderr(), "\r{text}{}", if last { "\n" } else { "" }),
                false => writeln!(io::stderr(), "{text}"),
            };
        }
    }

    /// What is shown after some time. It keeps its length, so that a bar covers the one before.
    fn text(&self, done: u64, passed: Duration) -> String {
        let filled = (WIDTH * done / self.total.max(1)).min(WIDTH) as usize;
        let bar = format!(
            "{}{}",
            "#".repeat(filled),
            ".".repeat(WIDTH as usize - filled)
        );
        let seconds = passed.as_secs_f64();
        let left = seconds * self.total.saturating_sub(done) as f64 / done.max(1) as f64;
        let rate = done as f64 / seconds.max(1e-9);
        let (what, total) = (&self.what, self.total);
        format!("[{bar}] {what} {done:>8}/{total}, {rate:>7.1} a second, {left:>6.0} s left")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_shows_the_share_the_speed_and_the_time_left() {
        let text =
            |done, seconds| Progress::new("games", 60).text(done, Duration::from_secs(seconds));
        assert_eq!(
            text(20, 10),
            "[##########....................] games       20/60,     2.0 a second,     20 s left"
        );
        assert_eq!(text(0, 0).len(), text(60, 30).len());
        assert_eq!(
            Progress::new("games", 0)
                .text(0, Duration::ZERO)
                .matches('#')
                .count(),
            0
        );
    }
}

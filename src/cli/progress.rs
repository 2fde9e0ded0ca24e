//! Progress of long work on standard error: a bar at a terminal, elsewhere a line at intervals.
//! Results stay apart on standard output.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The progress of one piece of work, which any thread can report.
pub struct Progress {
    /// Hidden where standard error is not a terminal.
    bar: ProgressBar,
    /// Whether there are no lines where standard error is not a terminal.
    is_quiet: bool,
    /// When the last line was written.
    last_line: Mutex<Instant>,
}

/// The time between two lines where there is no terminal: short work leaves no line in a log.
/// Chosen by hand.
const LINE_INTERVAL: Duration = Duration::from_secs(30);
/// The look of the bar.
const TEMPLATE: &str = "[{bar:30}] {msg} {pos}/{len}, {per_sec}, {eta} left";

impl Progress {
    /// The start of work that consists of `total` units, such as `games`.
    pub fn new(unit: impl Into<String>, total: u64) -> Progress {
        let style = ProgressStyle::with_template(TEMPLATE);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(total).with_style(style.progress_chars("#."));
        Progress {
            bar: bar.with_message(unit.into()),
            is_quiet: false,
            last_line: Mutex::new(Instant::now()),
        }
    }

    /// The same for work whose output on standard error is read by programs: without a terminal
    /// nothing is written.
    pub fn for_terminal(unit: impl Into<String>, total: u64) -> Progress {
        Progress {
            is_quiet: true,
            ..Progress::new(unit, total)
        }
    }

    /// Reports that there are fewer units than expected.
    pub fn expect_less(&self, units: u64) {
        let total = self.bar.length().unwrap_or(0);
        self.bar.set_length(total.saturating_sub(units));
    }

    /// Removes the bar, so that other text can follow.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Reports that one more unit is done.
    pub fn step(&self) {
        self.bar.inc(1);
        if !self.bar.is_hidden() {
            if self.bar.position() == self.bar.length().unwrap_or(0) {
                self.bar.abandon();
            }
            return;
        }
        if self.is_quiet {
            return;
        }
        let mut last_line = self
            .last_line
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if last_line.elapsed() >= LINE_INTERVAL {
            *last_line = Instant::now();
            // A closed standard error must not end the work.
            let _ = writeln!(io::stderr(), "{}", self.line(self.bar.elapsed()));
        }
    }

    /// The line after some time.
    fn line(&self, elapsed: Duration) -> String {
        let (done, total) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let rate = done as f64 / elapsed.as_secs_f64().max(1e-9);
        let left = total.saturating_sub(done) as f64 / rate.max(1e-9);
        let unit = self.bar.message();
        format!("{unit} {done}/{total}, {rate:.1} per second, {left:.0} s left")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_count_the_speed_and_the_time_left() {
        let progress = Progress::new("games", 60);
        (0..20).for_each(|_| progress.step());
        let line = progress.line(Duration::from_secs(10));
        assert_eq!(line, "games 20/60, 2.0 per second, 20 s left");
    }
}

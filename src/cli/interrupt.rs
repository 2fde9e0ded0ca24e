//! Ctrl-C during long work: what is in progress is abandoned, and what is finished counts.

use super::Failure;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code after Ctrl-C: 128 and the number of the signal SIGINT, as shells have it.
pub(super) const EXIT_CODE: u8 = 130;

/// Whether Ctrl-C was pressed.
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Watches for Ctrl-C from now on. The first ends the work as soon as the turns in progress are
    /// done, the second ends the process at once.
    pub fn watch() -> Result<Interrupt, Failure> {
        let pressed = Arc::new(AtomicBool::new(false));
        let set = pressed.clone();
        ctrlc::set_handler(move || {
            if set.swap(true, Ordering::Relaxed) {
                process::exit(EXIT_CODE.into());
            }
        })?;
        Ok(Interrupt(pressed))
    }

    /// Whether the work is to end.
    pub fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

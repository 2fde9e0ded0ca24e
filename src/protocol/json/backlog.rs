//! A limit on the bytes of queries that wait for their answers.
//!
//! A client may send far more than the engine can answer. Then the reader thread waits, the pipe
//! fills, and the client waits too: a flood of queries never fills the memory.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The most bytes of lines that wait for their answers. Chosen by hand; protocol.md promises it.
const MAX_BACKLOG_BYTES: usize = 8 << 20;
/// What a line takes besides its text, in bytes: the answer to a short line is longer than the
/// line. A rough estimate.
const LINE_OVERHEAD_BYTES: usize = 1 << 10;

/// Counts the bytes of waiting lines. Clones share the count.
#[derive(Clone, Default)]
pub(super) struct Backlog(Arc<SharedCount>);

#[derive(Default)]
struct SharedCount {
    bytes: Mutex<usize>,
    freed: Condvar,
}

impl Backlog {
    /// Waits until a line of this many bytes fits, and counts it. An empty backlog takes a line
    /// of any length.
    pub fn admit(&self, bytes: usize) -> BacklogShare {
        let bytes = bytes + LINE_OVERHEAD_BYTES;
        let mut waiting = self.bytes();
        while *waiting > 0 && *waiting + bytes > MAX_BACKLOG_BYTES {
            let freed = self.0.freed.wait(waiting);
            waiting = freed.unwrap_or_else(PoisonError::into_inner);
        }
        *waiting += bytes;
        BacklogShare {
            backlog: self.clone(),
            bytes,
        }
    }

    fn bytes(&self) -> MutexGuard<'_, usize> {
        self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of one line, which count until this is dropped.
pub(super) struct BacklogShare {
    backlog: Backlog,
    bytes: usize,
}

impl Drop for BacklogShare {
    fn drop(&mut self) {
        *self.backlog.bytes() -= self.bytes;
        self.backlog.0.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn a_line_waits_until_it_fits() {
        let backlog = Backlog::default();
        let first = backlog.admit(2 * MAX_BACKLOG_BYTES);
        let (admitted, seen) = channel();
        let second = backlog.clone();
        let waiting = thread::spawn(move || {
            let share = second.admit(10);
            admitted.send(()).unwrap();
            drop(share);
        });
        assert!(seen.recv_timeout(Duration::from_millis(50)).is_err());
        drop(first);
        seen.recv_timeout(Duration::from_secs(60)).unwrap();
        waiting.join().unwrap();
        assert_eq!(*backlog.bytes(), 0);
    }
}

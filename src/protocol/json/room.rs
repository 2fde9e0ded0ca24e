//! Room for what waits: a client may send far more than can be answered, and
//! then it is the client who waits.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How many bytes of lines may wait for their answers.
const MOST: usize = 8 << 20;
/// What a line takes besides its text, roughly: an answer to a short one needs more than the line.
const EACH: usize = 1 << 10;

/// Lets lines in while there is room. Clones are the same gate.
#[derive(Clone, Default)]
pub(super) struct Gate(Arc<Shared>);

#[derive(Default)]
struct Shared {
    taken: Mutex<usize>,
    freed: Condvar,
}

impl Gate {
    /// Waits until there is room for a line of so many bytes. A single line always finds some.
    pub fn enter(&self, bytes: usize) -> Room {
        let bytes = bytes + EACH;
        let mut taken = self.taken();
        while *taken > 0 && *taken + bytes > MOST {
            let freed = self.0.freed.wait(taken);
            taken = freed.unwrap_or_else(PoisonError::into_inner);
        }
        *taken += bytes;
        Room {
            gate: self.clone(),
            bytes,
        }
    }

    fn taken(&self) -> MutexGuard<'_, usize> {
        self.0.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The room that a line takes until it is dropped.
pub(super) struct Room {
    gate: Gate,
    bytes: usize,
}

impl Drop for Room {
    fn drop(&mut self) {
        *self.gate.taken() -= self.bytes;
        self.gate.0.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn who_finds_no_room_waits_until_there_is_some() {
        let gate = Gate::default();
        let first = gate.enter(2 * MOST);
        let (entered, seen) = channel();
        let behind = gate.clone();
        let waiting = thread::spawn(move || {
            let room = behind.enter(10);
            entered.send(()).unwrap();
            drop(room);
        });
        assert!(seen.recv_timeout(Duration::from_millis(50)).is_err());
        drop(first);
        seen.recv_timeout(Duration::from_secs(60)).unwrap();
        waiting.join().unwrap();
        assert_eq!(*gate.taken(), 0);
    }
}

//! Reads lines from a client that may send anything: bytes that are not text, and lines that
//! never end.

use std::io::{self, BufRead};
use std::sync::mpsc::SyncSender;
use std::thread;

/// The longest line that is read, in bytes: far more than any command needs. Chosen by hand;
/// protocol.md promises it.
const MAX_LINE_BYTES: usize = 1 << 20;

/// How far the reader thread may be ahead of a session's event loop, in events: enough to keep both
/// busy, and few enough that a client that floods us with the longest lines waits instead of
/// filling the memory. Chosen by hand.
pub(super) const MAX_QUEUED_EVENTS: usize = 16;

/// A line of a client.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InputLine {
    /// Text, without its line end.
    Text(String),
    /// Bytes that are not UTF-8, or hold a NUL.
    NotText,
    /// More than [`MAX_LINE_BYTES`]; the whole line was skipped.
    TooLong,
}

impl InputLine {
    /// The text, or why the line cannot be read, for people.
    pub fn into_text(self) -> Result<String, String> {
        match self {
            InputLine::Text(text) => Ok(text),
            InputLine::NotText => {
                Err("the line is not text: it has a NUL or is not UTF-8".to_string())
            }
            InputLine::TooLong => Err(format!(
                "the line is longer than {MAX_LINE_BYTES} bytes, which is the limit"
            )),
        }
    }
}

/// Starts a thread that sends every line as an event, and at the end of input `end`. It stops
/// early when nobody receives. An input that cannot be read has ended.
pub(super) fn start_reader<E: Send + 'static>(
    mut next_line: impl FnMut() -> io::Result<Option<InputLine>> + Send + 'static,
    sender: SyncSender<E>,
    mut event: impl FnMut(InputLine) -> E + Send + 'static,
    end: E,
) -> io::Result<()> {
    let read = move || {
        while let Ok(Some(line)) = next_line() {
            if sender.send(event(line)).is_err() {
                return;
            }
        }
        let _ = sender.send(end);
    };
    let reader = thread::Builder::new().name("reader".to_string());
    reader.spawn(read).map(|_| ())
}

/// Reads the next line; `None` at the end of input.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    let mut too_long = false;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            break;
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(available.len(), |end| end + 1);
        too_long |= bytes.len() + used > MAX_LINE_BYTES;
        if !too_long {
            bytes.extend_from_slice(&available[..used]);
        }
        input.consume(used);
        if end.is_some() {
            return Ok(Some(line(bytes, too_long)));
        }
    }
    // The last line may lack its end.
    Ok((too_long || !bytes.is_empty()).then(|| line(bytes, too_long)))
}

fn line(mut bytes: Vec<u8>, too_long: bool) -> InputLine {
    if too_long {
        return InputLine::TooLong;
    }
    while bytes
        .last()
        .is_some_and(|byte| matches!(byte, b'\n' | b'\r'))
    {
        bytes.pop();
    }
    // A NUL is valid UTF-8, but many programs would end the line there.
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => InputLine::Text(text),
        _ => InputLine::NotText,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &[InputLine]) {
        let mut input = bytes;
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, expected);
    }

    fn text(text: &str) -> InputLine {
        InputLine::Text(text.to_string())
    }

    #[test]
    fn both_line_ends_are_read() {
        check(b"a\nb\r\n\nc", &[text("a"), text("b"), text(""), text("c")]);
        check(b"", &[]);
    }

    #[test]
    fn a_line_that_is_not_text_does_not_disturb_the_next() {
        check(b"\xff\xfe\ngo\n", &[InputLine::NotText, text("go")]);
        check(b"a\0b\ngo\n", &[InputLine::NotText, text("go")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let mut bytes = vec![b'x'; MAX_LINE_BYTES + 10];
        bytes.extend_from_slice(b"\ngo");
        check(&bytes, &[InputLine::TooLong, text("go")]);
    }
}

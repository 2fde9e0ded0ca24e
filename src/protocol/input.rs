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
    /// Bytes that are not UTF-8, or hold a NUL; with the first word of the line.
    NotText(String),
    /// More than [`MAX_LINE_BYTES`]; the whole line was skipped but for its first word.
    TooLong(String),
}

impl InputLine {
    /// The text, or the first word and why the line cannot be read, for people.
    pub fn into_text(self) -> Result<String, (String, String)> {
        match self {
            InputLine::Text(text) => Ok(text),
            InputLine::NotText(word) => {
                let error = "the line is not text: it has a NUL or is not UTF-8";
                Err((word, error.to_string()))
            }
            InputLine::TooLong(word) => {
                let error = format!("the line is longer than {MAX_LINE_BYTES} bytes, the limit");
                Err((word, error))
            }
        }
    }
}

/// The mark that some programs write before the first line of UTF-8 text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The most bytes of an unreadable line that are kept, to find its first word in: longer than every
/// command word.
const MAX_KEPT_BYTES: usize = 32;

/// Starts a thread that sends every line as an event, and at the end of input `end`. It stops
/// early when nobody receives. An input that cannot be read has ended.
pub(super) fn start_reader<E: Send + 'static>(
    mut next_line: impl FnMut() -> io::Result<Option<InputLine>> + Send + 'static,
    sender: SyncSender<E>,
    mut event: impl FnMut(InputLine) -> E + Send + 'static,
    end: E,
) -> io::Result<()> {
    let read = move || {
        let mut is_first = true;
        while let Ok(Some(mut line)) = next_line() {
            if let InputLine::Text(text) = &mut line
                && is_first
                && text.starts_with(BYTE_ORDER_MARK)
            {
                text.remove(0);
            }
            is_first = false;
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
        // The end of the line does not count.
        let length = bytes.len() + end.unwrap_or(available.len());
        if length > MAX_LINE_BYTES {
            let room = MAX_KEPT_BYTES.saturating_sub(bytes.len());
            bytes.extend_from_slice(&available[..used.min(room)]);
            bytes.truncate(MAX_KEPT_BYTES);
            too_long = true;
        } else if !too_long {
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
        return InputLine::TooLong(first_word(&bytes));
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
        Ok(text) => InputLine::NotText(first_word(text.as_bytes())),
        Err(error) => InputLine::NotText(first_word(error.as_bytes())),
    }
}

/// The first word of a line that cannot be read.
fn first_word(bytes: &[u8]) -> String {
    let kept = &bytes[..bytes.len().min(MAX_KEPT_BYTES)];
    let text = String::from_utf8_lossy(kept);
    text.split_whitespace().next().unwrap_or("").to_string()
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
        let not_text = |word: &str| InputLine::NotText(word.to_string());
        check(b"rack \xff\xfe\ngo\n", &[not_text("rack"), text("go")]);
        check(b"a\0b\ngo\n", &[not_text("a\0b"), text("go")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let mut bytes = b"position ".to_vec();
        bytes.extend(vec![b'x'; MAX_LINE_BYTES]);
        bytes.extend_from_slice(b"\ngo");
        let too_long = InputLine::TooLong("position".to_string());
        check(&bytes, &[too_long, text("go")]);
        let longest = "x".repeat(MAX_LINE_BYTES);
        check(
            format!("{longest}\ngo").as_bytes(),
            &[text(&longest), text("go")],
        );
    }
}

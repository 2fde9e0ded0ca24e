//! Lines from a client that may send anything: bytes that are no text, lines
//! without end.

use std::io::{self, BufRead};
use std::thread;

/// The longest line that is read, in bytes: far more than any command needs.
pub(super) const MAX_LINE: usize = 1 << 20;

/// A line as it came.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Text, without its line end.
    Text(String),
    /// Bytes that are not UTF-8.
    NotText,
    /// More bytes than are read; the rest of the line was skipped.
    TooLong,
}

/// Hands every line to `take`, in a thread of its own, until that wants no
/// more or the input ends; then `end` is told. An input that cannot be read any more has ended.
pub(super) fn read_all(
    mut input: impl BufRead + Send + 'static,
    mut take: impl FnMut(Line) -> bool + Send + 'static,
    end: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let read = move || {
        while let Ok(Some(line)) = read_line(&mut input) {
            if !take(line) {
                return;
            }
        }
        end();
    };
    let reader = thread::Builder::new().name("reader".to_string());
    reader.spawn(read).map(|_| ())
}

/// Reads the next line; `None` at the end of input.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
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
        too_long |= bytes.len() + used > MAX_LINE;
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

fn line(mut bytes: Vec<u8>, too_long: bool) -> Line {
    if too_long {
        return Line::TooLong;
    }
    while bytes
        .last()
        .is_some_and(|byte| matches!(byte, b'\n' | b'\r'))
    {
        bytes.pop();
    }
    // A NUL is valid UTF-8 but no text: it would cut the line short in many a log or terminal.
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Line::Text(text),
        _ => Line::NotText,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &[Line]) {
        let mut input = bytes;
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, expected);
    }

    #[test]
    fn any_line_end_will_do() {
        let text = |text: &str| Line::Text(text.to_string());
        check(b"a\nb\r\n\nc", &[text("a"), text("b"), text(""), text("c")]);
        check(b"", &[]);
    }

    #[test]
    fn what_is_not_text_is_told_and_the_next_line_is_read() {
        check(
            b"\xff\xfe\ngo\n",
            &[Line::NotText, Line::Text("go".to_string())],
        );
        check(
            b"a\0b\ngo\n",
            &[Line::NotText, Line::Text("go".to_string())],
        );
    }

    #[test]
    fn a_line_without_end_is_skipped_without_being_kept() {
        let mut bytes = vec![b'x'; MAX_LINE + 10];
        bytes.extend_from_slice(b"\ngo");
        check(&bytes, &[Line::TooLong, Line::Text("go".to_string())]);
    }
}
